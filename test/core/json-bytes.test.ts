import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COMMA, type JsonBytes, jsonPart, rememberedPart, startJson } from '../../src/core/json-bytes.ts'

const SAFE = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }
const EDGES = [0, -0, 1, 9, 10, 99, 100, 105, 110, 999_999_999, 1_000_000_000, 99_999_999_999, -5, -50, -500]

test('writes integers like JSON.stringify', () => {
  const check = (value: number): void => {
    expect(startJson().integer(value).finish().toString()).toBe(JSON.stringify(value))
  }
  fc.assert(fc.property(fc.integer(SAFE), check))
  fc.assert(fc.property(fc.integer({ min: -2_000_000_000, max: 2_000_000_000 }), check))
  for (const value of EDGES) check(value)
})

test('writes hundredths like JSON.stringify', () => {
  const check = (value: number): void => {
    expect(startJson().hundredths(value).finish().toString()).toBe(JSON.stringify(value / 100))
  }
  fc.assert(fc.property(fc.integer({ min: -1e12, max: 1e12 }), check))
  for (const value of EDGES) check(value)
})

test.each([0.5, 12.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('refuses %s', (value) => {
  expect(() => startJson().integer(value)).toThrow('not a safe integer')
  expect(() => startJson().hundredths(value)).toThrow('not a safe integer')
})

test('returns texts of any length, which later texts do not change', () => {
  const lengths = fc.array(fc.oneof(fc.nat(100), fc.nat(70_000)), { maxLength: 8 })
  fc.assert(
    fc.property(fc.array(lengths, { maxLength: 12 }), (texts) => {
      const partsOf = (text: readonly number[]) =>
        text.map((length, index) => Buffer.alloc(length, 33 + index + (length % 50)))
      const finished = texts.map((text) => {
        const json = startJson()
        for (const part of partsOf(text)) json.add(part).character(COMMA)
        return json.finish()
      })
      texts.forEach((text, index) => {
        const expected = Buffer.concat(partsOf(text).flatMap((part) => [part, Buffer.from(',')]))
        expect(finished[index]!.equals(expected)).toBe(true)
      })
    }),
  )
})

const BLOCK_BYTES = 64 * 1024

/** Leaves an empty block to the next text, because the rest of this one is too small. */
function startBlock(): void {
  startJson()
    .add(Buffer.alloc(BLOCK_BYTES - 5_000))
    .finish()
}

test('writes every kind of part at the end of a block', () => {
  const parts: readonly [expected: string, write: (json: JsonBytes) => JsonBytes][] = [
    [',', (json) => json.character(COMMA)],
    ['-12345', (json) => json.integer(-12_345)],
    ['9007199254740991', (json) => json.integer(Number.MAX_SAFE_INTEGER)],
    ['-123.45', (json) => json.hundredths(-12_345)],
    ['{"price":', (json) => json.add(jsonPart('{"price":'))],
  ]
  for (const [expected, write] of parts)
    for (let free = 0; free < 40; free++) {
      startBlock()
      const filling = 'x'.repeat(BLOCK_BYTES - free)
      const text = write(startJson().add(jsonPart(filling)))
        .finish()
        .toString()
      expect(text === filling + expected, `${expected} with ${free} bytes left`).toBe(true)
    }
})

test('a text keeps at most one block in memory, or its own length', () => {
  startBlock()
  const long = startJson().add(Buffer.alloc(200_000)).finish()
  expect(long.buffer.byteLength).toBe(200_000)
  expect(startJson().integer(1).finish().buffer.byteLength).toBe(BLOCK_BYTES)
  startJson().add(Buffer.alloc(200_000))
  startJson().integer(1).finish()
  expect(startJson().integer(1).finish().buffer.byteLength).toBe(BLOCK_BYTES)
})

test('drops a text that was not finished', () => {
  startJson().integer(1).character(COMMA)
  expect(startJson().integer(2).finish().toString()).toBe('2')
})

test('writes a remembered text as JSON between the given parts, also when there are many', () => {
  const part = rememberedPart('{"item":', ',"amount":')
  for (const text of ['Fuel', 'with "quotes"', 'Größe', '\ud800'])
    for (let time = 0; time < 2; time++)
      expect(Buffer.from(part(text)).toString()).toBe(`{"item":${JSON.stringify(text)},"amount":`)
  for (let index = 0; index < 5_000; index++)
    expect(Buffer.from(part(`text ${index}`)).toString()).toBe(`{"item":"text ${index}","amount":`)
})
