/**
 * Who may pass: exactly one X-PP-API header that proves a caller, within the limits of its API key. Every refusal for
 * the credentials themselves is the same 401. A correct secret passes whatever others have tried from the same
 * address. Source: docs/rest-contract.md, section "Authentication"; docs/limits.md.
 */
import { isIPv6 } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { identifyCaller, readCredentials } from '../operations/identify-caller.ts'
import type { Ports } from '../operations/ports/ports.ts'
import type { Allowance } from '../operations/ports/work.ts'
import { type Budget, type BudgetState, openBudget } from './budget.ts'
import { answerFault } from './envelope.ts'

/** How often a caller may ask, and fail. */
export type CallerLimits = {
  /** Requests per API key and minute; also per carrier and address that signs. */
  readonly requestsPerMinute: number
  /** Points per API key and minute (operations/points.ts). */
  readonly pointsPerMinute: number
  /** Refused credentials per address and claimed key and minute. An address has five times as many in all. */
  readonly failuresPerMinute: number
}

const HEADER = 'x-pp-api'
const MINUTE_MS = 60_000
/** Addresses, and pairs of an address and a name, that are counted at once. */
const MAX_NAMES = 50_000
/** The longest IP address as text; with a trusted proxy an address is what that proxy says. */
const MAX_ADDRESS_LENGTH = 45
/** Failures that an address may have with all keys together, as a multiple of those with one key. */
const KEYS_PER_ADDRESS = 5

/** The budgets of one process. */
type Budgets = Readonly<Record<'requests' | 'points' | 'failures' | 'addressFailures' | 'signed', Budget>>

/**
 * The hook that sets `request.caller`, `request.sender` and `request.allowance`, or answers 401 or 429. It runs before
 * the body is read. What the store throws goes on to the error handler (503 when it is an outage).
 */
export function demandCredentials(ports: Pick<Ports, 'credentials' | 'secrets'>, limits: CallerLimits) {
  const budgets = openBudgets(limits)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const { access } = request.routeOptions.config
    if (access === 'public') return undefined
    if (access === 'signed') return admitSigned(budgets, request, reply)

    const header = soleHeader(request.raw.rawHeaders, HEADER)
    const claimed = readCredentials(header)
    const address = networkOf(request.ip)
    // An address that has guessed too often may not make this process look up more keys.
    if (claimed !== undefined && !ports.credentials.isKnown(claimed.keyId)) {
      const wait = budgets.addressFailures.exhausted(address)
      if (wait !== undefined) return answerFault(reply, 'RATE_LIMITED', wait)
    }
    const identified = await identifyCaller(ports, header)
    if (identified === undefined) {
      if (claimed === undefined) return answerFault(reply, 'UNAUTHENTICATED')
      const addressWait = budgets.addressFailures.spend(address)
      const wait = budgets.failures.spend(`${address} ${claimed.keyId}`) ?? addressWait
      return wait === undefined
        ? answerFault(reply, 'UNAUTHENTICATED')
        : answerFault(reply, 'RATE_LIMITED', wait)
    }
    const { keyId, caller } = identified
    const wait = budgets.requests.spend(keyId)
    request.limitState = () => tighter(budgets.requests.state(keyId), budgets.points.state(keyId))
    if (wait !== undefined) return answerFault(reply, 'RATE_LIMITED', wait)
    request.caller = caller
    request.sender = `account ${caller.accountId}`
    request.allowance = allowanceOf(budgets.points, keyId)
    return undefined
  }
}

function openBudgets({ requestsPerMinute, pointsPerMinute, failuresPerMinute }: CallerLimits): Budgets {
  const perMinute = (limit: number, maxNames?: number): Budget =>
    openBudget({ limit, windowMs: MINUTE_MS, ...(maxNames !== undefined && { maxNames }) })
  return {
    // Counted only for keys that have proved themselves, so their number is that of the keys.
    requests: perMinute(requestsPerMinute),
    points: perMinute(pointsPerMinute),
    failures: perMinute(failuresPerMinute, MAX_NAMES),
    addressFailures: perMinute(failuresPerMinute * KEYS_PER_ADDRESS, MAX_NAMES),
    signed: perMinute(requestsPerMinute, MAX_NAMES),
  }
}

/**
 * The signature covers the body, so it is checked when that is there. What can be told from the headers is told now:
 * a request that cannot be signed properly is refused before its body is read.
 */
function admitSigned(
  budgets: Budgets,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const signer = request.routeOptions.config.claimedSigner?.(request)
  if (signer === undefined) return answerFault(reply, 'UNSIGNED')
  const wait = budgets.signed.spend(`${networkOf(request.ip)} ${signer}`)
  if (wait !== undefined) return answerFault(reply, 'RATE_LIMITED', wait)
  request.sender = `carrier ${signer}`
  return undefined
}

function allowanceOf(points: Budget, keyId: string): Allowance {
  return { charge: (amount) => points.spend(keyId, amount) }
}

/** The limit of which a smaller share is left. */
function tighter(a: BudgetState, b: BudgetState): BudgetState {
  return a.remaining * b.limit < b.remaining * a.limit ? a : b
}

/**
 * The hook that tells callers what is left of their limits: RateLimit-Limit, -Remaining and -Reset describe the tighter
 * of the two limits, RateLimit-Policy names both (requests, then points).
 */
export function tellLimits({ requestsPerMinute, pointsPerMinute }: CallerLimits) {
  const policy = `${requestsPerMinute};w=60, ${pointsPerMinute};w=60`
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const state = request.limitState?.()
    if (state === undefined) return
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit-limit', String(state.limit))
    reply.header('ratelimit-remaining', String(state.remaining))
    reply.header('ratelimit-reset', String(state.resetSeconds))
  }
}

/**
 * The network that an address counts as: an IPv4 address is one network, an IPv6 address belongs to its /64, of which
 * a single customer usually has all addresses.
 */
export function networkOf(address: string | undefined): string {
  // The connection is gone already.
  if (address === undefined) return 'unknown'
  if (!isIPv6(address)) return address.slice(0, MAX_ADDRESS_LENGTH)
  // "::ffff:192.0.2.1" is an IPv4 address.
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1)
  const [before = [], after] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = after === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...new Array<string>(zeros).fill('0'), ...(after ?? [])]
  return `${groups.slice(0, 4).join(':')}::/64`
}

/**
 * The value of a header that was sent exactly once; undefined otherwise. Counted in the raw list (name, value, name,
 * value …), because the runtime joins duplicates, and a proxy may have judged only the first of them.
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
