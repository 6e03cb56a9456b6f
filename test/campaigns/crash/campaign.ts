/**
 * A crash campaign from its first process to its last check. Decided here: shipments keep coming until enough replicas
 * and databases have died; then the faults stop, what is pending gets a minute, and both sides are compared.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { diceOf } from '../../support/random/seeded-dice.ts'
import { type Crowd, openCrowd } from './callers.ts'
import { type CampaignDatabase, databaseAt, databaseOn, embeddedServer, ownServer } from './database.ts'
import { findViolations } from './invariants.ts'
import type { CampaignOptions, CampaignResult } from './options.ts'
import { type CarrierLink, startCarrier } from './processes/carrier-link.ts'
import { type Fleet, startFleet } from './processes/fleet.ts'
import { historyOf, readRecords } from './record.ts'
import { progressOf, type Totals, totalsOf } from './report.ts'
import { insertShipments, shipmentPlanner } from './shipments.ts'
import { type Violation, worthTelling } from './violation.ts'

/** No new shipments while so many callers are at it. */
const CROWD = { patient: 220, impatient: 90 }
const BATCH = 12
const BATCH_EVERY_MS = 250
const PROGRESS_EVERY_MS = 10_000
/** How long what is pending may take once the faults are over. */
const SETTLE_LIMIT_MS = 60_000

/** What runs. */
type Stage = {
  readonly options: CampaignOptions
  readonly database: CampaignDatabase
  readonly carrier: CarrierLink
  readonly fleet: Fleet
  readonly crowd: Crowd
  readonly totals: Totals
}

/** Runs a campaign. Throws when it cannot be run; leaves nothing behind either way. */
export async function runCampaign(given: CampaignOptions): Promise<CampaignResult> {
  const startedAt = performance.now()
  // Also ends what is still going on when the campaign has failed.
  const over = new AbortController()
  const signal = given.signal === undefined ? over.signal : AbortSignal.any([over.signal, given.signal])
  const options = { ...given, signal }
  const closers: (() => Promise<void>)[] = []
  const database = openDatabase(options, closers)
  const carrier = openCarrier(options, closers)
  try {
    const fleet = openFleet(options, settingsFor(database, carrier), closers)
    const opened = { database: await database, carrier: await carrier, fleet }
    options.print(`seed ${options.seed}; ${opened.database.description}`)
    const crowd = openCrowd(diceOf(options.seed + 2), fleet.origins)
    closers.push(() => crowd.finish(0))
    const totals: Totals = { startedAt, dbKills: new Map(), shipments: 0, settledMs: 0 }
    const stage: Stage = { ...opened, options, crowd, totals }
    return await Promise.race([perform(stage), fleet.broken])
  } finally {
    over.abort()
    // What was still coming up when another failed has to be closed as well.
    await Promise.allSettled([database, carrier])
    // The last one opened is the first one closed, and none is left open because another would not close.
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
    return serverUrl === undefined ? ownServer() : databaseOn(serverUrl)
  })()
  // Closed last, after whoever uses it.
  closers.unshift(() => opened.close())
  return opened
}

async function openCarrier(
  { seed, impatient }: CampaignOptions,
  closers: (() => Promise<void>)[],
): Promise<CarrierLink> {
  const carrier = await startCarrier(seed, !impatient)
  closers.push(() => carrier.close())
  return carrier
}

/** The first replicas import while the database and the carrier come up. */
function openFleet(
  { seed, replicas, deaths, embedded, naive, killing, ...options }: CampaignOptions,
  settings: Promise<Readonly<Record<string, string>>>,
  closers: (() => Promise<void>)[],
): Fleet {
  const survivors = options.survivors ?? (options.impatient ? 1 : replicas)
  const dice = diceOf(seed + 1)
  const hasty = options.impatient
  const fleet = startFleet({ dice, replicas, deaths, survivors, embedded, hasty, naive, settings, killing })
  closers.push(() => fleet.close())
  return fleet
}

async function settingsFor(
  database: Promise<CampaignDatabase>,
  carrier: Promise<CarrierLink>,
): Promise<Readonly<Record<string, string>>> {
  return {
    ...(await database).settings,
    WAYBILL_SANDBOX_URL: (await carrier).origin,
    WAYBILL_RATE_LIMIT_PER_MINUTE: '1000000',
    WAYBILL_AUTH_FAILURES_PER_MINUTE: '1000000',
    WAYBILL_TRACK_MINUTES: '1',
  }
}

async function perform(stage: Stage): Promise<CampaignResult> {
  const { options, carrier, fleet, crowd, database, totals } = stage
  const complete = await rage(stage)
  const { deaths } = fleet.counts
  const dbKills = sum(totals.dbKills)
  const figures = { deaths, dbKills, shipments: totals.shipments, seed: options.seed, complete }
  // Nothing had the time to come to its end.
  if (options.signal?.aborted === true) return { ...figures, violations: [] }

  options.print(`the faults stop; ${crowd.open()} callers wait`)
  await carrier.calm()
  await fleet.calm()
  await settle(stage)
  await crowd.finish(options.impatient ? 8_000 : 30_000)
  const journal = await carrier.journal()
  const records = await readRecords(database, journal, crowd.asked)
  const faults = fleet.counts.faults.map((what): Violation => ({ invariant: 'REPLICAS_LIVE', what }))
  const violations = [...faults, ...findViolations(records, journal)]
  for (const { invariant, shipmentId, what } of worthTelling(violations)) {
    options.print(`${invariant} ${shipmentId ?? ''}: ${what}`)
    const record = records.find(({ asked }) => asked.plan.shipmentId === shipmentId)
    if (record !== undefined) for (const line of historyOf(record)) options.print(`    ${line}`)
  }
  for (const line of totalsOf(totals, fleet.counts, crowd, journal, violations)) options.print(line)
  return { ...figures, deaths: fleet.counts.deaths, violations }
}

/** Until enough have died; false when the time was up before. */
async function rage(stage: Stage): Promise<boolean> {
  const { options, fleet, crowd, totals } = stage
  const nextPlan = shipmentPlanner(diceOf(options.seed), options.everybodyGivesUp)
  const dice = diceOf(options.seed + 3)
  let progressAt = performance.now() + PROGRESS_EVERY_MS
  let batchAt = 0
  // Spread over the deaths: the n-th one comes somewhere in the n-th part of them.
  let nextKillAt = dice.int(0, 99) / 100
  while (fleet.origins().length === 0 && options.signal?.aborted !== true) await pause(10)
  const deadline = totals.startedAt + options.minutes * 60_000
  for (;;) {
    const now = performance.now()
    const killsDone = sum(totals.dbKills)
    const { deaths } = fleet.counts
    const isEnough =
      deaths >= options.deaths && killsDone >= options.dbKills && totals.shipments >= options.shipments
    if (isEnough) return true
    if (now >= deadline || options.signal?.aborted === true) return false
    if (now >= progressAt) {
      options.print(progressOf(totals, fleet.counts, crowd))
      progressAt = now + PROGRESS_EVERY_MS
    }
    const isDue = killsDone < options.dbKills && deaths >= (options.deaths * nextKillAt) / options.dbKills
    // A start that fails has to be made again, which takes a short campaign too long.
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
  await carrier.announce(plans.flatMap(({ parcel }) => parcel ?? []))
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
  // An embedded server goes together with its replica.
  if (options.embedded) fleet.killAll()
  totals.dbKills.set(how, (totals.dbKills.get(how) ?? 0) + 1)
  await database.kill(how)
  fleet.noteDatabaseKill()
  // Time to serve between two of them.
  await pause(options.impatient ? 200 : 1_000)
}

/** Waits until nothing is pending, for as long as that may take. */
async function settle({ database, options, totals }: Stage): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    const [left] = await database.query<{ open: number; refusals: number }>(PENDING)
    totals.settledMs = performance.now() - startedAt
    if (left === undefined || left.open + left.refusals === 0) return
    if (totals.settledMs > SETTLE_LIMIT_MS || options.signal?.aborted === true) return
    // The minute until a refusal is looked into need not be waited for; due times are no promise to anybody.
    if (options.impatient || left.open === 0) await database.query(LOOK_NOW)
    if (options.impatient) {
      await database.query(RETRY_NOW)
      await database.query(BOOK_NOW)
    }
    await pause(options.impatient ? 150 : 500)
  }
}

const OURS = String.raw`shipment_id LIKE 'crash\_%'`
const PENDING = `SELECT
  ((SELECT count(*) FROM cancel_attempt WHERE phase = 'pending' AND ${OURS})
    + (SELECT count(*) FROM shipment WHERE booking_until IS NOT NULL AND ${OURS}))::integer AS open,
  (SELECT count(*)::integer FROM cancel_attempt WHERE verify_at IS NOT NULL AND ${OURS}) AS refusals`
const LOOK_NOW = `UPDATE cancel_attempt SET verify_at = clock_timestamp()
  WHERE verify_at > clock_timestamp() + interval '15 s' AND ${OURS}`
const RETRY_NOW = `UPDATE cancel_attempt SET next_try_at = clock_timestamp(), lease_until = clock_timestamp()
  WHERE phase = 'pending' AND next_try_at > clock_timestamp() AND ${OURS}`
const BOOK_NOW = `UPDATE shipment SET booking_until = clock_timestamp()
  WHERE booking_until > clock_timestamp() AND ${OURS}`

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0)
}
