/** The limits on a document's text: counted as graphql-js counts, and before its parser sees the text. */
import fc from 'fast-check'
import { Lexer, parse, Source, TokenKind } from 'graphql'
import { describe, expect, test } from 'vitest'
import { measureText } from '../../../src/graphql/document-text.ts'
import { CREDENTIALS, openInstance } from '../instance.ts'

const { app, ask, faults, lines } = openInstance()

/** What the lexer of graphql-js makes of a text; undefined where it is no GraphQL. */
function lexed(text: string) {
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

describe('a text', () => {
  test('has as many tokens and brackets as the lexer of graphql-js finds', () => {
    let compared = 0
    const check = fc.property(texts, (parts) => {
      const text = parts.join('')
      const expected = lexed(text)
      if (expected === undefined) return
      compared++
      const { tokens, nesting } = measureText(text)
      expect({ tokens, nesting }).toEqual(expected)
    })
    fc.assert(check, { numRuns: 5_000, seed: 13 })
    expect(compared).toBeGreaterThan(500)
  })

  test('has the lines that graphql-js counts to', () => {
    for (const text of ['{a}', '{a}\n', '\n\r\r\n{a}', '"""\n\r\n\r"""', '# x\n# y\n{a}', '"a\\\\"\n{a}'])
      expect(measureText(text).lines, JSON.stringify(text)).toBe(text.split(/\r\n|\r|\n/).length)
  })

  test('that is no GraphQL is measured to its end', () => {
    for (const text of ['"', '"""', '\\', '"\\', '"""\\', '.', '-', '1e', '\0', '💥', '"\n['.repeat(9)])
      expect(measureText(text).tokens, JSON.stringify(text)).toBeGreaterThan(0)
  })

  test('is looked at once: ten times the text is ten times the work, whatever it holds', () => {
    // Each character is read a bounded number of times: counted by a text that counts how often it is asked.
    for (const unit of ['"', '"""', '\\', '[', '#', '1', 'a', '.', '"\\"', '-', '\n']) {
      const readsOf = (length: number): number => {
        const text = unit.repeat(length).slice(0, length)
        let reads = 0
        const count = (at: number): number => {
          reads++
          return at
        }
        const counting = {
          length,
          charCodeAt: (at: number) => text.charCodeAt(count(at)),
          startsWith: (part: string, at: number) => text.startsWith(part, count(at)),
        }
        measureText(counting as unknown as string)
        return reads
      }
      expect(readsOf(10_000), unit).toBeLessThan(readsOf(1_000) * 10 + 100)
    }
  })
})

/** Documents with `depth` brackets within each other, in every place that there is for them. */
const nested: readonly [string, (depth: number) => string][] = [
  ['lists', (depth) => `{ classify(description: ${'['.repeat(depth)}${']'.repeat(depth)}) { code } }`],
  ['lists without an end', (depth) => `{ classify(description: ${'['.repeat(depth)}`],
  ['objects', (depth) => `{ classify(description: ${'{a:'.repeat(depth)}1${'}'.repeat(depth)}) { code } }`],
  ['selections', (depth) => `${'{ carriers '.repeat(depth)}${'}'.repeat(depth)}`],
  ['types', (depth) => `query ($v: ${'['.repeat(depth)}Int${']'.repeat(depth)}) { carriers { id } }`],
  ['lists after a string', (depth) => `{ classify(description: "\\"[" limit: ${'['.repeat(depth)}`],
  ['lists after a comment', (depth) => `# "\n{ classify(description: ${'['.repeat(depth)}`],
]

describe('brackets within brackets', () => {
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

  test('in strings and comments are no nesting', async () => {
    const { errors } = await ask(
      `# ${'['.repeat(500)}\n{ carriers { id } shipment(id: "${'['.repeat(500)}") { id } }`,
    )
    expect(errors).toEqual([])
  })

  test('64 deep are parsed: it is for graphql-js to say what they mean', async () => {
    const write = nested[0]![1]
    expect(() => parse(write(62))).not.toThrow()
    expect((await ask(write(62))).errors[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED')
    expect((await ask(write(63))).errors[0]?.extensions).toMatchObject({ limit: 'nesting', actual: 65 })
  })

  test('in variables are no fault of ours, a hundred thousand deep', async () => {
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

  test('are refused in the media type that the client accepts', async () => {
    const answer = await ask(nested[0]![1](900), undefined, { accept: 'application/graphql-response+json' })
    expect(answer.headers['content-type']).toBe('application/graphql-response+json; charset=utf-8')
  })
})

test('more lines than a client writes are refused: finding the place of an error counts them', async () => {
  expect((await ask(`${'\n'.repeat(1_999)}{ carriers { id } }`)).errors).toEqual([])
  const { status, errors } = await ask(`${'\n'.repeat(2_000)}{ carriers { id } }`)
  expect(status).toBe(400)
  expect(errors[0]?.extensions).toEqual({
    ...{ code: 'OPERATION_TOO_LARGE', limit: 'lines', actual: 2_001, maximum: 2_000 },
  })
})

test('nothing of this was a fault of ours', () => {
  expect(faults).toEqual([])
  expect(lines).toEqual([])
})
