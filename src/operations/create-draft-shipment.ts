/**
 * Operation: keeps a rate option as a draft shipment of the caller's account. Nothing is sent to a carrier.
 * Source: specification 1 and 4.4 (`preferredShippingOption`).
 */
import { checkRatesRequest, type RatesDraft } from '../core/rating/request.ts'
import {
  type CreateDraftOutcome,
  checkPricedNow,
  newDraft,
  pickOption,
} from '../core/shipments/draft-shipment.ts'
import type { Caller, Ports } from './ports.ts'
import { quoteRates } from './quote-rates.ts'

/**
 * Prices the request as of now and keeps the option of that product id with its price and parcels.
 * `OptionNotAvailable` says why the product was declined where that is known. Throws only when the store is out
 * of reach.
 */
export async function createDraftShipment(
  ports: Pick<Ports, 'shipments' | 'reference' | 'clock'>,
  caller: Pick<Caller, 'accountId'>,
  ratesDraft: RatesDraft,
  preferredShippingOption: string,
): Promise<CreateDraftOutcome> {
  const request = checkRatesRequest(ratesDraft)
  if ('kind' in request) return request
  const notNow = checkPricedNow(ratesDraft)
  if (notNow !== undefined) return notNow
  const quote = quoteRates(ports, ratesDraft)
  if (quote.kind === 'InputProblem') return quote
  const option = pickOption(quote, preferredShippingOption)
  if ('kind' in option) return option
  const shipment = await ports.shipments.insertDraft(
    caller.accountId,
    newDraft(request, option, quote.tariffVersion),
  )
  return { kind: 'DraftShipmentCreated', shipmentId: shipment.shipmentId, shipment }
}
