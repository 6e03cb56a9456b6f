/**
 * The Harmonized Tariff Schedule of the United States as JSON: an array with an entry for each line. Decided here:
 * the names of its fields, and that a place in it is told by the number of the entry, counted from 1.
 * Source: the export of hts.usitc.gov.
 */
import { isUtf8 } from 'node:buffer'
import type { CustomsImport, ImportDefaults, ReadingProgress } from './customs-import.ts'
import { openImportTally } from './customs-import.ts'
import { type UsitcLine, usitcTables } from './usitc-lines.ts'

const COLUMNS = { number: 'htsno', general: 'general', special: 'special', other: 'other' }

type Entry = Readonly<Record<string, unknown>>

/** Reads such a file; measures of the United States. */
export function readUsitcJson(
  fileName: string,
  bytes: Uint8Array,
  defaults: ImportDefaults,
  onProgress?: ReadingProgress,
): CustomsImport {
  const tally = openImportTally(fileName, onProgress)
  const entries = readEntries(bytes)
  if (typeof entries === 'string') {
    tally.log.fault(undefined, undefined, entries)
    return tally.finish({})
  }
  const lines: UsitcLine[] = []
  entries.forEach((entry, index) => {
    if (isEntry(entry) && typeof entry['htsno'] === 'string') lines.push(lineOf(entry, index + 1))
    else if (
      isEntry(entry) &&
      (entry['htsno'] === null || entry['htsno'] === undefined) &&
      'description' in entry
    )
      lines.push(lineOf({ ...entry, htsno: '' }, index + 1))
    else
      tally.log.fault(index + 1, 'htsno', 'an entry with the text fields htsno, general, special and other')
  })
  return tally.finish(usitcTables(lines, COLUMNS, defaults, tally))
}

/** The entries, or what was expected in their place. */
function readEntries(bytes: Uint8Array): readonly unknown[] | string {
  if (!isUtf8(bytes)) return 'text in UTF-8'
  let content: unknown
  try {
    content = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return 'JSON that is complete and not damaged'
  }
  if (Array.isArray(content)) return content
  const lists = isEntry(content) ? Object.values(content).filter(Array.isArray) : []
  return lists.length === 1 ? lists[0]! : 'an array with an entry for each line of the schedule'
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function lineOf(entry: Entry, row: number): UsitcLine {
  const footnotes = entry['footnotes']
  const texts = Array.isArray(footnotes) ? footnotes.filter(isEntry).map((note) => textOf(note['value'])) : []
  return {
    row,
    number: textOf(entry['htsno']).trim(),
    general: textOf(entry['general']),
    special: textOf(entry['special']),
    other: textOf(entry['other']),
    footnotes: texts.filter((text) => text !== ''),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
