import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { RateSource } from '../../src/core/customs/data/exchange-rate.ts'
import type { Alert } from '../../src/operations/ports/ports.ts'
import { openRateWatch, type RateWatchPorts } from '../../src/operations/sweep/watch-exchange-rates.ts'
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
