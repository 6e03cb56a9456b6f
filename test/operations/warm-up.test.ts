/** The warm-up before the service is ready. */
import { expect, test } from 'vitest'
import { warmUp } from '../../src/operations/warm-up.ts'
import { openTestApp } from '../support/app/test-app.ts'

test('the reference data is used before the first request, without a line in the log', async () => {
  const lines: string[] = []
  let rateBooks = 0
  let customsTables = 0
  let classified = 0
  const countries = new Set<string>()
  const app = await openTestApp({}, undefined, {
    log: { level: 'info', stream: { write: (line) => void lines.push(line) } },
    wrapPorts: (ports) => ({
      ...ports,
      reference: {
        rateBook: () => {
          rateBooks += 1
          return ports.reference.rateBook()
        },
        customsTables: () => {
          customsTables += 1
          return ports.reference.customsTables()
        },
      },
      calendar: {
        ...ports.calendar,
        kindOf: (country, day) => {
          countries.add(country)
          return ports.calendar.kindOf(country, day)
        },
      },
      classifier: {
        classify: (...given) => {
          classified += 1
          return ports.classifier.classify(...given)
        },
      },
    }),
  })
  try {
    expect(rateBooks).toBeGreaterThan(5)
    expect(customsTables).toBeGreaterThan(5)
    expect([...countries].sort()).toEqual(['ES', 'NL'])
    expect(classified).toBe(0)
    expect(lines.filter((line) => JSON.parse(line).level !== 'warn')).toHaveLength(1)
  } finally {
    await app.close()
  }
})

test('it ends when its time is over, and when the data is faulty', async () => {
  let now = 0
  const fail = (): never => {
    throw new Error('no data')
  }
  const reference = { rateBook: fail, customsTables: fail }
  const calendar = { kindOf: fail, localTime: fail }
  const classifier = { classify: () => Promise.reject(new Error('not asked for')) }
  const clock = () => new Date('2026-11-20T10:00:00Z')
  expect(await warmUp({ reference, calendar, classifier, clock, monotonicMs: () => 0 })).toBe(0)
  const slow = () => {
    now += 400
    return now
  }
  expect(await warmUp({ reference, calendar, classifier, clock, monotonicMs: slow })).toBe(0)
  expect(now).toBeLessThan(2_000)
})
