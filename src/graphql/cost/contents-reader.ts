/**
 * Reads the contents of shipments for one request, after it has paid for their size. Contents can be several hundred
 * kilobytes, so they are read in small batches with turns between, and each batch is presented before the next one is
 * read. Nothing is kept. See docs/limits.md#contents-of-stored-shipments.
 */
import { groupBy } from '../../core/group-by.ts'
import type { ContentSizes, ShipmentContents } from '../../core/shipments/shipment.ts'
import { textUnits } from '../../operations/points.ts'
import type { Caller } from '../../operations/ports/caller.ts'
import type { Ports } from '../../operations/ports/ports.ts'
import type { Turns } from '../../operations/ports/work.ts'
import type { Meter } from './meter.ts'

export type ContentsReader = {
  /** Undefined if the shipment does not exist, or if the request is refused: see `RequestScope.effects.refusal`. */
  load(shipmentId: string): Promise<ShipmentContents | undefined>
}

/** Contents that are read with one statement. One shipment can exceed the bytes. */
const BATCH = { shipments: 20, bytes: 1_000_000 }

/**
 * Shipments whose sizes are read with one statement. Sizes from before migration 011 are calculated from the contents.
 */
const SIZES_BATCH = 100

type Call = {
  readonly shipmentId: string
  readonly resolve: (contents: ShipmentContents | undefined) => void
  readonly reject: (error: unknown) => void
}

/** The context of the request. */
type Scope = {
  readonly ports: Pick<Ports, 'shipments'>
  readonly caller: Pick<Caller, 'accountId'>
  readonly meter: Meter
  readonly turns: Turns
}

export function createContentsReader(scope: Scope): ContentsReader {
  let waiting: Call[] = []
  let isServing = false
  const serveAll = async (): Promise<void> => {
    isServing = true
    while (waiting.length > 0) {
      const calls = waiting
      try {
        // More calls arrive until then.
        await queuedWork(scope)
        waiting = []
        await serve(scope, calls)
      } catch (error) {
        if (calls === waiting) waiting = []
        for (const { reject } of calls) reject(error)
      }
    }
    isServing = false
  }
  return {
    load: (shipmentId) =>
      new Promise((resolve, reject) => {
        waiting.push({ shipmentId, resolve, reject })
        if (!isServing) void serveAll()
      }),
  }
}

/** Waits until all resolvers that can run have run, and until what they have queued for turns is presented. */
async function queuedWork({ turns }: Scope): Promise<void> {
  await new Promise((resume) => process.nextTick(resume))
  await turns.next()
}

async function serve(scope: Scope, calls: readonly Call[]): Promise<void> {
  const { ports, caller, meter } = scope
  const byShipment = groupBy(calls, ({ shipmentId }) => shipmentId)
  const sizes = await readSizes(scope, [...byShipment.keys()])
  // Each call, because each one presents the contents once.
  const bytes = calls.reduce((sum, { shipmentId }) => sum + (sizes.get(shipmentId)?.bytes ?? 0), 0)
  if (!meter.add(textUnits(bytes))) {
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
