/** The coverage of countries: counted from small data, and compared with the estimates of the shipped data. */
import { describe, expect, test } from 'vitest'
import { compileCustoms } from '../../../src/core/customs/compiled-customs.ts'
import { CHAPTER_COUNT, customsCoverage } from '../../../src/core/customs/coverage.ts'
import type { CustomsRows } from '../../../src/core/customs/data/rows.ts'
import { estimateRequest, givenCode } from '../../../src/core/customs/estimate/estimate.ts'
import { dutyBasis } from '../../../src/core/customs/estimate/explain/line.ts'
import { readHs2022Codes } from '../../../src/reference/customs.ts'
import {
  average,
  BASE_TYPE,
  customsRows,
  jurisdiction,
  measure,
  measureType,
  tax,
  taxRate,
  threshold,
} from '../../support/customs/customs-rows.ts'
import { shippedTables } from '../../support/customs/shipped-tables.ts'

const DAY = '2026-11-22'

function coverageOf(rest: Partial<CustomsRows>) {
  const rows = customsRows({
    measureTypes: [BASE_TYPE, measureType('preference', 'preference')],
    jurisdictions: [jurisdiction('NG', { name: 'Nigeria', reliefs: 'not_considered' })],
    ...rest,
  })
  const [coverage] = customsCoverage(compileCustoms(rows), DAY, ['NG'])
  if (coverage === undefined) throw new Error('no coverage')
  return coverage
}

const NG = { jurisdiction: 'NG' }

describe('the coverage of a country', () => {
  test('has a chapter under the most exact basis of its codes', () => {
    const { duties } = coverageOf({
      measures: [
        average('61', 9, 'x', NG),
        measure('610910', 12, { ...NG, level: 'subheading' }),
        average('62', 9, 'x', NG),
        measure('62034200', 12, NG),
        average('63', 9, 'x', NG),
        measure('64', 12, { ...NG, level: 'subheading', validTo: '2026-01-01' }),
        measure('65', 0, { ...NG, adValoremPpm: null, condition: 'not_loaded' }),
        average('', 0, 'x', { ...NG, adValoremPpm: null, condition: 'range_only' }),
      ],
    })
    expect(duties).toMatchObject({
      basis: 'NOT_LOADED',
      chapters: { NATIONAL_LINE: 1, SUBHEADING: 1, GROUP_AVERAGE: 1, NOT_LOADED: 93 },
      confidence: 'low',
    })
  })

  test('counts a rule for all goods in every chapter', () => {
    const { duties, confidence } = coverageOf({
      measures: [measure('', 6, { ...NG, confidence: 'medium' })],
      taxes: [tax('VAT', { ...NG, name: 'Value added tax', ratesOf: 'NG' })],
      taxRates: [taxRate('VAT', 7.5, NG)],
    })
    expect(duties).toMatchObject({ basis: 'NATIONAL_LINE', chapters: { NATIONAL_LINE: CHAPTER_COUNT } })
    expect(duties.dataSets.map(({ name }) => name)).toEqual(['test'])
    expect(confidence).toBe('medium')
  })

  test('has low confidence if a chapter has only an average or no rate', () => {
    const chapters = Array.from({ length: 97 }, (_, index) => String(index + 1).padStart(2, '0'))
    const taxes = [tax('VAT', { ...NG, status: 'none', reason: 'x' })]
    const confidences = ['04', '', '77'].map((missing) => {
      const rates = chapters.filter((code) => code !== missing).map((code) => measure(code, 0, NG))
      const food = average('04', 9, 'x', NG)
      return [[], [food]].map((more) => coverageOf({ measures: [...rates, ...more], taxes }).confidence)
    })
    expect(confidences).toEqual([
      ['low', 'low'],
      ['medium', 'medium'],
      ['medium', 'medium'],
    ])
  })

  test('lists taxes, rules and agreements', () => {
    const preference = { ...NG, measureType: 'preference', originGroup: 'CH' }
    const coverage = coverageOf({
      taxes: [
        tax('VAT', { ...NG, name: 'Value added tax', ratesOf: 'NG' }),
        tax('EXCISE', { ...NG, kind: 'EXCISE', status: 'not_estimated', reason: 'x' }),
        tax('LUXURY', { ...NG, name: 'Luxury tax', ratesOf: 'NG', codePrefixes: ['7113'] }),
        tax('CITY', { ...NG, name: 'City tax', status: 'not_estimated', reason: 'x' }),
      ],
      taxRates: [taxRate('VAT', 7.5, NG), taxRate('VAT', 0, { ...NG, codePrefix: '30' })],
      thresholds: [
        threshold('relief_up_to', { ...NG, limitAmount: '10' }),
        threshold('relief_up_to', { ...NG, limitAmount: '20', enabled: false }),
        threshold('relief_up_to', { ...NG, limitAmount: '20', validTo: '2026-01-01' }),
      ],
      measures: [
        measure('', 0, { ...preference, agreement: 'A' }),
        measure('01', 0, { ...preference, agreement: 'A', adValoremPpm: null, condition: 'not_loaded' }),
        measure('', 0, { ...preference, agreement: 'B', adValoremPpm: null, condition: 'not_loaded' }),
      ],
    })
    expect(coverage).toMatchObject({
      ...{ country: 'NG', name: 'Nigeria', dutyRules: 1, taxRules: 0, hasAllRules: false },
      ...{ agreements: 1, agreementsWithoutRates: 1, confidence: 'low' },
      taxes: [
        { name: 'Value added tax', status: 'levied', ratePpm: 75_000, confidence: 'high' },
        { name: 'City tax', status: 'not_estimated', ratePpm: undefined, confidence: 'low' },
      ],
    })
  })
})

describe('the coverage of the shipped data', () => {
  const tables = shippedTables()
  const coverage = customsCoverage(tables, DAY)

  test('has every country once, and 96 chapters each', () => {
    expect(coverage).toHaveLength(250)
    expect(new Set(coverage.map(({ country }) => country)).size).toBe(250)
    for (const { duties } of coverage)
      expect(Object.values(duties.chapters).reduce((sum, count) => sum + count)).toBe(CHAPTER_COUNT)
  })

  test('has low confidence for every country without rates for some chapters', () => {
    const incomplete = coverage.filter(({ duties }) => duties.chapters.NATIONAL_LINE < CHAPTER_COUNT)
    const hasGap = incomplete.filter(
      ({ duties: { chapters } }) => chapters.NOT_LOADED + chapters.GROUP_AVERAGE > 0,
    )
    expect(hasGap.map(({ country }) => country)).toEqual(
      expect.arrayContaining(['AU', 'CH', 'LI', 'NO', 'SG']),
    )
    expect(hasGap.filter(({ confidence }) => confidence !== 'low')).toEqual([])
  })

  test('leaves out countries that do not exist', () => {
    expect(customsCoverage(tables, DAY, ['ZZ', 'NL', 'JP']).map(({ country }) => country)).toEqual([
      'JP',
      'NL',
    ])
  })

  test('covers every chapter in which an estimate has a rate', () => {
    const order = ['NATIONAL_LINE', 'SUBHEADING', 'GROUP_AVERAGE', 'NOT_LOADED'] as const
    const codes = [...readHs2022Codes()]
    const differing = coverage.flatMap(({ country, duties }) => {
      const best = new Map<string, number>()
      for (const code of codes) {
        if (Number(code) % 17 !== 0) continue
        const request = {
          from: { country: 'BV' },
          to: { country },
          items: [{ description: 'goods', numberOfItems: 1, costSteps: 5_000_000_000_000 }],
          recipient: 'business' as const,
        }
        const { taxes } = estimateRequest(tables, request, [givenCode(code)], DAY)
        const [line] = taxes
        if (line?.calculation.kind === 'charged' && line.calculation.rule === 'threshold') continue
        const basis = line && dutyBasis(line)
        if (basis === undefined) continue
        const chapter = code.slice(0, 2)
        best.set(chapter, Math.min(best.get(chapter) ?? order.length, order.indexOf(basis)))
      }
      const loaded = [...best.values()].filter((index) => index < 3).length
      const covered = CHAPTER_COUNT - duties.chapters.NOT_LOADED
      return loaded <= covered ? [] : [`${country}: ${loaded} chapters have rates, ${covered} are covered`]
    })
    expect(differing).toEqual([])
  }, 120_000)
})
