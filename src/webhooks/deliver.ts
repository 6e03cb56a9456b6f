/**
 * Delivers events to endpoints. A round claims endpoints that have new events, and delivers to all of them at the same
 * time. One endpoint gets its events one after the other, in their order: the next one after the previous is accepted.
 * So a slow or failing endpoint delays only itself. Replicas share the endpoints. See docs/webhooks.md.
 */
import type { EventLog } from '../operations/ports/events.ts'
import type { Ports } from '../operations/ports/ports.ts'
import type { ClaimedEndpoint, Delivery, WebhookAlert, WebhookStore } from '../operations/ports/webhooks.ts'
import { type SendOptions, sendEvent } from './send.ts'

export type WebhookPorts = Pick<Ports, 'clock' | 'random' | 'reportFault'> & {
  readonly events: EventLog
  readonly webhooks: WebhookStore
  readonly alert: (alert: WebhookAlert) => void
}

export type WebhookOptions = {
  readonly allowPrivate: boolean
  /** For how many days the log is kept. */
  readonly keptDays: number
  /** Default: ROUND_MS. */
  readonly roundMs?: number
  /** Default: 10 seconds. */
  readonly limitMs?: number
  /** For tests. */
  readonly lookup?: SendOptions['lookup']
}

export type WebhookRunner = {
  /** Starts no further deliveries. Resolves when the running ones have ended. */
  stop(): Promise<void>
}

const ROUND_MS = 1_000
/** Old entries of the log are removed in the first round, and then once in this many rounds. */
const ROUNDS_BETWEEN_REMOVALS = 30
const REMOVED_MAX = 10_000
const LIMIT_MS = 10_000
/** Endpoints that this process delivers to at the same time. */
const PARALLEL = 20
/** Longer than one delivery, its time limit and its statement included. */
const LEASE_MS = 30_000
const PAGE = 50
const GIVE_UP_AFTER_MS = 3 * 86_400_000

/** The pauses after failures in a row. The last one repeats. */
const PAUSES_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 10_800_000] as const

/** The pause after so many failures, up to a tenth longer, so that the tries of many endpoints spread. */
export function pauseMs(failures: number, random: number): number {
  const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? PAUSES_MS[0]
  return Math.round(pause * (1 + random / 10))
}

export function startWebhooks(ports: WebhookPorts, options: WebhookOptions): WebhookRunner {
  const running = new Set<Promise<void>>()
  let stopped = false
  let failing = false
  let rounds = 0
  let timer: NodeJS.Timeout
  let round: Promise<void> = Promise.resolve()
  const isStopped = (): boolean => stopped

  const runRound = async (): Promise<void> => {
    try {
      const room = PARALLEL - running.size
      const claimed = room > 0 ? await ports.webhooks.claim(room, LEASE_MS) : []
      for (const endpoint of claimed) {
        const work = deliverTo(ports, endpoint, options, isStopped)
          .catch(ports.reportFault)
          .finally(() => running.delete(work))
        running.add(work)
      }
      if (rounds++ % ROUNDS_BETWEEN_REMOVALS === 0)
        await ports.webhooks.removeOld(options.keptDays, REMOVED_MAX)
      failing = false
    } catch (error) {
      if (!failing) ports.reportFault(error)
      failing = true
    }
    if (!stopped) schedule()
  }
  const schedule = (): void => {
    timer = setTimeout(() => {
      round = runRound()
    }, options.roundMs ?? ROUND_MS)
    timer.unref()
  }
  schedule()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await round
      await Promise.all(running)
    },
  }
}

/** Delivers until there are no more events, a delivery fails, or the lease is lost. */
async function deliverTo(
  ports: WebhookPorts,
  endpoint: ClaimedEndpoint,
  options: WebhookOptions,
  isStopped: () => boolean,
): Promise<void> {
  const { allowPrivate, limitMs = LIMIT_MS, lookup } = options
  const { url, secrets, types } = endpoint
  let { sequence } = endpoint
  const page = await ports.events.after(endpoint.accountId, sequence, PAGE)
  for (const event of page) {
    if (isStopped()) break
    if (types === undefined || types.includes(event.type)) {
      const startedAt = performance.now()
      const now = ports.clock()
      const sent = await sendEvent(event, {
        url,
        secrets,
        allowPrivate,
        limitMs,
        now,
        ...(lookup !== undefined && { lookup }),
      })
      const delivery = {
        sequence: event.sequence,
        durationMs: Math.round(performance.now() - startedAt),
        ...sent,
      }
      if (sent.failure !== undefined) return recordFailure(ports, endpoint, delivery)
      if (!(await ports.webhooks.delivered(endpoint, delivery, LEASE_MS))) return
    }
    sequence = event.sequence
  }
  await ports.webhooks.release(endpoint, sequence)
}

async function recordFailure(
  { webhooks, random, alert }: WebhookPorts,
  endpoint: ClaimedEndpoint,
  delivery: Delivery,
): Promise<void> {
  const { accountId, endpointId } = endpoint
  const recorded = await webhooks.failed(endpoint, delivery, {
    retryInMs: pauseMs(endpoint.failures + 1, random()),
    giveUpAfterMs: GIVE_UP_AFTER_MS,
  })
  if (recorded === 'disabled')
    alert({
      kind: 'WEBHOOK_DISABLED',
      accountId,
      endpointId,
      detail: `failed for three days; last: ${delivery.failure ?? 'no answer'}`,
    })
}
