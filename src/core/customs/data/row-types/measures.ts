/** The tables of tariffs: measures and their types, duties that depend on further facts, and lists of codes. */
import { codePrefix, count, currency, duty, name, names, type RowOf, remark, text, word } from '../field.ts'
import {
  anyPrefix,
  confidence,
  jurisdiction,
  no,
  note,
  optionalAmount,
  optionalName,
  optionalPercent,
  optionalText,
  table,
  validity,
  words,
} from './table.ts'

/** Codes on the lists that measures name as their scope or their exemption. */
export const codeLists = table({
  rowName: 'code_list',
  fields: { codeList: name(), codePrefix: codePrefix() },
  key: ['codeList', 'codePrefix'],
  scope: ['codeList'],
  label: ({ codeList, codePrefix }) => words(codeList, codePrefix),
})

/** Codes of one edition of the HS that a later edition replaced. */
export const hsSuccessors = table({
  rowName: 'hs_successor',
  fields: {
    /** Six digits, of the edition that ended ("HS 2017"). */
    endedCode: codePrefix(),
    endedEdition: text({ maxLength: 40 }),
    code: codePrefix(),
    edition: text({ maxLength: 40 }),
    /** True for the usual successor. */
    isMain: no,
  },
  key: ['endedCode', 'code'],
  scope: ['endedCode'],
  label: ({ endedCode, code }) => words(endedCode, code),
})

/** Types of measures. Duties are added in the order of these rows. */
export const measureTypes = table({
  rowName: 'measure_type',
  fields: {
    measureType: name(),
    /** The name of its lines: "Most-favoured-nation duty". */
    name: text(),
    /** `base`: the duty of the goods. `preference`: a lower one that can be claimed. `additional`: on top. */
    role: word(['base', 'preference', 'additional']),
    /** Earlier types that exclude this one if they apply to the same goods. */
    notWith: names(),
  },
  key: ['measureType'],
  scope: ['measureType'],
  label: ({ measureType }) => measureType,
})

/** Dated duty rates of a customs area. */
export const measures = table({
  rowName: 'measure',
  fields: {
    /** The customs area. */
    jurisdiction,
    codePrefix: anyPrefix,
    /** A row of `measureTypes`. The most-favoured-nation duty is `third_country_duty`. */
    measureType: name({ whenEmpty: 'third_country_duty', fileDefault: true }),
    /**
     * How the measure combines with earlier duties. `additive`: its own amount. `cap_total`: the part of
     * its amount above the base duty (or above the types in `against`): max(0, amount − base). `floor_total`: the part
     * above all earlier duties. `replace_base`: its amount in place of the base duty.
     */
    kind: word(['additive', 'cap_total', 'floor_total', 'replace_base'], { whenEmpty: 'additive' }),
    /** `ALL`, a country, or a group of origins. */
    originGroup: name({ whenEmpty: 'ALL', fileDefault: true }),
    /** Countries and groups to which the measure does not apply. */
    excludedOrigins: names({ fileDefault: true }),
    /** The measure applies only to codes on this list. Empty: to all. */
    scopeList: optionalName,
    /** Codes on this list are exempt. Empty: none. */
    exemptList: optionalName,
    /** The rate is a share of the customs value, or of the earlier duties. */
    basis: word(['value', 'duty'], { whenEmpty: 'value' }),
    /** Of `cap_total`: the measure types that count. Empty: the base duty, or the preference in its place. */
    against: names(),
    adValoremPpm: optionalPercent,
    /** Amounts per quantity; may begin with a minus. */
    specific: duty({ whenEmpty: '' }),
    minimum: duty({ whenEmpty: '' }),
    maximum: duty({ whenEmpty: '' }),
    /**
     * Why the rate cannot be calculated, or depends on more than the request contains. `not_loaded`: it is in a table
     * that is not loaded. `not_parsed`: the published text was not understood. `range_only`: the row has only the range
     * of the averages of a country.
     */
    condition: word(['seasonal', 'entry_price', 'meursing', 'not_loaded', 'not_parsed', 'range_only'], {
      whenEmpty: '',
    }),
    /** The published text, if the other columns cannot hold all of it. */
    text: note,
    /**
     * `subheading`: the rate is known only for six digits. `average`: the average of the rates of `goods`; it applies
     * to codes that have neither a line nor a subheading.
     */
    level: word(['line', 'subheading', 'average'], { whenEmpty: 'line' }),
    /** The goods of an average: "clothing". */
    goods: text({ whenEmpty: '', maxLength: 80 }),
    /** Of a rate calculated from several lines or codes: the lowest and the highest of them, and their number. */
    lowestPpm: optionalPercent,
    highestPpm: optionalPercent,
    lineCount: count({ whenEmpty: null, column: 'lines' }),
    /**
     * The line covers only goods with a value of one unit above the first amount and up to the second, in this currency
     * ("valued over $6.50 but not over $12/pair"). Empty: no bound. The unit is one of those of quantities.
     */
    unitValueAbove: optionalAmount,
    unitValueUpTo: optionalAmount,
    unitValueCurrency: currency({ whenEmpty: '' }),
    unitValuePer: text({ whenEmpty: '', maxLength: 80 }),
    ...validity,
    /** The agreement of a preference ("EU-UK TCA") or the law of an additional duty. */
    agreement: text({ whenEmpty: '', maxLength: 1_000, fileDefault: true }),
    confidence,
    note: remark({ whenEmpty: '', maxLength: 1_000, fileDefault: true }),
  },
  key: ['jurisdiction', 'codePrefix', 'measureType', 'originGroup', 'scopeList', 'validFrom'],
  scope: ['jurisdiction', 'measureType'],
  owner: 'jurisdiction',
  // The code alone identifies the usual duty on goods of all origins.
  label: ({ codePrefix, measureType, originGroup, scopeList, agreement }) =>
    words(
      codePrefix === '' ? 'all codes' : codePrefix,
      measureType === 'third_country_duty' ? '' : measureType,
      originGroup === 'ALL' ? '' : originGroup,
      scopeList,
      agreement,
    ),
})

/**
 * Duties of a tariff that depend on a fact that most requests lack. An additional duty by additional code is charged if
 * the request names the code. The rate of a quota is shown beside the duty, and never charged.
 */
export const conditionalDuties = table({
  rowName: 'conditional_duty',
  fields: {
    /** The customs area. */
    jurisdiction,
    codePrefix: anyPrefix,
    /** Of a duty by additional code: a row of `measureTypes`. Of a quota: its kind, such as "preferential_quota". */
    measureType: name(),
    dependsOn: word(['additional_code', 'quota']),
    /** `ALL`, a country, or a group of origins. */
    originGroup: name({ whenEmpty: 'ALL' }),
    excludedOrigins: names(),
    /** "C999". Of a quota, it may be empty. */
    additionalCode: optionalName,
    /** The order number of a quota. */
    orderNumber: optionalName,
    adValoremPpm: optionalPercent,
    specific: duty({ whenEmpty: '' }),
    minimum: duty({ whenEmpty: '' }),
    maximum: duty({ whenEmpty: '' }),
    /** The published text, if the other columns cannot hold all of it. */
    text: note,
    ...validity,
    /** The law. */
    agreement: optionalText,
    confidence,
    note,
  },
  key: [
    ...(['jurisdiction', 'codePrefix', 'measureType', 'originGroup', 'additionalCode'] as const),
    ...(['orderNumber', 'validFrom'] as const),
  ],
  scope: ['jurisdiction', 'measureType'],
  owner: 'jurisdiction',
  label: ({ codePrefix, measureType, originGroup, additionalCode, orderNumber }) =>
    words(codePrefix, measureType, originGroup === 'ALL' ? '' : originGroup, additionalCode, orderNumber),
})

export type CodeListRow = RowOf<typeof codeLists.fields>
export type HsSuccessorRow = RowOf<typeof hsSuccessors.fields>
export type MeasureTypeRow = RowOf<typeof measureTypes.fields>
export type MeasureRow = RowOf<typeof measures.fields>
export type ConditionalDutyRow = RowOf<typeof conditionalDuties.fields>

export type MeasureRole = MeasureTypeRow['role']
export type MeasureKind = MeasureRow['kind']
