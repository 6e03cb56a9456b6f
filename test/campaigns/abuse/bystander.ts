/**
 * The partner `bravo`, which sends small requests at a steady rate, and a client that polls the health
 * checks. They run in a separate process, so that the attacker's work does not delay their clock.
 */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { programArguments } from '../../support/app/compiled-programs.ts'
import { removeAtTheEnd } from '../scratch-database.ts'
import { plainEnvironment } from './service.ts'

/** Targets of the bystanders. */
export type BystanderOptions = {
  readonly port: number
  /** Values of X-PP-API, used in turn. */
  readonly keys: readonly string[]
  /** Drafts of that account, cancelled in turn and repeatedly. */
  readonly drafts: readonly string[]
  readonly perSecond: number
  /**
   * Whether a request that is refused as the documentation says (503 or 504 with Retry-After, or `/readyz` with 503) is
   * sent again until it is served. Set on a machine that may stall for a second: the service then gives up a statement
   * or a health check, whatever the attacker does.
   */
  readonly repeatsRefused: boolean
}

/** Results of one measurement. Times in milliseconds, from sending a request to the end of its answer. */
export type Sightings = {
  readonly requests: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** Failures of the partner's requests with their counts: `status 503`, `no answer`, … */
  readonly failures: Readonly<Record<string, number>>
  readonly healthPolls: number
  readonly healthMaxMs: number
  /** Failures of /healthz and /readyz. */
  readonly healthFailures: Readonly<Record<string, number>>
  /** The p99 of this process's own timer delays, which shows how busy the machine was. */
  readonly ownDelayP99Ms: number
}

/** Messages to the process. It answers `end` with Sightings. */
export type BystanderCommand = ({ readonly kind: 'begin' } & BystanderOptions) | { readonly kind: 'end' }

export type Bystander = {
  /** Sends requests while `work` runs, waits for the last answers, and returns the results. */
  watch(work: () => Promise<void>): Promise<Sightings>
  stop(): Promise<void>
}

export async function startBystander(options: BystanderOptions): Promise<Bystander> {
  const program = programArguments('test/campaigns/abuse/bystander-process.ts')
  const child = fork(program.at(-1)!, {
    execArgv: program.slice(0, -1),
    env: plainEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  })
  const stop = removeAtTheEnd(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  })
  await messageOf(child)
  return {
    async watch(work) {
      send(child, { kind: 'begin', ...options })
      try {
        await work()
      } finally {
        send(child, { kind: 'end' })
      }
      return (await messageOf(child)) as Sightings
    },
    stop,
  }
}

function send(child: ChildProcess, command: BystanderCommand): void {
  child.send(command)
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const exited = new AbortController()
  const fail = (): void => exited.abort(new Error('the process of the bystanders ended'))
  child.once('exit', fail)
  try {
    const [message] = await once(child, 'message', { signal: exited.signal })
    return message
  } finally {
    child.off('exit', fail)
  }
}
