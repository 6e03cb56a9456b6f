/**
 * A bound on requests in flight: past it a request is told to come back at once, instead of making all the
 * others slow. Health is not counted, or a busy service would be taken for a dead one.
 */
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerFault } from './envelope.ts'

/** Seconds a refused caller is asked to wait. */
const RETRY_AFTER_SECONDS = 1

/** The hook that counts requests in and out, and answers 503 past `maxInFlight`. */
export function boundInFlight(maxInFlight: number) {
  let inFlight = 0
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (request.routeOptions.config.access === 'public') return undefined
    if (inFlight >= maxInFlight) return answerFault(reply, 'OVERLOADED', RETRY_AFTER_SECONDS)
    inFlight++
    whenOver(reply.raw, () => {
      inFlight--
    })
    return undefined
  }
}

/** Runs `then` once, when an answer has been handed over or its connection is gone. */
export function whenOver(response: ServerResponse, then: () => void): void {
  const over = () => {
    response.off('finish', over)
    response.off('close', over)
    then()
  }
  response.once('finish', over)
  response.once('close', over)
}
