/**
 * Loaded into the service with `--import`. Appends the length of every long stop of the event loop to STOPS_FILE, in
 * milliseconds of the main thread's own CPU time, so that other programs on the machine do not count.
 */
import { appendFileSync, readFileSync } from 'node:fs'

const EVERY_MS = 2
const LONG_MS = 10
const FIGURES = `/proc/self/task/${process.pid}/schedstat`

function runMs() {
  return Number(readFileSync(FIGURES, 'utf8').split(' ')[0]) / 1e6
}

const file = process.env['STOPS_FILE']
if (file !== undefined && process.platform === 'linux') {
  let last = runMs()
  setInterval(() => {
    const now = runMs()
    if (now - last >= LONG_MS) appendFileSync(file, `${(now - last).toFixed(1)}\n`)
    last = now
  }, EVERY_MS).unref()
}
