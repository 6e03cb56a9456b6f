/** Texts for low-value rules: what they charge, and how the consignment compares with their limit. */
import { describeExchangeRate, fromEuro } from '../../data/exchange-rate.ts'
import type { ThresholdRow } from '../../data/row-types/thresholds.ts'
import { tariffAreaOf } from '../../data/territory.ts'
import { formatEuro, formatMoney, isZero, sumOf } from '../../exact.ts'
import { formatPercent, percentOf } from '../../tariff/duty-text.ts'
import type { Consignment } from '../consignment.ts'
import { countedOrigins, givenOrigins } from '../goods.ts'
import type { ChargeFacts, ExactLine, ReasonFacts } from '../tax-line.ts'
import { comparedValue, type FittingThreshold, spreadDeduction } from '../threshold.ts'
import type { ChargeTexts, Explanation } from './explanation.ts'
import { describeDataSet, type LineSource, sentences } from './text.ts'

type ThresholdFacts = ChargeFacts['threshold']

export const THRESHOLD: ChargeTexts<ThresholdFacts> = {
  describe: (facts, { consignment, line }) => describeThreshold(consignment, facts, line),
  source: (facts, { consignment, line }) =>
    thresholdSource(facts.threshold.threshold.row, thresholdRateText(consignment, facts, line)),
  product: (facts, { consignment, line }) =>
    isZero(line.amount) ? '' : thresholdRateText(consignment, facts, line),
  ratePercent: ({ threshold: { threshold } }) =>
    threshold.row.ratePpm === null ? undefined : percentOf(threshold.row.ratePpm),
}

export const UNCONVERTIBLE: Explanation<ReasonFacts['unconvertible']> = {
  describe: (facts, { consignment }) => describeUnconvertible(consignment, facts),
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
  { lots, threshold: { threshold, rate } }: ThresholdFacts,
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
      return `${countedOrigins(lots)} × ${row.currency} ${row.flatAmount}`
    case 'flat_rate': {
      const deductions = spreadDeduction(consignment, threshold, rate, lots)
      return deductions === undefined ? share : `${share} − ${formatEuro(sumOf(deductions))}`
    }
    case 'taxed_excess':
      return share
  }
}

function describeThreshold(
  consignment: Consignment,
  { goods, lots, threshold }: ThresholdFacts,
  { amount, harmonizedCode }: ExactLine,
): string {
  const { tables, to } = consignment
  const { row } = threshold.threshold
  const origins = givenOrigins(lots)
  const rule = [
    row.kind === 'taxed_excess' ? `it is ${row.reason}` : row.reason,
    describeValue(consignment, threshold),
    ...(row.kind === 'flat_per_item' && origins.length > 1
      ? [`${origins.length} origins (${origins.join(', ')}) count as ${origins.length} items`]
      : []),
    ...assumptions(consignment, row),
  ].join('; ')
  // The rule applies to any code, including one that may be a typing error.
  const isUnknown = tables.tariffs.has(tariffAreaOf(to)) && lots.some(({ entry }) => entry === undefined)
  return sentences(
    `${isZero(amount) ? 'No duty: ' : 'Low-value rule: '}${rule}.`,
    describeDataSet(consignment, row.dataSet, row.confidence),
    isUnknown ? `The tariff has no line for code ${harmonizedCode}.` : '',
    ...goods.remarks,
  )
}

function assumptions(consignment: Consignment, row: ThresholdRow): readonly string[] {
  const isConsumerAssumed = row.recipient === 'individual' && !consignment.isRecipientGiven
  const scheme = schemeAssumption(consignment, row)
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
  COURIER: 'by courier without IOSS',
}

/** "an import under IOSS or by post is assumed"; empty if the rule does not depend on the scheme, or if it is given. */
export function schemeAssumption(
  { isImportSchemeGiven }: Consignment,
  { importSchemes }: ThresholdRow,
): readonly string[] {
  if (isImportSchemeGiven || importSchemes.length === 0) return []
  return [`an import ${importSchemes.map((scheme) => SCHEMES[scheme]).join(' or ')} is assumed`]
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
