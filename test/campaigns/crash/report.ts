/** The printed figures of a campaign. */
import type { Crowd } from './callers.ts'
import type { CarrierJournal } from './processes/carrier-truth.ts'
import type { FleetCounts } from './processes/fleet.ts'
import { countByInvariant, INVARIANTS, type Violation } from './violation.ts'

export type Totals = {
  readonly startedAt: number
  readonly dbKills: Map<string, number>
  /** By server and fault. */
  readonly partitions: Map<string, number>
  shipments: number
  /** Time from the end of the faults until no work was open. */
  settledMs: number
}

/** One line of progress. */
export function progressOf(totals: Totals, fleet: FleetCounts, crowd: Crowd): string {
  return [
    `${seconds(totals)} s`,
    `${fleet.deaths} deaths`,
    `${listOf(totals.dbKills) || 'no'} database kills`,
    `${totals.shipments} shipments`,
    `${crowd.counts.requests} requests`,
    `${crowd.open()} callers waiting`,
  ].join(', ')
}

/** The lines at the end. */
export function totalsOf(
  totals: Totals,
  fleet: FleetCounts,
  crowd: Crowd,
  journal: CarrierJournal,
  violations: readonly Violation[],
): string[] {
  const { requests, noAnswer, gaveUp, byKind } = crowd.counts
  const entries = journal.parcels.flatMap((parcel) => parcel.journal)
  const cancelCalls = entries.filter(({ what }) => what === 'cancel called')
  const faults = new Map<string, number>()
  for (const { fault = 'none' } of cancelCalls) faults.set(fault, (faults.get(fault) ?? 0) + 1)
  const kinds = new Map<string, number>()
  for (const { plan } of crowd.called) kinds.set(plan.kind, (kinds.get(plan.kind) ?? 0) + 1)
  return [
    `${seconds(totals)} s in all, ${(totals.settledMs / 1000).toFixed(1)} s of it until nothing was pending`,
    `replicas: ${fleet.starts} starts, ${fleet.deaths} deaths, ${fleet.stops} stops, ${fleet.failedStarts} failed starts`,
    ...[...fleet.deathsByPoint].sort().map(([point, count]) => `  ${count} died ${point}`),
    `database kills: ${listOf(totals.dbKills) || 'none'}`,
    `partitions: ${listOf(totals.partitions) || 'none'}; ${fleet.pauses} pauses, ${fleet.clockJumps} clock jumps`,
    `shipments: ${totals.shipments} (${listOf(kinds)})`,
    `requests: ${requests}, without an answer: ${listOf(noAnswer) || 'none'}; ${gaveUp} callers gave up; ${listOf(byKind)}`,
    `carrier: ${cancelCalls.length} cancel calls, played ${listOf(faults)}; ${journal.bookings.length} bookings`,
    `alerts: ${listOf(fleet.alerts) || 'none'}`,
    ...[...countByInvariant(violations)].map(
      ([invariant, count]) => `VIOLATED ${count} times: ${invariant}, ${INVARIANTS[invariant]}`,
    ),
  ]
}

function seconds({ startedAt }: Totals): string {
  return ((performance.now() - startedAt) / 1000).toFixed(1)
}

function listOf(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort()
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}
