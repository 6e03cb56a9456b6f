/** Starts the service in production mode in its own process, with a probe that reports memory and event-loop delays. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { mainThreadTimes, type ThreadTimes } from '../../campaigns/abuse/process-figures.ts'
import { argumentsFor, plainEnvironment, type ServiceOptions } from '../../campaigns/abuse/service.ts'
import { removeAtTheEnd } from '../../campaigns/scratch-database.ts'

const repository = path.resolve(import.meta.dirname, '../../..')
const MAX_OUTPUT = 20_000
const MAX_WARNINGS = 20
const WARNING = /"level":"?([456]0|warn|error|fatal)|overload/

/** Bytes after a full collection. */
export type Memory = { readonly heapUsed: number; readonly external: number; readonly rss: number }

/** Milliseconds. */
export type Delays = Delay & {
  /** Without the time that the main thread waited for a processor. */
  readonly adjusted: Delay
  readonly collections: Collections
}

/** Pauses of the main thread for garbage collection, in milliseconds. */
export type Collections = { readonly count: number; readonly totalMs: number; readonly maxMs: number }

type Delay = { readonly p50: number; readonly p99: number; readonly max: number }

export type MeasuredService = {
  readonly port: number
  memory(): Promise<Memory>
  /** Event-loop delays and garbage collections since the last call. */
  delays(): Promise<Delays>
  /** Begins to sample allocations. */
  startHeapProfile(): Promise<void>
  /** The functions that allocated the memory that is still in use, largest first. Ends the sampling. */
  heapProfile(): Promise<readonly string[]>
  /** The first warnings and errors of the log. */
  warnings(): readonly string[]
  /** From now on, the service keeps 1 KB for each request. */
  leak(): Promise<void>
  /** Of the main thread. Undefined if the system does not report them. */
  threadTimes(): ThreadTimes | undefined
  stop(): Promise<void>
}

/** Limits are so high that no request is refused because of its account. `core`: the only core that it runs on. */
export async function startMeasuredService(
  { program, databaseUrl, folder = repository, settings = {} }: Omit<ServiceOptions, 'secrets'>,
  nodeArguments: readonly string[] = [],
  core?: number,
): Promise<MeasuredService> {
  const probe = path.join(repository, 'test/bench/service/probe.mjs')
  const pinned = core === undefined ? [] : ['taskset', '-c', String(core)]
  const [command = '', ...args] = [
    ...[...pinned, process.execPath, ...nodeArguments],
    ...['--import', probe, ...argumentsFor(program, 'main')],
  ]
  const child = spawn(command, args, {
    cwd: folder,
    env: {
      ...plainEnvironment(),
      ...{ NODE_ENV: 'production', DATABASE_URL: databaseUrl, PORT: '0', WAYBILL_LAME_DUCK_MS: '0' },
      ...{ WAYBILL_RATE_LIMIT_PER_MINUTE: '1000000', WAYBILL_POINTS_PER_MINUTE: '100000000' },
      ...{ WAYBILL_OVERLOAD_WAIT_MS: '60000', WAYBILL_TRACK_MINUTES: '0' },
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const stop = removeAtTheEnd(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    const killTimer = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await gone
    clearTimeout(killTimer)
  })
  const warnings: string[] = []
  const port = await portOf(child, warnings)
  const pid = child.pid ?? 0
  return {
    port,
    memory: () => ask<Memory>(child, 'memory'),
    delays: () => ask<Delays>(child, 'delays'),
    startHeapProfile: async () => void (await ask(child, 'profile')),
    heapProfile: () => ask<string[]>(child, 'profiled'),
    warnings: () => warnings,
    leak: async () => void (await ask(child, 'leak')),
    threadTimes: () => mainThreadTimes(pid),
    stop,
  }
}

/** One question at a time. */
async function ask<Answer>(child: ChildProcess, question: string): Promise<Answer> {
  if (!child.connected) throw new Error('the service has ended')
  const answer = once(child, 'message')
  child.send(question)
  const [message] = await answer
  return message as Answer
}

/** Adds warnings of the log to `warnings`. */
function portOf(child: ChildProcess, warnings: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${output}`)))
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      for (const line of chunk.split('\n'))
        if (warnings.length < MAX_WARNINGS && WARNING.test(line)) warnings.push(line)
      // The log is read to the end, so that the service never waits for its output.
      if (output.length > MAX_OUTPUT) return
      output += chunk
      const found = /Waybill is ready[\s\S]*?http:\/\/localhost:(\d+)/.exec(output)
      if (found !== null) resolve(Number(found[1]))
    })
  })
}
