/** Callers that use every operation which reads or writes shipments, and report each unexpected answer. */
import { setTimeout as pause } from 'node:timers/promises'
import { EXAMPLES } from '../../../src/graphql/playground/examples.ts'
import { type Post, postTo } from '../concurrency/doors.ts'

export type Callers = {
  /** Sends the next requests to these replicas, and resolves when no request to another one is running. */
  direct(origins: readonly string[]): Promise<void>
  /** Names the phase, for the totals. */
  phase(name: string): void
  /** Resolves when the last caller has its answer. */
  stop(): Promise<void>
  readonly failures: string[]
  /** Requests and the longest answer in milliseconds, by phase. */
  readonly totals: Readonly<Record<string, { requests: number; longestMs: number }>>
}

type Answer = { readonly status: number; readonly json: unknown }

const exampleOf = (field: string) => {
  const example = EXAMPLES.find(({ query }) => query.includes(` ${field}(input: $input)`))
  if (example === undefined) throw new Error(`no example of ${field}`)
  return example
}

const DRAFT = exampleOf('createDraftShipment')
/** Selects only fields that earlier versions have. */
const BOOK = `mutation ($input: BookShipmentInput!) {
  bookShipment(input: $input) { ... on ShipmentBooked { shipment { state } } } }`
const RATES = {
  parcels: [{ type: 'DOC', count: 1 }],
  fromCountry: 'NL',
  toCountry: 'DE',
  recipientType: 'business',
}

/** Throws with the answer if it is not the expected one. */
function expectAnswer({ status, json }: Answer, expected: boolean): void {
  if (status !== 200 || !expected) throw new Error(`${status} ${JSON.stringify(json).slice(0, 300)}`)
}

async function rates(post: Post): Promise<void> {
  const answer = await post('/partners-api/v1/rates', RATES)
  expectAnswer(answer, (answer.json as { errors?: boolean }).errors === false)
}

/** Returns the id of the draft. */
async function createDraft(post: Post): Promise<string> {
  const answer = await post('/graphql', DRAFT)
  const { data } = answer.json as { data?: { createDraftShipment?: { shipment?: { id: string } } } }
  const id = data?.createDraftShipment?.shipment?.id
  expectAnswer(answer, id !== undefined)
  return id ?? ''
}

async function book(post: Post, shipmentId: string): Promise<void> {
  const answer = await post('/graphql', { query: BOOK, variables: { input: { shipmentId } } })
  const { data } = answer.json as { data?: { bookShipment?: { shipment?: { state: string } } } }
  expectAnswer(answer, data?.bookShipment?.shipment?.state === 'BOOKED')
}

async function cancel(post: Post, shipmentId: string): Promise<void> {
  const answer = await post(`/partners-api/v1/shipments/${shipmentId}/cancel`)
  expectAnswer(answer, (answer.json as { cancelled?: boolean }).cancelled === true)
}

/** Each caller repeats: rates, a draft that is cancelled, a draft that is booked and cancelled. */
export function startCallers(origins: readonly string[], crowd: number): Callers {
  let targets = origins
  let phase = 'start'
  let stopped = false
  let next = 0
  const running = new Map<string, number>()
  const failures: string[] = []
  const totals: Record<string, { requests: number; longestMs: number }> = {}
  /** Each request goes to the next replica, so that both versions work on the same shipment. */
  const send: Post = async (path, body) => {
    const origin = targets[next++ % targets.length]
    if (origin === undefined) throw new Error('no replica is in service')
    const startedAt = performance.now()
    running.set(origin, (running.get(origin) ?? 0) + 1)
    try {
      return await postTo(origin)(path, body)
    } finally {
      running.set(origin, (running.get(origin) ?? 1) - 1)
      const total = totals[phase] ?? { requests: 0, longestMs: 0 }
      totals[phase] = total
      total.requests += 1
      total.longestMs = Math.max(total.longestMs, Math.round(performance.now() - startedAt))
    }
  }
  const attempt = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      failures.push(`${phase}: ${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const callers = Array.from({ length: crowd }, async () => {
    while (!stopped) {
      await attempt('rates', () => rates(send))
      await attempt('a draft, cancelled', async () => cancel(send, await createDraft(send)))
      await attempt('a draft, booked and cancelled', async () => {
        const shipmentId = await createDraft(send)
        await book(send, shipmentId)
        await cancel(send, shipmentId)
      })
      await pause(20)
    }
  })
  return {
    failures,
    totals,
    phase: (name) => {
      phase = name
    },
    async direct(chosen) {
      targets = chosen
      while ([...running].some(([origin, count]) => count > 0 && !chosen.includes(origin))) await pause(10)
    },
    async stop() {
      stopped = true
      await Promise.all(callers)
    },
  }
}
