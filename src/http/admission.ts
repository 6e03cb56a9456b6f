/**
 * How many requests are received and worked on at once. A request counts as in flight when its body is complete;
 * until then it is in transit and counts against its sender alone. So senders of slow bodies, or of many requests at
 * once, use up their own share and nobody else's. Health and other public routes are not counted.
 */
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { answerFault } from './envelope.ts'

/** The bounds. */
export type AdmissionLimits = {
  /** Requests worked on at once. */
  readonly inFlight: number
  /** Time for the body of a signed request, in milliseconds; nothing proves its sender before it is read. */
  readonly signedBodyMs: number
}

/** Seconds a refused caller is asked to wait. */
const RETRY_AFTER_SECONDS = 1

/** Bodies in transit at once for one API key, and for one carrier that signs. */
const BODIES_PER_KEY = 64
const BODIES_PER_CARRIER = 32
/** Bodies of signed requests in transit from one address. */
const SIGNED_BODIES_PER_ADDRESS = 8

/** Adds the hooks. They run after the credentials are checked. */
export function boundAdmission(app: FastifyInstance, limits: AdmissionLimits): void {
  const inTransit = openCounts()
  const inFlight = openCounts()
  let total = 0
  const inFlightPerSender = Math.max(1, Math.floor(limits.inFlight / 2))

  app.addHook('onRequest', async (request, reply) => {
    const { access } = request.routeOptions.config
    if (access === 'public' || !hasBody(request)) return undefined
    const isSigned = access === 'signed'
    const shares: readonly Share[] = isSigned
      ? [
          { name: request.sender, most: BODIES_PER_CARRIER },
          { name: `address ${request.ip}`, most: SIGNED_BODIES_PER_ADDRESS },
        ]
      : [{ name: request.sender, most: BODIES_PER_KEY }]
    const leave = inTransit.enter(shares)
    if (leave === undefined) return answerFault(reply, 'OVERLOADED', RETRY_AFTER_SECONDS)
    request.bodyArrived = leave
    whenOver(reply.raw, leave)
    if (isSigned) limitBodyTime(request, limits.signedBodyMs)
    return undefined
  })

  app.addHook('preValidation', async (request, reply) => {
    if (request.routeOptions.config.access === 'public') return undefined
    request.bodyArrived?.()
    const leave =
      total < limits.inFlight
        ? inFlight.enter([{ name: request.sender, most: inFlightPerSender }])
        : undefined
    if (leave === undefined) return answerFault(reply, 'OVERLOADED', RETRY_AFTER_SECONDS)
    total++
    whenOver(reply.raw, () => {
      total--
      leave()
    })
    return undefined
  })
}

/** A name and how many of its requests may be inside at once. */
type Share = { readonly name: string; readonly most: number }

/** Counts of who is inside. A name without requests is not kept. */
function openCounts() {
  const counts = new Map<string, number>()
  const change = (name: string, by: number): void => {
    const count = (counts.get(name) ?? 0) + by
    if (count === 0) counts.delete(name)
    else counts.set(name, count)
  }
  return {
    /** Counts a request under every name, or undefined when one of them has no room. Leaving twice is harmless. */
    enter(shares: readonly Share[]): (() => void) | undefined {
      if (shares.some(({ name, most }) => (counts.get(name) ?? 0) >= most)) return undefined
      for (const { name } of shares) change(name, 1)
      let isInside = true
      return () => {
        if (!isInside) return
        isInside = false
        for (const { name } of shares) change(name, -1)
      }
    },
  }
}

/** RFC 9112, 6.3: a request without either header has no body. */
function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || !['0', undefined].includes(headers['content-length'])
}

/** Hangs up when the body is not complete in time. */
function limitBodyTime(request: FastifyRequest, limitMs: number): void {
  const { raw } = request
  const timer = setTimeout(() => raw.socket.destroy(), limitMs)
  const stop = (): void => clearTimeout(timer)
  raw.once('end', stop)
  raw.once('close', stop)
}

/** Calls `then` once, when the response has been handed over or its connection is gone. */
export function whenOver(response: ServerResponse, then: () => void): void {
  const over = () => {
    response.off('finish', over)
    response.off('close', over)
    then()
  }
  response.once('finish', over)
  response.once('close', over)
}
