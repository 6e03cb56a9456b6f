/** Texts for taxes: rate, base, data set, or the reason why nothing is due. */
import type { TaxRateRow, TaxRow } from '../../data/row-types/taxes.ts'
import type { ThresholdRow } from '../../data/row-types/thresholds.ts'
import { formatEuro } from '../../exact.ts'
import { formatPercent, percentOf } from '../../tariff/duty-text.ts'
import type { Consignment } from '../consignment.ts'
import { type FittingThreshold, fittingThresholds, thresholdFor } from '../import-schemes/threshold.ts'
import { isSellerTax } from '../tax.ts'
import type { ChargeFacts, ExactLine, TaxedGoods, TaxReasons } from '../tax-line.ts'
import type { ChargeTexts, Explanation, ReasonTexts } from './explanation.ts'
import { openTax } from './open-point.ts'
import { describeCollection } from './seller-scheme.ts'
import { baseText, countsFreight, excessText } from './tax-base.ts'
import { describeDataSet, describeRounding, type LineSource, reliefRemark, sentences } from './text.ts'
import {
  briefThreshold,
  describeUnverified,
  describeValue,
  schemeAssumption,
  thresholdSource,
} from './threshold.ts'

type TaxFacts = ChargeFacts['tax']

export const TAX: ChargeTexts<TaxFacts> = {
  describe: (facts, { consignment, line }) => describeTax(consignment, facts, line),
  reason: ({ rate: { row } }, { line }) =>
    row.ratePpm === 0
      ? row.kind === 'standard'
        ? 'the rate is 0%'
        : `zero rate for ${row.kind}`
      : `${formatPercent(row.ratePpm)} of ${formatEuro(line.base)}`,
  open: openTax,
  source: taxSource,
  grounds: ({ threshold }) => (threshold === undefined ? [] : [threshold.threshold.row, threshold.rate]),
  product: ({ rate }, { line }) => `${formatPercent(rate.row.ratePpm)} × ${formatEuro(line.base)}`,
  ratePercent: ({ rate }) => percentOf(rate.row.ratePpm),
}

/** What all lines without tax because of a low-value rule have in common. */
const OF_RELIEF: Omit<Explanation<{ readonly threshold: FittingThreshold }>, 'describe' | 'reason'> = {
  source: ({ threshold: { threshold } }) => thresholdSource(threshold.row, threshold.row.reason),
  grounds: ({ threshold: { rate } }) => [rate],
}

export const TAX_REASONS: ReasonTexts<TaxReasons> = {
  noTax: untaxed(
    ({ tax }, { to }) => sentences(tax.reason, to.note),
    () => 'the destination does not levy it',
  ),
  taxReplaced: {
    ...OF_RELIEF,
    describe: () => 'No tax: the rule of the duty line replaces it.',
    reason: () => 'the rule of the duty line replaces it',
  },
  taxRelief: {
    ...OF_RELIEF,
    describe: ({ threshold }, { consignment, line }) => describeRelief(consignment, threshold, line),
    reason: ({ threshold: { threshold } }) => briefThreshold(threshold.row),
  },
  taxNotEstimated: untaxed(
    ({ tax }) => tax.reason,
    () => 'the rates are not loaded',
  ),
  noTaxRate: untaxed(
    (_, { to }) => `No rate of this tax is loaded for ${to.name} on this day.`,
    () => 'no rate is loaded for this day',
  ),
  noTaxData: {
    describe: (_, { consignment: { to } }) => sentences(`No tax rates are loaded for ${to.name}.`, to.note),
    reason: () => 'no tax rates are loaded for the destination',
    source: () => undefined,
  },
}

type UntaxedFacts = { readonly tax: TaxRow }

function untaxed(
  full: (facts: UntaxedFacts, consignment: Consignment) => string,
  brief: () => string,
): Explanation<UntaxedFacts> {
  return {
    reason: brief,
    describe: (facts, { consignment }) =>
      sentences(full(facts, consignment), describeDataSet(consignment, facts.tax.dataSet)),
    source: () => undefined,
    // Taxes have no confidence of their own, and their table does not name the texts that were read.
    grounds: ({ tax: { dataSet } }) => [{ dataSet, confidence: 'medium' }],
  }
}

/** The value and the data set are left out if the duty line has them, because a rule with the same limit applies. */
function describeRelief(
  consignment: Consignment,
  rule: FittingThreshold,
  { harmonizedCode }: ExactLine,
): string {
  const { row } = rule.threshold
  const text = [row.reason, ...schemeAssumption(consignment, row)].join('; ')
  if (isExplainedByDuty(consignment, row, harmonizedCode)) return `No tax: ${text}.`
  return sentences(
    `No tax: ${text}; ${describeValue(consignment, rule)}.`,
    describeDataSet(consignment, row.dataSet, row.confidence),
  )
}

function isExplainedByDuty(consignment: Consignment, row: ThresholdRow, harmonizedCode: string): boolean {
  if (consignment.route.movement !== 'import') return false
  const rule = thresholdFor(fittingThresholds(consignment, 'duty'), harmonizedCode)
  return rule !== undefined && !rule.threshold.row.yieldsToPreference && hasSameLimit(rule.threshold.row, row)
}

function hasSameLimit(one: ThresholdRow, other: ThresholdRow): boolean {
  return (
    one.kind === other.kind &&
    one.limitAmount === other.limitAmount &&
    one.currency === other.currency &&
    one.valueBasis === other.valueBasis &&
    one.dataSet === other.dataSet
  )
}

function taxSource({ tax, rate: { row } }: TaxFacts): LineSource {
  return {
    dataSet: row.dataSet,
    measureType: tax.row.tax,
    codePrefix: row.codePrefix,
    rateText: formatPercent(row.ratePpm),
    validFrom: row.validFrom,
    validTo: row.validTo,
    confidence: row.confidence,
  }
}

function describeTax(consignment: Consignment, facts: TaxFacts, line: ExactLine): string {
  const { tax, rate, threshold } = facts
  if (threshold?.threshold.row.kind === 'taxed_excess')
    return describeTaxOnExcess(consignment, facts, line, threshold)
  const missing =
    countsFreight(consignment, tax.row) && !consignment.isFreightGiven
      ? ' (freight and insurance not given)'
      : ''
  const base = baseText(consignment, facts, line)
  return sentences(
    `${zeroRate(rate.row)}${formatPercent(rate.row.ratePpm)} of ${base}${missing}.`,
    describeUnverified(consignment, 'tax', facts.taxed.goods.harmonizedCode, line.amount),
    taxRemarks(consignment, facts),
  )
}

/** A tax on the value above the limit of a rule. */
function describeTaxOnExcess(
  consignment: Consignment,
  facts: TaxFacts,
  line: ExactLine,
  rule: FittingThreshold,
): string {
  const { tax, rate } = facts
  return sentences(
    `${zeroRate(rate.row)}${formatPercent(rate.row.ratePpm)} of ${excessText(consignment, facts, line, rule)}.`,
    `${tax.row.name} is ${rule.threshold.row.reason}; ${describeValue(consignment, rule)}.`,
    taxRemarks(consignment, facts),
  )
}

function zeroRate({ kind, ratePpm }: TaxRateRow): string {
  return ratePpm === 0 ? `No tax is due: zero rate for ${kind}. ` : ''
}

function taxRemarks(consignment: Consignment, { tax, rate, taxed, excise }: TaxFacts): string {
  const { row } = rate
  const { to } = consignment
  return sentences(
    row.kind === 'standard' || row.ratePpm === 0 ? '' : `Rate for ${row.kind}.`,
    dutyRemark(taxed),
    taxed.areFeesComplete ? '' : 'The levies that could not be estimated are not in the base.',
    isSellerTax(tax.row) && row.ratePpm > 0 ? describeCollection(consignment, taxed.scheme) : '',
    excise.isComplete ? '' : 'The excise that could not be estimated is not in the base.',
    reliefRemark(to),
    tax.row.recipient === 'individual' && !consignment.isRecipientGiven
      ? 'A sale to a consumer is assumed.'
      : '',
    concernsNote(tax.row, row, taxed.goods.harmonizedCode) ? tax.row.note : '',
    to.note,
    row.note,
    describeRounding(consignment),
    describeDataSet(consignment, row.dataSet, row.confidence),
  )
}

/**
 * Whether the note of a tax is about goods of a code. A rate for a longer prefix than the note's already settles it.
 */
function concernsNote({ notePrefixes }: TaxRow, { codePrefix }: TaxRateRow, code: string): boolean {
  if (notePrefixes.length === 0) return true
  return notePrefixes.some((prefix) => prefix.length >= codePrefix.length && code.startsWith(prefix))
}

function dutyRemark({ duty, isImported }: TaxedGoods): string {
  if (!isImported) return 'No import duty is due within one customs area.'
  return duty.isComplete ? '' : 'The import duty that could not be estimated is not in the base.'
}
