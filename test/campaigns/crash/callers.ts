/**
 * Concurrent callers. Some give up and never return. The others repeat after 503, 504 and a lost connection
 * until they get a final answer or the campaign ends. Each request goes to a random serving replica.
 */
import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Dice } from '../../support/random/seeded-dice.ts'
import { type Answer, BOOK, CANCEL, isFinal, readGraphql, readRest } from './answers.ts'
import type { Fleet } from './processes/fleet.ts'
import { type CallerPlan, KEYS, type ShipmentPlan } from './shipments.ts'

/** `at` is in milliseconds since 1970. */
export type CallerAnswer = Answer & { readonly at: number; readonly caller: number; readonly origin: string }

/** A shipment and the answers that its callers received. */
export type CalledShipment = {
  readonly plan: ShipmentPlan
  readonly answers: CallerAnswer[]
  /** Indexes in `plan.callers` of the callers that never give up and have no answer yet. */
  readonly unanswered: Set<number>
  /** When a replica ended, in milliseconds since 1970; infinite if it has not. */
  readonly diedAt: (origin: string) => number
  /** Indexes of callers that sent a request and got no answer to it. */
  readonly withoutAnswer: Set<number>
}

export type Crowd = {
  readonly called: readonly CalledShipment[]
  readonly counts: CrowdCounts
  /** Number of callers without a final answer. */
  open(): number
  /** Starts the callers of a shipment. */
  callFor(plan: ShipmentPlan): void
  /** Waits until all callers have an answer, at most `limitMs`, then stops the rest. */
  finish(limitMs: number): Promise<void>
}

export type CrowdCounts = {
  requests: number
  /** Lost connections and unreachable replicas, by reason. */
  readonly noAnswer: Map<string, number>
  gaveUp: number
  readonly byKind: Map<string, number>
}

/** Longer than the service may take (12 s), with a reserve for a busy machine. Paused replicas may take longer. */
const ANSWER_LIMIT_MS = 40_000

/**
 * `origins` returns the replicas that serve at the moment. Answers of replicas that were ever paused may be
 * late.
 */
export function openCrowd(
  dice: Dice,
  origins: () => readonly string[],
  { wasPaused, diedAt }: Pick<Fleet, 'wasPaused' | 'diedAt'>,
): Crowd {
  const over = new AbortController()
  // One for each waiting caller.
  setMaxListeners(0, over.signal)
  const called: CalledShipment[] = []
  const counts: CrowdCounts = { requests: 0, noAnswer: new Map(), gaveUp: 0, byKind: new Map() }
  const running = new Set<Promise<void>>()
  return {
    called,
    counts,
    open: () => running.size,
    callFor(plan) {
      const record: CalledShipment = {
        plan,
        answers: [],
        unanswered: new Set(),
        diedAt,
        withoutAnswer: new Set(),
      }
      called.push(record)
      for (const [index, caller] of plan.callers.entries()) {
        const call: Call = { record, caller, index, dice, origins, wasPaused, over: over.signal, counts }
        const work = callUntilAnswered(call).finally(() => running.delete(work))
        running.add(work)
      }
    },
    async finish(limitMs) {
      await Promise.race([Promise.all(running), pause(limitMs, undefined, { ref: false })])
      over.abort()
      await Promise.all(running)
    },
  }
}

type Call = {
  readonly record: CalledShipment
  readonly caller: CallerPlan
  readonly index: number
  readonly dice: Dice
  readonly origins: () => readonly string[]
  readonly wasPaused: (origin: string) => boolean
  readonly over: AbortSignal
  readonly counts: CrowdCounts
}

async function callUntilAnswered(call: Call): Promise<void> {
  const { record, caller, index, dice, counts, over } = call
  await pause(caller.startMs)
  const { signal: patience, release } = patienceOf(caller, over)
  if (caller.givesUpMs === undefined && !caller.asksOnce) record.unanswered.add(index)
  while (!patience.aborted) {
    const answer = await askOnce(call, patience)
    if (answer !== undefined && isFinal(answer)) {
      record.unanswered.delete(index)
      break
    }
    if (caller.asksOnce && (answer !== undefined || record.withoutAnswer.has(index))) break
    // Callers repeat sooner than `Retry-After` asks for.
    const waitMs = Math.min(700, (answer?.retryAfterSeconds ?? 0.2) * 300)
    if (!patience.aborted) await pause(dice.int(20, 20 + Math.ceil(waitMs)))
  }
  release()
  const isAnswered = record.answers.some((answer) => answer.caller === index && isFinal(answer))
  if (!over.aborted && !isAnswered) counts.gaveUp += 1
}

/**
 * Until when a caller repeats its request. Its own timer, because a combined signal does not keep
 * `AbortSignal.timeout` from being collected as garbage.
 */
function patienceOf(
  { givesUpMs }: CallerPlan,
  over: AbortSignal,
): { readonly signal: AbortSignal; release(): void } {
  if (givesUpMs === undefined) return { signal: over, release: () => {} }
  const patience = new AbortController()
  const end = (): void => patience.abort()
  const timer = setTimeout(end, givesUpMs)
  over.addEventListener('abort', end)
  return {
    signal: patience.signal,
    release() {
      clearTimeout(timer)
      over.removeEventListener('abort', end)
    },
  }
}

/** Undefined if no replica serves, the connection was lost, or the caller gave up. */
async function askOnce(call: Call, patience: AbortSignal): Promise<Answer | undefined> {
  const { record, caller, index, dice, counts } = call
  const origins = call.origins()
  if (origins.length === 0) return undefined
  const origin = dice.pick(origins)
  const late = AbortSignal.timeout(ANSWER_LIMIT_MS)
  counts.requests += 1
  let answer: Answer
  const hadNoAnswer = record.withoutAnswer.has(index)
  record.withoutAnswer.add(index)
  try {
    answer = await sendRequest(origin, record.plan.shipmentId, caller, AbortSignal.any([patience, late]))
  } catch (error) {
    if (!late.aborted || call.wasPaused(origin)) {
      if (!patience.aborted) count(counts.noAnswer, late.aborted ? 'paused' : reasonOf(error))
      return undefined
    }
    answer = { kind: 'odd', detail: `no answer within ${ANSWER_LIMIT_MS / 1000} s` }
  }
  if (answer.kind === 'odd' && answer.status === 408 && call.wasPaused(origin)) {
    count(counts.noAnswer, 'paused')
    return undefined
  }
  if (!hadNoAnswer) record.withoutAnswer.delete(index)
  record.answers.push({ ...answer, at: Date.now(), caller: index, origin })
  count(counts.byKind, answer.kind)
  return answer
}

/** Sends one request and classifies its answer. Throws if there is none. */
export async function sendRequest(
  origin: string,
  shipmentId: string,
  { accountId, ask, door }: Pick<CallerPlan, 'accountId' | 'ask' | 'door'>,
  signal: AbortSignal,
): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'x-pp-api': KEYS[accountId] }
  const isRest = door === 'rest'
  const path = isRest ? `/partners-api/v1/shipments/${shipmentId}/cancel` : '/graphql'
  const query = ask === 'cancel' ? CANCEL : BOOK
  const body = isRest ? {} : { body: JSON.stringify({ query, variables: { id: shipmentId } }) }
  const reply = await fetch(`${origin}${path}`, { method: 'POST', headers, ...body, signal })
  const text = await reply.text()
  const retryAfter = reply.headers.get('retry-after')
  return isRest ? readRest(reply.status, retryAfter, text) : readGraphql(reply.status, retryAfter, text)
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** The innermost reason, since the message of `fetch` itself says only that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined
    ? String((error as { code?: unknown }).code ?? error.message)
    : reasonOf(error.cause)
}
