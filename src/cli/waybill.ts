#!/usr/bin/env node
/** Entry point of the `waybill` command. */
import { runCommand } from './program.ts'
import { withDatabase } from './terminal/database.ts'
import { ignoreClosedPipe, processOutput } from './terminal/output.ts'

for (const stream of [process.stdout, process.stderr]) ignoreClosedPipe(stream)
process.exitCode = await runCommand(process.argv.slice(2), withDatabase, processOutput)
