/** Tests the oracle itself against published figures and figures calculated by hand. */
import { describe, expect, test } from 'vitest'
import type { FeeRow } from '../../../../src/core/customs/data/row-types/fees.ts'
import type { CustomsRows } from '../../../../src/core/customs/data/rows.ts'
import {
  always,
  at,
  dataSet,
  land,
  measure,
  rowsWith,
  tax,
  threshold,
} from '../../../support/customs/one-country-rows.ts'
import {
  type OracleItem,
  type OracleRequest,
  oracleEstimate,
} from '../../../support/oracle/customs/estimate.ts'
import { randomCustomsRows } from '../../../support/random/customs.ts'
import { randomCustomsRequest } from '../../../support/random/customs-request.ts'
import { diceOf } from '../../../support/random/seeded-dice.ts'

function item(tariff: string, euro: number, changes: Partial<OracleItem> = {}): OracleItem {
  return {
    description: 'goods',
    numberOfItems: 1,
    costSteps: Math.round(euro * 1_000_000),
    tariff,
    ...changes,
  }
}

/** The lines of a request from China: names and amounts in euro. */
function linesOf(
  rows: CustomsRows,
  items: readonly OracleItem[],
  more: Partial<OracleRequest> = {},
): readonly string[] {
  const request = { from: { country: 'CN' }, to: { country: 'CH' }, items, ...more }
  const { lines } = oracleEstimate(rows, request, '2026-11-01')
  return lines.map(({ harmonizedCode, name, amountCents }) => {
    return `${harmonizedCode} ${name} ${(amountCents / 100).toFixed(2)}`
  })
}

describe('duties of the tariff', () => {
  test('a preference, two additional duties and an amount per tonne add up as published', () => {
    const measures = [
      measure('72021180', { adValoremPpm: 27_000 }),
      measure('', { measureType: 'preference', originGroup: 'GB', adValoremPpm: 0, agreement: 'pact' }),
      measure('72', { measureType: 'first', adValoremPpm: 250_000 }),
      measure('72', { measureType: 'second', adValoremPpm: 250_000 }),
      measure('7202', { measureType: 'third', specific: '144.1 EUR/tonne' }),
    ]
    const goods = item('72021180', 1000, { originCountry: 'GB', weightGrams: 2_000_000 })
    expect(
      linesOf(rowsWith(200_000, { measures }), [goods], { shippingCents: 25_089, insuranceCents: 1000 }),
    ).toEqual([
      '72021180 preference (pact) 0.00',
      '72021180 first 315.22',
      '72021180 second 315.22',
      '72021180 third 288.20',
      '72021180 VAT 435.91',
    ])
  })

  test('a minimum comes before a maximum', () => {
    const rate = { minimum: '13 EUR/100 kg', maximum: '15 EUR/100 kg - 7 EUR/100 kg' }
    const measures = [measure('02071190', { adValoremPpm: 138_000, ...rate })]
    const goods = item('02071190', 1200, { weightGrams: 10_000_000 })
    expect(linesOf(rowsWith(0, { measures }), [goods])[0]).toBe('02071190 third_country_duty 800.00')
  })

  test('a part that cannot be calculated has its line next to the other part', () => {
    const measures = [measure('02071190', { adValoremPpm: 100_000, specific: '9 EUR/100 kg' })]
    expect(linesOf(rowsWith(0, { measures }), [item('02071190', 50)]).slice(0, 2)).toEqual([
      '02071190 third_country_duty 5.00',
      '02071190 third_country_duty, part not estimated 0.00',
    ])
  })

  test.each([
    ['additive', '15.00', '10.00'],
    ['cap_total', '5.00', '10.00'],
    ['floor_total', '5.00', '10.00'],
    ['replace_base', '15.00', undefined],
  ] as const)('a measure of 15%% of kind %s is combined with a base duty of 10%%', (kind, amount, base) => {
    const measures = [
      measure('61091000', { adValoremPpm: 100_000 }),
      measure('61', { measureType: 'first', kind, adValoremPpm: 150_000 }),
    ]
    expect(linesOf(rowsWith(0, { measures }), [item('61091000', 100)]).slice(0, -1)).toEqual([
      ...(base === undefined ? [] : [`61091000 third_country_duty ${base}`]),
      `61091000 first ${amount}`,
    ])
  })

  test('a six-digit code gets the rate of the residual line; a lost zero and an ended code are corrected', () => {
    const measures = [
      measure('01012110', { adValoremPpm: 120_000 }),
      measure('01012120', { adValoremPpm: 50_000 }),
      measure('01012130', { adValoremPpm: 50_000 }),
    ]
    const successor = {
      dataSet,
      endedEdition: 'HS 2017',
      edition: 'HS 2022',
      endedCode: '010199',
      code: '010121',
    }
    const rows = rowsWith(0, { measures, hsSuccessors: [{ ...successor, isMain: true }] })
    for (const [given, line] of [
      ['010121', '010121 third_country_duty 5.00'],
      ['01012199', '010121 third_country_duty 5.00'],
      ['1012110', '01012110 third_country_duty 12.00'],
      ['0101.21.30', '01012130 third_country_duty 5.00'],
      ['010199', '010121 third_country_duty 5.00'],
    ] as const)
      expect(linesOf(rows, [item(given, 100)])[0]).toBe(line)
  })
})

describe('low-value rules', () => {
  const flat = threshold('flat_per_item', { limitAmount: '150', flatAmount: '3' })

  test('EUR 3 are charged once per code and origin', () => {
    const rows = rowsWith(0, { thresholds: [flat], taxes: [] })
    const total = (...items: readonly OracleItem[]): number =>
      oracleEstimate(rows, { from: { country: 'CN' }, to: { country: 'CH' }, items }, '2026-11-01')
        .estimateCents
    const shirts = item('610910', 5, { numberOfItems: 5 })
    expect(total(shirts)).toBe(300)
    expect(total(item('640419', 20), item('950300', 15), shirts)).toBe(900)
    const [chinese, indian] = ['CN', 'IN'].map((originCountry) => ({ ...shirts, originCountry }))
    expect(total(chinese!, indian!)).toBe(600)
    expect(total(chinese!, shirts)).toBe(300)
    expect(total(item('610910', 150.01))).toBe(0)
  })

  test('a tax up to CHF 5 is not levied: CHF 62 are free, CHF 63 are not', () => {
    const limit = { appliesTo: 'tax', limitAmount: '5', currency: 'CHF' } as const
    const rows = rowsWith(81_000, {
      jurisdictions: [land({ roundingUnit: '0.05' })],
      thresholds: [threshold('not_levied_up_to', limit)],
      exchangeRates: [at('CHF', '1')],
    })
    expect(linesOf(rows, [item('610910', 62)]).at(-1)).toBe('610910 VAT 0.00')
    expect(linesOf(rows, [item('610910', 63)]).at(-1)).toBe('610910 VAT 5.10')
  })

  test('a flat rate has a deduction, and a tax can be inside its base', () => {
    const rows = rowsWith(170_000, {
      thresholds: [threshold('flat_rate', { ratePpm: 600_000, deductAmount: '20', currency: 'USD' })],
      taxes: [tax({ base: 'inside' })],
      exchangeRates: [at('USD', '1.25')],
    })
    // 100 × 60% - 16 = 44; (100 + 44) / 0.83 × 17%.
    expect(linesOf(rows, [item('610910', 60), item('640419', 40)])).toEqual([
      '610910 Flat-rate customs duty 26.40',
      '640419 Flat-rate customs duty 17.60',
      '610910 VAT 17.70',
      '640419 VAT 11.80',
    ])
  })

  test('only the value above EUR 150 and its duty are charged, in proportion to value', () => {
    const duty = threshold('taxed_excess', { limitAmount: '150', ratePpm: 100_000 })
    const rows = rowsWith(200_000, { thresholds: [duty, { ...duty, appliesTo: 'tax', ratePpm: null }] })
    expect(linesOf(rows, [item('610910', 150), item('640419', 50)])).toEqual([
      '610910 Flat-rate customs duty 3.75',
      '640419 Flat-rate customs duty 1.25',
      '610910 VAT 8.25',
      '640419 VAT 2.75',
    ])
  })
})

describe('fees and values', () => {
  test('a value in yen is rounded down to thousands, and each amount to hundreds', () => {
    const rows = rowsWith(100_000, {
      jurisdictions: [
        land({ currency: 'JPY', valueUnit: '1000', roundingUnit: '100', roundingMode: 'down' }),
      ],
      measures: [measure('61091000', { adValoremPpm: 109_000 })],
      exchangeRates: [at('JPY', '100')],
    })
    // JPY 12,345 are 12,000; 10.9% are 1,308, charged 1,300; (12,345 + 1,308) are 13,000, of which 10% are 1,300.
    expect(linesOf(rows, [item('61091000', 123.45)])).toEqual([
      '61091000 third_country_duty 13.00',
      '61091000 VAT 13.00',
    ])
  })

  test('a fee by value has a minimum, is listed under the most valuable goods, and is taxed by value', () => {
    const fee: FeeRow = {
      ...always,
      dataSet,
      jurisdiction: 'CH',
      fee: 'fee',
      name: 'Fee',
      kind: 'share_of_value',
      status: 'levied',
      currency: 'USD',
      amount: '',
      ratePpm: 3464,
      minimum: '33.58',
      maximum: '651.50',
      notLeviedBelow: '',
      valueAbove: '2500',
      valueUpTo: '',
      itemDigits: null,
      recipient: 'any',
      importSchemes: [],
      paidByCarrier: false,
      inTaxBase: true,
      waivedByPreference: false,
      exemptOrigins: [],
      reason: '',
      enabled: true,
    }
    const rows = rowsWith(100_000, { fees: [fee], exchangeRates: [at('USD', '1')] })
    expect(linesOf(rows, [item('610910', 1000), item('640419', 3000)])).toEqual([
      '610910 Import duty (not estimated) 0.00',
      '640419 Import duty (not estimated) 0.00',
      '640419 Fee 33.58',
      '610910 VAT 100.84',
      '640419 VAT 302.52',
    ])
    expect(linesOf(rows, [item('610910', 2500)]).join()).not.toContain('Fee')
  })
})

test('random requests have one line per code, kind and name, add up, and reach every kind of line', () => {
  const seen = new Set<string>()
  for (let seed = 1; seed <= 150; seed++) {
    const dice = diceOf(seed)
    const rows = randomCustomsRows(dice)
    for (let count = 0; count < 8; count++) {
      const { request, date } = randomCustomsRequest(dice, rows)
      const { lines, estimateCents, sellerScheme } = oracleEstimate(rows, request, date)
      seen.add(`scheme ${sellerScheme}`)
      const keys = lines.map(({ harmonizedCode, kind, name }) => `${harmonizedCode} ${kind} ${name}`)
      expect(new Set(keys).size).toBe(keys.length)
      expect(lines.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(estimateCents)
      for (const { kind, name, amountCents, collectedBy } of lines) {
        expect(amountCents).toBeGreaterThanOrEqual(0)
        seen.add(`by ${collectedBy}`)
        if (amountCents > 0 || name.includes('estimated')) seen.add(`${kind} ${name}`)
      }
    }
  }
  const names = [...seen].join('\n')
  for (const part of [
    'DUTY Third country duty',
    'DUTY Third country duty, part not estimated',
    'DUTY Tariff preference',
    'DUTY Generalised preference',
    'DUTY Additional duty, safeguard',
    'DUTY Flat-rate customs duty',
    'DUTY Import duty (not estimated)',
    'FEE Fee',
    'VAT Value added tax',
    'GST Sales tax',
    'EXCISE Excise duty (not estimated)',
    'VAT Import tax (not estimated)',
    ...['by SELLER_AT_CHECKOUT', 'by CARRIER', 'by CUSTOMS', 'by UNKNOWN', 'scheme undefined'],
    ...['scheme IOSS REQUESTED', 'scheme IOSS REGISTERED', 'scheme IOSS ASSUMED'],
    ...['scheme NO-0 REQUESTED', 'scheme NO-0 REGISTERED', 'scheme NO-0 ASSUMED'],
  ])
    expect(names).toContain(part)
})
