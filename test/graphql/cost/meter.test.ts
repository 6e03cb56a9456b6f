/** An operation is charged while it runs for what was not known before, and refused before it presents more. */
import { describe, expect, test } from 'vitest'
import { createMeter } from '../../../src/graphql/cost/meter.ts'
import type { OperationCost } from '../../../src/graphql/cost/operation-cost.ts'
import type { Refusal } from '../../../src/graphql/errors.ts'

function open({ budget = Number.POSITIVE_INFINITY, hasMutated = false, units = 0 } = {}) {
  const charged: number[] = []
  const overdrawn: number[] = []
  let left = budget
  const allowance = {
    charge(points: number) {
      // As many seconds as points are missing.
      if (points > left) return points - left
      left -= points
      charged.push(points)
      return undefined
    },
    overdraw: (points: number) => void overdrawn.push(points),
  }
  const cost: OperationCost = {
    ...{ units, points: 1, introspectionPoints: 0, representations: 0 },
    excessUnits: (_nodes, length) => length * 10,
  }
  const effects = { hasMutated, cost, points: 1, refusal: undefined as Refusal | undefined }
  return { meter: createMeter({ allowance, effects }), effects, allowance, charged, overdrawn }
}

describe('a meter', () => {
  test('charges whole points when the sum of the units reaches them', () => {
    const { meter, charged } = open({ units: 90 })
    expect(meter.add(9)).toBe(true)
    expect(charged).toEqual([])
    expect(meter.add(1)).toBe(true)
    expect(meter.add(250)).toBe(true)
    expect(charged).toEqual([1, 2])
  })

  test('charges the entries of a list', () => {
    const { meter, charged } = open()
    expect(meter.addEntries([], 30)).toBe(true)
    expect(charged).toEqual([3])
  })

  test('charges work with the same key once', () => {
    const { meter, charged } = open()
    meter.require(100, 'shoes')
    meter.require(100, 'shoes')
    meter.require(100, 'shirts')
    meter.require(100)
    expect(charged).toEqual([1, 1, 1])
  })

  test('refuses an operation above the maximum, and everything after', () => {
    const { meter, effects, charged } = open()
    expect(meter.add(99_800)).toBe(true)
    expect(meter.add(200)).toBe(false)
    expect(effects.refusal?.errors[0]?.extensions).toEqual({
      ...{ code: 'OPERATION_TOO_LARGE', limit: 'cost', actual: 1_001, maximum: 1_000 },
    })
    expect(meter.add(0)).toBe(false)
    expect(() => meter.require(1)).toThrow('The operation is too large')
    expect(charged).toEqual([998])
  })

  test('refuses an operation without points, until there are twice as many as it has cost', () => {
    const { meter, effects } = open({ budget: 10 })
    expect(meter.add(500)).toBe(true)
    expect(meter.add(900)).toBe(false)
    expect(effects.refusal).toMatchObject({
      errors: [{ extensions: { code: 'RATE_LIMITED' } }],
      retryAfterSeconds: 2 * 15 - 5,
    })
  })

  test('never refuses an operation after its mutation, and overdraws the budget', () => {
    const { meter, effects, charged, overdrawn } = open({ budget: 0, hasMutated: true })
    expect(meter.add(200_000)).toBe(true)
    expect(effects.refusal).toBeUndefined()
    expect(charged).toEqual([])
    expect(overdrawn).toEqual([2_000])
  })

  test('charges an operation that is executed again only for more', () => {
    const { meter, effects, allowance, charged } = open()
    meter.add(500)
    const again = createMeter({ allowance, effects })
    again.add(500)
    again.add(200)
    expect(charged).toEqual([5, 2])
  })
})
