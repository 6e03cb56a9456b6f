/**
 * Shares the event loop fairly between accounts. Requests compute in turns of a few milliseconds, which are granted to
 * accounts in rotation. Large requests of one account, however many, therefore delay small requests of others by only a
 * few milliseconds. Between rounds of turns the loop serves sockets and timers.
 * See docs/limits.md#fair-use-of-the-processor and docs/decisions/security.md#d105.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RequestStopped, type StopReason, type Turns, UNLIMITED_TURNS } from '../operations/ports/work.ts'
import { sendStopped } from './faults.ts'

/** The length of a turn. */
const TURN_MS = 5

/** Time for turns before sockets and timers are served again. */
const ROUND_MS = 10

const ROUND_TURNS = 16

/** How long rounds can be delayed while new connections arrive. */
const ACCEPTING_MS = 25

export type TurnScheduler = {
  /**
   * Calls `begin` in a turn of `account`: at once if no request is waiting and the current iteration of the loop has
   * time left, otherwise in the account's next turn.
   */
  enter(account: string, begin: () => void): void
  /** The turns of a request, starting with the current one. `stopped` returns the reason if the request must end. */
  turnsFor(account: string, stopped: () => StopReason | undefined): Turns
  /**
   * Call this for every new connection. The loop accepts one connection per iteration, so many new connections would
   * each wait for another round of turns. Rounds are therefore delayed while connections arrive, for at most
   * ACCEPTING_MS.
   */
  accepted(): void
}

/** The waiting requests. Accounts are served in rotation, requests of one account in order of arrival. */
function rotation() {
  /** By account. The first account is the next one; after its turn it moves to the end. */
  const queues = new Map<string, (() => void)[]>()
  return {
    isEmpty: (): boolean => queues.size === 0,
    add(account: string, begin: () => void): void {
      const queue = queues.get(account)
      if (queue === undefined) queues.set(account, [begin])
      else queue.push(begin)
    },
    take(): (() => void) | undefined {
      const [next] = queues
      if (next === undefined) return undefined
      const [account, queue] = next
      queues.delete(account)
      const begin = queue.shift()
      if (queue.length > 0) queues.set(account, queue)
      return begin
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
  let atOnceSince: number | undefined
  const connections = newConnections(now)

  const wait = (account: string, begin: () => void): void => {
    waiting.add(account, begin)
    if (!running) startRound()
  }
  // One callback per turn. Promises that a turn resolves run before the next callback, so the measured time includes them.
  const startRound = (): void => {
    running = true
    setImmediate(() => {
      const isSkipped = connections.delayTurns()
      roundStarted = isSkipped ? Number.NEGATIVE_INFINITY : now()
      if (!isSkipped) waiting.take()?.()
    })
    for (let turn = 1; turn < ROUND_TURNS; turn++)
      setImmediate(() => {
        if (now() - roundStarted < ROUND_MS) waiting.take()?.()
      })
    setImmediate(() => {
      running = false
      if (!waiting.isEmpty()) startRound()
    })
  }
  /** True if this iteration of the loop has time for another turn outside a round. */
  const hasTime = (): boolean => {
    const at = now()
    if (atOnceSince === undefined) {
      atOnceSince = at
      setImmediate(() => {
        atOnceSince = undefined
      })
    }
    return at - atOnceSince < ROUND_MS
  }

  return {
    accepted: connections.accepted,
    enter(account, begin) {
      if (waiting.isEmpty() && hasTime()) begin()
      else wait(account, begin)
    },
    turnsFor(account, stopped) {
      let startedAt = now()
      return {
        over: () => now() - startedAt >= TURN_MS,
        next: () =>
          new Promise((resolve, reject) => {
            wait(account, () => {
              startedAt = now()
              const reason = stopped()
              if (reason === undefined) resolve()
              else reject(new RequestStopped(reason))
            })
          }),
      }
    },
  }
}

/**
 * Adds the hook that gives each request its turns. The first turn begins after the body is complete. A request is
 * stopped `workMs` after that, or when its client disconnects.
 */
export function takeTurns(app: FastifyInstance, workMs: number): void {
  const scheduler = turnScheduler()
  app.server.on('connection', scheduler.accepted)
  app.addHook('preHandler', (request, reply, done) => {
    if (request.routeOptions.config.access === 'public') {
      request.turns = UNLIMITED_TURNS
      return done()
    }
    const stopped = stopReason(request, reply, performance.now() + workMs)
    scheduler.enter(request.sender, () => {
      const reason = stopped()
      if (reason !== undefined) return sendStopped(new RequestStopped(reason), request, reply)
      request.turns = scheduler.turnsFor(request.sender, stopped)
      return done()
    })
  })
}

function stopReason(request: FastifyRequest, reply: FastifyReply, deadline: number) {
  return (): StopReason | undefined => {
    if (reply.raw.destroyed || request.raw.socket.destroyed) return 'disconnected'
    return performance.now() > deadline ? 'deadline' : undefined
  }
}
