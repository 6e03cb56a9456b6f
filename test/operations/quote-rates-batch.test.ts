/** Several requests in one call: one rate book, one day, and no influence of one request on another. */
import { describe, expect, test, vi } from 'vitest'
import type { ReferenceData } from '../../src/operations/ports/ports.ts'
import {
  BATCH_LIMITS,
  type BatchEntry,
  quoteRates,
  quoteRatesBatch,
} from '../../src/operations/quote-rates.ts'
import { demoRateBook, ORDINARY_DAY, parcelInput } from '../support/rates/demo-rate-book.ts'
import { NO_RATES } from '../support/rates/exchange-rates.ts'

const CALLER = { accountId: 'acme' }
const book = demoRateBook()

function open() {
  const rateBook = vi.fn(() => book)
  const customsTables = vi.fn(() => NO_RATES)
  const reference: ReferenceData = { rateBook, customsTables }
  const clock = vi.fn(() => new Date(`${ORDINARY_DAY}T23:59:59.999Z`))
  const ports = { reference, clock }
  const next = vi.fn(async () => {})
  const batch = (entries: BatchEntry[]) => quoteRatesBatch(ports, CALLER, entries, { over: () => true, next })
  return { rateBook, customsTables, clock, ports, next, batch }
}

const rowsOf = (count: number) => Array(count).fill({ type: 'DOC', count: 1 })
const good: BatchEntry = { input: parcelInput() }
const atFault: BatchEntry = { input: parcelInput({ parcels: rowsOf(100) }) }

describe('a batch', () => {
  test('answers each request as it would be answered alone, in order', async () => {
    const { batch, ports } = open()
    const entries: BatchEntry[] = [
      good,
      { input: parcelInput({ to: { country: 'DE' } }), selection: { sort: 'TRANSIT' } },
      { input: parcelInput({ asOf: '2026-11-20T00:00:00Z' }), selection: { filter: { carriers: ['?'] } } },
      { input: parcelInput({ asOf: '2026-12-01T00:00:00Z' }) },
    ]
    expect(await batch(entries)).toEqual({
      kind: 'RatesBatch',
      results: entries.map(({ input: draft, selection }) => quoteRates(ports, CALLER, draft, selection)),
    })
  })

  test('answers the other requests if one is faulty', async () => {
    expect(await open().batch([good, atFault, good])).toMatchObject({
      results: [
        { kind: 'RateQuote' },
        { kind: 'InputProblem', fields: [{ path: ['parcels'], code: 'TOO_MANY' }] },
        { kind: 'RateQuote' },
      ],
    })
  })

  test('reads the rate book, the exchange rates and the day once', async () => {
    const { batch, rateBook, customsTables, clock } = open()
    await batch(Array(50).fill(good))
    expect(rateBook).toHaveBeenCalledTimes(1)
    expect(customsTables).toHaveBeenCalledTimes(1)
    expect(clock).toHaveBeenCalledTimes(1)
  })

  test('lets others run before each request when the turn is over, and rejects when the request is stopped', async () => {
    const { batch, next } = open()
    await batch(Array(50).fill(good))
    expect(next).toHaveBeenCalledTimes(50)
    next.mockRejectedValueOnce(new Error('stopped'))
    await expect(batch([good, good])).rejects.toThrow('stopped')
    expect(next).toHaveBeenCalledTimes(51)
  })

  test('may have up to 50 requests; 51 or none are refused as a whole', async () => {
    const { batch } = open()
    expect(await batch(Array(50).fill(good))).toHaveProperty('results.length', 50)
    expect(await batch(Array(51).fill(good))).toMatchObject({
      kind: 'InputProblem',
      fields: [{ path: ['inputs'], code: 'TOO_MANY', message: 'must have at most 50 entries' }],
    })
    expect(await batch([])).toMatchObject({
      kind: 'InputProblem',
      fields: [{ path: ['inputs'], code: 'REQUIRED' }],
    })
  })

  test('is refused as a whole if it has more parcel rows than ten large requests', async () => {
    const { batch } = open()
    const tenRows = (count: number): BatchEntry[] =>
      Array(count).fill({ input: parcelInput({ parcels: rowsOf(50) }) })
    expect(BATCH_LIMITS.parcelRows).toBe(1000)
    expect(await batch(tenRows(20))).toHaveProperty('results.length', 20)
    expect(await batch([...tenRows(20), good])).toMatchObject({
      fields: [{ path: ['inputs'], message: 'must have at most 1000 parcel rows in total' }],
    })
  })

  test('does not count the rows of requests that are refused for too many rows', async () => {
    expect(await open().batch(Array(50).fill(atFault))).toHaveProperty('results.length', 50)
  })
})
