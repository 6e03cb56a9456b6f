/**
 * Surcharges: which ones a request triggers, and for how many of its units.
 * Source: specification 2.3 (`reason`); the vocabulary of trigger.ts.
 */
import type { PriceLineKind, SurchargePhase, SurchargeRow } from '../rate-card.ts'
import type { Parcel } from '../request.ts'
import { compileTrigger, type ShipmentFacts, type Trigger } from './trigger.ts'

/** A surcharge ready to be applied. */
export type Surcharge = SurchargeRow & {
  readonly kind: PriceLineKind
  /** Its first day, as `dayNumber` counts. */
  readonly firstDay: number
  /** The first day it no longer holds: its own, or that of a newer row of its code. */
  readonly endDay: number
  readonly when: Trigger
  /** Codes that drop this one where they are counted. */
  readonly excludedBy: readonly string[]
}

const PHASES: readonly SurchargePhase[] = ['accessorial', 'percent', 'fixed']

/**
 * Compiles the surcharges that one product of a carrier may pay, in the order they are charged: by phase, and
 * within a phase as listed. Throws on a trigger outside the vocabulary and on surcharges that exclude in a circle.
 */
export function compileSurcharges(rows: readonly SurchargeRow[]): Surcharge[] {
  const surcharges = rows.map((row): Surcharge => {
    return {
      ...row,
      kind: kindOf(row),
      firstDay: dayNumber(row.validFrom),
      endDay: endOf(row, rows),
      when: compileTrigger(row.trigger),
      excludedBy: rows.filter(({ excludes }) => excludes.includes(row.code)).map(({ code }) => code),
    }
  })
  refuseCircles(surcharges)
  return surcharges.sort((a, b) => PHASES.indexOf(a.phase) - PHASES.indexOf(b.phase))
}

/**
 * The day a row ends: its own last day, or when a newer row of the same code begins. Rows are those of one product,
 * so a newer row for other products leaves it alone.
 */
function endOf({ code, validFrom, validTo }: SurchargeRow, rows: readonly SurchargeRow[]): number {
  const successors = rows.filter((row) => row.code === code && row.validFrom > validFrom)
  const ends = successors.map((row) => dayNumber(row.validFrom))
  return Math.min(...ends, validTo === undefined ? Number.POSITIVE_INFINITY : dayNumber(validTo))
}

/** A day as a number whose order is that of the days: '2026-11-21' is 20261121. */
export function dayNumber(day: string): number {
  return Number(day.replaceAll('-', ''))
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

/** What kind of price line a surcharge makes: what it is triggered by says it. */
function kindOf({ method, trigger }: SurchargeRow): PriceLineKind {
  if (method === 'fuel') return 'FUEL'
  if (/date=/.test(trigger)) return 'OTHER'
  if (/area=/.test(trigger)) return 'REMOTE_AREA'
  if (/recipient=individual/.test(trigger)) return 'RESIDENTIAL'
  if (/longest_cm|second_cm|girth_cm|volume_l/.test(trigger)) return 'OVERSIZE'
  if (/piece_kg|stackable=|height_cm/.test(trigger)) return 'HANDLING'
  return 'OTHER'
}

/** A shipment that surcharges are tried on. */
export type SurchargeFacts = {
  readonly shipment: ShipmentFacts
  /** The day of the shipment, as `dayNumber` counts: sixty comparisons a quote are worth it. */
  readonly day: number
  readonly parcels: readonly Parcel[]
  /** The index of every row of parcels. */
  readonly allRows: readonly number[]
}

/**
 * The rows of parcels that a surcharge is counted for, by index: those whose units trigger it, without those that
 * pay one that excludes it. Empty: it does not apply. `surcharges` are all that the product may pay.
 */
export function rowsCharged(
  surcharge: Surcharge,
  surcharges: readonly Surcharge[],
  trial: SurchargeFacts,
): readonly number[] {
  const rows = rowsThatTrigger(surcharge, trial)
  if (rows.length === 0) return rows
  const left = surcharge.excludedBy.length === 0 ? rows : rowsLeft(surcharge, rows, surcharges, trial)
  return left.length > 0 && surcharge.per === 'shipment' ? trial.allRows : left
}

const NO_ROWS: readonly number[] = []

function rowsThatTrigger(
  { firstDay, endDay, when }: Surcharge,
  { shipment, day, parcels, allRows }: SurchargeFacts,
): readonly number[] {
  if (day < firstDay || day >= endDay) return NO_ROWS
  if (!when.dependsOnUnit || parcels.length === 1)
    return when.holds(shipment, parcels[0]!) ? allRows : NO_ROWS
  return allRows.filter((row) => when.holds(shipment, parcels[row]!))
}

/** The rows that no excluder covers. One that is excluded itself covers nothing, so excluders are settled first. */
function rowsLeft(
  surcharge: Surcharge,
  triggering: readonly number[],
  surcharges: readonly Surcharge[],
  trial: SurchargeFacts,
): readonly number[] {
  let rows = triggering
  for (const excluder of surcharges) {
    if (!excluder.excludes.includes(surcharge.code)) continue
    // One per shipment covers all units as soon as one of them triggers it.
    const covered = rowsCharged(excluder, surcharges, trial)
    rows = rows.filter((row) => !covered.includes(row))
  }
  return rows
}
