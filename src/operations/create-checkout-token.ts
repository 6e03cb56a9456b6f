/**
 * Operation: signs a checkout token, with which a web page sees the prices of the account's contract for one cart. The
 * shop's server calls it. Nothing is stored. See docs/browser-keys.md#checkout-tokens.
 */
import { checkDutiesRequest } from '../core/customs/request.ts'
import { isAbsent, note, type ProblemList, readNumber } from '../core/input.ts'
import { type FieldProblem, type InputProblem, inputProblem } from '../core/problem.ts'
import { checkRatesRequest, type RatesInput } from '../core/rating/request.ts'
import { cartText, goodsText } from './cart.ts'
import type { ApiKey, Caller } from './ports/caller.ts'
import type { TokenKey } from './ports/key-rules.ts'
import type { Ports } from './ports/ports.ts'

/** In minutes. */
export const MAX_TOKEN_MINUTES = 30

export type CreateCheckoutTokenInput = {
  readonly publishableKey: string
  readonly rates: RatesInput
  /** Whether the token is bound to the country of destination. */
  readonly bindCountry?: unknown
  readonly contentItems?: unknown
  /** Default: MAX_TOKEN_MINUTES. */
  readonly expiresInMinutes?: unknown
}

export type CheckoutToken = {
  readonly kind: 'CheckoutToken'
  readonly token: string
  /** ISO 8601 in UTC. */
  readonly expiresAt: string
}

/** Rejects only if the store of keys is unreachable. Keys of other accounts are reported like unknown ones. */
export async function createCheckoutToken(
  { credentials, checkoutTokens, clock }: Pick<Ports, 'credentials' | 'checkoutTokens' | 'clock'>,
  { accountId }: Pick<Caller, 'accountId'>,
  { publishableKey, rates, bindCountry, contentItems, expiresInMinutes }: CreateCheckoutTokenInput,
): Promise<CheckoutToken | InputProblem> {
  const problems: ProblemList = []
  const now = clock()
  const key = tokenKeyOf(await credentials.findKey(publishableKey), accountId, now)
  if (key === undefined)
    note(problems, ['publishableKey'], 'UNKNOWN_VALUE', 'the account has no such publishable key')
  const request = checkRatesRequest(rates)
  const goods = isAbsent(contentItems)
    ? undefined
    : checkDutiesRequest({ from: rates.from, to: rates.to, contentItems })
  const minutesRule = { places: 0, min: 1, max: MAX_TOKEN_MINUTES }
  const minutes =
    readNumber(problems, ['expiresInMinutes'], expiresInMinutes, minutesRule) ?? MAX_TOKEN_MINUTES
  if ('kind' in request) problems.push(...request.fields.map(withinRates))
  if (goods !== undefined && 'kind' in goods) problems.push(...goods.fields.filter(isOfGoods))
  if (
    key === undefined ||
    'kind' in request ||
    (goods !== undefined && 'kind' in goods) ||
    problems.length > 0
  )
    return inputProblem(problems)
  const expiresAt = new Date(now.getTime() + minutes * 60_000)
  const token = checkoutTokens.issue(key, {
    cart: cartText(request),
    expiresAt,
    ...(goods !== undefined && { goods: goodsText(goods.items) }),
    ...(bindCountry === true && { toCountry: request.to.country }),
  })
  return { kind: 'CheckoutToken', token, expiresAt: expiresAt.toISOString() }
}

function tokenKeyOf(key: ApiKey | undefined, accountId: string, now: Date): TokenKey | undefined {
  if (key?.publishable === undefined || key.caller.accountId !== accountId) return undefined
  if (key.expiresAt !== undefined && now >= key.expiresAt) return undefined
  return { keyId: key.keyId, accountId, checkoutSecret: key.publishable.checkoutSecret }
}

function withinRates(field: FieldProblem): FieldProblem {
  return { ...field, path: ['rates', ...field.path] }
}

/** Faults of the route are reported with the rates. */
function isOfGoods({ path }: FieldProblem): boolean {
  return path[0] === 'contentItems'
}
