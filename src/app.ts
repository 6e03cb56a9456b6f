/**
 * The service put together: the only file that knows every room. `main.ts` opens it for real, tests open the
 * very same with a configuration of their own.
 */
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { Connector } from './carriers/connector.ts'
import { carrierGateway } from './carriers/gateway.ts'
import { sandboxCarrier } from './carriers/sandbox.ts'
import { lexiconClassifier } from './classifiers/lexicon-classifier.ts'
import { moduleClassifier } from './classifiers/module-classifier.ts'
import { type Config, describeConfig } from './config.ts'
import { type ConnectorName, isConnectorName } from './core/shipments/connector-names.ts'
import { graphqlDoor } from './graphql/plugin.ts'
import { logFault } from './http/errors.ts'
import { describeError, type LogOptions } from './http/log.ts'
import { buildServer } from './http/server.ts'
import { CANCEL_TERMS, settleBeforeShutdown } from './operations/cancel-shipment.ts'
import type { Classifier, Clock, Ports } from './operations/ports.ts'
import { readHs2022Codes } from './reference/hs-codes.ts'
import { readLexicon } from './reference/lexicon.ts'
import { restDoor } from './rest/routes.ts'
import { openCredentialStore, secretMatcher } from './store/credentials.ts'
import { loadCustomsReference } from './store/customs.ts'
import type { Database } from './store/database.ts'
import { type DatabaseHome, openDatabaseHome } from './store/database-home.ts'
import { DEMO_CREDENTIALS, demoSecretsPresent } from './store/demo/accounts.ts'
import { seedDemo } from './store/demo/reset.ts'
import { type LiveCustoms, openLiveCustoms } from './store/live-customs.ts'
import { type LiveRateBook, openLiveRateBook } from './store/live-rate-book.ts'
import { migrate } from './store/migrate.ts'
import { openDatabase } from './store/open.ts'
import { isOutage } from './store/outage.ts'
import { shipmentStore } from './store/shipments.ts'

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
async function prepareDatabase(config: Config, { source }: DatabaseHome): Promise<void> {
  await migrate(source)
  const db = openDatabase(source, { poolSize: 2, statementTimeoutMs: 0, idleInTransactionMs: 0 })
  try {
    await loadCustomsReference(db)
    if (config.demoData) await seedDemo(db)
    if (config.production && (await demoSecretsPresent(db)))
      throw new Error('the database holds the demo accounts, whose secrets are public: production refuses it')
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
    server.log.error({ error: describeError(error, []) }, 'an operation failed')
  const ports: Ports = {
    ...openPorts(db, rateBook, customs, options.clock ?? (() => new Date())),
    classifier: await openClassifier(config, reportFault),
    reportFault,
  }
  const server = buildServer({
    ports,
    doors: [restDoor(ports), graphql(ports, config)],
    isOutage,
    ready: () => isReady(db),
    limits: {
      requestsPerMinute: config.rateLimitPerMinute,
      failuresPerMinute: config.authFailuresPerMinute,
      inFlight: config.maxInFlight,
      lameDuckMs: config.lameDuckMs,
    },
    trustProxy: [...config.trustedProxies],
    log: options.log ?? { level: config.logLevel },
  })
  log = server.log
  log.info({ config: describeConfig(config) }, 'configured')
  let closed: Promise<void> | undefined
  return {
    server,
    database: home.description,
    listen: () => listen(server, config),
    close: () => {
      closed ??= closeAll(server, ports, [rateBook, customs], db, home)
      return closed
    },
  }
}

async function listen(server: FastifyInstance, { host, port }: Config): Promise<string> {
  // For "localhost" Fastify would open a second server on ::1, without the handlers of the first.
  const address = new URL(await server.listen({ host: host === 'localhost' ? LOOPBACK : host, port }))
  // What the socket is bound to (all addresses, say) is not always what one can call.
  if ([LOOPBACK, 'localhost', '0.0.0.0', '::'].includes(host)) address.hostname = 'localhost'
  return address.origin
}

function openPorts(
  db: Kysely<Database>,
  rateBook: LiveRateBook,
  customs: LiveCustoms,
  clock: Clock,
): Omit<Ports, 'classifier' | 'reportFault'> {
  const connectors: Readonly<Record<ConnectorName, Connector>> = { sandbox: sandboxCarrier() }
  return {
    clock,
    reference: { rateBook: rateBook.current, customsTables: customs.current },
    credentials: openCredentialStore(db),
    secrets: secretMatcher,
    shipments: shipmentStore(db),
    carriers: carrierGateway((carrierCode) => {
      const name = rateBook.current().connectors.get(carrierCode)
      return name !== undefined && isConnectorName(name) ? connectors[name] : undefined
    }),
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

function graphql(ports: Ports, { production, introspection, playground, demoData }: Config) {
  return graphqlDoor({
    ports,
    production,
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
  followed: readonly { close(): Promise<void> }[],
  db: Kysely<Database>,
  home: DatabaseHome,
): Promise<void> {
  try {
    await server.drain()
    await settleBeforeShutdown(ports, CANCEL_TERMS.deadlineMs)
    for (const live of followed) await live.close()
  } finally {
    await db.destroy()
    await home.close()
  }
}
