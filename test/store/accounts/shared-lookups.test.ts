/** Shared lookups, with statements and time controlled by the test. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type LookupTerms, shareLookups } from '../../../src/store/accounts/shared-lookups.ts'
import { isOutage } from '../../../src/store/database/outage.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A statement that has been sent and waits for the test to answer it. */
type Statement = {
  readonly ids: readonly string[]
  readonly at: number
  answer(): void
  fail(error: Error): void
}

/**
 * Lookups by id. Every id exists, and its value is the id in capitals. With `takesMs`, statements are answered after
 * that time.
 */
function lookups(terms: Partial<LookupTerms<string>> = {}, takesMs?: number) {
  const statements: Statement[] = []
  let running = 0
  let runningAtOnce = 0
  const read = (ids: readonly string[]) => {
    runningAtOnce = Math.max(runningAtOnce, ++running)
    return new Promise<ReadonlyMap<string, string>>((resolve, reject) => {
      const ended = (end: () => void) => () => {
        running--
        end()
      }
      const answer = ended(() => resolve(new Map(ids.map((id) => [id, id.toUpperCase()]))))
      statements.push({ ids, at: Date.now(), answer, fail: (error) => ended(() => reject(error))() })
      if (takesMs !== undefined) setTimeout(answer, takesMs)
    })
  }
  const { find } = shareLookups({ read, now: Date.now, ...terms })
  return { find, statements, runningAtOnce: () => runningAtOnce }
}

/** Runs everything that is due now. */
const settle = () => vi.advanceTimersByTimeAsync(0)

describe('lookups at the same time', () => {
  test('share one statement, each id in it once', async () => {
    const { find, statements } = lookups()
    const answers = Promise.all(['a', 'b', 'a'].map((id) => find(id, true)))
    await settle()
    expect(statements.map(({ ids }) => ids)).toEqual([['a', 'b']])
    const joined = find('b', true)
    statements[0]?.answer()
    expect(await answers).toEqual(['A', 'B', 'A'])
    expect(await joined).toBe('B')
    expect(statements).toHaveLength(1)
  })

  test('answer undefined for an id that is not found', async () => {
    const { find } = shareLookups({ read: async () => new Map<string, string>() })
    const answer = find('a', true)
    await settle()
    expect(await answer).toBeUndefined()
  })

  test('run one statement at a time, known ids before unknown ones', async () => {
    const { find, statements } = lookups({ maxIds: 2 })
    for (const id of ['first']) void find(id, true)
    await settle()
    for (const id of ['u1', 'u2', 'u3']) void find(id, false)
    for (const id of ['k1', 'k2', 'k3']) void find(id, true)
    for (let sent = 0; sent < 4; sent++) {
      await vi.advanceTimersByTimeAsync(1_000)
      expect(statements).toHaveLength(sent + 1)
      statements[sent]?.answer()
    }
    expect(statements.map(({ ids }) => ids)).toEqual([['first'], ['k1', 'k2'], ['k3', 'u1'], ['u2', 'u3']])
  })
})

describe('unknown ids', () => {
  test('cause the same number of statements per second however many there are', async () => {
    for (const perMs of [1, 4]) {
      const { find, statements, runningAtOnce } = lookups({}, 2)
      let asked = 0
      for (let ms = 0; ms < 1_000; ms++) {
        for (let call = 0; call < perMs; call++) find(`id-${asked++}`, false).catch(() => {})
        await vi.advanceTimersByTimeAsync(1)
      }
      await vi.advanceTimersByTimeAsync(1_000)
      expect(statements.flatMap(({ ids }) => ids)).toHaveLength(asked)
      expect(statements.length).toBeLessThanOrEqual(12)
      expect(runningAtOnce()).toBe(1)
    }
  })

  test('are looked up at once after a pause', async () => {
    const { find, statements } = lookups()
    const began = Date.now()
    void find('a', false)
    await vi.advanceTimersByTimeAsync(1)
    expect(statements.map(({ at }) => at - began)).toEqual([expect.toBeOneOf([0, 1])])
  })

  test('do not delay a known id, whose statement includes them', async () => {
    const { find, statements } = lookups()
    void find('a', false)
    await vi.advanceTimersByTimeAsync(1)
    statements[0]?.answer()
    await settle()
    void find('b', false)
    await settle()
    expect(statements).toHaveLength(1)
    void find('k', true)
    await settle()
    expect(statements[1]?.ids).toEqual(['k', 'b'])
  })

  test('fail fast as an outage when too many wait; known ones and those already waiting do not', async () => {
    const { find, statements } = lookups({ maxWaiting: 2 })
    const waiting = [find('u1', false), find('u2', false)]
    const refused = await find('u3', false).catch((error: unknown) => error)
    expect(isOutage(refused)).toBe(true)
    const accepted = [...waiting, find('u2', false), find('k1', true), find('k2', true), find('k3', true)]
    await settle()
    statements[0]?.answer()
    expect(await Promise.all(accepted)).toEqual(['U1', 'U2', 'U2', 'K1', 'K2', 'K3'])
  })
})

test('a failure rejects the ids of its statement and all that wait; the next lookup starts afresh', async () => {
  const { find, statements } = lookups()
  const ends = ['a'].map((id) => find(id, true).catch((error: unknown) => error))
  await settle()
  ends.push(find('k', true).catch((error: unknown) => error))
  ends.push(find('u', false).catch((error: unknown) => error))
  const down = new Error('down')
  statements[0]?.fail(down)
  expect(await Promise.all(ends)).toEqual([down, down, down])
  const again = find('a', true)
  await settle()
  statements[1]?.answer()
  expect(await again).toBe('A')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(statements.map(({ ids }) => ids)).toEqual([['a'], ['a']])
})
