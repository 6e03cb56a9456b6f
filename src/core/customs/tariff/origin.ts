/**
 * Which goods a measure concerns by their country of origin. Decided here: a row for the country is narrower than
 * one for a group, and a group narrower than all; an exclusion beats them. Source: design note on customs.
 */
import type { MeasureRow, OriginGroupRow } from '../data/rows.ts'

/** Every origin. */
export const ALL_ORIGINS = 'ALL'

/** The groups of each country. */
export type OriginGroups = ReadonlyMap<string, ReadonlySet<string>>

/** Builds the table; the rows in any order. */
export function compileOriginGroups(rows: readonly OriginGroupRow[]): OriginGroups {
  const groups = new Map<string, Set<string>>()
  for (const { country, originGroup } of rows) {
    const of = groups.get(country)
    if (of === undefined) groups.set(country, new Set([originGroup]))
    else of.add(originGroup)
  }
  return groups
}

/** How narrowly 'ALL', a group or a country names an origin: 1, 2 or 3; 0 when it does not. */
export function originRank(groups: OriginGroups, named: string, origin: string): number {
  if (named === origin) return 3
  if (named === ALL_ORIGINS) return 1
  return groups.get(origin)?.has(named) ? 2 : 0
}

/** The origins that a measure concerns; measures that name the same share one, and what it has found out. */
export type OriginScope = {
  readonly groups: OriginGroups
  readonly named: string
  readonly excluded: readonly string[]
  readonly ranks: Map<string, number>
}

/** Makes the scope of a row, one for all rows that name the same origins. */
export function originScopes(groups: OriginGroups): (row: MeasureRow) => OriginScope {
  const scopes = new Map<string, OriginScope>()
  return ({ originGroup, excludedOrigins }) => {
    const key = excludedOrigins.length === 0 ? originGroup : `${originGroup} ${excludedOrigins.join(' ')}`
    let scope = scopes.get(key)
    if (scope === undefined) {
      scope = { groups, named: originGroup, excluded: excludedOrigins, ranks: new Map() }
      scopes.set(key, scope)
    }
    return scope
  }
}

/** How narrowly a scope names an origin: 1 to 3; 0 when it does not concern it. */
export function scopeRank(scope: OriginScope, origin: string): number {
  let rank = scope.ranks.get(origin)
  if (rank === undefined) {
    const isExcluded = scope.excluded.some((named) => originRank(scope.groups, named, origin) > 0)
    rank = isExcluded ? 0 : originRank(scope.groups, scope.named, origin)
    scope.ranks.set(origin, rank)
  }
  return rank
}
