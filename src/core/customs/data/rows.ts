/**
 * The tables of customs data: for each, the fields of its rows, what makes a row unique, and what a data set replaces.
 * Row types, the columns of files and of the database, and the lines of comparisons follow from these definitions.
 * CONTRIBUTING.md explains how to add a column or a table; docs/customs-files.md describes every column.
 *
 * Rates are in parts per million (1% is 10,000). Amounts are decimal text. Days are 'YYYY-MM-DD'. A row applies from
 * `validFrom` until the day before `validTo`; null is open.
 */
import {
  amount,
  codePrefix,
  codePrefixes,
  count,
  country,
  currency,
  day,
  duty,
  endDay,
  type Field,
  type Fields,
  name,
  names,
  percent,
  type RowOf,
  remark,
  text,
  word,
  yesNo,
} from './field.ts'

/** Where figures come from. Every other row names one. */
export type DataSetRow = {
  readonly name: string
  /** Short; used in descriptions of lines. */
  readonly title: string
  readonly source: string
  /** The day the figures were published or collected. */
  readonly date: string
  /**
   * 0 for shipped sets; each set that an operator publishes gets the next number. Within a scope, only the rows of the
   * highest layer apply (see layers.ts).
   */
  readonly layer: number
}

/** The definition of a table with rows of type `Row`. */
export type CustomsTable<Row> = {
  /** One row in snake case. The database table is `customs_<rowName>`. */
  readonly rowName: string
  readonly fields: { readonly [FieldName in Exclude<keyof Row, 'dataSet'>]: Field<Row[FieldName]> }
  /** Two rows of a file with equal values in these fields are a fault. */
  readonly key: readonly FieldName<Row>[]
  /** Rows with equal values in these fields are replaced together by a data set of a higher layer. */
  readonly scope: readonly FieldName<Row>[]
  /** The jurisdiction or currency by which a comparison groups rows. */
  readonly owner?: FieldName<Row>
  /** Identifies a row of its owner in a comparison, independently of its days and rate: "61091000", "VAT 4901". */
  readonly label: (row: Row) => string
}

type FieldName<Row> = Exclude<keyof Row, 'dataSet'> & string

type Definition<RowName, TableFields extends Fields> = {
  readonly rowName: RowName
  readonly fields: TableFields
} & Omit<CustomsTable<RowOf<TableFields>>, 'rowName' | 'fields'>

/** Checks a definition and infers its row type. */
function table<const RowName extends string, TableFields extends Fields>(
  definition: Definition<RowName, TableFields>,
): Definition<RowName, TableFields> {
  return definition
}

const note = remark({ whenEmpty: '', maxLength: 1_000 })
const optionalName = name({ whenEmpty: '' })
const optionalText = text({ whenEmpty: '', maxLength: 1_000 })
const optionalAmount = amount({ whenEmpty: '' })
const optionalPercent = percent({ whenEmpty: null })
const yes = yesNo({ whenEmpty: true })
const no = yesNo({ whenEmpty: false })

/** Any value but `high` is mentioned in answers. */
const confidence = word(['high', 'medium', 'low'], { whenEmpty: 'high', fileDefault: true })
const recipient = word(['any', 'individual', 'business'], { whenEmpty: 'any' })
/** The jurisdiction or customs area; may be given for a whole file. */
const jurisdiction = name({ fileDefault: true })
/** Empty: all codes. */
const anyPrefix = codePrefix({ whenEmpty: '' })
const validity = {
  validFrom: day({ whenEmpty: null, fileDefault: true }),
  validTo: endDay({ whenEmpty: null }),
}

/** Joins the parts of a label. */
const words = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ')

/** Leaves out 'any', the default recipient. */
const namedRecipient = (value: string): string => (value === 'any' ? '' : value)

/** States, customs unions, and territories with their own rules. */
const jurisdictions = table({
  rowName: 'jurisdiction',
  fields: {
    code: name(),
    name: text(),
    currency: currency(),
    /** Customs areas it belongs to. The low-value rules on duty and the fees of the first apply. */
    customsAreas: names(),
    /** The customs area whose tariff applies. Empty: the first customs area. */
    tariffOf: optionalName,
    taxAreas: names(),
    /** Whether freight and insurance to the border are part of the customs value (CIF) or not (FOB). */
    valuation: word(['CIF', 'FOB']),
    /** Duties and taxes are rounded to multiples of this amount of its currency. Empty: one cent of a euro. */
    roundingUnit: optionalAmount,
    roundingMode: word(['half_up', 'down'], { whenEmpty: 'half_up' }),
    /** The base of duties and taxes is cut down to a multiple of this amount. Empty: it is not cut. */
    valueUnit: optionalAmount,
    /** Whether the threshold rows contain all low-value rules of the jurisdiction. */
    reliefs: word(['considered', 'not_considered'], { whenEmpty: 'considered' }),
    note,
  },
  key: ['code'],
  scope: ['code'],
  owner: 'code',
  label: ({ code }) => code,
})

/** The jurisdiction of a country, or of a postal range in it. */
const territories = table({
  rowName: 'territory',
  fields: {
    country: country(),
    /** First and last postal code of the range. Empty: the whole country. */
    postalFrom: optionalText,
    postalTo: optionalText,
    name: text(),
    jurisdiction: name(),
  },
  key: ['country', 'postalFrom', 'postalTo'],
  scope: ['country'],
  owner: 'country',
  label: ({ country, postalFrom, postalTo }) => words(country, postalFrom, postalTo),
})

/** Countries that belong to a group of origins ("EU", "CPTPP"). */
const originGroups = table({
  rowName: 'origin_group',
  fields: { originGroup: name(), country: country() },
  key: ['originGroup', 'country'],
  scope: ['originGroup'],
  label: ({ originGroup, country }) => words(originGroup, country),
})

/** Codes on the lists that measures name as their scope or their exemption. */
const codeLists = table({
  rowName: 'code_list',
  fields: { codeList: name(), codePrefix: codePrefix() },
  key: ['codeList', 'codePrefix'],
  scope: ['codeList'],
  label: ({ codeList, codePrefix }) => words(codeList, codePrefix),
})

/** Codes of one edition of the HS that a later edition replaced. */
const hsSuccessors = table({
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

/** Taxes on import. */
const taxes = table({
  rowName: 'tax',
  fields: {
    jurisdiction,
    tax: name(),
    name: text(),
    kind: word(['DUTY', 'VAT', 'GST', 'EXCISE', 'FEE']),
    /** `levied` by the rate rows; `none`: not levied; `not_estimated`: levied at rates that are not loaded. */
    status: word(['levied', 'none', 'not_estimated']),
    /** `inside`: the tax is part of its own base. */
    base: word(['value_and_duty', 'inside'], { whenEmpty: 'value_and_duty' }),
    /** Freight and insurance are in the base even if they are not in the customs value. */
    includesFreight: no,
    /** Share of the customs value that is added to the base. */
    upliftPpm: percent({ whenEmpty: 0 }),
    /** The jurisdiction whose rate rows apply. */
    ratesOf: optionalName,
    /** Why the amount is zero, for a tax that is not levied or not estimated. */
    reason: optionalText,
    note,
    /** The note applies to these codes. Empty: to all. */
    notePrefixes: codePrefixes(),
    /** The tax applies to these codes. Empty: to all. */
    codePrefixes: codePrefixes(),
    /** The tax is charged on goods for this recipient. */
    recipient,
  },
  key: ['jurisdiction', 'tax'],
  scope: ['jurisdiction'],
  owner: 'jurisdiction',
  label: ({ tax }) => tax,
})

/** Rates of a tax. */
const taxRates = table({
  rowName: 'tax_rate',
  fields: {
    jurisdiction,
    tax: name({ whenEmpty: 'VAT' }),
    codePrefix: anyPrefix,
    ratePpm: percent(),
    /** "standard", or the goods the rate is for in a word or two: "food", "books". */
    kind: text({ whenEmpty: 'standard', maxLength: 80 }),
    ...validity,
    confidence,
    note,
  },
  key: ['jurisdiction', 'tax', 'codePrefix', 'validFrom'],
  scope: ['jurisdiction', 'tax'],
  owner: 'jurisdiction',
  label: ({ tax, codePrefix }) => words(tax, codePrefix),
})

/** Types of measures. Duties are added in the order of these rows. */
const measureTypes = table({
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
const measures = table({
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
     * `subheading`: the rate is known only for six digits. `average`: the average of the rates of `goods`; it applies to
     * codes that have neither a line nor a subheading.
     */
    level: word(['line', 'subheading', 'average'], { whenEmpty: 'line' }),
    /** The goods of an average: "clothing". */
    goods: text({ whenEmpty: '', maxLength: 80 }),
    /** Of a rate calculated from several lines or codes: the lowest and the highest of them, and their number. */
    lowestPpm: optionalPercent,
    highestPpm: optionalPercent,
    lineCount: count({ whenEmpty: null, column: 'lines' }),
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

/** How goods are declared for import: under the import one-stop shop, by post, or by a courier without it. */
export const IMPORT_SCHEMES = ['IOSS', 'POSTAL', 'COURIER'] as const

export type ImportScheme = (typeof IMPORT_SCHEMES)[number]

/**
 * Duties of a tariff that depend on a fact that most requests lack. An additional duty by additional code is charged if the
 * request names the code. The rate of a quota is shown beside the duty, and never charged.
 */
const conditionalDuties = table({
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

/** Dated low-value rules of a customs area (duty) or jurisdiction (tax). The first row that fits applies. */
const thresholds = table({
  rowName: 'threshold',
  fields: {
    jurisdiction,
    appliesTo: word(['duty', 'tax']),
    /**
     * `flat_per_item`: an amount for each code and origin in place of the tariff. `flat_rate`: a share of the value less
     * `deductAmount` (once per consignment) in place of the tariff. `taxed_excess`: only the value above the limit
     * counts. `not_levied_up_to` and `not_levied_below` compare the limit with the charge instead of the value.
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
    /** The rule applies only to imports under these schemes: `IOSS`, `POSTAL`, `COURIER`. Empty: to all imports. */
    importSchemes: names(),
    /** The rule applies to these codes. Empty: to all. */
    includedPrefixes: codePrefixes(),
    excludedPrefixes: codePrefixes(),
    /** A preference that the origin allows is claimed instead. */
    yieldsToPreference: no,
    /** The charge includes the taxes of the jurisdiction. */
    replacesTaxes: no,
    reason: optionalText,
    /** False for rules that are unverified or may not be in force. An operator can switch them on. */
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

/** Dated fees of authorities. */
const fees = table({
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
    recipient,
    /** The fee is part of the base of taxes. */
    inTaxBase: no,
    /** Not charged if a preference is claimed for all goods. */
    waivedByPreference: no,
    reason: optionalText,
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

/** Dated rates of excise duties. Goods owe every excise that has a rate for their code. */
const exciseRates = table({
  rowName: 'excise_rate',
  fields: {
    jurisdiction,
    /** "spirits", "cigarettes". Of one excise, the rows with the longest matching prefix apply. */
    excise: name(),
    /** The name of its lines: "Excise duty on spirits". */
    name: text(),
    codePrefix: anyPrefix,
    /** Alcohol by volume: the rate applies above the first and up to the second. Null: no bound. */
    strengthAbovePpm: optionalPercent,
    strengthUpToPpm: optionalPercent,
    /** Share of the retail price in the destination. It is never calculated, because no request contains that price. */
    retailPricePpm: optionalPercent,
    /** Share of the customs value and the import duty. */
    adValoremPpm: optionalPercent,
    specific: duty({ whenEmpty: '' }),
    /** The least amount of the whole excise. */
    minimum: duty({ whenEmpty: '' }),
    /** The published text, if the other columns cannot hold all of it. */
    text: note,
    ...validity,
    confidence,
    note,
  },
  key: ['jurisdiction', 'excise', 'codePrefix', 'strengthAbovePpm', 'validFrom'],
  scope: ['jurisdiction'],
  owner: 'jurisdiction',
  label: ({ excise, codePrefix, strengthAbovePpm }) =>
    words(excise, codePrefix, strengthAbovePpm === null ? '' : `above ${strengthAbovePpm / 10_000}% vol`),
})

/** Dated fees of carriers for clearing a shipment and for advancing its duties and taxes. An operator's table. */
const clearanceFees = table({
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

/** Units of a currency for one euro, from a day on. */
const exchangeRates = table({
  rowName: 'exchange_rate',
  fields: {
    currency: currency(),
    unitsPerEuro: amount(),
    validFrom: day({ fileDefault: true }),
    confidence,
    note,
  },
  key: ['currency', 'validFrom'],
  scope: ['currency', 'validFrom'],
  owner: 'currency',
  label: ({ validFrom }) => `from ${validFrom}`,
})

/** In the order in which sets, files and comparisons list the tables. */
const DEFINITIONS = {
  jurisdictions,
  territories,
  originGroups,
  codeLists,
  hsSuccessors,
  taxes,
  taxRates,
  measureTypes,
  measures,
  conditionalDuties,
  thresholds,
  fees,
  exciseRates,
  clearanceFees,
  exchangeRates,
}

/** The tables that a data set can fill. */
export type CustomsTableName = keyof typeof DEFINITIONS

/** The row type of each table. */
export type CustomsRow = {
  readonly [Table in CustomsTableName]: RowOf<(typeof DEFINITIONS)[Table]['fields']>
}

/** A row of any table. */
export type AnyCustomsRow = CustomsRow[CustomsTableName]

/** The name of one row of each table in snake case, as in `CustomsTable.rowName`. */
export type CustomsRowName = {
  readonly [Table in CustomsTableName]: (typeof DEFINITIONS)[Table]['rowName']
}

/** The definitions of all tables. */
export const CUSTOMS_TABLES: {
  readonly [Table in CustomsTableName]: CustomsTable<CustomsRow[Table]>
} = DEFINITIONS

export const CUSTOMS_TABLE_NAMES = Object.keys(DEFINITIONS) as readonly CustomsTableName[]

/** Tables with tens of thousands of rows, which stay packed in memory. */
export const LARGE_TABLES: readonly CustomsTableName[] = ['measures', 'codeLists']

/** Rows of every table. */
export type TableRows = { readonly [Table in CustomsTableName]: readonly CustomsRow[Table][] }

/** The rows of a data set. Tables that it does not fill are absent. */
export type SetRows = { readonly [Table in CustomsTableName]?: readonly CustomsRow[Table][] }

/** All customs data. */
export type CustomsRows = TableRows & { readonly dataSets: readonly DataSetRow[] }

/** Calls `rowsOf` for every table. */
export function mapTables(
  rowsOf: <Table extends CustomsTableName>(table: Table) => readonly CustomsRow[Table][],
): TableRows {
  return Object.fromEntries(CUSTOMS_TABLE_NAMES.map((table) => [table, rowsOf(table)])) as TableRows
}

/** The rows of several sets, table by table. */
export function joinSets(sets: readonly SetRows[]): TableRows {
  return mapTables((table) => sets.flatMap((rows) => rows[table] ?? []))
}

/** The fields of a table with their names, in the order of its columns. */
export function fieldsOf(table: CustomsTableName): readonly (readonly [fieldName: string, field: Field])[] {
  return Object.entries<Field>(CUSTOMS_TABLES[table].fields)
}

/** The values of the key of a row as text: equal for two rows that must not be in one file. */
export function keyOf<Table extends CustomsTableName>(table: Table, row: CustomsRow[Table]): string {
  return CUSTOMS_TABLES[table].key.map((field) => row[field] ?? '').join('\n')
}

/** The jurisdiction or currency of a row; empty if its table has neither. */
export function ownerOf<Table extends CustomsTableName>(table: Table, row: CustomsRow[Table]): string {
  const { owner } = CUSTOMS_TABLES[table]
  return owner === undefined ? '' : String(row[owner])
}

/** The scope of a row as text: "GB third_country_duty". */
export function scopeOf<Table extends CustomsTableName>(table: Table, row: CustomsRow[Table]): string {
  return CUSTOMS_TABLES[table].scope.map((field) => row[field]).join(' ')
}

/** Identifies a row of its owner in a comparison, independently of its days and rate. */
export function labelOf<Table extends CustomsTableName>(table: Table, row: CustomsRow[Table]): string {
  return CUSTOMS_TABLES[table].label(row)
}

export type JurisdictionRow = CustomsRow['jurisdictions']
export type TerritoryRow = CustomsRow['territories']
export type OriginGroupRow = CustomsRow['originGroups']
export type CodeListRow = CustomsRow['codeLists']
export type HsSuccessorRow = CustomsRow['hsSuccessors']
export type TaxRow = CustomsRow['taxes']
export type TaxRateRow = CustomsRow['taxRates']
export type MeasureTypeRow = CustomsRow['measureTypes']
export type MeasureRow = CustomsRow['measures']
export type ConditionalDutyRow = CustomsRow['conditionalDuties']
export type ThresholdRow = CustomsRow['thresholds']
export type FeeRow = CustomsRow['fees']
export type ExciseRateRow = CustomsRow['exciseRates']
export type ClearanceFeeRow = CustomsRow['clearanceFees']
export type ExchangeRateRow = CustomsRow['exchangeRates']

export type TaxKind = TaxRow['kind']
export type Confidence = MeasureRow['confidence']
export type Valuation = JurisdictionRow['valuation']
export type RoundingMode = JurisdictionRow['roundingMode']
export type MeasureRole = MeasureTypeRow['role']
export type MeasureKind = MeasureRow['kind']
