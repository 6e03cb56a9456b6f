/** Limits on the text of a document. They count as the lexer of graphql-js does, and apply before it parses. */
import fc from 'fast-check'
import { Lexer, parse, Source, TokenKind } from 'graphql'
import { describe, expect, test, vi } from 'vitest'
import { measureText } from '../../../src/graphql/document-text.ts'
import { CREDENTIALS, openInstance } from '../instance.ts'

const { app, ask, faults, lines } = openInstance()

/** Counts with the lexer of graphql-js. Undefined if the text is not valid GraphQL. */
function countWithLexer(text: string) {
  const lexer = new Lexer(new Source(text))
  const counted = { tokens: 0, nesting: 0 }
  let depth = 0
  try {
    for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
      counted.tokens++
      if ('([{'.includes(token.kind)) counted.nesting = Math.max(counted.nesting, ++depth)
      if (')]}'.includes(token.kind)) depth = Math.max(0, depth - 1)
    }
  } catch {
    return undefined
  }
  return counted
}

const pieces = [
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  ' ',
  '\n',
  '\r',
  '\r\n',
  ',',
  '\ufeff',
  '#',
  '"',
  '""',
  '"""',
  '\\',
  '\\"',
]
const words = [
  'name',
  '_a1',
  '12',
  '-3',
  '1.5',
  '-1.5e-3',
  '2E+4',
  '...',
  '$',
  '!',
  ':',
  '@',
  '=',
  '|',
  '&',
  '"[{("',
  '"\\"["',
]
const texts = fc.array(fc.constantFrom(...pieces, ...words, '"""\n[ \\""" {"""', '# [{(\n'), {
  maxLength: 30,
})

describe('measureText', () => {
  test('counts the same tokens and brackets as the lexer of graphql-js', () => {
    let compared = 0
    const check = fc.property(texts, (parts) => {
      const text = parts.join('')
      const expected = countWithLexer(text)
      if (expected === undefined) return
      compared++
      const { tokens, nesting } = measureText(text)
      expect({ tokens, nesting }).toEqual(expected)
    })
    fc.assert(check, { numRuns: 5_000, seed: 13 })
    expect(compared).toBeGreaterThan(500)
  })

  test('counts the same lines as graphql-js', () => {
    for (const text of ['{a}', '{a}\n', '\n\r\r\n{a}', '"""\n\r\n\r"""', '# x\n# y\n{a}', '"a\\\\"\n{a}'])
      expect(measureText(text).lines, JSON.stringify(text)).toBe(text.split(/\r\n|\r|\n/).length)
  })

  test('measures text that is not valid GraphQL', () => {
    for (const text of ['"', '"""', '\\', '"\\', '"""\\', '.', '-', '1e', '\0', '💥', '"\n['.repeat(9)])
      expect(measureText(text).tokens, JSON.stringify(text)).toBeGreaterThan(0)
  })

  test('takes linear time for any text', () => {
    for (const unit of ['"', '"""', '\\', '[', '#', '1', 'a', '.', '"\\"', '-', '\n']) {
      const readsOf = (length: number): number => {
        const spies = [vi.spyOn(String.prototype, 'charCodeAt'), vi.spyOn(String.prototype, 'startsWith')]
        measureText(unit.repeat(length).slice(0, length))
        const reads = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
        for (const spy of spies) spy.mockRestore()
        return reads
      }
      expect(readsOf(10_000), unit).toBeLessThan(readsOf(1_000) * 10 + 100)
    }
  })
})

/** Documents with `depth` levels of brackets, in every position where the grammar allows them. */
const nested: readonly [string, (depth: number) => string][] = [
  ['lists', (depth) => `{ classify(description: ${'['.repeat(depth)}${']'.repeat(depth)}) { code } }`],
  ['unclosed lists', (depth) => `{ classify(description: ${'['.repeat(depth)}`],
  ['objects', (depth) => `{ classify(description: ${'{a:'.repeat(depth)}1${'}'.repeat(depth)}) { code } }`],
  ['selections', (depth) => `${'{ carriers '.repeat(depth)}${'}'.repeat(depth)}`],
  ['types', (depth) => `query ($v: ${'['.repeat(depth)}Int${']'.repeat(depth)}) { carriers { id } }`],
  ['lists after a string', (depth) => `{ classify(description: "\\"[" first: ${'['.repeat(depth)}`],
  ['lists after a comment', (depth) => `# "\n{ classify(description: ${'['.repeat(depth)}`],
]

describe('nested brackets', () => {
  for (const [name, write] of nested)
    test(`of ${name} are refused before they are parsed, by POST and by GET`, async () => {
      const query = write(400)
      const url = `/graphql?query=${encodeURIComponent(query)}`
      const got = await app.inject({ method: 'GET', url, headers: { 'x-pp-api': CREDENTIALS } })
      for (const { status, errors } of [
        await ask(query),
        { status: got.statusCode, errors: got.json().errors },
      ]) {
        expect(status).toBe(400)
        expect(errors).toEqual([
          {
            message: expect.stringContaining('nesting'),
            extensions: expect.objectContaining({
              code: 'OPERATION_TOO_LARGE',
              limit: 'nesting',
              maximum: 64,
            }),
          },
        ])
      }
    })

  test('in strings and comments do not count', async () => {
    const { errors } = await ask(
      `# ${'['.repeat(500)}\n{ carriers { id } shipment(id: "${'['.repeat(500)}") { id } }`,
    )
    expect(errors).toEqual([])
  })

  test('of 64 levels are parsed', async () => {
    const write = nested[0]![1]
    expect(() => parse(write(62))).not.toThrow()
    expect((await ask(write(62))).errors[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED')
    expect((await ask(write(63))).errors[0]?.extensions).toMatchObject({ limit: 'nesting', actual: 65 })
  })

  test('in variables are refused with 400, even 100,000 levels', async () => {
    for (const value of [
      '['.repeat(100_000) + ']'.repeat(100_000),
      `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`,
    ]) {
      const payload = `{"query":"query ($id: ID!) { shipment(id: $id) { id } }","variables":{"id":${value}}}`
      const headers = { 'content-type': 'application/json', 'x-pp-api': CREDENTIALS }
      const answer = await app.inject({ method: 'POST', url: '/graphql', headers, payload })
      expect(answer.statusCode).toBe(400)
    }
  })

  test('are refused in the response type that the client accepts', async () => {
    const answer = await ask(nested[0]![1](900), undefined, { accept: 'application/graphql-response+json' })
    expect(answer.headers['content-type']).toBe('application/graphql-response+json; charset=utf-8')
  })
})

test('refuses documents of more than 2,000 lines', async () => {
  expect((await ask(`${'\n'.repeat(1_999)}{ carriers { id } }`)).errors).toEqual([])
  const { status, errors } = await ask(`${'\n'.repeat(2_000)}{ carriers { id } }`)
  expect(status).toBe(400)
  expect(errors[0]?.extensions).toEqual({
    ...{ code: 'OPERATION_TOO_LARGE', limit: 'lines', actual: 2_001, maximum: 2_000 },
  })
})

test('logs no request of this file as a fault', () => {
  expect(faults).toEqual([])
  expect(lines).toEqual([])
})
