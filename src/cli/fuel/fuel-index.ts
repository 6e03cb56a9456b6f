/** `waybill fuel index …`: the values of the indexes that step tables of fuel follow. See docs/fuel.md. */
import type { Command } from 'commander'
import type { Kysely } from 'kysely'
import { type FuelIndexValue, indexText } from '../../core/rating/fuel/fuel-table.ts'
import { isFuelDay, readIndexValues, valueSheet } from '../../reference/rate-cards/fuel-table-csv.ts'
import type { Database } from '../../store/database/database.ts'
import { RATE_BOOK, readRevision } from '../../store/database/revision.ts'
import { type IndexEntry, readFuel, setIndexValues } from '../../store/rate-cards/fuel-tables.ts'
import { code as codeArgument, day, indexValue } from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { ImportFaults, Refusal, reportFaults, UsageError } from '../terminal/errors.ts'
import { APPLIED_SOON, counted, type Output, print, report, table } from '../terminal/output.ts'
import { readTableAt } from '../terminal/table-file.ts'
import { type ChangeOptions, changeCommand, confirmChanges, DRY_RUN } from './change.ts'
import { compareFuel } from './fuel-table.ts'

type ValueOptions = ChangeOptions & { readonly day: string }

/** Adds `index` to `waybill fuel`. */
export function fuelIndexCommands(fuel: Command, withDatabase: WithDatabase, output: Output): void {
  const index = fuel.command('index').description('the values of the indexes that fuel follows')
  changeCommand(
    index
      .command('set')
      .description('set the value of a day, or of the week or month of that day')
      .argument('<index>', 'the code of the index, such as usgc-jet', codeArgument)
      .argument('<value>', 'such as 2.345', indexValue)
      .requiredOption('--day <day>', 'such as 2026-12-07', day),
  ).action((indexCode: string, valueE4: number, { day: of, ...options }: ValueOptions) => {
    if (!isFuelDay(of)) throw new UsageError('--day: expected a day from 2000-01-01 to 2099-12-31')
    return withDatabase(({ db }) => change(db, [{ indexCode, day: of, valueE4 }], options, output))
  })
  changeCommand(
    index
      .command('import')
      .description('set the values of a CSV file, all or none')
      .argument('<file>', 'a CSV file or an Excel workbook with the columns index, day and value'),
  ).action((location: string, options: ChangeOptions) =>
    reportFaults(
      output,
      options.json,
      async () => {
        const { rows, faults, warnings } = readIndexValues(readTableAt(location, valueSheet))
        if (rows === undefined) throw new ImportFaults(faults, warnings)
        await withDatabase(({ db }) => change(db, rows, options, output))
      },
      '; nothing was written',
      'the file has',
    ),
  )
  changeCommand(
    index
      .command('unset')
      .description('remove the value of a day')
      .argument('<index>', 'the code of the index', codeArgument)
      .requiredOption('--day <day>', 'such as 2026-12-07', day),
  ).action((indexCode: string, { day: of, ...options }: ValueOptions) =>
    withDatabase(async ({ db }) => {
      const { values } = await readFuel(db)
      if (!values.some((value) => value.indexCode === indexCode && value.day === of))
        throw new Refusal(`there is no value of ${indexCode} of ${of}`)
      await change(db, [{ indexCode, day: of, valueE4: undefined }], options, output)
    }),
  )
  index
    .command('list')
    .description('list the values, latest first')
    .argument('[index]', 'the code of an index', codeArgument)
    .option('--json', 'print JSON')
    .action(async (indexCode: string | undefined, { json }: { json?: boolean }) => {
      const { values } = await withDatabase(({ db }) => readFuel(db))
      const listed = values.filter((value) => indexCode === undefined || value.indexCode === indexCode)
      const rows = listed.map((value) => [value.indexCode, value.day, indexText(value.valueE4)])
      report(output, json, listed, table(['INDEX', 'DAY', 'VALUE'], rows, ['VALUE']))
    })
}

/** Shows what values change, asks if necessary, and sets them. Throws a Refusal if the answer is no. */
async function change(
  db: Kysely<Database>,
  entries: readonly IndexEntry[],
  options: ChangeOptions,
  output: Output,
): Promise<void> {
  const previewed = await readRevision(db, RATE_BOOK)
  const before = await readFuel(db)
  const keyOf = (entry: IndexEntry | FuelIndexValue): string => `${entry.indexCode} ${entry.day}`
  const known = new Map(before.values.map((value) => [keyOf(value), value.valueE4]))
  const changed = entries.filter((entry) => known.get(keyOf(entry)) !== entry.valueE4)
  const replaced = new Set(changed.map(keyOf))
  const added = changed.flatMap(({ valueE4, ...key }) => (valueE4 === undefined ? [] : { ...key, valueE4 }))
  const kept = before.values.filter((value) => !replaced.has(keyOf(value)))
  const { changes, unknownFrom } = compareFuel(before, { ...before, values: [...kept, ...added] })
  const followed = new Set(before.tables.map(({ indexCode }) => indexCode))
  const unused = new Set(added.map(({ indexCode }) => indexCode).filter((code) => !followed.has(code)))
  print(output, options.json, [
    ...unknownFrom,
    ...[...unused].map((code) => `warning: no fuel table follows the index ${code}`),
  ])
  await confirmChanges(db, changes, (trx) => setIndexValues(trx, changed, previewed), options, output)
  if (options.dryRun !== true && changed.length > 0) await setIndexValues(db, changed, previewed)
  report(output, options.json, { values: changed, changes, unknownFrom, dryRun: options.dryRun === true }, [
    options.dryRun === true
      ? DRY_RUN
      : changed.length === 0
        ? 'No value changes.'
        : `Changed ${counted(changed.length, 'value')}. ${APPLIED_SOON}`,
  ])
}
