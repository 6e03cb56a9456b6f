/** Starts the service: reads the configuration, opens the app, prints the welcome text, and shuts down on SIGTERM or SIGINT. */
import { type App, openApp } from './app.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { DEMO_CREDENTIALS } from './store/demo/accounts.ts'

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

let app: App | undefined
let stopping = false
const starting = new AbortController()

try {
  const config = readConfig()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(0))
  app = await openApp(config, {
    signal: starting.signal,
    onDatabaseLost: (reason) => fail(`The embedded database stopped: ${reason}`),
  })
  await start(app, config)
} catch (error) {
  // A signal ended the wait for the database.
  if (error === starting.signal.reason) process.exit()
  fail(error instanceof ConfigError ? error.message : `Waybill could not start: ${reasonOf(error)}`)
}

async function start(opened: App, config: Config): Promise<void> {
  // A signal arrived while the app was opening.
  if (stopping) return opened.close()
  const origin = await opened.listen()
  process.stdout.write(welcome(origin, opened.database, config))
}

/** Shuts down gracefully. A second signal ends the process immediately. */
function stop(exitCode: number): void {
  if (stopping) process.exit(1)
  stopping = true
  process.exitCode = exitCode
  starting.abort()
  app
    ?.close()
    // A connection to a database that does not respond would keep the process alive.
    .then(() => setTimeout(() => process.exit(), 1_000).unref())
    .catch((error) => fail(`Waybill did not stop cleanly: ${reasonOf(error)}`))
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`)
  if (app === undefined || stopping) process.exit(1)
  stop(1)
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * The text that the service prints after it has started: its URLs and, with demo data, commands to try. `origin` is the
 * URL of the service, such as "http://localhost:4000".
 */
function welcome(origin: string, database: string, config: Config): string {
  const rest = `${origin}/partners-api/v1`
  const lines = [
    '',
    `  Waybill is ready. Database: ${database}.`,
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
