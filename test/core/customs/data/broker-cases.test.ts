/**
 * Parcels that web shops really send, with all of the shipped data: special duties, fees and reduced rates beside the
 * rate of the tariff. Each case has the source of the rule and the day on which it was read. Amounts are in euro and
 * were calculated by hand.
 */
import { describe, expect, test } from 'vitest'
import {
  type DutiesEstimate,
  estimateRequest,
  givenCode,
  otherSchemeOf,
} from '../../../../src/core/customs/estimate/estimate.ts'
import {
  describeLine,
  lineRateRange,
  lineSource,
} from '../../../../src/core/customs/estimate/explain/line.ts'
import { checkDutiesRequest, type DutiesInput } from '../../../../src/core/customs/request.ts'
import { formatCents } from '../../../../src/core/money.ts'
import { readShippedCustomsData } from '../../../../src/reference/customs.ts'
import { shippedTables } from '../../../support/customs/shipped-tables.ts'

const tables = shippedTables()

/** [code, value of one, origin, count]. */
type Item = readonly [code: string, cost: number, origin?: string, count?: number]

type BrokerCase = {
  readonly source: string
  /** When the source was read. */
  readonly read: string
  readonly route: readonly [from: string, to: string]
  readonly items: readonly Item[]
  readonly rest?: Partial<DutiesInput>
  /** The day whose rules apply. The handling fee of the EU is expected in November 2026. */
  readonly date?: string
  /** Lines as "name amount", without those of 0.00. */
  readonly lines: readonly string[]
  readonly total: string
  readonly isComplete?: false
}

const EU_FLAT_DUTY =
  'Delegated Regulation (EU) 2026/1022, as reported by Baker McKenzie (2026-07-02) and the WiseTech Academy'
const ROMANIA = 'Law 239/2025 of Romania, as reported by Mediafax, Antena 3 and Digi24'
const FRANCE = 'Boursorama (2026-02-26) on Service-Public; Passport'
const SAUDI_ARABIA = 'ZATCA resolution 03-03-24, as reported by Deloitte and Mondaq'
const EXPRESS = '72 FR 31719 (E7-11071) on express consignment carrier facilities'
const CHINA = 'uschinahpa.org (2019-04-08): 13% VAT, composite rate 9.1% for supplements'
const SUPPLEMENTS_GB = 'HMRC, internal manual VFOOD1980: food supplements are standard-rated'
const SUPPLEMENTS_AU =
  'Australian Taxation Office, Food Industry Partnership, issue 21: supplements are not food'
const VAT_714 = 'VAT Notice 714 of HMRC: clothing of headings for babies is zero-rated'
const HTS = 'Harmonized Tariff Schedule of the United States, revision 10 of 2026 (chapter 64)'
const READ = '2026-11-28'

const FLAT = 'Flat-rate customs duty 3.00'

const CASES: Readonly<Record<string, BrokerCase>> = {
  'an EU preference does not replace the flat duty under IOSS': {
    ...{ source: EU_FLAT_DUTY, read: READ, route: ['GB', 'IE'] },
    items: [['61101100', 80, 'GB']],
    rest: { importScheme: 'IOSS' },
    // 23% of 83
    ...{ lines: [FLAT, 'Value added tax 19.09'], total: '22.09' },
  },
  'an EU preference does not replace the flat duty if the scheme is not known': {
    ...{ source: EU_FLAT_DUTY, read: READ, route: ['GB', 'IE'] },
    items: [['61101100', 80, 'GB']],
    ...{ lines: [FLAT, 'Value added tax 19.09'], total: '22.09' },
  },
  'an EU preference replaces the flat duty in a standard declaration': {
    ...{ source: EU_FLAT_DUTY, read: READ, route: ['GB', 'IE'] },
    items: [['61101100', 80, 'GB']],
    rest: { importScheme: 'STANDARD_DECLARATION' },
    // 23% of 80
    ...{ lines: ['Value added tax 18.40'], total: '18.40' },
  },
  'a courier parcel without IOSS owes the flat duty': {
    ...{ source: EU_FLAT_DUTY, read: READ, route: ['CN', 'DE'] },
    items: [['851821', 100]],
    rest: { importScheme: 'COURIER' },
    // 19% of 103
    ...{ lines: [FLAT, 'Value added tax 19.57'], total: '22.57' },
  },
  'two commodity codes of one subheading are one item': {
    ...{ source: EU_FLAT_DUTY, read: READ, route: ['CN', 'DE'] },
    items: [
      ['61099020', 30],
      ['61099090', 30],
    ],
    rest: { importScheme: 'IOSS' },
    // 19% of 33 and of 30
    ...{ lines: [FLAT, 'Value added tax 6.27', 'Value added tax 5.70'], total: '14.97' },
  },
  'two commodity codes of one subheading are two items in a standard declaration': {
    ...{ source: EU_FLAT_DUTY, read: READ, route: ['CN', 'DE'] },
    items: [
      ['61099020', 30],
      ['61099090', 30],
    ],
    rest: { importScheme: 'STANDARD_DECLARATION' },
    ...{ lines: [FLAT, FLAT, 'Value added tax 6.27', 'Value added tax 6.27'], total: '18.54' },
  },
  'a parcel to Romania owes RON 25': {
    ...{ source: ROMANIA, read: READ, route: ['CN', 'RO'] },
    items: [['610910', 40]],
    // RON 25 at 5.27 per euro (2026-09-29); 21% of 43
    ...{ lines: [FLAT, 'Logistics fee 4.74', 'Value added tax 9.03'], total: '16.77' },
  },
  'a parcel to France owes EUR 2 for each item': {
    ...{ source: FRANCE, read: READ, route: ['CN', 'FR'] },
    items: [
      ['610910', 20],
      ['61099020', 20],
    ],
    // 20% of 23
    lines: [
      ...[FLAT, FLAT, 'Small parcels tax 2.00', 'Small parcels tax 2.00'],
      ...['Value added tax 4.60', 'Value added tax 4.60'],
    ],
    total: '19.20',
  },
  'an online order to Saudi Arabia up to SAR 1000 owes SAR 15': {
    ...{ source: SAUDI_ARABIA, read: READ, route: ['US', 'SA'] },
    items: [['610910', 100]],
    // SAR 15 at 4.26 per euro; 15% of 100
    ...{ lines: ['Customs service fee 3.52', 'Value added tax 15.00'], total: '18.52' },
  },
  'the processing fee of the United States is not charged on a courier parcel': {
    ...{ source: EXPRESS, read: READ, route: ['GB', 'US'] },
    items: [['61091000', 100, 'GB']],
    ...{
      lines: ['Most-favoured-nation duty 16.50', 'Section 301 duty (forced labour) 10.00'],
      total: '26.50',
    },
  },
  'the processing fee of the United States is charged if a broker files the entry': {
    ...{ source: EXPRESS, read: READ, route: ['GB', 'US'] },
    items: [['61091000', 100, 'GB']],
    rest: { importScheme: 'STANDARD_DECLARATION' },
    // USD 2.77
    lines: [
      ...['Most-favoured-nation duty 16.50', 'Section 301 duty (forced labour) 10.00'],
      'Merchandise processing fee 2.44',
    ],
    total: '28.94',
  },
  'sneakers of EUR 70 to the United States are valued over USD 12 a pair': {
    ...{ source: HTS, read: READ, route: ['GB', 'US'] },
    items: [['640411', 70, 'GB']],
    ...{
      lines: ['Most-favoured-nation duty 14.00', 'Section 301 duty (forced labour) 7.00'],
      total: '21.00',
    },
  },
  'infant formula to China owes 70% of 13%': {
    ...{ source: CHINA, read: READ, route: ['DE', 'CN'] },
    items: [['190110', 30]],
    ...{ lines: ['Flat-rate customs duty 2.73'], total: '2.73' },
  },
  'chocolate to China owes 70% of 13%': {
    ...{ source: CHINA, read: READ, route: ['DE', 'CN'] },
    items: [['180632', 30]],
    ...{ lines: ['Flat-rate customs duty 2.73'], total: '2.73' },
  },
  'food supplements to China owe 70% of 13%': {
    ...{ source: CHINA, read: READ, route: ['DE', 'CN'] },
    items: [['210690', 30]],
    ...{ lines: ['Flat-rate customs duty 2.73'], total: '2.73' },
  },
  'dried fruit to China owes 70% of 9%': {
    ...{ source: CHINA, read: READ, route: ['US', 'CN'] },
    items: [['081320', 30]],
    ...{ lines: ['Flat-rate customs duty 1.89'], total: '1.89' },
  },
  'food supplements to Great Britain are no food': {
    ...{ source: SUPPLEMENTS_GB, read: '2026-11-28', route: ['CN', 'GB'] },
    items: [['210690', 20]],
    ...{ lines: ['Value added tax 4.00'], total: '4.00' },
  },
  'food supplements to Australia are no food': {
    ...{ source: SUPPLEMENTS_AU, read: '2026-11-28', route: ['CN', 'AU'] },
    items: [['210690', 20]],
    ...{ lines: ['Goods and services tax 2.00'], total: '2.00' },
  },
  "babies' garments to Great Britain are zero-rated": {
    ...{ source: VAT_714, read: READ, route: ['CN', 'GB'] },
    items: [['611120', 50]],
    ...{ lines: [], total: '0.00' },
  },
  "babies' garments to Ireland are zero-rated": {
    ...{ source: VAT_714, read: READ, route: ['CN', 'IE'] },
    items: [['620920', 50]],
    ...{ lines: [FLAT], total: '3.00' },
  },
}

function estimate({ route: [from, to], items, rest, date = '2026-10-21' }: BrokerCase): DutiesEstimate {
  const request = checkDutiesRequest({
    ...{ from: { country: from }, to: { country: to }, ...rest },
    contentItems: items.map(([tariff, cost, originCountry, numberOfItems = 1]) => ({
      ...{ description: 'goods', tariff, cost, originCountry, numberOfItems },
    })),
  })
  if ('kind' in request) throw new Error(JSON.stringify(request.fields))
  return estimateRequest(
    tables,
    request,
    items.map(([code]) => givenCode(code)),
    date,
  )
}

test.each(Object.entries(CASES))('%s', (_, brokerCase) => {
  const { taxes, estimateCents, complete } = estimate(brokerCase)
  const charged = taxes.filter(({ amountCents }) => amountCents !== 0)
  expect(charged.map(({ name, amountCents }) => `${name} ${formatCents(amountCents)}`)).toEqual(
    brokerCase.lines,
  )
  expect(formatCents(estimateCents)).toBe(brokerCase.total)
  expect(complete).toBe(brokerCase.isComplete ?? true)
})

const named = (name: keyof typeof CASES): DutiesEstimate => estimate(CASES[name]!)
const texts = ({ consignment, taxes }: DutiesEstimate): readonly string[] =>
  taxes.map((line) => describeLine(consignment, line))

describe('the texts say', () => {
  test('that a preference is possible with a standard declaration', () => {
    const answer = named('an EU preference does not replace the flat duty if the scheme is not known')
    expect(texts(answer)[0]).toContain(
      'A preference (EU-UK TCA) could be claimed with a standard declaration, with a proof of origin.',
    )
    expect(otherSchemeOf(answer)).toBe('STANDARD_DECLARATION')
    expect(texts(named('a courier parcel without IOSS owes the flat duty'))[0]).not.toContain('preference (')
  })
  test('which goods are counted together', () => {
    const [, second] = texts(named('two commodity codes of one subheading are one item'))
    expect(second).toContain('No further duty: ')
    expect(second).toContain('these goods and others of the same code are one item')
  })
  test('who bears the processing fee of a courier parcel, and what is assumed', () => {
    const answer = named('the processing fee of the United States is not charged on a courier parcel')
    const fee = texts(answer).find((text) => text.startsWith('Not charged: borne by the carrier.'))
    expect(fee).toContain('An import by courier is assumed.')
  })
  test("nothing about children's clothing beside the rate for babies' garments", () => {
    const answer = named("babies' garments to Great Britain are zero-rated")
    expect(texts(answer).at(-1)).toContain("zero rate for babies' garments")
    expect(texts(answer).at(-1)).not.toContain('not considered')
  })
})

test('section 338 on goods under the USMCA has a range from nothing', () => {
  const { taxes } = estimate({
    ...{ source: 'Proclamations 11046 to 11048; it is not settled', read: READ, route: ['CA', 'US'] },
    ...{ items: [['61102020', 50, 'CA']], lines: [], total: '' },
  })
  const line = taxes.find(({ name }) => name.includes('338'))
  expect(line?.amountCents).toBe(25_00)
  expect(line && lineRateRange(line)).toEqual({ lowestPercent: '0', highestPercent: '50' })
})

describe('a row that is not verified is never silent', () => {
  const { thresholds, fees } = readShippedCustomsData()
  /** Goods that the rule covers, with a charge that it would change. Others: a T-shirt of EUR 50. */
  const OTHER_GOODS: Readonly<Record<string, Item>> = { 'GB not_levied_below': ['910111', 400] }
  const DESTINATIONS: Readonly<Record<string, string>> = { EU: 'NL' }

  const answerFor = (jurisdiction: string, key: string, validFrom: string | null): DutiesEstimate => {
    const date = validFrom === null || validFrom < '2026-10-21' ? '2026-10-21' : validFrom
    return estimate({
      ...{ source: 'shipped data', read: READ, route: ['CN', DESTINATIONS[jurisdiction] ?? jurisdiction] },
      ...{ items: [OTHER_GOODS[key] ?? ['610910', 50]], date, lines: [], total: '' },
    })
  }

  test.each(
    fees.filter(({ enabled }) => !enabled).map((row) => [row.jurisdiction, row.fee, row] as const),
  )('the fee %s %s has a line without an amount', (jurisdiction, fee, row) => {
    const { taxes, complete } = answerFor(jurisdiction, fee, row.validFrom)
    expect(taxes).toContainEqual(
      expect.objectContaining({ name: `${row.name} (not estimated)`, computed: false, amountCents: 0 }),
    )
    expect(complete).toBe(false)
  })

  test.each(
    thresholds.filter(({ enabled }) => !enabled).map((row) => [row.jurisdiction, row.kind, row] as const),
  )('the rule %s %s is mentioned and not applied', (jurisdiction, kind, row) => {
    const answer = answerFor(jurisdiction, `${jurisdiction} ${kind}`, row.validFrom)
    const text = texts(answer).find((line) => line.includes(row.reason))
    expect(text).toContain('A low-value rule that is not verified is not applied: ')
    expect(answer.taxes[0]?.amountCents).toBeGreaterThan(0)
  })
})

describe('a code of six digits', () => {
  const broker = (to: string, items: readonly Item[], from = 'CN') =>
    estimate({ ...{ source: '', read: READ, route: [from, to] }, items, lines: [], total: '' })

  // The phone case is one of many lines; only a full code names it.
  test.each([
    ['DE', '392690'],
    ['GB', '392690'],
    ['US', '392690'],
    ['DE', '950300'],
    ['DE', '611011'],
    ['JP', '420221'],
  ])('to %s, %s keeps its digits', (to, code) => {
    const { taxes } = broker(to, [[code, 400]])
    expect(new Set(taxes.map(({ harmonizedCode }) => harmonizedCode))).toEqual(new Set([code]))
  })
  test('becomes the national code if it has one line', () => {
    expect(broker('DE', [['610910', 400]]).taxes[0]?.harmonizedCode).toBe('61091000')
  })
  test('has the rate of the residual line, which its source names', () => {
    const answer = broker('US', [['392690', 20, 'GB']], 'GB')
    const [duty] = answer.taxes
    // 5.3% of 20
    expect(duty?.amountCents).toBe(1_06)
    expect(duty && lineSource(answer.consignment, duty)?.codePrefix).toBe('39269099')
  })
  test('is unreliable if its lines differ by 5 points or more', () => {
    const answer = broker('US', [['640411', 70, 'GB']], 'GB')
    const [duty] = answer.taxes
    expect(duty && lineSource(answer.consignment, duty)).toMatchObject({
      ...{ codePrefix: '64041190', confidence: 'low' },
      range: { lowestPercent: '10.5', highestPercent: '20' },
    })
    expect(texts(answer)[0]).toContain(
      'The rate is between 10.5% and 20%, depending on material and use; 20% is used, the rate of 64041190 (2 lines under 640411). Lines under 640411 for goods of another unit value are left out (12).',
    )
  })
  test.each([
    // USD 2.27 a pair: up to USD 3. The last of its four lines has 48%
    ['one pair', 2, 1, '64041159', '7.5', '48'],
    // USD 5.68 a pair: 37.5% and USD 0.90
    ['two pairs', 5, 2, '64041179', '7.5', '37.5'],
    ['a pair of EUR 70', 70, 1, '64041190', '10.5', '20'],
  ])('by the value of %s of EUR %d', (_, cost, count, line, lowestPercent, highestPercent) => {
    const answer = broker('US', [['640411', cost, 'GB', count]], 'GB')
    const [duty] = answer.taxes
    expect(duty && lineSource(answer.consignment, duty)).toMatchObject({
      codePrefix: line,
      range: { lowestPercent, highestPercent },
    })
  })
  test('keeps lines whose unit the request does not contain, and says that the price decides', () => {
    // Spirits are valued per proof litre.
    const answer = broker('US', [['220820', 20, 'GB']], 'GB')
    expect(texts(answer)[0]).not.toContain('left out')
  })
})
