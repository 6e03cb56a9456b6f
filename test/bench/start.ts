/**
 * Measures starts of the built service with the embedded database: a first start, then restarts. Prints the time and
 * the processor time until the service is ready, and the memory at rest. Run it on a quiet machine, after `npm run
 * build`. `npm run bench:start -- --source` starts from `src` instead.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { makeThrowAwayFolder } from '../support/app/throw-away-folder.ts'
import { percentile } from './percentile.ts'

const RESTARTS = 5
const REST_MS = 5_000
const TICKS_PER_SECOND = 100

type Start = { readonly readyMs: number; readonly cpuMs: number; readonly restMb: number }

const root = new URL('../..', import.meta.url).pathname
const program = process.argv.includes('--source') ? ['--import', 'tsx', 'src/main.ts'] : ['dist/main.js']
if (!existsSync(join(root, program.at(-1)!))) {
  console.error('run `npm run build` first')
  process.exit(2)
}
const folder = makeThrowAwayFolder()
try {
  const first = await start()
  print('first start', first)
  const restarts: Start[] = []
  for (let nth = 0; nth < RESTARTS; nth++) restarts.push(await start())
  const median = (field: keyof Start): number =>
    percentile(
      restarts.map((run) => run[field]),
      0.5,
    )
  const restart = { readyMs: median('readyMs'), cpuMs: median('cpuMs'), restMb: median('restMb') }
  print(`restart (median of ${RESTARTS})`, restart)
  console.log(
    JSON.stringify({
      first_start_ms: Math.round(first.readyMs),
      restart_ms: Math.round(restart.readyMs),
      restart_cpu_ms: restart.cpuMs,
      rest_mb: Math.round(restart.restMb),
    }),
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function print(name: string, { readyMs, cpuMs, restMb }: Start): void {
  console.log(
    `${name}: ready after ${(readyMs / 1000).toFixed(2)} s (${(cpuMs / 1000).toFixed(2)} s of processor time), ${restMb.toFixed(0)} MB at rest`,
  )
}

/** Starts the service, waits until it is ready and at rest, and stops it. Processor time excludes PostgreSQL. */
async function start(): Promise<Start> {
  const from = performance.now()
  const service = spawn(process.execPath, program, {
    cwd: root,
    env: { ...process.env, DATA_DIR: join(folder, 'data'), PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await ready(service)
  const readyMs = performance.now() - from
  const cpuMs = cpuTicks(service.pid!) * (1000 / TICKS_PER_SECOND)
  await delay(REST_MS)
  const restMb = residentMb(service.pid!)
  const ended = new Promise((resolve) => service.once('exit', resolve))
  service.kill('SIGTERM')
  await ended
  return { readyMs, cpuMs, restMb }
}

function ready(service: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    service.stdout!.on('data', (chunk) => {
      text += chunk
      if (text.includes('Waybill is ready')) resolve()
    })
    service.once('exit', (code) => reject(new Error(`the service ended with code ${code}: ${text}`)))
  })
}

/** User and system time from /proc, in ticks. */
function cpuTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return Number(fields[11]) + Number(fields[12])
}

function residentMb(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Number(kilobytes) / 1024
}
