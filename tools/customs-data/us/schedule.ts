/**
 * The lines of the Harmonized Tariff Schedule of the United States, as far as lists of additional duties need them: the
 * lines of eight digits, and the statistical lines of ten digits below each of them. Source: the JSON export of
 * hts.usitc.gov (chapters 1 to 97).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

export const SCHEDULE_FILE = 'hts_2026_rev_10.json.gz'

/** By the eight digits of a line: its statistical lines in code order; empty if it is not divided. */
export type Schedule = ReadonlyMap<string, readonly string[]>

export function readSchedule(folder: string): Schedule {
  const text = gunzipSync(readFileSync(join(folder, SCHEDULE_FILE))).toString('utf8')
  const lines = new Map<string, string[]>()
  for (const { htsno } of JSON.parse(text) as readonly { readonly htsno: string }[]) {
    const code = htsno.replaceAll('.', '')
    if (code.length < 8 || code >= '98') continue
    const line = code.slice(0, 8)
    const divided = lines.get(line) ?? []
    if (code.length === 10 && !code.endsWith('00')) divided.push(code)
    lines.set(line, divided)
  }
  return lines
}

/** A published list in terms of the schedule. */
export type ListedCodes = {
  /** Prefixes that are listed as a whole: up to eight digits, or ten. */
  readonly whole: readonly string[]
  /** Lines of eight digits of which only some statistical lines are listed. */
  readonly partial: readonly string[]
  /** The statistical lines of `partial` that are not listed. */
  readonly rest: readonly string[]
}

/**
 * Turns published codes into prefixes. A line of eight digits stands for its statistical lines if all of them are
 * listed. Codes of earlier editions that the schedule no longer has are kept, except those of chapters 98 and 99, which
 * have no goods of their own.
 */
export function listedCodes(schedule: Schedule, codes: Iterable<string>): ListedCodes {
  const listed = new Set(
    [...codes]
      .filter((code) => code < '98')
      .map((code) => (/^\d{8}00/.test(code) ? code.slice(0, 8) : code.slice(0, 10))),
  )
  const isCovered = (code: string): boolean =>
    [4, 6, 8].some((length) => length < code.length && listed.has(code.slice(0, length)))
  const whole = new Set<string>()
  const partial = new Set<string>()
  for (const code of listed) {
    if (isCovered(code)) continue
    if (code.length <= 8) {
      whole.add(code)
      continue
    }
    const line = code.slice(0, 8)
    const divided = schedule.get(line) ?? []
    if (divided.length > 0 && divided.every((below) => listed.has(below))) whole.add(line)
    else {
      whole.add(code)
      if (divided.includes(code)) partial.add(line)
    }
  }
  const rest = [...partial].flatMap((line) => (schedule.get(line) ?? []).filter((code) => !listed.has(code)))
  return { whole: [...whole].sort(), partial: [...partial].sort(), rest: rest.sort() }
}
