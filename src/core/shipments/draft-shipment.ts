/**
 * Selects the rate option for a draft shipment, or explains why it is not offered. See schema/shipments.graphql.
 */

import { type Contacts, readContacts } from '../contact.ts'
import { type ContentItem, readContentItems } from '../customs/request.ts'
import { isAbsent, note, type ProblemList, readText } from '../input.ts'
import { type FieldProblem, type InputProblem, inputProblem } from '../problem.ts'
import { describeDecline } from '../rating/book/limits.ts'
import { versionText } from '../rating/card-version.ts'
import type { DeclinedProduct, RateOption, RateQuote } from '../rating/quote.ts'
import { checkRatesRequest, type RatesInput, type RatesRequest } from '../rating/request.ts'
import type { DraftQuotaExceeded } from './draft-terms.ts'
import type { OptionExpired } from './option-token.ts'
import { MAX_REFERENCE_LENGTH, type Shipment } from './shipment.ts'

export type DraftShipmentCreated = {
  readonly kind: 'DraftShipmentCreated'
  readonly shipmentId: string
  readonly shipment: Shipment
  /** True if an earlier request with the same idempotency key created it. It may be booked or cancelled since. */
  readonly alreadyCreated: boolean
}

/** The idempotency key was used with another input in the last 24 hours. */
export type IdempotencyConflict = {
  readonly kind: 'IdempotencyConflict'
  readonly code: 'IDEMPOTENCY_CONFLICT'
  readonly message: string
  readonly retryable: false
}

/** The preferred shipping option is not offered for this request. */
export type OptionNotAvailable = {
  readonly kind: 'OptionNotAvailable'
  readonly code: 'OPTION_NOT_AVAILABLE'
  /** Contains the reason if the product was declined. */
  readonly message: string
  readonly retryable: false
  readonly declined?: DeclinedProduct
}

export type CreateDraftShipmentOutcome =
  | DraftShipmentCreated
  | OptionNotAvailable
  | OptionExpired
  | IdempotencyConflict
  | DraftQuotaExceeded
  | InputProblem

/** What the account declares about a draft besides its route and parcels, not validated. */
export type DraftDetailsInput = {
  readonly reference?: unknown
  readonly contentItems?: unknown
  readonly sender?: unknown
  readonly recipient?: unknown
}

export type DraftDetails = {
  readonly reference?: string
  /** Stored for the account. Has no effect on price or booking. */
  readonly contentItems?: readonly ContentItem[]
  readonly contacts?: Contacts
}

/** A product with its price, from an option or from the token of one. */
export type DraftPrice = {
  readonly productId: number
  readonly carrierCode: string
  readonly priceCents: number
  /** The version of the rate card that the price comes from. */
  readonly rateCardVersion: string
}

/** A draft to store: the product with its price, and the request that it was priced for. */
export type NewDraftShipment = Omit<RatesRequest, 'date'> & DraftDetails & DraftPrice

/** Validates the request. `asOf` is a fault, because a shipment is always created at the current price. */
export function checkDraftShipmentRequest(input: RatesInput): RatesRequest | InputProblem {
  const request = checkRatesRequest({ ...input, asOf: undefined })
  if (isAbsent(input.asOf)) return request
  const message = 'must be left out, because a shipment is created at the current price'
  const faults = 'kind' in request ? request.fields : []
  return inputProblem([...faults, { path: ['asOf'], code: 'CONFLICT', message }])
}

/** An empty list of content items counts as not given. */
export function readDraftDetails({ reference, contentItems, sender, recipient }: DraftDetailsInput): {
  readonly details: DraftDetails
  readonly faults: readonly FieldProblem[]
} {
  const faults: ProblemList = []
  const text = readText(faults, ['reference'], reference, MAX_REFERENCE_LENGTH)
  const isEmpty = isAbsent(contentItems) || (Array.isArray(contentItems) && contentItems.length === 0)
  const items = isEmpty ? undefined : readContentItems(faults, contentItems)
  const contacts = readContacts(faults, { sender, recipient })
  const details = {
    ...(text !== undefined && { reference: text }),
    ...(items !== undefined && { contentItems: items }),
    ...(contacts !== undefined && { contacts }),
  }
  return { details, faults }
}

/** The option with this product id (digits only). */
export function pickOption(
  quote: RateQuote,
  preferredShippingOption: string,
): RateOption | OptionNotAvailable {
  if (!/^\d{1,9}$/.test(preferredShippingOption))
    return optionNotAvailable('There is no such shipping option')
  const productId = Number(preferredShippingOption)
  const option = quote.options.find(({ product }) => product.productId === productId)
  if (option !== undefined) return option
  const declined = quote.declined.find(({ product }) => product.productId === productId)
  if (declined === undefined) return optionNotAvailable('There is no such shipping option')
  const { carrierName, productName } = declined.product
  const reason = describeDecline(declined.decline).message
  return {
    ...optionNotAvailable(`${carrierName} ${productName} is not offered for this request: ${reason}`),
    declined,
  }
}

export function priceOf({ product, priceCents, card }: RateOption): DraftPrice {
  const { productId, carrierCode } = product
  return { productId, carrierCode, priceCents, rateCardVersion: versionText(card) }
}

export function newDraftShipment(
  request: RatesRequest,
  { productId, carrierCode, priceCents, rateCardVersion }: DraftPrice,
  details: DraftDetails = {},
): NewDraftShipment {
  const { from, to, parcelType, parcels, recipient, insuredValueCents, services, serviceInputs } = request
  return {
    ...details,
    productId,
    carrierCode,
    priceCents,
    rateCardVersion,
    from,
    to,
    parcelType,
    parcels,
    recipient,
    ...(insuredValueCents !== undefined && { insuredValueCents }),
    ...(services !== undefined && { services }),
    ...(serviceInputs !== undefined && { serviceInputs }),
  }
}

const MAX_KEY_LENGTH = 64
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/

/** Undefined if there is none. An empty text is a fault: the caller expects protection that it would not get. */
export function readIdempotencyKey(problems: ProblemList, value: unknown): string | undefined {
  const path = ['idempotencyKey']
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') return note(problems, path, 'WRONG_TYPE', 'must be a string')
  if (value.length > MAX_KEY_LENGTH)
    return note(problems, path, 'TOO_LONG', `must have at most ${MAX_KEY_LENGTH} characters`)
  if (!PRINTABLE_ASCII.test(value))
    return note(problems, path, 'MALFORMED', 'must have 1 to 64 printable ASCII characters')
  return value
}

export function idempotencyConflict(): IdempotencyConflict {
  return {
    kind: 'IdempotencyConflict',
    code: 'IDEMPOTENCY_CONFLICT',
    message: 'The idempotency key was used with another input in the last 24 hours',
    retryable: false,
  }
}

function optionNotAvailable(message: string): OptionNotAvailable {
  return { kind: 'OptionNotAvailable', code: 'OPTION_NOT_AVAILABLE', message, retryable: false }
}
