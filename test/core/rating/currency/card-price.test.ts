// Random rate cards in another currency and with VAT are compared with the same cards in euro without VAT.
import { expect, test, vi } from 'vitest'
import { explainLine } from '../../../../src/core/rating/explain/explain.ts'
import { quote, type RateOption } from '../../../../src/core/rating/quote.ts'
import type { PriceTerms, ServiceRow, SurchargeRow } from '../../../../src/core/rating/rate-card.ts'
import { conversionFaults } from '../../../support/oracle/rating/conversion.ts'
import type { OracleSources } from '../../../support/oracle/rating/quote.ts'
import { randomSources } from '../../../support/random/card.ts'
import { caseCount } from '../../../support/random/case-count.ts'
import { edgesOf, randomCall } from '../../../support/random/request.ts'
import { diceOf } from '../../../support/random/seeded-dice.ts'
import { engineBook } from '../../../support/rates/engine-quote.ts'
import { exchangeRates } from '../../../support/rates/exchange-rates.ts'

vi.setConfig({ testTimeout: 120_000 })

/** Days of random calls are between 2025 and 2028. */
const FIRST_DAY = '2020-01-01'
const VAT_BPS = [0, 700, 810, 1900, 2100, 2500]

/** The same cards with other terms. Every zone that has prices has a VAT rate. */
function withTerms(
  sources: OracleSources,
  priceTerms: PriceTerms,
  vatOf: (zone: number) => number,
): OracleSources {
  const cards = sources.cards.map((card) => {
    const charts = new Set(card.products.map(({ zoneChart }) => zoneChart))
    const zones = new Set(card.prices.map(({ zone }) => zone))
    const vatRates = [...charts].flatMap((zoneChart) =>
      [...zones].map((zone) => ({ zoneChart, zone, rateBps: vatOf(zone) })),
    )
    return { ...card, priceTerms: [priceTerms], vatRates }
  })
  return { ...sources, cards }
}

test('a card has the same prices in its currency as in euro, and they are converted exactly', () => {
  let compared = 0
  for (let seed = 1; seed <= caseCount(60, 600); seed++) {
    const dice = diceOf(seed + 77_000)
    // Products that are sold at a margin have a price in euro.
    const sources = { ...randomSources(seed), margins: [] }
    const [currency, unitsPerEuro] = dice.pick([
      ...([
        ['EUR', '1'],
        ['GBP', '0.8641'],
        ['CHF', '0.9156'],
        ['PLN', '4.2318'],
        ['HUF', '356.15'],
      ] as const),
    ])
    const vatIncluded = dice.chance(0.6)
    const vatOf = (zone: number): number => VAT_BPS[(zone + seed) % VAT_BPS.length]!
    const terms = { currency, vatIncluded, roundToCents: 1, rateDays: 10_000 }
    const [book, converted] = [engineBook(sources), engineBook(withTerms(sources, terms, vatOf))]
    const rateSource = exchangeRates(['PLN', FIRST_DAY, '4.2318'], [currency, FIRST_DAY, unitsPerEuro])
    const edges = edgesOf(sources)
    for (let call = 0; call < 8; call++) {
      const { request: drawn, date, accountId } = randomCall(dice, edges)
      // An insured value is in euro, so that a premium depends on the exchange rate.
      const { insuredValueCents: _, ...request } = drawn
      const inEuro = quote(book, request, date, accountId)
      const found = quote(converted, request, date, accountId, rateSource)
      const where = `seed ${seed}, call ${call}`
      expect(found.declined, where).toEqual(inEuro.declined)
      const byId = (options: readonly RateOption[]) =>
        options.toSorted((a, b) => a.product.productId - b.product.productId)
      const [expected, options] = [byId(inEuro.options), byId(found.options)]
      expect(
        options.map(({ product }) => product),
        where,
      ).toEqual(expected.map(({ product }) => product))
      for (const [index, option] of options.entries()) {
        const cardCents = expected[index]!.lines.map(({ amountCents }) => amountCents)
        const inCard = (option.cardPrice?.lines ?? option.lines).map(({ amountCents }) => amountCents)
        expect(inCard, where).toEqual(cardCents)
        const vatBps = vatIncluded ? vatOf(option.pricing.zoneNumber) : 0
        const euro = option.lines.map(({ amountCents }) => amountCents)
        expect(conversionFaults(cardCents, euro, { unitsPerEuro, vatBps }), where).toEqual([])
        expect(
          euro.reduce((sum, cents) => sum + cents, 0),
          where,
        ).toBe(option.priceCents)
        for (const line of option.lines.keys()) {
          const names = explainLine(option, line).inputs.map(({ name }) => name)
          expect(new Set(names).size, where).toBe(names.length)
        }
        compared++
      }
    }
  }
  expect(compared).toBeGreaterThan(100)
})

test('lines are multiples of the step that a card rounds to', () => {
  let calculated = 0
  for (let seed = 1; seed <= caseCount(20, 200); seed++) {
    const dice = diceOf(seed + 88_000)
    const drawn = { ...randomSources(seed), margins: [] }
    const step = dice.pick([5, 100])
    const stepped = <Row extends object>(row: Row): Row => {
      const entries = Object.entries(row).map(([name, value]) =>
        /Cents$/.test(name) && typeof value === 'number'
          ? [name, Math.ceil(value / step) * step]
          : [name, value],
      )
      return Object.fromEntries(entries) as Row
    }
    const steppedRule = <Row extends SurchargeRow | ServiceRow>(row: Row): Row => {
      const whole = stepped(row)
      return row.method === 'flat' ? { ...whole, amount: Math.ceil(row.amount / step) * step } : whole
    }
    const cards = drawn.cards.map((card) => ({
      ...card,
      prices: card.prices.map(stepped),
      surcharges: card.surcharges.map(steppedRule),
      services: card.services.map(steppedRule),
      insurance: card.insurance.map(stepped),
      insuranceBands: card.insuranceBands.map(stepped),
    }))
    const terms = { currency: 'CHF', vatIncluded: false, roundToCents: step, rateDays: 10_000 }
    const contracts = drawn.contracts.map(stepped)
    const book = engineBook(withTerms({ ...drawn, cards, contracts }, terms, () => 0))
    const edges = edgesOf(drawn)
    const rateSource = exchangeRates(['CHF', FIRST_DAY, '0.9156'])
    for (let call = 0; call < 8; call++) {
      const { request, date, accountId } = randomCall(dice, edges)
      for (const { cardPrice } of quote(book, request, date, accountId, rateSource).options)
        for (const { amountCents } of cardPrice!.lines) {
          expect(Math.abs(amountCents % step), `seed ${seed}, call ${call}`).toBe(0)
          calculated++
        }
    }
  }
  expect(calculated).toBeGreaterThan(100)
})
