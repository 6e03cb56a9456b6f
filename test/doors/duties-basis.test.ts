/**
 * The basis of duties, averages, import schemes and coverage on the shipped data: GraphQL has fields for them, and the
 * lines of REST say the same in their descriptions.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setAccount } from '../../src/store/accounts/accounts.ts'
import { OTHER, openTestApp, type TestApp } from '../support/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({}, undefined, {
    prepare: (db) => setAccount(db, 'other-shop', { countAverages: false }),
  })
})
afterAll(() => app.close())

type Line = {
  readonly name: string
  readonly kind: string
  readonly amount: { readonly amount: string }
  readonly basis: string | null
  readonly calculated: boolean
  readonly description: string
  readonly rateRange: { readonly lowestPercent: string; readonly highestPercent: string } | null
}
type Estimate = {
  readonly total: { readonly amount: string }
  readonly complete: boolean
  readonly taxes: readonly Line[]
  readonly underOtherScheme: {
    readonly importScheme: string
    readonly total: { readonly amount: string }
    readonly difference: { readonly amount: string }
    readonly taxes: readonly Line[]
  } | null
}

const LINE =
  'name kind amount { amount } basis calculated description rateRange { lowestPercent highestPercent }'
const QUERY = `query ($input: DutiesEstimateInput!) {
  dutiesEstimate(input: $input) {
    ... on DutiesEstimate {
      total { amount } complete taxes { ${LINE} }
      underOtherScheme { importScheme total { amount } difference { amount } taxes { ${LINE} } }
    }
    ... on InputProblem { fields { path code } }
  }
}`

/** Above the low-value rules of Argentina. */
const VALUES: Readonly<Record<string, string>> = { AR: '5000' }

async function throughGraphql(to: string, hsCode: string, more: object = {}, credentials?: string) {
  const value = VALUES[to] ?? '100'
  const input = {
    from: { country: 'CN' },
    to: { country: to },
    contentItems: [{ description: 'goods', count: 1, value: { amount: value }, hsCode }],
    ...more,
  }
  const { data } = await app.graphql(QUERY, { input }, credentials)
  return data?.['dutiesEstimate'] as Estimate
}

async function throughRest(to: string, tariff: string, credentials?: string, originCountry?: string) {
  const cost = Number(VALUES[to] ?? '100')
  const body = {
    ...{ fromCountry: 'CN', toCountry: to },
    contentItems: [{ description: 'goods', numberOfItems: 1, cost, tariff, originCountry }],
  }
  const headers = credentials === undefined ? {} : { 'x-pp-api': credentials }
  const { json } = await app.rest('/duties-taxes-estimate', body, headers)
  return json as {
    estimate: number
    taxDetails: readonly { name: string; amount: number; description: string }[]
  }
}

const isDuty = ({ kind }: Line): boolean => kind === 'DUTY'
const AVERAGE = 'Most-favoured-nation duty (average)'

describe('an average', () => {
  test('counts by default, and both doors say what it is', async () => {
    const estimate = await throughGraphql('AR', '420221')
    const [duty] = estimate.taxes
    expect(duty).toMatchObject({
      ...{ name: AVERAGE, basis: 'GROUP_AVERAGE', calculated: true, amount: { amount: '1075.00' } },
      rateRange: { lowestPercent: '20', highestPercent: '35' },
    })
    expect(duty?.description).toContain('Average duty on bags and leather goods in Argentina: 21.5%')
    const rest = await throughRest('AR', '420221')
    expect(rest.taxDetails[0]).toMatchObject({ name: AVERAGE, amount: 1075, description: duty?.description })
    expect(rest.estimate.toFixed(2)).toBe(estimate.total.amount)
  })

  test('does not count for an account that excludes averages, through both doors', async () => {
    const estimate = await throughGraphql('AR', '420221', {}, OTHER)
    expect(estimate).toMatchObject({ complete: false })
    const [duty] = estimate.taxes
    expect(duty).toMatchObject({ basis: 'GROUP_AVERAGE', calculated: false, amount: { amount: '0.00' } })
    expect(duty?.description).toContain('Not counted: averages are excluded from this estimate.')
    expect(duty?.description).toContain('which is EUR 1075.00.')
    const rest = await throughRest('AR', '420221', OTHER)
    expect(rest.taxDetails[0]).toMatchObject({ amount: 0, description: duty?.description })
    expect(rest.estimate.toFixed(2)).toBe(estimate.total.amount)
  })

  test.each([
    [true, OTHER, true],
    [false, undefined, false],
  ])('with countAverages %s in the request, the account does not decide', async (countAverages, credentials, calculated) => {
    const { taxes } = await throughGraphql('AR', '420221', { countAverages }, credentials)
    expect(taxes[0]).toMatchObject({ basis: 'GROUP_AVERAGE', calculated })
  })
})

describe('the basis', () => {
  test.each([
    ['NL', '61091000', 'NATIONAL_LINE', null],
    ['NL', '640399', 'SUBHEADING', { lowestPercent: '5', highestPercent: '8' }],
    ['IN', '610910', 'SUBHEADING', null],
    ['GE', '610910', 'NOT_LOADED', { lowestPercent: '0', highestPercent: '1.2' }],
  ])('of duties in %s on %s is %s', async (to, hsCode, basis, rateRange) => {
    const { taxes } = await throughGraphql(to, hsCode, { recipientType: 'BUSINESS' })
    expect(taxes.find(isDuty)).toMatchObject({ basis, rateRange })
    for (const line of taxes) expect(line.basis === null).toBe(!isDuty(line))
  })
})

describe('the flat duty of the EU', () => {
  const GOODS = { description: 'goods', count: 1, value: { amount: '100' } }
  const contentItems = [{ ...GOODS, hsCode: '61091000', originCountry: 'GB' }]

  test('is assumed without a scheme, and the estimate with a standard declaration is available', async () => {
    const estimate = await throughGraphql('NL', '61091000', { contentItems })
    expect(estimate.taxes[0]).toMatchObject({ name: 'Flat-rate customs duty', amount: { amount: '3.00' } })
    expect(estimate.taxes[0]?.description).toContain('an import under IOSS, by post or by courier is assumed')
    expect(estimate.taxes[0]?.description).toContain('could be claimed with a standard declaration')
    const standard = await throughGraphql('NL', '61091000', {
      contentItems,
      importScheme: 'STANDARD_DECLARATION',
    })
    expect(standard.taxes[0]).toMatchObject({
      name: 'Preferential duty (EU-UK TCA)',
      amount: { amount: '0.00' },
    })
    expect(estimate.underOtherScheme).toMatchObject({
      ...{ importScheme: 'STANDARD_DECLARATION', total: standard.total, difference: { amount: '-3.63' } },
      taxes: standard.taxes,
    })
    expect(standard.underOtherScheme).toMatchObject({
      ...{ importScheme: 'IOSS', total: estimate.total, difference: { amount: '3.63' } },
    })
    const { taxDetails } = await throughRest('NL', '61091000', undefined, 'GB')
    expect(taxDetails[0]?.description).toBe(estimate.taxes[0]?.description)
  })

  test('does not depend on the scheme for a business', async () => {
    const { underOtherScheme } = await throughGraphql('NL', '61091000', { recipientType: 'BUSINESS' })
    expect(underOtherScheme).toBeNull()
  })

  test('depends on the scheme in landedCost too', async () => {
    const query = `query ($input: LandedCostInput!) { landedCost(input: $input) { ... on LandedCost {
      options { duties { taxes { name } underOtherScheme { importScheme } } } } } }`
    const input = {
      rates: {
        from: { country: 'GB', postalCode: 'SW1A 1AA' },
        to: { country: 'NL', postalCode: '1012AB' },
        parcels: { boxes: [{ count: 1, weightKg: '1', lengthCm: 20, widthCm: 20, heightCm: 10 }] },
      },
      contentItems,
      importScheme: 'STANDARD_DECLARATION',
    }
    const { data, errors } = await app.graphql(query, { input })
    expect(errors).toBeUndefined()
    const { options } = data?.['landedCost'] as {
      options: readonly { duties: { taxes: Line[]; underOtherScheme: { importScheme: string } } }[]
    }
    expect(options.length).toBeGreaterThan(0)
    for (const { duties } of options) {
      expect(duties.taxes[0]?.name).toBe('Preferential duty (EU-UK TCA)')
      expect(duties.underOtherScheme.importScheme).toBe('IOSS')
    }
  })
})

describe('customsCoverage', () => {
  const COVERAGE = `query ($countries: [CountryCode!]) { customsCoverage(countries: $countries) {
    ... on CustomsCoverage { countries { country basis reliability } } ... on InputProblem { fields { path code } } } }`
  const coverageOf = async (countries: readonly string[] | null) =>
    (await app.graphql(COVERAGE, { countries })).data?.['customsCoverage']

  test('returns the given countries, or all', async () => {
    expect(await coverageOf(['NL', 'GE'])).toEqual({
      countries: [
        { country: 'GE', basis: 'NOT_LOADED', reliability: 'LOW' },
        { country: 'NL', basis: 'NATIONAL_LINE', reliability: 'LOW' },
      ],
    })
    expect(await coverageOf(null)).toMatchObject({ countries: { length: 250 } })
  })

  test.each([
    [['ZZ'], ['countries', '0']],
    [[], ['countries']],
  ])('reports the faults of %j', async (countries, path) => {
    expect(await coverageOf(countries)).toMatchObject({ fields: [{ path }] })
  })
})
