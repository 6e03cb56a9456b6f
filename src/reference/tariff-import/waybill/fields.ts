/**
 * The columns of the product's own customs files, table by table: which a file needs, which it may leave out, and
 * what an empty cell means. Decided here: the same columns as the data sets the product ships (README, section
 * Customs); what the operator says about a whole file stands in for a column that is not there.
 */
import type { CustomsRows, CustomsTableName } from '../../../core/customs/data/rows.ts'
import { country, day, optionalOr, text, whole, word } from '../../import/csv-cells.ts'
import type { Fields } from '../../import/csv-rows.ts'
import type { ImportDefaults } from '../customs-import.ts'
import {
  amount,
  codePrefix,
  codePrefixes,
  currency,
  dayOrOpen,
  dutyParts,
  firstDay,
  name,
  names,
  orNull,
  percentPpm,
  remarkOrNothing,
  textOrNothing,
  yesOrNo,
} from './cells.ts'

/** A row of a table as its cells say it. */
export type OwnRow<Table extends CustomsTableName> = Omit<CustomsRows[Table][number], 'dataSet'>

/** The cells of every table. */
export type TableFields = { readonly [Table in CustomsTableName]: Fields<OwnRow<Table>> }

const confidence = optionalOr(word('confidence', ['high', 'medium', 'low']), 'high')
const recipient = optionalOr(word('recipient', ['any', 'individual', 'business']), 'any')
const note = remarkOrNothing('note')
const reason = textOrNothing('reason')
const nothingIsEveryCode = optionalOr(codePrefix('code_prefix'), '')

/** The cells of the tables, for a file about which the operator said `defaults`. */
export function tableFields(defaults: ImportDefaults): TableFields {
  const own = name('jurisdiction')
  const jurisdiction = defaults.jurisdiction === undefined ? own : optionalOr(own, defaults.jurisdiction)
  const dated = { validFrom: firstDay('valid_from', defaults.validFrom), validTo: dayOrOpen('valid_to') }
  return {
    ...PLACE_FIELDS,
    ...LIST_FIELDS,
    taxes: { jurisdiction, ...TAX_FIELDS },
    taxRates: {
      jurisdiction,
      tax: optionalOr(name('tax'), 'VAT'),
      codePrefix: nothingIsEveryCode,
      ratePpm: percentPpm('rate_percent'),
      kind: optionalOr(text('kind', 80), 'standard'),
      ...dated,
      confidence,
      note,
    },
    measures: { ...measureFields(defaults), jurisdiction, ...dated },
    thresholds: { jurisdiction, ...THRESHOLD_FIELDS, ...dated },
    fees: { jurisdiction, ...FEE_FIELDS, ...dated },
    exchangeRates: {
      currency: currency('currency'),
      unitsPerEuro: amountNeeded('units_per_euro'),
      validFrom:
        defaults.validFrom === undefined
          ? day('valid_from')
          : optionalOr(day('valid_from'), defaults.validFrom),
      confidence,
      note,
    },
  }
}

function amountNeeded(column: string): Fields<OwnRow<'exchangeRates'>>['unitsPerEuro'] {
  const { whenEmpty: _, ...cell } = amount(column)
  return { ...cell, needs: 'value' }
}

const PLACE_FIELDS: Pick<TableFields, 'jurisdictions' | 'territories'> = {
  jurisdictions: {
    code: name('code'),
    name: text('name'),
    currency: currency('currency'),
    customsAreas: names('customs_areas'),
    taxAreas: names('tax_areas'),
    valuation: word('valuation', ['CIF', 'FOB']),
    roundingUnit: amount('rounding_unit'),
    roundingMode: optionalOr(word('rounding_mode', ['half_up', 'down']), 'half_up'),
    valueUnit: amount('value_unit'),
    reliefs: optionalOr(word('reliefs', ['considered', 'not_considered']), 'considered'),
    note,
  },
  territories: {
    country: country('country'),
    postalFrom: textOrNothing('postal_from'),
    postalTo: textOrNothing('postal_to'),
    name: text('name'),
    jurisdiction: name('jurisdiction'),
  },
}

const LIST_FIELDS: Pick<TableFields, 'originGroups' | 'codeLists' | 'hsSuccessors' | 'measureTypes'> = {
  originGroups: { originGroup: name('origin_group'), country: country('country') },
  codeLists: { codeList: name('code_list'), codePrefix: codePrefix('code_prefix') },
  hsSuccessors: {
    endedCode: codePrefix('ended_code'),
    endedEdition: text('ended_edition', 40),
    code: codePrefix('code'),
    edition: text('edition', 40),
    isMain: yesOrNo('is_main', false),
  },
  measureTypes: {
    measureType: name('measure_type'),
    name: text('name'),
    role: word('role', ['base', 'preference', 'additional']),
    notWith: names('not_with'),
  },
}

const TAX_FIELDS: Omit<TableFields['taxes'], 'jurisdiction'> = {
  tax: name('tax'),
  name: text('name'),
  kind: word('kind', ['DUTY', 'VAT', 'GST', 'EXCISE', 'FEE']),
  status: word('status', ['levied', 'none', 'not_estimated']),
  base: optionalOr(word('base', ['value_and_duty', 'inside']), 'value_and_duty'),
  includesFreight: yesOrNo('includes_freight', false),
  upliftPpm: optionalOr(percentPpm('uplift_percent'), 0),
  ratesOf: optionalOr(name('rates_of'), ''),
  reason,
  note,
  notePrefixes: codePrefixes('note_prefixes'),
  codePrefixes: codePrefixes('code_prefixes'),
}

function measureFields({
  measureType = 'third_country_duty',
}: ImportDefaults): Omit<TableFields['measures'], 'jurisdiction' | 'validFrom' | 'validTo'> {
  const kinds = ['additive', 'cap_total', 'floor_total', 'replace_base'] as const
  const conditions = ['seasonal', 'entry_price', 'meursing', 'not_loaded', 'not_parsed'] as const
  return {
    codePrefix: nothingIsEveryCode,
    measureType: optionalOr(name('measure_type'), measureType),
    kind: optionalOr(word('kind', kinds), 'additive'),
    originGroup: optionalOr(name('origin_group'), 'ALL'),
    excludedOrigins: names('excluded_origins'),
    scopeList: optionalOr(name('scope_list'), ''),
    exemptList: optionalOr(name('exempt_list'), ''),
    basis: optionalOr(word('basis', ['value', 'duty']), 'value'),
    against: names('against'),
    adValoremPpm: orNull(percentPpm('ad_valorem_percent')),
    specific: dutyParts('specific'),
    minimum: dutyParts('minimum'),
    maximum: dutyParts('maximum'),
    condition: optionalOr(word('condition', conditions), ''),
    text: remarkOrNothing('text'),
    lowestPpm: orNull(percentPpm('lowest_percent')),
    highestPpm: orNull(percentPpm('highest_percent')),
    lineCount: orNull(whole('lines')),
    agreement: textOrNothing('agreement'),
    confidence,
    note,
  }
}

const THRESHOLD_KINDS = [
  ...(['relief_up_to', 'flat_per_item', 'flat_rate', 'taxed_excess'] as const),
  ...(['not_levied_up_to', 'not_levied_below'] as const),
]

const THRESHOLD_FIELDS: Omit<TableFields['thresholds'], 'jurisdiction' | 'validFrom' | 'validTo'> = {
  appliesTo: word('applies_to', ['duty', 'tax']),
  kind: word('kind', THRESHOLD_KINDS),
  limitAmount: amount('limit_amount'),
  valueBasis: optionalOr(word('value_basis', ['goods', 'customs_value']), 'goods'),
  currency: optionalOr(currency('currency'), ''),
  flatAmount: amount('flat_amount'),
  deductAmount: amount('deduct_amount'),
  ratePpm: orNull(percentPpm('rate_percent')),
  recipient,
  sentFrom: names('sent_from'),
  includedPrefixes: codePrefixes('included_prefixes'),
  excludedPrefixes: codePrefixes('excluded_prefixes'),
  yieldsToPreference: yesOrNo('yields_to_preference', false),
  replacesTaxes: yesOrNo('replaces_taxes', false),
  reason,
  enabled: yesOrNo('enabled', true),
  confidence,
}

const FEE_FIELDS: Omit<TableFields['fees'], 'jurisdiction' | 'validFrom' | 'validTo'> = {
  fee: name('fee'),
  name: text('name'),
  kind: word('kind', ['per_consignment', 'per_line', 'share_of_value']),
  status: optionalOr(word('status', ['levied', 'not_estimated']), 'levied'),
  currency: optionalOr(currency('currency'), ''),
  amount: amount('amount'),
  ratePpm: orNull(percentPpm('rate_percent')),
  minimum: amount('minimum'),
  maximum: amount('maximum'),
  notLeviedBelow: amount('not_levied_below'),
  valueAbove: amount('value_above'),
  valueUpTo: amount('value_up_to'),
  recipient,
  inTaxBase: yesOrNo('in_tax_base', false),
  waivedByPreference: yesOrNo('waived_by_preference', false),
  reason,
  enabled: yesOrNo('enabled', true),
  confidence,
}
