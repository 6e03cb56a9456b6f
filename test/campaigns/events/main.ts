/**
 * `npm run test:events`: many connections to `GET /events` and endpoints of webhooks at three replicas, which are
 * killed and started again while shipments change. The last line is a JSON object. The exit code is 1 if an event was
 * missed.
 */
import { devNull } from 'node:os'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../../src/store/database/open.ts'
import type { TestSource } from '../../support/database/test-server.ts'
import { startChild } from '../concurrency/child.ts'
import { withScratchDatabase } from '../scratch-database.ts'
import { runEvents } from './run.ts'

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '200' },
    endpoints: { type: 'string', default: '6' },
    kills: { type: 'string', default: '8' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})

const result = await withScratchDatabase({ durable: true }, async (source) => {
  const db = openDatabase(source, { poolSize: 6, statementTimeoutMs: 0, applicationName: 'waybill campaign' })
  try {
    return await runEvents(db, {
      connections: Number(values.connections),
      endpoints: Number(values.endpoints),
      kills: Number(values.kills),
      replicas: 3,
      seed: Number(values.seed),
      key: 'demo@demo-secret',
      startReplica: () => startReplica(source),
      log: (line) => console.log(line),
    })
  } finally {
    await db.destroy()
  }
})
const isRight = result.isComplete && result.missed === 0 && result.resets === 0 && result.outOfOrder === 0
console.log(JSON.stringify(result))
if (!isRight) process.exitCode = 1

function startReplica(source: TestSource) {
  return startChild('replica.ts', {
    env: {
      ...{ DATABASE_URL: urlOf(source), PORT: '0', LOG_LEVEL: 'error', WAYBILL_JOURNAL: devNull },
      ...{ WAYBILL_DEMO_DATA: 'true', WAYBILL_TRACK_MINUTES: '0', WAYBILL_WEBHOOK_PRIVATE: 'true' },
      ...{ WAYBILL_EVENT_STREAMS: '10000', WAYBILL_EVENT_STREAMS_PER_KEY: '10000' },
      ...{ WAYBILL_RATE_LIMIT_PER_MINUTE: '1000000', WAYBILL_OVERLOAD_WAIT_MS: '60000' },
    },
    ready: /GraphQL\s+(\S+)\/graphql[\s\S]*\/cancel/,
  })
}

function urlOf(source: TestSource): string {
  if (typeof source === 'string') return source
  const { host, port, user, database } = source
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
