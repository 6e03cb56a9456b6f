/**
 * `waybill fuel …`: the dated percentages of fuel surcharges, which change without a new rate card. Commands show the
 * percentage before and after, and ask before a large change and a change of past days.
 */
import type { Command } from 'commander'
import type { Kysely } from 'kysely'
import { fuelChanges, fuelRemoval, isChange } from '../../core/rate-card-review/difference/fuel-changes.ts'
import { fuelText } from '../../core/rating/explain/fuel.ts'
import { fuelInForce } from '../../core/rating/fuel/fuel-table.ts'
import type { FuelRate, FuelUnit } from '../../core/rating/rate-card.ts'
import { type FuelListReading, fuelSheet, readFuelList } from '../../reference/rate-cards/fuel-list-csv.ts'
import type { Database } from '../../store/database/database.ts'
import { RATE_BOOK, readRevision } from '../../store/database/revision.ts'
import {
  listFuelRates,
  refuseUnknownCarrier,
  setFuelRates,
  unsetFuelRate,
} from '../../store/rate-cards/fuel.ts'
import { readFuel } from '../../store/rate-cards/fuel-tables.ts'
import { readConnectorNames } from '../../store/shipments/operators/audit.ts'
import { fuelFigure, plainText } from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { ImportFaults, Refusal, reportFaults } from '../terminal/errors.ts'
import { APPLIED_SOON, counted, type Output, report, table } from '../terminal/output.ts'
import { readTableAt } from '../terminal/table-file.ts'
import {
  type ChangeOptions,
  changeCommand,
  confirmChanges,
  DRY_RUN,
  dayOptions,
  perOption,
} from './change.ts'

type FuelOptions = ChangeOptions & { readonly from: string; readonly code: string; readonly per?: FuelUnit }

/** Adds `set`, `import`, `unset` and `list` to `waybill fuel`. */
export function fuelCommands(fuel: Command, withDatabase: WithDatabase, output: Output): void {
  changeCommand(
    dayOptions(
      fuel
        .command('set')
        .description(
          'set the percentage, or an amount per unit, from a day on; replaces the figure of the same day',
        )
        .argument('<carrier>', 'the code of the carrier', plainText)
        .argument('<figure>', 'the percentage, such as 14.5; with --per, the amount', plainText)
        .addOption(perOption()),
    ),
  ).action((carrierCode: string, figure: string, { from, code, per, ...options }: FuelOptions) => {
    const rateBps = fuelFigure(figure, per)
    return withDatabase(async ({ db }) => {
      await refuseUnknownCarrier(db, carrierCode)
      const rate = { carrierCode, code, validFrom: from, rateBps, ...(per !== undefined && { per }) }
      await change(db, [rate], options, output)
    })
  })

  changeCommand(
    fuel
      .command('import')
      .description('set the figures of a CSV file, all or none')
      .argument(
        '<file>',
        'with the columns of fuel.csv: carrier_code, code, valid_from, rate_pct, per_parcel, per_kg',
      ),
  ).action((location: string, options: ChangeOptions) =>
    reportFaults(
      output,
      options.json,
      () => withDatabase(({ db }) => importFile(db, location, options, output)),
      '; nothing was written',
      'the file has',
    ),
  )

  changeCommand(
    dayOptions(
      fuel
        .command('unset')
        .description('remove the figure of a day, so that the previous one continues to apply')
        .argument('<carrier>', 'the code of the carrier', plainText),
    ),
  ).action((carrierCode: string, { from, code, ...options }: FuelOptions) =>
    withDatabase(({ db }) => unset(db, { carrierCode, code, validFrom: from }, options, output)),
  )

  fuel
    .command('list')
    .description('list the figures, newest first')
    .argument('[carrier]', 'the code of a carrier')
    .option('--json', 'print JSON')
    .action(async (carrier: string | undefined, { json }: { json?: boolean }) => {
      const rates = await withDatabase(async ({ db }) => {
        if (carrier !== undefined) await refuseUnknownCarrier(db, carrier)
        return listFuelRates(db, carrier)
      })
      const rows = rates.map((rate) => [
        ...[rate.carrierCode, rate.code, rate.validFrom, fuelText(rate), rate.enteredAt],
      ])
      report(output, json, rates, table(['CARRIER', 'CODE', 'FROM', 'FUEL', 'ENTERED'], rows, ['FUEL']))
    })
}

async function importFile(
  db: Kysely<Database>,
  location: string,
  options: ChangeOptions,
  output: Output,
): Promise<void> {
  const reading = readFuelList(readTableAt(location, fuelSheet))
  if (reading.rows === undefined) throw new ImportFaults(reading.faults, reading.warnings)
  refuseUnknownCarriers(reading.rows, reading, new Set((await readConnectorNames(db)).keys()))
  await change(db, reading.rows, options, output)
}

function refuseUnknownCarriers(
  rows: readonly FuelRate[],
  { locate, warnings }: FuelListReading,
  carriers: ReadonlySet<string>,
): void {
  const faults = rows.flatMap(({ carrierCode }, index) =>
    carriers.has(carrierCode)
      ? []
      : { ...locate(index, 'carrierCode'), expected: 'the code of a carrier', found: carrierCode },
  )
  if (faults.length > 0) throw new ImportFaults(faults, warnings)
}

/** Shows what new percentages change, asks if necessary, and sets them. Throws a Refusal if the answer is no. */
async function change(
  db: Kysely<Database>,
  rates: readonly FuelRate[],
  options: ChangeOptions,
  output: Output,
): Promise<void> {
  const previewed = await readRevision(db, RATE_BOOK)
  const changes = fuelChanges(fuelInForce(await readFuel(db)), rates)
  await confirmChanges(db, changes, (trx) => setFuelRates(trx, rates), options, output)
  if (options.dryRun !== true) await setFuelRates(db, rates, previewed)
  const changed = changes.filter(isChange).length
  report(output, options.json, { changes, dryRun: options.dryRun === true }, [
    options.dryRun === true
      ? DRY_RUN
      : changed === 0
        ? 'No figure changes.'
        : `Set ${counted(changed, 'figure')}. ${APPLIED_SOON}`,
  ])
}

async function unset(
  db: Kysely<Database>,
  key: Omit<FuelRate, 'rateBps' | 'per'>,
  options: ChangeOptions,
  output: Output,
): Promise<void> {
  const { carrierCode, code, validFrom } = key
  const previewed = await readRevision(db, RATE_BOOK)
  const fuel = await readFuel(db)
  const isRemoved = (other: FuelRate): boolean =>
    other.carrierCode === carrierCode && other.code === code && other.validFrom === validFrom
  const rate = fuel.rates.find(isRemoved)
  const missing = `there is no fuel figure ${carrierCode} ${code} from ${validFrom}`
  if (rate === undefined) throw new Refusal(missing)
  const rates = fuel.rates.filter((other) => !isRemoved(other))
  const removal = fuelRemoval(fuelInForce({ ...fuel, rates }), rate)
  await confirmChanges(db, [removal], (trx) => unsetFuelRate(trx, key), options, output)
  const removed = options.dryRun !== true
  if (removed && !(await unsetFuelRate(db, key, previewed))) throw new Refusal(missing)
  report(output, options.json, { ...removal, removed }, [
    removed ? `Removed fuel ${carrierCode} ${code} from ${validFrom}. ${APPLIED_SOON}` : DRY_RUN,
  ])
}
