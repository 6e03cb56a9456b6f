/**
 * Selects the rate option for a draft shipment, or explains why it is not offered. See schema/shipments.graphql.
 */
import { type ContentItem, readContentItems } from '../customs/request.ts'
import { isAbsent, type ProblemList, readText } from '../input.ts'
import { type FieldProblem, type InputProblem, inputProblem } from '../problem.ts'
import { describeDecline } from '../rating/book/limits.ts'
import type { DeclinedProduct, RateOption, RateQuote } from '../rating/quote.ts'
import { versionText } from '../rating/rate-card.ts'
import { checkRatesRequest, type RatesInput, type RatesRequest } from '../rating/request.ts'
import { type Contacts, readContacts } from './contact.ts'
import type { DraftQuotaExceeded } from './draft-terms.ts'
import { MAX_REFERENCE_LENGTH, type Shipment } from './shipment.ts'

export type DraftShipmentCreated = {
  readonly kind: 'DraftShipmentCreated'
  readonly shipmentId: string
  readonly shipment: Shipment
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

/** A draft to store: the option with its price, and the request that it was priced for. */
export type NewDraftShipment = Omit<RatesRequest, 'date'> &
  DraftDetails & {
    readonly productId: number
    readonly carrierCode: string
    readonly priceCents: number
    /** The version of the rate card that priced it. */
    readonly rateCardVersion: string
  }

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

export function newDraftShipment(
  request: RatesRequest,
  option: RateOption,
  details: DraftDetails = {},
): NewDraftShipment {
  const { from, to, parcelType, parcels, recipient, insuredValueCents } = request
  const { productId, carrierCode } = option.product
  return {
    ...details,
    productId,
    carrierCode,
    priceCents: option.priceCents,
    rateCardVersion: versionText(option.card),
    from,
    to,
    parcelType,
    parcels,
    recipient,
    ...(insuredValueCents !== undefined && { insuredValueCents }),
  }
}

function optionNotAvailable(message: string): OptionNotAvailable {
  return { kind: 'OptionNotAvailable', code: 'OPTION_NOT_AVAILABLE', message, retryable: false }
}
