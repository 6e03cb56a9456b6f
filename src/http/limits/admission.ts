/**
 * Limits the bodies in transit and the requests in flight. A request is in flight once its body is complete. Until then
 * it counts only against its sender's limit, so slow bodies do not use up the service's capacity. Public routes are not
 * limited. See docs/limits.md#connections-and-bodies.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { networkOf } from '../credentials.ts'
import { sendOverloaded } from '../faults.ts'
import { isOver, whenOver } from '../when-over.ts'

export type AdmissionLimits = {
  /** Requests in flight at once. One sender can have half of them. */
  readonly inFlight: number
  /** Time limit for the body of a signed request. Its sender is not authenticated before the body is read. */
  readonly signedBodyMs: number
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
    const { access, isStream } = request.routeOptions.config
    if (access === 'public') return done()
    endTransit(request)
    if (isStream === true) return done()
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
 * Limits the signed bodies in transit. Anybody can send the headers of a signed request, and only the body shows who
 * has signed it. So networks that have signed correctly within the last day have places that no other network can take.
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
