/** Checks the oracle itself against examples calculated by hand. */
import { describe, expect, test } from 'vitest'
import { formatCents } from '../../../src/core/money.ts'
import type { RatesRequest } from '../../../src/core/rating/request.ts'
import { readDemoRateBook } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { type OracleQuote, oracleQuote } from '../../support/oracle/rating/quote.ts'

const { content, carriers, fuel, capitals } = readDemoRateBook()
const demo = {
  carriers,
  fuel,
  capitals,
  contracts: [],
  cards: [{ ...content, code: 'demo', versionNo: 1, audience: 'everyone' as const, validFrom: '2026-01-01' }],
}
const parcel = { count: 1, weightGrams: 5000, lengthCm: 40, widthCm: 30, heightCm: 20, stackable: false }
const pallet = {
  count: 1,
  weightGrams: 240_000,
  lengthCm: 120,
  widthCm: 80,
  heightCm: 110,
  stackable: true,
}
const quoted = (request: RatesRequest): OracleQuote => oracleQuote(demo, request, '2026-10-20')
const prices = ({ options }: OracleQuote): [number, string][] =>
  options.map(({ productId, priceCents }) => [productId, formatCents(priceCents)])

describe('the oracle reproduces the hand-calculated examples of the demo book:', () => {
  test('one parcel of 5 kg from the Netherlands to Spain for a business', () => {
    const result = quoted({
      from: { country: 'NL' },
      to: { country: 'ES' },
      parcelType: 'NONDOC',
      parcels: [parcel],
      recipient: 'business',
    })
    expect(prices(result)).toEqual([
      [1201, '15.81'],
      [1301, '19.50'],
      [1202, '21.29'],
      [1103, '34.11'],
      [1101, '64.12'],
    ])
    expect(result.options[0]?.lines.map(({ amountCents }) => amountCents)).toEqual([1425, 135, 21])
    const declined = result.declined.filter(({ productId }) => productId === 1401 || productId === 1402)
    expect(declined.map(({ code }) => code)).toEqual(['ROUTE_NOT_SERVED', 'ROUTE_NOT_SERVED'])
  })

  test('two insured parcels from Germany to Corsica for an individual', () => {
    const result = quoted({
      from: { country: 'DE' },
      to: { country: 'FR', zipcode: '20000' },
      parcelType: 'NONDOC',
      parcels: [{ ...parcel, count: 2, weightGrams: 12_400, lengthCm: 60, widthCm: 40, heightCm: 40 }],
      recipient: 'individual',
      insuredValueCents: 90_000,
    })
    const classic = result.options.find(({ productId }) => productId === 1201)
    expect(classic?.lines.map(({ amountCents }) => amountCents)).toEqual([3190, 6000, 130, 315, 42, 0])
    expect(classic?.priceCents).toBe(9677)
  })

  test('one pallet within the Netherlands', () => {
    const result = quoted({
      from: { country: 'NL' },
      to: { country: 'NL' },
      parcelType: 'PALLET',
      parcels: [pallet],
      recipient: 'business',
    })
    expect(prices(result)).toEqual([
      [1501, '71.07'],
      [1502, '92.38'],
      [1601, '113.52'],
    ])
    expect(result.options[2]?.chargeable).toEqual([
      { actualGrams: 240_000, volumetricGrams: 370_000, chargeableGrams: 370_000 },
    ])
  })
})
