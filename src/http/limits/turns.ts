/**
 * Shares the event loop fairly between accounts. Requests compute in turns of a few milliseconds. Accounts with waiting
 * requests take turns in rotation, and each gets the time of one full turn, which can be many turns of small requests.
 * Large requests of one account, however many, therefore delay small requests of others by only a few milliseconds, and
 * leave them their share of the processor. Between rounds of turns the loop serves sockets and timers.
 * See docs/limits.md#fair-use-of-the-processor and docs/decisions/security.md#d105.
 *
 * Requests that arrive in the same iteration of the loop are first all read, then all computed, then all answered. The
 * code of each stage then stays in the processor's caches, so small requests need about 30% less CPU time (D198).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RequestStopped, type StopReason, type Turns, UNLIMITED_TURNS } from '../../operations/ports/work.ts'
import { sendStopped } from '../faults.ts'

/** The intended length of a turn. An account gets turns for this long, and then the next account does. */
const TURN_MS = 5

/**
 * The most time that an account can owe for long turns. An account that owes this much gets no turns in five rotations.
 * If it could owe more, for example after a pause of the whole process, its requests could reach their deadline.
 */
const MAX_DEBT_MS = 25

/** Time for turns before sockets and timers are served again. */
const ROUND_MS = 10

const ROUND_TURNS = 64

/** How long rounds can be delayed while new connections arrive. */
const ACCEPTING_MS = 25

export type TurnScheduler = {
  /**
   * Calls `begin` in a turn of `account`. If no other request is waiting, this happens in the same iteration of the
   * event loop, after its sockets have been read. `begin` must return true if no work of the request is left: the
   * response has been sent, or the client has disconnected.
   */
  enter(account: string, begin: () => boolean): void
  /** The turns of a request, starting with the current one. `stopped` returns the reason if the request must end. */
  turnsFor(account: string, stopped: Stopped): Turns
  /**
   * Call this for every new connection. The loop accepts one connection per iteration, so many new connections would
   * each wait for another round of turns. Rounds are therefore delayed while connections arrive, for at most
   * ACCEPTING_MS.
   */
  accepted(): void
  waits(account: string): Waits
}

/** The waiting requests of an account. Waits are in milliseconds, and 0 if no request is waiting. */
export type Waits = {
  /** Requests that wait for their first turn. */
  readonly unstarted: number
  /** Requests that wait for a later turn. */
  readonly started: number
  /** The longest current wait for a first turn. */
  readonly firstTurnMs: number
  /** The longest current wait for a later turn. */
  readonly laterTurnMs: number
}

const NO_WAITS: Waits = { unstarted: 0, started: 0, firstTurnMs: 0, laterTurnMs: 0 }

/** Starts or continues a request. Returns true if no work of the request is left. */
type Begin = () => boolean

type Waiting = { readonly begin: Begin; readonly since: number }

/** A request that has had a turn. `order` is the order in which requests had their first turn. */
type Started = Waiting & { readonly order: number }

/**
 * The waiting requests of an account. Its turns alternate between new requests in order of arrival and started requests
 * in the order of their first turn. Small requests therefore do not wait for large ones, and large requests finish one
 * after the other. If they all advanced at the same speed, many large requests would all reach their deadline.
 */
function accountQueue() {
  const fresh: Waiting[] = []
  const started: Started[] = []
  let isStartedNext = false
  return {
    isEmpty: (): boolean => fresh.length === 0 && started.length === 0,
    addFresh: (waiting: Waiting): void => void fresh.push(waiting),
    addStarted(waiting: Started): void {
      let index = started.length
      while (index > 0 && (started[index - 1]?.order ?? 0) > waiting.order) index--
      started.splice(index, 0, waiting)
    },
    take(): Waiting | undefined {
      const useStarted = fresh.length === 0 || (isStartedNext && started.length > 0)
      isStartedNext = !useStarted
      return useStarted ? started.shift() : fresh.shift()
    },
    waits: (at: number): Waits => ({
      unstarted: fresh.length,
      started: started.length,
      firstTurnMs: fresh[0] === undefined ? 0 : at - fresh[0].since,
      laterTurnMs: started.reduce((longest, { since }) => Math.max(longest, at - since), 0),
    }),
  }
}

type Account = {
  readonly queue: ReturnType<typeof accountQueue>
  /** The time until the next account is served. Negative if the account has used more than its time. */
  leftMs: number
}

/**
 * The waiting requests of all accounts. Accounts are served in rotation, for TURN_MS each (deficit round robin): the
 * time by which an account exceeds TURN_MS is taken from its next times, so that accounts with long turns get no more
 * than others. See docs/decisions/security.md#d199.
 */
function rotation() {
  /** The first account is served. Accounts without waiting requests remain while they owe time. */
  const accounts = new Map<string, Account>()
  let requests = 0
  let served: Account | undefined
  const queueOf = (name: string) => {
    const known = accounts.get(name)
    if (known !== undefined) return known.queue
    const queue = accountQueue()
    accounts.set(name, { queue, leftMs: TURN_MS })
    return queue
  }
  return {
    isEmpty: (): boolean => requests === 0,
    addFresh(account: string, waiting: Waiting): void {
      requests++
      queueOf(account).addFresh(waiting)
    },
    addStarted(account: string, waiting: Started): void {
      requests++
      queueOf(account).addStarted(waiting)
    },
    waits: (account: string, at: number): Waits => accounts.get(account)?.queue.waits(at) ?? NO_WAITS,
    /** Subtracts from the time of the account of the last turn. */
    used(ms: number): void {
      if (served !== undefined) served.leftMs = Math.max(served.leftMs - ms, -MAX_DEBT_MS)
    },
    take(): Begin | undefined {
      // Also visits the accounts that are moved to the end. If no account has waiting requests, all debts are dropped.
      for (const [name, account] of accounts) {
        const { queue } = account
        if (account.leftMs > 0 && !queue.isEmpty()) {
          served = account
          requests--
          return queue.take()?.begin
        }
        accounts.delete(name)
        account.leftMs = Math.min(TURN_MS, account.leftMs + TURN_MS)
        // An account without waiting requests is forgotten as soon as it owes no time.
        if (!queue.isEmpty() || account.leftMs < TURN_MS) accounts.set(name, account)
      }
      return undefined
    },
  }
}

/** Tracks whether connections are arriving, and for how long turns have been delayed for them. */
function newConnections(now: () => number) {
  let hasAccepted = false
  let delayedSince: number | undefined
  return {
    accepted(): void {
      hasAccepted = true
    },
    /** True if this iteration of the loop should grant no turns. */
    delayTurns(): boolean {
      const isAccepting = hasAccepted
      hasAccepted = false
      if (isAccepting) delayedSince ??= now()
      if (isAccepting && now() - (delayedSince ?? 0) < ACCEPTING_MS) return true
      delayedSince = undefined
      return false
    },
  }
}

/** `now` is a monotonic clock in milliseconds. */
export function turnScheduler(now: () => number = () => performance.now()): TurnScheduler {
  const waiting = rotation()
  let running = false
  let roundStarted = 0
  const connections = newConnections(now)

  let begun = 0
  /** Whether requests are waiting that the last round left, or that have already had a turn. */
  let isBehind = false
  const endRound = (): void => {
    running = false
    isBehind = !waiting.isEmpty()
    if (isBehind) startRound()
  }
  let turnStarted = 0
  const takeTurns = (first: number): void => {
    for (let turn = first; ; turn++) {
      const at = now()
      if (turn > 1) waiting.used(at - turnStarted)
      turnStarted = at
      const begin = turn <= ROUND_TURNS && at - roundStarted < ROUND_MS ? waiting.take() : undefined
      if (begin === undefined) {
        endRound()
        return
      }
      let isOver = false
      try {
        isOver = begin()
      } finally {
        // Microtasks and ticks alternate, so all promises that the turn resolves run before the next turn, and the
        // measured time includes them.
        if (!isOver) queueMicrotask(() => process.nextTick(takeTurns, turn + 1))
      }
      if (!isOver) return
    }
  }
  const startRound = (): void => {
    running = true
    setImmediate(() => {
      const isDelayed = connections.delayTurns()
      if (isBehind && isDelayed) {
        endRound()
        return
      }
      roundStarted = now()
      takeTurns(1)
    })
  }

  const queue: TurnQueue = {
    now,
    add(account, started) {
      waiting.addStarted(account, started)
      isBehind = true
      if (!running) startRound()
    },
  }

  return {
    accepted: connections.accepted,
    enter(account, begin) {
      waiting.addFresh(account, { begin, since: now() })
      if (!running) startRound()
    },
    waits: (account) => waiting.waits(account, now()),
    turnsFor: (account, stopped) => new RequestTurns(queue, account, stopped, begun++),
  }
}

/** Adds a started request to the queue of its account. */
type Enqueue = (account: string, started: Started) => void

/** The reason if a request must end. */
type Stopped = () => StopReason | undefined

/** `now` is the clock of the scheduler. */
type TurnQueue = { readonly add: Enqueue; readonly now: () => number }

/** A class, because every request has one and closures would cost more. */
class RequestTurns implements Turns {
  readonly #queue: TurnQueue
  readonly #account: string
  readonly #stopped: Stopped
  readonly #order: number
  #startedAt: number

  constructor(queue: TurnQueue, account: string, stopped: Stopped, order: number) {
    this.#queue = queue
    this.#account = account
    this.#stopped = stopped
    this.#order = order
    this.#startedAt = queue.now()
  }

  over(): boolean {
    return this.#queue.now() - this.#startedAt >= TURN_MS
  }

  next(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): boolean => {
        this.#startedAt = this.#queue.now()
        const reason = this.#stopped()
        if (reason === undefined) resolve()
        else reject(new RequestStopped(reason))
        return false
      }
      this.#queue.add(this.#account, { begin, since: this.#queue.now(), order: this.#order })
    })
  }
}

/**
 * Adds the hook that gives each request its turns. The first turn begins after the body is complete. A request is
 * stopped `workMs` after that, or when its client disconnects.
 */
export function takeTurns(app: FastifyInstance, scheduler: TurnScheduler, workMs: number): void {
  app.server.on('connection', scheduler.accepted)
  app.addHook('preHandler', (request, reply, done) => {
    if (request.routeOptions.config.access === 'public') {
      request.turns = UNLIMITED_TURNS
      return done()
    }
    const stopped = stopReason(request, reply, performance.now() + workMs)
    scheduler.enter(request.sender, () => {
      const reason = stopped()
      // Without a client, no response and therefore no status is logged.
      if (reason === 'disconnected') return true
      if (reason !== undefined) sendStopped(new RequestStopped(reason), request, reply)
      else {
        request.turns = scheduler.turnsFor(request.sender, stopped)
        done()
      }
      return reply.raw.writableEnded
    })
  })
}

function stopReason(request: FastifyRequest, reply: FastifyReply, deadline: number): Stopped {
  return () => {
    if (reply.raw.destroyed || request.raw.socket.destroyed) return 'disconnected'
    return performance.now() > deadline ? 'deadline' : undefined
  }
}
