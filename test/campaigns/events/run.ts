/**
 * Followers of `GET /events` and endpoints of webhooks on several replicas, which are killed and started again while
 * shipments change. Every follower must get every event once, and every endpoint each event at least once.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Database } from '../../../src/store/database/database.ts'
import { addEndpoint, listEndpoints } from '../../../src/store/webhooks/endpoints.ts'
import { diceOf } from '../../support/random/seeded-dice.ts'
import { ACCOUNT, storedEvents, writeChanges } from './changes.ts'
import { type Follower, startFollower } from './follower.ts'
import { type Received, startReceiver } from './receiver.ts'

export type Replica = { readonly output: string; kill(): Promise<void>; stop(): Promise<void> }

export type RunOptions = {
  readonly connections: number
  readonly endpoints: number
  readonly kills: number
  readonly replicas: number
  readonly seed: number
  readonly key: string
  startReplica(): Promise<Replica>
  log(line: string): void
}

/** How long all events may take to arrive after the last change. The lease of a killed process lasts 30 seconds. */
const SETTLE_LIMIT_MS = 600_000
const LIFE_MS = 3_000
const WRITE_PAUSE_MS = 400
/** Requests to an endpoint that fail. Their events are sent again after 5 seconds. */
const FAILURES_PER_ENDPOINT = 4

export async function runEvents(db: Kysely<Database>, options: RunOptions) {
  const { connections, kills, seed, key, startReplica, log } = options
  const dice = diceOf(seed)
  const receiver = await startReceiver(dice, FAILURES_PER_ENDPOINT)
  const replicas = await Promise.all(Array.from({ length: options.replicas }, startReplica))
  const origins = () => replicas.map(({ output }) => output)
  const start = (await storedEvents(db)).events.at(-1)?.sequence ?? 0
  const endpoints = await Promise.all(
    Array.from({ length: options.endpoints }, (_, index) => addReceiver(db, receiver, `endpoint-${index}`)),
  )
  const followers = Array.from({ length: connections }, () => startFollower(origins, dice, key))
  await Promise.all(followers.map(({ started }) => started))
  log(
    `${connections} connections and ${endpoints.length} endpoints at ${replicas.length} replicas, seed ${seed}`,
  )

  const writing = writeChanges(db, dice, WRITE_PAUSE_MS)
  for (let kill = 1; kill <= kills; kill++) {
    await pause(LIFE_MS)
    const [victim] = replicas.splice(dice.int(0, replicas.length - 1), 1)
    await victim?.kill()
    replicas.push(await startReplica())
    log(`kill ${kill}: ${(await storedEvents(db)).events.length} events so far`)
  }
  await pause(LIFE_MS)
  await writing.stop()
  const isComplete = await settle(db, followers, start)
  await Promise.all(followers.map((follower) => follower.stop()))
  const { events } = await storedEvents(db)
  const expected = events.map(({ sequence }) => sequence).filter((sequence) => sequence > start)
  const result = {
    ...{ connections, endpoints: endpoints.length, kills, seed, isComplete, events: expected.length },
    ...judgeFollowers(followers, expected),
    ...judgeEndpoints(endpoints, expected),
    refusedRequests: receiver.faults(),
  }
  for (const replica of replicas) await replica.stop()
  receiver.close()
  const missed = result.missedByFollowers + result.missedByEndpoints
  return { ...result, missed }
}

async function addReceiver(
  db: Kysely<Database>,
  receiver: Awaited<ReturnType<typeof startReceiver>>,
  name: string,
): Promise<readonly Received[]> {
  const added = await addEndpoint(db, ACCOUNT, receiver.urlOf(name), undefined)
  if (added === undefined || added === 'full') throw new Error(`no endpoint: ${added}`)
  return receiver.expect(name, added.secret)
}

/** Waits until everybody has everything. False: the limit has passed. */
async function settle(db: Kysely<Database>, followers: readonly Follower[], start: number): Promise<boolean> {
  const until = performance.now() + SETTLE_LIMIT_MS
  while (performance.now() < until) {
    const { events, hasAll } = await storedEvents(db)
    const last = events.at(-1)?.sequence ?? start
    const isWaiting = (await listEndpoints(db, ACCOUNT)).some(({ waiting }) => waiting > 0)
    if (hasAll && !isWaiting && followers.every(({ sequences }) => (sequences.at(-1) ?? start) >= last))
      return true
    await pause(500)
  }
  return false
}

function judgeFollowers(followers: readonly Follower[], expected: readonly number[]) {
  let [missed, repeated, outOfOrder] = [0, 0, 0]
  for (const { sequences, first } of followers) {
    const seen = new Set(sequences)
    missed += expected.filter((sequence) => sequence > first() && !seen.has(sequence)).length
    repeated += sequences.length - seen.size
    outOfOrder += sequences.filter((sequence, index) => sequence <= (sequences[index - 1] ?? 0)).length
  }
  return {
    missedByFollowers: missed,
    repeatedToFollowers: repeated,
    outOfOrder,
    reconnections: followers.reduce((sum, { connections }) => sum + connections() - 1, 0),
    resets: followers.reduce((sum, { resets }) => sum + resets(), 0),
  }
}

/** An event counts as missed if the endpoint never accepted it, or accepted a later one of the shipment before it. */
function judgeEndpoints(endpoints: readonly (readonly Received[])[], expected: readonly number[]) {
  let [missed, repeated] = [0, 0]
  for (const received of endpoints) {
    const accepted = received.filter(({ isAccepted }) => isAccepted)
    const seen = new Set(accepted.map(({ sequence }) => sequence))
    missed += expected.filter((sequence) => !seen.has(sequence)).length
    missed += overtaken(accepted)
    repeated += received.length - new Set(received.map(({ sequence }) => sequence)).size
  }
  return { missedByEndpoints: missed, repeatedToEndpoints: repeated }
}

/** How many events were first accepted after a later event of their shipment. */
function overtaken(accepted: readonly Received[]): number {
  const newest = new Map<string, number>()
  const known = new Set<number>()
  let count = 0
  for (const { sequence, shipmentId } of accepted) {
    const before = newest.get(shipmentId) ?? 0
    if (sequence < before && !known.has(sequence)) count += 1
    known.add(sequence)
    newest.set(shipmentId, Math.max(before, sequence))
  }
  return count
}
