#!/usr/bin/env node
import { runCommand } from './program.ts'
/** The command `waybill`. */
import { withDatabase } from './terminal/database.ts'
import { processOutput } from './terminal/output.ts'

process.exitCode = await runCommand(process.argv.slice(2), withDatabase, processOutput)
