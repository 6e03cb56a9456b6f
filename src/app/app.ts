/**
 * Connects all parts of the service. `main.ts` opens the app with the configuration of the environment, tests with
 * their own.
 */
import type { FastifyInstance } from 'fastify'
import { startCarrierTests } from '../carriers/carrier-tests.ts'
import { type Config, describeConfig } from '../config/config.ts'
import { openLog } from '../http/log.ts'
import type { Instruments } from '../metrics/instruments.ts'
import { CANCEL_POLICY } from '../operations/ask-carrier/policy.ts'
import { settleBeforeShutdown } from '../operations/cancel-shipment.ts'
import { withJournal } from '../operations/journal.ts'
import { type Alert, type Ports, SYSTEM_EFFECTS } from '../operations/ports/ports.ts'
import type { WebhookAlert } from '../operations/ports/webhooks.ts'
import { openInFlight } from '../operations/ports/work.ts'
import { OVERDUE_MS, startSweeper } from '../operations/sweep/sweep.ts'
import type { SweepHealth } from '../operations/sweep/sweep-health.ts'
import { warmUp } from '../operations/warm-up.ts'
import { readDescriptionWords } from '../reference/description-words.ts'
import { openWorkCalendar } from '../reference/work-calendar.ts'
import { customsRevision } from '../store/customs/customs.ts'
import { openDatabaseHome, whenAvailable } from '../store/database/database-home.ts'
import { durabilityFaults } from '../store/database/open.ts'
import { openPools, openQueues } from '../store/database/pool/pools.ts'
import { watchRecovery } from '../store/database/recovery-points.ts'
import { schemaMonitor } from '../store/database/schema-check.ts'
import { openJournal } from '../store/journal-file.ts'
import { openStores } from '../store/stores.ts'
import { VERSION } from '../version.ts'
import type { WebhookRunner } from '../webhooks/deliver.ts'
import { openGateway } from './carriers.ts'
import { type AppOptions, type Context, closeOpened, type Opened } from './context.ts'
import { prepareDatabase, reportLostConnections, reportRecovery, reportSchema } from './database.ts'
import { openEvents, startDeliveries } from './events.ts'
import { faultReport, openTraces, startMetrics, unobserved, watchSweeps } from './observation.ts'
import { openClassifier, openReferenceData } from './reference-data.ts'
import { listen, openServer } from './server.ts'
import { openSharedLimits } from './shared-limits.ts'

export type App = {
  /** For tests that inject requests. */
  readonly server: FastifyInstance
  /** A description of the database, for display. */
  readonly database: string
  /** The port of the metrics; undefined if this process does not serve any. */
  readonly metricsPort: number | undefined
  /**
   * Reads the settings file of the carriers again, and tests the credentials unless `tests` is false. A faulty file
   * raises an alert and changes nothing.
   */
  reloadCarriers(tests?: boolean): void
  /** Opens the socket. Returns the URL for calls from this machine, such as "http://localhost:4000". */
  listen(): Promise<string>
  /**
   * Shuts down gracefully (http/health.ts), waits for running cancellations, and closes the database. Later calls
   * return the same promise.
   */
  close(): Promise<void>
}

/**
 * Opens the database, migrates it, loads reference data, and builds the server. Waits a limited time for a database
 * that is unavailable. Call `listen` to open the socket.
 */
export async function openApp(config: Config, options: AppOptions = {}): Promise<App> {
  const home = options.database ?? (await openDatabaseHome(config, options.onDatabaseLost))
  const log = openLog(options.log ?? { level: config.logLevel })
  try {
    return await openWhenAvailable({ config, home, log, options })
  } catch (error) {
    await home.close()
    throw error
  }
}

/** The wait covers everything that reads the database before the service listens, not only the first connection. */
async function openWhenAvailable(context: Context): Promise<App> {
  const { config, home, log, options } = context
  const database = home.description
  const open = async (): Promise<App> => {
    await prepareDatabase(context)
    const app = await openOn(context)
    // Nobody waits for it any more.
    if (options.signal?.aborted === true) await app.close()
    return app
  }
  return whenAvailable(home, open, {
    limitMs: config.databaseWaitSeconds * 1_000,
    signal: options.signal,
    onWait: (reason) =>
      log.warn(
        { event: 'database.waiting', database, reason, limitSeconds: config.databaseWaitSeconds },
        'the database is unavailable; waiting for it',
      ),
    onAvailable: (waitedMs) =>
      log.info({ event: 'database.available', database, waitedMs }, 'the database is available'),
  })
}

/** What is open is closed again if the rest cannot be opened: the start may be repeated. */
async function openOn(context: Context): Promise<App> {
  const opened: Opened = { followers: [], databases: [] }
  try {
    return await openParts(context, opened)
  } catch (error) {
    await closeOpened(opened)
    throw error
  }
}

async function openParts(context: Context, opened: Opened): Promise<App> {
  const { config, home, log, options } = context
  const instruments =
    config.metrics && (await import('../metrics/instruments.ts')).openInstruments(config.workers)
  const traces = await openTraces(context, opened)
  const observed = traces?.pools(instruments?.pools) ?? instruments?.pools
  const queues = openQueues()
  const pools = openPools(home.source, { onConnectionLost: reportLostConnections(log) }, queues, observed)
  opened.databases.push(...Object.values(pools))
  const { rateBook, customs } = await openReferenceData(context, pools, opened)
  const weaknesses = await durabilityFaults(pools.wholeTables)
  const reportFault = faultReport(log)
  const alert = alertTo(context, instruments)
  const { configured, gateway } = await openGateway(context, pools, opened, {
    connectorNameOf: (code) => rateBook.current().connectors.get(code),
    alert,
    reportFault,
    traces,
  })
  const classifier = await openClassifier(config, reportFault)
  const basePorts: Ports = {
    ...(await openStores(config, pools, { ...opened, queues })),
    carriers: instruments?.carriers(gateway) ?? gateway,
    ...SYSTEM_EFFECTS,
    ...(options.clock !== undefined && { clock: options.clock }),
    inFlight: openInFlight(),
    draftTerms: config.draftTerms,
    estimateTerms: config.estimateTerms,
    customsRevision,
    optionTokenMinutes: config.optionTokenMinutes,
    reference: { rateBook: rateBook.current, customsTables: customs.current },
    calendar: openWorkCalendar(),
    classifier: instruments?.classifier(classifier) ?? classifier,
    descriptionWords: readDescriptionWords(),
    reportFault,
    alert,
    observer: traces?.observer(instruments?.observer) ?? instruments?.observer,
  }
  const journaled = withJournal(basePorts, openJournal(config.journalFile))
  const ports = options.wrapPorts?.(journaled) ?? journaled
  const recovery = watchRecovery(pools.own, { onRecovery: (point) => reportRecovery(log, point) })
  opened.followers.push(recovery)
  const ready = schemaMonitor(pools.own, { onChange: (fault) => reportSchema(log, fault) })
  const eventPorts = openEvents(context, pools, opened)
  const sharedBudgets = await openSharedLimits(context, opened, { alert, instruments })
  const sweepHealth = watchSweeps(context, ports)
  const parts = { ports, pools, eventPorts, ready, configured, traces, sharedBudgets, sweepHealth }
  const server = openServer(context, parts)
  traces?.watch(server)
  log.info(
    { event: 'service.configured', version: VERSION, node: process.version, config: describeConfig(config) },
    'configuration',
  )
  for (const weakness of weaknesses) log.warn({ event: 'database.not_durable' }, weakness)
  await warmUp(unobserved(ports))
  const carrierCodes = () => rateBook.current().connectors.keys()
  instruments?.watch(server, { ports, pools, carrierCodes, sweepHealth })
  const metricsPort = await startMetrics(context, instruments, opened)
  const webhooks = startDeliveries(context, pools, ports, alert)
  const carrierTests = startCarrierTests(configured, {
    log,
    alert,
    carriersFile: config.carriersFile,
    isEnabled: config.carrierTest,
    atStart: options.testsCarriers ?? true,
  })
  opened.followers.push(carrierTests)
  const reloadCarriers = carrierTests.reload
  return runningApp(context, { server, ports, sweepHealth, opened, metricsPort, webhooks, reloadCarriers })
}

function alertTo({ log }: Context, instruments: Instruments | undefined) {
  return (alert: Alert | WebhookAlert): void => {
    instruments?.alerted(alert.kind)
    log.error({ event: 'alert', alert }, 'operator attention needed')
  }
}

type Parts = {
  readonly server: FastifyInstance
  readonly ports: Ports
  readonly sweepHealth: SweepHealth
  readonly opened: Opened
  readonly metricsPort: number | undefined
  readonly webhooks: WebhookRunner
  readonly reloadCarriers: (tests?: boolean) => void
}

function runningApp(
  { config, home }: Context,
  { server, ports, sweepHealth, opened, metricsPort, webhooks, reloadCarriers }: Parts,
): App {
  const policy = {
    ...CANCEL_POLICY,
    overdueMs: OVERDUE_MS,
    trackEveryMs: config.trackMinutes * 60_000,
    trackInTransitEveryMs: config.trackDeliveryHours * 3_600_000,
    trackForMs: config.trackDays * 86_400_000,
    eraseAfterDays: config.eraseDays,
  }
  const sweeper = startSweeper(ports, policy, sweepHealth)
  let listening: Promise<string> | undefined
  let closed: Promise<void> | undefined
  const close = async (): Promise<void> => {
    try {
      // Other replicas continue the background work. Attempts that this one has begun are settled below.
      const deliveries = webhooks.stop()
      await sweeper.stop()
      await server.drain()
      await deliveries
      await settleBeforeShutdown(ports, CANCEL_POLICY.deadlineMs)
    } finally {
      await closeOpened(opened)
      await home.close()
    }
  }
  return {
    server,
    database: home.description,
    metricsPort,
    reloadCarriers,
    listen: () => {
      listening ??= listen(server, config)
      return listening
    },
    close: async () => {
      // A server that is closed while it opens its socket would leave the socket open.
      await listening?.catch(() => {})
      closed ??= close()
      return closed
    },
  }
}
