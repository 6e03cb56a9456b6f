/** The VAT of the demo card by route. Facts and sources: docs/rate-card-files.md#vat-of-the-demo-card. */
import { expect, test } from 'vitest'
import { priceIn } from '../../../src/core/rating/price/price-in-currency.ts'
import { shippedCustoms, shippedRows } from '../../../src/reference/customs.ts'
import { optionOf, parcelInput, quoteInput } from '../../support/rates/demo-rate-book.ts'

const MEMBERS = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')
const PARCEL_TRACKED = 1301

type End = { readonly country: string; readonly zipcode?: string }

function priceOf(from: End, to: End) {
  const option = optionOf(quoteInput(parcelInput({ from, to })), PARCEL_TRACKED)
  if (option === undefined) throw new Error(`not offered from ${from.country} to ${to.country}`)
  return priceIn(option)
}

/** In percent; undefined if it is not known. */
function vatOf(from: End, to: End): number | undefined {
  const { vatBps } = priceOf(from, to)
  return vatBps === undefined ? undefined : vatBps / 100
}

test('inside the EU, it is the standard rate of the country of departure', () => {
  const { taxRates = [] } = shippedRows(shippedCustoms(), { name: 'tax-rates', table: 'taxRates' })
  const standard = new Map(
    taxRates.flatMap(({ jurisdiction, codePrefix, kind, ratePpm }) =>
      codePrefix === '' && kind === 'standard' ? [[jurisdiction, ratePpm / 10_000] as const] : [],
    ),
  )
  for (const from of MEMBERS)
    for (const to of MEMBERS)
      expect(vatOf({ country: from }, { country: to }), `${from} to ${to}`).toBe(standard.get(from))
})

test('to any other country, it is zero', () => {
  for (const from of MEMBERS)
    for (const to of ['CH', 'GB', 'NO', 'TR', 'US', 'JP', 'ZA'])
      expect(vatOf({ country: from }, { country: to }), `${from} to ${to}`).toBe(0)
})

test.each([
  ['to the Canary Islands', { country: 'NL' }, { country: 'ES', zipcode: '35001' }, 0],
  ['to Heligoland', { country: 'NL' }, { country: 'DE', zipcode: '27498' }, 0],
  ['to Réunion', { country: 'FR', zipcode: '75001' }, { country: 'FR', zipcode: '97400' }, 0],
  ['to Åland', { country: 'SE' }, { country: 'FI', zipcode: '22100' }, 0],
  ['from Monaco, as from France', { country: 'MC' }, { country: 'NL' }, 20],
  ['to Madeira', { country: 'NL' }, { country: 'PT', zipcode: '9000' }, 21],
  ['from Madeira', { country: 'PT', zipcode: '9000' }, { country: 'NL' }, undefined],
  ['within Madeira', { country: 'PT', zipcode: '9000' }, { country: 'PT', zipcode: '9100' }, undefined],
  ['from Jungholz', { country: 'AT', zipcode: '6691' }, { country: 'NL' }, undefined],
  ['to Northern Ireland', { country: 'NL' }, { country: 'GB', zipcode: 'BT1 1AA' }, undefined],
  ['from outside the EU', { country: 'GB' }, { country: 'NL' }, undefined],
  ['outside the EU', { country: 'CH' }, { country: 'NO' }, undefined],
])('%s', (_name, from, to, expected) => {
  expect(vatOf(from, to)).toBe(expected)
})

test('is added to the price, which does not change, or is named as missing', () => {
  // Parcel Tracked, 5 kg, zone 3: 21% of the price, rounded half up.
  const inside = priceOf({ country: 'NL' }, { country: 'ES' })
  expect(inside).toMatchObject({ currency: 'EUR', vatBps: 2100, missing: [] })
  expect(inside.grossUnits).toBe(Math.floor((inside.netUnits! * 121 + 50) / 100))
  const abroad = priceOf({ country: 'NL' }, { country: 'US' })
  expect(abroad.grossUnits).toBe(abroad.netUnits)
  expect(priceOf({ country: 'GB' }, { country: 'NL' })).toMatchObject({
    ...{ grossUnits: undefined, missing: ['VAT_RATE'] },
    netUnits: expect.any(Number),
  })
})
