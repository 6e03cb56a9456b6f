#!/usr/bin/env node
/** Entry point of the `waybill` command. */
import { runCommand } from './program.ts'
import { withDatabase } from './terminal/database.ts'
import { ignoreClosedPipe, processOutput } from './terminal/output.ts'

for (const stream of [process.stdout, process.stderr]) ignoreClosedPipe(stream)
process.exitCode = await runCommand(process.argv.slice(2), withDatabase, processOutput)
// A module of an operator, such as a classifier that doctor loads, may have timers that would keep the process alive.
setTimeout(() => process.exit(), 1_000).unref()
