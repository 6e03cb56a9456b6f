/**
 * One connection of `GET /events`. It has a place in the events of its account and reads on from there, so the database
 * is its buffer: while the client does not read, nothing more is read for it, and at most one page waits in memory.
 */
import type { ServerResponse } from 'node:http'
import {
  type AccountEvent,
  BEFORE_FIRST,
  type EventPosition,
  type EventType,
  eventIdOf,
  eventMessage,
} from '../core/shipments/event.ts'
import type { EventLog, EventWatch } from '../operations/ports/events.ts'
import type { Ports } from '../operations/ports/ports.ts'

export type StreamPorts = Pick<Ports, 'reportFault'> & {
  readonly events: EventLog
  readonly eventWatch: EventWatch
}

/** An event must match every part that is given. */
export type EventFilter = {
  readonly types?: ReadonlySet<EventType>
  readonly shipmentId?: string
}

export type StreamOptions = {
  readonly accountId: string
  readonly filter: EventFilter
  /** Undefined: from the newest event on. */
  readonly resumeAfter: EventPosition | undefined
  /** Whether the credentials of the request are still valid. */
  isStillAllowed(): Promise<boolean>
}

export type Stream = {
  /** Ends the response. */
  end(): void
  /** Stops reading for a response that is closed. */
  stop(): void
}

/** How often the credentials are checked. */
const CHECK_EVERY_MS = 5_000
/** Shorter than the time after which the server and usual proxies close a silent connection. */
const HEARTBEAT_MS = 15_000
/** A client that has read nothing for this long is cut off. It can resume with the id of its last event. */
const STALLED_MS = 30_000
const PAGE = 100
/** When a client connects again after a lost connection, unless it decides itself. */
const RETRY_MS = 2_000

export function startStream(ports: StreamPorts, response: ServerResponse, options: StreamOptions): Stream {
  const stream = new EventStream(ports, response, options)
  stream.start()
  return stream
}

class EventStream implements Stream {
  readonly #ports: StreamPorts
  readonly #response: ServerResponse
  readonly #options: StreamOptions
  /** Everything up to here has been sent or filtered out. */
  #position: EventPosition = BEFORE_FIRST
  #sentId = ''
  #unsubscribe = (): void => {}
  #timer: NodeJS.Timeout | undefined
  #ticks = 0
  #stalledTicks = 0
  #hasNews = false
  #isReading = false
  #isStopped = false

  constructor(ports: StreamPorts, response: ServerResponse, options: StreamOptions) {
    this.#ports = ports
    this.#response = response
    this.#options = options
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), CHECK_EVERY_MS)
    this.#response.on('drain', () => this.#read())
    // Before the position is read, so that no event falls between both.
    this.#unsubscribe = this.#ports.eventWatch.subscribe(this.#options.accountId, () => {
      this.#hasNews = true
      this.#read()
    })
    this.#hasNews = true
    this.#run(() => this.#begin())
  }

  end(): void {
    this.stop()
    this.#response.end()
  }

  stop(): void {
    this.#isStopped = true
    clearInterval(this.#timer)
    this.#unsubscribe()
  }

  async #begin(): Promise<void> {
    const { accountId, resumeAfter } = this.#options
    const { events } = this.#ports
    this.#write(`retry: ${RETRY_MS}\n\n`)
    if (resumeAfter === undefined) {
      this.#position = await events.newest(accountId)
      this.#send('ready', this.#position, {})
    } else if (
      resumeAfter.sequence === BEFORE_FIRST.sequence ||
      (await events.holds(accountId, resumeAfter))
    ) {
      this.#position = resumeAfter
      this.#send('ready', this.#position, {})
    } else await this.#reset()
    await this.#readOn()
  }

  /** Tells the client that events are missing, and continues after the newest one. */
  async #reset(): Promise<void> {
    this.#position = await this.#ports.events.newest(this.#options.accountId)
    this.#send('reset', this.#position, {})
  }

  #read(): void {
    if (this.#hasNews) this.#run(() => this.#readOn())
  }

  /** Runs at most one `work` at a time. If it fails, the response ends, and the client resumes. */
  #run(work: () => Promise<void>): void {
    if (this.#isReading || this.#isStopped) return
    this.#isReading = true
    work()
      .catch((error: unknown) => {
        this.#ports.reportFault(error)
        this.end()
      })
      .finally(() => {
        this.#isReading = false
        this.#readIfDue()
      })
  }

  #readIfDue(): void {
    if (!this.#response.writableNeedDrain) this.#read()
  }

  /** Sends what is new, until there is no more or the client does not keep up. */
  async #readOn(): Promise<void> {
    const { accountId } = this.#options
    while (this.#hasNews && !this.#isStopped && !this.#response.writableNeedDrain) {
      this.#hasNews = false
      const page = await this.#ports.events.after(accountId, this.#position.sequence, PAGE)
      if (this.#isStopped) return
      if (page.length === PAGE) this.#hasNews = true
      const [first] = page
      if (first !== undefined && first.sequence !== this.#position.sequence + 1) await this.#reset()
      else for (const event of page) this.#take(event)
    }
  }

  #take(event: AccountEvent): void {
    this.#position = event
    const { types, shipmentId } = this.#options.filter
    if (types !== undefined && !types.has(event.type)) return
    if (shipmentId !== undefined && shipmentId !== event.shipmentId) return
    this.#send(event.type, event, eventMessage(event))
  }

  #send(name: string, position: EventPosition, data: unknown): void {
    this.#sentId = eventIdOf(position)
    this.#write(`id: ${this.#sentId}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  #write(text: string): void {
    if (!this.#isStopped && !this.#response.destroyed) this.#response.write(text)
  }

  #tick(): void {
    this.#stalledTicks = this.#response.writableNeedDrain ? this.#stalledTicks + 1 : 0
    if (this.#stalledTicks * CHECK_EVERY_MS >= STALLED_MS) {
      this.stop()
      this.#response.destroy()
      return
    }
    this.#ticks += 1
    if ((this.#ticks * CHECK_EVERY_MS) % HEARTBEAT_MS === 0) this.#beat()
    this.#options.isStillAllowed().then(
      (isAllowed) => {
        if (!isAllowed && !this.#isStopped) this.end()
      },
      // The store of keys is unreachable. The next check decides.
      () => {},
    )
  }

  /** A comment. After events that the filter left out, it also moves the id with which the client resumes. */
  #beat(): void {
    if (this.#response.writableNeedDrain || this.#isReading) return
    const id = eventIdOf(this.#position)
    this.#write(id === this.#sentId ? ':\n\n' : `:\nid: ${id}\n\n`)
    this.#sentId = id
  }
}
