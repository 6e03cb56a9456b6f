/**
 * Oracle for estimates: fees and taxes, as unrounded lines.
 * Rules: docs/customs-data.md#how-an-estimate-is-calculated; docs/decisions/customs.md#d27 and D61.
 */
import type { FeeRow } from '../../../../src/core/customs/data/tables/fees.ts'
import type { TaxRateRow, TaxRow } from '../../../../src/core/customs/data/tables/taxes.ts'
import { type Consignment, cutToUnit, inEuro, valueOfGoods } from './case.ts'
import { holds } from './code.ts'
import type { GoodsDuties, UnroundedLine } from './duties.ts'
import {
  compare,
  type Fraction,
  fraction,
  greater,
  lesser,
  minus,
  ONE,
  over,
  plus,
  ppm,
  shareOf,
  sum,
  times,
  ZERO,
} from './fraction.ts'
import { excessOf, isNotLevied, timesCounted, valueThreshold } from './threshold.ts'

/** The lines of fees, and the part of them in the base of the taxes on a code. Euro. */
export type Fees = { readonly lines: readonly UnroundedLine[]; inTaxBase(code: string): Fraction }

export function feesOf(consignment: Consignment, duties: readonly GoodsDuties[]): Fees {
  const { rows, area, to, movement, mainCode } = consignment
  if (movement !== 'import' || mainCode === undefined) return { lines: [], inTaxBase: () => ZERO }
  const fees = [
    ...rows.fees.filter((row) => row.jurisdiction === area && area !== to.code),
    ...rows.fees.filter((row) => row.jurisdiction === to.code),
  ].filter((row) => isDue(consignment, row))
  const groups = fees.map((row) => ({ row, lines: feeLines(consignment, row, duties, mainCode) }))
  const codes = [...new Set(duties.map(({ goods }) => goods.code))]
  const valueOfCode = (code: string): Fraction =>
    sum(duties.flatMap(({ goods }) => (goods.code === code ? [goods.customsValue] : [])))
  return {
    lines: groups.flatMap(({ lines }) => lines),
    inTaxBase: (code) =>
      sum(
        groups.flatMap(({ row, lines }) => {
          if (!row.inTaxBase) return []
          if (row.kind === 'per_line' && row.status === 'levied' && !isWaived(row, duties))
            return lines.flatMap((one) => (one.harmonizedCode === code ? [one.amount] : []))
          const whole = sum(lines.map(({ amount }) => amount))
          return [shareOf(whole, valueOfCode(code), valueOfGoods(consignment), codes.length)]
        }),
      ),
  }
}

function isWaived(row: FeeRow, duties: readonly GoodsDuties[]): boolean {
  return row.waivedByPreference && duties.every(({ claimsPreference }) => claimsPreference)
}

function isDue(consignment: Consignment, row: FeeRow): boolean {
  const { request, date, goodsValue } = consignment
  if (!row.enabled || !holds(row, date)) return false
  if (row.recipient !== 'any' && row.recipient !== (request.recipient ?? 'individual')) return false
  if (inEuro(consignment, '1', row.currency) === undefined) return false
  if (row.valueAbove !== '' && compare(goodsValue, inEuro(consignment, row.valueAbove, row.currency)!) <= 0)
    return false
  return row.valueUpTo === '' || compare(goodsValue, inEuro(consignment, row.valueUpTo, row.currency)!) <= 0
}

function feeLines(
  consignment: Consignment,
  row: FeeRow,
  duties: readonly GoodsDuties[],
  mainCode: string,
): readonly UnroundedLine[] {
  const line = (
    harmonizedCode: string,
    base: Fraction,
    amount: Fraction,
    computed = true,
  ): UnroundedLine => ({
    harmonizedCode,
    kind: 'FEE',
    name: computed ? row.name : `${row.name} (not estimated)`,
    amount,
    base,
    computed,
  })
  const limit = (text: string): Fraction => inEuro(consignment, text, row.currency)!
  const whole = valueOfGoods(consignment)
  if (isWaived(row, duties)) return [line(mainCode, whole, ZERO)]
  if (row.status === 'not_estimated') return [line(mainCode, whole, ZERO, false)]
  const fixed = row.amount === '' ? ZERO : limit(row.amount)
  const least = row.notLeviedBelow === '' ? ZERO : limit(row.notLeviedBelow)
  const unlessTooLittle = (amount: Fraction): Fraction => (compare(amount, least) < 0 ? ZERO : amount)
  switch (row.kind) {
    case 'per_line': {
      const all = duties.map(({ goods }) => goods)
      return all.map((goods) =>
        line(goods.code, goods.customsValue, times(fixed, fraction(timesCounted(goods, all)))),
      )
    }
    case 'per_consignment':
      return [line(mainCode, whole, unlessTooLittle(fixed))]
    case 'share_of_value': {
      let amount = times(whole, ppm(row.ratePpm ?? 0))
      if (row.minimum !== '') amount = greater(amount, limit(row.minimum))
      if (row.maximum !== '') amount = lesser(amount, limit(row.maximum))
      return [line(mainCode, whole, unlessTooLittle(amount))]
    }
  }
}

/** Adds up the duties on all goods of a code. Taxes do not depend on the origin. */
function joinOrigins(duties: readonly GoodsDuties[]): GoodsDuties {
  const [first] = duties as [GoodsDuties, ...GoodsDuties[]]
  const add = (part: 'goodsValue' | 'freight' | 'customsValue') => sum(duties.map(({ goods }) => goods[part]))
  return {
    ...first,
    goods: {
      ...first.goods,
      goodsValue: add('goodsValue'),
      freight: add('freight'),
      customsValue: add('customsValue'),
    },
    threshold: duties.find(({ threshold }) => threshold?.replacesTaxes)?.threshold,
    total: sum(duties.map(({ total }) => total)),
  }
}

/** The lines of all taxes, code by code. */
export function taxLines(
  consignment: Consignment,
  duties: readonly GoodsDuties[],
  fees: Fees,
): readonly UnroundedLine[] {
  const { rows, to, movement, request } = consignment
  if (movement === 'inside') return []
  const taxes = rows.taxes.filter(({ jurisdiction }) => jurisdiction === to.code)
  const recipient = request.recipient ?? 'individual'
  const codes = [...new Set(duties.map(({ goods }) => goods.code))]
  const joined = codes.map((code) => joinOrigins(duties.filter(({ goods }) => goods.code === code)))
  const unrounded = joined.flatMap((one) => {
    const { code, customsValue } = one.goods
    if (taxes.length === 0) {
      const name = 'Import tax (not estimated)'
      const nothing = { amount: ZERO, base: customsValue, computed: false }
      return [{ levied: false, line: { harmonizedCode: code, kind: 'VAT' as const, name, ...nothing } }]
    }
    return taxes
      .filter((tax) => tax.recipient === 'any' || tax.recipient === recipient)
      .filter(({ codePrefixes }) => codePrefixes.length === 0 || codePrefixes.some((p) => code.startsWith(p)))
      .map((tax) => {
        const worked = workOutTax(consignment, one, fees, tax)
        const name = worked.computed ? tax.name : `${tax.name} (not estimated)`
        return {
          levied: tax.status === 'levied',
          line: { harmonizedCode: code, kind: tax.kind, name, ...worked },
        }
      })
  })
  const total = sum(unrounded.flatMap(({ levied, line }) => (levied ? [line.amount] : [])))
  const isLevied = !isNotLevied(consignment, 'tax', total)
  return unrounded.map(({ levied, line }) => (levied && !isLevied ? { ...line, amount: ZERO } : line))
}

function workOutTax(
  consignment: Consignment,
  { goods, threshold, total }: GoodsDuties,
  fees: Fees,
  tax: TaxRow,
): { amount: Fraction; base: Fraction; computed: boolean } {
  const { to, movement } = consignment
  const rule = valueThreshold(consignment, 'tax', goods)
  let value = times(goods.customsValue, plus(ONE, ppm(tax.upliftPpm)))
  if (tax.includesFreight && to.valuation === 'FOB') value = plus(value, goods.freight)
  if (movement === 'import') value = sum([value, total, fees.inTaxBase(goods.code)])
  if (rule?.kind === 'taxed_excess') value = excessOf(consignment, rule, goods)
  const row = rateOf(consignment, tax, goods.code)
  const cut = cutToUnit(consignment, value)
  const isReplaced = tax.status === 'levied' && threshold?.replacesTaxes === true
  if (tax.status === 'none' || isReplaced || rule?.kind === 'relief_up_to')
    return { amount: ZERO, base: cut, computed: true }
  if (tax.status === 'not_estimated' || row === undefined) return { amount: ZERO, base: cut, computed: false }
  const rate = ppm(row.ratePpm)
  const base = tax.base === 'inside' ? over(cut, minus(ONE, rate)) : cut
  return { amount: times(base, rate), base, computed: true }
}

/** The longest prefix; of equals, the later first day, and then a row with an end. */
function rateOf({ rows, date }: Consignment, tax: TaxRow, code: string): TaxRateRow | undefined {
  const fitting = rows.taxRates.filter(
    (row) =>
      row.jurisdiction === tax.ratesOf &&
      row.tax === tax.tax &&
      holds(row, date) &&
      code.startsWith(row.codePrefix),
  )
  let best: TaxRateRow | undefined
  for (const row of fitting) {
    const order =
      best === undefined
        ? 1
        : row.codePrefix.length - best.codePrefix.length ||
          Number((row.validFrom ?? '') > (best.validFrom ?? '')) -
            Number((row.validFrom ?? '') < (best.validFrom ?? '')) ||
          Number(row.validTo !== null) - Number(best.validTo !== null)
    if (order > 0) best = row
  }
  return best
}
