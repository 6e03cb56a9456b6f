/**
 * Runs a crash campaign. Shipments arrive until enough replicas and databases have been killed. Then the
 * faults stop, open work gets a minute, and the records of both sides are compared.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { diceOf } from '../../support/random/seeded-dice.ts'
import { type Crowd, openCrowd } from './callers.ts'
import { type CampaignDatabase, databaseAt, databaseOn, dedicatedServer, embeddedServer } from './database.ts'
import { disturb, type LinkedSettings, openReplicaLinks } from './disturbances.ts'
import { findViolations } from './invariants.ts'
import type { CampaignOptions, CampaignResult } from './options.ts'
import { type CarrierLink, startCarrier } from './processes/carrier-link.ts'
import { type Fleet, startFleet } from './processes/fleet.ts'
import { historyOf, readRecords } from './record.ts'
import { progressOf, type Totals, totalsOf } from './report.ts'
import { insertShipments, shipmentPlanner } from './shipments.ts'
import { firstViolations, type Violation } from './violation.ts'

/** No new shipments while more callers than this are waiting. */
const CROWD = { patient: 220, impatient: 90 }
const BATCH = 12
const BATCH_EVERY_MS = 250
const PROGRESS_EVERY_MS = 10_000
/** How long open work may take after the faults have stopped: two minutes for refusals in doubt, and a reserve. */
const SETTLE_LIMIT_MS = 150_000
/** How long the alert of a partial cancellation may take after that: a minute until the first lookup, and a reserve. */
const ALERT_LIMIT_MS = { patient: 90_000, impatient: 10_000 }
/** The longest time by which lookups of the carrier lag behind a cancellation. */
const LAG_MS = { patient: 20_000, impatient: 500 }

type Stage = {
  readonly options: CampaignOptions
  readonly database: CampaignDatabase
  readonly carrier: CarrierLink
  readonly fleet: Fleet
  readonly crowd: Crowd
  readonly totals: Totals
  readonly linked: readonly LinkedSettings[]
}

/** Throws if the campaign cannot run. Removes everything that it created in either case. */
export async function runCampaign(givenOptions: CampaignOptions): Promise<CampaignResult> {
  const startedAt = performance.now()
  // Also ends the parts that still run after the campaign has failed.
  const over = new AbortController()
  const signal =
    givenOptions.signal === undefined ? over.signal : AbortSignal.any([over.signal, givenOptions.signal])
  const options = { ...givenOptions, signal }
  const closers: (() => Promise<void>)[] = []
  const database = openDatabase(options, closers)
  const carrier = openCarrier(options, closers)
  try {
    const linking = settingsFor(options, database, carrier, closers)
    const fleet = openFleet(options, linking, closers)
    const opened = { database: await database, carrier: await carrier, fleet, linked: await linking }
    options.print(`seed ${options.seed}; ${opened.database.description}`)
    const crowd = openCrowd(diceOf(options.seed + 2), fleet.origins, fleet)
    closers.push(() => crowd.finish(0))
    const totals: Totals = {
      startedAt,
      dbKills: new Map(),
      partitions: new Map(),
      shipments: 0,
      settledMs: 0,
    }
    const stage: Stage = { ...opened, options, crowd, totals }
    return await Promise.race([perform(stage), fleet.broken])
  } finally {
    over.abort()
    // If one part failed to start, the parts that were still starting must be closed too.
    await Promise.allSettled([database, carrier])
    // Close in reverse order, and continue if one part fails to close.
    const failures: unknown[] = []
    for (const close of closers.reverse()) await close().catch((error) => failures.push(error))
    if (failures.length > 0) options.print(`could not clean up: ${failures.join('; ')}`)
  }
}

async function openDatabase(
  { database, embedded, serverUrl }: CampaignOptions,
  closers: (() => Promise<void>)[],
): Promise<CampaignDatabase> {
  const opened = await (async () => {
    if (database !== undefined) return databaseAt(database)
    if (embedded) return embeddedServer()
    return serverUrl === undefined ? dedicatedServer() : databaseOn(serverUrl)
  })()
  // Closed last, after its users.
  closers.unshift(() => opened.close())
  return opened
}

async function openCarrier(
  { seed, impatient }: CampaignOptions,
  closers: (() => Promise<void>)[],
): Promise<CarrierLink> {
  const carrier = await startCarrier(seed, !impatient, LAG_MS[impatient ? 'impatient' : 'patient'])
  closers.push(() => carrier.close())
  return carrier
}

/** The first replicas import their code while the database and the carrier start. */
function openFleet(
  { seed, replicas, deaths, embedded, naive, killing, ...options }: CampaignOptions,
  linking: Promise<readonly LinkedSettings[]>,
  closers: (() => Promise<void>)[],
): Fleet {
  const survivors = options.survivors ?? (options.impatient ? 1 : replicas)
  const dice = diceOf(seed + 1)
  const hasty = options.impatient
  const settings = linking.then((linked) => linked.map((one) => one.settings))
  const fleet = startFleet({ dice, replicas, deaths, survivors, embedded, hasty, naive, settings, killing })
  closers.push(() => fleet.close())
  return fleet
}

/** One entry for each position of a replica. */
async function settingsFor(
  { replicas }: CampaignOptions,
  database: Promise<CampaignDatabase>,
  carrier: Promise<CarrierLink>,
  closers: (() => Promise<void>)[],
): Promise<readonly LinkedSettings[]> {
  const [openedDatabase, { origin }] = await Promise.all([database, carrier])
  return Promise.all(
    Array.from({ length: replicas }, async () => {
      const { links, settings } = await openReplicaLinks(openedDatabase, origin, closers)
      return { links, settings: { ...settings, ...COMMON_SETTINGS } }
    }),
  )
}

const COMMON_SETTINGS = {
  WAYBILL_RATE_LIMIT_PER_MINUTE: '1000000',
  WAYBILL_OVERLOAD_WAIT_MS: '60000',
  WAYBILL_AUTH_FAILURES_PER_MINUTE: '1000000',
  WAYBILL_TRACK_MINUTES: '1',
}

async function perform(stage: Stage): Promise<CampaignResult> {
  const { options, carrier, fleet, crowd, database, totals } = stage
  const complete = await killUntilDone(stage)
  const { deaths, pauses, clockJumps } = fleet.counts
  const kills = {
    deaths,
    dbKills: sum(totals.dbKills),
    pauses,
    partitions: sum(totals.partitions),
    clockJumps,
  }
  const figures = { ...kills, shipments: totals.shipments, seed: options.seed, complete }
  // No time left for open work.
  if (options.signal?.aborted === true) return { ...figures, violations: [] }

  options.print(`the faults stop; ${crowd.open()} callers are waiting`)
  await carrier.calm()
  await fleet.calm()
  await settle(stage)
  await crowd.finish(options.impatient ? 8_000 : 30_000)
  const journal = await carrier.journal()
  const { alertsOf } = fleet.counts
  const records = await readRecords(
    database,
    journal,
    crowd.called,
    (shipmentId) => alertsOf.get(shipmentId) ?? new Set(),
  )
  const faults = fleet.counts.faults.map((what): Violation => ({ invariant: 'REPLICAS_LIVE', what }))
  const violations = [...faults, ...findViolations(records, journal)]
  for (const line of totalsOf(totals, fleet.counts, crowd, journal, violations)) options.print(line)
  for (const { invariant, shipmentId, what } of firstViolations(violations)) {
    options.print(`${invariant} ${shipmentId ?? ''}: ${what}`)
    const record = records.find(({ called }) => called.plan.shipmentId === shipmentId)
    if (record !== undefined) for (const line of historyOf(record)) options.print(`    ${line}`)
  }
  return { ...figures, deaths: fleet.counts.deaths, violations }
}

/** Kills until the planned numbers are reached. Returns false if the time ran out first. */
async function killUntilDone(stage: Stage): Promise<boolean> {
  const { options, fleet, crowd, totals } = stage
  const nextPlan = shipmentPlanner(diceOf(options.seed), options.everybodyGivesUp)
  const dice = diceOf(options.seed + 3)
  const links = stage.linked.map((linked) => linked.links)
  const ending = new AbortController()
  let isDisturbed = true
  const disturbing = disturb(
    { options, dice: diceOf(options.seed + 4), fleet, links },
    totals,
    AbortSignal.any([ending.signal, ...(options.signal === undefined ? [] : [options.signal])]),
  ).finally(() => {
    isDisturbed = false
  })
  let progressAt = performance.now() + PROGRESS_EVERY_MS
  let batchAt = 0
  // Spread the database kills evenly: the n-th one comes at a random point of the n-th part of the deaths.
  let nextKillAt = dice.int(0, 99) / 100
  while (fleet.origins().length === 0 && options.signal?.aborted !== true) await pause(10)
  const deadline = totals.startedAt + options.minutes * 60_000
  for (;;) {
    const now = performance.now()
    const killsDone = sum(totals.dbKills)
    const { deaths } = fleet.counts
    const isEnough =
      deaths >= options.deaths &&
      killsDone >= options.dbKills &&
      totals.shipments >= options.shipments &&
      !isDisturbed
    if (isEnough) return true
    if (now >= deadline || options.signal?.aborted === true) {
      ending.abort()
      await disturbing
      return false
    }
    if (now >= progressAt) {
      options.print(progressOf(totals, fleet.counts, crowd))
      progressAt = now + PROGRESS_EVERY_MS
    }
    const isDue = killsDone < options.dbKills && deaths >= (options.deaths * nextKillAt) / options.dbKills
    // In a short campaign, do not make a replica repeat its start.
    if (isDue && !(options.impatient && fleet.isStarting())) {
      await killDatabase(stage, dice.pick(stage.database.kills))
      nextKillAt = killsDone + 1 + dice.int(0, 99) / 100
    }
    if (
      now >= batchAt &&
      crowd.open() < CROWD[options.impatient ? 'impatient' : 'patient'] &&
      fleet.origins().length > 0
    ) {
      batchAt = now + BATCH_EVERY_MS
      await sendBatch(stage, nextPlan)
    }
    await pause(20)
  }
}

async function sendBatch({ database, carrier, crowd, totals }: Stage, nextPlan: () => Plan): Promise<void> {
  const plans = Array.from({ length: BATCH }, nextPlan)
  await carrier.announce(plans.flatMap(({ parcels }) => parcels))
  await insertShipments(database, plans)
  totals.shipments += plans.length
  for (const plan of plans) crowd.callFor(plan)
}

type Plan = ReturnType<ReturnType<typeof shipmentPlanner>>

async function killDatabase(
  { database, fleet, options, totals }: Stage,
  how: CampaignDatabase['kills'][number],
): Promise<void> {
  fleet.noteDatabaseKill()
  // An embedded server is killed together with its replica.
  if (options.embedded) fleet.killAll()
  totals.dbKills.set(how, (totals.dbKills.get(how) ?? 0) + 1)
  await database.kill(how)
  fleet.noteDatabaseKill()
  // Let the replicas serve between two kills.
  await pause(options.impatient ? 200 : 1_000)
}

/** Waits until no work is open, at most SETTLE_LIMIT_MS, and then until partial cancellations are alerted. */
async function settle({ database, fleet, options, totals }: Stage): Promise<void> {
  const startedAt = performance.now()
  const { alertsOf } = fleet.counts
  let waitedForAlertsMs: number | undefined
  for (;;) {
    const [left] = await database.query<{ open: number; refusals: number; partly: string[] }>(PENDING)
    if (left === undefined || options.signal?.aborted === true) return
    const passedMs = performance.now() - startedAt
    if (waitedForAlertsMs === undefined) totals.settledMs = passedMs
    if (left.open + left.refusals === 0 || passedMs > SETTLE_LIMIT_MS) {
      waitedForAlertsMs = passedMs - totals.settledMs
      const isAlerted = (id: string) => alertsOf.get(id)?.has('PARTLY_CANCELLED') === true
      if (left.partly.every(isAlerted)) return
      if (waitedForAlertsMs > ALERT_LIMIT_MS[options.impatient ? 'impatient' : 'patient']) return
    }
    // Move the due times of verifications forward instead of waiting for them. They are only lower bounds.
    const isTruthful = passedMs > LAG_MS[options.impatient ? 'impatient' : 'patient']
    if (isTruthful && (options.impatient || left.open === 0)) await database.query(VERIFY_NOW)
    if (isTruthful && options.impatient) {
      await database.query(TRUST_NOW)
      await database.query(TRUST_PARCELS_NOW)
      await database.query(RETRY_NOW)
      await database.query(BOOK_NOW)
    }
    await pause(options.impatient ? 150 : 500)
  }
}

const OURS = String.raw`shipment_id LIKE 'crash\_%'`
/** The carrier has cancelled some parcels of the shipment and refused the others. It stays so. */
const IS_PARTLY_CANCELLED = `EXISTS (SELECT FROM shipment s WHERE s.shipment_id = a.shipment_id AND s.state = 'booked'
  AND s.cancelled_refs <> '{}' AND NOT EXISTS (SELECT FROM unnest(s.parcel_refs) AS ref
    WHERE ref <> ALL (s.cancelled_refs) AND NOT coalesce(a.parcels->ref ? 'refusal', false)))`
const PENDING = `SELECT
  ((SELECT count(*) FROM cancel_attempt a WHERE phase = 'pending' AND ${OURS} AND NOT ${IS_PARTLY_CANCELLED})
    + (SELECT count(*) FROM shipment WHERE booking_until IS NOT NULL AND ${OURS}))::integer AS open,
  (SELECT count(*)::integer FROM cancel_attempt WHERE verify_at IS NOT NULL AND phase = 'refused' AND ${OURS}) AS refusals,
  ARRAY(SELECT shipment_id FROM cancel_attempt a WHERE phase = 'pending' AND ${OURS} AND ${IS_PARTLY_CANCELLED}) AS partly`
const VERIFY_NOW = `UPDATE cancel_attempt SET verify_at = clock_timestamp()
  WHERE verify_at > clock_timestamp() + interval '15 s' AND phase = 'refused' AND ${OURS}`
const RETRY_NOW = `UPDATE cancel_attempt SET next_try_at = clock_timestamp(), lease_until = clock_timestamp()
  WHERE phase = 'pending' AND next_try_at > clock_timestamp() AND ${OURS}`
/** Makes refusals in doubt older than any lag of lookups. */
const TRUST_NOW = `UPDATE cancel_attempt SET doubted_at = doubted_at - interval '1 h'
  WHERE phase = 'pending' AND doubted_at > clock_timestamp() - interval '1 h' AND ${OURS}`
/** The same for refusals of one of several parcels. Without a time of its own, a doubt is as old as its attempt. */
const TRUST_PARCELS_NOW = `UPDATE cancel_attempt SET
    begun_at = least(begun_at, clock_timestamp() - interval '1 h'),
    parcels = (SELECT jsonb_object_agg(ref, record - 'doubtedAtAgeMs') FROM jsonb_each(parcels) AS one (ref, record))
  WHERE phase = 'pending' AND parcels <> '{}' AND ${OURS} AND (begun_at > clock_timestamp() - interval '1 h'
    OR jsonb_path_exists(parcels, '$.*.doubtedAtAgeMs'))`
const BOOK_NOW = `UPDATE shipment SET booking_until = clock_timestamp()
  WHERE booking_until > clock_timestamp() AND ${OURS}`

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0)
}
