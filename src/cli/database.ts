/**
 * `waybill migrate`, `waybill database restored` and `waybill demo reset`: the schema of the database, restores, and
 * demo data.
 */
import type { Command } from 'commander'
import { recordRestore } from '../store/database/recovery-points.ts'
import { resetDemo } from '../store/demo/reset.ts'
import type { OpenDatabase, WithDatabase } from './terminal/database.ts'
import { Refusal } from './terminal/errors.ts'
import { type Output, report } from './terminal/output.ts'

/** Turns `command` into `waybill migrate`. */
export function migrateCommand(command: Command, withDatabase: WithDatabase, output: Output): void {
  command
    .description('apply pending database migrations')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const applied = await withDatabase(async ({ migrated }) => migrated, { upgrades: true })
      const lines =
        applied.length === 0 ? ['The schema is up to date.'] : applied.map((name) => `Applied ${name}.`)
      report(output, json, { applied }, lines)
    })
}

/** Adds `restored` to `waybill database`. */
export function databaseCommands(database: Command, withDatabase: WithDatabase, output: Output): void {
  database
    .command('restored')
    .description('record that the database was restored: carriers are asked about older drafts')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const point = await withDatabase(({ db }) => recordRestore(db))
      report(output, json, point, [
        'Recorded. Before a draft from before now is cancelled, its carrier is asked whether it is booked.',
        'Run waybill audit --log with the logs since the backup.',
      ])
    })
}

type ResetOptions = { readonly yes?: boolean; readonly json?: boolean }

/** Adds `reset` to `waybill demo`. */
export function demoCommands(demo: Command, withDatabase: WithDatabase, output: Output): void {
  demo
    .command('reset')
    .description('restore the demo accounts, keys, rate card and shipments')
    .option('--yes', 'load demo data even if it is off, which is the default for external databases')
    .option('--json', 'print JSON')
    .action(async (options: ResetOptions) => {
      await withDatabase((database) => reset(database, options))
      report(output, options.json, { reset: true }, ['The demo data is restored.'])
    })
}

async function reset({ db, production, demoData }: OpenDatabase, { yes }: ResetOptions): Promise<void> {
  if (production) throw new Refusal('demo data is refused in production, because its secrets are public')
  if (!demoData && yes !== true)
    throw new Refusal(
      'demo data is off for this database, because its secrets are public: ' +
        'set WAYBILL_DEMO_DATA=true, or add --yes to load it anyway',
    )
  await resetDemo(db)
}
