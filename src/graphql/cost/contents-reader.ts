/**
 * Reads the contents of shipments for one request, after it has paid for their real sizes. Contents can be several
 * hundred kilobytes, so they are read in small batches with turns between, and each batch is presented before the next
 * one is read. Nothing is kept. See docs/limits.md#contents-of-stored-shipments.
 */
import { groupBy } from '../../core/group-by.ts'
import type { ContentSizes, ShipmentContents } from '../../core/shipments/shipment.ts'
import { pointsFor } from '../../operations/points.ts'
import type { Caller } from '../../operations/ports/caller.ts'
import type { Ports } from '../../operations/ports/ports.ts'
import type { Allowance, Turns } from '../../operations/ports/work.ts'
import { excess, RATE_LIMITED, type Refusal } from '../errors.ts'
import { MAX_POINTS, type OperationCost } from './operation-cost.ts'
import type { ContentField } from './plan.ts'

export type ContentsReader = {
  /** Undefined if the shipment does not exist, or if the request is refused: see `RequestScope.effects.refusal`. */
  load(shipmentId: string, field: ContentField): Promise<ShipmentContents | undefined>
}

/** Contents that are read with one statement. One shipment can exceed the bytes. */
const BATCH = { shipments: 20, bytes: 1_000_000 }

/**
 * Shipments whose sizes are read with one statement. Sizes from before migration 011 are calculated from the contents.
 */
const SIZES_BATCH = 100

type Call = {
  readonly shipmentId: string
  readonly field: ContentField
  readonly resolve: (contents: ShipmentContents | undefined) => void
  readonly reject: (error: unknown) => void
}

/** The context of the request. */
type Scope = {
  readonly ports: Pick<Ports, 'shipments'>
  readonly caller: Pick<Caller, 'accountId'>
  readonly allowance: Allowance
  readonly turns: Turns
  readonly effects: {
    readonly cost: OperationCost | undefined
    contentPoints: number
    refusal: Refusal | undefined
  }
}

export function createContentsReader(scope: Scope): ContentsReader {
  let waiting: Call[] = []
  let isServing = false
  const charge = createCharge(scope)
  const serveAll = async (): Promise<void> => {
    isServing = true
    while (waiting.length > 0) {
      const calls = waiting
      try {
        // More calls arrive until then.
        await queuedWork(scope)
        waiting = []
        await serve(scope, calls, charge)
      } catch (error) {
        if (calls === waiting) waiting = []
        for (const { reject } of calls) reject(error)
      }
    }
    isServing = false
  }
  return {
    load: (shipmentId, field) =>
      new Promise((resolve, reject) => {
        waiting.push({ shipmentId, field, resolve, reject })
        if (!isServing) void serveAll()
      }),
  }
}

/** Waits until all resolvers that can run have run, and until what they have queued for turns is presented. */
async function queuedWork({ turns }: Scope): Promise<void> {
  await new Promise((resume) => process.nextTick(resume))
  await turns.next()
}

async function serve(scope: Scope, calls: readonly Call[], charge: Charge): Promise<void> {
  const { ports, caller } = scope
  const byShipment = groupBy(calls, ({ shipmentId }) => shipmentId)
  const sizes = await readSizes(scope, [...byShipment.keys()])
  if (!charge(calls, sizes)) {
    for (const { resolve } of calls) resolve(undefined)
    return
  }
  for (const ids of batchesOf([...byShipment.keys()], sizes)) {
    const found = await ports.shipments.contents(caller.accountId, ids)
    const contents = new Map(found.map((entry) => [entry.shipmentId, entry]))
    for (const id of ids) for (const { resolve } of byShipment.get(id) ?? []) resolve(contents.get(id))
    await queuedWork(scope)
  }
}

async function readSizes(
  { ports, caller, turns }: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ContentSizes>> {
  const sizes = new Map<string, ContentSizes>()
  for (let start = 0; start < ids.length; start += SIZES_BATCH) {
    await turns.next()
    const batch = ids.slice(start, start + SIZES_BATCH)
    for (const [id, found] of await ports.shipments.contentSizes(caller.accountId, batch))
      sizes.set(id, found)
  }
  return sizes
}

function* batchesOf(
  ids: readonly string[],
  sizes: ReadonlyMap<string, ContentSizes>,
): Generator<readonly string[]> {
  let batch: string[] = []
  let bytes = 0
  for (const id of ids) {
    const added = sizes.get(id)?.bytes ?? 0
    if (batch.length > 0 && (batch.length >= BATCH.shipments || bytes + added > BATCH.bytes)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(id)
    bytes += added
  }
  if (batch.length > 0) yield batch
}

/** Returns false if the request is refused. */
type Charge = (calls: readonly Call[], sizes: ReadonlyMap<string, ContentSizes>) => boolean

/** Each call is charged, because each one presents the contents once. */
function createCharge({ allowance, effects }: Scope): Charge {
  let units = 0
  return (calls, sizes) => {
    const { cost } = effects
    if (effects.refusal !== undefined) return false
    if (cost?.contents === undefined) return true
    for (const { shipmentId, field } of calls) {
      const found = sizes.get(shipmentId)
      if (found !== undefined) units += cost.contents(field, found)
    }
    const points = pointsFor(units) - pointsFor(0)
    // Not the points so far: they depend on which shipments were read first.
    const errors = cost.points + points > MAX_POINTS ? excess('cost', MAX_POINTS + 1, MAX_POINTS) : []
    if (errors.length > 0) {
      effects.refusal = { errors }
      return false
    }
    const unpaid = points - effects.contentPoints
    const retryAfterSeconds = unpaid <= 0 ? undefined : allowance.charge(unpaid)
    if (retryAfterSeconds !== undefined) {
      effects.refusal = { errors: [RATE_LIMITED], retryAfterSeconds }
      return false
    }
    effects.contentPoints = Math.max(points, effects.contentPoints)
    return true
  }
}
