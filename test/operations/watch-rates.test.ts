import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { RateSource } from '../../src/core/customs/data/exchange-rate.ts'
import { type FuelTable, fuelInForce } from '../../src/core/rating/fuel/fuel-table.ts'
import type { Alert } from '../../src/operations/ports/ports.ts'
import { openRateWatch, type RateWatchPorts } from '../../src/operations/sweep/watch-rates.ts'
import { openRateCardFiles, readRateCard } from '../../src/reference/rate-cards/rate-card-csv.ts'
import { demoRateBook } from '../support/rates/demo-rate-book.ts'
import { exchangeRates } from '../support/rates/exchange-rates.ts'
import { bookOf } from '../support/rates/rate-cards.ts'

const FOLDER = fileURLToPath(new URL('../fixtures/rate-cards/net-pounds', import.meta.url))
const { card } = readRateCard(openRateCardFiles(FOLDER))
const POUNDS = bookOf(card!, { code: 'uk', versionNo: 3 })

function watch(rateBook: typeof POUNDS, source: RateSource) {
  const alerts: Alert[] = []
  const now = { day: '2026-08-28' }
  // The watch reads only the exchange rates.
  const reference = {
    rateBook: () => rateBook,
    customsTables: () => source,
  } as unknown as RateWatchPorts['reference']
  const check = openRateWatch({
    reference,
    clock: () => new Date(`${now.day}T12:00:00Z`),
    alert: (alert) => alerts.push(alert),
  })
  const checkOn = (day: string): void => {
    now.day = day
    check()
  }
  return { alerts, checkOn }
}

test('an alert is raised once a day while the rate of a card in force is too old', () => {
  const { alerts, checkOn } = watch(POUNDS, exchangeRates(['GBP', '2026-08-28', '0.8641']))
  checkOn('2026-09-04')
  expect(alerts).toEqual([])
  checkOn('2026-09-05')
  checkOn('2026-09-05')
  expect(alerts).toEqual([
    {
      kind: 'EXCHANGE_RATE_MISSING',
      carrierCode: 'heidepost',
      detail: 'uk@3 is in GBP, and there is no exchange rate of the last 7 days',
    },
  ])
  checkOn('2026-09-06')
  expect(alerts).toHaveLength(2)
})

test('an alert is raised for a cost card, whose products are sold at a margin', () => {
  const { alerts, checkOn } = watch(
    bookOf(card!, { code: 'uk', versionNo: 3, audience: 'cost' }),
    exchangeRates(['GBP', '2026-08-28', '0.8641']),
  )
  checkOn('2026-09-05')
  expect(alerts).toMatchObject([{ kind: 'EXCHANGE_RATE_MISSING', carrierCode: 'heidepost' }])
})

describe('an alert about fuel', () => {
  const list = readRateCard(
    openRateCardFiles(fileURLToPath(new URL('../fixtures/rate-cards/regional-next-day', import.meta.url))),
  ).card!
  const table: FuelTable = {
    ...{ carrierCode: 'morgenhaas', code: 'FUEL', validFrom: '2026-09-01', indexCode: 'diesel' },
    ...{ period: 'week', lag: 1, bounds: 'over', steps: [{ rateBps: 800 }] },
  }
  const values = [{ indexCode: 'diesel', day: '2026-09-07', valueE4: 1 }]

  test.each([
    ['2026-09-14', undefined],
    ['2026-09-21', 'the value of diesel of 2026-09-14 is missing, so that of 2026-09-07 is kept'],
    ['2026-11-02', 'products are not offered: the index diesel has no value of the week of 2026-10-12'],
  ])('is raised while an index value is missing: %s', (day, detail) => {
    const figures = fuelInForce({ rates: [], tables: [table], values })
    const { alerts, checkOn } = watch(bookOf(list, {}, [], figures), exchangeRates())
    checkOn(day)
    checkOn(day)
    const alert = {
      kind: 'FUEL_RATE_MISSING',
      carrierCode: 'morgenhaas',
      detail: `fuel surcharge FUEL: ${detail}`,
    }
    expect(alerts).toEqual(detail === undefined ? [] : [alert])
  })

  test('is raised if no figure is set', () => {
    const { alerts, checkOn } = watch(bookOf({ ...list, fuel: [] }), exchangeRates())
    checkOn('2026-09-14')
    expect(alerts).toMatchObject([{ detail: 'fuel surcharge FUEL: no figure is set, so 0.00 is charged' }])
  })
})

test('cards in euro need no rate, and those that are not in force raise no alert', () => {
  const notNeeded: RateSource = {
    get exchangeRates(): never {
      throw new Error('not needed')
    },
  }
  const euro = watch(demoRateBook(), notNeeded)
  euro.checkOn('2026-09-05')
  const later = watch(bookOf(card!, { validFrom: '2026-10-01' }), notNeeded)
  later.checkOn('2026-09-05')
  expect([...euro.alerts, ...later.alerts]).toEqual([])
})
