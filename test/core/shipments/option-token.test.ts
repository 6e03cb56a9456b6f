/** What the token of a rate option promises, and which requests are the same. */
import { describe, expect, test } from 'vitest'
import { quote } from '../../../src/core/rating/quote.ts'
import type { RatesInput } from '../../../src/core/rating/request.ts'
import {
  type OptionPromise,
  optionExpired,
  otherRequest,
  promiseOf,
  REQUEST_PARTS,
  requestTexts,
} from '../../../src/core/shipments/option-token.ts'
import { demoRateBook, ORDINARY_DAY, parcelInput, requestOf } from '../../support/rates/demo-rate-book.ts'

const texts = (overrides: Partial<RatesInput> = {}, today = ORDINARY_DAY) =>
  requestTexts(requestOf(parcelInput(overrides)), today)

/** The parts in which a request differs from the usual one. */
const changed = (overrides: Partial<RatesInput>) => {
  const [usual, other] = [texts(), texts(overrides)]
  return REQUEST_PARTS.filter((part) => usual[part] !== other[part])
}

const BOX = { type: 'NONDOC', weight: 5, length: 40, width: 30, height: 20, count: 1 }

describe('the texts of a request', () => {
  test.each<[string, Partial<RatesInput>]>([
    ['spelling of numbers', { parcels: [{ ...BOX, weight: '5.0', length: '40' }] }],
    ['case of country codes', { from: { country: 'nl' } }],
    ['empty fields', { to: { country: 'ES', zipcode: '', city: null } }],
    ['a value that is not insured', { totalValue: 100, insured: false }],
    ['the day of today', { asOf: `${ORDINARY_DAY}T09:00:00Z` }],
  ])('do not depend on %s', (_name, overrides) => {
    expect(changed(overrides)).toEqual([])
  })

  test.each<[string, Partial<RatesInput>]>([
    ['from', { from: { country: 'NL', zipcode: '1012 LG' } }],
    ['to', { to: { country: 'ES', city: 'Madrid' } }],
    ['parcels', { parcels: [BOX, BOX] }],
    ['parcels', { parcels: [{ ...BOX, count: 2 }] }],
    ['parcels', { parcels: [{ ...BOX, weight: 5.1 }] }],
    ['parcels', { parcels: [{ ...BOX, length: 30, width: 40 }] }],
    ['parcels', { parcels: [{ ...BOX, shape: 'TUBE' }] }],
    ['parcels', { parcels: [{ ...BOX, packaging: 'CRATE' }] }],
    ['insurance', { insured: true, totalValue: 100 }],
    ['recipientType', { recipientType: 'individual' }],
    ['services', { services: ['SIGNATURE'] }],
    ['services', { services: [{ service: 'TIME_SLOT', slot: 'evening' }] }],
    ['asOf', { asOf: '2026-10-21T00:00:00Z' }],
  ])('show another %s', (part, overrides) => {
    expect(changed(overrides)).toEqual([part])
  })

  test('are equal for equal inputs of services only', () => {
    const of = (amount: unknown, unNumber = 'UN3481', more = {}, currency = 'EUR') =>
      texts({
        services: [
          { service: 'CASH_ON_DELIVERY', cashOnDelivery: { amount, currency } },
          { service: 'DANGEROUS_GOODS', dangerousGoods: [{ unNumber, ...more }] },
        ],
      }).services
    const one = of('250.00')
    expect(of(250, 'UN3481', { limitedQuantity: false, packages: null })).toBe(one)
    const others = [
      ...[of('250.01'), of(250, 'UN3480'), of(250, 'UN3481', {}, 'PLN')],
      ...[{ limitedQuantity: true }, { packages: 1 }, { netWeightKg: '1' }].map((more) =>
        of(250, 'UN3481', more),
      ),
      ...[{ hazardClass: 'CLASS_9' }, { packingGroup: 'II' }].map((more) => of(250, 'UN3481', more)),
    ]
    expect(new Set([one, ...others]).size).toBe(others.length + 1)
  })

  test('are those of former versions if services have no inputs', () => {
    expect(texts({ services: [{ service: 'SIGNATURE' }, 'SATURDAY'] }).services).toBe('SATURDAY SIGNATURE')
  })

  test('are those of former versions if shape and packaging are not stated', () => {
    expect(texts({ parcels: [BOX] }).parcels).toBe('["NONDOC",[[1,5000,40,30,20,false]]]')
  })

  test('keep the fields of a place apart', () => {
    const city = texts({ to: { country: 'ES', city: '28001' } })
    const zipcode = texts({ to: { country: 'ES', zipcode: '28001' } })
    expect(city.to).not.toBe(zipcode.to)
  })
})

const book = demoRateBook()
const [option] = quote(book, requestOf(parcelInput()), ORDINARY_DAY).options

test('the promise has the price, its origin, and the time until it ends', () => {
  if (option === undefined) throw new Error('no option')
  expect(promiseOf(option, { seconds: 1_000, minutes: 30, isAccountPrice: true })).toEqual({
    productId: option.product.productId,
    carrierCode: option.product.carrierCode,
    priceCents: option.priceCents,
    rateCardVersion: 'demo@1',
    bookRevision: 1,
    isAccountPrice: true,
    issuedAt: 1_000,
    expiresAt: 2_800,
  })
})

describe('the problem of an expired price', () => {
  const promise: OptionPromise = {
    ...{ productId: 1201, carrierCode: 'rondeel', priceCents: 1_050, rateCardVersion: 'demo@1' },
    ...{ bookRevision: 1, isAccountPrice: true, issuedAt: 0, expiresAt: 1_800 },
  }

  test('has both prices', () => {
    if (option === undefined) throw new Error('no option')
    expect(optionExpired(promise, { ...option, priceCents: 1_234 })).toMatchObject({
      code: 'PRICE_EXPIRED',
      message: 'The price of EUR 10.50 was valid until 1970-01-01T00:30:00.000Z. The price is now EUR 12.34',
      quotedPriceCents: 1_050,
      expiredAt: '1970-01-01T00:30:00.000Z',
      current: { priceCents: 1_234 },
    })
  })

  test('says that the product is not offered any more', () => {
    const problem = optionExpired(promise, undefined)
    expect(problem).not.toHaveProperty('current')
    expect(problem.message).toMatch(/ The product is no longer offered for this request$/)
  })

  test('says that the token has a list price', () => {
    expect(optionExpired({ ...promise, isAccountPrice: false }, undefined).message).toMatch(
      /^The price of EUR 10\.50 is a list price, and not the price of the account\. /,
    )
  })
})

test('a request that differs is reported by field', () => {
  expect(otherRequest(['to', 'insurance', 'asOf']).fields).toEqual([
    { path: ['rates', 'to'], code: 'CONFLICT', message: expect.stringContaining('differs from the request') },
    { path: ['rates', 'totalValue'], code: 'CONFLICT', message: expect.any(String) },
    { path: ['optionToken'], code: 'CONFLICT', message: expect.stringContaining('`asOf`') },
  ])
  expect(otherRequest([]).fields).toMatchObject([{ path: ['rates'], code: 'CONFLICT' }])
})
