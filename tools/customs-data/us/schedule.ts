/**
 * The Harmonized Tariff Schedule of the United States, read as an import reads it: the base tariff, the lists of codes
 * that footnotes refer to, and the statistical lines that lists of additional duties need. Source: the JSON export of
 * hts.usitc.gov (chapters 1 to 97).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CodeListRow, MeasureRow } from '../../../src/core/customs/data/row-types/measures.ts'
import { unpackGzip } from '../../../src/reference/import/gzip.ts'
import { openImportTally } from '../../../src/reference/tariff-import/customs-import.ts'
import type { UsitcLine } from '../../../src/reference/tariff-import/usitc/lines.ts'
import { readUsitcJson, readUsitcLines } from '../../../src/reference/tariff-import/usitc/schedule-file.ts'

export const SCHEDULE_FILE = 'hts_2026_rev_10.json.gz'

/** By the eight digits of a line: its statistical lines in code order; empty if it is not divided. */
export type Schedule = ReadonlyMap<string, readonly string[]>

export type ScheduleRows = {
  readonly schedule: Schedule
  readonly measures: readonly MeasureRow[]
  /** By heading of chapter 99: `us-9903.88.15`. */
  readonly codeLists: readonly CodeListRow[]
}

/** Throws if the file has faults. */
export function readSchedule(folder: string): ScheduleRows {
  const bytes = unpackGzip(readFileSync(join(folder, SCHEDULE_FILE)))
  const tally = openImportTally(SCHEDULE_FILE)
  const lines = readUsitcLines(bytes, tally)
  const { faults, tables } = readUsitcJson(bytes, { dataSet: 'tariff-us' }, tally)
  const { measures, codeLists } = tables
  if (faults.length > 0 || !lines || !measures || !codeLists) throw new Error(`${SCHEDULE_FILE} has faults`)
  return { schedule: divisionsOf(lines), measures, codeLists }
}

function divisionsOf(lines: readonly UsitcLine[]): Schedule {
  const divisions = new Map<string, string[]>()
  for (const { number } of lines) {
    const code = number.replaceAll('.', '')
    if (code.length < 8 || code >= '98') continue
    const line = code.slice(0, 8)
    const divided = divisions.get(line) ?? []
    if (code.length === 10 && !code.endsWith('00')) divided.push(code)
    divisions.set(line, divided)
  }
  return divisions
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
