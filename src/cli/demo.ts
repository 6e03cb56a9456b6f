/** `waybill demo …`: the data of the demonstration. */
import type { Command } from 'commander'
import { DemoRefusal, resetDemo } from '../store/demo/reset.ts'
import type { OpenDatabase, WithDatabase } from './terminal/database.ts'
import { type Output, Refusal, report } from './terminal/output.ts'

type ResetOptions = { readonly yes?: boolean; readonly json?: boolean }

/** Adds the command `reset`. */
export function demoCommands(demo: Command, withDatabase: WithDatabase, output: Output): void {
  demo
    .command('reset')
    .description('put the demo accounts, keys, rate book and shipments back to their beginning')
    .option('--yes', 'also where demo data is off, which is the default for an external database')
    .option('--json', 'print JSON')
    .action(async (options: ResetOptions) => {
      await withDatabase((database) => reset(database, options))
      report(output, options.json, { reset: true }, ['The demonstration is back at its beginning.'])
    })
}

async function reset({ db, production, demoData }: OpenDatabase, { yes }: ResetOptions): Promise<void> {
  if (production) throw new Refusal('the demo secrets are public, so production refuses them')
  if (!demoData && yes !== true)
    throw new Refusal(
      'demo data is off for this database, and the demo secrets are public: ' +
        'set WAYBILL_DEMO_DATA=true, or add --yes to put them into it all the same',
    )
  try {
    await resetDemo(db)
  } catch (error) {
    if (error instanceof DemoRefusal) throw new Refusal(error.message)
    throw error
  }
}

// `waybill migrate`: brings the database to this version's schema.

/** Makes `command` run what is pending. */
export function migrateCommand(command: Command, withDatabase: WithDatabase, output: Output): void {
  command
    .description('run pending database migrations')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const applied = await withDatabase(async ({ migrated }) => migrated)
      const lines = applied.length === 0 ? ['Nothing to do.'] : applied.map((name) => `Applied ${name}.`)
      report(output, json, { applied }, lines)
    })
}
