/** Measures import, loading and replacement of the generated card on a temporary PostgreSQL server. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { RateCardImport } from '../../src/core/rating/rate-card.ts'
import { migrate } from '../../src/store/database/migrate.ts'
import { openDatabase } from '../../src/store/database/open.ts'
import { startEmbeddedServer } from '../../src/store/embedded-postgres/server.ts'
import { openLiveRateBook } from '../../src/store/rate-cards/rate-book.ts'
import { importRateCard, publishRateCard } from '../../src/store/rate-cards/versions.ts'
import { makeThrowAwayFolder } from '../support/app/throw-away-folder.ts'

/** Milliseconds and megabytes. */
export type InDatabase = {
  /** Import of the card and its publication. */
  readonly importMs: number
  /** Largest resident memory of the process until the end of the import, with the rows of the card. */
  readonly importPeakMb: number
  readonly loadMs: number
  readonly bookMb: number
  /** Longest block of the event loop while a new version of the whole card replaced the old one. */
  readonly stallMs: number
}

const HEAD = { code: 'generated', name: 'Generated', audience: 'everyone', validFrom: '2026-01-01' } as const

/** Measures on a temporary server; `bytesInUse` collects garbage first. */
export async function measureInDatabase(
  card: RateCardImport,
  bytesInUse: () => Promise<number>,
): Promise<InDatabase> {
  const folder = makeThrowAwayFolder()
  const server = await startEmbeddedServer({ dataDir: join(folder, 'data'), durable: false })
  try {
    await migrate(server.connection)
    // No time limit for imports; the connection of the service has its usual limits.
    const operator = openDatabase(server.connection, { statementTimeoutMs: 0 })
    const db = openDatabase(server.connection)
    const following = { db, source: server.connection, listen: false, pollMs: 3_600_000 }
    try {
      const importMs = await millisecondsOf(async () => {
        await publishRateCard(operator, await importRateCard(operator, { ...HEAD, card }))
      })
      const importPeakMb = (process.resourceUsage().maxRSS * 1024) / 1e6
      const next = await importRateCard(operator, { ...HEAD, card })
      const before = await bytesInUse()
      let live = await openLiveRateBook(following)
      const bookMb = ((await bytesInUse()) - before) / 1e6
      const loads: number[] = []
      for (let run = 0; run < 3; run++) {
        await live.close()
        loads.push(
          await millisecondsOf(async () => {
            live = await openLiveRateBook(following)
          }),
        )
      }
      await publishRateCard(operator, next)
      const stallMs = await longestStallDuring(() => live.refresh())
      if (live.current().cards[0]?.[0]?.versionNo !== 2) throw new Error('the swap brought no new version')
      await live.close()
      return { importMs, importPeakMb, loadMs: loads.sort((a, b) => a - b)[1]!, bookMb, stallMs }
    } finally {
      await operator.destroy()
      await db.destroy()
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function millisecondsOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Longest delay of a one-millisecond timer during the work. */
async function longestStallDuring(work: () => Promise<void>): Promise<number> {
  let stallMs = 0
  let running = true
  const watch = (async () => {
    while (running) {
      const start = performance.now()
      await pause(1)
      stallMs = Math.max(stallMs, performance.now() - start - 1)
    }
  })()
  await work()
  running = false
  await watch
  return stallMs
}
