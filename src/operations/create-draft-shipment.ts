/**
 * Operation: stores a rate option as a draft shipment of the caller's account. Does not call a carrier.
 * See docs/checkout.md and schema/shipments.graphql.
 */
import type { ProblemList } from '../core/input.ts'
import { type FieldProblem, type InputProblem, inputProblem } from '../core/problem.ts'
import type { RatesInput, RatesRequest } from '../core/rating/request.ts'
import {
  type Catalogue,
  catalogueFor,
  refuseSelection,
  type SelectionInput,
} from '../core/rating/selection.ts'
import {
  type CreateDraftShipmentOutcome,
  checkDraftShipmentRequest,
  type DraftDetails,
  type DraftDetailsInput,
  type DraftPrice,
  idempotencyConflict,
  newDraftShipment,
  type OptionNotAvailable,
  pickOption,
  priceOf,
  readDraftDetails,
  readIdempotencyKey,
} from '../core/shipments/draft-shipment.ts'
import { draftQuotaFault } from '../core/shipments/draft-terms.ts'
import {
  invalidToken,
  type OptionExpired,
  optionExpired,
  otherProduct,
  otherRequest,
  requestTexts,
} from '../core/shipments/option-token.ts'
import type { Shipment } from '../core/shipments/shipment.ts'
import type { Caller } from './ports/caller.ts'
import type { Ports } from './ports/ports.ts'
import { today } from './ports/ports.ts'
import type { DraftKey, KeyedDraft } from './ports/shipments.ts'
import { quoteToday } from './quote-rates.ts'

export type CreateDraftShipmentInput = DraftDetailsInput & {
  readonly rates: RatesInput
  /** Refused, because it has no meaning for a single option. */
  readonly selection?: SelectionInput
  /** A product id. Optional beside a token, and must then be the product of the token. */
  readonly preferredShippingOption?: string | undefined
  /** The token of a rate option: the draft gets its price. */
  readonly optionToken?: string | undefined
  readonly idempotencyKey?: unknown
}

type DraftPorts = Pick<Ports, 'shipments' | 'reference' | 'clock' | 'draftTerms' | 'optionTokens'>

/**
 * Stores an option as a draft: the option of the token at its price, or the preferred one at the current price of the
 * account. With an idempotency key, a repeated request returns the draft of the first one. Throws only if the store is
 * unreachable. Concurrent requests may exceed the quota by one draft each.
 */
export async function createDraftShipment(
  ports: DraftPorts,
  caller: Pick<Caller, 'accountId'>,
  input: CreateDraftShipmentInput,
): Promise<CreateDraftShipmentOutcome> {
  const wanted = readInput(ports, caller, input)
  if ('kind' in wanted) return wanted
  const { request, details } = wanted
  const { accountId } = caller
  const key = keyOf(wanted)
  const earlier = key && (await ports.shipments.keyedDraft(accountId, key))
  if (earlier !== undefined) return repeated(earlier)
  const price = await priceFor(ports, caller, wanted)
  if ('kind' in price) return price
  const overQuota = draftQuotaFault(await ports.shipments.draftUsage(accountId), ports.draftTerms)
  if (overQuota !== undefined) return overQuota
  const draft = newDraftShipment(request, price, details)
  if (key === undefined) return created(await ports.shipments.insertDraft(accountId, draft))
  const stored = await ports.shipments.insertKeyedDraft(accountId, key, draft)
  return stored.isNew ? created(stored.shipment) : repeated(stored)
}

/** The validated input. It has a product, a token or both. */
type Wanted = {
  readonly request: RatesRequest
  readonly details: DraftDetails
  readonly product: string | undefined
  readonly token: string | undefined
  readonly idempotencyKey: string | undefined
}

function readInput(
  { reference }: Pick<Ports, 'reference'>,
  { accountId }: Pick<Caller, 'accountId'>,
  input: CreateDraftShipmentInput,
): Wanted | InputProblem {
  const { rates, selection = {}, preferredShippingOption, optionToken, idempotencyKey, ...declared } = input
  const request = checkDraftShipmentRequest(rates)
  const ratesFaults = [...('kind' in request ? request.fields : []), ...refuseSelection(selection)]
  const { details, faults } = readDraftDetails(declared)
  const ownFaults: ProblemList = [...faults]
  const key = readIdempotencyKey(ownFaults, idempotencyKey)
  const product = preferredShippingOption ?? (optionToken === undefined ? '' : undefined)
  const isMissing = product?.trim() === ''
  if ('kind' in request || ratesFaults.length > 0 || ownFaults.length > 0 || isMissing) {
    const option =
      product === undefined ? [] : optionFaults(product, catalogueFor(reference.rateBook(), accountId))
    return inputProblem([...ratesFaults.map(withinRates), ...option, ...ownFaults])
  }
  return { request, details, product, token: optionToken, idempotencyKey: key }
}

/** Everything that can change the draft belongs to the input of the key. */
function keyOf({ idempotencyKey: key, ...input }: Wanted): DraftKey | undefined {
  return key === undefined ? undefined : { key, input: JSON.stringify(input) }
}

function created(shipment: Shipment, alreadyCreated = false): CreateDraftShipmentOutcome {
  return { kind: 'DraftShipmentCreated', shipmentId: shipment.shipmentId, shipment, alreadyCreated }
}

function repeated({ shipment, isSameInput }: KeyedDraft): CreateDraftShipmentOutcome {
  return isSameInput ? created(shipment, true) : idempotencyConflict()
}

async function priceFor(
  ports: DraftPorts,
  caller: Pick<Caller, 'accountId'>,
  wanted: Wanted,
): Promise<DraftPrice | OptionNotAvailable | OptionExpired | InputProblem> {
  const { request, product = '', token } = wanted
  if (token !== undefined) return tokenPrice(ports, caller, wanted, token)
  const option = pickOption(quoteToday(ports, request, caller.accountId), product)
  return 'kind' in option ? option : priceOf(option)
}

/** The price of the token while it holds, even if the product has another price since, or is no longer offered. */
async function tokenPrice(
  ports: DraftPorts,
  caller: Pick<Caller, 'accountId'>,
  { request, product }: Wanted,
  token: string,
): Promise<DraftPrice | OptionExpired | InputProblem> {
  const { optionTokens, clock } = ports
  const signed = await optionTokens.read(caller.accountId, token)
  if (signed === undefined) return invalidToken()
  const { promise } = signed
  const differences = signed.differences(requestTexts(request, today(clock)))
  if (differences !== undefined) return otherRequest(differences)
  if (product !== undefined && product !== String(promise.productId)) return otherProduct(promise)
  const isExpired = clock().getTime() >= promise.expiresAt * 1000
  if (promise.isAccountPrice && !isExpired) return promise
  const { options } = quoteToday(ports, request, caller.accountId)
  const current = options.find((option) => option.product.productId === promise.productId)
  const isListedPrice = !isExpired && current?.priceCents === promise.priceCents
  return isListedPrice ? promise : optionExpired(promise, current)
}

/** An unknown option is only a fault beside others. On its own it is the outcome `OptionNotAvailable`. */
function optionFaults(option: string, catalogue: Catalogue): readonly FieldProblem[] {
  const path = ['preferredShippingOption']
  if (option.trim() === '') return [{ path, code: 'REQUIRED', message: 'required' }]
  if (/^\d{1,9}$/.test(option) && catalogue.hasProduct(Number(option))) return []
  return [{ path, code: 'UNKNOWN_VALUE', message: 'there is no such shipping option' }]
}

/** The fault with its path from the input of the operation. */
function withinRates(fault: FieldProblem): FieldProblem {
  return { ...fault, path: ['rates', ...fault.path] }
}
