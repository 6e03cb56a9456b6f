/**
 * A primary with an asynchronous standby whose connection stalls. Callers get final answers to bookings, cancellations
 * and cancelled drafts that only the primary has; then it is killed and the standby is promoted. Whatever was lost, no
 * later "cancel" may say 200 while a paid label lives, and the audit must repair the rest from the log.
 */
import { spawn } from 'node:child_process'
import { chmodSync, createWriteStream, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeThrowAwayFolder } from '../../../support/app/throw-away-folder.ts'
import { runStatements, type TestSource } from '../../../support/database/test-server.ts'
import { cancelNow } from '../../outages/carrier.ts'
import type { Stage } from '../../outages/stage.ts'
import {
  type DatabaseServer,
  findPrograms,
  startPrimary,
  startStandby,
  until,
} from '../../storage/database-server.ts'
import { type Forwarder, openForwarder } from '../../storage/forwarder.ts'
import { environmentWith, startReplica } from '../../storage/replica.ts'
import type { Undo } from '../../storage/undo.ts'
import { sendRequest } from '../callers.ts'
import { databaseAt } from '../database.ts'
import { insertShipments } from '../shipments.ts'
import type { CrashScenario, Finding, FindingKind } from './scenario.ts'

const REPOSITORY = path.resolve(import.meta.dirname, '../../../..')
const REQUEST_LIMIT_MS = 30_000
const SERVING_MS = 60_000
/** The sweeper finishes what callers or the audit have begun. */
const SETTLE_MS = 20_000
/** How much of the audit's report is printed, in characters. */
const AUDIT_TEXT_MAX = 1_500

/**
 * Repairs what a log of the service confirms and the database has lost. Change the options here when the command
 * changes.
 */
const AUDIT_WITH_REPAIRS = ['--cancel-drafts', '--repair']

async function auditWithRepairs(
  logFile: string,
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  const args = ['--import', 'tsx', 'src/cli/waybill.ts', 'audit', '--log', logFile, ...AUDIT_WITH_REPAIRS]
  const child = spawn(process.execPath, args, {
    cwd: REPOSITORY,
    env: environmentWith(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  await new Promise<void>((resolve) => child.once('close', () => resolve()))
  return output
}

/** What callers ask for while the standby gets nothing. */
type Lost = {
  readonly booked: string[]
  readonly cancelled: string[]
  readonly cancelledDrafts: string[]
  /** Told "pending": the carrier does not answer until the failover is over. */
  readonly opened: string[]
}

export const lostTail: CrashScenario = {
  about:
    'the primary dies, and its asynchronous standby lacks the last bookings, cancellations and cancelled drafts',
  shipments: 24,
  async run(stage, shipments) {
    const pair = await openPair(stage)
    const url = `postgres://waybill@127.0.0.1:${pair.front.port}/postgres?sslmode=disable`
    const carrier = { WAYBILL_SANDBOX_URL: stage.carrier.origin }
    const logFile = path.join(pair.place, 'service.log')
    const log = createWriteStream(logFile)
    stage.atEnd(() => log.end())
    const settings = { ...carrier, WAYBILL_TRACK_MINUTES: '1', LOG_LEVEL: 'info' }
    const onLogLine = (line: string) => log.write(`${line}\n`)
    const replica = await startReplica(undoOf(stage), url, settings, undefined, onLogLine)
    const service = serviceOf(stage, replica.origin, url)
    let isOver = false
    const lost = await insertAll(stage, service, shipments, () => isOver)
    await until(pair.primary.address, STANDBY_HAS_ALL)

    pair.link.stall()
    await service.askEach('book', lost.booked)
    await service.askEach('cancel', [...lost.cancelled, ...lost.cancelledDrafts])
    await service.askEach('cancel', lost.opened)
    await failOver(pair)
    const gone = await service.goneOn(pair.standby.address, lost)
    isOver = true
    pair.front.pointTo(pair.standby.socketPath)
    await untilServing(replica.ready)

    // Half of the bookings are cancelled before the audit, the others after it.
    const early = lost.booked.filter((_id, index) => index % 2 === 0)
    const late = lost.booked.filter((_id, index) => index % 2 === 1)
    await service.askEach('cancel', early)
    const beforeAudit = await service.livingLabels(early)
    await pause(1_000)
    const report = await auditWithRepairs(logFile, { ...carrier, DATABASE_URL: url, LOG_LEVEL: 'warn' })
    await pause(SETTLE_MS)
    const notRepaired = await service.notRepaired(late, lost)
    if (notRepaired.length > 0) console.log(`the audit said: ${report.slice(-AUDIT_TEXT_MAX)}`)
    await service.askEach('cancel', late)
    await pause(SETTLE_MS / 2)
    const afterAudit = await service.livingLabels(lost.booked)
    return [
      ...(gone === 0 ? [finding('NOT_REACHED', 'the standby had everything')] : []),
      ...beforeAudit.map((what) => finding('FALSE_CANCELLED', `before the audit: ${what}`)),
      ...afterAudit.map((what) => finding('FALSE_CANCELLED', `after the audit: ${what}`)),
      ...notRepaired.map((what) => finding('LOST', `after the audit: ${what}`)),
    ]
  },
}

/** Kills the primary and promotes the standby. The service has no database until `front` points to it. */
async function failOver({ primary, standby, front, link }: Pair): Promise<void> {
  front.pointTo(undefined)
  front.cut()
  await primary.kill()
  link.pointTo(undefined)
  link.cut()
  await runStatements(standby.address, 'select pg_promote(true, 60)')
}

const STANDBY_HAS_ALL = `exists (select from pg_stat_replication where replay_lsn >= pg_current_wal_flush_lsn())`

function finding(kind: FindingKind, what: string): Finding {
  return { kind, what }
}

function undoOf(stage: Stage): Undo {
  return { add: (step) => stage.atEnd(step) }
}

type Pair = {
  readonly primary: DatabaseServer
  readonly standby: DatabaseServer
  /** The address of the database for the service. */
  readonly front: Forwarder
  /** The address of the primary for its standby. */
  readonly link: Forwarder
  readonly place: string
}

async function openPair(stage: Stage): Promise<Pair> {
  const undo = undoOf(stage)
  const place = makeThrowAwayFolder()
  undo.add(() => rmSync(place, { recursive: true, force: true }))
  chmodSync(place, 0o755)
  const programs = await findPrograms(place, undefined)
  const front = await openForwarder(undo)
  const link = await openForwarder(undo)
  const primary = await startPrimary(undo, programs, 'primary')
  front.pointTo(primary.socketPath)
  link.pointTo(primary.socketPath)
  const standby = await startStandby(undo, programs, 'standby', primary, link.port)
  await until(primary.address, `exists (select from pg_stat_replication where state = 'streaming')`)
  return { primary, standby, front, link, place }
}

async function untilServing(isReady: () => Promise<boolean>): Promise<void> {
  const startedAt = performance.now()
  while (!(await isReady())) {
    if (performance.now() - startedAt > SERVING_MS) throw new Error('the service does not serve again')
    await pause(200)
  }
}

type Row = { readonly shipment_id: string; readonly state: string; readonly carrier_ref: string | null }

const ROWS = 'SELECT shipment_id, state, carrier_ref FROM shipment WHERE shipment_id = any($1::text[])'

function serviceOf(stage: Stage, origin: string, url: TestSource) {
  const { query } = databaseAt(url)
  const rowsOf = async (ids: readonly string[], at = query) => at<Row>(ROWS, [ids])
  const labelOf = (shipmentId: string) => stage.carrier.booking(shipmentId)
  const kindsOf = (shipmentId: string) =>
    new Set(stage.asked.filter((one) => one.shipmentId === shipmentId).map(({ answer }) => answer.kind))
  const wasTold = (shipmentId: string) => [...kindsOf(shipmentId)].join(', ')
  return {
    query,
    /** Asks once for each shipment, all at the same time. */
    async askEach(ask: 'book' | 'cancel', ids: readonly string[]): Promise<void> {
      await Promise.all(
        ids.map(async (shipmentId) => {
          const door = ask === 'book' ? 'graphql' : 'rest'
          const caller = { accountId: 'demo-shop', ask, door } as const
          const limit = AbortSignal.timeout(REQUEST_LIMIT_MS)
          stage.asked.push({ shipmentId, ask, answer: await sendRequest(origin, shipmentId, caller, limit) })
        }),
      )
    },
    /** Number of shipments whose confirmed end a server lacks. */
    async goneOn(address: TestSource, { booked, cancelled, cancelledDrafts }: Lost): Promise<number> {
      const rows = await rowsOf([...booked, ...cancelled, ...cancelledDrafts], databaseAt(address).query)
      const isHere = ({ shipment_id: id, state }: Row): boolean =>
        kindsOf(id).has('booked')
          ? state === 'booked'
          : state === 'cancelled' || !kindsOf(id).has('cancelled')
      return rows.filter((row) => !isHere(row)).length
    },
    /** Shipments that callers believe cancelled, and whose paid label lives. */
    async livingLabels(ids: readonly string[]): Promise<string[]> {
      return (await rowsOf(ids)).flatMap(({ shipment_id: id, state }) => {
        const label = labelOf(id)
        const isCancelled = kindsOf(id).has('cancelled') || state === 'cancelled'
        if (!isCancelled || label === undefined || label.state === 'cancelled') return []
        return [`${id} is ${state}, told ${wasTold(id)}; its label ${label.number} is ${label.state}`]
      })
    },
    /** What was confirmed, or pending, and is still different here. `booked`: those that nobody cancelled since. */
    async notRepaired(booked: readonly string[], lost: Lost): Promise<string[]> {
      const wasCancelled = [...lost.cancelled, ...lost.cancelledDrafts, ...lost.opened]
      const isPromised = (id: string) => kindsOf(id).has('cancelled') || kindsOf(id).has('pending')
      const cancelled = await rowsOf(wasCancelled.filter(isPromised))
      const bookings = await rowsOf(booked.filter((id) => kindsOf(id).has('booked')))
      const isBooked = ({ shipment_id: id, state, carrier_ref }: Row): boolean =>
        state === 'booked' && carrier_ref === labelOf(id)?.number
      return [
        ...cancelled.filter(({ state }) => state !== 'cancelled'),
        ...bookings.filter((row) => !isBooked(row)),
      ].map(
        ({ shipment_id: id, state, carrier_ref }) =>
          `${id} was told ${wasTold(id)}, and is ${state} with ${carrier_ref}`,
      )
    },
  }
}

/** A quarter each; see `Lost`. */
async function insertAll(
  { carrier }: Stage,
  { query }: Pick<ReturnType<typeof serviceOf>, 'query'>,
  shipments: number,
  isOver: () => boolean,
): Promise<Lost> {
  const lost: Lost = { booked: [], cancelled: [], cancelledDrafts: [], opened: [] }
  const groups = [lost.booked, lost.cancelled, lost.cancelledDrafts, lost.opened]
  const plans = Array.from({ length: shipments }, (_unused, index) => {
    const shipmentId = `tail_${index + 1}`
    const group = groups[index % groups.length]
    group?.push(shipmentId)
    const number = `TAIL-${index + 1}`
    if (group !== lost.cancelled && group !== lost.opened)
      return { shipmentId, accountId: 'demo-shop' as const, parcels: [] }
    carrier.announce(
      number,
      group === lost.opened ? { cancel: (parcel) => (isOver() ? cancelNow(parcel) : 'cut') } : {},
    )
    return { shipmentId, accountId: 'demo-shop' as const, parcels: [{ number, fate: 'open' as const }] }
  })
  await insertShipments({ query }, plans)
  return lost
}
