/** Low-value rules that depend on how goods are imported: the given or assumed scheme, and the other one. */
import { describe, expect, test } from 'vitest'
import type { FeeRow } from '../../../../src/core/customs/data/row-types/fees.ts'
import type { ThresholdRow } from '../../../../src/core/customs/data/row-types/thresholds.ts'
import type { CustomsRows } from '../../../../src/core/customs/data/rows.ts'
import { type DutiesEstimate, otherSchemeOf } from '../../../../src/core/customs/estimate/estimate.ts'
import { collectorOf } from '../../../../src/core/customs/estimate/import-schemes/collector.ts'
import type { DutiesRequest } from '../../../../src/core/customs/request.ts'
import { readShippedCustomsData } from '../../../../src/reference/customs.ts'
import {
  BASE_TYPE,
  customsRows,
  jurisdiction,
  measure,
  sellerScheme,
  tax,
  taxRate,
  threshold,
} from '../../../support/customs/customs-rows.ts'
import { lineTexts, shortLines, smallEstimate } from '../../../support/customs/small-estimate.ts'

const FLAT = threshold('flat_per_item', {
  ...{ limitAmount: '150', flatAmount: '3', recipient: 'individual', importSchemes: ['IOSS', 'POSTAL'] },
  reason: 'EUR 3 for each item',
})
const FLAT_LINE = '610910 Flat-rate customs duty 300'
const TARIFF_LINE = '610910 Most-favoured-nation duty 1200'

function estimate(
  request: Partial<DutiesRequest> = {},
  thresholds: readonly ThresholdRow[] = [FLAT],
  rest: Partial<CustomsRows> = {},
  cost = 100,
): DutiesEstimate {
  const rows = customsRows({
    measureTypes: [BASE_TYPE],
    jurisdictions: [jurisdiction('AA'), jurisdiction('BB')],
    taxes: [tax('VAT')],
    taxRates: [taxRate('VAT', 10)],
    measures: [measure('61', 12)],
    thresholds,
    ...rest,
  })
  return smallEstimate(rows, [['610910', 1, cost]], request)
}

const dutyOf = (answer: DutiesEstimate): string | undefined => shortLines(answer)[0]

describe('a rule for some import schemes', () => {
  test.each([
    ['IOSS', FLAT_LINE, 'COURIER'],
    ['POSTAL', FLAT_LINE, 'COURIER'],
    ['COURIER', TARIFF_LINE, 'IOSS'],
  ] as const)('under %s gives %s; the other scheme is %s', (importScheme, line, other) => {
    const answer = estimate({ importScheme })
    expect(dutyOf(answer)).toBe(line)
    expect(otherSchemeOf(answer)).toBe(other)
    expect(lineTexts(answer)[0]).not.toContain('import under')
  })

  test('applies if the scheme is not known, and its line states the assumption', () => {
    const answer = estimate()
    expect(dutyOf(answer)).toBe(FLAT_LINE)
    expect(lineTexts(answer)[0]).toContain('an import under IOSS or by post is assumed')
    expect(otherSchemeOf(answer)).toBe('COURIER')
  })

  test('of several, the first that fits decides what is assumed, for duty and tax alike', () => {
    const courier = threshold('flat_rate', { ratePpm: 200_000, importSchemes: ['COURIER'] })
    const relief = { ...FLAT, appliesTo: 'tax', kind: 'relief_up_to' } as const
    const answer = estimate({}, [courier, FLAT, relief])
    expect(shortLines(answer)).toEqual(['610910 Flat-rate customs duty 2000', '610910 VAT 1200'])
    expect(lineTexts(answer)[0]).toContain('an import by courier is assumed')
    expect(otherSchemeOf(answer)).toBe('IOSS')
  })

  test('on tax states the assumption too', () => {
    const relief = threshold('relief_up_to', {
      ...{ appliesTo: 'tax', limitAmount: '150', importSchemes: ['IOSS'], reason: 'collected by the seller' },
    })
    expect(lineTexts(estimate({}, [relief]))[1]).toContain(
      'No tax: collected by the seller; an import under IOSS is assumed;',
    )
  })
})

describe('a rule that covers none of the goods', () => {
  const forWatches = threshold('flat_rate', {
    ...{ ratePpm: 200_000, importSchemes: ['COURIER'], includedPrefixes: ['91'] },
  })

  test('does not decide which scheme is assumed', () => {
    const answer = estimate({}, [forWatches, FLAT])
    expect(dutyOf(answer)).toBe(FLAT_LINE)
    expect(lineTexts(answer)[0]).toContain('an import under IOSS or by post is assumed')
  })
  test('has no other scheme', () => {
    expect(otherSchemeOf(estimate({}, [forWatches]))).toBeUndefined()
    expect(otherSchemeOf(estimate({}, [{ ...FLAT, excludedPrefixes: ['61'] }]))).toBeUndefined()
  })
})

describe('there is no other scheme', () => {
  test.each<[string, DutiesEstimate]>([
    ['above the limit of the rule', estimate({}, [FLAT], {}, 200)],
    ['for a business, which the rule excludes', estimate({ recipient: 'business' })],
    ['without a rule that depends on the scheme', estimate({}, [{ ...FLAT, importSchemes: [] }])],
    ['inside one customs and tax area', estimate({ from: { country: 'AA' } })],
    [
      'inside one customs area, where no duty is due',
      estimate({}, [FLAT], {
        jurisdictions: ['AA', 'BB'].map((code) => jurisdiction(code, { customsAreas: ['AA'] })),
      }),
    ],
  ])('%s', (_, answer) => {
    expect(otherSchemeOf(answer)).toBeUndefined()
  })
})

test('a tax that cannot be estimated is not collected by the seller if a flat rate replaces the taxes', () => {
  const flatRate = threshold('flat_rate', { ratePpm: 200_000, replacesTaxes: true })
  const rest = { taxes: [tax('VAT', { status: 'not_estimated' })], sellerSchemes: [sellerScheme('AA')] }
  const collectorUnder = (...thresholds: ThresholdRow[]) => {
    const { consignment, taxes } = estimate({}, thresholds, rest)
    return collectorOf(consignment, taxes[1]!)
  }
  expect(collectorUnder()).toBe('SELLER_AT_CHECKOUT')
  expect(collectorUnder(flatRate)).toBe('UNKNOWN')
})

describe('the handling fee of the EU', () => {
  const rows = readShippedCustomsData()
  const isHandling = (row: FeeRow): boolean => row.jurisdiction === 'EU' && row.fee === 'HANDLING'
  const linesWith = (fees: readonly FeeRow[], recipient: 'individual' | 'business') =>
    shortLines(
      smallEstimate({ ...rows, fees }, [['61091000', 5, 100]], {
        ...{ from: { country: 'CN' }, to: { country: 'NL' }, recipient },
      }),
    )

  test('is loaded with EUR 2 for each item and not estimated, since it is not verified', () => {
    expect(rows.fees.filter(isHandling)).toMatchObject([
      { kind: 'per_line', currency: 'EUR', amount: '2', enabled: false, confidence: 'low' },
    ])
    expect(linesWith(rows.fees, 'individual')).toContain('61091000 Handling fee (not estimated) 0?')
  })

  test('is charged at any value once a row switches it on, except to a business', () => {
    const fees = rows.fees.map((row) => (isHandling(row) ? { ...row, enabled: true } : row))
    expect(linesWith(fees, 'individual')).toContain('61091000 Handling fee 200')
    expect(linesWith(fees, 'business').join()).not.toContain('Handling fee')
  })
})
