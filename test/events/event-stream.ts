/** A client of `GET /events` for tests, and events in memory. */
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { type AccountEvent, BEFORE_FIRST, eventIdOf } from '../../src/core/shipments/event.ts'
import type { EventLog, EventWatch } from '../../src/operations/ports/events.ts'

/** A block of the stream: its fields, or the text of a comment. */
export type Block = Readonly<Record<string, string>>

export type EventClient = {
  readonly response: IncomingMessage
  /** Everything that has arrived. */
  readonly blocks: Block[]
  /** Resolves when `count` blocks with the field have arrived, with these blocks. */
  arrived(field: 'event' | 'comment', count: number): Promise<readonly Block[]>
  /** Resolves when the response has ended. True if it is complete. */
  readonly ended: Promise<boolean>
  close(): void
}

/** Connects and reads. Rejects with the status and the body if there is no stream. */
export async function follow(
  origin: string,
  { path = '/events', headers = {} }: { path?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<EventClient> {
  const sent: ClientRequest = request(`${origin}${path}`, { headers, agent: false })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject).end()
  })
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${await textOf(response)}`)
  const blocks: Block[] = []
  let text = ''
  const waiting = new Set<() => void>()
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (text + chunk).split('\n\n')
    text = parts.pop() ?? ''
    blocks.push(...parts.map(blockOf))
    for (const check of waiting) check()
  })
  const ended = new Promise<boolean>((resolve) => {
    response.once('close', () => resolve(response.complete))
    response.on('error', () => {})
    sent.on('error', () => {})
  })
  return {
    response,
    blocks,
    ended,
    arrived: (field, count) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const found = blocks.filter((block) => field in block)
          if (found.length < count) return
          waiting.delete(check)
          resolve(found)
        }
        waiting.add(check)
        ended.then(() => reject(new Error(`the stream ended after ${JSON.stringify(blocks)}`)))
        check()
      }),
    close: () => sent.destroy(),
  }
}

function blockOf(text: string): Block {
  return Object.fromEntries(
    text.split('\n').map((line) => {
      const colon = line.indexOf(':')
      return colon === 0 ? ['comment', line.slice(1)] : [line.slice(0, colon), line.slice(colon + 2)]
    }),
  )
}

export type EventsInMemory = {
  readonly events: EventLog
  readonly eventWatch: EventWatch
  /** Adds an event of "a-shop", and tells subscribers. */
  add(overrides?: Partial<AccountEvent>): string
  /** Removes the oldest events. */
  forget(count: number): void
  subscribers(): number
  /** How many pages were read. */
  reads: number
}

/** The events of one account. */
export function eventsInMemory(accountId = 'a-shop'): EventsInMemory {
  const kept: AccountEvent[] = []
  const callbacks = new Set<() => void>()
  let sequence = 0
  const memory: EventsInMemory = {
    reads: 0,
    events: {
      newest: async () => kept.at(-1) ?? BEFORE_FIRST,
      holds: async (account, position) =>
        account === accountId && kept.some((event) => eventIdOf(event) === eventIdOf(position)),
      async after(account, last, limit) {
        memory.reads += 1
        return account === accountId ? kept.filter((event) => event.sequence > last).slice(0, limit) : []
      },
    },
    eventWatch: {
      subscribe(_accountId, onNews) {
        callbacks.add(onNews)
        return () => callbacks.delete(onNews)
      },
    },
    add(overrides = {}) {
      sequence += 1
      const event: AccountEvent = {
        ...{
          sequence,
          key: sequence.toString(16).padStart(12, 'a'),
          type: 'shipment.booked',
          shipmentId: 'shp_1',
        },
        ...{ occurredAt: '2026-03-02T10:00:00.000Z', state: 'booked', trackingNumber: 'R-1' },
        ...overrides,
      }
      kept.push(event)
      for (const onNews of callbacks) onNews()
      return eventIdOf(event)
    },
    forget: (count) => void kept.splice(0, count),
    subscribers: () => callbacks.size,
  }
  return memory
}
