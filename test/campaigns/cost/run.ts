/** Runs documents against the service, and measures its CPU time per charged point and the stops of its event loop. */
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeThrowAwayFolder } from '../../support/app/throw-away-folder.ts'
import type { TestSource } from '../../support/database/test-server.ts'
import { urlOf } from '../abuse/database.ts'
import { type Reply, send } from '../abuse/http-client.ts'
import { type ServiceOptions, startService } from '../abuse/service.ts'
import { removeAtTheEnd } from '../scratch-database.ts'
import type { CostDocument } from './documents.ts'

export type CostRun = {
  readonly source: TestSource
  readonly program: ServiceOptions['program']
  readonly folder?: string | undefined
  readonly documents: readonly CostDocument[]
  /** Sent first, and not measured: the code of a new process is not optimized yet. */
  readonly warmUp: readonly CostDocument[]
  /** One for each document, and one for the warm-up. */
  readonly keys: readonly string[]
  /**
   * Requests of each document. Cheap ones are sent more often, because the system reports CPU time in hundredths of a
   * second. From the third request on, a document is compiled.
   */
  readonly times: { readonly min: number; readonly max: number }
  /** No document starts after this time. */
  readonly endsAt: number
}

export type CostFigures = {
  readonly label: string
  /** Without repetitions. */
  readonly statuses: readonly (number | undefined)[]
  readonly requests: number
  /** A request that was refused before it was charged counts as one point. */
  readonly points: number
  /** Of all threads; 0 if the system does not report it. */
  readonly cpuMs: number
  /** CPU time of the main thread. */
  readonly longestStopMs: number
  readonly bytes: number
  readonly peakMemoryMb: number
}

/** So many that no document meets an empty budget, and points are always the smaller share. */
const SETTINGS = { WAYBILL_RATE_LIMIT_PER_MINUTE: '1000000', WAYBILL_POINTS_PER_MINUTE: '100000' }

const limit = Number(SETTINGS.WAYBILL_POINTS_PER_MINUTE)

const ENOUGH_POINTS = 40

export async function measure(run: CostRun): Promise<readonly CostFigures[]> {
  const temporary = makeThrowAwayFolder()
  removeAtTheEnd(() => rmSync(temporary, { recursive: true, force: true }))
  const stopsFile = path.join(temporary, 'stops')
  const watch = pathToFileURL(path.join(import.meta.dirname, 'stop-watch.mjs')).href
  const service = await startService({
    ...{ program: run.program, folder: run.folder, databaseUrl: urlOf(run.source) },
    settings: { ...SETTINGS, NODE_OPTIONS: `--import=${watch}`, STOPS_FILE: stopsFile },
  })
  try {
    const figures: CostFigures[] = []
    for (const document of run.warmUp) await send(service.port, requestFor(document, run.keys.at(-1)))
    for (const [index, document] of run.documents.entries()) {
      if (performance.now() >= run.endsAt) break
      const key = run.keys[index]
      const stopsBefore = stopsIn(stopsFile).length
      const cpuBefore = service.cpuSeconds()
      const replies: Reply[] = []
      let charged = 0
      while (replies.length < run.times.min || (charged < ENOUGH_POINTS && replies.length < run.times.max)) {
        const reply = await send(service.port, requestFor(document, key))
        replies.push(reply)
        charged = limit - Number(reply.headers['ratelimit-remaining'] ?? limit)
      }
      figures.push({
        label: document.label,
        statuses: [...new Set(replies.map(({ status }) => status))],
        requests: replies.length,
        points: Math.max(charged, replies.length),
        cpuMs: 1_000 * (service.cpuSeconds() - cpuBefore),
        longestStopMs: Math.max(0, ...stopsIn(stopsFile).slice(stopsBefore)),
        bytes: replies.at(-1)?.bytes ?? 0,
        peakMemoryMb: Math.round(service.peakMemoryBytes() / 1e6),
      })
    }
    return figures
  } finally {
    await service.stop()
  }
}

function requestFor({ label, query, variables }: CostDocument, key: string | undefined) {
  if (key === undefined) throw new Error('there are fewer keys than documents')
  return {
    ...{ label, path: '/graphql', key, body: JSON.stringify({ query, variables }) },
    headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip' },
  }
}

function stopsIn(file: string): readonly number[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number)
  } catch {
    return []
  }
}
