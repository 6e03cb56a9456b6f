/** `waybill migrate`: brings the database to this version's schema. */
import type { Command } from 'commander'
import type { WithDatabase } from './database.ts'
import { type Output, report } from './output.ts'

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
