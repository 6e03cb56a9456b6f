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

describe('the headers of REST', () => {
  const headersOf = async (toCountry: string, tariff: string, cost: number, fromCountry = 'CN') => {
    const contentItems = [{ description: 'goods', numberOfItems: 1, cost, tariff }]
    const { headers } = await app.rest('/duties-taxes-estimate', { fromCountry, toCountry, contentItems })
    return [headers['x-estimate-complete'], headers['x-estimate-reliability']]
  }

  test.each([
    ['an incomplete estimate', 'EG', '61091000', 100, 'false', 'LOW'],
    ['an old tariff', 'GB', '61091000', 500, 'true', 'LOW'],
    ['the rates of this year', 'JP', '851713000', 500, 'true', 'MEDIUM'],
  ])('of %s', async (_what, to, code, cost, complete, reliability) => {
    expect(await headersOf(to, code, cost)).toEqual([complete, reliability])
    const { complete: same, reliability: grade } = (await graded(to, code, String(cost))) as Graded
    expect([String(same), grade]).toEqual([complete, reliability])
  })

  test('are missing on an error', async () => {
    const { status, headers } = await app.rest('/duties-taxes-estimate', {})
    expect([status, headers['x-estimate-complete']]).toEqual([400, undefined])
  })
})

type Graded = {
  readonly complete: boolean
  readonly reliability: string
  readonly range: {
    readonly least: { readonly amount: string }
    readonly likely: { readonly amount: string }
    readonly most: { readonly amount: string } | null
    readonly decision: string | null
    readonly withoutBound: readonly string[]
  }
  readonly taxes: readonly {
    readonly kind: string
    readonly reliability: string
    readonly rule: {
      readonly reliability: string
      readonly dataSet: {
        readonly name: string
        readonly nextEditionDue: string
        readonly isOverdue: boolean
      }
    } | null
  }[]
}

async function graded(to: string, hsCode: string, value: string): Promise<unknown> {
  const input = {
    from: { country: 'CN' },
    to: { country: to },
    contentItems: [{ description: 'goods', count: 1, value: { amount: value }, hsCode }],
  }
  const query = `query ($input: DutiesEstimateInput!) { dutiesEstimate(input: $input) { ... on DutiesEstimate {
    complete reliability range { least { amount } likely { amount } most { amount } decision withoutBound }
    taxes { kind reliability rule { reliability dataSet { name nextEditionDue isOverdue } } }
  } } }`
  return (await app.graphql(query, { input })).data?.['dutiesEstimate']
}

describe('through GraphQL', () => {
  test('a line of an old tariff is LOW, and its data set is overdue', async () => {
    const { taxes } = (await graded('GB', '61091000', '500')) as Graded
    expect(taxes[0]).toMatchObject({
      reliability: 'LOW',
      rule: {
        reliability: 'LOW',
        dataSet: { name: 'tariff-gb', nextEditionDue: '2021-02-01', isOverdue: true },
      },
    })
    expect(taxes[1]).toMatchObject({ reliability: 'MEDIUM', rule: { dataSet: { isOverdue: false } } })
  })

  test('the range has three amounts and what decides', async () => {
    const { range } = (await graded('JP', '420221', '300')) as Graded
    const amounts = [range.least, range.likely, range.most].map((money) => Number(money?.amount))
    expect(amounts).toEqual(amounts.toSorted((a, b) => a - b))
    expect(amounts[0]).toBeLessThan(amounts[2] ?? 0)
    expect(range.decision).toContain('the duty on 420221 is between')
  })

  test('without an upper bound, the parts are named', async () => {
    const { range } = (await graded('EG', '61091000', '100')) as Graded
    expect(range).toMatchObject({ most: null, withoutBound: ['Import duty', 'Import tax'] })
  })

  test('a rate for duty and taxes together is COMBINED', async () => {
    const { taxes } = (await graded('IN', '610910', '20')) as Graded
    expect(taxes[0]?.kind).toBe('COMBINED')
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
