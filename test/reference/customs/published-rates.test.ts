/**
 * Estimates compared with a sample of the publishers' files. The expected rates were derived from those files by a
 * separate program, not by the importers of this repository: `published-rates.csv` has base duties and preferences,
 * `published-us-duties.csv` the base duty of the United States and its additional duties in percent.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { classifyItems, estimateRequest } from '../../../src/core/customs/estimate/estimate.ts'
import { dutyBasis, lineRatePercent } from '../../../src/core/customs/estimate/explain/line.ts'
import type { TaxLine } from '../../../src/core/customs/estimate/tax-line.ts'
import { checkDutiesRequest } from '../../../src/core/customs/request.ts'
import type { Measure } from '../../../src/core/customs/tariff/measure.ts'
import { shippedTables } from '../../support/customs/shipped-tables.ts'

const tables = shippedTables()
const VALUE = 10_000

function readSample(name: string): readonly (readonly string[])[] {
  const [, ...lines] = readFileSync(new URL(name, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => line.split(','))
}

/** The duties on goods of a business whose value is above all low-value rules. */
function duties(to: string, code: string, origin: string): readonly TaxLine[] {
  const request = checkDutiesRequest({
    from: { country: origin },
    to: { country: to },
    contentItems: [
      { description: 'goods', tariff: code, numberOfItems: 1, cost: VALUE, originCountry: origin },
    ],
    recipientType: 'business',
  })
  if ('kind' in request) throw new Error(JSON.stringify(request.fields))
  const classified = classifyItems(request.items, () => [])
  return estimateRequest(tables, request, classified, '2026-11-23').taxes.filter(
    ({ kind }) => kind === 'DUTY',
  )
}

function chargedMeasure({ calculation }: TaxLine): Measure | undefined {
  return calculation.kind === 'charged' && calculation.rule === 'measure'
    ? calculation.facts.measure
    : undefined
}

describe('the duty on a sample of published codes has the published rate, basis and data set', () => {
  test.each(readSample('published-rates.csv'))('to %s: %s of %s: %s% %s %s %s', (...sample) => {
    const [to = '', code = '', origin = '', rate, basis, dataSet, date] = sample
    const [line] = duties(to, code, origin)
    if (line === undefined) throw new Error('no duty')
    const { row } = chargedMeasure(line) ?? expect.fail(`no duty: ${line.name}`)
    expect(lineRatePercent(line)).toBe(rate)
    if (basis !== '') expect(dutyBasis(line)).toBe(basis)
    expect([row.dataSet, tables.dataSets.get(row.dataSet)?.date]).toEqual([dataSet, date])
  })
})

describe('the duties of the United States on a sample of ten-digit codes are the published ones', () => {
  test.each(readSample('published-us-duties.csv'))('%s of %s: %s% and "%s"', (...sample) => {
    const [code = '', origin = '', base, additional = ''] = sample
    const [first, ...others] = duties('US', code, origin)
    expect(first && lineRatePercent(first)).toBe(base)
    const found = others.flatMap((line) => {
      const measure = chargedMeasure(line)
      return measure === undefined || line.amountCents === 0
        ? []
        : [`${measure.row.measureType}:${line.amountCents / VALUE}`]
    })
    expect(found.sort()).toEqual(additional.split(' ').filter((text) => text !== ''))
  })
})
