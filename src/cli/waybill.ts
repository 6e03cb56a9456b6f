#!/usr/bin/env node
/** Entry point of the `waybill` command. */
import { runCommand } from './program.ts'
import { withDatabase } from './terminal/database.ts'
import { processOutput } from './terminal/output.ts'

process.exitCode = await runCommand(process.argv.slice(2), withDatabase, processOutput)
