/**
 * Rules about several cells of one row of a customs file. A row that could never apply is a fault, because the engine
 * would silently ignore it.
 */

import type { ClearanceFeeRow, FeeRow } from '../../../core/customs/data/row-types/fees.ts'
import type {
  ConditionalDutyRow,
  HsSuccessorRow,
  MeasureRow,
} from '../../../core/customs/data/row-types/measures.ts'
import type { TerritoryRow } from '../../../core/customs/data/row-types/places.ts'
import type { RestrictionRow } from '../../../core/customs/data/row-types/restrictions.ts'
import type { SellerSchemeRow } from '../../../core/customs/data/row-types/seller-schemes.ts'
import type { ExciseRateRow, TaxRow } from '../../../core/customs/data/row-types/taxes.ts'
import { IMPORT_SCHEMES, type ThresholdRow } from '../../../core/customs/data/row-types/thresholds.ts'
import type { TradeDefenceRow } from '../../../core/customs/data/row-types/trade-defence.ts'
import type { CustomsRow, CustomsTableName } from '../../../core/customs/data/rows.ts'
import { canonicalUnit } from '../../../core/customs/tariff/quantity-unit.ts'
import { BASE_MEASURE_TYPE } from '../../../core/customs/tariff/tariff.ts'
import type { Report } from '../../import/csv-rows.ts'

/** Reports the first fault of a row. Returns true if there is none, otherwise undefined. */
export type RowCheck<Row> = (row: Row, report: Report) => true | undefined

function validityInOrder(
  { validFrom, validTo }: { readonly validFrom: string | null; readonly validTo: string | null },
  report: Report,
): true | undefined {
  if (validFrom === null || validTo === null || validTo > validFrom) return true
  return report('valid_to', `a day after ${validFrom}: the first on which the row no longer applies`, validTo)
}

/** Reports a missing value that the kind of the row needs. */
function needs(
  value: string | number | null,
  column: string,
  kind: string,
  report: Report,
): true | undefined {
  return value === '' || value === null ? report(column, `a value: ${kind} needs one`, '') : true
}

const NEEDED_BY_THRESHOLD = {
  relief_up_to: ['limit_amount'],
  flat_per_item: ['flat_amount'],
  flat_rate: ['rate_percent'],
  taxed_excess: ['limit_amount', 'rate_percent'],
  not_levied_up_to: ['limit_amount'],
  not_levied_below: ['limit_amount'],
} as const

const checkThreshold: RowCheck<ThresholdRow> = (row, report) => {
  if (row.appliesTo === 'tax' && (row.kind === 'flat_per_item' || row.kind === 'flat_rate'))
    return report('applies_to', `duty: a ${row.kind} replaces the tariff`, row.appliesTo)
  const cells = { limit_amount: row.limitAmount, flat_amount: row.flatAmount, rate_percent: row.ratePpm }
  for (const column of NEEDED_BY_THRESHOLD[row.kind]) {
    // The excess is taxed at the rate of the tax.
    if (row.kind === 'taxed_excess' && row.appliesTo === 'tax' && column === 'rate_percent') continue
    if (needs(cells[column], column, row.kind, report) === undefined) return undefined
  }
  const hasAmount = `${row.limitAmount}${row.flatAmount}${row.deductAmount}` !== ''
  if (hasAmount && row.currency === '') return report('currency', 'the currency of the amounts', '')
  if (checkItems(row, 'flat_per_item', report) === undefined) return undefined
  return validityInOrder(row, report)
}

/** The import schemes, and the digits by which the rule of one kind counts items. */
function checkItems(
  { importSchemes, itemDigits, kind }: Pick<ThresholdRow | FeeRow, 'importSchemes' | 'itemDigits' | 'kind'>,
  kindWithItems: ThresholdRow['kind'] | FeeRow['kind'],
  report: Report,
): true | undefined {
  const unknown = importSchemes.find((scheme) => !IMPORT_SCHEMES.some((known) => known === scheme))
  if (unknown !== undefined) return report('import_schemes', IMPORT_SCHEMES.join(', '), unknown)
  return itemDigits !== null && kind !== kindWithItems
    ? report('kind', `${kindWithItems}: item_digits needs it`, kind)
    : true
}

const checkFee: RowCheck<FeeRow> = (row, report) => {
  const amounts = [row.amount, row.minimum, row.maximum, row.notLeviedBelow, row.valueAbove, row.valueUpTo]
  if (amounts.some((amount) => amount !== '') && row.currency === '')
    return report('currency', 'the currency of the amounts', '')
  if (row.status === 'levied') {
    const needed =
      row.kind === 'share_of_value'
        ? needs(row.ratePpm, 'rate_percent', row.kind, report)
        : needs(row.amount, 'amount', row.kind, report)
    if (needed === undefined) return undefined
  }
  if (checkItems(row, 'per_line', report) === undefined) return undefined
  if (row.exemptOrigins.length > 0 && row.kind !== 'share_of_value')
    return report('kind', 'share_of_value: exempt_origins needs it', row.kind)
  return validityInOrder(row, report)
}

const checkMeasure: RowCheck<MeasureRow> = (row, report) => {
  if (row.adValoremPpm === null && `${row.specific}${row.condition}${row.text}` === '')
    return report('ad_valorem_percent', 'a rate, or the condition or text that says why there is none', '')
  if (row.condition === 'not_parsed' && row.text === '')
    return report('text', 'the published text: not_parsed needs it', '')
  if (checkLevel(row, report) === undefined || checkRange(row, report) === undefined) return undefined
  if (checkUnitValue(row, report) === undefined || checkLists(row, report) === undefined) return undefined
  return validityInOrder(row, report)
}

/** The rate lies inside its range, on every level. */
function checkRange({ lowestPpm, adValoremPpm, highestPpm }: MeasureRow, report: Report): true | undefined {
  const expected = 'rates in the order lowest_percent, ad_valorem_percent, highest_percent'
  const isAbove = (low: number | null, high: number | null): boolean =>
    low !== null && high !== null && low > high
  if (isAbove(lowestPpm, highestPpm)) return report('highest_percent', expected, percentText(highestPpm))
  return isAbove(lowestPpm, adValoremPpm) || isAbove(adValoremPpm, highestPpm)
    ? report('ad_valorem_percent', expected, percentText(adValoremPpm))
    : true
}

function percentText(ppm: number | null): string {
  return ppm === null ? '' : String(ppm / PPM_PER_PERCENT)
}

/** The duties of a tariff are looked up by their codes alone. */
function checkLists({ measureType, scopeList, exemptList }: MeasureRow, report: Report): true | undefined {
  if (measureType !== BASE_MEASURE_TYPE) return true
  for (const [column, list] of Object.entries({ scope_list: scopeList, exempt_list: exemptList }))
    if (list !== '') return report(column, `an empty cell: a ${BASE_MEASURE_TYPE} has no list`, list)
  return true
}

/** Bounds of the unit value need a currency and a unit that Waybill knows. */
function checkUnitValue(row: MeasureRow, report: Report): true | undefined {
  const { unitValueAbove, unitValueUpTo, unitValueCurrency, unitValuePer } = row
  if (`${unitValueAbove}${unitValueUpTo}` === '') return true
  if (unitValueCurrency === '') return report('unit_value_currency', 'the currency of the unit value', '')
  return canonicalUnit(unitValuePer) === undefined
    ? report('unit_value_per', 'a unit such as item, pair, dozen, kg or l', unitValuePer)
    : true
}

const MAX_SUBHEADING_LENGTH = 6

function checkLevel(row: MeasureRow, report: Report): true | undefined {
  const { codePrefix, level } = row
  if (level === 'average') return checkAverage(row, report)
  if (row.goods !== '') return report('goods', 'an empty cell: only an average has goods', row.goods)
  if (row.condition === 'range_only')
    return report('level', 'average: the condition range_only needs it', level)
  return level === 'subheading' && (codePrefix === '' || codePrefix.length > MAX_SUBHEADING_LENGTH)
    ? report('code_prefix', 'two to six digits: the row is a subheading', codePrefix)
    : true
}

/** An average is a share of the value with a range. With the condition `range_only` it has the range alone. */
function checkAverage(row: MeasureRow, report: Report): true | undefined {
  const { measureType, kind, basis, specific, minimum, maximum, condition } = row
  const { adValoremPpm, lowestPpm, highestPpm } = row
  if (needs(row.goods, 'goods', 'average', report) === undefined) return undefined
  if (measureType !== BASE_MEASURE_TYPE)
    return report('measure_type', `${BASE_MEASURE_TYPE}: the row is an average`, measureType)
  if (kind !== 'additive') return report('kind', 'additive: the row is an average', kind)
  if (basis !== 'value') return report('basis', 'value: the row is an average', basis)
  for (const [column, cell] of Object.entries({ specific, minimum, maximum }))
    if (cell !== '') return report(column, 'an empty cell: an average is a percentage', cell)
  if (condition !== '' && condition !== 'range_only')
    return report('condition', 'range_only or an empty cell: the row is an average', condition)
  for (const [column, cell] of Object.entries({ lowest_percent: lowestPpm, highest_percent: highestPpm }))
    if (needs(cell, column, 'average', report) === undefined) return undefined
  if (condition === 'range_only' && adValoremPpm !== null)
    return report(
      'ad_valorem_percent',
      'an empty cell: a range alone has no rate',
      String(adValoremPpm / PPM_PER_PERCENT),
    )
  if (condition === '' && adValoremPpm === null)
    return needs(adValoremPpm, 'ad_valorem_percent', 'average', report)
  return true
}

const PPM_PER_PERCENT = 10_000

const checkConditionalDuty: RowCheck<ConditionalDutyRow> = (row, report) => {
  if (row.adValoremPpm === null && `${row.specific}${row.minimum}${row.text}` === '')
    return report('ad_valorem_percent', 'a rate, or the published text', '')
  if (row.dependsOn === 'additional_code' && row.additionalCode === '')
    return report('additional_code', 'the code that the duty depends on', '')
  return validityInOrder(row, report)
}

const checkExciseRate: RowCheck<ExciseRateRow> = (row, report) => {
  const { retailPricePpm, adValoremPpm, specific, minimum, strengthAbovePpm, strengthUpToPpm } = row
  if (retailPricePpm === null && adValoremPpm === null && `${specific}${minimum}` === '')
    return report('specific', 'a rate: an amount per quantity or a percentage', '')
  if (strengthUpToPpm !== null && strengthAbovePpm !== null && strengthUpToPpm <= strengthAbovePpm)
    return report('strength_up_to_percent', 'a strength higher than strength_above_percent', '')
  return validityInOrder(row, report)
}

const checkClearanceFee: RowCheck<ClearanceFeeRow> = (row, report) => {
  const needed =
    row.kind === 'fixed'
      ? needs(row.amount, 'amount', row.kind, report)
      : needs(row.ratePpm, 'rate_percent', row.kind, report)
  return needed === undefined ? undefined : validityInOrder(row, report)
}

const LEAST_DEFENCE_LENGTH = 4

const checkTradeDefence: RowCheck<TradeDefenceRow> = (row, report) =>
  row.codePrefix.length < LEAST_DEFENCE_LENGTH
    ? report('code_prefix', 'at least four digits', row.codePrefix)
    : validityInOrder(row, report)

const checkSellerScheme: RowCheck<SellerSchemeRow> = (row, report) =>
  row.limitAmount !== '' && row.currency === ''
    ? report('currency', 'the currency of the limit', '')
    : validityInOrder(row, report)

const checkRestriction: RowCheck<RestrictionRow> = (row, report) => {
  const { destinations, sentFrom, codePrefixes, words, exceptWords } = row
  if (exceptWords !== '' && words === '' && codePrefixes.length === 0)
    return report('except_words', 'an empty cell: the row has neither words nor codes', exceptWords)
  if (destinations.length + sentFrom.length + codePrefixes.length === 0 && words === '')
    return report(
      'words',
      'a destination, a sender, a code or words: the row would concern every shipment',
      '',
    )
  return validityInOrder(row, report)
}

const checkSuccessor: RowCheck<HsSuccessorRow> = ({ endedCode, code }, report) => {
  if (endedCode.length !== 6) return report('ended_code', 'six digits', endedCode)
  return code.length === 6 ? true : report('code', 'six digits', code)
}

const checkTerritory: RowCheck<TerritoryRow> = ({ postalFrom, postalTo }, report) => {
  if (postalFrom !== '' && postalTo === '') return report('postal_to', 'the end of the postal range', '')
  return postalFrom === '' && postalTo !== ''
    ? report('postal_from', 'the beginning of the postal range', '')
    : true
}

const checkTax: RowCheck<TaxRow> = ({ status, ratesOf, reason }, report) => {
  if (status === 'levied' && ratesOf === '')
    return report('rates_of', 'the jurisdiction whose rates apply: a levied tax needs one', '')
  return status !== 'levied' && reason === ''
    ? report('reason', 'why the amount is zero: a tax that is not levied needs a reason', '')
    : true
}

/** The rules of the tables that have any. */
export const ROW_CHECKS: { readonly [Table in CustomsTableName]?: RowCheck<CustomsRow[Table]> } = {
  territories: checkTerritory,
  hsSuccessors: checkSuccessor,
  taxes: checkTax,
  taxRates: validityInOrder,
  measures: checkMeasure,
  thresholds: checkThreshold,
  fees: checkFee,
  conditionalDuties: checkConditionalDuty,
  exciseRates: checkExciseRate,
  clearanceFees: checkClearanceFee,
  tradeDefence: checkTradeDefence,
  sellerSchemes: checkSellerScheme,
  restrictions: checkRestriction,
}
