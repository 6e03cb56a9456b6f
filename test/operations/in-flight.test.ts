/** Work that several callers share, with and without a limit of their wait. */
import { expect, test } from 'vitest'
import { openInFlight } from '../../src/operations/ports/work.ts'

test('callers who join limited work wait for their own time, and get the same late outcome', async () => {
  const inFlight = openInFlight()
  let started = 0
  let late = 0
  let end: (outcome: string) => void = () => {}
  const start = () => {
    started += 1
    const outcome = new Promise<string>((resolve) => {
      end = resolve
    })
    const isLate = () => {
      late += 1
      return `late ${late}`
    }
    return { outcome, limitMs: 10, late: isLate }
  }
  expect(await inFlight.runWithLimit('a', start)).toBe('late 1')
  // The work continues, so the next caller joins it.
  const joined = inFlight.runWithLimit('a', start)
  end('done')
  expect(await joined).toBe('done')
  expect(started).toBe(1)
  await inFlight.drain()
  void inFlight.runWithLimit('a', start)
  expect(started).toBe(2)
  end('done')
})

test('a drain waits for limited work beyond its limit', async () => {
  const inFlight = openInFlight()
  let end: (outcome: string) => void = () => {}
  const outcome = new Promise<string>((resolve) => {
    end = resolve
  })
  expect(await inFlight.runWithLimit('a', () => ({ outcome, limitMs: 1, late: () => 'late' }))).toBe('late')
  let drained = false
  const drain = inFlight.drain().then(() => {
    drained = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(drained).toBe(false)
  end('done')
  await drain
})

test('limited work that fails after its limit harms nobody', async () => {
  const inFlight = openInFlight()
  let fail: (error: Error) => void = () => {}
  const outcome = new Promise<string>((_resolve, reject) => {
    fail = reject
  })
  expect(await inFlight.runWithLimit('a', () => ({ outcome, limitMs: 1, late: () => 'late' }))).toBe('late')
  fail(new Error('too late'))
  await inFlight.drain()
  expect(await inFlight.run('a', async () => 'new work')).toBe('new work')
})
