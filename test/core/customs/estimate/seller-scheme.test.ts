/**
 * Schemes under which the seller collects the import tax at the checkout, with the shipped tables. Sources are those of
 * seller-schemes.csv, read on 2026-11-28: toll.no (VOEC), IRAS and Avalara (OVR), ATO (Australia), Inland Revenue (New
 * Zealand). The limits of IOSS and of the United Kingdom are those of Directive (EU) 2017/2455 and of HMRC.
 */
import { describe, expect, test } from 'vitest'
import {
  type DutiesEstimate,
  estimateRequest,
  givenCode,
  otherSchemeOf,
} from '../../../../src/core/customs/estimate/estimate.ts'
import { describeLine } from '../../../../src/core/customs/estimate/explain/line.ts'
import { collectorOf } from '../../../../src/core/customs/estimate/import-schemes/collector.ts'
import { checkDutiesRequest, type DutiesRequest } from '../../../../src/core/customs/request.ts'
import { shippedTables } from '../../../support/customs/shipped-tables.ts'

const TABLES = shippedTables()
const DAY = '2026-11-28'
const TSHIRT = '610910'
const WINE = '220421'
const VITAMINS = '293627'
const SPEAKER = '851822'
const MEDICINE = '300490'

type Parcel = Partial<Omit<DutiesRequest, 'to' | 'items'>> & {
  readonly count?: number
  readonly day?: string
}

/** A parcel from China with goods of one code. `euro`: the value of one item. */
function parcel(to: string, code: string, euro: number, { count = 1, day = DAY, ...rest }: Parcel = {}) {
  const item = { description: 'goods', numberOfItems: count, costSteps: euro * 1_000_000, tariff: code }
  const place = (country: string) => ({ country, zipcode: '', city: '' })
  const request: DutiesRequest = { from: place('CN'), to: place(to), items: [item], ...rest }
  return estimateRequest(TABLES, request, [givenCode(code)], day)
}

/** "DUTY 5.35, VAT 13.84 SELLER": the lines above zero, with those that the seller collects. */
function collected({ taxes, consignment }: DutiesEstimate): string {
  return taxes
    .filter(({ amountCents }) => amountCents > 0)
    .map((line) => {
      const seller = collectorOf(consignment, line) === 'SELLER_AT_CHECKOUT' ? ' SELLER' : ''
      return `${line.kind} ${(line.amountCents / 100).toFixed(2)}${seller}`
    })
    .join(', ')
}

const textsOf = ({ taxes, consignment }: DutiesEstimate): string =>
  taxes.map((line) => describeLine(consignment, line)).join('\n')

describe('Norway, VOEC', () => {
  test('frees each item below NOK 3,000 from duty, and the seller collects the tax', () => {
    expect(collected(parcel('NO', TSHIRT, 50))).toBe('VAT 12.50 SELLER')
  })

  test('counts each item: three of EUR 200 are above the limit together only', () => {
    expect(collected(parcel('NO', TSHIRT, 200, { count: 3 }))).toBe('VAT 150.00 SELLER')
    expect(collected(parcel('NO', TSHIRT, 600))).toBe('DUTY 64.20, VAT 166.05')
  })

  test.each([
    ['vitamins', VITAMINS],
    ['wine', WINE],
    ['medicines', MEDICINE],
  ])('does not cover %s, and does not mention the scheme there', (_, code) => {
    const estimate = parcel('NO', code, 50)
    expect(collected(estimate)).not.toContain('SELLER')
    expect(textsOf(estimate)).not.toContain('VOEC')
    expect(otherSchemeOf(estimate)).toBeUndefined()
  })

  test('without it the tariff and 25% are due on delivery', () => {
    const registered = parcel('NO', TSHIRT, 50)
    expect(otherSchemeOf(registered)).toBe('COURIER')
    const unregistered = parcel('NO', TSHIRT, 50, { importScheme: 'COURIER' })
    expect(collected(unregistered)).toBe('DUTY 5.35, VAT 13.84')
    expect(unregistered.checkoutCents).toBe(0)
    expect(otherSchemeOf(unregistered)).toBe('SELLER_COLLECTS')
  })

  test('is for consumers', () => {
    expect(collected(parcel('NO', TSHIRT, 50, { recipient: 'business' }))).toBe('DUTY 5.35, VAT 13.84')
  })

  test('began on 2020-04-01', () => {
    expect(parcel('NO', TSHIRT, 50, { day: '2020-03-31' }).checkoutCents).toBe(0)
    expect(parcel('NO', TSHIRT, 50, { day: '2020-04-01' }).checkoutCents).toBe(1250)
  })
})

describe('Singapore, OVR', () => {
  test('the seller collects 9% on goods up to SGD 400; an unregistered seller collects nothing', () => {
    expect(collected(parcel('SG', TSHIRT, 100))).toBe('GST 9.00 SELLER')
    expect(otherSchemeOf(parcel('SG', TSHIRT, 100))).toBe('COURIER')
    expect(parcel('SG', TSHIRT, 100, { importScheme: 'COURIER' }).estimateCents).toBe(0)
  })

  test('above the limit the tax is due at the border', () => {
    expect(collected(parcel('SG', TSHIRT, 400))).toBe('GST 36.00')
  })

  test('counts each item', () => {
    expect(collected(parcel('SG', TSHIRT, 200, { count: 3 }))).toBe('GST 54.00 SELLER')
  })

  test('does not cover wine, and a business is not charged', () => {
    expect(collected(parcel('SG', WINE, 50))).not.toContain('SELLER')
    expect(parcel('SG', TSHIRT, 100, { recipient: 'business' }).estimateCents).toBe(0)
  })
})

describe('other destinations', () => {
  test.each([
    ['DE', 'IOSS', 140, 160],
    ['GB', 'GB VAT', 100, 200],
    ['AU', 'AU GST', 500, 700],
    ['NZ', 'NZ GST', 400, 700],
    ['MY', 'MY LVG', 50, 150],
    ['CL', 'CL VAT', 300, 500],
  ])('%s: the seller collects the tax under %s at EUR %d, not at EUR %d', (country, scheme, within, above) => {
    const low = parcel(country, SPEAKER, within)
    expect(low.checkoutCents).toBeGreaterThan(0)
    expect(textsOf(low)).toContain(`The seller collects it at the checkout under ${scheme} (`)
    const high = parcel(country, SPEAKER, above)
    expect(high.checkoutCents).toBe(0)
    expect(textsOf(high)).not.toMatch(/checkout|IOSS|registered/)
    expect(high.estimateCents).toBeGreaterThan(0)
  })

  test.each(['DE', 'GB', 'AU', 'NZ', 'MY', 'CL'])('%s: the scheme does not cover wine', (country) => {
    const estimate = parcel(country, WINE, 30)
    expect(estimate.checkoutCents).toBe(0)
    expect(textsOf(estimate)).not.toContain('at the checkout')
  })

  test.each(['DE', 'GB', 'AU', 'NZ', 'CL'])('%s: the scheme is for consumers', (country) => {
    expect(parcel(country, SPEAKER, 80, { recipient: 'business' }).checkoutCents).toBe(0)
  })

  test('Switzerland levies no tax up to CHF 5, unless the seller is registered', () => {
    const unregistered = parcel('CH', TSHIRT, 40)
    expect(unregistered.estimateCents).toBe(0)
    expect(otherSchemeOf(unregistered)).toBe('SELLER_COLLECTS')
    expect(collected(parcel('CH', TSHIRT, 40, { importScheme: 'SELLER_COLLECTS' }))).toMatch(
      /^VAT 3\.2\d SELLER$/,
    )
  })
})

describe('several items', () => {
  const item = (tariff: string, euro: number) => ({
    ...{ description: 'goods', numberOfItems: 1, costSteps: Math.round(euro * 1_000_000), tariff },
  })
  /** The lines above zero of items, each with its code and value in euro. */
  function parcelOf(to: string, ...items: readonly (readonly [string, number])[]): string {
    const place = (country: string) => ({ country, zipcode: '', city: '' })
    const request = { from: place('CN'), to: place(to), items: items.map((one) => item(...one)) }
    return collected(
      estimateRequest(
        TABLES,
        request,
        items.map(([code]) => givenCode(code)),
        DAY,
      ),
    )
  }

  test.each([
    ['DE', 150, 150.01],
    ['SG', 275.35, 275.36],
    ['NO', 266.1, 277],
  ])('%s: EUR %d is within the limit, EUR %d is not', (to, within, above) => {
    expect(parcelOf(to, [SPEAKER, within])).toContain('SELLER')
    expect(parcelOf(to, [SPEAKER, above])).not.toContain('SELLER')
  })

  test('a limit per item does not count the others', () => {
    expect(parcelOf('NO', [TSHIRT, 50], [SPEAKER, 1000])).toBe('VAT 12.50 SELLER, VAT 250.00')
    expect(parcelOf('SG', [TSHIRT, 50], [SPEAKER, 1000])).toBe('GST 4.50 SELLER, GST 90.00')
  })

  test('a limit on the consignment counts goods that the scheme does not cover', () => {
    expect(parcelOf('AU', [SPEAKER, 100], [WINE, 700])).not.toContain('SELLER')
    expect(parcelOf('AU', [SPEAKER, 100], [WINE, 100])).toMatch(/^GST 10\.00 SELLER, GST 10\.00$/)
    expect(parcelOf('AU', [WINE, 100], [SPEAKER, 100])).toMatch(/^GST 10\.00, GST 10\.00 SELLER$/)
  })

  test('an item without a value owes nothing of its own', () => {
    expect(parcelOf('NO', [TSHIRT, 0])).toBe('')
    expect(parcelOf('GB', [TSHIRT, 0], [SPEAKER, 50])).toBe('VAT 10.00 SELLER')
  })
})

describe('the choice of a scheme', () => {
  const registration = (scheme: string, validTo: string | null = null) => ({
    ...{ scheme, number: '1234567', validFrom: '2026-01-01', validTo },
  })
  const basisOf = (to: string, rest: Parcel): string | undefined =>
    parcel(to, TSHIRT, 50, rest).consignment.sellerScheme?.basis

  test('a registration of the account decides on the days on which it is valid', () => {
    expect(basisOf('NO', {})).toBe('ASSUMED')
    expect(basisOf('NO', { registrations: [registration('VOEC')] })).toBe('REGISTERED')
    expect(basisOf('NO', { registrations: [registration('IOSS')] })).toBe('ASSUMED')
    expect(basisOf('CH', {})).toBeUndefined()
    expect(basisOf('CH', { registrations: [registration('CH_VAT')] })).toBe('REGISTERED')
    expect(basisOf('CH', { registrations: [registration('CH_VAT', '2026-11-28')] })).toBeUndefined()
  })

  test('a request has the registrations of its account', () => {
    const registrations = [registration('VOEC')]
    const place = { country: 'NO' }
    const contentItems = [{ description: 'shirt', numberOfItems: 1, cost: 1 }]
    expect(checkDutiesRequest({ from: place, to: place, contentItems }, { registrations })).toMatchObject({
      registrations,
    })
  })

  test('the request wins over the account', () => {
    const registrations = [registration('VOEC')]
    expect(basisOf('NO', { registrations, importScheme: 'POSTAL' })).toBeUndefined()
    expect(basisOf('NO', { registrations, importScheme: 'SELLER_COLLECTS' })).toBe('REQUESTED')
    expect(basisOf('DE', { importScheme: 'IOSS' })).toBe('REQUESTED')
  })

  test('the first scheme for the recipient counts', () => {
    const [voec] = TABLES.sellerSchemes.get('NO') ?? []
    const forBusinesses = voec && {
      ...voec,
      row: { ...voec.row, recipient: 'business', scheme: 'OTHER' } as const,
    }
    const tables = {
      ...TABLES,
      sellerSchemes: new Map([['NO', [forBusinesses, voec].filter((one) => one !== undefined)]]),
    }
    const items = [{ description: 'goods', numberOfItems: 1, costSteps: 50_000_000, tariff: TSHIRT }]
    const request = { from: { country: 'CN' }, to: { country: 'NO' }, items }
    const schemeFor = (recipient: 'individual' | 'business') =>
      estimateRequest(tables, { ...request, recipient }, [givenCode(TSHIRT)], DAY).consignment.sellerScheme
        ?.scheme.row.scheme
    expect([schemeFor('individual'), schemeFor('business')]).toEqual(['VOEC', 'OTHER'])
  })

  test('IOSS says nothing about other countries', () => {
    expect(basisOf('NO', { importScheme: 'IOSS' })).toBe('ASSUMED')
  })

  test('SELLER_COLLECTS is IOSS in the EU', () => {
    const requested = parcel('DE', TSHIRT, 50, { importScheme: 'SELLER_COLLECTS' })
    expect(requested.taxes.map(({ amountCents }) => amountCents)).toEqual(
      parcel('DE', TSHIRT, 50, { importScheme: 'IOSS' }).taxes.map(({ amountCents }) => amountCents),
    )
    expect(requested.consignment.importScheme).toBe('IOSS')
  })

  test('how the goods are declared says who collects the rest', () => {
    const collectors = (importScheme: DutiesRequest['importScheme']): readonly string[] => {
      const { taxes, consignment } = parcel('NO', TSHIRT, 50, { importScheme })
      return taxes.map((line) => collectorOf(consignment, line))
    }
    expect(new Set(collectors('COURIER'))).toEqual(new Set(['CARRIER']))
    expect(new Set(collectors('STANDARD_DECLARATION'))).toEqual(new Set(['CUSTOMS']))
    expect(collectors(undefined)).toEqual(['UNKNOWN', 'SELLER_AT_CHECKOUT'])
  })
})

test('what the seller collects and what is due on delivery add up to the total', () => {
  const countries = [
    'DE',
    'FR',
    'GB',
    'NO',
    'CH',
    'SG',
    'AU',
    'NZ',
    'MY',
    'CL',
    'US',
    'CA',
    'JP',
    'BR',
    'CN',
    'IN',
  ]
  const schemes = [undefined, 'IOSS', 'COURIER', 'SELLER_COLLECTS'] as const
  let withBoth = 0
  for (const country of countries)
    for (const code of [TSHIRT, WINE, VITAMINS, SPEAKER, MEDICINE])
      for (const euro of [20, 140, 300, 1500])
        for (const importScheme of schemes) {
          const estimate = parcel(country, code, euro, importScheme === undefined ? {} : { importScheme })
          const byCollector = (isSeller: boolean): number =>
            estimate.taxes
              .filter(
                (line) => (collectorOf(estimate.consignment, line) === 'SELLER_AT_CHECKOUT') === isSeller,
              )
              .reduce((sum, { amountCents }) => sum + amountCents, 0)
          expect(byCollector(true)).toBe(estimate.checkoutCents)
          expect(byCollector(true) + byCollector(false)).toBe(estimate.estimateCents)
          if (byCollector(true) > 0 && byCollector(false) > 0) withBoth++
        }
  expect(withBoth).toBeGreaterThan(10)
})
