/**
 * What the cells of one row of the product's own customs files must say together, and which rows are the same thing
 * twice. Decided here: a row that could never be applied is a fault of the file, not a silence of the engine.
 */
import type { CustomsTableName } from '../../../core/customs/data/rows.ts'
import type { Report } from '../../import/csv-rows.ts'
import type { OwnRow } from './fields.ts'

/** Reports what does not fit in a row; undefined when something does not, `true` otherwise. */
export type RowCheck<Table extends CustomsTableName> = (
  row: OwnRow<Table>,
  report: Report,
) => true | undefined

type Checks = { readonly [Table in CustomsTableName]?: RowCheck<Table> }

const inOrder = (
  { validFrom, validTo }: { readonly validFrom: string | null; readonly validTo: string | null },
  report: Report,
): true | undefined =>
  validFrom !== null && validTo !== null && validTo <= validFrom
    ? report('valid_to', `a day after ${validFrom}: the first on which the row no longer holds`, validTo)
    : true

/** An amount that a kind needs. */
const needs = (amount: string | number | null, column: string, kind: string, report: Report) =>
  amount === '' || amount === null ? report(column, `a value, for ${kind} needs it`, '') : true

const NEEDED_BY_THRESHOLD = {
  relief_up_to: ['limit_amount'],
  flat_per_item: ['flat_amount'],
  flat_rate: ['rate_percent'],
  taxed_excess: ['limit_amount', 'rate_percent'],
  not_levied_up_to: ['limit_amount'],
  not_levied_below: ['limit_amount'],
} as const

const checkThreshold: RowCheck<'thresholds'> = (row, report) => {
  const cells = { limit_amount: row.limitAmount, flat_amount: row.flatAmount, rate_percent: row.ratePpm }
  for (const column of NEEDED_BY_THRESHOLD[row.kind]) {
    // The excess is taxed at the rate of the tax.
    if (row.kind === 'taxed_excess' && row.appliesTo === 'tax' && column === 'rate_percent') continue
    if (needs(cells[column], column, row.kind, report) === undefined) return undefined
  }
  const hasAmount = `${row.limitAmount}${row.flatAmount}${row.deductAmount}` !== ''
  if (hasAmount && row.currency === '') return report('currency', 'the currency of the amounts', '')
  return inOrder(row, report)
}

const checkFee: RowCheck<'fees'> = (row, report) => {
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
  return inOrder(row, report)
}

const checkMeasure: RowCheck<'measures'> = (row, report) => {
  if (row.adValoremPpm === null && `${row.specific}${row.condition}${row.text}` === '')
    return report('ad_valorem_percent', 'a rate, or the condition or text that says why there is none', '')
  if (row.condition === 'not_parsed' && row.text === '')
    return report('text', 'the published text, for not_parsed needs it', '')
  return inOrder(row, report)
}

const checkSuccessor: RowCheck<'hsSuccessors'> = ({ endedCode, code }, report) => {
  if (endedCode.length !== 6) return report('ended_code', 'six digits', endedCode)
  return code.length === 6 ? true : report('code', 'six digits', code)
}

const checkTerritory: RowCheck<'territories'> = ({ postalFrom, postalTo }, report) => {
  if (postalFrom !== '' && postalTo === '') return report('postal_to', 'the end of the postal range', '')
  return postalFrom === '' && postalTo !== ''
    ? report('postal_from', 'the beginning of the postal range', '')
    : true
}

const checkTax: RowCheck<'taxes'> = ({ status, ratesOf, reason }, report) => {
  if (status === 'levied' && ratesOf === '')
    return report('rates_of', 'the jurisdiction whose rates apply, for a levied tax needs it', '')
  return status !== 'levied' && reason === ''
    ? report('reason', 'why the amount is zero, for a tax that is not levied needs it', '')
    : true
}

/** The checks there are. */
export const ROW_CHECKS: Checks = {
  territories: checkTerritory,
  hsSuccessors: checkSuccessor,
  taxes: checkTax,
  taxRates: inOrder,
  measures: checkMeasure,
  thresholds: checkThreshold,
  fees: checkFee,
}

/** What makes a row the same thing as another one in the file: these fields of it, all others for thresholds. */
export const ROW_KEYS: { readonly [Table in CustomsTableName]: readonly (keyof OwnRow<Table> & string)[] } = {
  jurisdictions: ['code'],
  territories: ['country', 'postalFrom', 'postalTo'],
  originGroups: ['originGroup', 'country'],
  codeLists: ['codeList', 'codePrefix'],
  hsSuccessors: ['endedCode', 'code'],
  taxes: ['jurisdiction', 'tax'],
  taxRates: ['jurisdiction', 'tax', 'codePrefix', 'validFrom'],
  measureTypes: ['measureType'],
  measures: ['jurisdiction', 'codePrefix', 'measureType', 'originGroup', 'scopeList', 'validFrom'],
  // Their order decides, so that two may look alike: only one that is the same in everything decides nothing.
  thresholds: [
    ...([
      'jurisdiction',
      'appliesTo',
      'kind',
      'limitAmount',
      'valueBasis',
      'currency',
      'flatAmount',
    ] as const),
    ...([
      'deductAmount',
      'ratePpm',
      'recipient',
      'sentFrom',
      'includedPrefixes',
      'excludedPrefixes',
    ] as const),
    ...(['enabled', 'validFrom', 'validTo'] as const),
  ],
  fees: ['jurisdiction', 'fee', 'recipient', 'valueAbove', 'validFrom'],
  exchangeRates: ['currency', 'validFrom'],
}
