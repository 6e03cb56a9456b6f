/** Names: allowed texts, and texts that are escaped when they are printed on one line. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPlainText, nameFault, printable, toPlainText, visible } from '../../src/core/input.ts'

const ONE_LINE = 'text on one line without control characters'

describe('a name', () => {
  test.each([
    ...['Acme', 'Žluťoučký kůň', 'שלום', '株式会社 あ', 'emoji 👩‍🚀', `=it's; a, "name"`],
    '\u00a0x\u200f',
  ])('can be %j', (name) => {
    expect(nameFault(name)).toBeUndefined()
    expect([printable(name), toPlainText(name)]).toEqual([name, name])
  })

  test.each([
    ['NUL', 'a\u0000b', 'a\\u0000b'],
    ['a line break', 'a\nb', 'a\\nb'],
    ['a carriage return', 'a\rb', 'a\\rb'],
    ['a tab', 'a\tb', 'a\\tb'],
    ['an escape of a terminal', 'a\u001b[31mb', 'a\\u001b[31mb'],
    ['DEL', 'a\u007fb', 'a\\u007fb'],
    ['a control character of C1', 'a\u009bb', 'a\\u009bb'],
    ['a line separator', 'a\u2028b', 'a\\u2028b'],
    ['a paragraph separator', 'a\u2029b', 'a\\u2029b'],
    ['a right-to-left override', 'a\u202eb', 'a\\u202eb'],
    ['an isolate', 'a\u2066b', 'a\\u2066b'],
    ['a lone surrogate', 'a\ud83db', 'a\\ud83db'],
    ['a lone surrogate at the end', 'a\ude00', 'a\\ude00'],
  ])('cannot contain %s', (_, name, shown) => {
    expect(nameFault(name)).toBe(ONE_LINE)
    expect(printable(name)).toBe(shown)
    expect(isPlainText(toPlainText(name))).toBe(true)
  })

  test('must not be empty or too long', () => {
    expect(nameFault('')).toBe('a value')
    expect(nameFault(' ')).toBe('a value')
    expect(nameFault('x'.repeat(500))).toBeUndefined()
    expect(nameFault('x'.repeat(501))).toBe('at most 500 characters')
    expect(nameFault('xyz', 2)).toBe('at most 2 characters')
  })
})

test('characters that cannot be told from a blank or from nothing are made visible', () => {
  expect(visible('1\u00a0234,50 \u202f39\u200b')).toBe('1\\u00a0234,50 \\u202f39\\u200b')
  expect(visible('\ufeffa\u00ad\u{e0001}\u001b')).toBe('\\ufeffa\\u00ad\\u{e0001}\\u001b')
  expect(visible('Žluťoučký kůň 株式会社')).toBe('Žluťoučký kůň 株式会社')
})

test('printable and plain texts contain no characters that names must not contain', () => {
  const codeUnit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code))
  fc.assert(
    fc.property(fc.string({ unit: codeUnit }), (text) => {
      expect(isPlainText(printable(text))).toBe(true)
      expect(isPlainText(toPlainText(text))).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})
