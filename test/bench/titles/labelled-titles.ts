/**
 * Titles of goods with the codes of two labellers (titles.csv), for measuring the classifier. We invented the titles.
 * Each labeller saw neither the repository nor the other one. docs/benchmarks.md#titles-labelled-twice says how far
 * their agreement can be trusted. Half of the titles are held back: do not look at them when you change the classifier.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'

export type TitleSource = 'marketplace' | 'shop' | 'parcel'

export type LabelledTitle = {
  readonly id: string
  /** Two letters, as in ISO 639-1. */
  readonly language: string
  readonly source: TitleSource
  readonly title: string
  /** Six digits of HS 2022, by labeller. */
  readonly codes: readonly [string, string]
  /** Whether both labellers were sure. */
  readonly isSure: boolean
  readonly isHeldBack: boolean
}

export function readTitles(): readonly LabelledTitle[] {
  const rows: Record<string, string>[] = parse(readFileSync(new URL('titles.csv', import.meta.url)), {
    columns: true,
  })
  return rows.map((row) => ({
    id: row['id']!,
    language: row['language']!,
    source: row['source'] as TitleSource,
    title: row['title']!,
    codes: [row['code_a']!, row['code_b']!],
    isSure: row['sure_a'] === 'yes' && row['sure_b'] === 'yes',
    isHeldBack: isHeldBack(row['title']!),
  }))
}

/** True for half of all titles, by their hash. */
function isHeldBack(title: string): boolean {
  return createHash('sha256').update(title).digest().readUInt16BE(0) % 2 === 0
}

/** True if both labellers gave the same code, compared at the given number of digits. */
export function agree({ codes: [first, second] }: LabelledTitle, digits: number): boolean {
  return first.slice(0, digits) === second.slice(0, digits)
}
