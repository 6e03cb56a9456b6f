/**
 * `waybill customs …`: the data that duties and taxes are estimated from. A data set is imported as a draft, published
 * above those that decide, withdrawn; running services take each change over within seconds.
 */
import type { Command } from 'commander'
import { exportCommand } from './customs-export.ts'
import { importCommand } from './customs-import.ts'
import { setCommands } from './customs-sets.ts'
import { withCustomsOf } from './customs-standing.ts'
import type { WithDatabase } from './database.ts'
import type { Output } from './output.ts'

/** Adds the commands for customs data. */
export function customsCommands(customs: Command, withDatabase: WithDatabase, output: Output): void {
  const withCustoms = withCustomsOf(withDatabase)
  importCommand(customs, withCustoms, output)
  setCommands(customs, withCustoms, output)
  exportCommand(customs, withCustoms, output)
}
