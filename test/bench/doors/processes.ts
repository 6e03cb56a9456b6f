/** Starts the contenders and the generator, each in its own process and, if `taskset` exists, pinned to a core. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import { plainEnvironment } from '../../campaigns/abuse/service.ts'
import { removeAtTheEnd } from '../../campaigns/scratch-database.ts'
import type { Load, Report } from './generator.ts'

const here = import.meta.dirname
const repository = path.resolve(here, '../../..')

/** Whether contenders run on one core and the generator on another. */
export const isPinned = os.availableParallelism() > 1 && hasTaskset()

const CONTENDER_CORE = 0
const GENERATOR_CORE = 1
export const ALL_CORES = null

export type Contender = {
  readonly port: number
  /** Whether no other process of the benchmark runs on its core. */
  readonly hasOwnCore: boolean
  /** CPU time of the process so far, in microseconds, in user mode and in the kernel. */
  cpuMicroseconds(): Promise<number>
}

/** A bare server with constant responses. */
export async function startBareServer(name: string, constants: object): Promise<Contender> {
  const child = start(
    CONTENDER_CORE,
    ['--import', path.join(here, 'probe.mjs'), path.join(here, 'contenders.mjs'), name],
    {
      NODE_ENV: 'production',
    },
  )
  child.stdout?.resume()
  const nextMessage = messagesFrom(child)
  // The module must have been loaded, otherwise the message is lost.
  await nextMessage()
  child.send(constants)
  const { port } = (await nextMessage()) as { port: number }
  return contender(child, nextMessage, port)
}

/** The build of Waybill in production mode. Its log goes to a pipe. `ALL_CORES` does not pin it. */
export async function startWaybill(
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
  folder = repository,
  core: number | null = CONTENDER_CORE,
): Promise<Contender> {
  const args = ['--import', path.join(here, 'probe.mjs'), path.join(folder, 'dist/main.js')]
  const child = start(core, args, {
    ...{ NODE_ENV: 'production', DATABASE_URL: databaseUrl, PORT: '0', WAYBILL_LAME_DUCK_MS: '0' },
    ...{ WAYBILL_RATE_LIMIT_PER_MINUTE: '1000000', WAYBILL_POINTS_PER_MINUTE: '100000000' },
    ...{ WAYBILL_OVERLOAD_WAIT_MS: '60000', WAYBILL_TRACK_MINUTES: '0' },
    ...settings,
  })
  const nextMessage = messagesFrom(child)
  let output = ''
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`Waybill did not start: ${output}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      if (output.length > 100_000) return
      output += chunk.toString()
      const found = /Waybill is ready[\s\S]*?http:\/\/localhost:(\d+)/.exec(output)
      if (found !== null) resolve(Number(found[1]))
    })
  })
  return contender(child, nextMessage, port, core)
}

function contender(
  child: ChildProcess,
  nextMessage: () => Promise<unknown>,
  port: number,
  core: number | null = CONTENDER_CORE,
): Contender {
  return {
    port,
    hasOwnCore: isPinned && core !== null,
    cpuMicroseconds: async () => {
      child.send('cpu')
      const { cpu } = (await nextMessage()) as { cpu: NodeJS.CpuUsage }
      return cpu.user + cpu.system
    },
  }
}

export type Sample = {
  readonly requests: number
  readonly seconds: number
  readonly cpuMicroseconds: number
  /** Milliseconds. */
  readonly latencies: Readonly<Record<'p50' | 'p99' | 'p999', number>>
  readonly nextNumber: number
}

/** Returns the function that loads a contender and measures it. Throws if a response is not 200. */
export function startGenerator() {
  const child = start(GENERATOR_CORE, ['--import', 'tsx', path.join(here, 'generator.ts')], {})
  child.stdout?.resume()
  const nextMessage = messagesFrom(child)
  const nextReport = async (): Promise<Report> => {
    const report = (await nextMessage()) as Report
    if (report.kind === 'failed') throw new Error(report.reason)
    return report
  }
  return async (target: Contender, load: Omit<Load, 'port' | 'isAwake'>): Promise<Sample> => {
    child.send({ ...load, port: target.port, isAwake: target.hasOwnCore } satisfies Load)
    await nextReport()
    const before = await target.cpuMicroseconds()
    const end = await nextReport()
    const cpuMicroseconds = (await target.cpuMicroseconds()) - before
    const done = await nextReport()
    if (end.kind !== 'end' || done.kind !== 'done') throw new Error('the reports are out of order')
    const { requests, seconds } = end
    return { requests, seconds, cpuMicroseconds, latencies: done.latencies, nextNumber: done.nextNumber }
  }
}

function start(
  core: number | null,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): ChildProcess {
  const command = [process.execPath, ...args]
  const [program = '', ...rest] =
    isPinned && core !== null ? ['taskset', '-c', String(core), ...command] : command
  const child = spawn(program, rest, {
    cwd: repository,
    env: { ...plainEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  removeAtTheEnd(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  })
  return child
}

/**
 * Returns a function that resolves with the next message of the process, in order. Rejects if the process has ended.
 */
function messagesFrom(child: ChildProcess): () => Promise<unknown> {
  const received: unknown[] = []
  const waiting: { resolve(message: unknown): void; reject(error: Error): void }[] = []
  let ended: Error | undefined
  child.on('message', (message) => {
    const next = waiting.shift()
    if (next === undefined) received.push(message)
    else next.resolve(message)
  })
  child.once('exit', (code, signal) => {
    ended = new Error(`a process of the benchmark ended with ${code ?? signal}`)
    for (const { reject } of waiting.splice(0)) reject(ended)
  })
  return () =>
    new Promise((resolve, reject) => {
      if (received.length > 0) resolve(received.shift())
      else if (ended !== undefined) reject(ended)
      else waiting.push({ resolve, reject })
    })
}

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
