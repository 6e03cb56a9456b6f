/**
 * Finds the currencies of rules, fees, rates and rounding that have no exchange rate. Rows that need one are not
 * estimated; see docs/decisions/customs.md#d202.
 */
import {
  CUSTOMS_TABLE_NAMES,
  type CustomsRow,
  type CustomsRows,
  type CustomsTableName,
  ownerOf,
} from '../data/rows.ts'

/** A currency without an exchange rate, and the rows that name it, such as the fees of "EU". */
export type MissingExchangeRate = {
  readonly table: CustomsTableName
  readonly owner: string
  readonly currency: string
}

/**
 * The currencies that lack an exchange rate in `after` and did not lack it in `before`. Pass the rows that apply,
 * without those that another data set replaces.
 */
export function missingExchangeRates(
  before: CustomsRows,
  after: CustomsRows,
): readonly MissingExchangeRate[] {
  const known = missingIn(before)
  return [...missingIn(after)].flatMap(([key, missing]) => (known.has(key) ? [] : [missing]))
}

function missingIn(rows: CustomsRows): ReadonlyMap<string, MissingExchangeRate> {
  const rated = new Set(['EUR', ...rows.exchangeRates.map(({ currency }) => currency)])
  const missing = new Map<string, MissingExchangeRate>()
  for (const table of CUSTOMS_TABLE_NAMES) addMissing(missing, rated, table, rows[table])
  return missing
}

function addMissing<Table extends CustomsTableName>(
  missing: Map<string, MissingExchangeRate>,
  rated: ReadonlySet<string>,
  table: Table,
  rows: readonly CustomsRow[Table][],
): void {
  const currenciesOf = CURRENCIES[table]
  if (currenciesOf === undefined) return
  for (const row of rows)
    for (const currency of currenciesOf(row)) {
      if (currency === '' || rated.has(currency)) continue
      const owner = ownerOf(table, row)
      missing.set(`${table} ${owner} ${currency}`, { table, owner, currency })
    }
}

/** The currencies for which a row needs an exchange rate, by table. An empty text means that there is no amount. */
const CURRENCIES: {
  readonly [Table in CustomsTableName]?: (row: CustomsRow[Table]) => readonly string[]
} = {
  jurisdictions: ({ currency, roundingUnit, valueUnit }) => ifAmounts(currency, [roundingUnit, valueUnit]),
  thresholds: ({ currency, limitAmount, flatAmount, deductAmount }) =>
    ifAmounts(currency, [limitAmount, flatAmount, deductAmount]),
  fees: ({ currency, amount, minimum, maximum, notLeviedBelow, valueAbove, valueUpTo }) =>
    ifAmounts(currency, [amount, minimum, maximum, notLeviedBelow, valueAbove, valueUpTo]),
  clearanceFees: ({ currency }) => [currency],
  measures: ({ specific, minimum, maximum }) => ratesPerQuantity(specific, minimum, maximum),
  conditionalDuties: ({ specific, minimum, maximum }) => ratesPerQuantity(specific, minimum, maximum),
  exciseRates: ({ specific, minimum }) => ratesPerQuantity(specific, minimum),
}

function ifAmounts(currency: string, amounts: readonly string[]): readonly string[] {
  return amounts.some((amount) => amount !== '') ? [currency] : []
}

/** The currencies of rates such as "9 EUR/100 kg + 2 EUR/hl". */
function ratesPerQuantity(...texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) =>
    text === '' ? [] : [...text.matchAll(/\d ([A-Z]{3})\//g)].map(([, currency = '']) => currency),
  )
}
