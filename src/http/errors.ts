/**
 * What becomes of anything thrown. Refusals of the framework, and of a request's limits, keep their meaning. An outage
 * is answered 503. Everything else is a fault of ours: logged under the request id and hidden from the caller.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AllowanceExceeded, NotSigned, RequestStopped } from '../operations/ports/work.ts'
import { answerFault, type FaultKind } from './envelope.ts'
import { describeError, textsOf } from './log.ts'

/** Seconds a caller is asked to wait after an outage or a deadline. */
const RETRY_AFTER_SECONDS = 2

/** The error handler; `isOutage` says which errors mean "not now" rather than "wrong". */
export function errorHandler(isOutage: (error: unknown) => boolean) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const refusal = refusalOf(error, request)
    if (refusal !== undefined) {
      // Fastify hangs up on a body it stopped reading; many clients would then never see the answer. Node
      // reads the rest and drops it, for as long as the request's time limit allows.
      reply.removeHeader('connection')
      return answerFault(reply, refusal)
    }
    if (error instanceof NotSigned) return answerFault(reply, 'UNSIGNED')
    if (error instanceof AllowanceExceeded) return answerFault(reply, 'RATE_LIMITED', error.retryAfterSeconds)
    if (error instanceof RequestStopped) return answerStopped(error, request, reply)
    logFault(error, request, isOutage)
    return isOutage(error)
      ? answerFault(reply, 'UNAVAILABLE', RETRY_AFTER_SECONDS)
      : answerFault(reply, 'INTERNAL_SERVER_ERROR')
  }
}

/** After a disconnection nobody reads the answer; it only ends the exchange. */
export function answerStopped(
  { reason }: RequestStopped,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (reason === 'deadline') request.log.warn('the request reached its deadline and was stopped')
  return answerFault(reply, 'DEADLINE_EXCEEDED', RETRY_AFTER_SECONDS)
}

/** Logs an error that the caller is not told about, under the request's id: an outage as a warning. */
export function logFault(
  error: unknown,
  request: FastifyRequest,
  isOutage: (error: unknown) => boolean,
): void {
  const line = { error: describeError(error, textsOf(request)) }
  if (isOutage(error)) request.log.warn(line, 'something this request needs is out of reach')
  else request.log.error(line, 'request failed')
}

/** What the framework refuses while it reads the request; undefined for everything thrown by ourselves. */
function refusalOf(error: unknown, request: FastifyRequest): FaultKind | undefined {
  if (!(error instanceof Error)) return undefined
  // The caller went away in the middle of the body: nobody will read the answer.
  if (request.raw.errored !== null && request.raw.errored === error) return 'BAD_REQUEST'
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  if (typeof code !== 'string' || !code.startsWith('FST_ERR_')) return undefined
  if (statusCode === 413) return 'BODY_TOO_LARGE'
  if (statusCode === 415) return 'UNSUPPORTED_MEDIA_TYPE'
  return typeof statusCode === 'number' && statusCode < 500 ? 'BAD_REQUEST' : undefined
}
