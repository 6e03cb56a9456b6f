/** What the commands that change fuel figures have in common: the preview, the question, and their options. */
import { type Command, Option } from 'commander'
import type { Kysely } from 'kysely'
import {
  type FuelChange,
  fuelChangeText,
  fuelWarnings,
} from '../../core/rate-card-review/difference/fuel-changes.ts'
import { FUEL_UNITS } from '../../core/rating/rate-card.ts'
import type { Database } from '../../store/database/database.ts'
import { listFuelSurcharges } from '../../store/rate-cards/fuel.ts'
import { type Consent, confirmWarned, currentDay, day, plainText } from '../terminal/arguments.ts'
import { Refusal } from '../terminal/errors.ts'
import { type Output, print } from '../terminal/output.ts'

export type ChangeOptions = Consent & { readonly dryRun?: boolean }

export const DRY_RUN = 'Dry run: nothing was written.'

export function changeCommand(command: Command): Command {
  return command
    .option('--dry-run', 'show the change and write nothing')
    .option('--yes', 'do not ask for confirmation of a large change or of past days')
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

/** Shows the changes, and asks if one of them may be a mistake. Throws a Refusal if the answer is no. */
export async function confirmChanges(
  db: Kysely<Database>,
  changes: readonly FuelChange[],
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
  if (options.dryRun === true) return
  if (!(await confirmWarned(output, options, warnings, 'Change it all the same?')))
    throw new Refusal('nothing was written: no fuel figure changes')
}
