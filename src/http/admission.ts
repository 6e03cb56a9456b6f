/**
 * Limits the bodies in transit and the requests in flight. A request is in flight once its body is complete. Until then
 * it counts only against its sender's limit, so slow bodies do not use up the service's capacity. Public routes are not
 * limited.
 * See docs/limits.md#connections-and-bodies and docs/decisions/security.md#d107.
 */
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sendFault } from './faults.ts'

export type AdmissionLimits = {
  /** Requests in flight at once. One sender can have half of them. */
  readonly inFlight: number
  /** Time limit for the body of a signed request. Its sender is not authenticated before the body is read. */
  readonly signedBodyMs: number
}

const RETRY_AFTER_SECONDS = 1

// Bodies in transit at once.
const BODIES_PER_ACCOUNT = 64
const BODIES_PER_CARRIER = 32
/** Applies to signed requests. */
const SIGNED_BODIES_PER_ADDRESS = 8

/** Adds the hooks. Call it after the hook that checks credentials. */
export function limitAdmission(app: FastifyInstance, limits: AdmissionLimits): void {
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
      : [{ name: request.sender, most: BODIES_PER_ACCOUNT }]
    const leave = inTransit.enter(shares)
    if (leave === undefined) return sendFault(reply, 'OVERLOADED', RETRY_AFTER_SECONDS)
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
    if (leave === undefined) return sendFault(reply, 'OVERLOADED', RETRY_AFTER_SECONDS)
    total++
    whenOver(reply.raw, () => {
      total--
      leave()
    })
    return undefined
  })
}

/** The maximum number of concurrent requests of a name. */
type Share = { readonly name: string; readonly most: number }

/** Counts requests by name. A name without requests uses no memory. */
function openCounts() {
  const counts = new Map<string, number>()
  const change = (name: string, by: number): void => {
    const count = (counts.get(name) ?? 0) + by
    if (count === 0) counts.delete(name)
    else counts.set(name, count)
  }
  return {
    /**
     * Counts a request under every name. Returns the function that ends it, or undefined if a share is used up. Calling
     * that function again has no effect.
     */
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

/** RFC 9112, 6.3: a request with neither header has no body. */
function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || !['0', undefined].includes(headers['content-length'])
}

/** Closes the connection if the body is not complete in time. */
function limitBodyTime(request: FastifyRequest, limitMs: number): void {
  const { raw } = request
  const timer = setTimeout(() => raw.socket.destroy(), limitMs)
  const stop = (): void => clearTimeout(timer)
  raw.once('end', stop)
  raw.once('close', stop)
}

/** Calls `callback` once: when the response has been handed to the operating system, or its connection is closed. */
export function whenOver(response: ServerResponse, callback: () => void): void {
  const over = () => {
    response.off('finish', over)
    response.off('close', over)
    callback()
  }
  response.once('finish', over)
  response.once('close', over)
}
