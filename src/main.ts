/**
 * Starts the service: reads the configuration, opens the app, says that it is ready, and shuts down on SIGTERM or
 * SIGINT. SIGHUP reads the settings file of the carriers again.
 */
import { openApp } from './app/app.ts'
import { type Config, ConfigError, readConfig } from './config/config.ts'
import { joinDatabaseHome } from './store/database/database-home.ts'
import { DEMO_CREDENTIALS } from './store/demo/accounts.ts'
import { VERSION } from './version.ts'
import {
  acceptedCarriers,
  announceReady,
  onReloadMessage,
  onStopMessage,
  openSpendingLink,
  shareMetricsWithPrimary,
  startWorkers,
  workerNumber,
} from './workers.ts'

const PARCEL = {
  parcels: [{ type: 'NONDOC', weight: '5.0', length: 40, width: 30, height: 20, count: 1 }],
  fromCountry: 'NL',
  toCountry: 'ES',
  recipientType: 'business',
}
const GOODS = {
  contentItems: [{ description: "men's cotton t-shirt", numberOfItems: 5, cost: 40, tariff: '610910' }],
  fromCountry: 'US',
  toCountry: 'NL',
}

/** The app, or in a primary process its workers. */
let service: { close(): Promise<void>; reloadCarriers(tests?: boolean): void } | undefined
/** Set if a signal to reload arrived before the service was open. */
let dueReload: { readonly tests: boolean } | undefined
let stopping = false
const starting = new AbortController()

try {
  const config = readConfig()
  const worker = workerNumber()
  process.on('SIGTERM', () => stop(0))
  // A terminal sends SIGINT to all processes. A worker is stopped by the primary process.
  process.on('SIGINT', () => worker === undefined && stop(0))
  // Without a settings file, a closed terminal ends the service as usual. Workers are told by the primary process.
  if (config.carriersFile !== undefined) process.on('SIGHUP', () => worker === undefined && reloadCarriers())
  if (worker !== undefined) await serveAsWorker(config, worker)
  else if (config.workers > 1) await servePrimary(config)
  else await serve(config)
} catch (error) {
  // A signal ended the wait for the database.
  if (error === starting.signal.reason) process.exit()
  fail(error instanceof ConfigError ? error.message : `Waybill could not start: ${reasonOf(error)}`)
}

async function serve(config: Config): Promise<void> {
  const app = await openApp(config, { signal: starting.signal, onDatabaseLost })
  service = app
  // A signal arrived while the app was opening.
  if (stopping) return closeService()
  if (dueReload !== undefined) reloadCarriers(dueReload.tests)
  sayReady(await app.listen(), app.database, config)
}

async function servePrimary(config: Config): Promise<void> {
  const workers = await startWorkers(config, onDatabaseLost)
  service = workers
  if (stopping) return closeService()
  if (dueReload !== undefined) reloadCarriers(dueReload.tests)
  sayReady(workers.origin, workers.database, config)
}

async function serveAsWorker(config: Config, worker: number): Promise<void> {
  onStopMessage(() => {
    if (!stopping) stop(0)
  })
  onReloadMessage(reloadCarriers)
  const app = await openApp(config, {
    database: await joinDatabaseHome(config),
    log: { level: config.logLevel, worker },
    spendingLink: openSpendingLink(),
    shareMetrics: shareMetricsWithPrimary,
    testsCarriers: worker === 1,
    acceptedCarriers: await acceptedCarriers(),
    signal: starting.signal,
  })
  service = app
  if (stopping) return closeService()
  if (dueReload !== undefined) reloadCarriers(dueReload.tests)
  announceReady(await app.listen(), app.database)
}

function onDatabaseLost(reason: string): void {
  fail(`The embedded database stopped: ${reason}`)
}

function reloadCarriers(tests = true): void {
  dueReload = service === undefined ? { tests } : undefined
  service?.reloadCarriers(tests)
}

/** Shuts down gracefully. A second signal ends the process immediately. */
function stop(exitCode: number): void {
  if (stopping) process.exit(1)
  stopping = true
  process.exitCode = exitCode
  starting.abort()
  void closeService()
}

async function closeService(): Promise<void> {
  if (service === undefined) return
  try {
    await service.close()
    // The channel to the primary process would keep a worker alive.
    if (process.connected) process.disconnect()
    // So would a connection to a database that does not respond.
    setTimeout(() => process.exit(), 1_000).unref()
  } catch (error) {
    fail(`Waybill did not stop cleanly: ${reasonOf(error)}`)
  }
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`)
  if (service === undefined || stopping) process.exit(1)
  stop(1)
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** In production, standard output is read by programs, so it gets a line like those of the log, on every log level. */
function sayReady(origin: string, database: string, config: Config): void {
  const line = {
    level: 'info',
    time: new Date(),
    event: 'service.ready',
    msg: 'Waybill is ready',
    version: VERSION,
    origin,
    database,
  }
  process.stdout.write(config.production ? `${JSON.stringify(line)}\n` : welcome(origin, database, config))
}

/**
 * The text that the service prints after it has started, outside production: its URLs and, with demo data, commands to
 * try. `origin` is the URL of the service, such as "http://localhost:4000".
 */
function welcome(origin: string, database: string, config: Config): string {
  const rest = `${origin}/partners-api/v1`
  const lines = [
    '',
    `  Waybill is ready. Version: ${VERSION}. Database: ${database}.`,
    '',
    `  Overview    ${origin}/`,
    ...(config.playground ? [`  Playground  ${origin}/graphql`] : []),
    `  GraphQL     ${origin}/graphql`,
    `  REST        ${rest}`,
    `  Health      ${origin}/healthz  ${origin}/readyz`,
    ...(config.demoData ? demoLines(rest) : []),
    '',
  ]
  return `${lines.join('\n')}\n`
}

function demoLines(rest: string): string[] {
  return [
    `  Demo key    X-PP-API: ${DEMO_CREDENTIALS}`,
    '',
    '  Rates:',
    `  ${curl(`${rest}/rates`, PARCEL)}`,
    '',
    '  Duties and taxes:',
    `  ${curl(`${rest}/duties-taxes-estimate`, GOODS)}`,
    '',
    '  Cancellation (npm run demo:reset restores the shipment):',
    `  ${curl(`${rest}/shipments/demo-booked/cancel`)}`,
  ]
}

function curl(url: string, body?: object): string {
  const json = body && JSON.stringify(body).replaceAll("'", "'\\''")
  const data = json === undefined ? '' : ` -d '${json}'`
  return `curl -s -X POST ${url} -H 'X-PP-API: ${DEMO_CREDENTIALS}' -H 'Content-Type: application/json'${data}`
}
