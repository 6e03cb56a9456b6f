/**
 * Taxes on import: value added tax and its kin. Decided here: the rate by longest code prefix, on the value and
 * the unrounded duty, in the way the jurisdiction prescribes; a tax that is not levied, or not loaded, gets a
 * line at zero that says so. Source: specification 4.2; decision 14 of the README; design note on customs.
 */

import { isInForce } from '../validity.ts'
import { describeBasis } from './customs-value.ts'
import { type Duty, excessShare, type Import, reliefRemark } from './duty.ts'
import { formatPercent } from './duty-text.ts'
import { centsOf, type Exact, exactOf, MILLION, plus, times, ZERO } from './exact.ts'
import type { Goods } from './goods.ts'
import type { TaxRateRow, TaxRow } from './reference-rows.ts'
import { type CustomsTables, taxRatesKey } from './tables.ts'
import { describeDataSet, formatEuro, sentences, type TaxLine } from './tax-line.ts'
import { type AppliedThreshold, findAmountThreshold, findValueThreshold } from './threshold.ts'

/** Goods with the duty on them. */
export type DutiedGoods = { readonly goods: Goods; readonly duty: Duty }

/** A tax before its line is written: exact, so that the taxes of a consignment can be added up. */
type Charge = {
  readonly tax: TaxRow
  readonly goods: Goods
  readonly amount: Exact
  readonly base: Exact
  readonly ratePpm?: number
  readonly description: string
  readonly computed: boolean
}

/** The tax lines of a consignment: in the order of its goods, for each the taxes of the destination. */
export function taxesOn(into: Import, dutied: readonly DutiedGoods[]): readonly TaxLine[] {
  const taxes = into.tables.taxes.get(into.to.code) ?? []
  if (taxes.length === 0) return dutied.map(({ goods }) => unknownTax(into, goods))
  const charges = dutied.flatMap(({ goods, duty }) =>
    taxes.filter((tax) => concerns(tax.codePrefixes, goods)).map((tax) => chargeOf(into, tax, goods, duty)),
  )
  const total = charges.reduce((sum, charge) => plus(sum, charge.amount), ZERO)
  const unit = exactOf(roundingSteps(into), 4)
  const waived = findAmountThreshold(into.tables, { code: into.to.code, unit }, total, into.consignment)
  return charges.map((charge) => lineOf(waived === undefined ? charge : waive(into, charge, waived)))
}

/** True for goods whose code begins with one of the prefixes, and for all where there are none. */
function concerns(prefixes: readonly string[], { harmonizedCode }: Goods): boolean {
  return prefixes.length === 0 || prefixes.some((prefix) => harmonizedCode.startsWith(prefix))
}

/** The smallest chargeable amount in 10^-4 of a currency unit; a hundredth unless the jurisdiction says other. */
function roundingSteps({ to }: Import): number {
  return to.roundingUnit === '' ? 100 : Math.round(Number(to.roundingUnit) * 10_000)
}

function lineOf({ tax, goods, amount, base, ratePpm, description, computed }: Charge): TaxLine {
  return {
    harmonizedCode: goods.harmonizedCode,
    kind: tax.kind,
    name: tax.name,
    amountCents: centsOf(amount),
    baseCents: centsOf(base),
    ...(ratePpm !== undefined && { ratePercent: formatPercent(ratePpm).slice(0, -1) }),
    description,
    computed,
  }
}

function unknownTax({ to }: Import, goods: Goods): TaxLine {
  return {
    harmonizedCode: goods.harmonizedCode,
    kind: 'VAT',
    name: 'Import tax (not estimated)',
    amountCents: 0,
    baseCents: centsOf(goods.value),
    description: sentences(`No tax rates are loaded for ${to.name}.`, to.note),
    computed: false,
  }
}

function waive(into: Import, charge: Charge, { threshold, remark }: AppliedThreshold): Charge {
  if (charge.tax.status !== 'levied' || charge.amount.numerator === 0n) return charge
  const source = describeDataSet(into.tables.dataSets, threshold.dataSet)
  const why = `Not levied: ${threshold.reason}, and for this consignment ${remark}.`
  return { ...charge, amount: ZERO, description: sentences(why, charge.description, source) }
}

function chargeOf(into: Import, tax: TaxRow, goods: Goods, duty: Duty): Charge {
  const zero = { tax, goods, amount: ZERO, base: goods.value }
  const source = describeDataSet(into.tables.dataSets, tax.dataSet)
  switch (tax.status) {
    case 'none':
      return { ...zero, description: sentences(tax.reason, source), computed: true }
    case 'not_estimated':
    case 'levied':
      break
  }
  const key = `${into.to.code} tax`
  const applied = findValueThreshold(into.tables, key, goods.harmonizedCode, into.consignment)
  if (applied?.threshold.kind === 'relief_up_to') {
    const { threshold, remark } = applied
    const rules = describeDataSet(into.tables.dataSets, threshold.dataSet)
    const description = sentences(`No tax: ${threshold.reason}; ${remark}.`, rules)
    return { ...zero, description, computed: true }
  }
  if (tax.status === 'not_estimated')
    return { ...zero, description: sentences(tax.reason, source), computed: false }
  const rate = findTaxRate(into.tables, tax, goods.harmonizedCode, into.consignment.date)
  if (rate === undefined)
    return {
      ...zero,
      description: `No rate of this tax is loaded for ${into.to.name} on this day.`,
      computed: false,
    }
  return levied(into, { tax, goods, rate }, duty, applied)
}

/** The rate of a tax for a code on a day: that of the longest prefix. */
export function findTaxRate(
  tables: CustomsTables,
  tax: TaxRow,
  code: string,
  date: string,
): TaxRateRow | undefined {
  const rates = tables.taxRates.get(taxRatesKey({ jurisdiction: tax.ratesOf, tax: tax.tax }))
  for (let length = code.length; length >= 0; length--) {
    const rate = rates?.get(code.slice(0, length))?.find((candidate) => isInForce(candidate, date))
    if (rate !== undefined) return rate
  }
  return undefined
}

type Levy = { readonly tax: TaxRow; readonly goods: Goods; readonly rate: TaxRateRow }

function levied(into: Import, levy: Levy, duty: Duty, applied: AppliedThreshold | undefined): Charge {
  const { tax, goods, rate } = levy
  const isExcess = applied?.threshold.kind === 'taxed_excess'
  const value = isExcess
    ? excessShare(goods.value, into.consignment.value, applied.limit)
    : times(goods.value, MILLION + BigInt(tax.upliftPpm), MILLION)
  const net = isExcess ? value : plus(value, duty.amount)
  const ppm = BigInt(rate.ratePpm)
  const amount = times(net, ppm, tax.base === 'inside' ? MILLION - ppm : MILLION)
  const base = tax.base === 'inside' ? plus(net, amount) : net
  const rule = isExcess ? `${tax.name} is ${applied.threshold.reason}; ${applied.remark}.` : ''
  const parts = isExcess ? '' : describeParts(into, tax, goods, duty)
  const zero = rate.ratePpm === 0 ? `No tax is due: zero rate for ${rate.kind}. ` : ''
  const reduced = rate.kind === 'standard' || rate.ratePpm === 0 ? '' : `Rate for ${rate.kind}.`
  const source = describeDataSet(into.tables.dataSets, rate.dataSet)
  const description = sentences(
    `${zero}${formatPercent(rate.ratePpm)} of ${formatEuro(base)}${parts}.`,
    rule,
    reduced,
    isExcess ? '' : duty.remark,
    reliefRemark(into.to),
    concerns(tax.notePrefixes, goods) ? tax.note : '',
    into.to.note,
    rate.confidence === 'high' ? source : `${source.slice(0, -1)}, confidence ${rate.confidence}.`,
  )
  return { tax, goods, amount, base, ratePpm: rate.ratePpm, description, computed: true }
}

/** What the base is made of. */
function describeParts({ to }: Import, tax: TaxRow, goods: Goods, duty: Duty): string {
  const uplift = tax.upliftPpm === 0 ? '' : ` raised by ${formatPercent(tax.upliftPpm)}`
  const due = duty.amount.numerator === 0n ? '' : ` and import duty ${formatEuro(duty.amount)}`
  const inside = tax.base === 'inside' ? ', with the tax itself inside' : ''
  return `, the goods value ${formatEuro(goods.value)}${uplift}${due}${inside}${describeBasis(to.valuation)}`
}
