/** Texts for taxes: rate, base, data set, or the reason why nothing is due. */
import type { TaxRateRow, TaxRow } from '../../data/row-types/taxes.ts'
import type { ThresholdRow } from '../../data/row-types/thresholds.ts'
import { formatEuro, isZero } from '../../exact.ts'
import { formatPercent, percentOf } from '../../tariff/duty-text.ts'
import type { Consignment } from '../consignment.ts'
import { addsFreight, isSellerTax, taxedExcess } from '../tax.ts'
import type { ChargeFacts, ExactLine, ExciseSum, TaxedGoods, TaxReasons } from '../tax-line.ts'
import type { FittingThreshold } from '../threshold.ts'
import type { ChargeTexts, Explanation, ReasonTexts } from './explanation.ts'
import { openTax } from './open-point.ts'
import { describeCollection } from './seller-scheme.ts'
import { describeDataSet, describeRounding, type LineSource, reliefRemark, sentences } from './text.ts'
import { describeUnverified, describeValue, schemeAssumption, thresholdSource } from './threshold.ts'

type TaxFacts = ChargeFacts['tax']

export const TAX: ChargeTexts<TaxFacts> = {
  describe: (facts, { consignment, line }) => describeTax(consignment, facts, line),
  open: openTax,
  source: taxSource,
  grounds: ({ threshold }) => (threshold === undefined ? [] : [threshold.threshold.row, threshold.rate]),
  product: ({ rate }, { line }) => `${formatPercent(rate.row.ratePpm)} × ${formatEuro(line.base)}`,
  ratePercent: ({ rate }) => percentOf(rate.row.ratePpm),
}

export const TAX_REASONS: ReasonTexts<TaxReasons> = {
  noTax: untaxed(({ tax }, { to }) => sentences(tax.reason, to.note)),
  taxReplaced: relieved((consignment, { threshold: { row } }) => ruleText(consignment, row)),
  taxRelief: relieved(
    (consignment, rule) =>
      `${ruleText(consignment, rule.threshold.row)}; ${describeValue(consignment, rule)}`,
  ),
  taxNotEstimated: untaxed(({ tax }) => tax.reason),
  noTaxRate: untaxed((_, { to }) => `No rate of this tax is loaded for ${to.name} on this day.`),
  noTaxData: {
    describe: (_, { consignment: { to } }) => sentences(`No tax rates are loaded for ${to.name}.`, to.note),
    source: () => undefined,
  },
}

type UntaxedFacts = { readonly tax: TaxRow }

function untaxed(
  reason: (facts: UntaxedFacts, consignment: Consignment) => string,
): Explanation<UntaxedFacts> {
  return {
    describe: (facts, { consignment }) =>
      sentences(reason(facts, consignment), describeDataSet(consignment, facts.tax.dataSet)),
    source: () => undefined,
    // Taxes have no confidence of their own, and their table does not name the texts that were read.
    grounds: ({ tax: { dataSet } }) => [{ dataSet, confidence: 'medium' }],
  }
}

/** No tax because of a low-value rule. */
function relieved(
  reason: (consignment: Consignment, rule: FittingThreshold) => string,
): Explanation<{ readonly threshold: FittingThreshold }> {
  return {
    describe: ({ threshold }, { consignment }) => {
      const { dataSet, confidence } = threshold.threshold.row
      return sentences(
        `No tax: ${reason(consignment, threshold)}.`,
        describeDataSet(consignment, dataSet, confidence),
      )
    },
    source: ({ threshold: { threshold } }) => thresholdSource(threshold.row, threshold.row.reason),
    grounds: ({ threshold: { rate } }) => [rate],
  }
}

function ruleText(consignment: Consignment, row: ThresholdRow): string {
  return [row.reason, ...schemeAssumption(consignment, row)].join('; ')
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
  const inside = tax.row.base === 'inside' ? ', a base that includes the tax' : ''
  const missing =
    countsFreight(consignment, tax.row) && !consignment.isFreightGiven
      ? ' (freight and insurance not given)'
      : ''
  const base = baseText(consignment, facts, line)
  return sentences(
    `${zeroRate(rate.row)}${formatPercent(rate.row.ratePpm)} of ${base}${inside}${missing}.`,
    describeUnverified(consignment, 'tax', facts.taxed.goods.harmonizedCode, line.amount),
    taxRemarks(consignment, facts),
  )
}

/** A tax on the value above the limit of a rule. */
function describeTaxOnExcess(
  consignment: Consignment,
  facts: TaxFacts,
  { base }: ExactLine,
  rule: FittingThreshold,
): string {
  const { tax, rate } = facts
  const parts = describeExcess(consignment, facts, rule)
  return sentences(
    `${zeroRate(rate.row)}${formatPercent(rate.row.ratePpm)} of ${formatEuro(base)}${parts}.`,
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
    isSellerTax(tax.row) ? describeCollection(consignment, taxed.scheme) : '',
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

function dutyRemark({ isDutyComplete, isImported }: TaxedGoods): string {
  if (!isImported) return 'No import duty is due within one customs area.'
  return isDutyComplete ? '' : 'The import duty that could not be estimated is not in the base.'
}

/** The base and its parts. */
function baseText(consignment: Consignment, { tax, taxed, excise }: TaxFacts, { base }: ExactLine): string {
  const { goodsValue, freight } = taxed.goods
  const uplift = tax.row.upliftPpm > 0 ? ` raised by ${formatPercent(tax.row.upliftPpm)}` : ''
  const hasFreight = consignment.isFreightGiven && countsFreight(consignment, tax.row)
  const parts = [
    `the goods value ${formatEuro(goodsValue)}${uplift}`,
    ...(hasFreight ? [`freight and insurance ${formatEuro(freight)}`] : []),
    ...chargesInBase(taxed, excise),
  ]
  return `${formatEuro(base)}, ${listed(parts)}`
}

function countsFreight(consignment: Consignment, row: TaxRow): boolean {
  return consignment.to.valuation === 'CIF' || addsFreight(consignment, row)
}

/** Empty if the base is the value above the limit alone. */
function describeExcess(
  consignment: Consignment,
  { taxed, excise }: TaxFacts,
  rule: FittingThreshold,
): string {
  const charges = chargesInBase(taxed, excise)
  const value = taxedExcess(consignment, taxed.goods, rule)
  return charges.length === 0 || isZero(value)
    ? ''
    : `, ${listed([`the excess ${formatEuro(value)}`, ...charges])}`
}

function chargesInBase({ duty, fees }: TaxedGoods, excise: ExciseSum): readonly string[] {
  const parts: string[] = []
  if (!isZero(duty)) parts.push(`import duty ${formatEuro(duty)}`)
  if (!isZero(excise.amount)) parts.push(`excise ${formatEuro(excise.amount)}`)
  if (!isZero(fees)) parts.push(`fees ${formatEuro(fees)}`)
  return parts
}

function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}
