/**
 * Charges an operation, while it runs, for what was not known before: entries of lists beyond their declared sizes,
 * stored contents, and estimates that are calculated again. It is called before the work, or before a result of this
 * size is presented. See docs/limits.md#graphql-operations.
 */
import type { FieldNode } from 'graphql'
import { pointsFor } from '../../operations/points.ts'
import type { Allowance } from '../../operations/ports/work.ts'
import { excess, RATE_LIMITED, type Refusal } from '../errors.ts'
import { MAX_POINTS, type OperationCost } from './operation-cost.ts'

export type Meter = {
  /** Returns false if the request is refused: see `RequestScope.effects.refusal`. */
  add(units: number): boolean
  /** Like `add` for the entries of a list, before they are presented. */
  addEntries(nodes: readonly FieldNode[], length: number): boolean
  /** Like `add`, but throws if the request is refused. Work with the same `key` is charged once. */
  require(units: number, key?: string): void
}

/** The context of the request. */
type Scope = {
  readonly allowance: Allowance
  readonly effects: {
    readonly hasMutated: boolean
    readonly cost: OperationCost | undefined
    points: number
    refusal: Refusal | undefined
  }
}

/** Starts with the units that were charged before the operation. */
export function createMeter({ allowance, effects }: Scope): Meter {
  let units = effects.cost?.units ?? 0
  const charged = new Set<string>()

  const add = (more: number): boolean => {
    if (effects.refusal !== undefined) return false
    units += more
    const points = pointsFor(units)
    const unpaid = points - effects.points
    // Points stay charged if the operation is executed again.
    if (unpaid <= 0) return true
    if (effects.hasMutated) allowance.overdraw(unpaid)
    else effects.refusal = refusalFor(points, unpaid, allowance)
    if (effects.refusal !== undefined) return false
    effects.points = points
    return true
  }
  return {
    add,
    addEntries: (nodes, length) => add(effects.cost?.excessUnits(nodes, length) ?? 0),
    require(more, key) {
      if (key !== undefined && charged.has(key)) return
      if (key !== undefined) charged.add(key)
      if (!add(more)) throw effects.refusal?.errors[0]
    },
  }
}

function refusalFor(points: number, unpaid: number, allowance: Allowance): Refusal | undefined {
  // Not the points so far: they depend on which lists were read first.
  if (points > MAX_POINTS) return { errors: excess('cost', MAX_POINTS + 1, MAX_POINTS) }
  if (allowance.charge(unpaid) === undefined) return undefined
  // The whole operation is repeated and may cost more than so far, so the caller waits until it can cost twice as much.
  const retryAfterSeconds = allowance.charge(Math.min(MAX_POINTS, 2 * points))
  return { errors: [RATE_LIMITED], retryAfterSeconds: retryAfterSeconds ?? 1 }
}
