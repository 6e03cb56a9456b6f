/** Writing responses: the list of errors, the size limit, and long responses in several turns. */
import { describe, expect, test } from 'vitest'
import { MAX_RESPONSE_BYTES, writeAnswer } from '../../src/graphql/answer.ts'
import type { Turns } from '../../src/operations/ports/work.ts'
import { RequestStopped, UNLIMITED_TURNS } from '../../src/operations/ports/work.ts'

const NO_EFFECTS = {
  ...{ hasMutated: false, isAdmitted: false, cost: undefined, points: 0 },
  ...{ refusal: undefined, startedMutation: undefined },
}
const terms = {
  requestId: 'r-1',
  turns: UNLIMITED_TURNS,
  logDeadline: () => {},
  effects: NO_EFFECTS,
}
const entry = (index: number) => ({
  index,
  text: `"${'x'.repeat(90)}`,
  none: null,
  yes: true,
  inner: [{ a: 1.5 }, [], {}],
})
/** A property that is present but undefined. JSON.stringify leaves it out. */
const NO_ERRORS: object = { errors: undefined }
const entries = (count: number) => Array.from({ length: count }, (_, index) => entry(index))

describe('writeAnswer', () => {
  test('writes the same JSON as JSON.stringify, for small and large results', async () => {
    for (const count of [0, 1, 10, 1_000, 20_000]) {
      const result = { data: { list: entries(count), again: { list: entries(count), text: '\u2028"\\' } } }
      const { text, ...rest } = await writeAnswer({ ...NO_ERRORS, ...result }, terms)
      expect(text).toBe(JSON.stringify(result))
      expect(rest).toEqual({})
    }
  })

  test('writes a large result in many turns, and a small one without a pause', async () => {
    const pauses = async (count: number) => {
      let nexts = 0
      const turns: Turns = {
        over: () => true,
        next: async () => {
          nexts++
        },
      }
      await writeAnswer({ data: { list: entries(count) } }, { ...terms, turns })
      return nexts
    }
    expect(await pauses(100)).toBe(0)
    expect(await pauses(10_000)).toBeGreaterThan(20)
  })

  test('refuses a result of more than eight million bytes with 400 and its size', async () => {
    const list = ['x'.repeat(MAX_RESPONSE_BYTES / 2)]
    expect((await writeAnswer({ data: { list } }, terms)).status).toBeUndefined()
    const { status, text } = await writeAnswer({ data: { list: [...list, ...list] } }, terms)
    expect(status).toBe(400)
    const { data, errors } = JSON.parse(text)
    expect(data).toBeUndefined()
    expect(errors).toEqual([
      {
        message: expect.stringContaining('response size'),
        extensions: {
          ...{ code: 'OPERATION_TOO_LARGE', limit: 'response size' },
          ...{ actual: expect.any(Number), maximum: MAX_RESPONSE_BYTES, requestId: 'r-1' },
        },
      },
    ])
  })

  test('counts bytes, not characters', async () => {
    // Three bytes each.
    const list = Array(MAX_RESPONSE_BYTES / 4_000).fill('茶'.repeat(1_000))
    expect((await writeAnswer({ data: { list: list.slice(0, 1_000) } }, terms)).status).toBeUndefined()
    expect(await writeAnswer({ data: { list: [...list, ...list] } }, terms)).toMatchObject({ status: 400 })
    const outage = { message: 'away', extensions: { code: 'SERVICE_UNAVAILABLE' } }
    const partial = { data: { list: [...list, ...list] }, errors: [outage] }
    const { text } = await writeAnswer(partial, terms)
    expect(text.length).toBeLessThan(1_000)
  })

  test('stops writing a result that is far too large at the maximum', async () => {
    let written = 0
    const counting = {
      toJSON: () => {
        written++
        return 'x'.repeat(1_000)
      },
    }
    const countWritten = async (times: number) => {
      written = 0
      const { status } = await writeAnswer({ data: { list: Array(times).fill(counting) } }, terms)
      expect(status).toBe(400)
      return written
    }
    expect(await countWritten(20_000)).toBe(await countWritten(10_000))
  })

  test('lists at most ten errors, and says how many are left out', async () => {
    const errors = (count: number, more: object = {}) =>
      Array.from({ length: count }, (_, index) => ({
        message: `e${index}`,
        extensions: { code: `C${index}`, ...more },
      }))
    const requestId = 'r-1'
    const listed = async (count: number) =>
      JSON.parse((await writeAnswer({ errors: errors(count) }, terms)).text).errors
    expect(await listed(10)).toEqual(errors(10, { requestId }))
    expect(await listed(11)).toEqual([
      ...errors(9, { requestId }),
      { message: '2 more errors are not listed', extensions: { code: 'C9', requestId } },
    ])
    expect((await listed(5_000)).at(-1).message).toBe('4991 more errors are not listed')
  })

  test('answers 503 if the request is stopped while the result is written, and logs a deadline', async () => {
    for (const reason of ['deadline', 'disconnected'] as const) {
      let logged = 0
      const turns: Turns = { over: () => true, next: () => Promise.reject(new RequestStopped(reason)) }
      const answer = await writeAnswer(
        { data: { list: entries(10_000) } },
        { ...terms, turns, logDeadline: () => logged++ },
      )
      expect(answer).toMatchObject({ status: 503, retryAfterSeconds: 2 })
      expect(JSON.parse(answer.text)).toMatchObject({
        errors: [{ extensions: { code: 'DEADLINE_EXCEEDED' } }],
      })
      expect(logged).toBe(reason === 'deadline' ? 1 : 0)
    }
  })
})

describe('after a mutation', () => {
  const mutated = { ...terms, effects: { ...NO_EFFECTS, hasMutated: true } }

  test.each([
    'SERVICE_UNAVAILABLE',
    'DEADLINE_EXCEEDED',
  ])('an error %s becomes 504, because 503 means that nothing was done', async (code) => {
    const result = { data: null, errors: [{ message: 'away', extensions: { code } }] }
    expect((await writeAnswer(result, terms)).status).toBe(503)
    const { text, ...rest } = await writeAnswer(result, mutated)
    expect(rest).toEqual({ status: 504, retryAfterSeconds: 2 })
    expect(JSON.parse(text)).toEqual({
      errors: [
        {
          message: expect.stringContaining('was processed'),
          extensions: { code: 'RESULT_UNAVAILABLE', requestId: 'r-1' },
        },
      ],
    })
  })

  test('a deadline while the result is written becomes 504 too', async () => {
    const turns: Turns = { over: () => true, next: () => Promise.reject(new RequestStopped('deadline')) }
    const result = { data: { list: entries(20_000) } }
    expect(await writeAnswer(result, { ...mutated, turns })).toMatchObject({ status: 504 })
  })

  test('other results are unchanged', async () => {
    expect(await writeAnswer({ data: { a: 1 } }, mutated)).toEqual({ text: '{"data":{"a":1}}' })
  })
})
