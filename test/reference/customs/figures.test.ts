/** Figures of the shipped customs data, compared with published tables and laws. */
import { describe, expect, test } from 'vitest'
import type { MeasureRow } from '../../../src/core/customs/data/row-types/measures.ts'
import { formatDutyRate, formatPercent } from '../../../src/core/customs/tariff/duty-text.ts'
import { isInForce } from '../../../src/core/validity.ts'
import { readShippedCustomsData } from '../../../src/reference/customs.ts'

const rows = readShippedCustomsData()

/** The published text of a rate, or its columns as one text. */
function rateText(row: MeasureRow): string {
  return row.text === '' ? formatDutyRate(row) : row.text
}

function baseRate(area: string, code: string): string | undefined {
  const row = rows.measures.find(
    (measure) =>
      measure.jurisdiction === area &&
      measure.codePrefix === code &&
      measure.measureType === 'third_country_duty',
  )
  return row && rateText(row)
}

describe('base duties', () => {
  test.each([
    ['EU', '61091000', '12%'],
    ['EU', '64039993', '8%'],
    ['EU', '04090000', '17.3%'],
    ['EU', '87032319', '10%'],
    ['EU', '33049900', '0%'],
    ['EU', '91021100', '4.5% MIN 0.3 EUR/item MAX 0.8 EUR/item'],
    ['EU', '2204211110', '13.1 EUR/hl'],
    ['EU', '02071210', '29.9 EUR/100 kg'],
    ['EU', '07020000', 'Entry price'],
    ['GB', '61091000', '12%'],
    ['GB', '04090000', '16%'],
    ['GB', '91021100', '0.2 GBP/item'],
    ['GB', '2204211110', '10 GBP/hl'],
    ['GB', '02071210', '25 GBP/100 kg'],
    ['US', '61091000', '16.5%'],
    ['US', '64039960', '8.5%'],
    ['US', '42022215', '16%'],
    ['US', '85171300', '0%'],
    ['US', '87032301', '2.5%'],
    ['US', '62046980', '2.8%'],
    ['US', '02071100', '0.088 USD/kg'],
    ['US', '22042150', '0.063 USD/l'],
    ['US', '07020020', '0.039 USD/kg'],
    [
      'US',
      '91021110',
      '44¢ each + 6% on the case + 14% on the strap, band or bracelet + 5.3% on the battery',
    ],
    [
      'US',
      '82151000',
      'The rate of duty applicable to that article in the set subject to the highest rate of duty',
    ],
    ['EU', '851713', '0%'],
    ['EU', '853951', '2.7%'],
    ['CH', '64', '0%'],
    ['HK', '61', '0%'],
    ['HK', '24', '0%'],
    ['SG', '61', '0%'],
    ['SG', '24', 'an amount per quantity of tobacco'],
  ])('%s %s: %s', (area, code, expected) => {
    expect(baseRate(area, code)).toBe(expected)
  })
  test('of the United States exclude the four countries of column 2', () => {
    const us = rows.measures.filter((row) => row.dataSet === 'tariff-us')
    expect(us.every((row) => row.excludedOrigins.join(' ') === 'BY CU KP RU')).toBe(true)
    expect(us.filter((row) => row.condition === 'not_parsed').length).toBe(57)
  })
})

/** The row of a type that applies to an origin and code on a day: the longest prefix, then the latest first day. */
function additional(measureType: string, origin: string, date: string, code = ''): readonly string[] {
  return rows.measures
    .filter(
      (row) =>
        row.measureType === measureType &&
        row.originGroup === origin &&
        isInForce(row, date) &&
        (row.scopeList === ''
          ? code.startsWith(row.codePrefix)
          : rows.codeLists.some((on) => on.codeList === row.scopeList && code.startsWith(on.codePrefix))),
    )
    .sort(
      (a, b) =>
        b.codePrefix.length - a.codePrefix.length || ((a.validFrom ?? '') < (b.validFrom ?? '') ? 1 : -1),
    )
    .slice(0, 1)
    .map((row) => `${row.kind} ${rateText(row)}`)
}

describe('additional duties of the United States', () => {
  test.each([
    ['s301_forced_labor', 'CN', '2026-07-23', '', []],
    ['s301_forced_labor', 'CN', '2026-07-24', '', ['additive 12.5%']],
    ['s301_forced_labor', 'GB', '2026-11-01', '', ['additive 10%']],
    ['s301_forced_labor', 'EU', '2026-11-01', '', ['cap_total 10%']],
    ['s301_forced_labor', 'TW', '2026-11-01', '', ['cap_total 10%']],
    ['s301_forced_labor', 'JP', '2026-11-01', '', ['cap_total 12.5%']],
    ['s301_forced_labor', 'KR', '2026-11-01', '', ['cap_total 12.5%']],
    ['s301_forced_labor', 'CH', '2026-11-01', '', ['cap_total 12.5%']],
    ['s301_forced_labor_usmca', 'CA', '2026-08-18', '', ['additive 10%']],
    ['s301_forced_labor_usmca', 'CA', '2026-08-19', '', ['additive 10%']],
    ['s301_brazil', 'BR', '2026-07-21', '', []],
    ['s301_brazil', 'BR', '2026-07-22', '', ['additive 25%']],
    ['s122', 'ALL', '2026-02-23', '', []],
    ['s122', 'ALL', '2026-02-24', '', ['additive 10%']],
    ['s122', 'ALL', '2026-07-23', '', ['additive 10%']],
    ['s122', 'ALL', '2026-07-24', '', []],
    ['ieepa_fentanyl', 'CN', '2025-02-03', '', []],
    ['ieepa_fentanyl', 'CN', '2025-02-04', '', ['additive 10%']],
    ['ieepa_fentanyl', 'CN', '2025-03-04', '', ['additive 20%']],
    ['ieepa_fentanyl', 'CN', '2025-11-10', '', ['additive 10%']],
    ['ieepa_fentanyl', 'CN', '2026-02-24', '', []],
    ['ieepa_fentanyl_usmca', 'CA', '2025-07-31', '', ['additive 25%']],
    ['ieepa_fentanyl_usmca', 'CA', '2025-08-01', '', ['additive 35%']],
    ['ieepa_fentanyl_usmca', 'MX', '2026-02-23', '', ['additive 25%']],
    ['ieepa_reciprocal', 'ALL', '2026-02-23', '', ['additive 10% to 50% by origin']],
    ['ieepa_reciprocal', 'ALL', '2026-02-24', '', []],
    ['s301_china', 'CN', '2026-11-01', '87032301', ['additive 25%']],
    ['s301_china', 'CN', '2026-11-01', '42022215', ['additive 25%']],
    ['s301_china', 'CN', '2019-05-09', '42022215', ['additive 10%']],
    ['s301_china', 'CN', '2026-11-01', '61091000', ['additive 7.5%']],
    ['s301_china', 'CN', '2020-02-13', '61091000', ['additive 15%']],
    ['s301_china', 'CN', '2026-11-01', '85171300', []],
    ['s301_china', 'CN', '2024-09-26', '87038000', []],
    ['s301_china', 'CN', '2024-09-27', '87038000', ['additive 100%']],
    ['s301_china', 'CN', '2026-11-01', '85414200', ['additive 50%']],
    ['s301_china', 'CN', '2026-11-01', '26020000', ['additive 25%']],
    ['s301_china', 'CN', '2025-12-31', '85076000', ['additive 7.5%']],
    ['s301_china', 'CN', '2026-01-01', '85076000', ['additive 25%']],
    ['s301_china', 'CN', '2024-12-31', '85423100', ['additive 25%']],
    ['s301_china', 'CN', '2025-01-01', '85423100', ['additive 50%']],
    ['s301_china', 'CN', '2026-11-01', '40151210', ['additive 100%']],
    ['s301_china', 'CN', '2025-12-31', '40151210', ['additive 50%']],
    ['s301_china', 'CN', '2026-11-01', '84261900', ['additive 25% on ship-to-shore cranes']],
    ['s301_china', 'CN', '2024-09-26', '84261900', []],
    ['s232_wood', 'KR', '2025-11-14', '94016140', ['floor_total 15%']],
    ['s232_autos', 'ALL', '2025-04-02', '87032301', []],
    ['s232_autos', 'ALL', '2025-04-03', '87032301', ['additive 25%']],
    ['s232_autos', 'EU', '2026-11-01', '87032301', ['floor_total 15%']],
    ['s232_autos', 'ALL', '2026-11-01', '87031010', []],
    ['s232_wood', 'ALL', '2025-10-13', '94016140', []],
    ['s232_wood', 'ALL', '2025-10-14', '94016140', ['additive 25%']],
    ['s232_wood', 'ALL', '2026-11-01', '44071100', ['additive 10%']],
    ['s232_annex', 'ALL', '2026-11-01', '73239300', ['additive 25%']],
  ])('%s of %s on %s for %s: %j', (measureType, origin, date, code, expected) => {
    expect(additional(measureType, origin, date, code)).toEqual(expected)
  })
})

describe('preferences', () => {
  test.each([
    ['EU', 'GB', '2021-01-01', '61091000', ['EU-UK TCA 0%']],
    ['EU', 'GB', '2020-12-31', '61091000', []],
    ['GB', 'EU', '2026-11-01', '04069021', ['EU-UK TCA 0%']],
    ['EU', 'CH', '2026-11-01', '91021100', ['EU-Switzerland 0%']],
    ['EU', 'CH', '2026-11-01', '35011010', ['EU-Switzerland by tariff line']],
    ['EU', 'CH', '2026-11-01', '04069021', ['EU-Switzerland by tariff line']],
    ['EU', 'JP', '2026-11-01', '87032319', ['EU-Japan EPA in steps to 0% by 2035']],
    ['EU', 'NZ', '2024-04-30', '04090000', []],
    ['EU', 'NZ', '2024-05-01', '04090000', ['EU-New Zealand FTA 0%']],
    ['EU', 'IN', '2026-11-01', '61091000', []],
    ['EU', 'EU-GSP', '2028-01-01', '61091000', []],
    ['US', 'MX', '2026-11-01', '61091000', ['USMCA 0%']],
    ['US', 'CA', '2020-06-30', '61091000', []],
  ])('%s for %s on %s, %s: %j', (area, origin, date, code, expected) => {
    const isOn = (list: string): boolean =>
      rows.codeLists.some((row) => row.codeList === list && code.startsWith(row.codePrefix))
    const found = rows.measures.filter(
      (row) =>
        row.measureType === 'preference' &&
        row.jurisdiction === area &&
        row.originGroup === origin &&
        code.startsWith(row.codePrefix) &&
        (row.scopeList === '' || isOn(row.scopeList)) &&
        !isOn(row.exemptList) &&
        isInForce(row, date),
    )
    expect(found.map((row) => `${row.agreement} ${rateText(row)}`)).toEqual(expected)
  })
})

describe('low-value rules in force', () => {
  test.each([
    ['EU', 'duty', '2026-06-30', ['relief_up_to 150 EUR']],
    [
      'EU',
      'duty',
      '2026-07-01',
      [
        'flat_per_item 150 EUR 3 under IOSS POSTAL COURIER',
        'flat_per_item 150 EUR 3 under STANDARD_DECLARATION',
      ],
    ],
    ['EU', 'duty', '2028-07-01', []],
    ['GB', 'duty', '2026-11-01', ['relief_up_to 135 GBP']],
    ['CH', 'duty', '2026-11-01', ['not_levied_below 5 CHF']],
    ['CH', 'tax', '2026-11-01', ['not_levied_up_to 5 CHF']],
    [
      'TR',
      'duty',
      '2026-02-05',
      ['flat_rate 30 EUR 0%', 'flat_rate 30 EUR 30% from EU', 'flat_rate 30 EUR 60%'],
    ],
    ['TR', 'duty', '2026-02-06', []],
    ['US', 'duty', '2025-08-28', ['relief_up_to 800 USD from ALL-BUT-CN-HK']],
    ['US', 'duty', '2025-08-29', []],
    [
      'CA',
      'duty',
      '2026-11-01',
      ['relief_up_to 150 CAD from US', 'relief_up_to 150 CAD from US MX', 'relief_up_to 20 CAD'],
    ],
    ['CA', 'tax', '2026-11-01', ['relief_up_to 40 CAD from US MX', 'relief_up_to 20 CAD']],
    [
      'BR',
      'duty',
      '2026-11-01',
      ['relief_up_to 10000 USD', 'relief_up_to 50 USD', 'flat_rate 3000 USD 60% less 20'],
    ],
    [
      'BR',
      'duty',
      '2026-05-11',
      ['relief_up_to 10000 USD', 'flat_rate 50 USD 20%', 'flat_rate 3000 USD 60% less 20'],
    ],
    ['BR', 'duty', '2024-07-31', []],
    ['ZA', 'duty', '2024-08-31', ['flat_rate 500 ZAR 20%']],
    ['KR', 'tax', '2026-11-01', ['relief_up_to 200 USD from US', 'relief_up_to 150 USD']],
    ['AE', 'duty', '2026-11-01', ['relief_up_to 300 AED']],
    ['IL', 'tax', '2025-12-29', ['relief_up_to 75 USD']],
    ['IL', 'tax', '2025-12-30', ['relief_up_to 150 USD']],
    ['IL', 'tax', '2026-02-25', ['relief_up_to 130 USD']],
    ['ZA', 'duty', '2025-01-31', ['flat_rate 500 ZAR 20%']],
    ['ZA', 'duty', '2025-02-01', []],
    ['CN', 'duty', '2026-11-01', ['flat_rate 5000 CNY 6.3%', 'flat_rate 5000 CNY 9.1%']],
    ['IN', 'duty', '2026-11-01', ['flat_rate INR 30.98%', 'not_levied_below 100 INR']],
    ['KZ', 'duty', '2026-06-30', ['taxed_excess 200 EUR 15%']],
    ['KZ', 'duty', '2026-07-01', ['relief_up_to 200 EUR', 'flat_rate EUR 5%']],
    ['CL', 'duty', '2025-10-24', ['relief_up_to 41 USD']],
    ['CL', 'duty', '2025-10-25', []],
    ['TH', 'duty', '2025-12-31', ['relief_up_to 1500 THB']],
    ['TH', 'duty', '2026-01-01', []],
    ['NG', 'tax', '2025-09-08', ['relief_up_to 300 USD']],
    ['CA-ON', 'tax', '2026-11-01', ['relief_up_to 40 CAD from US MX', 'relief_up_to 20 CAD']],
    ['UA', 'duty', '2026-11-01', ['taxed_excess 150 EUR 10%', 'relief_up_to 150 EUR']],
    ['HK', 'duty', '2026-11-01', []],
  ])('%s, %s, on %s: %j', (jurisdiction, appliesTo, date, expected) => {
    const found = rows.thresholds.filter(
      (row) =>
        row.jurisdiction === jurisdiction &&
        row.appliesTo === appliesTo &&
        row.enabled &&
        isInForce(row, date),
    )
    const texts = found.map((row) =>
      [
        row.kind,
        row.limitAmount,
        row.currency,
        row.flatAmount,
        row.ratePpm === null ? '' : formatPercent(row.ratePpm),
        row.deductAmount && `less ${row.deductAmount}`,
        row.importSchemes.length > 0 ? `under ${row.importSchemes.join(' ')}` : '',
        row.sentFrom.length > 0 ? `from ${row.sentFrom.join(' ')}` : '',
      ]
        .filter((text) => text !== '')
        .join(' '),
    )
    expect(texts).toEqual(expected)
  })
})

const EXPRESS = 'MPF_EXPRESS not_estimated'

describe('fees in force', () => {
  test.each([
    ['US', '2026-09-30', [EXPRESS, 'MPF_FORMAL 0.3464% 33.58 to 651.5', 'MPF_INFORMAL 2.69', 'MAIL 7.39']],
    // MAIL: 5.50 × 1.38322 by 19 CFR 24.22(k). The same factor gives the published 2.77 and 34.58 from 2.00 and 25.00.
    ['US', '2026-10-01', [EXPRESS, 'MPF_FORMAL 0.3464% 34.58 to 670.86', 'MPF_INFORMAL 2.77', 'MAIL 7.61']],
    [
      'US',
      '2027-10-01',
      [EXPRESS, 'MPF_FORMAL not_estimated', 'MPF_INFORMAL not_estimated', 'MAIL not_estimated'],
    ],
    ['NZ', '2026-04-01', ['LOW_VALUE 2.21', 'HIGH_VALUE not_estimated']],
    ['NZ', '2026-03-31', ['HIGH_VALUE not_estimated']],
    ['TW', '2026-11-01', ['TRADE_PROMOTION 0.04%']],
    ['RO', '2025-12-31', []],
    ['RO', '2026-11-01', ['LOGISTICS 25']],
    ['FR', '2026-02-28', []],
    ['FR', '2026-11-01', ['SMALL_PARCELS 2']],
    ['SA', '2024-10-05', []],
    ['SA', '2024-10-06', ['CUSTOMS_SERVICE 0.15% 15 to 500']],
  ])('%s on %s: %j', (jurisdiction, date, expected) => {
    const found = rows.fees.filter(
      (row) => row.jurisdiction === jurisdiction && row.enabled && isInForce(row, date),
    )
    const amount = (row: (typeof found)[number]): string => {
      if (row.status === 'not_estimated') return row.status
      const bounds = row.minimum === '' ? '' : ` ${row.minimum} to ${row.maximum}`
      return `${row.amount}${row.ratePpm === null ? '' : formatPercent(row.ratePpm)}${bounds}`
    }
    expect(found.map((row) => `${row.fee} ${amount(row)}`)).toEqual(expected)
  })
})

test.each([
  ['006', 'PR'],
  ['008', 'VI'],
  ['009', 'PR'],
  ['96950', 'MP'],
])('US postal codes from %s lie in %s', (postalFrom, expected) => {
  const found = rows.territories.filter((row) => row.country === 'US' && row.postalFrom === postalFrom)
  expect(found.map((row) => row.jurisdiction)).toEqual([expected])
})

test('Puerto Rico is in the customs territory of the United States, Guam is not', () => {
  const areas = (code: string) => rows.jurisdictions.find((row) => row.code === code)?.customsAreas
  expect(areas('PR')).toEqual(['US'])
  expect(areas('GU')).toEqual(['GU'])
})

test('Japan and Korea round down, Switzerland rounds to five centimes', () => {
  const jurisdiction = (code: string) => rows.jurisdictions.find((row) => row.code === code)
  expect(jurisdiction('JP')).toMatchObject({ roundingUnit: '100', roundingMode: 'down', valueUnit: '1000' })
  expect(jurisdiction('KR')).toMatchObject({ roundingUnit: '10', roundingMode: 'down', valueUnit: '' })
  expect(jurisdiction('LI')).toMatchObject({ roundingUnit: '0.05', roundingMode: 'half_up' })
  expect(jurisdiction('DE')).toMatchObject({ roundingUnit: '', valueUnit: '' })
})

test('a code of HS 2017 leads to its usual successor', () => {
  const usual = (ended: string) =>
    rows.hsSuccessors.filter((row) => row.endedCode === ended && row.isMain).map((row) => row.code)
  expect(usual('851712').slice(0, 2)).toEqual(['851713', '851714'])
  expect(usual('620112')).toEqual(['620130'])
  expect(usual('900651')).toEqual(['900653'])
})
