/** The table of low-value rules, and the import schemes that they depend on. */
import { codePrefixes, currency, names, type RowOf, word } from '../field.ts'
import {
  confidence,
  itemDigits,
  jurisdiction,
  namedRecipient,
  no,
  optionalAmount,
  optionalPercent,
  optionalText,
  recipient,
  table,
  validity,
  words,
  yes,
} from './table.ts'

/**
 * How goods are declared for import: under the import one-stop shop, by post, by a courier without it, or with a
 * standard declaration, which has the full commodity code.
 */
export const IMPORT_SCHEMES = ['IOSS', 'POSTAL', 'COURIER', 'STANDARD_DECLARATION'] as const

export type ImportScheme = (typeof IMPORT_SCHEMES)[number]

/** Dated low-value rules of a customs area (duty) or jurisdiction (tax). The first row that fits applies. */
export const thresholds = table({
  rowName: 'threshold',
  fields: {
    jurisdiction,
    appliesTo: word(['duty', 'tax']),
    /**
     * `flat_per_item`: an amount for each code and origin in place of the tariff. `flat_rate`: a share of the value
     * less `deductAmount` (once per consignment) in place of the tariff. `taxed_excess`: only the value above the limit
     * is charged. The base of a tax also has the duty, fees and excise. `not_levied_up_to` and `not_levied_below`
     * compare the limit with the charge instead of the value.
     */
    kind: word([
      'relief_up_to',
      'flat_per_item',
      'flat_rate',
      'taxed_excess',
      'not_levied_up_to',
      'not_levied_below',
    ]),
    /** Inclusive. Empty: no limit. */
    limitAmount: optionalAmount,
    /** The limit is compared with the goods alone, or with the customs value including freight and insurance. */
    valueBasis: word(['goods', 'customs_value'], { whenEmpty: 'goods' }),
    /** Of the limit, the flat amount and the deduction. */
    currency: currency({ whenEmpty: '' }),
    flatAmount: optionalAmount,
    deductAmount: optionalAmount,
    /** Of a flat rate, or on the excess. */
    ratePpm: optionalPercent,
    recipient,
    /** Countries, customs areas or groups that the goods are sent from. Empty: any. */
    sentFrom: names(),
    /** Of `flat_per_item`: goods whose codes share this many digits are one item. Empty: the whole code counts. */
    itemDigits,
    /** The rule applies only to imports under these schemes (`IMPORT_SCHEMES`). Empty: to all imports. */
    importSchemes: names(),
    /** The rule applies to these codes. Empty: to all. */
    includedPrefixes: codePrefixes(),
    excludedPrefixes: codePrefixes(),
    /** A preference that the origin allows is claimed instead. */
    yieldsToPreference: no,
    /** The charge includes the taxes of the jurisdiction. */
    replacesTaxes: no,
    reason: optionalText,
    /** False for rules that are not verified. They change no amount; the lines of duty and tax mention them. */
    enabled: yes,
    ...validity,
    confidence,
  },
  // Rows that differ in one of these may both be needed, since the first that fits applies.
  key: [
    ...(['jurisdiction', 'appliesTo', 'kind', 'limitAmount', 'valueBasis', 'currency'] as const),
    ...(['flatAmount', 'deductAmount', 'ratePpm', 'recipient', 'sentFrom', 'importSchemes'] as const),
    ...(['includedPrefixes', 'excludedPrefixes', 'enabled', 'validFrom', 'validTo'] as const),
  ],
  scope: ['jurisdiction', 'appliesTo'],
  owner: 'jurisdiction',
  label: ({ appliesTo, kind, recipient, sentFrom, importSchemes, currency }) =>
    words(appliesTo, kind, namedRecipient(recipient), ...sentFrom, ...importSchemes, currency),
})

export type ThresholdRow = RowOf<typeof thresholds.fields>
