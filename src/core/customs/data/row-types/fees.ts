/** The tables of fees: those of authorities, and those of carriers for clearing a shipment. */
import { currency, name, names, type RowOf, text, word } from '../field.ts'
import {
  confidence,
  itemDigits,
  jurisdiction,
  namedRecipient,
  no,
  note,
  optionalAmount,
  optionalName,
  optionalPercent,
  optionalText,
  recipient,
  table,
  validity,
  words,
  yes,
} from './table.ts'

/** Dated fees of authorities. */
export const fees = table({
  rowName: 'fee',
  fields: {
    jurisdiction,
    fee: name(),
    name: text(),
    kind: word(['per_consignment', 'per_line', 'share_of_value']),
    /** `not_estimated`: due, but the amount is not known; `reason` explains it. */
    status: word(['levied', 'not_estimated'], { whenEmpty: 'levied' }),
    currency: currency({ whenEmpty: '' }),
    /** Per consignment or per line. Empty for a share of the customs value. */
    amount: optionalAmount,
    ratePpm: optionalPercent,
    minimum: optionalAmount,
    maximum: optionalAmount,
    /** A lower amount is not levied. Empty: every amount is. */
    notLeviedBelow: optionalAmount,
    /** The fee applies to goods with a value above the first and up to the second. Empty: no bound. */
    valueAbove: optionalAmount,
    valueUpTo: optionalAmount,
    /** Of `per_line`: goods whose codes share this many digits are one item. Empty: the whole code counts. */
    itemDigits,
    recipient,
    /** The fee applies only to imports under these schemes (`IMPORT_SCHEMES`). Empty: to all imports. */
    importSchemes: names(),
    /** The carrier owes the fee, and its line has no amount. */
    paidByCarrier: no,
    /** The fee is part of the base of taxes. */
    inTaxBase: no,
    /** Not charged if a preference is claimed for all goods. */
    waivedByPreference: no,
    /** Origins (countries or groups) that are exempt from a share of the value. The request must give the origin. */
    exemptOrigins: names(),
    reason: optionalText,
    /** False for a fee that is not verified. Its line is "not estimated". */
    enabled: yes,
    ...validity,
    confidence,
  },
  key: ['jurisdiction', 'fee', 'recipient', 'valueAbove', 'validFrom'],
  scope: ['jurisdiction'],
  owner: 'jurisdiction',
  label: ({ fee, recipient, valueAbove }) =>
    words(fee, namedRecipient(recipient), valueAbove === '' ? '' : `above ${valueAbove}`),
})

/** Dated fees of carriers for clearing a shipment and for advancing its duties and taxes. An operator's table. */
export const clearanceFees = table({
  rowName: 'clearance_fee',
  fields: {
    /** Id of a carrier, and of one of its products; empty: all of its products. */
    carrier: name(),
    product: optionalName,
    fee: name(),
    name: text(),
    /** `share_of_charges`: a share of the duties and taxes that the carrier advances. */
    kind: word(['fixed', 'share_of_charges']),
    /** Countries, jurisdictions or customs areas. Empty: any. */
    destinations: names(),
    /** Countries, customs areas or groups that the goods are sent from. Empty: any. */
    sentFrom: names(),
    /** The fee applies to goods with a value above the first and up to the second. Empty: no bound. */
    valueAbove: optionalAmount,
    valueUpTo: optionalAmount,
    recipient,
    /** Of the amounts and of the bounds of the value. */
    currency: currency(),
    /** Of a fixed fee. */
    amount: optionalAmount,
    /** Of a share. */
    ratePpm: optionalPercent,
    minimum: optionalAmount,
    maximum: optionalAmount,
    /** A fixed fee that is due only if duties or taxes are due. */
    onlyIfCharged: no,
    enabled: yes,
    ...validity,
    confidence,
    note,
  },
  key: [
    ...(['carrier', 'product', 'fee', 'destinations', 'sentFrom', 'valueAbove', 'recipient'] as const),
    ...(['currency', 'enabled', 'validFrom'] as const),
  ],
  scope: ['carrier'],
  owner: 'carrier',
  label: ({ fee, product, destinations, sentFrom, valueAbove, recipient }) =>
    words(
      ...[fee, product, ...destinations, ...sentFrom, namedRecipient(recipient)],
      valueAbove === '' ? '' : `above ${valueAbove}`,
    ),
})

export type FeeRow = RowOf<typeof fees.fields>
export type ClearanceFeeRow = RowOf<typeof clearanceFees.fields>
