/** Shows what a change of a contract or turnover does to prices, and asks before a price rises. */
import { Option } from 'commander'
import type { Kysely } from 'kysely'
import { isRise, type PriceComparison } from '../../core/rate-card-review/difference/reference-prices.ts'
import type { Database } from '../../store/database/database.ts'
import { type BelowCostOptions, belowCostLines, refuseBelowCost } from '../card/below-cost.ts'
import { type Consent, confirmWarned, count, LISTED_CHANGES } from '../terminal/arguments.ts'
import { Refusal } from '../terminal/errors.ts'
import { counted, type Output, print } from '../terminal/output.ts'
import {
  type AgreementChange,
  notComparedWarnings,
  previewAgreements,
  previewLines,
  riseWarnings,
} from './preview.ts'

export type ConfirmOptions = Consent &
  BelowCostOptions & { readonly changes: number; readonly dryRun?: boolean }

/** The fields of the JSON document. `belowCost` has at most as many prices as changes are listed. */
export type ConfirmedPrices = PriceComparison & {
  readonly belowCost?: { readonly found: number; readonly prices: readonly object[] }
}

/**
 * Prints the prices that a change changes, and asks if one rises or something was not compared. Throws a Refusal if the
 * answer is no, or if prices would be below the cost.
 */
export async function confirmedPrices(
  db: Kysely<Database>,
  change: AgreementChange,
  options: ConfirmOptions,
  output: Output,
): Promise<ConfirmedPrices> {
  const [{ accountId }] = change.rows
  const { compared, belowCost } = await previewAgreements(db, change)
  print(output, options.json, previewLines(compared, accountId, options.changes))
  const { found, cells } = belowCost
  const { prices, notCompared, surchargesNotCompared, isComplete } = compared
  const result: ConfirmedPrices = {
    prices,
    notCompared,
    surchargesNotCompared,
    isComplete,
    ...(found > 0 && { belowCost: { found, prices: cells.slice(0, options.changes) } }),
  }
  if (options.dryRun === true) {
    print(output, options.json, belowCostLines(belowCost, options.changes))
    return result
  }
  const doubts = {
    warnings: riseWarnings(compared, accountId),
    notCompared: [...notComparedWarnings(compared), ...refuseBelowCost(belowCost, options, output)],
  }
  const rises = compared.prices.filter(isRise).length
  const question =
    rises === 0 ? 'Change the contract all the same?' : `Raise the price of ${counted(rises, 'product')}?`
  if (!(await confirmWarned(output, options, doubts, question)))
    throw new Refusal(`nothing was written: the contract of ${accountId} does not change`)
  return result
}

export function changesOption(): Option {
  return new Option('--changes <number>', 'how many changed prices to list')
    .argParser(count)
    .default(LISTED_CHANGES)
}
