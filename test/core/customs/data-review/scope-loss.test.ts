/** Rows that are lost because a set replaces a whole scope but contains only some of its rows. */
import { expect, test } from 'vitest'
import { scopeLosses } from '../../../../src/core/customs/data-review/scope-loss.ts'
import { dollarOf, dutyOf, referenceOf, vatOf } from './small-reference.ts'

const SETS = { old: 0, new: 1 }
const CODES = Array.from({ length: 10 }, (_, index) => `6109100${index}`)

const duties = (dataSet: string, codes: readonly string[]) =>
  referenceOf(SETS, { measures: codes.map((code) => dutyOf(dataSet, code, 120_000)) })

test('reports a loss of more than a tenth of the codes of a tariff, but not of a tenth', () => {
  const before = duties('old', CODES)
  expect(scopeLosses(before, duties('new', CODES.slice(1)))).toEqual([])
  expect(scopeLosses(before, duties('new', CODES.slice(2)))).toEqual([
    { table: 'measures', scope: 'GB third_country_duty', lost: 2, lineCount: 10 },
  ])
})

test('does not report a code that a shorter code or lines below it cover', () => {
  expect(scopeLosses(duties('old', CODES), duties('new', ['6109']))).toEqual([])
  expect(
    scopeLosses(duties('old', ['61091000', '62034231']), duties('new', ['6109100010', '620342'])),
  ).toEqual([])
  // A row for one tariff line does not replace the row for its chapter.
  expect(scopeLosses(duties('old', ['61']), duties('new', ['61091000']))).toMatchObject([{ lost: 1 }])
})

test('reports reduced rates that are missing, but not replaced ones or added days', () => {
  const vat = (dataSet: string, codes: readonly string[]) =>
    referenceOf(SETS, { taxRates: codes.map((code) => vatOf(dataSet, code, 200_000)) })
  expect(scopeLosses(vat('old', ['', '4901']), vat('new', ['']))).toEqual([
    { table: 'taxRates', scope: 'GB VAT', lost: 1, lineCount: 2 },
  ])
  expect(scopeLosses(vat('old', ['4901']), vat('new', ['4902']))).toEqual([])
  const rates = referenceOf(SETS, { exchangeRates: [dollarOf('old', '2026-01-01', '1.1')] })
  const more = [...rates.exchangeRates, dollarOf('new', '2026-02-01', '1.2')]
  expect(scopeLosses(rates, { ...rates, exchangeRates: more })).toEqual([])
})
