/**
 * Counts requests per day (UTC) in a file of one byte per request. Processes that share the folder share the count: a
 * request is counted before it is sent, and never more than the limit are allowed.
 */
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'

const PREFIX = 'classifier-requests-'

/** Returns a function that counts a request, or returns false if the day has had `perDay`. It may throw. */
export function dailyRequests(folder: string, perDay: number, now = () => new Date()): () => boolean {
  return () => {
    const name = `${PREFIX}${now().toISOString().slice(0, 10)}`
    mkdirSync(folder, { recursive: true })
    for (const other of readdirSync(folder))
      if (other.startsWith(PREFIX) && other < name) rmSync(path.join(folder, other), { force: true })
    const file = openSync(path.join(folder, name), 'a')
    try {
      if (fstatSync(file).size >= perDay) return false
      writeSync(file, '.')
      return fstatSync(file).size <= perDay
    } finally {
      closeSync(file)
    }
  }
}
