// Steps in tenths of a cent, and percentages that are rounded as a sum. Prices are calculated by hand.
import { describe, expect, test } from 'vitest'
import type { ContractRow } from '../../../../src/core/rating/contract.ts'
import { explainLine } from '../../../../src/core/rating/explain/explain.ts'
import { quote } from '../../../../src/core/rating/quote.ts'
import type {
  FuelRate,
  PriceRow,
  PriceTerms,
  RateCardContent,
  SurchargeRow,
} from '../../../../src/core/rating/rate-card.ts'
import { recompute } from '../../../support/oracle/rating/recompute-rule.ts'
import { diceOf } from '../../../support/random/seeded-dice.ts'
import { parcels, readPriceList, requestOf, route } from '../../../support/rates/price-list.ts'
import { bookOf } from '../../../support/rates/rate-cards.ts'

const list = readPriceList('rule-sheet')
const PRODUCT = 2708

type Terms = {
  readonly price: Partial<PriceRow>
  readonly surcharges?: readonly Partial<SurchargeRow>[]
  readonly terms?: Partial<PriceTerms>
  readonly fuel?: readonly FuelRate[]
  readonly contract?: Partial<ContractRow>
}

/** The lines of a parcel of `kg`, with their formulas. Their rules must lead to the amounts. */
function linesOf(kg: number, { price, surcharges = [], terms, fuel = [], contract }: Terms) {
  const [first] = list.content.surcharges
  const content: RateCardContent = {
    ...list.content,
    prices: list.content.prices.map((row) => (row.productId === PRODUCT ? { ...row, ...price } : row)),
    surcharges: surcharges.map((row, index) => ({
      ...{ ...first!, code: `S${index}`, name: `S${index}`, products: [PRODUCT], trigger: 'always' },
      ...{ phase: 'percent', method: 'pct', per: 'shipment' },
      ...{ condition: undefined, formula: undefined },
      ...row,
    })) as SurchargeRow[],
    priceTerms: [{ currency: 'EUR', vatIncluded: false, roundToCents: 1, rateDays: 7, ...terms }],
  }
  const contracts =
    contract === undefined ? [] : [{ accountId: 'acme', validFrom: '2026-01-01', ...contract }]
  const book = bookOf({ ...list, content, fuel }, {}, contracts)
  const request = requestOf(route('NL', 'BE', [parcels(kg, '10x10x10')]))
  const { options } = quote(book, request, '2026-09-01', contract && 'acme')
  const option = options.find(({ product }) => product.productId === PRODUCT)!
  return option.lines.map(({ amountCents }, index) => {
    const { formula, inputs } = explainLine(option, index)
    // The oracle rounds to the cent.
    const figures = inputs.filter(({ name }) => !/^(card|price$|VAT|exchange)/.test(name))
    if (terms?.roundToCents === undefined) expect(recompute(figures)).toBe(amountCents)
    return [amountCents, formula] as const
  })
}
const cents = (lines: ReturnType<typeof linesOf>): readonly number[] => lines.map(([amount]) => amount)

describe('a step of 0.085 for each started 500 g', () => {
  const price = { overGrams: 0, stepGrams: 500, stepCents: 8, stepTenths: 5 }
  test.each([
    [0.4, 1009], // 10.085
    [0.5, 1009],
    [1, 1017],
    [1.2, 1026], // 10.255
    [5, 1085],
    [1_000, 18_000], // 2,000 steps: 170.00, and not 2,000 × 0.09
  ])('costs for %f kg: %i cents', (kg, expected) => {
    expect(cents(linesOf(kg, { price }))).toEqual([expected])
  })

  test('is explained with its tenths, and says where it is rounded', () => {
    expect(linesOf(1.2, { price })[0]?.[1]).toBe(
      '10.00 EUR for up to 2000 kg in zone 2 + 3 started steps of 0.5 kg × 0.085 EUR, rounded half up to the cent',
    )
    expect(linesOf(1, { price })[0]?.[1]).toBe(
      '10.00 EUR for up to 2000 kg in zone 2 + 2 started steps of 0.5 kg × 0.085 EUR',
    )
  })

  test('is rounded to the step of the card', () => {
    // 10.255 to a multiple of 0.05.
    expect(cents(linesOf(1.2, { price, terms: { roundToCents: 5 } }))).toEqual([1025])
    // 10.17, although two steps are whole cents.
    const lines = linesOf(1, { price, terms: { roundToCents: 5 } })
    expect(cents(lines)).toEqual([1015])
    expect(lines[0]?.[1]).toContain(
      '2 started steps of 0.5 kg × 0.085 EUR, rounded half up to a multiple of 0.05 EUR',
    )
  })
})

describe('percentages that are rounded together', () => {
  const price = { priceCents: 500 }
  const together = { percentagesTogether: true } as const

  test('Aramex: 5.00 × 1.074 = 5.37, with 6.9% and 0.5%', () => {
    const surcharges = [{ amount: 690 }, { amount: 50 }]
    // 0.345 and 0.025, each rounded.
    expect(cents(linesOf(1, { price, surcharges }))).toEqual([500, 35, 3])
    const lines = linesOf(1, { price, surcharges, terms: together })
    expect(cents(lines)).toEqual([500, 35, 2])
    expect(lines[2]?.[1]).toBe(
      '0.5% of 5.00 EUR (freight), rounded half up to the cent, together with S0: 7.4% of the same, less 0.35 EUR',
    )
  })

  test('include fuel, changed by a contract', () => {
    const fuel = [{ carrierCode: 'rulewerk', code: 'S1', validFrom: '2026-01-01', rateBps: 1000 }]
    const surcharges = [{ amount: 690 }, { method: 'fuel' as const, amount: 0 }]
    // Fuel is 5%: 0.345 + 0.25 = 0.595.
    const contract = { fuelBps: -5_000 }
    expect(cents(linesOf(1, { price, surcharges, fuel, contract, terms: together }))).toEqual([500, 35, 25])
    // 0.345 + 0.5 = 0.845.
    expect(cents(linesOf(1, { price, surcharges, fuel, terms: together }))).toEqual([500, 35, 50])
  })

  test('leave out those with a minimum, and amounts', () => {
    const surcharges = [
      { amount: 690 },
      { amount: 50, minimumCents: 10 },
      { amount: 50 },
      { phase: 'fixed' as const, method: 'flat' as const, amount: 21 },
    ]
    expect(cents(linesOf(1, { price, surcharges, terms: together }))).toEqual([500, 35, 10, 2, 21])
  })

  test('add up to the rounded sum, for random percentages', () => {
    const dice = diceOf(49)
    for (let round = 0; round < 200; round++) {
      const rates = Array.from({ length: dice.int(1, 5) }, () => dice.int(0, 2_000))
      const roundToCents = dice.pick([1, 1, 5, 100])
      const priceCents = dice.int(1, 99_999)
      const lines = linesOf(1, {
        price: { priceCents },
        surcharges: rates.map((amount) => ({ amount })),
        terms: { ...together, roundToCents },
      })
      const sum = rates.reduce((total, rate) => total + rate, 0)
      const expected = Math.floor((priceCents * sum) / 10_000 / roundToCents + 0.5) * roundToCents
      expect(
        cents(lines)
          .slice(1)
          .reduce((total, amount) => total + amount, 0),
      ).toBe(expected)
    }
  })
})
