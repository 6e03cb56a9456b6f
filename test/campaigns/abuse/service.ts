/**
 * The service in a separate process, as in production, with a bounded heap. If it dies, the death is recorded
 * and the service is restarted at the same port, as an orchestrator would do.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { programArguments } from '../../support/app/compiled-programs.ts'
import { removeAtTheEnd } from '../scratch-database.ts'
import { type LogWatch, watchLog } from './log-watch.ts'
import { cpuSeconds, mainThreadTimes, peakMemoryBytes, type ThreadTimes } from './process-figures.ts'

export type ServiceOptions = {
  /** `built`: dist/main.js, as in production. `source`: src/main.ts, without a build. */
  readonly program: 'built' | 'source'
  /** The checkout to run. Default: this one. */
  readonly folder?: string | undefined
  readonly databaseUrl: string
  /** Settings besides NODE_ENV=production. An empty value means the default. */
  readonly settings?: Readonly<Record<string, string>>
  /** Texts that must not appear in the log. */
  readonly secrets?: readonly string[]
}

export type Service = {
  readonly port: number
  readonly log: LogWatch
  /** The reason of each death. */
  deaths(): readonly string[]
  /** False after too many deaths; it is not restarted then. */
  isUsable(): boolean
  /** Waits until it answers. Throws if it does not start. */
  up(): Promise<void>
  /** Peak memory in bytes; 0 if the system does not report it. */
  peakMemoryBytes(): number
  /** CPU time so far in seconds; 0 if the system does not report it. */
  cpuSeconds(): number
  /** Of the running process. Undefined if the system does not report them. */
  mainThreadTimes(): ThreadTimes | undefined
  /** Stops it without a restart. */
  stop(): Promise<void>
}

const repository = path.resolve(import.meta.dirname, '../../..')
const HEAP_MB = 512
const MAX_DEATHS = 3
const START_MS = 60_000
const STOP_MS = 10_000
const SAMPLE_MS = 100
const MAX_STDERR = 4_000

/** A module that ends the service when its standard input closes, which happens when the campaign ends. */
const END_WITH_CAMPAIGN = `data:text/javascript,${encodeURIComponent(
  "process.stdin.resume().once('end', () => process.exit(1)); process.stdin.unref()",
)}`

/** The arguments that start the service or the operator's commands. */
export function argumentsFor(
  program: ServiceOptions['program'],
  file: 'main' | 'cli/waybill',
): readonly string[] {
  return program === 'built' ? [`dist/${file}.js`] : programArguments(`src/${file}.ts`)
}

/** The environment without the variables that configure Waybill, Node or a test run. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const configures =
    /^(WAYBILL_|NODE_|VITEST|PG|DATABASE_URL$|TEST_DATABASE_URL$|HOST$|PORT$|LOG_LEVEL$|DATA_DIR$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !configures.test(name)))
}

/** Starts the service and waits until it answers. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const port = await freePort()
  const log = watchLog(options.secrets ?? [])
  const deaths: string[] = []
  let peak = 0
  // The last reading of the running process, and the sum of the readings of dead processes.
  let cpu = 0
  let cpuOfDead = 0
  let stopping = false
  let running = launch(options, port, log)
  let ready = waitUntilReady(running)

  const watch = (started: Running): void => {
    started.child.once('exit', (code, signal) => {
      if (stopping) return
      deaths.push(reasonOf(code, signal, started.stderr()))
      cpuOfDead += cpu
      cpu = 0
      if (deaths.length >= MAX_DEATHS) return
      running = launch(options, port, log)
      ready = waitUntilReady(running)
      ready.catch(() => {})
      watch(running)
    })
  }
  watch(running)
  const sampling = setInterval(() => {
    peak = Math.max(peak, peakMemoryBytes(running.pid) ?? 0)
    cpu = cpuSeconds(running.pid) ?? cpu
  }, SAMPLE_MS)
  const stop = removeAtTheEnd(async () => {
    stopping = true
    clearInterval(sampling)
    await ended(running.child)
  })
  try {
    await ready
  } catch (error) {
    await stop()
    throw error
  }
  return {
    port,
    log,
    deaths: () => deaths,
    isUsable: () => deaths.length < MAX_DEATHS,
    up: () => ready,
    peakMemoryBytes: () => Math.max(peak, peakMemoryBytes(running.pid) ?? 0),
    cpuSeconds: () => cpuOfDead + (cpuSeconds(running.pid) ?? cpu),
    mainThreadTimes: () => mainThreadTimes(running.pid),
    stop,
  }
}

type Running = { readonly child: ChildProcess; readonly pid: number; stderr(): string }

function launch(
  { program, databaseUrl, folder = repository, settings = {} }: ServiceOptions,
  port: number,
  log: LogWatch,
): Running {
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB}`, '--import', END_WITH_CAMPAIGN, ...argumentsFor(program, 'main')],
    {
      cwd: folder,
      env: {
        ...plainEnvironment(),
        NODE_ENV: 'production',
        DATABASE_URL: databaseUrl,
        PORT: String(port),
        WAYBILL_LAME_DUCK_MS: '0',
        ...settings,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
      // Ctrl-C reaches only the campaign, which stops its processes in order.
      detached: true,
    },
  )
  let stderr = ''
  child.stdin?.on('error', () => {})
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => log.take(chunk))
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    stderr = (stderr + chunk).slice(-MAX_STDERR)
  })
  return { child, pid: child.pid ?? 0, stderr: () => stderr }
}

function waitUntilReady({ child, stderr }: Running): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    const timer = setTimeout(() => over(new Error(`the service did not start in time: ${output}`)), START_MS)
    const read = (chunk: string): void => {
      output += chunk
      if (/Waybill is ready.*\n/.test(output)) over()
    }
    const exited = (code: number | null): void =>
      over(new Error(`the service ended with ${code}: ${stderr() || output}`))
    const over = (error?: Error): void => {
      clearTimeout(timer)
      child.stdout?.off('data', read)
      child.off('exit', exited)
      if (error === undefined) resolve()
      else reject(error)
    }
    child.stdout?.on('data', read)
    child.once('exit', exited)
  })
}

function reasonOf(code: number | null, signal: NodeJS.Signals | null, stderr: string): string {
  const fatal = /FATAL ERROR: (.*)/.exec(stderr)?.[1]
  return `ended with ${signal ?? code}${fatal === undefined ? '' : `: ${fatal}`}`
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const killTimer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await gone
  clearTimeout(killTimer)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('no port is free')
  // The system does not reuse the port immediately.
  await pause(0)
  return address.port
}
