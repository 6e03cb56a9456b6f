#!/usr/bin/env node
/** The command `waybill`. */
import { withDatabase } from './database.ts'
import { processOutput } from './output.ts'
import { runCommand } from './program.ts'

process.exitCode = await runCommand(process.argv.slice(2), withDatabase, processOutput)
