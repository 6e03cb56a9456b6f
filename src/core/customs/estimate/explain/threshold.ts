/** Texts for low-value rules: what they charge, and how the consignment compares with their limit. */
import { describeExchangeRate, fromEuro } from '../../data/exchange-rate.ts'
import type { ThresholdRow } from '../../data/row-types/thresholds.ts'
import { tariffAreaOf } from '../../data/territory.ts'
import { type Exact, formatEuro, formatMoney, isZero, sumOf } from '../../exact.ts'
import { formatPercent, percentOf } from '../../tariff/duty-text.ts'
import type { Consignment, SchemeRule } from '../consignment.ts'
import { bestPreference } from '../duty/lot-duty.ts'
import { type Goods, givenOrigins, type Lot } from '../goods.ts'
import { canCover } from '../import-schemes/import-scheme.ts'
import { isCovered } from '../import-schemes/seller-scheme.ts'
import {
  comparedValue,
  type FittingThreshold,
  spreadDeduction,
  unverifiedRules,
} from '../import-schemes/threshold.ts'
import type { ChargeFacts, ExactLine, ReasonFacts } from '../tax-line.ts'
import type { ChargeTexts, Explanation } from './explanation.ts'
import { describeDataSet, type LineSource, sentences } from './text.ts'

type ThresholdFacts = ChargeFacts['threshold']

export const THRESHOLD: ChargeTexts<ThresholdFacts> = {
  describe: (facts, { consignment, line }) => describeThreshold(consignment, facts, line),
  reason: (facts, { consignment, line }) => thresholdReason(consignment, facts, line),
  source: (facts, { consignment, line }) =>
    thresholdSource(facts.threshold.threshold.row, thresholdRateText(consignment, facts, line)),
  product: (facts, { consignment, line }) =>
    isZero(line.amount) ? '' : thresholdRateText(consignment, facts, line),
  grounds: ({ threshold: { rate } }) => [rate],
  ratePercent: ({ threshold: { threshold } }) =>
    threshold.row.ratePpm === null ? undefined : percentOf(threshold.row.ratePpm),
}

export const UNCONVERTIBLE: Explanation<ReasonFacts['unconvertible']> = {
  describe: (facts, { consignment }) => describeUnconvertible(consignment, facts),
  reason: ({ rules: [first] }) =>
    `no exchange rate of a low-value rule is loaded (${first?.threshold.row.currency ?? ''})`,
  source: ({ rules: [first] }) => first && thresholdSource(first.threshold.row, first.threshold.row.reason),
}

/** `rateText`: the charge of the rule as text. */
export function thresholdSource(row: ThresholdRow, rateText: string): LineSource {
  return {
    dataSet: row.dataSet,
    measureType: row.kind,
    codePrefix: '',
    rateText,
    validFrom: row.validFrom,
    validTo: row.validTo,
    confidence: row.confidence,
  }
}

/** The charge of a rule ("2 × EUR 3", "10% × EUR 50.00"); for a relief, its reason. */
function thresholdRateText(
  consignment: Consignment,
  { lots, threshold: { threshold, rate }, itemCount }: ThresholdFacts,
  { base }: ExactLine,
): string {
  const { row } = threshold
  const share = `${formatPercent(row.ratePpm ?? 0)} × ${formatEuro(base)}`
  switch (row.kind) {
    case 'relief_up_to':
    case 'not_levied_up_to':
    case 'not_levied_below':
      return row.reason
    case 'flat_per_item':
      return `${itemCount} × ${row.currency} ${row.flatAmount}`
    case 'flat_rate': {
      const deductions = spreadDeduction(consignment, threshold, rate, lots)
      return deductions === undefined ? share : `${share} − ${formatEuro(sumOf(deductions))}`
    }
    case 'taxed_excess':
      return share
  }
}

/** The rule in a few words. */
function thresholdReason(consignment: Consignment, facts: ThresholdFacts, line: ExactLine): string {
  const {
    threshold: { threshold },
    itemCount,
  } = facts
  const { row } = threshold
  switch (row.kind) {
    case 'relief_up_to':
    case 'not_levied_up_to':
    case 'not_levied_below':
      return briefThreshold(row)
    case 'flat_per_item':
      if (itemCount === 0) return 'other goods of the same kind pay the flat duty'
      return `${row.jurisdiction} flat duty, ${itemCount === 1 ? 'one kind' : `${itemCount} kinds`} of goods`
    case 'flat_rate':
      return isZero(line.amount)
        ? `flat rate of ${formatPercent(row.ratePpm ?? 0)}`
        : thresholdRateText(consignment, facts, line).replace(' × ', ' of ').replace(' − ', ' less ')
    case 'taxed_excess':
      return `${formatPercent(row.ratePpm ?? 0)} of what exceeds ${row.currency} ${row.limitAmount}`
  }
}

/** "consignments up to CAD 20 are free" */
export function briefThreshold({ kind, currency, limitAmount }: ThresholdRow): string {
  switch (kind) {
    case 'not_levied_below':
      return `a total below ${currency} ${limitAmount} is not levied`
    case 'not_levied_up_to':
      return `a total up to ${currency} ${limitAmount} is not levied`
    case 'relief_up_to':
    case 'flat_per_item':
    case 'flat_rate':
    case 'taxed_excess':
      return `consignments up to ${currency} ${limitAmount} are free`
  }
}

function describeThreshold(
  consignment: Consignment,
  { goods, lots, threshold, itemCount }: ThresholdFacts,
  { amount, harmonizedCode }: ExactLine,
): string {
  const { tables, to } = consignment
  const { row } = threshold.threshold
  const isPerItem = row.kind === 'flat_per_item'
  const origins = givenOrigins(lots)
  const rule = [
    row.kind === 'taxed_excess' ? `it is ${row.reason}` : row.reason,
    describeValue(consignment, threshold),
    ...(isPerItem && itemCount > 1
      ? [`${origins.length} origins (${origins.join(', ')}) count as ${itemCount} items`]
      : []),
    ...(isPerItem && itemCount === 0 ? ['these goods and others of the same code are one item'] : []),
    ...assumptions(consignment, row, goods),
  ].join('; ')
  // The rule applies to any code, including one that may be a typing error.
  const isUnknown = tables.tariffs.has(tariffAreaOf(to)) && lots.some(({ entry }) => entry === undefined)
  return sentences(
    `${isZero(amount) ? (isPerItem ? 'No further duty: ' : 'No duty: ') : 'Low-value rule: '}${rule}.`,
    describePreferenceElsewhere(consignment, row, lots),
    describeDataSet(consignment, row.dataSet, row.confidence),
    isUnknown ? `The tariff has no line for code ${harmonizedCode}.` : '',
    ...goods.remarks,
  )
}

/** A preference that could be claimed instead under another import scheme; empty if there is none. */
function describePreferenceElsewhere(
  consignment: Consignment,
  row: ThresholdRow,
  lots: readonly Lot[],
): string {
  if (row.yieldsToPreference || row.importSchemes.length === 0) return ''
  const other = consignment.route.rules.duty
    .map(({ threshold }) => threshold.row)
    .find(({ kind, yieldsToPreference }) => kind === row.kind && yieldsToPreference)
  if (other === undefined || !consignment.schemeRules.includes(other)) return ''
  const agreements = new Set(
    lots.flatMap((lot) => bestPreference(consignment, lot)?.measure.row.agreement ?? []),
  )
  if (agreements.size === 0) return ''
  return `A preference (${[...agreements].join(', ')}) could be claimed ${schemesText(other)}, with a proof of origin.`
}

function assumptions(consignment: Consignment, row: ThresholdRow, goods?: Goods): readonly string[] {
  const isConsumerAssumed = row.recipient === 'individual' && !consignment.isRecipientGiven
  const scheme = schemeAssumption(consignment, row, goods)
  return isConsumerAssumed ? ['a sale to a consumer is assumed', ...scheme] : scheme
}

/** Why rules were not applied. */
function describeUnconvertible(consignment: Consignment, { rules }: ReasonFacts['unconvertible']): string {
  return sentences(
    ...rules.map(({ threshold: { row } }) => {
      const rule = [row.reason, ...assumptions(consignment, row)].filter((text) => text !== '').join('; ')
      return sentences(
        `No exchange rate is loaded for ${row.currency}, so a low-value rule could not be applied${rule === '' ? '' : `: ${rule}`}.`,
        describeDataSet(consignment, row.dataSet, row.confidence),
      )
    }),
    `The other lines are calculated without ${rules.length === 1 ? 'it' : 'them'}.`,
  )
}

const SCHEMES: Readonly<Record<string, string>> = {
  IOSS: 'under IOSS',
  POSTAL: 'by post',
  COURIER: 'by courier',
  STANDARD_DECLARATION: 'with a standard declaration',
}

/** "under IOSS, by post or by courier" */
export function schemesText({ importSchemes }: SchemeRule): string {
  const texts = importSchemes.map((scheme) => SCHEMES[scheme] ?? scheme)
  return texts.length < 2 ? texts.join() : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`
}

/**
 * "an import under IOSS or by post is assumed"; empty if the rule does not depend on the scheme, or if it is given.
 * `goods`: the rule applies to these only.
 */
export function schemeAssumption(
  consignment: Consignment,
  { importSchemes }: SchemeRule,
  goods?: Goods,
): readonly string[] {
  const { isImportSchemeGiven, sellerScheme, coversGoods } = consignment
  if (isImportSchemeGiven || importSchemes.length === 0) return []
  const covers =
    goods === undefined || sellerScheme === undefined
      ? coversGoods
      : coversGoods && isCovered(sellerScheme, goods)
  const usable = importSchemes.filter((scheme) => canCover(consignment, scheme, covers))
  return [`an import ${schemesText({ importSchemes: usable })} is assumed`]
}

/** Low-value rules that are not verified, and would lower a charge; empty if there is none. */
export function describeUnverified(
  consignment: Consignment,
  appliesTo: ThresholdRow['appliesTo'],
  harmonizedCode: string,
  due?: Exact,
): string {
  const rules = unverifiedRules(consignment, appliesTo, harmonizedCode, due)
  return sentences(
    ...rules.map(({ reason }) => `A low-value rule that is not verified is not applied: ${reason}.`),
  )
}

/** "the value of this consignment is USD 40.00 at 1.1761 per euro (2026-05-08)" */
export function describeValue(consignment: Consignment, { threshold, rate }: FittingThreshold): string {
  const value = fromEuro(comparedValue(consignment, threshold.row), rate)
  return `the value of this consignment is ${formatMoney(value, rate.currency)}${describeExchangeRate(rate)}`
}

/** `description`: the text of the line if it were levied. */
export function describeNotLevied(
  consignment: Consignment,
  { threshold }: ReasonFacts['notLevied'],
  description: string,
): string {
  const { row, charged, rate } = threshold
  const total = `it comes to ${formatMoney(charged, rate.currency)}${describeExchangeRate(rate)}`
  return sentences(
    `Not levied: ${row.reason}, and for this consignment ${total}.`,
    description,
    describeDataSet(consignment, row.dataSet, row.confidence),
  )
}
