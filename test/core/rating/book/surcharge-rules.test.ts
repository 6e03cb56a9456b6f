/** Surcharges of a card: their methods, minimums and triggers. docs/rate-card-files.md#surcharges */
import { describe, expect, test } from 'vitest'
import { explainLine } from '../../../../src/core/rating/explain/explain.ts'
import { quote, type RateOption } from '../../../../src/core/rating/quote.ts'
import type { RateCardContent, SurchargeRow } from '../../../../src/core/rating/rate-card.ts'
import type { RatesInput } from '../../../../src/core/rating/request.ts'
import { readDemoRateBook } from '../../../../src/reference/rate-cards/rate-card-csv.ts'
import { ORDINARY_DAY, optionOf, parcelInput, requestOf } from '../../../support/rates/demo-rate-book.ts'
import { bookOf } from '../../../support/rates/rate-cards.ts'

const demo = readDemoRateBook()

function quoteWith(content: Partial<RateCardContent>, input: RatesInput) {
  const card = { ...demo, content: { ...demo.content, ...content } }
  return quote(bookOf(card), requestOf(input), ORDINARY_DAY)
}

function withSurcharge(row: Partial<SurchargeRow>): Partial<RateCardContent> {
  const [first] = demo.content.surcharges
  const added = {
    ...first!,
    code: 'ADDED',
    name: 'Added',
    phase: 'accessorial',
    method: 'flat',
    ...row,
  } as const
  return { surcharges: [...demo.content.surcharges, added] }
}

const amountOf = (option: RateOption | undefined, item: string): number | undefined =>
  option?.lines.find((line) => line.item === item)?.amountCents
const parcel = (weight: number, count = 1) => ({
  ...{ type: 'NONDOC', weight, length: 40, width: 30, height: 20, count },
})

test('a price per loading metre: 95.00, of which a EUR pallet takes 0.4, and half of it if it is stackable', () => {
  const perMetre = withSurcharge({
    carrierCode: demo.content.products.find(({ parcelType }) => parcelType === 'PALLET')!.carrierCode,
    ...{ method: 'formula', amount: 0, formula: '95 * ldm', per: 'unit', trigger: 'always' },
  })
  const pallet = (count: number, stackable: boolean) => ({
    ...{ type: 'PALLET', weight: 240, length: 120, width: 80, height: 110, count, stackable },
  })
  const input = parcelInput({ to: { country: 'NL' }, parcels: [pallet(2, false), pallet(1, true)] })
  const { options } = quoteWith(perMetre, input)
  const amounts = options.map((option) => amountOf(option, 'Added')).filter((cents) => cents !== undefined)
  // 2 × 38.00 + 19.00.
  expect(amounts.length).toBeGreaterThan(0)
  expect(new Set(amounts)).toEqual(new Set([9500]))
})

describe('a minimum amount', () => {
  test('applies to each unit separately', () => {
    const perParcel = withSurcharge({
      carrierCode: 'rondeel',
      method: 'per_kg',
      amount: 11,
      minimumCents: 295,
      per: 'unit',
      trigger: 'piece_kg>=20',
    })
    const input = parcelInput({ to: { country: 'NL' }, parcels: [parcel(20), parcel(31.5)] })
    expect(amountOf(optionOf(quoteWith(perParcel, input), 1201), 'Added')).toBe(642) // 2.95 + 3.465
    const even = parcelInput({ to: { country: 'NL' }, parcels: [parcel(20.5), parcel(30)] })
    const option = optionOf(quoteWith(perParcel, even), 1201)!
    const line = option.lines.findIndex(({ item }) => item === 'Added')
    // 2.95 + 3.30 needs no rounding, so the explanation does not mention it.
    expect(option.lines[line]?.amountCents).toBe(625)
    expect(explainLine(option, line).formula).toBe(
      '(0.11 EUR × 20.5 kg, at least 2.95 EUR) + (0.11 EUR × 30 kg, at least 2.95 EUR)',
    )
  })

  test('applies to fuel like to other percentages', () => {
    const surcharges = demo.content.surcharges.map((row) =>
      row.carrierCode === 'rondeel' && row.method === 'fuel' ? { ...row, minimumCents: 150 } : row,
    )
    expect(amountOf(optionOf(quoteWith({ surcharges }, parcelInput()), 1201), 'Fuel surcharge')).toBe(150)
  })
})

test('stackable=false never applies to parcels', () => {
  const notStackable = withSurcharge({ carrierCode: 'rondeel', amount: 100, trigger: 'stackable=false' })
  const { lines } = optionOf(quoteWith(notStackable, parcelInput()), 1201)!
  expect(lines.map(({ item }) => item)).not.toContain('Added')
})

describe('a pallet', () => {
  const pallet = (size: object) =>
    parcelInput({
      to: { country: 'NL' },
      parcels: [{ type: 'PALLET', length: 80, width: 60, height: 80, count: 1, stackable: true, ...size }],
    })
  const declineIn = (content: Partial<RateCardContent>, input: RatesInput, productId: number) =>
    quoteWith(content, input).declined.find(({ product }) => product.productId === productId)?.decline

  test('is declined for its weight if it is too heavy for the classes that hold its size', () => {
    const products = demo.content.products.map((row) => ({ ...row, maxUnitGrams: 5_000_000 }))
    expect(declineIn({ products }, pallet({ weight: 2000 }), 1501)).toEqual({
      ...{ code: 'OVER_WEIGHT', measure: 'unit weight', limit: 1_200_000, actual: 2_000_000 },
    })
  })

  test('is declined for the lane if its class has no price there', () => {
    const prices = demo.content.prices.filter((row) => row.productId !== 1501 || row.palletClass !== 'MINI')
    expect(declineIn({ prices }, pallet({ weight: 100 }), 1501)).toEqual({
      ...{ code: 'ROUTE_NOT_SERVED', reason: 'Pallets of class MINI are not carried on this route' },
    })
  })
})
