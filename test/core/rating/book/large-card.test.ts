/** The work for cards with many rows, counted. It must not grow with the product of two tables. */
import { expect, test } from 'vitest'
import { fuelRateOn } from '../../../../src/core/rating/book/rate-book.ts'
import { compilePlaces } from '../../../../src/core/rating/book/route.ts'
import type { AreaRow, LaneRow } from '../../../../src/core/rating/rate-card.ts'
import { bookOf } from '../../../support/rates/rate-cards.ts'
import { SMALL_CARD, withTable } from '../../../support/rates/small-card.ts'

/** Counts how often a field of the rows is read. */
function countingReads<Row extends object>(rows: readonly Row[], field: keyof Row & string) {
  const counter = { reads: 0 }
  for (const row of rows) {
    const value = row[field]
    Object.defineProperty(row, field, {
      enumerable: true,
      get: () => {
        counter.reads++
        return value
      },
    })
  }
  return counter
}

test('a look-up in nested postal ranges takes at most one step for each length of a code', () => {
  // Each range contains the next: 00000 to 99999, 00001 to 99998, and so on.
  const nested = Array.from(
    { length: 1000 },
    (_, index): AreaRow => ({
      ...{ areaList: '', country: 'ES', areaClass: 'REMOTE' },
      ...{ from: String(index).padStart(5, '0'), to: String(99_999 - index) },
    }),
  )
  const whole: AreaRow = { areaList: '', country: 'ES', from: '0', to: '9', areaClass: 'ISLAND' }
  const segments = compilePlaces([...nested, whole], ({ areaClass }) => areaClass).get('ES')!.segments!
  const steps = segments.ranges.map((segment) => {
    let count = 0
    for (let at = segment; at !== undefined; at = at.outer) count++
    return count
  })
  expect(Math.max(...steps)).toBe(2)
})

test('finding the fuel percentage of a day does not read those of all other days', () => {
  const days = Array.from({ length: 1000 }, (_, index) =>
    new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
  )
  const fuel = days.map((day, index) => ({
    ...{ carrierCode: 'ring', code: 'FUEL', validFrom: day.slice(0, 10), rateBps: index },
  }))
  const book = bookOf({ ...SMALL_CARD, fuel })
  const counter = countingReads(book.fuel.get('ring')!.get('FUEL')!, 'validFrom')
  const rateOn = (date: string) => fuelRateOn(book, 'ring', 'FUEL', date)?.rateBps
  expect(['2025-12-31', '2026-01-01', '2026-01-02', '2029-01-01'].map(rateOn)).toEqual([undefined, 0, 1, 999])
  expect(counter.reads).toBeLessThanOrEqual(4 * 10)
})

test('a card with a zone chart for each product is compiled in one pass over the lanes', () => {
  const charts = Array.from({ length: 50 }, (_, index) => `chart ${index}`)
  const [product] = SMALL_CARD.content.products
  const lanes = charts.map((zoneChart): LaneRow => ({ zoneChart, fromGroup: '=', toGroup: '=', zone: 0 }))
  const card = withTable('products', () =>
    charts.map((zoneChart, index) => ({ ...product!, productId: index + 1, zoneChart })),
  )
  const counter = countingReads(lanes, 'zoneChart')
  const book = bookOf({ ...card, content: { ...card.content, lanes, prices: [], surcharges: [] } })
  expect(book.cards[0]![0]!.groups.map(({ route }) => route.lanes.domestic)).toEqual(charts.map(() => 0))
  expect(counter.reads).toBe(charts.length)
})
