/** `waybill demo …`: the data of the demonstration. */
import type { Command } from 'commander'
import { resetDemo } from '../store/demo/reset.ts'
import type { WithDatabase } from './database.ts'
import { type Output, Refusal, report } from './output.ts'

/** Adds the command `reset`. */
export function demoCommands(demo: Command, withDatabase: WithDatabase, output: Output): void {
  demo
    .command('reset')
    .description('put the demo accounts, keys, rate book and shipments back to their beginning')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      await withDatabase(({ db, production }) => {
        if (production) throw new Refusal('the demo secrets are public, so production refuses them')
        return resetDemo(db)
      })
      report(output, json, { reset: true }, ['The demonstration is back at its beginning.'])
    })
}
