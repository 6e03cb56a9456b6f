/**
 * Surcharges of a rate card, and the parcel rows of a request that they are charged for.
 * Rules: docs/rate-card-files.md#surcharges.
 */
import { groupBy } from '../../group-by.ts'
import { type PriceLineKind, type ServiceRow, SURCHARGE_PHASES, type SurchargeRow } from '../rate-card.ts'
import type { Parcel } from '../request.ts'
import type { Service } from '../sender-service.ts'
import {
  compileRuleAmount,
  compileRuleCondition,
  lineKindsOf,
  type RuleAmount,
  type RuleCondition,
  usesFreightClass,
} from './rule.ts'
import type { RuleVocabularies } from './rule-vocabulary.ts'
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
export type Surcharge = Omit<
  SurchargeRow,
  'carrierCode' | 'products' | 'validTo' | 'condition' | 'formula' | 'maximumCents'
> & {
  readonly maximumCents: number | undefined
  readonly kind: PriceLineKind
  /** The service that the sender chose; absent for surcharges. */
  readonly service?: Service
  /** The first day it applies, as `dayNumber` encodes it. */
  readonly firstDay: number
  /** The first day it no longer applies: its `validTo`, or the first day of a newer row with the same code. */
  readonly endDay: number
  readonly when: Trigger
  /** Tested by `when` too. */
  readonly condition: RuleCondition | undefined
  readonly formula: RuleAmount | undefined
  /** True if it depends on the freight class, so that every unit needs one. */
  readonly needsFreightClass: boolean
  /** Positions of the surcharges that exclude this one, in the list of all surcharges of the product. */
  readonly excludedBy: readonly number[]
}

/**
 * Compiles the surcharges that can apply to one product, in the order in which they are charged: by phase, then
 * in the order of the rows. Throws on an unknown trigger, on a faulty expression, and on surcharges that exclude each
 * other in a circle.
 */
export function compileSurcharges(
  rows: readonly SurchargeRow[],
  vocabularies: RuleVocabularies,
): Surcharge[] {
  const inOrder = [...rows].sort(
    (a, b) => SURCHARGE_PHASES.indexOf(a.phase) - SURCHARGE_PHASES.indexOf(b.phase),
  )
  const rowsOfCode = groupBy(inOrder, ({ code }) => code)
  const excluders = excludersOf(inOrder)
  const surcharges = inOrder.map((row): Surcharge => {
    const clauses = parseTrigger(row.trigger)
    const condition =
      row.condition === undefined ? undefined : compileRuleCondition(row.condition, vocabularies)
    const formula =
      row.formula === undefined ? undefined : compileRuleAmount(row.formula, row.per, vocabularies)
    // Written out, so that all surcharges have one shape. They are then read several times faster.
    return {
      code: row.code,
      name: row.name,
      reason: row.reason,
      phase: row.phase,
      method: row.method,
      amount: row.amount,
      minimumCents: row.minimumCents,
      maximumCents: row.maximumCents,
      per: row.per,
      trigger: row.trigger,
      fuelable: row.fuelable,
      excludes: row.excludes,
      validFrom: row.validFrom,
      kind: lineKindOf(row, clauses, condition),
      firstDay: dayNumber(row.validFrom),
      endDay: endDayOf(row, rowsOfCode.get(row.code)!),
      when: triggerWith(compileTrigger(clauses), condition),
      condition,
      formula,
      needsFreightClass:
        condition?.needsFreightClass === true || (formula !== undefined && usesFreightClass(formula.syntax)),
      excludedBy: excluders.get(row.code) ?? [],
    }
  })
  refuseCircles(surcharges)
  return surcharges
}

/** A trigger that also tests the condition. */
function triggerWith(trigger: Trigger, condition: RuleCondition | undefined): Trigger {
  if (condition === undefined) return trigger
  const { holds, dependsOnUnit } = trigger
  const isMet = condition.holds
  return {
    holds: (shipment, unit) =>
      holds(shipment, unit) && isMet({ shipment, unit, billedGrams: 0, freightCents: 0 }),
    dependsOnUnit: dependsOnUnit || condition.dependsOnUnit,
  }
}

/** The positions of the surcharges that exclude a code. */
function excludersOf(rows: readonly SurchargeRow[]): ReadonlyMap<string, readonly number[]> {
  const excluders = new Map<string, number[]>()
  rows.forEach(({ excludes }, position) => {
    for (const code of new Set(excludes)) {
      const positions = excluders.get(code)
      if (positions === undefined) excluders.set(code, [position])
      else positions.push(position)
    }
  })
  return excluders
}

/** `rowsOfCode` are those of one product, so a newer row for other products does not end this one. */
function endDayOf({ validFrom, validTo }: SurchargeRow, rowsOfCode: readonly SurchargeRow[]): number {
  let endDay = validTo === undefined ? Number.POSITIVE_INFINITY : dayNumber(validTo)
  for (const other of rowsOfCode)
    if (other.validFrom > validFrom) endDay = Math.min(endDay, dayNumber(other.validFrom))
  return endDay
}

/** A day as a number that sorts like the day: '2026-11-21' is 20261121. */
export function dayNumber(day: string): number {
  return Number(day.slice(0, 4)) * 10_000 + Number(day.slice(5, 7)) * 100 + Number(day.slice(8, 10))
}

/** A depth-first search that visits each surcharge once. */
function refuseCircles(surcharges: readonly Surcharge[]): void {
  const done = new Set<number>()
  const trail: number[] = []
  const visit = (position: number): void => {
    if (done.has(position)) return
    const start = trail.indexOf(position)
    if (start !== -1) {
      const codes = [...trail.slice(start), position].map((at) => surcharges[at]!.code)
      throw new Error(`surcharges exclude each other in a circle: ${codes.join(', ')}`)
    }
    trail.push(position)
    for (const excluder of surcharges[position]!.excludedBy) visit(excluder)
    trail.pop()
    done.add(position)
  }
  for (const position of surcharges.keys()) visit(position)
}

/** The kind of the price line: FUEL by the method, otherwise by the trigger and the condition. */
function lineKindOf(
  { method }: SurchargeRow,
  clauses: readonly Clause[],
  condition: RuleCondition | undefined,
): PriceLineKind {
  if (method === 'fuel') return 'FUEL'
  const ofCondition = condition === undefined ? [] : lineKindsOf(condition)
  const kinds = new Set([...clauses.flat().map(lineKindOfCondition), ...ofCondition])
  return LINE_KIND_ORDER.find((kind) => kinds.has(kind)) ?? 'OTHER'
}

/** If the conditions of a trigger give several kinds, the first one here counts. */
const LINE_KIND_ORDER: readonly PriceLineKind[] = [
  'OTHER',
  'REMOTE_AREA',
  'RESIDENTIAL',
  'OVERSIZE',
  'HANDLING',
]

/** The kind that a condition gives to the line; absent: none. A season makes any surcharge a peak surcharge. */
function lineKindOfCondition(condition: Condition): PriceLineKind | undefined {
  switch (condition.kind) {
    case 'season':
      return 'OTHER'
    case 'area':
      return 'REMOTE_AREA'
    case 'recipient':
      return condition.recipient === 'individual' ? 'RESIDENTIAL' : undefined
    case 'unit-measure':
      return LINE_KIND_OF_MEASURE[condition.measure]
    case 'stackable':
      return 'HANDLING'
    case 'always':
    case 'domestic':
    case 'international':
    case 'group':
    case 'country':
    case 'shipment-measure':
      return undefined
  }
}

const LINE_KIND_OF_MEASURE: Readonly<Record<UnitMeasure, PriceLineKind>> = {
  longest_cm: 'OVERSIZE',
  second_cm: 'OVERSIZE',
  girth_cm: 'OVERSIZE',
  volume_l: 'OVERSIZE',
  piece_kg: 'HANDLING',
  height_cm: 'HANDLING',
}

/** The facts about a shipment that decide which surcharges apply. */
export type SurchargeFacts = {
  readonly shipment: ShipmentFacts
  /** The day that is priced, as `dayNumber` encodes it. Numbers compare faster than texts. */
  readonly day: number
  readonly parcels: readonly Parcel[]
  /** The index of every parcel row. */
  readonly allRows: readonly number[]
  /** The rows that surcharges which exclude others are charged for. Filled as they are found, once for each. */
  readonly excluders: Map<Surcharge, readonly number[]>
  /** Why rows of services do not fit the shipment; undefined if they do. Filled as they are found, once for each. */
  readonly misfits: Map<ServiceRow, string | undefined>
}

/**
 * The indexes of the parcel rows that a surcharge is charged for, in ascending order: the rows that trigger it, minus
 * the rows that are charged with a surcharge that excludes it. Empty if it does not apply. `surcharges` are all
 * surcharges of the product.
 */
export function chargedRows(
  surcharge: Surcharge,
  surcharges: readonly Surcharge[],
  facts: SurchargeFacts,
): readonly number[] {
  // The result of a surcharge that excludes nothing is needed only once.
  if (surcharge.excludes.length === 0) return findChargedRows(surcharge, surcharges, facts)
  let rows = facts.excluders.get(surcharge)
  if (rows === undefined) {
    rows = findChargedRows(surcharge, surcharges, facts)
    facts.excluders.set(surcharge, rows)
  }
  return rows
}

/** Recursive, because a surcharge that is excluded for a row cannot exclude others for that row. */
function findChargedRows(
  surcharge: Surcharge,
  surcharges: readonly Surcharge[],
  facts: SurchargeFacts,
): readonly number[] {
  let rows = triggeringRows(surcharge, facts)
  for (const position of surcharge.excludedBy) {
    if (rows.length === 0) return rows
    // An excluder that is charged per shipment covers all rows if one of them triggers it.
    rows = without(rows, chargedRows(surcharges[position]!, surcharges, facts))
  }
  return rows.length > 0 && surcharge.per === 'shipment' ? facts.allRows : rows
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

/** The rows that are not in `removed`. Both lists are ascending. */
function without(rows: readonly number[], removed: readonly number[]): readonly number[] {
  if (removed.length === 0) return rows
  let next = 0
  return rows.filter((row) => {
    while (next < removed.length && removed[next]! < row) next++
    return removed[next] !== row
  })
}
