/**
 * The callers: many at once, each with its own patience. Decided here: one that gives up never comes back, one that
 * does not repeats after 503, 504 and a lost connection until it has an answer or the campaign is over, and everybody
 * asks whichever replica serves just then.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Dice } from '../../support/random/seeded-dice.ts'
import { type Answer, BOOK, CANCEL, isFinal, readGraphql, readRest } from './answers.ts'
import { type CallerPlan, KEYS, type ShipmentPlan } from './shipments.ts'

/** An answer that a caller got; `at` is in milliseconds since 1970. */
export type Told = Answer & { readonly at: number; readonly caller: number; readonly origin: string }

/** A shipment and what its callers were told. */
export type Asked = {
  readonly plan: ShipmentPlan
  readonly told: Told[]
  /** Callers, by their place in the plan, that would have waited and have no answer. */
  readonly unanswered: Set<number>
}

/** The callers of a campaign. */
export type Crowd = {
  readonly asked: readonly Asked[]
  readonly counts: CrowdCounts
  /** How many callers are at it. */
  open(): number
  /** The callers of a shipment begin. */
  callFor(plan: ShipmentPlan): void
  /** Waits until all have their answer, then sends the others away. */
  finish(limitMs: number): Promise<void>
}

/** Totals. */
export type CrowdCounts = {
  requests: number
  /** Connections that broke, and replicas that were gone, by their reason. */
  readonly noAnswer: Map<string, number>
  gaveUp: number
  readonly byKind: Map<string, number>
}

/** Longer than the service lets anybody wait (12 s), on a machine that is busy. */
const ANSWER_LIMIT_MS = 40_000

/** Opens the crowd; `origins` says where replicas serve at the moment. */
export function openCrowd(dice: Dice, origins: () => readonly string[]): Crowd {
  const over = new AbortController()
  const asked: Asked[] = []
  const counts: CrowdCounts = { requests: 0, noAnswer: new Map(), gaveUp: 0, byKind: new Map() }
  const running = new Set<Promise<void>>()
  return {
    asked,
    counts,
    open: () => running.size,
    callFor(plan) {
      const record: Asked = { plan, told: [], unanswered: new Set() }
      asked.push(record)
      for (const [index, caller] of plan.callers.entries()) {
        const call: Call = { record, caller, index, dice, origins, over: over.signal, counts }
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
  readonly record: Asked
  readonly caller: CallerPlan
  readonly index: number
  readonly dice: Dice
  readonly origins: () => readonly string[]
  readonly over: AbortSignal
  readonly counts: CrowdCounts
}

async function callUntilAnswered(call: Call): Promise<void> {
  const { record, caller, index, dice, counts, over } = call
  await pause(caller.startMs)
  const patience =
    caller.givesUpMs === undefined ? over : AbortSignal.any([over, AbortSignal.timeout(caller.givesUpMs)])
  if (caller.givesUpMs === undefined) record.unanswered.add(index)
  while (!patience.aborted) {
    const answer = await askOnce(call, patience)
    if (answer !== undefined && isFinal(answer)) {
      record.unanswered.delete(index)
      return
    }
    // Sooner than Retry-After says, as callers are.
    const waitMs = Math.min(700, (answer?.retryAfterSeconds ?? 0.2) * 300)
    if (!patience.aborted) await pause(dice.int(20, 20 + Math.ceil(waitMs)))
  }
  if (!over.aborted) counts.gaveUp += 1
}

/** Undefined when there was no answer: nobody serves, the connection broke, or the caller went away. */
async function askOnce(call: Call, patience: AbortSignal): Promise<Answer | undefined> {
  const { record, caller, index, dice, counts } = call
  const origins = call.origins()
  if (origins.length === 0) return undefined
  const origin = dice.pick(origins)
  const late = AbortSignal.timeout(ANSWER_LIMIT_MS)
  counts.requests += 1
  let answer: Answer
  try {
    answer = await send(origin, record.plan.shipmentId, caller, AbortSignal.any([patience, late]))
  } catch (error) {
    if (!late.aborted) {
      if (!patience.aborted) count(counts.noAnswer, reasonOf(error))
      return undefined
    }
    answer = { kind: 'odd', detail: `no answer within ${ANSWER_LIMIT_MS / 1000} s` }
  }
  record.told.push({ ...answer, at: Date.now(), caller: index, origin })
  count(counts.byKind, answer.kind)
  return answer
}

async function send(
  origin: string,
  shipmentId: string,
  { accountId, ask, door }: CallerPlan,
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

/** The innermost reason: fetch's own message says only that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined
    ? String((error as { code?: unknown }).code ?? error.message)
    : reasonOf(error.cause)
}
