/** Texts for taxes and fees: rate, base, data set, or the reason why nothing is due. */
import { describeExchangeRate } from '../../data/exchange-rate.ts'
import type { FeeRow } from '../../data/tables/fees.ts'
import type { TaxRateRow, TaxRow } from '../../data/tables/taxes.ts'
import { formatEuro, isZero } from '../../exact.ts'
import { formatPercent, percentOf } from '../../tariff/duty-text.ts'
import type { Consignment } from '../consignment.ts'
import { addsFreight, coversCode, taxedExcess } from '../tax.ts'
import type { Calculation, ExciseSum, TaxedGoods, TaxLine } from '../tax-line.ts'
import type { FittingThreshold } from '../threshold.ts'
import { describeDataSet, describeRounding, type LineSource, reliefRemark, sentences } from './text.ts'
import { describeValue, schemeAssumption, thresholdSource } from './threshold.ts'

type TaxCalculation = Extract<Calculation, { readonly kind: 'tax' }>
type NoTaxCalculation = Extract<Calculation, { readonly kind: 'noTax' }>

export function taxSource({ tax, rate: { row } }: TaxCalculation): LineSource {
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

/** "21% × EUR 53.00" */
export function taxProduct({ rate }: TaxCalculation, { base }: TaxLine): string {
  return `${formatPercent(rate.row.ratePpm)} × ${formatEuro(base)}`
}

export function describeTax(consignment: Consignment, calculation: TaxCalculation, line: TaxLine): string {
  const { tax, rate, threshold } = calculation
  if (threshold?.threshold.row.kind === 'taxed_excess')
    return describeTaxOnExcess(consignment, calculation, line, threshold)
  const inside = tax.row.base === 'inside' ? ', a base that includes the tax' : ''
  const missing =
    countsFreight(consignment, tax.row) && !consignment.isFreightGiven
      ? ' (freight and insurance not given)'
      : ''
  const base = baseText(consignment, calculation, line)
  return sentences(
    `${zeroRate(rate.row)}${formatPercent(rate.row.ratePpm)} of ${base}${inside}${missing}.`,
    taxRemarks(consignment, calculation),
  )
}

/** A tax on the value above the limit of a rule. */
function describeTaxOnExcess(
  consignment: Consignment,
  calculation: TaxCalculation,
  { base }: TaxLine,
  rule: FittingThreshold,
): string {
  const { tax, rate } = calculation
  const parts = describeExcess(consignment, calculation, rule)
  return sentences(
    `${zeroRate(rate.row)}${formatPercent(rate.row.ratePpm)} of ${formatEuro(base)}${parts}.`,
    `${tax.row.name} is ${rule.threshold.row.reason}; ${describeValue(consignment, rule)}.`,
    taxRemarks(consignment, calculation),
  )
}

function zeroRate({ kind, ratePpm }: TaxRateRow): string {
  return ratePpm === 0 ? `No tax is due: zero rate for ${kind}. ` : ''
}

function taxRemarks(consignment: Consignment, { tax, rate, taxed, excise }: TaxCalculation): string {
  const { row } = rate
  const { to } = consignment
  return sentences(
    row.kind === 'standard' || row.ratePpm === 0 ? '' : `Rate for ${row.kind}.`,
    dutyRemark(taxed),
    excise.isComplete ? '' : 'The excise that could not be estimated is not in the base.',
    reliefRemark(to),
    tax.row.recipient === 'individual' && !consignment.isRecipientGiven
      ? 'A sale to a consumer is assumed.'
      : '',
    coversCode(tax.row.notePrefixes, taxed.goods.harmonizedCode) ? tax.row.note : '',
    to.note,
    row.note,
    describeRounding(consignment),
    describeDataSet(consignment, row.dataSet, row.confidence),
  )
}

function dutyRemark({ isDutyComplete, isImported }: TaxedGoods): string {
  if (!isImported) return 'Inside one customs area no import duty is due.'
  return isDutyComplete ? '' : 'The import duty that could not be estimated is not in the base.'
}

/** The base and its parts. */
function baseText(
  consignment: Consignment,
  { tax, taxed, excise }: TaxCalculation,
  { base }: TaxLine,
): string {
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
  { taxed, excise }: TaxCalculation,
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

export function describeNoTax(consignment: Consignment, calculation: NoTaxCalculation): string {
  const { tax, threshold } = calculation
  const rule = threshold?.threshold.row
  return sentences(
    noTaxReason(consignment, calculation),
    describeDataSet(consignment, rule?.dataSet ?? tax.dataSet, rule?.confidence),
  )
}

function noTaxReason(consignment: Consignment, { tax, reason, threshold }: NoTaxCalculation): string {
  const { to } = consignment
  const row = threshold?.threshold.row
  const rule = row === undefined ? '' : [row.reason, ...schemeAssumption(consignment, row)].join('; ')
  switch (reason) {
    case 'none':
      return sentences(tax.reason, to.note)
    case 'replaced':
      return `No tax: ${rule}.`
    case 'relief':
      return `No tax: ${rule}; ${threshold === undefined ? '' : describeValue(consignment, threshold)}.`
    case 'notEstimated':
      return tax.reason
    case 'noRate':
      return `No rate of this tax is loaded for ${to.name} on this day.`
  }
}

export function noTaxSource({ threshold }: NoTaxCalculation): LineSource | undefined {
  if (threshold === undefined) return undefined
  const { row } = threshold.threshold
  return thresholdSource(row, row.reason)
}

export function describeNoTaxData({ to }: Consignment): string {
  return sentences(`No tax rates are loaded for ${to.name}.`, to.note)
}

type FeeCalculation = Extract<Calculation, { readonly kind: 'fee' }>

export function feeRatePercent({ row }: FeeCalculation): string | undefined {
  return row.ratePpm === null ? undefined : percentOf(row.ratePpm)
}

export function feeSource(row: FeeRow): LineSource {
  return {
    dataSet: row.dataSet,
    measureType: row.fee,
    codePrefix: '',
    rateText: row.status === 'levied' ? feeRateText(row) : '',
    validFrom: row.validFrom,
    validTo: row.validTo,
    confidence: row.confidence,
  }
}

export function feeProduct({ row }: FeeCalculation, { base }: TaxLine): string {
  const rate = feeRateText(row)
  return row.kind === 'share_of_value' ? `${rate} × ${formatEuro(base)}` : rate
}

export function describeFee(
  consignment: Consignment,
  { row, rate }: FeeCalculation,
  { base }: TaxLine,
): string {
  return sentences(
    `${feeRateText(row)}${hasAmount(row) ? describeExchangeRate(rate) : ''}, on a customs value of ${formatEuro(base)}.`,
    row.reason,
    describeDataSet(consignment, row.dataSet, row.confidence),
  )
}

/** False for a share of the value without a minimum or a maximum. */
function hasAmount({ kind, minimum, maximum }: FeeRow): boolean {
  return kind !== 'share_of_value' || minimum !== '' || maximum !== ''
}

function feeRateText({ kind, currency, amount, ratePpm, minimum, maximum }: FeeRow): string {
  switch (kind) {
    case 'per_consignment':
      return `${currency} ${amount} per consignment`
    case 'per_line':
      return `${currency} ${amount} per commodity code and origin`
    case 'share_of_value': {
      const least = minimum === '' ? '' : `, at least ${currency} ${minimum}`
      return `${formatPercent(ratePpm ?? 0)}${least}${maximum === '' ? '' : `, at most ${currency} ${maximum}`}`
    }
  }
}

type NoFeeCalculation = Extract<Calculation, { readonly kind: 'noFee' }>

export function describeNoFee(consignment: Consignment, calculation: NoFeeCalculation): string {
  const { row } = calculation
  return sentences(noFeeReason(calculation), describeDataSet(consignment, row.dataSet, row.confidence))
}

function noFeeReason({ row, reason }: NoFeeCalculation): string {
  switch (reason) {
    case 'notEstimated':
      return row.reason
    case 'noExchangeRate':
      return sentences(
        row.status === 'levied' ? `The fee is ${feeRateText(row)}.` : '',
        `No exchange rate is loaded for ${row.currency}.`,
        `${row.valueAbove}${row.valueUpTo}` === ''
          ? ''
          : 'It is not known whether the fee is due on goods of this value.',
        row.inTaxBase ? 'It is not in the base of taxes.' : '',
        row.reason,
      )
    case 'preferenceClaimed':
      return 'No fee: a preference is claimed for all goods.'
    case 'exemptOrigin':
      return 'No fee: goods of this origin are exempt. Customs may ask for a proof of origin.'
    case 'belowMinimum':
      return `No fee: less than ${row.currency} ${row.notLeviedBelow} is not levied.`
  }
}
