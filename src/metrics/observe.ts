/** Connects the parts of the service with its metrics. Each function returns or changes one part. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { overdueDays } from '../core/customs/data/edition.ts'
import { countCardsOn } from '../core/rating/book/rate-book.ts'
import type { CarrierGateway } from '../operations/ports/carriers.ts'
import type { Observer } from '../operations/ports/observer.ts'
import type { Classifier, ReferenceData } from '../operations/ports/ports.ts'
import type { PoolObserver } from '../store/database/pool/pools.ts'
import type { OpenAttempts } from '../store/shipments/open-attempts.ts'
import type { Metrics } from './metrics.ts'

/** The door and operation of a route, by the beginning of its path. The first match counts. */
const ROUTES: readonly (readonly [path: string, door: string, operation: string])[] = [
  ['/partners-api/v1/rates', 'rest', 'rates'],
  ['/partners-api/v1/duties-taxes-estimate', 'rest', 'dutiesEstimate'],
  ['/partners-api/v1/shipments/', 'rest', 'cancelShipment'],
  ['/graphql/', 'pages', 'pages'],
  ['/graphql', 'graphql', 'graphql'],
  ['/events', 'events', 'events'],
  ['/carrier-events/', 'carrierEvents', 'scan'],
  ['/healthz', 'health', 'healthz'],
  ['/readyz', 'health', 'readyz'],
]

/** Adds the hook that counts responses. Call it before the server is ready. */
export function observeRequests(server: FastifyInstance, { requests, requestSeconds }: Metrics): void {
  server.addHook('onResponse', (request, reply, done) => {
    const [, door, operation] = routeOf(request)
    // A client that disconnected before the response began has no status.
    const status = reply.raw.headersSent ? String(reply.raw.statusCode) : 'abandoned'
    requests.inc({ door, operation, status })
    if (request.routeOptions.config.isStream !== true)
      requestSeconds.observe({ door, operation }, reply.elapsedTime / 1_000)
    done()
  })
}

function routeOf({ routeOptions: { url } }: FastifyRequest): (typeof ROUTES)[number] {
  if (url === undefined) return ['', 'none', 'unknown']
  return ROUTES.find(([path]) => url.startsWith(path)) ?? ['', 'pages', 'pages']
}

export function operationObserver({ operationSeconds, options, declines }: Metrics): Observer {
  const now = (): number => performance.now()
  return {
    now,
    within: (_operation, run) => run(),
    ended: (operation, { kind }, begunAt) =>
      operationSeconds.observe({ operation, outcome: kind }, (now() - begunAt) / 1_000),
    quoted(quote) {
      options.inc(quote.options.length)
      for (const { decline } of quote.declined) declines.inc({ code: decline.code })
    },
  }
}

export function observeClassifier(classifier: Classifier, { confidence }: Metrics): Classifier {
  const { interview } = classifier
  const observe = ([best]: readonly { readonly confidence: number }[]): void =>
    confidence.observe(best?.confidence ?? 0)
  return {
    async classify(descriptions, limit, turns) {
      const found = await classifier.classify(descriptions, limit, turns)
      for (const candidates of found) observe(candidates)
      return found
    },
    ...(interview !== undefined && {
      async interview(goods, limit) {
        const found = await interview(goods, limit)
        // Goods without facts and answers are classified, too, and counted there.
        if (goods.facts !== undefined || goods.answers !== undefined) observe(found.candidates)
        return found
      },
    }),
  }
}

/** Times the calls that reach a carrier. Carriers are those of the rate book, so their number is limited. */
export function observeCarriers(gateway: CarrierGateway, { carrierSeconds }: Metrics): CarrierGateway {
  const timed = async <Answer extends { readonly kind: string }>(
    carrier: string,
    call: string,
    answering: Promise<Answer>,
  ): Promise<Answer> => {
    const begunAt = performance.now()
    const answer = await answering
    carrierSeconds.observe({ carrier, call, outcome: answer.kind }, (performance.now() - begunAt) / 1_000)
    return answer
  }
  return {
    ...gateway,
    cancel: (ticket, ...rest) => timed(ticket.carrierCode, 'cancel', gateway.cancel(ticket, ...rest)),
    book: (accountId, shipment, by) =>
      timed(shipment.carrierCode, 'book', gateway.book(accountId, shipment, by)),
    findBooking: (draft, origin) =>
      timed(draft.carrierCode, 'findBooking', gateway.findBooking(draft, origin)),
    track: (parcel, ...rest) => timed(parcel.carrierCode, 'track', gateway.track(parcel, ...rest)),
    async trackMany(parcels) {
      const begunAt = performance.now()
      const answers = await gateway.trackMany(parcels)
      const perParcel = (performance.now() - begunAt) / 1_000 / Math.max(1, answers.length)
      answers.forEach((answer, index) => {
        const carrier = parcels[index]?.carrierCode ?? ''
        carrierSeconds.observe({ carrier, call: 'track', outcome: answer.kind }, perParcel)
      })
      return answers
    },
  }
}

/** A circuit is that of the credentials that accounts share. `carriers` are the codes of the rate book. */
export function observeCircuits(
  { room }: Pick<CarrierGateway, 'room'>,
  carriers: () => Iterable<string>,
  { gauge }: Metrics,
): void {
  gauge(
    'carrier_background_slots',
    'Calls that background work may start now; 0 while the circuit is open, 1 while it is half-open.',
    ['carrier', 'kind'],
    (set) => {
      for (const carrier of carriers())
        for (const kind of ['command', 'lookup'] as const) set({ carrier, kind }, room(carrier, '', kind))
    },
  )
}

export function observePools({ gauge, statementSeconds }: Metrics): PoolObserver {
  const pools = new Map<string, Parameters<PoolObserver['opened']>[1]>()
  gauge(
    'database_connections',
    'Connections of a pool, and statements that wait for one.',
    ['pool', 'state'],
    (set) => {
      for (const [pool, { totalCount, idleCount, waitingCount }] of pools) {
        set({ pool, state: 'busy' }, totalCount - idleCount)
        set({ pool, state: 'idle' }, idleCount)
        set({ pool, state: 'waiting' }, waitingCount)
      }
    },
  )
  return {
    opened: (name, pool) => void pools.set(name, pool),
    statement: (pool, milliseconds, isFailed) =>
      statementSeconds.observe({ pool, outcome: isFailed ? 'failed' : 'ok' }, milliseconds / 1_000),
  }
}

/** Returns what is called after each exchange. */
export function observeSharedLimits({
  gauge,
  exchangeSeconds,
}: Metrics): (milliseconds: number, isFailed: boolean) => void {
  let isLost = 0
  gauge(
    'shared_limits_lost',
    'Whether the last exchange with the store of shared limits failed; 0 if limits are not shared.',
    [],
    (set) => set({}, isLost),
  )
  return (milliseconds, isFailed) => {
    isLost = isFailed ? 1 : 0
    exchangeSeconds.observe({ outcome: isFailed ? 'failed' : 'ok' }, milliseconds / 1_000)
  }
}

/** `read` needs the database. While it fails, there are no attempts to show, and the other metrics are still served. */
export function observeAttempts(read: () => Promise<OpenAttempts>, { gauge }: Metrics): void {
  let running: Promise<OpenAttempts | undefined> | undefined
  /** The gauges of a scrape share one statement. */
  const attempts = (): Promise<OpenAttempts | undefined> => {
    running ??= read()
      .catch(() => undefined)
      .finally(() => {
        running = undefined
      })
    return running
  }
  gauge('database_up', 'Whether this scrape could read the database.', [], async (set) =>
    set({}, (await attempts()) === undefined ? 0 : 1),
  )
  gauge(
    'open_attempts',
    'Attempts to cancel whose outcome is unknown, by age. The same on all replicas.',
    ['age'],
    async (set) => {
      const found = await attempts()
      for (const [age, count] of Object.entries(found?.byAge ?? {})) set({ age }, count)
    },
  )
  gauge(
    'open_attempt_oldest_seconds',
    'Age of the oldest open attempt; 0 if there is none.',
    [],
    async (set) => {
      const found = await attempts()
      if (found !== undefined) set({}, found.oldestSeconds)
    },
  )
}

export function observeSweep(status: () => { readonly sinceSuccessMs: number }, { gauge }: Metrics): void {
  gauge(
    'sweep_last_success_seconds',
    'Time since the last round of background work that succeeded.',
    [],
    (set) => set({}, status().sinceSuccessMs / 1_000),
  )
}

const DAY_MS = 86_400_000

export function observeReference(
  { rateBook, customsTables }: ReferenceData,
  clock: () => Date,
  { gauge }: Metrics,
): void {
  gauge(
    'rate_cards_in_force',
    'Rate cards that apply today; 0: no request is offered a product.',
    [],
    (set) => set({}, countCardsOn(rateBook(), clock().toISOString().slice(0, 10))),
  )
  gauge('data_set_age_days', 'Days since the date of a customs data set.', ['data_set'], (set) => {
    for (const { name, date } of customsTables().dataSets.values())
      set({ data_set: name }, Math.floor((clock().getTime() - Date.parse(date)) / DAY_MS))
  })
  const overdueHelp =
    'Days since the next edition of a customs data set in use was due; 0 if it is not overdue.'
  gauge('data_set_overdue_days', overdueHelp, ['data_set'], (set) => {
    const day = clock().toISOString().slice(0, 10)
    for (const edition of customsTables().setsInUse)
      set({ data_set: edition.name }, overdueDays(edition, day))
  })
}
