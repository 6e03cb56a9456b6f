/** The table of restricted goods: what a country or a carrier does not accept, or only under conditions. */
import { codePrefixes, day, name, names, type RowOf, text, word } from '../field.ts'
import { confidence, note, optionalAmount, optionalText, table, validity, words } from './table.ts'

/** What a rule means for a shipment, the most severe first. */
export const RESTRICTION_SEVERITIES = [
  'prohibited',
  'licence_required',
  'conditions_apply',
  'carrier_restricted',
] as const

/**
 * Rules by route and goods. A row without codes and words concerns all goods, such as an embargo. With codes and words
 * it concerns goods that match both. Rows of one rule are alternatives, and are reported together.
 */
export const restrictions = table({
  rowName: 'restriction',
  fields: {
    /** The rule: "lithium-batteries". */
    rule: name(),
    /** Countries, customs areas or groups that the goods are sent to. Empty: any. */
    destinations: names(),
    /** Countries, customs areas or groups to which the rule does not apply. */
    excludedDestinations: names(),
    /** Countries, customs areas or groups that the goods are sent from. Empty: any. */
    sentFrom: names(),
    /** Senders to which the rule does not apply. */
    excludedSenders: names(),
    /** Empty: goods of any code. */
    codePrefixes: codePrefixes(),
    /** Words or phrases of descriptions, separated by semicolons. Empty: any description. */
    words: optionalText,
    /** Words or phrases of descriptions to which the rule does not apply, separated by semicolons. */
    exceptWords: optionalText,
    /** The rule applies only to items whose value each is above this amount in euro. Empty: to all. */
    itemValueAbove: optionalAmount,
    severity: word(RESTRICTION_SEVERITIES),
    /** One or two sentences for a buyer. */
    text: text({ maxLength: 300 }),
    ...validity,
    /** The law, or what the row was read from. */
    source: optionalText,
    /** The day on which the source was read. */
    readOn: day({ whenEmpty: null, fileDefault: true }),
    confidence,
    note,
  },
  key: [
    ...(['rule', 'destinations', 'excludedDestinations', 'sentFrom', 'excludedSenders'] as const),
    ...(['codePrefixes', 'words', 'validFrom'] as const),
  ],
  scope: ['rule'],
  label: ({ rule, destinations, sentFrom, codePrefixes, words: named }) =>
    words(rule, ...destinations, ...sentFrom, ...codePrefixes, named),
})

export type RestrictionRow = RowOf<typeof restrictions.fields>
export type RestrictionSeverity = RestrictionRow['severity']
