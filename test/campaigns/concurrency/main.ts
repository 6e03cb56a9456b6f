/**
 * `npm run test:concurrency`: many concurrent callers for each of many shipments, through both doors of two
 * replicas on one PostgreSQL, with the carrier in a separate process. Then a slow carrier (`--slow` runs only
 * that). The last line is a JSON object. The exit code is 1 after a violation.
 */
import { parseArgs } from 'node:util'
import type { Kysely } from 'kysely'
import type { Database } from '../../../src/store/database/database.ts'
import { openDatabase } from '../../../src/store/database/open.ts'
import type { TestSource } from '../../support/database/test-server.ts'
import { diceOf } from '../../support/random/seeded-dice.ts'
import { withScratchDatabase } from '../scratch-database.ts'
import { type Child, startChild } from './child.ts'
import { callAll, checkRecords, insertShipments } from './crowd.ts'
import { doorsOf, postTo } from './doors.ts'
import { deadlocksSoFar, watchSessions } from './sessions.ts'
import { measureSlowCarrier } from './slow-carrier.ts'

const { values } = parseArgs({
  options: {
    shipments: { type: 'string', default: '3000' },
    callers: { type: 'string', default: '8' },
    'slow-cancels': { type: 'string', default: '60' },
    slow: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const seed = Number(values.seed)
/** Number of shipments cancelled at the same time. With their callers, below the limit of one service. */
const AT_ONCE = 24
const TARGET_P99_MS = 50

const end = await withScratchDatabase({ durable: true }, async (source) => {
  const carrier = await startChild('carrier.ts', { args: [String(seed)], ready: /listening at (\S+)/ })
  const replicas = await Promise.all([startReplica(source, carrier), startReplica(source, carrier)])
  const origins = replicas.map(({ output }) => output)
  const db = openDatabase(source, { poolSize: 3, statementTimeoutMs: 0, applicationName: 'waybill campaign' })
  try {
    const crowd = values.slow ? undefined : await runCrowd(db, origins, carrier.output)
    const slow = await measureSlowCarrier(db, postTo(origins[0]!), Number(values['slow-cancels']))
    return { crowd, slow }
  } finally {
    await db.destroy()
    for (const { stop } of replicas) await stop()
  }
})

const { violations: slowViolations, ...slowCarrier } = end.slow
console.log(
  `\nslow carrier: ${slowCarrier.answered200} of ${slowCarrier.cancels} cancels answered 200; ` +
    `${slowCarrier.unrelated} other requests meanwhile: ${slowCarrier.unrelatedP50Ms} ms median, ` +
    `${slowCarrier.unrelatedP95Ms} ms p95, ${slowCarrier.unrelatedP99Ms} ms p99 (target: below ${TARGET_P99_MS}); ` +
    `just before, alone: ${slowCarrier.aloneP50Ms} ms median, ${slowCarrier.aloneP99Ms} ms p99`,
)
printViolations(slowViolations)
const violations = slowViolations.length + (end.crowd?.violations ?? 0)
console.log(JSON.stringify({ ...end.crowd, violations, slowCarrier, seed }))
if (violations > 0) process.exitCode = 1

async function runCrowd(db: Kysely<Database>, origins: readonly string[], carrierUrl: string) {
  const [count, callers] = [Number(values.shipments), Number(values.callers)]
  const shipments = await insertShipments(db, count, diceOf(seed))
  console.log(`${count} shipments, ${callers} callers each, two replicas, both doors, seed ${seed}`)
  const before = await deadlocksSoFar(db)
  const watch = watchSessions(db)
  const started = performance.now()
  const result = await callAll(
    shipments,
    origins.flatMap((origin) => doorsOf(postTo(origin))),
    { callers, atOnce: AT_ONCE },
  )
  const seconds = (performance.now() - started) / 1000
  const { samples, idleInTransaction } = await watch.stop()
  const deadlocks = (await deadlocksSoFar(db)) - before
  const calls = (await (await fetch(`${carrierUrl}/calls`)).json()) as Record<string, number>
  const found = [
    ...result.violations,
    ...(await checkRecords(db, shipments, (carrierRef) => calls[carrierRef] ?? 0)),
    ...idleInTransaction.map((query) => `a session was idle in a transaction after: ${query}`),
    ...(deadlocks > 0 ? [`${deadlocks} deadlocks`] : []),
  ]
  const carrierCalls = Object.values(calls).reduce((sum, one) => sum + one, 0)
  console.log(`${count * callers} answers in ${seconds.toFixed(1)} s:`)
  for (const [answer, times] of Object.entries(result.answers))
    console.log(`${String(times).padStart(8)} ${answer}`)
  console.log(
    `${carrierCalls} calls to the carrier, ${deadlocks} deadlocks; ` +
      `${idleInTransaction.length} sessions idle in a transaction in ${samples} samples`,
  )
  printViolations(found)
  return {
    ...{ shipments: count, callers, carrierCalls, deadlocks },
    ...{ idleInTransaction: idleInTransaction.length, violations: found.length },
  }
}

function printViolations(found: readonly string[]): void {
  console.log(`${found.length} violations`)
  for (const one of found.slice(0, 10)) console.log(`  ${one}`)
}

function startReplica(source: TestSource, carrier: Child): Promise<Child> {
  return startChild('replica.ts', {
    env: {
      DATABASE_URL: urlOf(source),
      PORT: '0',
      LOG_LEVEL: 'error',
      WAYBILL_SANDBOX_URL: carrier.output,
      WAYBILL_DEMO_DATA: 'true',
      WAYBILL_RATE_LIMIT_PER_MINUTE: '1000000',
      WAYBILL_POINTS_PER_MINUTE: '100000000',
      WAYBILL_OVERLOAD_WAIT_MS: '60000',
      WAYBILL_TRACK_MINUTES: '0',
    },
    ready: /GraphQL\s+(\S+)\/graphql[\s\S]*\/cancel/,
  })
}

function urlOf(source: TestSource): string {
  if (typeof source === 'string') return source
  const { host, port, user, database } = source
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
