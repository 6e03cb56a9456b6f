/**
 * Selects the rate option for a draft shipment, or explains why it is not offered. See schema/shipments.graphql.
 */
import { isAbsent } from '../input.ts'
import { type InputProblem, inputProblem } from '../problem.ts'
import { describeDecline } from '../rating/book/limits.ts'
import type { RateOption, RateQuote } from '../rating/quote.ts'
import { versionText } from '../rating/rate-card.ts'
import { checkRatesRequest, type RatesInput, type RatesRequest } from '../rating/request.ts'
import type { Shipment } from './shipment.ts'

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
}

export type CreateDraftShipmentOutcome = DraftShipmentCreated | OptionNotAvailable | InputProblem

/** A draft to store: the option with its price, and the request that it was priced for. */
export type NewDraftShipment = Omit<RatesRequest, 'date'> & {
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
  const message = 'a shipment is created at the current price; leave `asOf` out'
  const faults = 'kind' in request ? request.fields : []
  return inputProblem([...faults, { path: ['asOf'], code: 'CONFLICT', message }])
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
  return optionNotAvailable(
    `${declined.product.carrierName} ${declined.product.productName} is not offered for this request: ${describeDecline(declined.decline).message}`,
  )
}

export function newDraftShipment(request: RatesRequest, option: RateOption): NewDraftShipment {
  const { from, to, parcelType, parcels, recipient, insuredValueCents } = request
  const { productId, carrierCode } = option.product
  return {
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
