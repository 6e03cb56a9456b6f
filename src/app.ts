/**
 * The service put together: the only file that knows every room. `main.ts` opens it for real, tests open the
 * very same with a configuration of their own.
 */
import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { carrierEventsDoor } from './carrier-events/routes.ts'
import { carrierGateway } from './carriers/gateway.ts'
import { openCarriers, settingsFaults } from './carriers/registry.ts'
import { type CarriersSettings, readCarrierSettings } from './carriers/settings.ts'
import { lexiconClassifier } from './classifiers/lexicon-classifier.ts'
import { moduleClassifier } from './classifiers/module-classifier.ts'
import { type Config, describeConfig } from './config.ts'
import { graphqlDoor } from './graphql/plugin.ts'
import { logFault } from './http/faults.ts'
import { describeError, type LogOptions } from './http/log.ts'
import { buildServer } from './http/server.ts'
import { CANCEL_POLICY } from './operations/ask-carrier.ts'
import { settleBeforeShutdown } from './operations/cancel-shipment.ts'
import type { Classifier } from './operations/ports/engine.ts'
import { openInFlight } from './operations/ports/in-flight.ts'
import { type Alert, type Clock, type Ports, SYSTEM_EFFECTS } from './operations/ports/ports.ts'
import { OVERDUE_MS, type Sweeper, startSweeper } from './operations/sweep.ts'
import { readHs2022Codes } from './reference/customs.ts'
import { readLexicon } from './reference/lexicon-reader/lexicon.ts'
import { restDoor } from './rest/routes.ts'
import { openCredentialStore, secretMatcher } from './store/accounts/credentials.ts'
import { loadCustomsData, openLiveCustoms } from './store/customs/customs.ts'
import type { Database } from './store/database/database.ts'
import { type DatabaseHome, openDatabaseHome } from './store/database/database-home.ts'
import { migrate } from './store/database/migrate.ts'
import { durabilityFaults, openDatabase } from './store/database/open.ts'
import { isOutage } from './store/database/outage.ts'
import { DEMO_CREDENTIALS } from './store/demo/accounts.ts'
import { markProductionUse, seedDemo } from './store/demo/reset.ts'
import { type LiveRateBook, openLiveRateBook } from './store/rate-cards/rate-book.ts'
import { recoveryStore } from './store/shipments/recovery.ts'
import { shipmentStore } from './store/shipments/shipments.ts'
import { trackingStore } from './store/shipments/tracking.ts'

/** A service that is ready to listen. */
export type App = {
  /** Fastify's instance, for tests that inject requests. */
  readonly server: FastifyInstance
  /** Where its data is, for people. */
  readonly database: string
  /** Opens the socket; answers the origin to call it at from this machine, such as "http://localhost:4000". */
  listen(): Promise<string>
  /** Stops as drain.ts describes, settles running cancellations, closes the database. Safe to call again. */
  close(): Promise<void>
}

/** What tests replace; the service runs with none of it. */
export type AppOptions = {
  readonly clock?: Clock
  readonly log?: LogOptions
  /** A database that is there already, in place of the configured one. */
  readonly database?: DatabaseHome
  /** Puts something around the ports, such as faults. */
  readonly wrapPorts?: (ports: Ports) => Ports
  /** Told when the embedded database dies under the service. */
  onDatabaseLost?(reason: string): void
}

const LOOPBACK = '127.0.0.1'

/** Opens everything a configuration names: database (migrated, reference data loaded), doors, socket. */
export async function openApp(config: Config, options: AppOptions = {}): Promise<App> {
  const home = options.database ?? (await openDatabaseHome(config, options.onDatabaseLost))
  try {
    await prepareDatabase(config, home)
    return await openOn(home, config, options)
  } catch (error) {
    await home.close()
    throw error
  }
}

/** Schema and data, on a connection without the service's time limits. */
async function prepareDatabase(config: Config, { source, replacement }: DatabaseHome): Promise<void> {
  await migrate(source, { replacement })
  const db = openDatabase(source, { poolSize: 2, statementTimeoutMs: 0, idleInTransactionMs: 0 })
  try {
    await loadCustomsData(db)
    if (config.demoData) await seedDemo(db)
    if (config.production) await markProductionUse(db)
  } finally {
    await db.destroy()
  }
}

async function openOn(home: DatabaseHome, config: Config, options: AppOptions): Promise<App> {
  const db = openDatabase(home.source, {
    namedStatements: config.namedStatements,
    onConnectionLost: (error) => log?.warn({ error: describeError(error, []) }, 'a connection was lost'),
  })
  // The first connections are made before there is a log to write to.
  let log: FastifyInstance['log'] | undefined
  const follow = (what: string) => ({
    source: home.source,
    listen: config.listen,
    pollMs: config.rateBookPollMs,
    onFault: (error: unknown) =>
      log?.warn({ error: describeError(error, []) }, `${what} could not be followed; what was there stays`),
  })
  const rateBook = await openLiveRateBook({
    ...follow('the rate book'),
    db,
    historyDays: config.rateHistoryDays,
    onSwap: ({ revision }) => log?.info({ revision }, 'the rate book was swapped'),
  })
  const customs = await openLiveCustoms(db, {
    ...follow('the customs tables'),
    onSwap: (revision) => log?.info({ revision }, 'the customs tables were swapped'),
  })
  const reportFault = (error: unknown): void =>
    isOutage(error)
      ? server.log.warn({ error: describeError(error, []) }, 'something an operation needs is out of reach')
      : server.log.error({ error: describeError(error, []) }, 'an operation failed')
  const alert = (told: Alert): void => server.log.error({ alert: told }, 'somebody has to look at this')
  const settings = carrierSettingsOf(config, rateBook)
  const bare: Ports = {
    ...(await openPorts(db, config, rateBook, settings, alert)),
    ...SYSTEM_EFFECTS,
    ...(options.clock !== undefined && { clock: options.clock }),
    inFlight: openInFlight(),
    reference: { rateBook: rateBook.current, customsTables: customs.current },
    classifier: await openClassifier(config, reportFault),
    reportFault,
    alert,
  }
  const ports = options.wrapPorts?.(bare) ?? bare
  const server = openServer(ports, db, config, settings, options.log)
  log = server.log
  log.info({ config: describeConfig(config) }, 'configured')
  for (const weakness of await durabilityFaults(db)) log.warn(weakness)
  const sweeper = startSweeper(ports, {
    ...CANCEL_POLICY,
    trackEveryMs: config.trackMinutes * 60_000,
    overdueMs: OVERDUE_MS,
  })
  let listening: Promise<string> | undefined
  let closed: Promise<void> | undefined
  return {
    server,
    database: home.description,
    listen: () => {
      listening ??= listen(server, config)
      return listening
    },
    close: async () => {
      // A server that is closed while it opens its socket would go on listening.
      await listening?.catch(() => {})
      closed ??= closeAll(server, ports, sweeper, [rateBook, customs], db, home)
      return closed
    },
  }
}

/** The socket with all its doors. */
function openServer(
  ports: Ports,
  db: Kysely<Database>,
  config: Config,
  settings: CarriersSettings,
  log: LogOptions | undefined,
): FastifyInstance {
  return buildServer({
    ports,
    doors: [restDoor(ports), graphql(ports, config), ...eventsDoor(ports, settings)],
    isOutage,
    ready: () => isReady(db),
    limits: {
      requestsPerMinute: config.rateLimitPerMinute,
      pointsPerMinute: config.pointsPerMinute,
      failuresPerMinute: config.authFailuresPerMinute,
      inFlight: config.maxInFlight,
      lameDuckMs: config.lameDuckMs,
    },
    trustProxy: [...config.trustedProxies],
    log: log ?? { level: config.logLevel },
  })
}

/** No door where no carrier has a secret to sign with. */
function eventsDoor(ports: Ports, settings: CarriersSettings): FastifyPluginAsync[] {
  if (![...settings.values()].some(({ eventSecret }) => eventSecret !== undefined)) return []
  return [carrierEventsDoor(ports, (carrierCode) => settings.get(carrierCode)?.eventSecret)]
}

async function listen(server: FastifyInstance, { host, port }: Config): Promise<string> {
  // For "localhost" Fastify would open a second server on ::1, without the handlers of the first.
  const address = new URL(await server.listen({ host: host === 'localhost' ? LOOPBACK : host, port }))
  // What the socket is bound to (all addresses, say) is not always what one can call.
  if ([LOOPBACK, 'localhost', '0.0.0.0', '::'].includes(host)) address.hostname = 'localhost'
  return address.origin
}

/** Refuses to start with settings that no carrier can be asked with. */
function carrierSettingsOf({ carriersFile }: Config, rateBook: LiveRateBook): CarriersSettings {
  const settings: CarriersSettings =
    carriersFile === undefined ? new Map() : readCarrierSettings(carriersFile)
  const { connectors } = rateBook.current()
  const faults = settingsFaults((code) => connectors.get(code), settings)
  if (faults.length > 0) throw new Error(`the carriers' settings were refused:\n  ${faults.join('\n  ')}`)
  return settings
}

async function openPorts(
  db: Kysely<Database>,
  { sandboxUrl, demoData }: Config,
  rateBook: LiveRateBook,
  settings: CarriersSettings,
  alert: (alert: Alert) => void,
): Promise<Pick<Ports, 'credentials' | 'secrets' | 'shipments' | 'recovery' | 'tracking' | 'carriers'>> {
  const owner = randomUUID()
  const connectorNameOf = (code: string) => rateBook.current().connectors.get(code)
  return {
    credentials: await openCredentialStore(db, { allowDemoKeys: demoData }),
    secrets: secretMatcher,
    shipments: shipmentStore(db, owner),
    recovery: recoveryStore(db, owner),
    tracking: trackingStore(db),
    carriers: carrierGateway(openCarriers(connectorNameOf, { sandboxUrl, settings }), { alert }),
  }
}

async function openClassifier(
  { classifier }: Config,
  reportFault: (error: unknown) => void,
): Promise<Classifier> {
  const shipped = lexiconClassifier(readLexicon())
  const codes = readHs2022Codes()
  return classifier === undefined
    ? shipped
    : moduleClassifier(classifier.path, shipped, {
        timeoutMs: classifier.timeoutMs,
        isCode: (code) => codes.has(code),
        reportFault,
      })
}

function graphql(ports: Ports, { introspection, playground, demoData }: Config) {
  return graphqlDoor({
    ports,
    introspection,
    ...(playground && { playground: demoData ? { demoCredentials: DEMO_CREDENTIALS } : {} }),
    isOutage,
    logFault: (error, request) => logFault(error, request, isOutage),
  })
}

async function isReady(db: Kysely<Database>): Promise<boolean> {
  await sql`select 1`.execute(db)
  return true
}

async function closeAll(
  server: FastifyInstance,
  ports: Ports,
  sweeper: Sweeper,
  followed: readonly { close(): Promise<void> }[],
  db: Kysely<Database>,
  home: DatabaseHome,
): Promise<void> {
  try {
    // The other replicas sweep on; what this one has begun is settled below.
    await sweeper.stop()
    await server.drain()
    await settleBeforeShutdown(ports, CANCEL_POLICY.deadlineMs)
    for (const live of followed) await live.close()
  } finally {
    await db.destroy()
    await home.close()
  }
}
