/**
 * Sixty concurrent cancellations at a carrier that takes two seconds, through one replica. They hold no
 * resources of the service, so other requests must remain fast.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Database } from '../../../src/store/database/database.ts'
import { percentile, round } from '../../bench/percentile.ts'
import { type Door, insertRows } from './crowd.ts'
import { doorsOf, type Post } from './doors.ts'

/** Times in milliseconds of the requests that do not involve the carrier. */
export type SlowCarrierEnd = {
  readonly cancels: number
  readonly answered200: number
  readonly unrelated: number
  readonly unrelatedP50Ms: number
  readonly unrelatedP95Ms: number
  readonly unrelatedP99Ms: number
  /** The same requests just before, without other load, as a baseline. */
  readonly aloneP50Ms: number
  readonly aloneP99Ms: number
  readonly violations: readonly string[]
}

const EVERY_MS = 20
const ALONE_MS = 2_000
const MOST_DRAFTS = 600
const RATES = {
  parcels: [{ type: 'NONDOC', weight: '5.0', length: 40, width: 30, height: 20, count: 1 }],
  fromCountry: 'NL',
  toCountry: 'ES',
  recipientType: 'business',
}

/** Cancels `cancels` shipments of the slow carrier, and sends other requests until the last one is answered. */
export async function measureSlowCarrier(
  db: Kysely<Database>,
  post: Post,
  cancels: number,
): Promise<SlowCarrierEnd> {
  const [throughRest] = doorsOf(post)
  const ids = Array.from({ length: cancels }, (_unused, n) => `slow-${n}`)
  await insertRows(
    db,
    'booked',
    ids.map((id, n) => ({ id, carrierRef: `SBX-SLOW-2000-${n}` })),
  )
  const drafts = Array.from({ length: MOST_DRAFTS }, (_unused, n) => `slow-draft-${n}`)
  await insertRows(
    db,
    'draft',
    drafts.map((id) => ({ id, carrierRef: null })),
  )
  const violations: string[] = []
  const timesMs: number[] = []
  const timed = async (what: string, request: () => Promise<string>): Promise<void> => {
    const start = performance.now()
    const answer = await request()
    timesMs.push(performance.now() - start)
    if (!answer.startsWith('200 ')) violations.push(`${what}: ${answer}`)
  }
  const rates = async (): Promise<string> => {
    const { status, json } = await post('/partners-api/v1/rates', RATES)
    return `${status} ${status === 200 ? '' : JSON.stringify(json)}`
  }
  await warmUp(db, throughRest, rates)

  const others = async (until: Promise<unknown>): Promise<void> => {
    timesMs.length = 0
    let running = true
    const done = until.finally(() => {
      running = false
    })
    const pending: Promise<void>[] = []
    while (running) {
      pending.push(timed('rates', rates))
      const draft = drafts.pop()
      if (draft !== undefined) pending.push(timed('the cancel of a draft', () => throughRest(draft)))
      await pause(EVERY_MS)
    }
    await Promise.all([done, ...pending])
  }
  await others(pause(ALONE_MS))
  const [aloneP50Ms, aloneP99Ms] = [0.5, 0.99].map((share) => round(percentile(timesMs, share)))
  const slow = Promise.all(ids.map(throughRest))
  await others(slow)
  const answers = await slow
  const answered200 = answers.filter((answer) => answer.startsWith('200 ')).length
  if (answered200 < cancels)
    violations.push(`a slow cancel: ${answers.find((answer) => !answer.startsWith('200 '))}`)
  return {
    cancels,
    answered200,
    unrelated: timesMs.length,
    unrelatedP50Ms: round(percentile(timesMs, 0.5)),
    unrelatedP95Ms: round(percentile(timesMs, 0.95)),
    unrelatedP99Ms: round(percentile(timesMs, 0.99)),
    aloneP50Ms: aloneP50Ms!,
    aloneP99Ms: aloneP99Ms!,
    violations,
  }
}

const WARM_UPS = 60

/** Excludes start-up effects of the process and its carrier connections. */
async function warmUp(db: Kysely<Database>, cancel: Door, rates: () => Promise<string>): Promise<void> {
  const numbers = Array.from({ length: WARM_UPS }, (_unused, n) => n)
  const booked = numbers.map((n) => ({ id: `warm-${n}`, carrierRef: `SBX-OK-WARM-${n}` }))
  const drafts = numbers.map((n) => ({ id: `warm-draft-${n}`, carrierRef: null }))
  await insertRows(db, 'booked', booked)
  await insertRows(db, 'draft', drafts)
  for (const { id } of drafts) await Promise.all([rates(), cancel(id)])
  await Promise.all(booked.map(({ id }) => cancel(id)))
}
