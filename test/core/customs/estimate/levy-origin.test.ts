/**
 * Levies that goods of some origins do not owe. By default goods are sent from "BB" to "AA". Figures are calculated by
 * hand.
 */
import { describe, expect, test } from 'vitest'
import type { CustomsRows } from '../../../../src/core/customs/data/rows.ts'
import { estimateRequest, givenCode } from '../../../../src/core/customs/estimate/estimate.ts'
import type { DutiesRequest } from '../../../../src/core/customs/request.ts'
import { customsRows, fee, measure, tax, taxRate } from '../../../support/customs/customs-rows.ts'
import { shippedTables } from '../../../support/customs/shipped-tables.ts'
import {
  lineTexts,
  type SmallItem,
  shortLines,
  smallEstimate,
} from '../../../support/customs/small-estimate.ts'

const LEVY = fee('share_of_value', {
  name: 'Levy',
  ratePpm: 10_000,
  inTaxBase: true,
  exemptOrigins: ['UNION', 'DD'],
})
const rows: CustomsRows = customsRows({
  originGroups: [{ originGroup: 'UNION', country: 'CC' }].map((row) => ({ dataSet: 'test', ...row })),
  measures: [measure('61', 0), measure('64', 0)],
  taxes: [tax('VAT')],
  taxRates: [taxRate('VAT', 10)],
  fees: [LEVY],
})

const from = (originCountry: string, code = '610910', cost = 100): SmallItem => [
  code,
  1,
  cost,
  { originCountry },
]

function levyLines(items: readonly SmallItem[], rest: Partial<DutiesRequest> = {}): readonly string[] {
  return shortLines(smallEstimate(rows, items, rest)).filter((line) => !line.includes('duty'))
}

describe('a levy with exempt origins', () => {
  test('is charged on goods of other origins', () => {
    expect(levyLines([from('BB')])).toEqual(['610910 Levy 100', '610910 VAT 1010'])
  })
  test.each(['CC', 'DD'])('is a line of zero for goods of %s, with the reason', (origin) => {
    const result = smallEstimate(rows, [from(origin)])
    expect(shortLines(result).slice(1)).toEqual(['610910 Levy 0', '610910 VAT 1000'])
    expect(result.complete).toBe(true)
    expect(lineTexts(result)[1]).toContain('No fee: goods of this origin are exempt.')
  })
  test('is charged if the origin is not given, although the goods are sent from an exempt country', () => {
    expect(levyLines([['610910', 1, 100]], { from: { country: 'CC' } })).toContain('610910 Levy 100')
  })
  test('is charged on goods without a proof of origin', () => {
    expect(levyLines([from('CC')], { preferences: false })).toContain('610910 Levy 100')
  })
  test('counts the value of the other goods only, and is in the tax base of these', () => {
    // 1% of 50. The most valuable item is exempt, so the line has the code of the shoes.
    expect(levyLines([from('CC'), from('BB', '640399', 50)])).toEqual([
      '640399 Levy 50',
      '610910 VAT 1000',
      '640399 VAT 505',
    ])
  })
  test('counts a part of the goods of one code', () => {
    const result = smallEstimate(rows, [from('BB', '610910', 30), from('CC', '610910', 100)])
    expect(shortLines(result)).toContain('610910 Levy 30')
    expect(result.taxes.find(({ name }) => name === 'Levy')?.items).toEqual([0])
  })
})

describe('the shipped levies', () => {
  const tables = shippedTables()
  const levies = (to: string, originCountry?: string): readonly string[] => {
    const item = { description: 'shirt', numberOfItems: 1, costSteps: 1_000_000_000, tariff: '610910' }
    const request: DutiesRequest = {
      from: { country: originCountry ?? 'CN' },
      to: { country: to },
      items: [originCountry === undefined ? item : { ...item, originCountry }],
    }
    const estimate = estimateRequest(tables, request, [givenCode('610910')], '2026-11-23')
    return estimate.taxes
      .filter(({ kind }) => kind === 'FEE')
      .map(({ name, amountCents, computed }) => `${name} ${amountCents}${computed ? '' : '?'}`)
  }

  test.each([
    [
      'SN',
      'CN',
      ['ECOWAS community levy 500', 'Community solidarity levy (UEMOA) 800', 'Statistical fee 1000'],
    ],
    // Ghana is in ECOWAS, but not in UEMOA.
    [
      'SN',
      'GH',
      ['ECOWAS community levy 0', 'Community solidarity levy (UEMOA) 800', 'Statistical fee 1000'],
    ],
    ['SN', 'CI', ['ECOWAS community levy 0', 'Community solidarity levy (UEMOA) 0', 'Statistical fee 1000']],
    [
      'GH',
      'CN',
      ['ECOWAS community levy 500', 'African Union levy 200', 'Other import levies (not estimated) 0?'],
    ],
    [
      'GH',
      'KE',
      ['ECOWAS community levy 500', 'African Union levy 0', 'Other import levies (not estimated) 0?'],
    ],
    // Benin is in OHADA, but not in CEMAC or CEEAC. The Democratic Republic of the Congo is in CEEAC and OHADA.
    [
      'CM',
      'BJ',
      ['Community integration tax (CEMAC) 1000', 'OHADA levy 0', 'Community contribution (CEEAC) 400'],
    ],
    [
      'CM',
      'CD',
      ['Community integration tax (CEMAC) 1000', 'OHADA levy 0', 'Community contribution (CEEAC) 0'],
    ],
    ['CM', 'GA', ['Community integration tax (CEMAC) 0', 'OHADA levy 0', 'Community contribution (CEEAC) 0']],
  ])('to %s, of goods of %s', (to, origin, expected) => {
    expect(levies(to, origin)).toEqual(expected)
  })
  test('are charged in full without an origin', () => {
    expect(levies('CM')).toEqual([
      'Community integration tax (CEMAC) 1000',
      'OHADA levy 50',
      'Community contribution (CEEAC) 400',
    ])
  })
})
