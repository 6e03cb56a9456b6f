/**
 * Limits the bodies in transit and the requests in flight. A request is in flight once its body is complete. Until then
 * it counts only against its sender's limit, so slow bodies do not use up the service's capacity. Public routes are not
 * limited.
 *
 * Also refuses requests with 503 while the processor is overloaded. The measures are how long requests of the account
 * wait for their turns, and the delay of the event loop. An account is refused because of its own waiting requests
 * only, so other accounts are still served. Signed routes are not refused for this reason.
 * See docs/limits.md#connections-and-bodies, docs/limits.md#overload, and D107 and D127 in docs/decisions/security.md.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { networkOf } from './credentials.ts'
import { sendOverloaded } from './faults.ts'
import type { TurnScheduler, Waits } from './turns.ts'

export type AdmissionLimits = {
  /** Requests in flight at once. One sender can have half of them. */
  readonly inFlight: number
  /** Time limit for the body of a signed request. Its sender is not authenticated before the body is read. */
  readonly signedBodyMs: number
  /** Requests of an account are refused if its earlier ones wait this long for their first turn, outside an overload. */
  readonly overloadWaitMs: number
}

// Bodies in transit at once.
const BODIES_PER_ACCOUNT = 64
const BODIES_PER_CARRIER = 32
/** Of these, for networks that have not signed correctly within the last day. They cannot use up the others. */
const BODIES_OF_STRANGERS = 16
/** Their time limit for a body, if it is shorter than the one of all signed requests. */
const STRANGER_BODY_MS = 1_000
/** Applies to signed requests. */
const SIGNED_BODIES_PER_NETWORK = 8

/** Adds the hooks. Call it after the hook that checks credentials. */
export function limitAdmission(app: FastifyInstance, limits: AdmissionLimits): void {
  const bodies = openCounts()
  const signed = limitSignedBodies(limits.signedBodyMs)
  const inFlight = openCounts()
  let total = 0
  const inFlightPerSender = Math.max(1, Math.floor(limits.inFlight / 2))

  const endTransit = (request: FastifyRequest): void => {
    if (!request.isInTransit) return
    request.isInTransit = false
    if (request.signedFrom === '') bodies.leave(request.sender)
    else signed.leave(request)
  }
  const end = (request: FastifyRequest): void => {
    endTransit(request)
    if (request.isSignatureValid) signed.remember(request)
    if (!request.isInFlight) return
    request.isInFlight = false
    inFlight.leave(request.sender)
    total--
  }

  app.addHook('onRequest', (request, reply, done) => {
    const { access } = request.routeOptions.config
    if (access === 'public') return done()
    // The client may disconnect while its key is looked up. Nothing would release what is counted after that.
    if (isOver(reply.raw)) return done()
    whenOver(reply.raw, () => end(request))
    if (!hasBody(request)) return done()
    const isAdmitted =
      access === 'signed' ? signed.enter(request) : bodies.enter(request.sender, BODIES_PER_ACCOUNT)
    if (!isAdmitted) return void sendOverloaded(reply)
    request.isInTransit = true
    return done()
  })

  app.addHook('preValidation', (request, reply, done) => {
    if (request.routeOptions.config.access === 'public') return done()
    endTransit(request)
    if (isOver(reply.raw)) return done()
    if (total >= limits.inFlight || !inFlight.enter(request.sender, inFlightPerSender))
      return void sendOverloaded(reply)
    request.isInFlight = true
    total++
    return done()
  })
}

/** Counts requests by name. A name without requests uses no memory. */
function openCounts() {
  const counts = new Map<string, number>()
  return {
    /** Counts a request, or returns false if the name already has the maximum number. */
    enter(name: string, most: number): boolean {
      const count = counts.get(name) ?? 0
      if (count >= most) return false
      counts.set(name, count + 1)
      return true
    },
    leave(name: string): void {
      const count = counts.get(name) ?? 0
      if (count > 1) counts.set(name, count - 1)
      else counts.delete(name)
    },
  }
}

const DAY_MS = 86_400_000
const SIGNERS_MAX = 1_000

/**
 * Limits the signed bodies in transit. Anybody can send the headers of a signed request, and only the body shows who has
 * signed it. So networks that have signed correctly within the last day have places that no other network can take.
 */
function limitSignedBodies(bodyMs: number) {
  const bodies = openCounts()
  const byNetwork = openCounts()
  const ofStrangers = openCounts()
  const signers = new LRUCache<string, true>({ max: SIGNERS_MAX, ttl: DAY_MS })
  const keyOf = (sender: string, network: string): string => `${sender} ${network}`
  const admit = (request: FastifyRequest, network: string, isStranger: boolean): true => {
    request.signedFrom = network
    request.isStranger = isStranger
    limitBodyTime(request, isStranger ? Math.min(STRANGER_BODY_MS, bodyMs) : bodyMs)
    return true
  }
  return {
    enter(request: FastifyRequest): boolean {
      const { sender } = request
      const network = networkOf(request.ip)
      if (!byNetwork.enter(network, SIGNED_BODIES_PER_NETWORK)) return false
      const isStranger = !signers.has(keyOf(sender, network))
      if (!isStranger || ofStrangers.enter(sender, BODIES_OF_STRANGERS)) {
        if (bodies.enter(sender, BODIES_PER_CARRIER)) return admit(request, network, isStranger)
        if (isStranger) ofStrangers.leave(sender)
      }
      byNetwork.leave(network)
      return false
    },
    leave({ sender, signedFrom, isStranger }: FastifyRequest): void {
      bodies.leave(sender)
      byNetwork.leave(signedFrom)
      if (isStranger) ofStrangers.leave(sender)
    },
    /** Call it when the signature has been checked. The connection may be closed by then, so its address is gone. */
    remember({ sender, signedFrom }: FastifyRequest): void {
      signers.set(keyOf(sender, signedFrom), true)
    },
  }
}

/** RFC 9112, 6.3: a request with neither header has no body. */
function hasBody({ headers }: FastifyRequest): boolean {
  const { 'transfer-encoding': encoding, 'content-length': length } = headers
  return encoding !== undefined || (length !== undefined && length !== '0')
}

/** Closes the connection if the body is not complete in time. */
function limitBodyTime(request: FastifyRequest, limitMs: number): void {
  const { raw } = request
  const timer = setTimeout(() => raw.socket.destroy(), limitMs)
  const stop = (): void => clearTimeout(timer)
  raw.once('end', stop)
  raw.once('close', stop)
}

const CALLBACKS = Symbol('callbacks')

/** `isSent` is true if the whole response has been handed to the operating system. */
type OverCallback = (isSent: boolean) => void

/** The callbacks are undefined before the first one is added, and null once the response is over. */
type WatchedResponse = ServerResponse & { [CALLBACKS]?: OverCallback[] | null }

/**
 * Calls `callback` once: when the response has been handed to the operating system, or its connection is closed. Calls it
 * at once if the response is over already. Callbacks of a response share their listeners, because listeners cost more
 * than most callbacks.
 */
export function whenOver(response: ServerResponse, callback: OverCallback): void {
  const watched: WatchedResponse = response
  const callbacks = watched[CALLBACKS]
  if (callbacks === null) return void callback(false)
  if (callbacks !== undefined) return void callbacks.push(callback)
  watched[CALLBACKS] = [callback]
  watched.on('finish', onFinish)
  watched.on('close', onClose)
  if (watched.socket === null) awaitSocket(watched)
}

/** Whether the callbacks of `whenOver` have been called. False if there are none. */
function isOver(response: ServerResponse): boolean {
  return (response as WatchedResponse)[CALLBACKS] === null
}

/** Node emits `finish` also when the rest of the response is dropped because its connection is closed. */
function onFinish(this: WatchedResponse): void {
  callBack(this, !this.req.socket.destroyed)
}

function onClose(this: WatchedResponse): void {
  callBack(this, false)
}

function callBack(response: WatchedResponse, isSent: boolean): void {
  const callbacks = response[CALLBACKS] ?? []
  response[CALLBACKS] = null
  for (const callback of callbacks) callback(isSent)
}

/** The pipelined responses of a connection. */
const queues = new WeakMap<Socket, Set<WatchedResponse>>()

/**
 * Pipelined responses wait for those before them. Node emits no event for a waiting response if its connection is closed.
 */
function awaitSocket(response: WatchedResponse): void {
  const { socket } = response.req
  const queue = queues.get(socket) ?? new Set()
  if (!queues.has(socket)) {
    queues.set(socket, queue)
    socket.once('close', () => {
      for (const waiting of queue) callBack(waiting, false)
    })
  }
  queue.add(response)
  response.once('close', () => queue.delete(response))
}

/**
 * With fewer waiting requests, an account is not refused. The limit for requests that have not started is higher,
 * because each of them waits for one turn, and a started request may need many.
 */
const MIN_UNSTARTED = 8
const MIN_STARTED = 3

type WaitLimits = Pick<Waits, 'firstTurnMs' | 'laterTurnMs'>

/** The waits from which an account is refused. A short burst of requests stays below them. */
function burstLimits(overloadWaitMs: number): WaitLimits {
  return { firstTurnMs: overloadWaitMs, laterTurnMs: 2 * overloadWaitMs }
}

/** The limits for an account that was refused within the last CALM_MS, and for all accounts while the loop is late. */
function overloadLimits(overloadWaitMs: number): WaitLimits {
  return { firstTurnMs: 0.4 * overloadWaitMs, laterTurnMs: overloadWaitMs }
}

/** How long an account must not be refused until the burst limits apply again. */
const CALM_MS = 1_000

/** How often the delay of the event loop is measured. */
const SAMPLE_MS = 50

/** The loop is late once its delay has been at least LATE_MS for LATE_AFTER_MS, until it is below ON_TIME_MS. */
const LATE_MS = 100
const LATE_AFTER_MS = 200
const ON_TIME_MS = 50

/** An overload has ended when no request was refused for this long. Also limits the log lines about overload. */
const QUIET_MS = 5_000

export type LoopDelay = {
  observe(delayMs: number, at: number): void
  isLate(): boolean
}

/** Decides whether the event loop is late. A single long delay, such as a garbage collection, does not count. */
export function loopDelay(): LoopDelay {
  let lateSince: number | undefined
  let isLate = false
  return {
    observe(delayMs, at) {
      if (delayMs < ON_TIME_MS) isLate = false
      if (delayMs < LATE_MS) lateSince = undefined
      else lateSince ??= at
      if (lateSince !== undefined && at - lateSince >= LATE_AFTER_MS) isLate = true
    },
    isLate: () => isLate,
  }
}

/** Decides which accounts are refused. `at` is a monotonic time in milliseconds. */
export function overloadControl(
  waits: (account: string) => Waits,
  isLoopLate: () => boolean,
  overloadWaitMs: number,
) {
  const inBurst = burstLimits(overloadWaitMs)
  const inOverload = overloadLimits(overloadWaitMs)
  /** By account, oldest first. */
  const refusedAt = new Map<string, number>()
  return {
    refuses(account: string, at: number): boolean {
      if (refusedAt.size > 0) forgetCalm(refusedAt, at)
      const limits = isLoopLate() || refusedAt.has(account) ? inOverload : inBurst
      const { unstarted, started, firstTurnMs, laterTurnMs } = waits(account)
      const areFirstTurnsLate = unstarted >= MIN_UNSTARTED && firstTurnMs >= limits.firstTurnMs
      const areLaterTurnsLate = started >= MIN_STARTED && laterTurnMs >= limits.laterTurnMs
      if (!areFirstTurnsLate && !areLaterTurnsLate) return false
      refusedAt.delete(account)
      refusedAt.set(account, at)
      return true
    },
  }
}

/** Drops the accounts that were not refused for CALM_MS. */
function forgetCalm(refusedAt: Map<string, number>, at: number): void {
  for (const [name, time] of refusedAt) {
    if (at - time < CALM_MS) return
    refusedAt.delete(name)
  }
}

/** Reports the start and the end of an overload. Call `check` regularly. */
export function overloadReport(log: Pick<FastifyInstance['log'], 'info' | 'warn'>) {
  let current: { readonly since: number; last: number; refused: number } | undefined
  return {
    refused(sender: string, waits: Waits, isLoopLate: boolean, at: number): void {
      if (current === undefined)
        log.warn({ sender, ...rounded(waits), isLoopLate }, 'overload: requests are refused with 503')
      current ??= { since: at, last: at, refused: 0 }
      current.last = at
      current.refused++
    },
    check(at: number): void {
      if (current === undefined || at - current.last < QUIET_MS) return
      const { since, last, refused } = current
      log.info({ refused, durationMs: Math.round(last - since) }, 'the overload has ended')
      current = undefined
    },
  }
}

function rounded(waits: Waits): Waits {
  const { firstTurnMs, laterTurnMs } = waits
  return { ...waits, firstTurnMs: Math.round(firstTurnMs), laterTurnMs: Math.round(laterTurnMs) }
}

/** Adds the hook. Call it after the hook that checks credentials. */
export function shedOverload(
  app: FastifyInstance,
  turns: Pick<TurnScheduler, 'waits'>,
  { overloadWaitMs }: Pick<AdmissionLimits, 'overloadWaitMs'>,
): void {
  const loop = loopDelay()
  const control = overloadControl(turns.waits, loop.isLate, overloadWaitMs)
  const report = overloadReport(app.log)
  let expectedAt = performance.now() + SAMPLE_MS
  const sampling = setInterval(() => {
    const at = performance.now()
    loop.observe(at - expectedAt, at)
    expectedAt = at + SAMPLE_MS
    report.check(at)
  }, SAMPLE_MS).unref()
  app.addHook('onClose', async () => clearInterval(sampling))

  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.access !== undefined) return done()
    const at = performance.now()
    if (!control.refuses(request.sender, at)) return done()
    report.refused(request.sender, turns.waits(request.sender), loop.isLate(), at)
    sendOverloaded(reply)
  })
}
