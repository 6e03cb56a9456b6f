/** What goes missing when a set decides all of a scope and holds a part of it. */
import { expect, test } from 'vitest'
import { scopeLosses } from '../../../../src/core/customs/data-review/scope-loss.ts'
import { dollarOf, dutyOf, referenceOf, vatOf } from './small-reference.ts'

const SETS = { old: 0, new: 1 }
const CODES = Array.from({ length: 10 }, (_, index) => `6109100${index}`)

const duties = (dataSet: string, codes: readonly string[]) =>
  referenceOf(SETS, { measures: codes.map((code) => dutyOf(dataSet, code, 120_000)) })

test('more than a tenth of the codes of a tariff is a loss, a tenth is none', () => {
  const before = duties('old', CODES)
  expect(scopeLosses(before, duties('new', CODES.slice(1)))).toEqual([])
  expect(scopeLosses(before, duties('new', CODES.slice(2)))).toEqual([
    { table: 'measures', scope: 'GB third_country_duty', lost: 2, lineCount: 10 },
  ])
})

test('a code is not lost when a shorter one holds for it, or lines below it do', () => {
  expect(scopeLosses(duties('old', CODES), duties('new', ['6109']))).toEqual([])
  expect(
    scopeLosses(duties('old', ['61091000', '62034231']), duties('new', ['6109100010', '620342'])),
  ).toEqual([])
  // A line of a chapter is not the chapter.
  expect(scopeLosses(duties('old', ['61']), duties('new', ['61091000']))).toMatchObject([{ lost: 1 }])
})

test('reduced rates that give way to the standard rate are lost; what is decided by others as before is not', () => {
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
