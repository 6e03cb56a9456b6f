/**
 * Rules about several cells of one row of a customs file. A row that could never apply is a fault, because the engine
 * would silently ignore it.
 */
import type {
  CustomsRow,
  CustomsTableName,
  FeeRow,
  HsSuccessorRow,
  MeasureRow,
  TaxRow,
  TerritoryRow,
  ThresholdRow,
} from '../../../core/customs/data/rows.ts'
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
  const cells = { limit_amount: row.limitAmount, flat_amount: row.flatAmount, rate_percent: row.ratePpm }
  for (const column of NEEDED_BY_THRESHOLD[row.kind]) {
    // The excess is taxed at the rate of the tax.
    if (row.kind === 'taxed_excess' && row.appliesTo === 'tax' && column === 'rate_percent') continue
    if (needs(cells[column], column, row.kind, report) === undefined) return undefined
  }
  const hasAmount = `${row.limitAmount}${row.flatAmount}${row.deductAmount}` !== ''
  if (hasAmount && row.currency === '') return report('currency', 'the currency of the amounts', '')
  return validityInOrder(row, report)
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
  return validityInOrder(row, report)
}

const checkMeasure: RowCheck<MeasureRow> = (row, report) => {
  if (row.adValoremPpm === null && `${row.specific}${row.condition}${row.text}` === '')
    return report('ad_valorem_percent', 'a rate, or the condition or text that says why there is none', '')
  if (row.condition === 'not_parsed' && row.text === '')
    return report('text', 'the published text: not_parsed needs it', '')
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
}
