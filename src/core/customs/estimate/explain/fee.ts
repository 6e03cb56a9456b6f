/** Texts for fees: rate, base, data set, or the reason why nothing is due. */
import { describeExchangeRate } from '../../data/exchange-rate.ts'
import type { FeeRow } from '../../data/row-types/fees.ts'
import { formatEuro } from '../../exact.ts'
import { formatPercent, percentOf } from '../../tariff/duty-text.ts'
import type { Consignment } from '../consignment.ts'
import type { ChargeFacts, ExactLine, FeeReasons } from '../tax-line.ts'
import type { ChargeTexts, Explanation, ReasonTexts } from './explanation.ts'
import { openUnverifiedFee } from './open-point.ts'
import { describeDataSet, type LineSource, sentences } from './text.ts'
import { schemeAssumption } from './threshold.ts'

type FeeFacts = ChargeFacts['fee']

export const FEE: ChargeTexts<FeeFacts> = {
  describe: (facts, { consignment, line }) => describeFee(consignment, facts, line),
  reason: ({ row }, { line }) =>
    row.kind === 'share_of_value' ? `${feeRateText(row)} of ${formatEuro(line.base)}` : feeRateText(row),
  source: feeSource,
  grounds: ({ row, rate }) => (hasAmount(row) ? [rate] : []),
  product: (facts, { line }) => feeProduct(facts, line),
  ratePercent: ({ row }) => (row.ratePpm === null ? undefined : percentOf(row.ratePpm)),
}

export const FEE_REASONS: ReasonTexts<FeeReasons> = {
  feeNotEstimated: noFee((row) => row.reason, 'the amount is not loaded'),
  feeUnconvertible: noFee(
    (row) =>
      sentences(
        row.status === 'levied' ? `The fee is ${feeRateText(row)}.` : '',
        `No exchange rate is loaded for ${row.currency}.`,
        `${row.valueAbove}${row.valueUpTo}` === ''
          ? ''
          : 'It is not known whether the fee is due on goods of this value.',
        row.inTaxBase ? 'It is not in the base of taxes.' : '',
        row.reason,
      ),
    'no exchange rate of its currency is loaded',
  ),
  feePreference: noFee(
    () => 'No fee: a preference is claimed for all goods.',
    'a preference is claimed for all goods',
  ),
  feeExemptOrigin: noFee(
    () => 'No fee: goods of this origin are exempt. Customs may ask for a proof of origin.',
    'goods of this origin are exempt',
  ),
  feeBelowMinimum: noFee(
    (row) => `No fee: amounts below ${row.currency} ${row.notLeviedBelow} are not levied.`,
    'so small an amount is not levied',
  ),
  feeUnverified: {
    ...noFee(
      (row) =>
        sentences(
          row.status === 'levied' ? `The fee would be ${feeRateText(row)}.` : '',
          'It is not verified that it is in force.',
          row.inTaxBase ? 'It is not in the base of taxes.' : '',
          row.reason,
        ),
      'not verified to be in force',
    ),
    open: openUnverifiedFee,
  },
  feeByCarrier: noFee(
    (row) =>
      sentences(
        'Not charged: borne by the carrier.',
        row.status === 'levied' ? `The fee is ${feeRateText(row)}.` : '',
        row.reason,
      ),
    'the carrier bears it',
  ),
  feeOnOtherGoods: noFee(
    (row) => `No further fee: ${feeRateText(row)}, and other goods of this item bear it.`,
    'other goods of this item bear it',
  ),
}

/** "An import by courier is assumed."; empty if the fee does not depend on the scheme, or if it is given. */
function describeScheme(consignment: Consignment, row: FeeRow): string {
  const [assumption] = schemeAssumption(consignment, row)
  return assumption === undefined ? '' : `${assumption[0]?.toUpperCase()}${assumption.slice(1)}.`
}

/** `full`: the sentences of the description. `brief`: the reason in a few words. */
function noFee(full: (row: FeeRow) => string, brief: string): Explanation<{ readonly row: FeeRow }> {
  return {
    reason: () => brief,
    describe: ({ row }, { consignment }) =>
      sentences(
        full(row),
        describeScheme(consignment, row),
        describeDataSet(consignment, row.dataSet, row.confidence),
      ),
    source: feeSource,
  }
}

function feeSource({ row }: { readonly row: FeeRow }): LineSource {
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

function feeProduct({ row }: FeeFacts, { base }: ExactLine): string {
  const rate = feeRateText(row)
  return row.kind === 'share_of_value' ? `${rate} × ${formatEuro(base)}` : rate
}

function describeFee(consignment: Consignment, { row, rate }: FeeFacts, { base }: ExactLine): string {
  return sentences(
    `${feeRateText(row)}${hasAmount(row) ? describeExchangeRate(rate) : ''}, on a customs value of ${formatEuro(base)}.`,
    row.reason,
    describeScheme(consignment, row),
    describeDataSet(consignment, row.dataSet, row.confidence),
  )
}

/** False for a share of the value without a minimum or a maximum. */
function hasAmount({ kind, minimum, maximum }: FeeRow): boolean {
  return kind !== 'share_of_value' || minimum !== '' || maximum !== ''
}

function feeRateText(row: FeeRow): string {
  const { kind, currency, amount, ratePpm, minimum, maximum, itemDigits } = row
  switch (kind) {
    case 'per_consignment':
      return `${currency} ${amount} per consignment`
    case 'per_line':
      return `${currency} ${amount} per ${itemDigits === null ? 'commodity' : `${itemDigits}-digit`} code and origin`
    case 'share_of_value': {
      const least = minimum === '' ? '' : `, at least ${currency} ${minimum}`
      return `${formatPercent(ratePpm ?? 0)}${least}${maximum === '' ? '' : `, at most ${currency} ${maximum}`}`
    }
  }
}
