/**
 * The rows of each customs table, from the lines of a data file. Decided here: which columns a table has, and what
 * an empty cell stands for (README, section Customs). Units are those of `reference-rows.ts`.
 */
import type { CustomsRows, CustomsTableName } from '../../core/customs/data/rows.ts'
import {
  amount,
  cell,
  day,
  type Line,
  list,
  ppm,
  prefix,
  prefixes,
  requiredCell,
  requiredDay,
  requiredPpm,
  word,
  yesNo,
} from './cells.ts'
import { readMeasure } from './measure.ts'

/** Reads a line of a table; `dataSet` is the name of the set it is in. Throws where a cell cannot be read. */
export type LineReader<Table extends CustomsTableName> = (
  line: Line,
  dataSet: string,
) => CustomsRows[Table][number]

const CONFIDENCE = ['high', 'medium', 'low'] as const
const RECIPIENT = ['any', 'individual', 'business'] as const

const readJurisdiction: LineReader<'jurisdictions'> = (line, dataSet) => ({
  dataSet,
  code: requiredCell(line, 'code'),
  name: requiredCell(line, 'name'),
  currency: requiredCell(line, 'currency'),
  customsAreas: list(line, 'customs_areas'),
  taxAreas: list(line, 'tax_areas'),
  valuation: word(line, 'valuation', ['CIF', 'FOB']),
  roundingUnit: amount(line, 'rounding_unit'),
  roundingMode: word(line, 'rounding_mode', ['half_up', 'down'], 'half_up'),
  valueUnit: amount(line, 'value_unit'),
  reliefs: word(line, 'reliefs', ['considered', 'not_considered']),
  note: cell(line, 'note'),
})

const readTerritory: LineReader<'territories'> = (line, dataSet) => ({
  dataSet,
  country: requiredCell(line, 'country'),
  postalFrom: cell(line, 'postal_from'),
  postalTo: cell(line, 'postal_to'),
  name: requiredCell(line, 'name'),
  jurisdiction: requiredCell(line, 'jurisdiction'),
})

const readHsSuccessor: LineReader<'hsSuccessors'> = (line, dataSet) => ({
  dataSet,
  endedCode: prefix(line, 'ended_code'),
  endedEdition: requiredCell(line, 'ended_edition'),
  code: prefix(line, 'code'),
  edition: requiredCell(line, 'edition'),
  isMain: yesNo(line, 'is_main', false),
})

const readTax: LineReader<'taxes'> = (line, dataSet) => ({
  dataSet,
  jurisdiction: requiredCell(line, 'jurisdiction'),
  tax: requiredCell(line, 'tax'),
  name: requiredCell(line, 'name'),
  kind: word(line, 'kind', ['DUTY', 'VAT', 'GST', 'EXCISE', 'FEE']),
  status: word(line, 'status', ['levied', 'none', 'not_estimated']),
  base: word(line, 'base', ['value_and_duty', 'inside']),
  includesFreight: yesNo(line, 'includes_freight', false),
  upliftPpm: ppm(line, 'uplift_percent') ?? 0,
  ratesOf: requiredCell(line, 'rates_of'),
  reason: cell(line, 'reason'),
  note: cell(line, 'note'),
  notePrefixes: prefixes(line, 'note_prefixes'),
  codePrefixes: prefixes(line, 'code_prefixes'),
})

const readTaxRate: LineReader<'taxRates'> = (line, dataSet) => ({
  dataSet,
  jurisdiction: requiredCell(line, 'jurisdiction'),
  tax: requiredCell(line, 'tax'),
  codePrefix: prefix(line, 'code_prefix'),
  ratePpm: requiredPpm(line, 'rate_percent'),
  kind: requiredCell(line, 'kind'),
  validFrom: day(line, 'valid_from'),
  validTo: day(line, 'valid_to'),
  confidence: word(line, 'confidence', CONFIDENCE),
  note: cell(line, 'note'),
})

const readMeasureType: LineReader<'measureTypes'> = (line, dataSet) => ({
  dataSet,
  measureType: requiredCell(line, 'measure_type'),
  name: requiredCell(line, 'name'),
  role: word(line, 'role', ['base', 'preference', 'additional']),
  notWith: list(line, 'not_with'),
})

const readThreshold: LineReader<'thresholds'> = (line, dataSet) => ({
  dataSet,
  jurisdiction: requiredCell(line, 'jurisdiction'),
  appliesTo: word(line, 'applies_to', ['duty', 'tax']),
  kind: word(line, 'kind', [
    'relief_up_to',
    'flat_per_item',
    'flat_rate',
    'taxed_excess',
    'not_levied_up_to',
    'not_levied_below',
  ]),
  limitAmount: amount(line, 'limit_amount'),
  valueBasis: word(line, 'value_basis', ['goods', 'customs_value'], 'goods'),
  currency: requiredCell(line, 'currency'),
  flatAmount: amount(line, 'flat_amount'),
  deductAmount: amount(line, 'deduct_amount'),
  ratePpm: ppm(line, 'rate_percent'),
  recipient: word(line, 'recipient', RECIPIENT),
  sentFrom: list(line, 'sent_from'),
  includedPrefixes: prefixes(line, 'included_prefixes'),
  excludedPrefixes: prefixes(line, 'excluded_prefixes'),
  yieldsToPreference: yesNo(line, 'yields_to_preference', false),
  replacesTaxes: yesNo(line, 'replaces_taxes', false),
  reason: requiredCell(line, 'reason'),
  enabled: yesNo(line, 'enabled', true),
  validFrom: day(line, 'valid_from'),
  validTo: day(line, 'valid_to'),
  confidence: word(line, 'confidence', CONFIDENCE),
})

const readFee: LineReader<'fees'> = (line, dataSet) => ({
  dataSet,
  jurisdiction: requiredCell(line, 'jurisdiction'),
  fee: requiredCell(line, 'fee'),
  name: requiredCell(line, 'name'),
  kind: word(line, 'kind', ['per_consignment', 'per_line', 'share_of_value']),
  status: word(line, 'status', ['levied', 'not_estimated']),
  currency: requiredCell(line, 'currency'),
  amount: amount(line, 'amount'),
  ratePpm: ppm(line, 'rate_percent'),
  minimum: amount(line, 'minimum'),
  maximum: amount(line, 'maximum'),
  notLeviedBelow: amount(line, 'not_levied_below'),
  valueAbove: amount(line, 'value_above'),
  valueUpTo: amount(line, 'value_up_to'),
  recipient: word(line, 'recipient', RECIPIENT),
  inTaxBase: yesNo(line, 'in_tax_base', false),
  waivedByPreference: yesNo(line, 'waived_by_preference', false),
  reason: cell(line, 'reason'),
  enabled: yesNo(line, 'enabled', true),
  validFrom: day(line, 'valid_from'),
  validTo: day(line, 'valid_to'),
  confidence: word(line, 'confidence', CONFIDENCE),
})

/** How a line of each table is read. */
export const LINE_READERS: { readonly [Table in CustomsTableName]: LineReader<Table> } = {
  jurisdictions: readJurisdiction,
  territories: readTerritory,
  originGroups: (line, dataSet) => ({
    dataSet,
    originGroup: requiredCell(line, 'origin_group'),
    country: requiredCell(line, 'country'),
  }),
  codeLists: (line, dataSet) => ({
    dataSet,
    codeList: requiredCell(line, 'code_list'),
    codePrefix: prefix(line, 'code_prefix'),
  }),
  hsSuccessors: readHsSuccessor,
  taxes: readTax,
  taxRates: readTaxRate,
  measureTypes: readMeasureType,
  measures: readMeasure,
  thresholds: readThreshold,
  fees: readFee,
  exchangeRates: (line, dataSet) => ({
    dataSet,
    currency: requiredCell(line, 'currency'),
    unitsPerEuro: amount(line, 'units_per_euro'),
    validFrom: requiredDay(line, 'valid_from'),
    confidence: word(line, 'confidence', CONFIDENCE),
    note: cell(line, 'note'),
  }),
}
