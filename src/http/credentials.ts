/**
 * Authenticates requests and applies the limits of API keys. A request needs exactly one X-PP-API header. All faults of
 * credentials get the same 401. A correct secret is accepted even if other clients at the same address have failed.
 * See docs/rest-contract.md#r5 and docs/limits.md#wrong-credentials.
 */
import { isIPv6 } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type ClaimedCredentials,
  type IdentifiedCaller,
  identifyCaller,
  readCredentials,
} from '../operations/identify-caller.ts'
import type { Ports } from '../operations/ports/ports.ts'
import type { Allowance } from '../operations/ports/work.ts'
import { type Budget, type BudgetState, openBudget } from './budget.ts'
import { sendFault } from './faults.ts'

export type CallerLimits = {
  /** Per API key; for signed requests, per carrier and address. */
  readonly requestsPerMinute: number
  /** Per API key. See operations/points.ts. */
  readonly pointsPerMinute: number
  /** Refused credentials per address and claimed key. For all keys together, an address can have five times as many. */
  readonly failuresPerMinute: number
}

const HEADER = 'x-pp-api'
const MINUTE_MS = 60_000
/** The maximum number of addresses, or of pairs of address and key or carrier, in one budget. */
const MAX_NAMES = 50_000
/** The longest IP address as text. A trusted proxy can send any text as the address. */
const MAX_ADDRESS_LENGTH = 45
/** The limit of an address for all keys together, as a multiple of its limit for one key. */
const KEYS_PER_ADDRESS = 5

type BudgetName = 'requests' | 'points' | 'failures' | 'addressFailures' | 'signed'
type Budgets = Readonly<Record<BudgetName, Budget>>

/** Units that a worker process admitted: the budget, the name in it and the number. */
export type Spending = readonly [budget: BudgetName, name: string, units: number]

/** Connects the budgets of worker processes. See docs/decisions/security.md#d167. */
export type SpendingLink = {
  report(spending: Spending): void
  /** Calls `add` for what other workers report. */
  connect(add: (spending: Spending) => void): void
}

/**
 * The hook that sets `request.caller`, `request.sender` and `request.allowance`, or responds 401 or 429. It runs before
 * the body is read. Errors of the credential store go to the error handler.
 */
export function demandCredentials(
  ports: Pick<Ports, 'credentials' | 'secrets'>,
  limits: CallerLimits,
  link?: SpendingLink,
) {
  const budgets = link === undefined ? openBudgets(limits) : shareBudgets(openBudgets(limits), link)
  const refuse = (reply: FastifyReply, ip: string, claimed: ClaimedCredentials | undefined): FastifyReply => {
    if (claimed === undefined) return sendFault(reply, 'UNAUTHENTICATED')
    const address = networkOf(ip)
    const addressWait = budgets.addressFailures.spend(address)
    const wait = budgets.failures.spend(`${address} ${claimed.keyId}`) ?? addressWait
    return wait === undefined ? sendFault(reply, 'UNAUTHENTICATED') : sendFault(reply, 'RATE_LIMITED', wait)
  }
  const admit = (request: FastifyRequest, reply: FastifyReply, { keyId, caller }: IdentifiedCaller) => {
    const wait = budgets.requests.spend(keyId)
    request.limitState = () => tighter(budgets.requests.state(keyId), budgets.points.state(keyId))
    if (wait !== undefined) return sendFault(reply, 'RATE_LIMITED', wait)
    request.caller = caller
    request.sender = `account ${caller.accountId}`
    request.allowance = allowanceOf(budgets.points, keyId)
    return undefined
  }
  // With a callback, because a promise would cost more than the checks of a key that is in memory.
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const { access } = request.routeOptions.config
    if (access === 'public') {
      done()
      return
    }
    if (access === 'signed') {
      if (admitSigned(budgets, request, reply) === undefined) done()
      return
    }

    const header = soleHeader(request.raw.rawHeaders, HEADER)
    const claimed = readCredentials(header)
    // Read now, because it is unknown once the connection is closed.
    const { ip } = request
    // An address with too many failures must not cause more lookups of keys.
    if (claimed !== undefined && !ports.credentials.isKnown(claimed.keyId)) {
      const wait = budgets.addressFailures.exhausted(networkOf(ip))
      if (wait !== undefined) {
        sendFault(reply, 'RATE_LIMITED', wait)
        return
      }
    }
    const decide = (identified: IdentifiedCaller | undefined): void => {
      const refused =
        identified === undefined ? refuse(reply, ip, claimed) : admit(request, reply, identified)
      if (refused === undefined) done()
    }
    const identified = identifyCaller(ports, header)
    if (identified instanceof Promise) identified.then(decide, done)
    else decide(identified)
  }
}

function openBudgets({ requestsPerMinute, pointsPerMinute, failuresPerMinute }: CallerLimits): Budgets {
  const perMinute = (limit: number, maxNames?: number): Budget =>
    openBudget({ limit, windowMs: MINUTE_MS, ...(maxNames !== undefined && { maxNames }) })
  return {
    // Only authenticated keys are counted, so the number of names is limited.
    requests: perMinute(requestsPerMinute),
    points: perMinute(pointsPerMinute),
    failures: perMinute(failuresPerMinute, MAX_NAMES),
    addressFailures: perMinute(failuresPerMinute * KEYS_PER_ADDRESS, MAX_NAMES),
    signed: perMinute(requestsPerMinute, MAX_NAMES),
  }
}

/** The same budgets, which report what they admit and count what other workers admit. */
function shareBudgets(budgets: Budgets, link: SpendingLink): Budgets {
  link.connect(([budget, name, units]) => budgets[budget].addSpent(name, units))
  const shared = (name: BudgetName): Budget => ({
    ...budgets[name],
    spend: (spender, units = 1) => {
      const wait = budgets[name].spend(spender, units)
      if (wait === undefined) link.report([name, spender, units])
      return wait
    },
    addSpent: (spender, units) => {
      budgets[name].addSpent(spender, units)
      link.report([name, spender, units])
    },
  })
  return {
    requests: shared('requests'),
    points: shared('points'),
    failures: shared('failures'),
    addressFailures: shared('addressFailures'),
    signed: shared('signed'),
  }
}

/**
 * Refuses a request before its body is read if its headers cannot belong to a valid signature. The route checks the
 * signature, because it covers the body.
 */
function admitSigned(
  budgets: Budgets,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const signer = request.routeOptions.config.claimedSigner?.(request)
  if (signer === undefined) return sendFault(reply, 'UNSIGNED')
  const wait = budgets.signed.spend(`${networkOf(request.ip)} ${signer}`)
  if (wait !== undefined) return sendFault(reply, 'RATE_LIMITED', wait)
  request.sender = `carrier ${signer}`
  return undefined
}

function allowanceOf(points: Budget, keyId: string): Allowance {
  return {
    charge: (amount) => points.spend(keyId, amount),
    overdraw: (amount) => points.addSpent(keyId, amount),
  }
}

/** The limit with the smaller remaining share. */
function tighter(a: BudgetState, b: BudgetState): BudgetState {
  return a.remaining * b.limit < b.remaining * a.limit ? a : b
}

/**
 * Returns the function that adds the RateLimit headers. RateLimit-Limit, -Remaining and -Reset describe the tighter of
 * the two limits, RateLimit-Policy names both (requests, then points).
 */
export function rateLimitHeaders({ requestsPerMinute, pointsPerMinute }: CallerLimits) {
  const policy = `${requestsPerMinute};w=60, ${pointsPerMinute};w=60`
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const state = request.limitState?.()
    if (state === undefined) return
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit-limit', String(state.limit))
    reply.header('ratelimit-remaining', String(state.remaining))
    reply.header('ratelimit-reset', String(state.resetSeconds))
  }
}

/**
 * The network whose limit an address counts against: the address itself for IPv4, its /64 for IPv6, because one
 * customer usually has a whole /64.
 */
export function networkOf(address: string | undefined): string {
  // The connection is already closed.
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
 * The value of a header that was sent exactly once, otherwise undefined. Reads the raw list (name, value, name,
 * value …), because Node joins duplicates, and a proxy may have checked only the first one.
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
