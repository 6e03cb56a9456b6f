/**
 * Authenticates requests and applies the limits of API keys. A request needs exactly one X-PP-API header. All faults of
 * credentials get the same 401. A correct secret is accepted even if other clients at the same address have failed.
 * A valid key that may not be used for the request gets 403: a publishable key from another origin or with a wrong
 * checkout token, and a key without the scope that the route declares.
 * See docs/rest-contract.md#r5, docs/limits.md#wrong-credentials and docs/browser-keys.md.
 */
import { isIPv6 } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type ClaimedCredentials,
  callerWith,
  identifyCaller,
  mayCallFrom,
  missingScope,
  readCredentials,
} from '../operations/identify-caller.ts'
import type { ApiKey } from '../operations/ports/caller.ts'
import { Forbidden } from '../operations/ports/key-rules.ts'
import type { Ports } from '../operations/ports/ports.ts'
import type { Allowance } from '../operations/ports/work.ts'
import { sendFault, sendForbidden } from './faults.ts'
import { type Budget, type BudgetState, openBudget } from './limits/budget.ts'
import type { SharedBudgets } from './limits/shared-budgets.ts'

export type CallerLimits = {
  /** Per API key; for signed requests, per carrier and address. */
  readonly requestsPerMinute: number
  /** Per API key. See operations/points.ts. */
  readonly pointsPerMinute: number
  /** Refused credentials per address and claimed key. For all keys together, an address can have five times as many. */
  readonly failuresPerMinute: number
}

const HEADER = 'x-pp-api'
const CHECKOUT_TOKEN_HEADER = 'x-checkout-token'
const MINUTE_MS = 60_000
/** The maximum number of addresses, or of pairs of address and key or carrier, in one budget. */
const MAX_NAMES = 50_000
/** The longest IP address as text. A trusted proxy can send any text as the address. */
const MAX_ADDRESS_LENGTH = 45
/** The limit of an address for all keys together, as a multiple of its limit for one key. */
const KEYS_PER_ADDRESS = 5
/**
 * One address can spend this share of the points of a publishable key, and at least as many as one GraphQL operation
 * may cost.
 */
const ADDRESS_POINTS_SHARE = 0.1
const MIN_ADDRESS_POINTS = 1_000
/** From this cost on, a tenth of a second of a core, an operation waits until the other replicas' points are known. */
const CONFIRMED_POINTS = 100

type BudgetName =
  | 'requests'
  | 'points'
  | 'addressRequests'
  | 'addressPoints'
  | 'failures'
  | 'addressFailures'
  | 'signed'
type Budgets = Readonly<Record<BudgetName, Budget>>

/** Units that a worker process admitted: the budget, the name in it and the number. */
export type Spending = readonly [budget: BudgetName, name: string, units: number]

/** Connects the budgets of worker processes. See docs/decisions/security.md#d167. */
export type SpendingLink = {
  report(spending: Spending): void
  /** Calls `add` for what other workers report. */
  connect(add: (spending: Spending) => void): void
}

/** With whom the budgets are shared. */
export type Sharing = {
  /** The other workers of the service. */
  readonly workers?: SpendingLink | undefined
  /** The other replicas, and all their workers. */
  readonly replicas?: SharedBudgets | undefined
}

/**
 * The hook that sets `request.caller`, `request.sender` and `request.allowance`, or responds 401, 403 or 429. It runs
 * before the body is read. Errors of the credential store go to the error handler.
 */
export function demandCredentials(
  ports: Pick<Ports, 'credentials' | 'secrets' | 'clock' | 'checkoutTokens'>,
  limits: CallerLimits,
  sharing: Sharing = {},
) {
  const budgets = shareBudgets(openBudgets(limits), sharing)
  const admit = (request: FastifyRequest, reply: FastifyReply, ip: string, key: ApiKey) => {
    request.account = key.caller.accountId
    const spender = key.publishable === undefined ? keySpender(budgets, key) : pageSpender(budgets, key, ip)
    const wait = spender.spendRequest()
    request.limitStates = spender.states
    if (wait !== undefined) return sendFault(reply, 'RATE_LIMITED', wait)
    ports.credentials.noteUse(key.keyId)
    // Pages of a shop must not delay its own server, so they have a share of their own.
    request.sender = key.publishable === undefined ? `account ${key.caller.accountId}` : `key ${key.keyId}`
    request.allowance = spender
    // Node joins the values of a header that is sent twice. No token contains a comma.
    const caller = callerWith(ports, key, request.raw.headers[CHECKOUT_TOKEN_HEADER]?.toString())
    if (caller instanceof Forbidden) return sendForbidden(reply, caller)
    request.caller = caller
    const missing = missingScope(caller, request.routeOptions.config.scopes ?? [])
    return missing && sendForbidden(reply, missing)
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
    const decide = (key: ApiKey | undefined): void => {
      if (key === undefined) refuse(budgets, reply, { ip, claimed, fault: 'UNAUTHENTICATED' })
      else if (!mayCallFrom(key, request.raw.headers.origin))
        refuse(budgets, reply, { ip, claimed, fault: 'FORBIDDEN' })
      else {
        request.isFromPage = key.publishable !== undefined
        if (admit(request, reply, ip, key) === undefined) done()
      }
    }
    const key = identifyCaller(ports, header)
    if (key instanceof Promise) key.then(decide, done)
    else decide(key)
  }
}

type Failure = {
  readonly ip: string
  readonly claimed: ClaimedCredentials | undefined
  readonly fault: 'UNAUTHENTICATED' | 'FORBIDDEN'
}

/** Responds with the fault, or with 429 if the address has caused too many. */
function refuse(budgets: Budgets, reply: FastifyReply, { ip, claimed, fault }: Failure): FastifyReply {
  if (claimed === undefined) return sendFault(reply, fault)
  const address = networkOf(ip)
  const addressWait = budgets.addressFailures.spend(address)
  const wait = budgets.failures.spend(`${address} ${claimed.keyId}`) ?? addressWait
  return wait === undefined ? sendFault(reply, fault) : sendFault(reply, 'RATE_LIMITED', wait)
}

function openBudgets({ requestsPerMinute, pointsPerMinute, failuresPerMinute }: CallerLimits): Budgets {
  const perMinute = (limit: number, maxNames?: number): Budget =>
    openBudget({ limit, windowMs: MINUTE_MS, ...(maxNames !== undefined && { maxNames }) })
  return {
    // Only authenticated keys are counted, so the number of names is limited.
    requests: perMinute(requestsPerMinute),
    points: perMinute(pointsPerMinute),
    // The limits are those of the keys.
    addressRequests: perMinute(requestsPerMinute, MAX_NAMES),
    addressPoints: perMinute(Math.max(MIN_ADDRESS_POINTS, pointsPerMinute * ADDRESS_POINTS_SHARE), MAX_NAMES),
    failures: perMinute(failuresPerMinute, MAX_NAMES),
    addressFailures: perMinute(failuresPerMinute * KEYS_PER_ADDRESS, MAX_NAMES),
    signed: perMinute(requestsPerMinute, MAX_NAMES),
  }
}

/** While the store of the replicas is available, it also knows what other workers admit. */
function shareBudgets(budgets: Budgets, { workers, replicas }: Sharing): Budgets {
  workers?.connect(([budget, name, units]) => {
    if (replicas?.isAvailable() !== true) budgets[budget].addSpent(name, units)
  })
  const shared = (name: BudgetName): Budget => {
    const budget = replicas?.share(name, budgets[name]) ?? budgets[name]
    return workers === undefined ? budget : reported(budget, name, workers)
  }
  return {
    requests: shared('requests'),
    points: shared('points'),
    addressRequests: shared('addressRequests'),
    addressPoints: shared('addressPoints'),
    failures: shared('failures'),
    addressFailures: shared('addressFailures'),
    signed: shared('signed'),
  }
}

/** The same budget, which reports what it admits to other workers. */
function reported(budget: Budget, budgetName: BudgetName, workers: SpendingLink): Budget {
  return {
    ...budget,
    spend(name, units = 1, limit?: number) {
      const wait = budget.spend(name, units, limit)
      if (wait === undefined) workers.report([budgetName, name, units])
      return wait
    },
    addSpent(name, units) {
      budget.addSpent(name, units)
      workers.report([budgetName, name, units])
    },
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

/** What a caller may spend. `states` are those of requests and points. */
type Spender = Allowance & {
  /** Returns the seconds to wait if the request exceeds a limit. */
  spendRequest(): number | undefined
  states(): readonly [BudgetState, BudgetState]
}

function keySpender({ requests, points }: Budgets, { keyId, requestsPerMinute }: ApiKey): Spender {
  return {
    spendRequest: () => requests.spend(keyId, 1, requestsPerMinute),
    charge: (amount) => points.spend(keyId, amount),
    confirm: (amount) => (amount < CONFIRMED_POINTS ? undefined : points.confirm?.(keyId, amount)),
    overdraw: (amount) => points.addSpent(keyId, amount),
    states: () => [requests.state(keyId, requestsPerMinute), points.state(keyId)],
  }
}

/**
 * A web page spends from the budget of its address first, so one address cannot use up the budgets of the key. Only the
 * states of the address are shown: those of the key would tell how busy the shop is.
 */
function pageSpender(budgets: Budgets, key: ApiKey, ip: string): Spender {
  const { addressRequests, addressPoints, points } = budgets
  const { keyId } = key
  const ofKey = keySpender(budgets, key)
  const limit = key.publishable?.addressRequestsPerMinute
  const name = `${keyId} ${networkOf(ip)}`
  return {
    spendRequest: () => addressRequests.spend(name, 1, limit) ?? ofKey.spendRequest(),
    charge: (amount) => addressPoints.spend(name, amount) ?? ofKey.charge(amount),
    confirm(amount) {
      if (amount < CONFIRMED_POINTS) return undefined
      const confirming = [addressPoints.confirm?.(name, amount), points.confirm?.(keyId, amount)]
      if (confirming.every((wait) => wait === undefined)) return undefined
      return Promise.all(confirming).then(([addressWait, keyWait]) => {
        // What one of them has refused must not be missing in the other one.
        if (addressWait !== undefined && keyWait === undefined) points.giveBack(keyId, amount)
        if (addressWait === undefined && keyWait !== undefined) addressPoints.giveBack(name, amount)
        return addressWait ?? keyWait
      })
    },
    overdraw(amount) {
      addressPoints.addSpent(name, amount)
      ofKey.overdraw(amount)
    },
    states: () => [addressRequests.state(name, limit), addressPoints.state(name)],
  }
}

/** The limit with the smaller remaining share. */
function tighter(a: BudgetState, b: BudgetState): BudgetState {
  return a.remaining * b.limit < b.remaining * a.limit ? a : b
}

/**
 * Adds the RateLimit headers. RateLimit-Limit, -Remaining and -Reset describe the tighter of the two limits,
 * RateLimit-Policy names both (requests, then points).
 */
export function addRateLimitHeaders({ limitStates }: FastifyRequest, reply: FastifyReply): void {
  if (limitStates === null) return
  const [requests, points] = limitStates()
  const state = tighter(requests, points)
  reply.header('ratelimit-policy', `${requests.limit};w=60, ${points.limit};w=60`)
  reply.header('ratelimit-limit', String(state.limit))
  reply.header('ratelimit-remaining', String(state.remaining))
  reply.header('ratelimit-reset', String(state.resetSeconds))
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
