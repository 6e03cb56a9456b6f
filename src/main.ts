/** Starts the service: reads the configuration, opens the app, prints the welcome text, and shuts down on SIGTERM or SIGINT. */
import { type App, openApp } from './app.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { welcome } from './welcome.ts'

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
