#!/usr/bin/env node
/** The command `waybill`. */

import { runCommand } from './program.ts'
import { withDatabase } from './terminal/database.ts'
import { processOutput } from './terminal/output.ts'

process.exitCode = await runCommand(process.argv.slice(2), withDatabase, processOutput)
