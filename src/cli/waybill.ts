#!/usr/bin/env node
/** Entry point of the `waybill` command. */
import { runCommand } from './program.ts'
import { withDatabase } from './terminal/database.ts'
import { allWritten, ignoreClosedPipe, processOutput } from './terminal/output.ts'

const streams = [process.stdout, process.stderr]
streams.forEach(ignoreClosedPipe)
process.exitCode = await runCommand(process.argv.slice(2), withDatabase, processOutput)
// Ending the process would drop what a slow reader of a pipe has not read.
await Promise.all(streams.map(allWritten))
// A module of an operator, such as a classifier that doctor loads, may have timers that would keep the process alive.
setTimeout(() => process.exit(), 1_000).unref()
