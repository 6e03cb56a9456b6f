/**
 * Surcharges of a rate card, and the parcel rows of a request that they are charged for.
 * Rules: docs/rate-card-files.md#surcharges; docs/decisions/rating.md#d15, D17 and D39.
 */
import type { PriceLineKind, SurchargePhase, SurchargeRow } from '../rate-card.ts'
import type { Parcel } from '../request.ts'
import {
  type Clause,
  type Condition,
  compileTrigger,
  parseTrigger,
  type ShipmentFacts,
  type Trigger,
  type UnitMeasure,
} from './trigger.ts'

/** A compiled surcharge. */
export type Surcharge = Omit<SurchargeRow, 'carrierCode' | 'products' | 'validTo'> & {
  readonly kind: PriceLineKind
  /** The first day it applies, as `dayNumber` encodes it. */
  readonly firstDay: number
  /** The first day it no longer applies: its `validTo`, or the first day of a newer row with the same code. */
  readonly endDay: number
  readonly when: Trigger
  /** Codes of the surcharges that replace this one. */
  readonly excludedBy: readonly string[]
}

const PHASES: readonly SurchargePhase[] = ['accessorial', 'percent', 'fixed']

/**
 * Compiles the surcharges that can apply to one product, in the order in which they are charged: by phase, then
 * in the order of the rows. Throws on an unknown trigger and on surcharges that exclude each other in a circle.
 */
export function compileSurcharges(rows: readonly SurchargeRow[]): Surcharge[] {
  const surcharges = rows.map((row): Surcharge => {
    const clauses = parseTrigger(row.trigger)
    // Written out, so that all surcharges have one shape. They are then read several times faster.
    return {
      code: row.code,
      name: row.name,
      reason: row.reason,
      phase: row.phase,
      method: row.method,
      amount: row.amount,
      minimumCents: row.minimumCents,
      per: row.per,
      trigger: row.trigger,
      fuelable: row.fuelable,
      excludes: row.excludes,
      validFrom: row.validFrom,
      kind: lineKindOf(row, clauses),
      firstDay: dayNumber(row.validFrom),
      endDay: endDayOf(row, rows),
      when: compileTrigger(clauses),
      excludedBy: rows.filter(({ excludes }) => excludes.includes(row.code)).map(({ code }) => code),
    }
  })
  refuseCircles(surcharges)
  return surcharges.sort((a, b) => PHASES.indexOf(a.phase) - PHASES.indexOf(b.phase))
}

/** `rows` are those of one product, so a newer row for other products does not end this one. */
function endDayOf({ code, validFrom, validTo }: SurchargeRow, rows: readonly SurchargeRow[]): number {
  const successors = rows.filter((row) => row.code === code && row.validFrom > validFrom)
  const ends = successors.map((row) => dayNumber(row.validFrom))
  return Math.min(...ends, validTo === undefined ? Number.POSITIVE_INFINITY : dayNumber(validTo))
}

/** A day as a number that sorts like the day: '2026-11-21' is 20261121. */
export function dayNumber(day: string): number {
  return Number(day.slice(0, 4)) * 10_000 + Number(day.slice(5, 7)) * 100 + Number(day.slice(8, 10))
}

function refuseCircles(surcharges: readonly Surcharge[]): void {
  const excluders = new Map<string, Set<string>>()
  for (const { code, excludedBy } of surcharges)
    excluders.set(code, new Set([...(excluders.get(code) ?? []), ...excludedBy]))
  const visit = (code: string, trail: readonly string[]): void => {
    if (trail.includes(code))
      throw new Error(`surcharges exclude each other in a circle: ${[...trail, code].join(', ')}`)
    for (const excluder of excluders.get(code) ?? []) visit(excluder, [...trail, code])
  }
  for (const code of excluders.keys()) visit(code, [])
}

/** The kind of the price line: FUEL by the method, otherwise by the conditions of the trigger. */
function lineKindOf({ method }: SurchargeRow, clauses: readonly Clause[]): PriceLineKind {
  if (method === 'fuel') return 'FUEL'
  const conditions = clauses.flat()
  const tests = (...kinds: readonly Condition['kind'][]): boolean =>
    conditions.some(({ kind }) => kinds.includes(kind))
  const measures = (...names: readonly UnitMeasure[]): boolean =>
    conditions.some((condition) => condition.kind === 'unit-measure' && names.includes(condition.measure))
  if (tests('season')) return 'OTHER'
  if (tests('area')) return 'REMOTE_AREA'
  if (conditions.some((condition) => condition.kind === 'recipient' && condition.recipient === 'individual'))
    return 'RESIDENTIAL'
  if (measures('longest_cm', 'second_cm', 'girth_cm', 'volume_l')) return 'OVERSIZE'
  if (measures('piece_kg', 'height_cm') || tests('stackable')) return 'HANDLING'
  return 'OTHER'
}

/** The facts about a shipment that decide which surcharges apply. */
export type SurchargeFacts = {
  readonly shipment: ShipmentFacts
  /** The day that is priced, as `dayNumber` encodes it. Numbers compare faster than texts. */
  readonly day: number
  readonly parcels: readonly Parcel[]
  /** The index of every parcel row. */
  readonly allRows: readonly number[]
}

/**
 * The indexes of the parcel rows that a surcharge is charged for: the rows that trigger it, minus the rows that are
 * charged with a surcharge that excludes it. Empty if it does not apply. `surcharges` are all surcharges of the product.
 */
export function chargedRows(
  surcharge: Surcharge,
  surcharges: readonly Surcharge[],
  facts: SurchargeFacts,
): readonly number[] {
  const rows = triggeringRows(surcharge, facts)
  if (rows.length === 0) return rows
  const remaining =
    surcharge.excludedBy.length === 0 ? rows : withoutExcluded(surcharge, rows, surcharges, facts)
  return remaining.length > 0 && surcharge.per === 'shipment' ? facts.allRows : remaining
}

const NO_ROWS: readonly number[] = []

function triggeringRows(
  { firstDay, endDay, when }: Surcharge,
  { shipment, day, parcels, allRows }: SurchargeFacts,
): readonly number[] {
  if (day < firstDay || day >= endDay) return NO_ROWS
  if (!when.dependsOnUnit || parcels.length === 1)
    return when.holds(shipment, parcels[0]!) ? allRows : NO_ROWS
  return allRows.filter((row) => when.holds(shipment, parcels[row]!))
}

/** Recursive, because a surcharge that is excluded for a row cannot exclude others for that row. */
function withoutExcluded(
  surcharge: Surcharge,
  triggering: readonly number[],
  surcharges: readonly Surcharge[],
  facts: SurchargeFacts,
): readonly number[] {
  let rows = triggering
  for (const excluder of surcharges) {
    if (!excluder.excludes.includes(surcharge.code)) continue
    // An excluder that is charged per shipment covers all rows if one of them triggers it.
    const covered = chargedRows(excluder, surcharges, facts)
    rows = rows.filter((row) => !covered.includes(row))
  }
  return rows
}
