/** The table of trade defence measures: which goods of which origin they concern, without rates. */
import { codePrefix, day, name, names, type RowOf, text, word } from '../field.ts'
import { confidence, jurisdiction, note, optionalText, table, validity, words } from './table.ts'

/** Measures in force, or in force as far as is known. One row for each code prefix and origin. */
export const tradeDefence = table({
  rowName: 'trade_defence',
  fields: {
    /** The customs area. */
    jurisdiction,
    /** The beginning of the names of the measure types that replace the row, such as `anti_dumping_provisional`. */
    kind: word(['anti_dumping', 'countervailing', 'safeguard'], { fileDefault: true }),
    /** At least four digits. */
    codePrefix: codePrefix(),
    /** `ALL`, a country, or a group of origins. */
    originGroup: name({ whenEmpty: 'ALL', fileDefault: true }),
    /** Countries and groups to which the measure does not apply. */
    excludedOrigins: names({ fileDefault: true }),
    /** The goods of the measure in plain words. A code often covers more. */
    goods: text({ maxLength: 120 }),
    ...validity,
    /** The law, or what the row was read from. */
    source: optionalText,
    /** The day on which the source was read. */
    readOn: day({ whenEmpty: null, fileDefault: true }),
    confidence,
    note,
  },
  key: ['jurisdiction', 'kind', 'codePrefix', 'originGroup', 'goods', 'validFrom'],
  scope: ['jurisdiction', 'kind'],
  owner: 'jurisdiction',
  label: ({ kind, codePrefix, originGroup, goods }) =>
    words(kind, codePrefix, originGroup === 'ALL' ? '' : originGroup, goods),
})

export type TradeDefenceRow = RowOf<typeof tradeDefence.fields>
export type TradeDefenceKind = TradeDefenceRow['kind']
