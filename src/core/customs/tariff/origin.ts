/**
 * Whether a measure applies to goods of a country of origin. A row for a country is narrower than one for a group, and a
 * group is narrower than all origins. Exclusions take precedence.
 */
import type { MeasureRow, OriginGroupRow } from '../data/rows.ts'

/** In rows: any origin. */
export const ALL_ORIGINS = 'ALL'

/** By country: the groups it belongs to. */
export type OriginGroups = ReadonlyMap<string, ReadonlySet<string>>

export function compileOriginGroups(rows: readonly OriginGroupRow[]): OriginGroups {
  const groups = new Map<string, Set<string>>()
  for (const { country, originGroup } of rows) {
    const known = groups.get(country)
    if (known === undefined) groups.set(country, new Set([originGroup]))
    else known.add(originGroup)
  }
  return groups
}

/** How narrowly a row names an origin: 3 by country, 2 by group, 1 by 'ALL', 0 not at all. */
export function originRank(groups: OriginGroups, named: string, origin: string): number {
  if (named === origin) return 3
  if (named === ALL_ORIGINS) return 1
  return groups.get(origin)?.has(named) ? 2 : 0
}

/** The origins that a measure applies to. Measures that name the same origins share one scope with its cached ranks. */
export type OriginScope = {
  readonly groups: OriginGroups
  readonly named: string
  readonly excluded: readonly string[]
  readonly ranks: Map<string, number>
}

/** Returns the scope of a row; the same object for all rows that name the same origins. */
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

/** The rank of an origin (see `originRank`); 0 if the scope excludes it. */
export function scopeRank(scope: OriginScope, origin: string): number {
  let rank = scope.ranks.get(origin)
  if (rank === undefined) {
    const isExcluded = scope.excluded.some((named) => originRank(scope.groups, named, origin) > 0)
    rank = isExcluded ? 0 : originRank(scope.groups, scope.named, origin)
    scope.ranks.set(origin, rank)
  }
  return rank
}
