/**
 * Oracle for estimates: fees and taxes, as unrounded lines.
 * Rules: docs/customs-data.md#taxes-fees-and-territories and #excise; docs/decisions/customs.md#d171 and D202.
 */
import type { FeeRow } from '../../../../src/core/customs/data/row-types/fees.ts'
import type { ExciseRateRow, TaxRateRow, TaxRow } from '../../../../src/core/customs/data/row-types/taxes.ts'
import {
  type Consignment,
  customsValueOf,
  cutToUnit,
  type Goods,
  inEuro,
  type OracleItem,
  valueOfGoods,
} from './case.ts'
import { holds } from './code.ts'
import type { GoodsDuties, UnroundedLine } from './duties.ts'
import {
  compare,
  type Fraction,
  fraction,
  greater,
  isZero,
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
import { rateAmount, strengthOf } from './rate.ts'
import { isSellersTax } from './seller-scheme.ts'
import {
  excessOf,
  feesOnRoute,
  fitsScheme,
  importScheme,
  isNotLevied,
  isRuleLeftOut,
  lacksRate,
  timesCounted,
  valueThreshold,
} from './threshold.ts'

/** The lines of fees, and the part of them in the base of the taxes on a code. Euro. */
export type Fees = { readonly lines: readonly UnroundedLine[]; inTaxBase(code: string): Fraction }

export function feesOf(consignment: Consignment, duties: readonly GoodsDuties[]): Fees {
  const { movement, mainCode } = consignment
  if (movement !== 'import' || mainCode === undefined) return { lines: [], inTaxBase: () => ZERO }
  const scheme = importScheme(consignment)
  const fees = feesOnRoute(consignment).filter((row) => fitsScheme(row, scheme))
  const groups = fees.map((row) => ({
    row,
    lines: feeLines(consignment, row, duties, mainCode),
    liable: duties.filter((one) => isLiable(consignment, row, one)),
  }))
  const codes = [...new Set(duties.map(({ goods }) => goods.code))]
  return {
    lines: groups.flatMap(({ lines }) => lines),
    inTaxBase: (code) =>
      sum(
        groups.flatMap(({ row, lines, liable }) => {
          if (!row.inTaxBase) return []
          const isPerLine = isLeviedPerLine(consignment, row)
          if (isPerLine && !isWaived(row, duties))
            return lines.flatMap((one) => (one.harmonizedCode === code ? [one.amount] : []))
          const whole = sum(lines.map(({ amount }) => amount))
          const ofCode = liable.filter(({ goods }) => goods.code === code)
          return [shareOf(whole, totalValue(ofCode), totalValue(liable), codes.length)]
        }),
      ),
  }
}

function totalValue(duties: readonly GoodsDuties[]): Fraction {
  return sum([ZERO, ...duties.map(({ goods }) => goods.customsValue)])
}

/** False for goods of an origin that is exempt from the fee. Preferences have to be claimed, and the origin given. */
function isLiable(
  { rows, request }: Consignment,
  { exemptOrigins }: FeeRow,
  { goods }: GoodsDuties,
): boolean {
  const { origin } = goods
  if (origin === undefined || request.preferences === false) return true
  return !exemptOrigins.some(
    (name) =>
      name === 'ALL' ||
      name === origin ||
      rows.originGroups.some((row) => row.originGroup === name && row.country === origin),
  )
}

function isLeviedPerLine(consignment: Consignment, row: FeeRow): boolean {
  const isLevied = row.enabled && !row.paidByCarrier && row.status === 'levied'
  return isLevied && row.kind === 'per_line' && !lacksRate(consignment, row)
}

function isWaived(row: FeeRow, duties: readonly GoodsDuties[]): boolean {
  return row.waivedByPreference && duties.every(({ claimsPreference }) => claimsPreference)
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
  if (isWaived(row, duties)) return [line(mainCode, valueOfGoods(consignment), ZERO)]
  const liable = duties.filter((one) => isLiable(consignment, row, one))
  if (liable.length === 0) return [line(mainCode, valueOfGoods(consignment), ZERO)]
  if (liable.length < duties.length) mainCode = mainCodeAmong(consignment, liable)
  const whole = totalValue(liable)
  if (!row.enabled) return [line(mainCode, whole, ZERO, false)]
  if (row.paidByCarrier) return [line(mainCode, whole, ZERO)]
  if (row.status === 'not_estimated' || lacksRate(consignment, row))
    return [line(mainCode, whole, ZERO, false)]
  const fixed = row.amount === '' ? ZERO : limit(row.amount)
  const least = row.notLeviedBelow === '' ? ZERO : limit(row.notLeviedBelow)
  const unlessTooLittle = (amount: Fraction): Fraction => (compare(amount, least) < 0 ? ZERO : amount)
  switch (row.kind) {
    case 'per_line': {
      const all = duties.map(({ goods }) => goods)
      return all.map((goods) =>
        line(
          goods.code,
          goods.customsValue,
          times(fixed, fraction(timesCounted(goods, all, row.itemDigits))),
        ),
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

/** The code of the most valuable item of the goods. Of equal values, the first in the request. */
function mainCodeAmong({ request }: Consignment, liable: readonly GoodsDuties[]): string {
  const items = liable.flatMap(({ goods }) => goods.items.map((item) => ({ item, code: goods.code })))
  items.sort((a, b) => request.items.indexOf(a.item) - request.items.indexOf(b.item))
  const value = ({ costSteps, numberOfItems }: OracleItem): number => costSteps * numberOfItems
  return items.reduce((main, one) => (value(one.item) > value(main.item) ? one : main)).code
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
      items: duties.flatMap(({ goods }) => goods.items),
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
    const due = taxes
      .filter((tax) => tax.recipient === 'any' || tax.recipient === recipient)
      .filter(({ codePrefixes }) => codePrefixes.length === 0 || codePrefixes.some((p) => code.startsWith(p)))
    const charged = due.flatMap((tax) => {
      const levied = tax.status === 'levied'
      const excises = exciseLines(consignment, one, tax)
      if (excises !== undefined) return excises.map((line) => ({ levied, line }))
      const excise = sum(due.flatMap((other) => exciseLines(consignment, one, other) ?? []).map(amountOf))
      const worked = workOutTax(consignment, one, fees, tax, tax.kind === 'EXCISE' ? ZERO : excise)
      const name = worked.computed ? tax.name : `${tax.name} (not estimated)`
      const atCheckout =
        tax.status !== 'none' && !replacesTax(one) && isSellersTax(consignment, code, tax.kind)
      return [{ levied, line: { harmonizedCode: code, kind: tax.kind, name, ...worked, atCheckout } }]
    })
    // Rules at the border do not concern what the seller collects.
    const atBorder = due.filter(({ kind }) => !isSellersTax(consignment, code, kind))
    const kind = atBorder.find((tax) => tax.status !== 'none' && hasLine(consignment, one, tax))?.kind
    const amount = sum(charged.flatMap(({ line }) => (line.atCheckout === true ? [] : [line.amount])))
    const isLeftOut = isRuleLeftOut(consignment, 'tax', one.goods, amount, false)
    if (kind === undefined || replacesTax(one) || !isLeftOut) return charged
    const leftOut = { harmonizedCode: code, kind, name: TAX_RULE_LEFT_OUT, amount: ZERO, base: customsValue }
    return [...charged, { levied: false, line: { ...leftOut, computed: false } }]
  })
  const isAtBorder = ({ levied, line }: (typeof unrounded)[number]): boolean =>
    levied && line.atCheckout !== true
  const total = sum(unrounded.filter(isAtBorder).map(({ line }) => line.amount))
  const isLevied = !isNotLevied(consignment, 'tax', total)
  return unrounded.map((one) => (isAtBorder(one) && !isLevied ? { ...one.line, amount: ZERO } : one.line))
}

const TAX_RULE_LEFT_OUT = 'Low-value rule on taxes (not estimated)'

/** True if a low-value rule on duty replaces the taxes too. */
function replacesTax({ threshold }: GoodsDuties): boolean {
  return threshold?.replacesTaxes === true
}

/** False for an excise that goods of this strength do not owe. */
function hasLine(consignment: Consignment, duties: GoodsDuties, tax: TaxRow): boolean {
  return exciseLines(consignment, duties, tax)?.length !== 0
}

function amountOf({ amount }: UnroundedLine): Fraction {
  return amount
}

/** Undefined for a tax that is not calculated from excise rates. */
function exciseLines(
  consignment: Consignment,
  duties: GoodsDuties,
  tax: TaxRow,
): readonly UnroundedLine[] | undefined {
  const { goods, threshold } = duties
  if (tax.kind !== 'EXCISE' || tax.status === 'none' || threshold?.replacesTaxes === true) return undefined
  if (valueThreshold(consignment, 'tax', goods)?.kind === 'relief_up_to') return undefined
  const rates = consignment.rows.exciseRates.filter(
    (row) =>
      row.jurisdiction === tax.ratesOf &&
      holds(row, consignment.date) &&
      goods.code.startsWith(row.codePrefix),
  )
  if (rates.length === 0) return undefined
  const byLength = rates.toSorted((a, b) => b.codePrefix.length - a.codePrefix.length)
  const excises = [...new Set(byLength.map(({ excise }) => excise))]
  return excises.flatMap((excise) => {
    const same = rates.filter((row) => row.excise === excise)
    const longest = Math.max(...same.map(({ codePrefix }) => codePrefix.length))
    const bands = same
      .filter(({ codePrefix }) => codePrefix.length === longest)
      .sort((a, b) => ((a.validFrom ?? '') > (b.validFrom ?? '') ? -1 : 1))
    return chargesOf(goods, bands).flatMap((charge) => exciseOn(consignment, duties, tax, charge))
  })
}

/**
 * Items at one rate. If the rate depends on the strength, and it is not given, `rate` is the first of several, and
 * `names` has the names of all.
 */
type ExciseCharge = {
  readonly rate: ExciseRateRow
  readonly names: ReadonlySet<string>
  readonly needsStrength: boolean
  readonly items: readonly OracleItem[]
}

/** Items of a strength without a rate owe nothing. */
function chargesOf({ items }: Goods, bands: readonly ExciseRateRow[]): readonly ExciseCharge[] {
  const isDivided = bands.some((row) => row.strengthAbovePpm !== null || row.strengthUpToPpm !== null)
  const lacksStrength = (item: OracleItem): boolean => isDivided && strengthOf(item) === undefined
  const rateOfItem = (item: OracleItem): ExciseRateRow | undefined => {
    const strength = strengthOf(item)
    if (strength === undefined) return bands[0]
    return bands.find(
      ({ strengthAbovePpm, strengthUpToPpm }) =>
        (strengthAbovePpm === null || compare(strength, ppm(strengthAbovePpm)) > 0) &&
        (strengthUpToPpm === null || compare(strength, ppm(strengthUpToPpm)) <= 0),
    )
  }
  const names = new Set(bands.map(({ name }) => name))
  const charges: ExciseCharge[] = []
  for (const item of items) {
    const rate = rateOfItem(item)
    if (rate === undefined) continue
    const needsStrength = lacksStrength(item)
    const isSame = (one: OracleItem): boolean =>
      rateOfItem(one) === rate && lacksStrength(one) === needsStrength
    if (charges.every((charge) => !charge.items.includes(item)))
      charges.push({ rate, names, needsStrength, items: items.filter(isSame) })
  }
  return charges
}

function exciseOn(
  consignment: Consignment,
  { goods, total }: GoodsDuties,
  tax: TaxRow,
  { rate, names, needsStrength, items }: ExciseCharge,
): readonly UnroundedLine[] {
  const value = sum(items.map((item) => customsValueOf(consignment, item)))
  const base = plus(value, isZero(goods.customsValue) ? ZERO : shareOf(total, value, goods.customsValue, 1))
  const line = (name: string, more: Partial<UnroundedLine>): UnroundedLine => ({
    ...{ harmonizedCode: goods.code, kind: tax.kind, name, base, amount: ZERO, computed: false },
    ...more,
  })
  const bound = `${tax.name} (not estimated)`
  if (needsStrength) {
    const isOneName = tax.status === 'levied' && names.size === 1
    return [line(isOneName ? `${rate.name} (not estimated)` : bound, {})]
  }
  const retail = rate.retailPricePpm === null ? '' : 'share of the retail price'
  const specific = [rate.specific, retail].filter((part) => part !== '').join(' + ')
  const columns = { ...rate, specific, maximum: '', condition: '', text: '' } as const
  const { amount, isOpen } = rateAmount(
    consignment,
    { items, customsValue: value },
    columns,
    cutToUnit(consignment, base),
  )
  if (tax.status !== 'levied') return [line(bound, { ...(amount !== undefined && { least: amount }) })]
  if (amount === undefined) return [line(`${rate.name} (not estimated)`, {})]
  const charged = line(rate.name, { amount, base: cutToUnit(consignment, base), computed: true })
  return isOpen ? [charged, line(`${rate.name}, part not estimated`, {})] : [charged]
}

function workOutTax(
  consignment: Consignment,
  { goods, threshold, total }: GoodsDuties,
  fees: Fees,
  tax: TaxRow,
  excise: Fraction,
): { amount: Fraction; base: Fraction; computed: boolean } {
  const { to, movement } = consignment
  const isSellers = threshold?.replacesTaxes !== true && isSellersTax(consignment, goods.code, tax.kind)
  const rule = isSellers ? undefined : valueThreshold(consignment, 'tax', goods)
  const onExcess = rule?.kind === 'taxed_excess' ? excessOf(consignment, rule, goods) : undefined
  let value = onExcess ?? times(goods.customsValue, plus(ONE, ppm(tax.upliftPpm)))
  if (onExcess === undefined && tax.includesFreight && to.valuation === 'FOB')
    value = plus(value, goods.freight)
  if (movement === 'import') value = sum([value, total, fees.inTaxBase(goods.code)])
  value = plus(value, excise)
  if (onExcess?.n === 0n) value = ZERO
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
