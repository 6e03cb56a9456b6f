/**
 * Summarises the changes of areas and country groups by class or group and country. A new list of remote areas changes
 * thousands of postal ranges, which nobody reads one by one.
 */
import type { PlaceRange, RateCardContent } from '../../rating/rate-card.ts'
import { rowText } from './rows.ts'

/** The rows that were added to and removed from a class or group in a country. A row that moves counts in both. */
export type PlaceChange = {
  readonly table: 'areas' | 'countryGroups'
  /** The area class or the country group. */
  readonly value: string
  /** `*` for all other countries. */
  readonly country: string
  readonly added: number
  readonly removed: number
}

type Places = Pick<RateCardContent, 'areas' | 'countryGroups'>

/** The largest changes first. */
export function placeChanges(before: Places, after: Places): PlaceChange[] {
  return [
    ...changesOf('areas', before.areas, after.areas, ({ areaClass }) => areaClass),
    ...changesOf('countryGroups', before.countryGroups, after.countryGroups, ({ group }) => group),
  ].sort((a, b) => b.added + b.removed - (a.added + a.removed))
}

function changesOf<Row extends PlaceRange>(
  table: PlaceChange['table'],
  before: readonly Row[],
  after: readonly Row[],
  assignedBy: (row: Row) => string,
): PlaceChange[] {
  const changes = new Map<string, PlaceChange>()
  const count = (rows: readonly Row[], known: ReadonlySet<string>, field: 'added' | 'removed'): void => {
    for (const row of rows) {
      if (known.has(rowText(row))) continue
      const [value, country] = [assignedBy(row), row.country]
      const key = JSON.stringify([value, country])
      const change = changes.get(key) ?? { table, value, country, added: 0, removed: 0 }
      changes.set(key, { ...change, [field]: change[field] + 1 })
    }
  }
  count(after, new Set(before.map(rowText)), 'added')
  count(before, new Set(after.map(rowText)), 'removed')
  return [...changes.values()]
}
