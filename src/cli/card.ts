/**
 * `waybill card …`: the rate cards that rates are quoted from. A version is imported as a draft, published,
 * withdrawn; running services take each change over within seconds.
 */
import type { Command } from 'commander'
import { compareCommands } from './card-compare.ts'
import { importCommand } from './card-import.ts'
import { versionCommands } from './card-versions.ts'
import type { WithDatabase } from './database.ts'
import type { Output } from './output.ts'

/** Adds the commands for rate cards. */
export function cardCommands(card: Command, withDatabase: WithDatabase, output: Output): void {
  compareCommands(card, withDatabase, output)
  importCommand(card, withDatabase, output)
  versionCommands(card, withDatabase, output)
}
