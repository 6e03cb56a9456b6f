/** What the commands that change fuel figures have in common: the preview, the question, and their options. */
import { type Command, Option } from 'commander'
import type { Kysely, Transaction } from 'kysely'
import {
  type FuelChange,
  fuelChangeText,
  fuelWarnings,
  isChange,
} from '../../core/rate-card-review/difference/fuel-changes.ts'
import { FUEL_UNITS } from '../../core/rating/rate-card.ts'
import type { Database } from '../../store/database/database.ts'
import { listFuelSurcharges } from '../../store/rate-cards/fuel.ts'
import { type BelowCostOptions, belowCostOption, checkVersionChange } from '../card/below-cost.ts'
import {
  type Consent,
  confirmWarned,
  currentDay,
  day,
  incompleteComparisonOption,
  plainText,
} from '../terminal/arguments.ts'
import { Refusal } from '../terminal/errors.ts'
import { type Output, print } from '../terminal/output.ts'

export type ChangeOptions = Consent & BelowCostOptions

export const DRY_RUN = 'Dry run: nothing was written.'

export function changeCommand(command: Command): Command {
  return command
    .option('--dry-run', 'show the change and write nothing')
    .option('--yes', 'do not ask for confirmation of a large change or of past days')
    .addOption(belowCostOption())
    .addOption(incompleteComparisonOption())
    .option('--json', 'print JSON')
}

/** The first day and the code of a surcharge. */
export function dayOptions(command: Command): Command {
  return command
    .requiredOption('--from <day>', 'first day on which it applies, such as 2026-12-01', day)
    .option('--code <code>', 'the code of the fuel surcharge', plainText, 'FUEL')
}

export function perOption(): Option {
  return new Option('--per <unit>', 'an amount for each parcel or kilogram, instead of a percentage').choices(
    [...FUEL_UNITS],
  )
}

/**
 * Shows the changes and the prices that fall below the cost, and asks if one of them may be a mistake. `change` makes
 * them in a transaction that is rolled back. Throws a Refusal if the answer is no, or if prices would be below the
 * cost.
 */
export async function confirmChanges(
  db: Kysely<Database>,
  changes: readonly FuelChange[],
  change: (trx: Transaction<Database>) => Promise<unknown>,
  options: ChangeOptions,
  output: Output,
): Promise<void> {
  const surcharges = await listFuelSurcharges(db)
  const warnings = changes.flatMap((entry) => fuelWarnings(entry, currentDay(), surcharges))
  print(output, options.json, [
    ...changes.map(
      (entry) => `Fuel ${entry.carrierCode} ${entry.code} from ${entry.validFrom}: ${fuelChangeText(entry)}`,
    ),
    ...warnings.map((warning) => `warning: ${warning}`),
  ])
  const notCompared = await checkCosts(db, changes, change, options, output)
  if (options.dryRun === true) return
  if (!(await confirmWarned(output, options, { warnings, notCompared }, 'Change it all the same?')))
    throw new Refusal('nothing was written: no fuel figure changes')
}

async function checkCosts(
  db: Kysely<Database>,
  changes: readonly FuelChange[],
  change: (trx: Transaction<Database>) => Promise<unknown>,
  options: ChangeOptions,
  output: Output,
): Promise<readonly string[]> {
  const days = changes
    .filter(isChange)
    .map(({ validFrom }) => validFrom)
    .sort()
  const [from] = days
  if (from === undefined) return []
  const consequence = 'nothing was written'
  return checkVersionChange(db, { change, from, days, consequence }, options, output)
}
