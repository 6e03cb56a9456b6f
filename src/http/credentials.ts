/**
 * Who may pass: exactly one X-PP-API header that proves a caller, within the limits of its key. Every refusal
 * for the credentials themselves is the same 401. Source: specification section 5; decisions 5 and 8 of the
 * README; design/security-and-limits.md. A route that checks signatures itself gets the same budgets, per address and
 * claimed name.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { identifyCaller, readCredentials } from '../operations/identify-caller.ts'
import type { Ports } from '../operations/ports.ts'
import { openBudget } from './budget.ts'
import { answerFault } from './envelope.ts'
import { whenOver } from './overload.ts'

/** How often a caller may ask, and fail. */
export type CallerLimits = {
  /** Requests per API key and minute. */
  readonly requestsPerMinute: number
  /** Refused credentials per address and claimed key and minute. */
  readonly failuresPerMinute: number
}

const HEADER = 'x-pp-api'
const MINUTE_MS = 60_000
/** Of what a signed request says of itself, this much tells one from another, in characters. */
const MAX_CLAIM_LENGTH = 80

/**
 * The hook that sets `request.caller` or answers 401 or 429. It runs before the body is read. What the store
 * throws goes on to the error handler (503 when it is an outage).
 */
export function demandCredentials(ports: Pick<Ports, 'credentials' | 'secrets'>, limits: CallerLimits) {
  const requests = openBudget({ limit: limits.requestsPerMinute, windowMs: MINUTE_MS })
  const failures = openBudget({ limit: limits.failuresPerMinute, windowMs: MINUTE_MS })

  /** The signature is the route's own affair; what is counted is who claims to be whom, and what came of it. */
  const admitSigned = (request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined => {
    const claimed = `${request.ip} ${JSON.stringify(request.params).slice(0, MAX_CLAIM_LENGTH)}`
    const wait = failures.exhausted(claimed) ?? requests.spend(claimed)
    if (wait !== undefined) return answerFault(reply, 'RATE_LIMITED', wait)
    whenOver(reply.raw, () => {
      if (reply.raw.statusCode === 401) failures.spend(claimed)
    })
    return undefined
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const { access } = request.routeOptions.config
    if (access === 'public') return undefined
    if (access === 'signed') return admitSigned(request, reply)
    const header = soleHeader(request.raw.rawHeaders, HEADER)
    const claimed = readCredentials(header)
    // Without a key there is nothing to guess at, so nothing to count.
    const suspect = claimed && `${request.ip} ${claimed.keyId}`
    const failureWait = suspect === undefined ? undefined : failures.exhausted(suspect)
    if (failureWait !== undefined) return answerFault(reply, 'RATE_LIMITED', failureWait)

    const identified = await identifyCaller(ports, header)
    if (identified === undefined) {
      if (suspect !== undefined) failures.spend(suspect)
      return answerFault(reply, 'UNAUTHENTICATED')
    }
    const wait = requests.spend(identified.keyId)
    if (wait !== undefined) return answerFault(reply, 'RATE_LIMITED', wait)
    request.caller = identified.caller
    return undefined
  }
}

/**
 * The value of a header that was sent exactly once; undefined otherwise. Counted in the raw list (name,
 * value, name, value …), because the runtime joins duplicates, and a proxy may have judged only the first of
 * them.
 */
function soleHeader(rawHeaders: readonly string[], name: string): string | undefined {
  let value: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== name) continue
    if (value !== undefined) return undefined
    value = rawHeaders[index + 1]
  }
  return value
}
