/**
 * Worker processes that share one port, for machines with several cores (`WAYBILL_WORKERS`). The primary process owns
 * the embedded database, starts the workers, replaces those that end, and passes on what they report to each other.
 * Each worker opens the app as a single process would. See docs/operations.md#workers and
 * docs/decisions/security.md#d167.
 */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { FastifyBaseLogger } from 'fastify'
import type { AcceptedCarriers } from './carriers/configured-carriers.ts'
import type { Config } from './config/config.ts'
import type { Spending, SpendingLink } from './http/credentials.ts'
import { openLog } from './http/log.ts'
import { describeError } from './http/masking.ts'
import { type MetricsServer, serveMetrics } from './metrics/server.ts'
import { openDatabaseHome } from './store/database/database-home.ts'

type Message =
  | { readonly kind: 'ready'; readonly origin: string; readonly database: string }
  | { readonly kind: 'spent'; readonly spendings: readonly Spending[] }
  | { readonly kind: 'stop' }
  | { readonly kind: 'reloadCarriers'; readonly tests: boolean }
  | { readonly kind: 'carriersAccepted'; readonly content: unknown }
  | { readonly kind: 'carriersWanted' }
  | { readonly kind: 'carriers'; readonly content: unknown }
  | { readonly kind: 'metricsWanted'; readonly scrape: number }
  /** Undefined: they could not be read. */
  | { readonly kind: 'metrics'; readonly scrape: number; readonly metrics: object | undefined }

export type Workers = {
  readonly origin: string
  readonly database: string
  /** See `App.reloadCarriers`. */
  reloadCarriers(): void
  /** Stops all workers gracefully, then the embedded database. */
  close(): Promise<void>
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 30_000
/** After a worker has run for this long, the pause before a replacement is short again. */
const STABLE_MS = 60_000
const REPEAT_STOP_MS = 500
/**
 * How long a scrape waits for a worker. Shorter than the limit of Prometheus, which is 10 s by default, but longer than
 * a worker waits for a database that does not respond: a second for the connection, and five for the statement.
 */
const METRICS_LIMIT_MS = 7_000

/** The first worker prepares the database before the others start. Rejects if a worker ends before it is ready. */
export async function startWorkers(
  config: Config,
  onDatabaseLost: (reason: string) => void,
): Promise<Workers> {
  const log = openLog({ level: config.logLevel })
  const home = await openDatabaseHome(config, onDatabaseLost)
  let metrics: MetricsServer | undefined
  let stopping = false
  let pauseMs = FIRST_PAUSE_MS
  const known: KnownOfWorkers = { accepted: undefined, reloads: 0, ready: new Set() }
  const close = async (): Promise<void> => {
    stopping = true
    await Promise.all(runningWorkers().map(stopWorker))
    await metrics?.close()
    await home.close()
  }

  const replaceWhenEnded = (worker: Worker): void => {
    const startedAt = performance.now()
    worker.once('exit', (code, signal) => {
      if (stopping) return
      if (performance.now() - startedAt > STABLE_MS) pauseMs = FIRST_PAUSE_MS
      log.error(
        { event: 'worker.ended', worker: worker.id, code, signal, pauseMs },
        'a worker ended; it will be replaced',
      )
      setTimeout(() => {
        if (!stopping) replaceWhenEnded(openWorker(known))
      }, pauseMs)
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
    })
  }

  try {
    metrics = await serveMetricsOfWorkers(config, log, known.ready)
    const first = openWorker(known)
    const { origin, database } = await readyMessage(first)
    const others = Array.from({ length: config.workers - 1 }, () => openWorker(known))
    await Promise.all(others.map(readyMessage))
    for (const worker of [first, ...others]) replaceWhenEnded(worker)
    const reloadCarriers = (): void => {
      known.reloads += 1
      for (const worker of runningWorkers()) sendReload(worker)
    }
    return { origin, database, reloadCarriers, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The primary process has no metrics of its own. */
async function serveMetricsOfWorkers(
  { metrics }: Config,
  log: FastifyBaseLogger,
  ready: ReadonlySet<Worker>,
) {
  if (metrics === undefined) return undefined
  const { addUpMetrics } = await import('./metrics/metrics.ts')
  let scrapes = 0
  const readAll = async (): Promise<string> => {
    const scrape = ++scrapes
    const answers = await Promise.all([...ready].map((worker) => metricsOf(worker, scrape)))
    const reported = answers.filter((one) => one !== undefined)
    if (reported.length === 0) throw new Error('no worker has reported its metrics')
    return addUpMetrics(reported)
  }
  let reading: Promise<string> | undefined
  /** Scrapes at the same time share one round of messages. */
  const read = (): Promise<string> => {
    reading ??= readAll().finally(() => {
      reading = undefined
    })
    return reading
  }
  const served = await serveMetrics(metrics, read, (error) =>
    log.warn({ event: 'metrics.failed', error: describeError(error, []) }, 'the metrics could not be read'),
  )
  log.info({ event: 'metrics.served', port: served.port }, 'metrics are served')
  return served
}

/** Undefined if the worker does not answer in time, or ends. */
function metricsOf(worker: Worker, scrape: number): Promise<object | undefined> {
  return new Promise((resolve) => {
    const end = (metrics?: object): void => {
      clearTimeout(timer)
      worker.off('message', receive).off('exit', gone)
      resolve(metrics)
    }
    const gone = () => end()
    const receive = (message: Message): void => {
      if (message.kind === 'metrics' && message.scrape === scrape) end(message.metrics)
    }
    const timer = setTimeout(gone, METRICS_LIMIT_MS)
    worker.on('message', receive).on('exit', gone)
    send(worker, { kind: 'metricsWanted', scrape })
  })
}

function runningWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
}

/** What the primary process knows of its workers. */
type KnownOfWorkers = {
  /** The settings of the carriers that a worker accepted last, with secrets. Undefined: no worker has read the file. */
  accepted: unknown
  /** How often the workers were told to read the file again. */
  reloads: number
  /** The workers that serve requests. */
  readonly ready: Set<Worker>
}

function openWorker(known: KnownOfWorkers): Worker {
  const worker = cluster.fork()
  const { reloads } = known
  worker.once('exit', () => known.ready.delete(worker))
  worker.on('message', (message: Message) => {
    if (message.kind === 'ready') known.ready.add(worker)
    if (message.kind === 'carriersAccepted') known.accepted = message.content
    if (message.kind === 'carriersWanted') {
      send(worker, { kind: 'carriers', content: known.accepted })
      // It did not listen yet when the others were told.
      if (known.reloads !== reloads) sendReload(worker)
    }
    if (message.kind !== 'spent') return
    for (const other of runningWorkers()) if (other !== worker) send(other, message)
  })
  return worker
}

/** The worker that has run longest tests the credentials. */
function sendReload(worker: Worker): void {
  send(worker, { kind: 'reloadCarriers', tests: worker === runningWorkers()[0] })
}

function readyMessage(worker: Worker): Promise<Message & { readonly kind: 'ready' }> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: Message) => {
      if (message.kind === 'ready') resolve(message)
    })
    worker.once('exit', (code, signal) =>
      reject(new Error(`a worker ended with ${signal ?? code} before it was ready`)),
    )
  })
}

async function stopWorker(worker: Worker): Promise<void> {
  if (worker.isDead()) return
  const stop = () => send(worker, { kind: 'stop' })
  // Repeated, because a worker that is starting does not listen yet.
  const repeating = setInterval(stop, REPEAT_STOP_MS)
  stop()
  await once(worker, 'exit')
  clearInterval(repeating)
}

/** A worker that is ending has no channel. */
function send(worker: Worker, message: Message): void {
  if (worker.isConnected()) worker.send(message, () => {})
}

// In a worker process.

/** How long a worker collects what it reports. A key can exceed its limits by what it spends in this time. */
const REPORT_EVERY_MS = 50

/** Undefined in the primary process and in a service with one process. */
export function workerNumber(): number | undefined {
  return cluster.worker?.id
}

export function openSpendingLink(): SpendingLink {
  let spendings: Spending[] = []
  const reporting = setInterval(() => {
    if (spendings.length === 0) return
    sendToPrimary({ kind: 'spent', spendings })
    spendings = []
  }, REPORT_EVERY_MS)
  reporting.unref()
  return {
    report: (spending) => spendings.push(spending),
    connect: (add) =>
      process.on('message', (message: Message) => {
        if (message.kind === 'spent') message.spendings.forEach(add)
      }),
  }
}

/** `read` is called for each scrape. It does not reject. */
export function shareMetricsWithPrimary(read: () => Promise<object | undefined>): void {
  process.on('message', (message: Message) => {
    if (message.kind !== 'metricsWanted') return
    const { scrape } = message
    void read().then((metrics) => sendToPrimary({ kind: 'metrics', scrape, metrics }))
  })
}

/** Tells the primary process that this worker listens. */
export function announceReady(origin: string, database: string): void {
  sendToPrimary({ kind: 'ready', origin, database })
}

export function onStopMessage(stop: () => void): void {
  process.on('message', (message: Message) => {
    if (message.kind === 'stop') stop()
  })
}

export function onReloadMessage(reload: (tests: boolean) => void): void {
  process.on('message', (message: Message) => {
    if (message.kind === 'reloadCarriers') reload(message.tests)
  })
}

/** Asks the primary process for the settings of the carriers that other workers use. */
export function acceptedCarriers(): Promise<AcceptedCarriers> {
  return new Promise((resolve) => {
    const receive = (message: Message): void => {
      if (message.kind !== 'carriers') return
      process.off('message', receive)
      const onAccepted = (content: unknown) => sendToPrimary({ kind: 'carriersAccepted', content })
      resolve({ first: message.content, onAccepted })
    }
    process.on('message', receive)
    sendToPrimary({ kind: 'carriersWanted' })
  })
}

function sendToPrimary(message: Message): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}
