/** The contents of stored shipments are charged by their real sizes before they are read, and read in small batches. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { ShipmentContents } from '../../../src/core/shipments/shipment.ts'
import { cancelShipment } from '../../../src/operations/cancel-shipment.ts'
import type { Allowance } from '../../../src/operations/ports/work.ts'
import { fakePorts, shipment } from '../fake-ports.ts'
import { openInstance, SHORT_TURNS } from '../instance.ts'

beforeEach(() => {
  vi.mocked(cancelShipment).mockImplementation(async () => ({
    ...{ kind: 'ShipmentCancelled', shipmentId: 's0', message: 'done', alreadyCancelled: false },
    ...{ carrierNotified: false, labelMustBeDestroyed: false },
  }))
})

const parcel = { count: 1, weightGrams: 5_000, lengthCm: 40, widthCm: 30, heightCm: 20, stackable: false }

/** The largest contents that a caller can store. */
function largest(shipmentId: string): ShipmentContents {
  return {
    ...{ shipmentId, parcelType: 'NONDOC', parcels: Array(99).fill(parcel) },
    contentItems: Array(99).fill({
      ...{ description: '茶'.repeat(500), numberOfItems: 1, costSteps: 1 },
      quantities: Array(10).fill({ unit: 'kg', amountMicros: 1 }),
    }),
  }
}

function usual(shipmentId: string): ShipmentContents {
  const item = { description: 'cotton t-shirt', numberOfItems: 2, costSteps: 1 }
  return { shipmentId, parcelType: 'NONDOC', parcels: [parcel], contentItems: [item, item] }
}

function open(contentsOf: (id: string) => ShipmentContents, count = 1, budget = Number.POSITIVE_INFINITY) {
  const ids = Array.from({ length: count }, (_, index) => `s${index}`)
  const reads: (readonly string[])[] = []
  const charges: number[] = []
  const overdrawn: number[] = []
  let left = budget
  const allowance: Allowance = {
    charge(points) {
      if (points > left) return 7
      left -= points
      charges.push(points)
      return undefined
    },
    overdraw: (points) => void overdrawn.push(points),
  }
  const ports = fakePorts({
    shipments: ids.map((shipmentId) => shipment({ shipmentId })),
    contents: ids.map(contentsOf),
    store: {
      contents: async (_account, wanted) => {
        reads.push(wanted)
        return wanted.map(contentsOf)
      },
    },
  })
  let turnsTaken = 0
  const turns = {
    over: () => true,
    next: () => {
      turnsTaken++
      return SHORT_TURNS.next()
    },
  }
  const instances = [true, false].map((compiledQueries) =>
    openInstance({ ports, allowance, compiledQueries, turns: () => turns }),
  )
  return { ids, reads, charges, overdrawn, instances, turnsTaken: () => turnsTaken }
}

const keys = (ids: readonly string[]) => ({ r: ids.map((id) => ({ __typename: 'Shipment', id })) })
const entities = (inner: string) =>
  `query Q($r: [_Any!]!) { _entities(representations: $r) { ... on Shipment { ${inner} } } }`
const sum = (points: readonly number[]) => points.reduce((total, value) => total + value, 0)

/** Often enough that the query is compiled. */
const TIMES = 4

describe('the contents of large shipments', () => {
  test('are charged for every copy that is presented', async () => {
    const { charges, instances } = open(largest)
    for (const { ask } of instances)
      for (let time = 0; time < TIMES; time++) {
        charges.length = 0
        const { status } = await ask(
          entities('contentItems { quantities { unit amount } }'),
          keys(Array(20).fill('s0')),
        )
        expect(status).toBe(200)
        // 20 x 99 items x 10 quantities x 2 fields of 0.002 points, and their parents.
        expect(sum(charges)).toBeGreaterThan(100)
      }
  })

  test('are refused before they are read if the operation would cost more than the maximum', async () => {
    const { reads, instances } = open(largest)
    for (const { ask } of instances)
      for (let time = 0; time < TIMES; time++) {
        const { status, data, errors } = await ask(
          entities('contentItems { quantities { unit amount } }'),
          keys(Array(1_000).fill('s0')),
        )
        expect({ status, data }).toEqual({ status: 400, data: undefined })
        expect(errors).toMatchObject([{ extensions: { code: 'OPERATION_TOO_LARGE', limit: 'cost' } }])
      }
    expect(reads).toEqual([])
  })

  test('are refused before they are read if the key has too few points left', async () => {
    const { reads, instances } = open(largest, 20, 30)
    for (const { ask } of instances) {
      const { status, headers, errors } = await ask(
        '{ shipments(first: 20) { nodes { contentItems { description } } } }',
      )
      expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 429, retryAfter: '7' })
      expect(errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }])
    }
    expect(reads).toEqual([])
  })

  test('are charged by their bytes, even if few fields are selected', async () => {
    const { charges, instances } = open(largest, 40)
    for (const { ask } of instances) {
      charges.length = 0
      const { status } = await ask(
        entities('parcels { count }'),
        keys(Array.from({ length: 40 }, (_, n) => `s${n}`)),
      )
      expect(status).toBe(200)
      // About 200 KB each, and a point for 100 KB.
      expect(sum(charges)).toBeGreaterThan(60)
    }
  })

  test('are read in batches of at most a megabyte or 20 shipments, with turns between', async () => {
    for (const [contentsOf, most] of [
      [largest, 5],
      [usual, 20],
    ] as const) {
      const { ids, reads, instances, turnsTaken } = open(contentsOf, 45)
      const [{ ask }] = instances as [(typeof instances)[0]]
      const { status } = await ask(entities('contentItems { count }'), keys([...ids, ...ids]))
      expect(status).toBe(200)
      expect(reads.flat()).toEqual(ids)
      expect(Math.max(...reads.map(({ length }) => length))).toBe(most)
      expect(turnsTaken()).toBeGreaterThanOrEqual(reads.length)
    }
  })

  test('are charged after a mutation even if the key has too few points left', async () => {
    const { charges, overdrawn, instances } = open(largest, 1, 2)
    const [{ ask }] = instances as [(typeof instances)[0]]
    const cost = async (inner: string): Promise<readonly number[]> => {
      charges.length = 0
      const { status } = await ask(
        `mutation { cancelShipment(input: { shipmentId: "s0" }) { ... on ShipmentCancelled { shipment { ${inner} } } } }`,
      )
      expect(status).toBe(200)
      return [...charges]
    }
    expect(await cost('id')).toEqual([1])
    expect(overdrawn).toEqual([])
    expect(await cost('contentItems { description quantities { unit amount } }')).toEqual([1])
    expect(sum(overdrawn)).toBeGreaterThan(6)
  })
})

test('usual contents cost little more than what is charged in advance', async () => {
  const { ids, charges, instances } = open(usual, 100)
  const [{ ask }] = instances as [(typeof instances)[0]]
  const { status } = await ask(
    entities('contentItems { description quantities { unit amount } } parcels { count }'),
    keys(ids),
  )
  expect(status).toBe(200)
  expect(sum(charges.slice(1))).toBeLessThan(charges[0]! / 5)
})
