/**
 * The base of a tax and its parts, which add up as they are printed: a duty has the amount of its lines. What their
 * rounding adds or removes is a part of its own, because the base is calculated from amounts that are not rounded.
 */
import { formatCents } from '../../../money.ts'
import type { TaxRow } from '../../data/row-types/taxes.ts'
import { centsOf, type Exact, formatEuro, isZero, sumOf, times } from '../../exact.ts'
import { formatPercent } from '../../tariff/duty-text.ts'
import { type Consignment, roundedAmount } from '../consignment.ts'
import type { FittingThreshold } from '../import-schemes/threshold.ts'
import { addsFreight, taxedExcess } from '../tax.ts'
import type { ChargeFacts, ExactLine, TaxedGoods } from '../tax-line.ts'
import { describeCutValue } from './text.ts'

type TaxFacts = ChargeFacts['tax']

/** `amount`: unrounded, in euro. `shownCents`: as it is printed. */
type Part = { readonly name: string; readonly amount: Exact; readonly shownCents: number }

/** "EUR 103.00, the goods value EUR 100.00 and import duty EUR 3.00" */
export function baseText(consignment: Consignment, facts: TaxFacts, line: ExactLine): string {
  const { tax, taxed } = facts
  const { goodsValue, freight, customsValue } = taxed.goods
  const hasFreight = consignment.isFreightGiven && countsFreight(consignment, tax.row)
  const uplift = times(customsValue, tax.uplift)
  return sumText(consignment, facts, line, [
    valuePart('the goods value', goodsValue),
    ...(hasFreight ? [valuePart('freight and insurance', freight)] : []),
    ...(isZero(uplift) ? [] : [valuePart(`an addition of ${formatPercent(tax.row.upliftPpm)}`, uplift)]),
    ...chargesInBase(consignment, facts),
  ])
}

export function countsFreight(consignment: Consignment, row: TaxRow): boolean {
  return consignment.to.valuation === 'CIF' || addsFreight(consignment, row)
}

/** The base of a tax on the value above the limit of a rule. The parts are left out if it is that value alone. */
export function excessText(
  consignment: Consignment,
  facts: TaxFacts,
  line: ExactLine,
  rule: FittingThreshold,
): string {
  const value = taxedExcess(consignment, facts.taxed.goods, rule)
  const charges = chargesInBase(consignment, facts)
  if (isZero(value) || charges.length === 0) return formatEuro(line.base)
  return sumText(consignment, facts, line, [valuePart('the excess', value), ...charges])
}

/** The sum of parts, with the tax itself if its base contains it. */
function sumText(
  consignment: Consignment,
  { tax }: TaxFacts,
  { amount, base }: ExactLine,
  parts: readonly Part[],
): string {
  const isInside = tax.row.base === 'inside'
  const all = isInside ? [...parts, chargePart(consignment, 'the tax itself', amount)] : parts
  const sum = sumOf(all.map((part) => part.amount))
  const rounding = centsOf(sum) - all.reduce((cents, { shownCents }) => cents + shownCents, 0)
  const texts = all.map(({ name, shownCents }) => `${name} EUR ${formatCents(shownCents)}`)
  if (rounding > 0) texts.push(`rounding EUR ${formatCents(rounding)}`)
  const less = rounding < 0 ? `, less rounding EUR ${formatCents(-rounding)}` : ''
  const cut = isInside ? '' : describeCutValue(consignment, base)
  return `${formatEuro(sum)}, ${listed(texts)}${less}${cut}`
}

function chargesInBase(consignment: Consignment, { taxed, excise }: TaxFacts): readonly Part[] {
  return [
    ...dutyPart(consignment, taxed),
    ...(isZero(excise.amount) ? [] : [chargePart(consignment, 'excise', excise.amount)]),
    ...(isZero(taxed.fees) ? [] : [chargePart(consignment, 'fees', taxed.fees)]),
  ]
}

/** The import duty as on its lines, each of which is rounded. */
function dutyPart(consignment: Consignment, { duty: { amount, lines } }: TaxedGoods): readonly Part[] {
  if (isZero(amount)) return []
  const shownCents = lines.reduce(
    (cents, line) => cents + centsOf(roundedAmount(consignment, line.amount)),
    0,
  )
  return [{ name: 'import duty', amount, shownCents }]
}

function chargePart(consignment: Consignment, name: string, amount: Exact): Part {
  return { name, amount, shownCents: centsOf(roundedAmount(consignment, amount)) }
}

function valuePart(name: string, amount: Exact): Part {
  return { name, amount, shownCents: centsOf(amount) }
}

function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}
