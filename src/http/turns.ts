/**
 * Divides the event loop fairly between callers. Requests work in turns of a few milliseconds. When turns are scarce
 * they are granted to accounts in rotation, so one account's large requests delay the small requests of others by
 * milliseconds, however many there are. Between rounds of turns the loop serves sockets and timers.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RequestStopped, type StopReason, type Turns, UNLIMITED_TURNS } from '../operations/ports/work.ts'
import { answerStopped } from './errors.ts'

/** After so long a turn is over, in milliseconds. */
const TURN_MS = 5

/** So much time is spent on turns before sockets and timers are served again, in milliseconds. */
const ROUND_MS = 10

/** Turns granted in one round at most. */
const ROUND_TURNS = 16

/** A round is put off for so long at most while new connections are coming in, in milliseconds. */
const ACCEPTING_MS = 25

/** Grants turns to accounts. */
export type TurnScheduler = {
  /**
   * Calls `begin` in a turn of `account`: at once when nobody is waiting and the loop has time, otherwise when the
   * account's turn comes.
   */
  enter(account: string, begin: () => void): void
  /** The turns of a request that is in its first turn now. `stopped` says whether it should end, and why. */
  turnsFor(account: string, stopped: () => StopReason | undefined): Turns
  /**
   * To be called for every new connection. The loop accepts one in each of its iterations, so that a crowd of them
   * would wait for a round of turns each. Rounds are put off while connections are coming in, but never for long.
   */
  accepted(): void
}

/** Who is waiting. Accounts are served in rotation, the requests of an account in their order. */
function rotation() {
  /** By account. The first account is next; after its turn it goes to the end. */
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

/** Whether new connections are coming in, and for how long turns have been put off for them. */
function newConnections(now: () => number) {
  let hasAccepted = false
  let putOffSince: number | undefined
  return {
    accepted(): void {
      hasAccepted = true
    },
    /** True when no turns should be granted in this iteration. */
    delayTurns(): boolean {
      const isAccepting = hasAccepted
      hasAccepted = false
      if (isAccepting) putOffSince ??= now()
      if (isAccepting && now() - (putOffSince ?? 0) < ACCEPTING_MS) return true
      putOffSince = undefined
      return false
    },
  }
}

/** A scheduler with nobody waiting. `now` is a monotonic clock in milliseconds. */
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
  // One callback for each turn: promises that a turn resolves run before the next callback, so its time is complete.
  const startRound = (): void => {
    running = true
    setImmediate(() => {
      const isLeftOut = connections.delayTurns()
      roundStarted = isLeftOut ? Number.NEGATIVE_INFINITY : now()
      if (!isLeftOut) waiting.take()?.()
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
  /** True when this iteration of the event loop has time for another turn outside a round. */
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

// Gives every request that is let in its turns (turns.ts): the first one when its body is complete, and the others
// until it reaches its deadline or its client disconnects.

/** Adds the hook. It runs before the route. `workMs` is how long a request may compute, waiting included. */
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
      if (reason !== undefined) return answerStopped(new RequestStopped(reason), request, reply)
      request.turns = scheduler.turnsFor(request.sender, stopped)
      return done()
    })
  })
}

/** Whether the request should end. */
function stopReason(request: FastifyRequest, reply: FastifyReply, deadline: number) {
  return (): StopReason | undefined => {
    if (reply.raw.destroyed || request.raw.socket.destroyed) return 'disconnected'
    return performance.now() > deadline ? 'deadline' : undefined
  }
}
