/**
 * Connects all parts of the service. It is the only file that imports every folder. `main.ts` opens the app with the
 * configuration of the environment, tests with their own.
 */
import type { FastifyBaseLogger, FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { Kysely } from 'kysely'
import { carrierEventsDoor } from './carrier-events/routes.ts'
import { recordCalls } from './carriers/call-log.ts'
import { startCarrierTests } from './carriers/carrier-tests.ts'
import {
  type AcceptedCarriers,
  type ConfiguredCarriers,
  configuredCarriers,
} from './carriers/configured-carriers.ts'
import { withConnectorFiles } from './carriers/connectors/define/connector-files.ts'
import { carrierGateway } from './carriers/gateway/gateway.ts'
import { sendThroughProxy } from './carriers/http-exchange.ts'
import { rememberCandidates } from './classifiers/candidate-cache.ts'
import { compiledClassifier, moduleClassifier } from './classifiers/classifiers.ts'
import { type Config, describeConfig } from './config/config.ts'
import type { CompiledCustoms } from './core/customs/compiled-customs.ts'
import { nextEditionDue, overdueSets } from './core/customs/data/edition.ts'
import { eventsDoor } from './events/routes.ts'
import { graphqlDoor } from './graphql/plugin.ts'
import { readTrustedDocuments } from './graphql/trusted-documents.ts'
import type { SpendingLink } from './http/credentials.ts'
import { logFault } from './http/faults.ts'
import { type LogOptions, openLog } from './http/log.ts'
import { describeError } from './http/masking.ts'
import { buildServer } from './http/server.ts'
import type { Instruments } from './metrics/instruments.ts'
import { CANCEL_POLICY } from './operations/ask-carrier/policy.ts'
import { settleBeforeShutdown } from './operations/cancel-shipment.ts'
import { withJournal } from './operations/journal.ts'
import type { CarrierCall } from './operations/ports/carrier-calls.ts'
import type { EventLog, EventWatch } from './operations/ports/events.ts'
import type { Classifier } from './operations/ports/ports.ts'
import { type Alert, type Clock, type Ports, SYSTEM_EFFECTS, today } from './operations/ports/ports.ts'
import type { WebhookAlert } from './operations/ports/webhooks.ts'
import { openInFlight, withTimeout } from './operations/ports/work.ts'
import { OVERDUE_MS, startSweeper } from './operations/sweep/sweep.ts'
import { warmUp } from './operations/warm-up.ts'
import { pages } from './pages/pages.ts'
import { readHs2022Codes } from './reference/customs.ts'
import { readDescriptionWords } from './reference/description-words.ts'
import { loadLexicon } from './reference/lexicon-reader/lexicon.ts'
import { openWorkCalendar } from './reference/work-calendar.ts'
import { restDoor } from './rest/routes.ts'
import { customsRevision, renameImportedSets } from './store/customs/customs.ts'
import { openLiveCustoms } from './store/customs/live-customs.ts'
import type { Database } from './store/database/database.ts'
import { type DatabaseHome, openDatabaseHome, whenAvailable } from './store/database/database-home.ts'
import { accountOfCall, fairAccess, withFairAccess } from './store/database/fair-access.ts'
import { migrate } from './store/database/migrate.ts'
import { durabilityFaults, openDatabase } from './store/database/open.ts'
import { isOutage } from './store/database/outage.ts'
import { refuseUndeclaredPooler } from './store/database/pooler.ts'
import { EVENT_SHARES, openPools, type Pools, SWEEPER_SHARES } from './store/database/pools.ts'
import { noteRecovery, type RecoveryPoint, watchRecovery } from './store/database/recovery-points.ts'
import { schemaMonitor } from './store/database/schema-check.ts'
import { DEMO_ACCOUNT, DEMO_CREDENTIALS } from './store/demo/accounts.ts'
import { markProductionUse, resetDemo, seedDemo } from './store/demo/reset.ts'
import { demoShopKey } from './store/demo/shop-key.ts'
import { eventLog } from './store/events/event-log.ts'
import { followEvents } from './store/events/event-watch.ts'
import { openJournal } from './store/journal-file.ts'
import { openLiveRateBook } from './store/rate-cards/rate-book.ts'
import { openCallRecords } from './store/shipments/carrier-calls.ts'
import { openStores } from './store/stores.ts'
import { webhookStore } from './store/webhooks/deliveries.ts'
import type { Traces } from './tracing/traces.ts'
import { VERSION } from './version.ts'
import { startWebhooks, type WebhookRunner } from './webhooks/deliver.ts'

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

/** Overrides for tests. The service sets only `onDatabaseLost` and `signal`, and its
 * workers `database`, `log`, `spendingLink`, `metricsByPrimary`, `testsCarriers` and `acceptedCarriers`. */
export type AppOptions = {
  readonly clock?: Clock
  readonly log?: LogOptions
  /** Used instead of the configured database. */
  readonly database?: DatabaseHome
  /** Wraps the ports, for example to inject faults. */
  readonly wrapPorts?: (ports: Ports) => Ports
  /** Ends the wait for an unavailable database; `openApp` then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** See store/customs/live-customs.ts. */
  readonly customsWorker?: URL | undefined
  /** Set in a worker process. */
  readonly spendingLink?: SpendingLink
  /** Set in a worker process: the primary process serves the metrics of all workers. */
  readonly metricsByPrimary?: boolean
  /** Whether the credentials of the carriers are tested at start. Default: true. One worker of a service does it. */
  readonly testsCarriers?: boolean
  /** Set in a worker process. */
  readonly acceptedCarriers?: AcceptedCarriers
  /** Called if the embedded database stops while the service runs. */
  onDatabaseLost?(reason: string): void
}

const LOOPBACK = '127.0.0.1'

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

/** What every part of the app is opened with. */
type Context = {
  readonly config: Config
  readonly home: DatabaseHome
  readonly log: FastifyBaseLogger
  readonly options: AppOptions
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

/** Migrates the database and loads data, without the time limits of the service. Can be repeated. */
async function prepareDatabase({ config, home, log }: Context): Promise<void> {
  const { source, replacement } = home
  await refuseUndeclaredPooler(source)
  await migrate(source, {
    replacement,
    onWait: (reason) =>
      log.warn({ event: 'database.migration_waiting', reason }, 'waiting until the database can be migrated'),
  })
  const db = openDatabase(source, { poolSize: 2, statementTimeoutMs: 0, idleInTransactionMs: 0 })
  try {
    await renameImportedSets(db)
    if (config.demoData) await seedDemo(db)
    if (config.production) await markProductionUse(db)
    const point = await noteRecovery(db)
    if (point !== undefined) reportRecovery(log, point)
  } finally {
    await db.destroy()
  }
}

function reportRecovery(log: FastifyBaseLogger, recovery: RecoveryPoint): void {
  log.warn(
    { event: 'database.recovered', recovery },
    'the database continues from an earlier state: confirmed changes may be lost; run waybill audit --log',
  )
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

/** What has to be closed: first everything that follows the database, then the connections. */
type Opened = { readonly followers: { close(): Promise<void> }[]; readonly databases: Kysely<Database>[] }

async function openParts(context: Context, opened: Opened): Promise<App> {
  const { config, home, log, options } = context
  const instruments = config.metrics && (await import('./metrics/instruments.ts')).openInstruments()
  const traces = await openTraces(context, opened)
  const observed = traces?.pools(instruments?.pools) ?? instruments?.pools
  const pools = openPools(home.source, { onConnectionLost: reportLostConnections(log) }, observed)
  opened.databases.push(...Object.values(pools))
  const { rateBook, customs } = await openReferenceData(context, pools, opened)
  sendThroughProxy(config.carrierProxy)
  const connectorNameOf = (code: string) => rateBook.current().connectors.get(code)
  const connectors = await withConnectorFiles(config.connectorFiles)
  const configured = configuredCarriers(connectorNameOf, { ...config, connectors }, options.acceptedCarriers)
  const weaknesses = await durabilityFaults(pools.wholeTables)
  const reportFault = faultReport(log)
  const alert = (alert: Alert | WebhookAlert): void => {
    instruments?.alerted(alert.kind)
    log.error({ event: 'alert', alert }, 'operator attention needed')
  }
  const record = recordCalls(log, openRecords(context, pools, opened))
  const gateway = carrierGateway(configured.carriers, {
    alert,
    record: traces?.carrierCalls(record) ?? record,
  })
  const classifier = await openClassifier(config, reportFault)
  const basePorts: Ports = {
    ...(await openStores(config, pools, opened)),
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
  const server = openServer(context, { ports, pools, eventPorts, ready, configured, traces })
  traces?.watch(server)
  log.info(
    { event: 'service.configured', version: VERSION, node: process.version, config: describeConfig(config) },
    'configuration',
  )
  for (const weakness of weaknesses) log.warn({ event: 'database.not_durable' }, weakness)
  await warmUp(unobserved(ports))
  const carrierCodes = () => rateBook.current().connectors.keys()
  instruments?.watch(server, { ports, pools, carrierCodes })
  const metricsPort = await startMetrics(context, instruments, opened)
  const webhooks = startDeliveries(context, pools, ports, alert)
  const carrierTests = startCarrierTests(configured, {
    ...{ log, alert, carriersFile: config.carriersFile },
    ...{ isEnabled: config.carrierTest, atStart: options.testsCarriers ?? true },
  })
  opened.followers.push(carrierTests)
  const reloadCarriers = carrierTests.reload
  return runningApp(context, { server, ports, opened, metricsPort, webhooks, reloadCarriers })
}

function reportLostConnections(log: FastifyBaseLogger): (error: Error) => void {
  return (error) =>
    log.warn(
      { event: 'database.connection_lost', error: describeError(error, []) },
      'a database connection was lost',
    )
}

async function openTraces({ config, log }: Context, { followers }: Opened): Promise<Traces | undefined> {
  if (!config.traces) return undefined
  const { openTraces } = await import('./tracing/traces.ts')
  const traces = openTraces((reason) =>
    log.warn({ event: 'traces.failed', reason }, 'traces could not be exported'),
  )
  followers.push(traces)
  return traces
}

/** For requests of the service itself, which must not count. */
function unobserved({ observer: _, ...ports }: Ports): Ports {
  return ports
}

/** Returns the port, unless the primary process serves the metrics. */
async function startMetrics(
  { config: { metrics }, log, options: { metricsByPrimary = false } }: Context,
  instruments: Instruments | undefined,
  { followers }: Opened,
): Promise<number | undefined> {
  if (metrics === undefined || instruments === undefined) return undefined
  if (metricsByPrimary) return void instruments.shareWithPrimary()
  const served = await instruments.serve(metrics, (error) =>
    log.warn({ event: 'metrics.failed', error: describeError(error, []) }, 'the metrics could not be read'),
  )
  followers.push(served)
  log.info({ event: 'metrics.served', port: served.port }, 'metrics are served')
  return served.port
}

function faultReport(log: FastifyBaseLogger): (error: unknown) => void {
  return (error) =>
    isOutage(error)
      ? log.warn({ event: 'work.outage', error: describeError(error, []) }, 'a dependency is unavailable')
      : log.error({ event: 'work.failed', error: describeError(error, []) }, 'an operation failed')
}

type Parts = {
  readonly server: FastifyInstance
  readonly ports: Ports
  readonly opened: Opened
  readonly metricsPort: number | undefined
  readonly webhooks: WebhookRunner
  readonly reloadCarriers: (tests?: boolean) => void
}

function runningApp(
  { config, home }: Context,
  { server, ports, opened, metricsPort, webhooks, reloadCarriers }: Parts,
): App {
  const sweeper = startSweeper(ports, {
    ...CANCEL_POLICY,
    trackEveryMs: config.trackMinutes * 60_000,
    overdueMs: OVERDUE_MS,
  })
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

/** Warns of customs data sets whose next edition is due: at the start, and whenever the data change. */
function reportOverdue(log: FastifyBaseLogger, { setsInUse }: CompiledCustoms, day: string): void {
  const overdue = overdueSets(setsInUse, day).map((set) => `${set.name} (due ${nextEditionDue(set)})`)
  if (overdue.length > 0)
    log.warn({ event: 'customs.overdue', overdue }, 'customs data sets are overdue; see waybill customs list')
}

/** Opens the rate book and the customs tables. Both are updated when the database changes. */
async function openReferenceData(
  { config, home, log, options: { customsWorker, clock = SYSTEM_EFFECTS.clock } }: Context,
  { own: db, wholeTables }: Pools,
  { followers }: Opened,
) {
  const options = (dataName: string) => ({
    source: home.source,
    listen: config.listen,
    pollMs: config.rateBookPollMs,
    wholeTables,
    onFault: (error: unknown) =>
      log.warn(
        { event: 'reference.failed', error: describeError(error, []) },
        `${dataName} could not be updated; the previous version stays in use`,
      ),
  })
  const rateBook = await openLiveRateBook({
    ...options('the rate book'),
    db,
    historyDays: config.rateHistoryDays,
    onSwap: ({ revision }) => log.info({ event: 'rates.updated', revision }, 'the rate book was updated'),
  })
  followers.push(rateBook)
  const customs = await openLiveCustoms(db, {
    ...options('the customs tables'),
    workerFile: customsWorker,
    onSwap: (revision) => {
      log.info({ event: 'customs.updated', revision }, 'the customs tables were updated')
      reportOverdue(log, customs.current(), today(clock))
    },
  })
  followers.push(customs)
  reportOverdue(log, customs.current(), today(clock))
  return { rateBook, customs }
}

/** Keeps the calls to carriers in the database. */
function openRecords(
  { config, log }: Context,
  { own }: Pools,
  { followers }: Opened,
): (call: CarrierCall) => void {
  const records = openCallRecords(own, {
    keptDays: config.carrierCallDays,
    onFault: (error, lost) =>
      log.warn(
        { event: 'carriers.records_lost', error: describeError(error, []), lost },
        'records of calls to carriers could not be kept',
      ),
  })
  followers.push(records)
  return (call) => records.keep(call)
}

function openEvents({ config, home, log }: Context, { own, reading }: Pools, { followers }: Opened) {
  const eventWatch = followEvents(own, {
    source: home.source,
    listen: config.listen,
    keptDays: config.eventDays,
    onFault: (error) =>
      log.warn(
        { event: 'events.failed', error: describeError(error, []) },
        'events could not be read; they are delivered later',
      ),
  })
  followers.push(eventWatch)
  const events = withFairAccess(eventLog(reading), fairAccess(EVENT_SHARES), accountOfCall)
  return { events, eventWatch }
}

function startDeliveries(
  { config }: Context,
  { own }: Pools,
  ports: Ports,
  alert: (alert: WebhookAlert) => void,
): WebhookRunner {
  const access = fairAccess(SWEEPER_SHARES)
  return startWebhooks(
    {
      ...{ clock: () => new Date(), random: ports.random, reportFault: ports.reportFault },
      events: withFairAccess(eventLog(own), access, accountOfCall),
      webhooks: withFairAccess(webhookStore(own), access, accountOfCall),
      alert,
    },
    { allowPrivate: config.webhookPrivate, keptDays: config.eventDays },
  )
}

function openServer(
  { config, log, options }: Context,
  {
    ports,
    pools,
    eventPorts,
    ready,
    configured,
    traces,
  }: {
    readonly ports: Ports
    readonly pools: Pools
    readonly eventPorts: { readonly events: EventLog; readonly eventWatch: EventWatch }
    readonly ready: () => Promise<boolean>
    readonly configured: ConfiguredCarriers
    readonly traces: Traces | undefined
  },
): FastifyInstance {
  return buildServer({
    ports,
    doors: [
      ...pages({
        ...{ playground: config.playground, docs: config.docs },
        demo: config.demoData
          ? {
              ...{ credentials: DEMO_CREDENTIALS, port: config.port },
              publishableKey: (origin) => demoShopKey(pools.own, origin),
            }
          : undefined,
      }),
      restDoor(ports, { compress: config.restCompression }),
      graphql(ports, config, () => resetDemo(pools.own)),
      eventsDoor(
        { ...ports, ...eventPorts },
        { perKey: config.eventStreamsPerKey, total: Math.ceil(config.eventStreams / config.workers) },
      ),
      ...scanEventsDoor(ports, config, configured),
    ],
    isOutage,
    ready,
    limits: {
      requestsPerMinute: config.rateLimitPerMinute,
      pointsPerMinute: config.pointsPerMinute,
      failuresPerMinute: config.authFailuresPerMinute,
      inFlight: Math.ceil(config.maxInFlight / config.workers),
      overloadWaitMs: config.overloadWaitMs,
      lameDuckMs: config.lameDuckMs,
    },
    trustProxy: [...config.trustedProxies],
    corsOrigins: config.corsOrigins,
    log,
    logSampleEvery: config.logSampleEvery,
    spendingLink: options.spendingLink,
    beginSpan: traces?.begin,
  })
}

function reportSchema(log: FastifyBaseLogger, fault: string | undefined): void {
  if (fault === undefined) log.info({ event: 'schema.usable' }, 'the schema of the database is usable again')
  else
    log.error(
      { event: 'schema.unusable', fault },
      'the service is not ready: this version cannot use the database',
    )
}

/** The scan events door, if there is a settings file. A carrier may get its event secret at a reload. */
function scanEventsDoor(
  ports: Ports,
  { carriersFile }: Config,
  { eventSecretOf }: ConfiguredCarriers,
): FastifyPluginAsync[] {
  return carriersFile === undefined ? [] : [carrierEventsDoor(ports, eventSecretOf)]
}

async function listen(server: FastifyInstance, config: Config): Promise<string> {
  const { host, port, listenBacklog: backlog } = config
  // For "localhost" Fastify would open a second server on ::1, without the handlers of the first.
  const address = new URL(
    await server.listen({ host: host === 'localhost' ? LOOPBACK : host, port, backlog }),
  )
  // Clients cannot call every address that a socket can be bound to, such as 0.0.0.0.
  if ([LOOPBACK, 'localhost', '0.0.0.0', '::'].includes(host)) address.hostname = 'localhost'
  return address.origin
}

async function openClassifier(
  { classifier }: Config,
  reportFault: (error: unknown) => void,
): Promise<Classifier> {
  const shipped = rememberCandidates(compiledClassifier(loadLexicon()))
  const codes = readHs2022Codes()
  return classifier === undefined
    ? shipped
    : moduleClassifier(classifier.path, shipped, {
        timeoutMs: classifier.timeoutMs,
        isCode: (code) => codes.has(code),
        reportFault,
      })
}

/** Throws ManifestError. */
function graphql(ports: Ports, config: Config, restoreDemo: () => Promise<void>) {
  const { introspection, compiledQueries, playground, demoData, trustedDocuments } = config
  return graphqlDoor({
    ...{ ports, introspection, compiledQueries },
    ...(playground && {
      playground: {
        ...(demoData && {
          demoCredentials: DEMO_CREDENTIALS,
          demoReset: { accountId: DEMO_ACCOUNT, run: restoreDemo },
        }),
        trustedDocumentsOnly: trustedDocuments?.isExclusive ?? false,
      },
    }),
    trustedDocuments:
      trustedDocuments &&
      readTrustedDocuments(trustedDocuments.path, {
        isExclusive: trustedDocuments.isExclusive,
        introspection,
      }),
    isOutage,
    logFault: (error, request) => logFault(error, request, isOutage),
  })
}

const DATABASE_CLOSE_MS = 3_000

async function closeOpened({ followers, databases }: Opened): Promise<void> {
  const close = async (): Promise<void> => {
    await Promise.all(followers.map((follower) => follower.close()))
    await Promise.all(databases.map((db) => db.destroy()))
  }
  // Reading whole tables from a database that does not respond may take a minute.
  await withTimeout(close(), DATABASE_CLOSE_MS, () => undefined)
}
