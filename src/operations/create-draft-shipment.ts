/**
 * Operation: stores a rate option as a draft shipment of the caller's account. Does not call a carrier.
 * See schema/shipments.graphql.
 */
import { type FieldProblem, inputProblem } from '../core/problem.ts'
import { quote } from '../core/rating/quote.ts'
import type { RatesInput } from '../core/rating/request.ts'
import {
  type Catalogue,
  catalogueFor,
  refuseSelection,
  type SelectionInput,
} from '../core/rating/selection.ts'
import {
  type CreateDraftShipmentOutcome,
  checkDraftShipmentRequest,
  type DraftDetailsInput,
  newDraftShipment,
  pickOption,
  readDraftDetails,
} from '../core/shipments/draft-shipment.ts'
import { draftQuotaFault } from '../core/shipments/draft-terms.ts'
import type { Caller } from './ports/caller.ts'
import type { Ports } from './ports/ports.ts'
import { today } from './ports/ports.ts'

export type CreateDraftShipmentInput = DraftDetailsInput & {
  readonly rates: RatesInput
  /** Refused, because it has no meaning for a single option. */
  readonly selection?: SelectionInput
  /** A product id. */
  readonly preferredShippingOption: string
}

/**
 * Prices the request for the caller's account and stores the preferred option. Throws only if the store is unreachable.
 * Concurrent requests may exceed the quota by one draft each.
 */
export async function createDraftShipment(
  ports: Pick<Ports, 'shipments' | 'reference' | 'clock' | 'draftTerms'>,
  caller: Pick<Caller, 'accountId'>,
  { rates, selection = {}, preferredShippingOption, ...declared }: CreateDraftShipmentInput,
): Promise<CreateDraftShipmentOutcome> {
  const request = checkDraftShipmentRequest(rates)
  const ratesFaults = [...('kind' in request ? request.fields : []), ...refuseSelection(selection)]
  const { details, faults } = readDraftDetails(declared)
  const book = ports.reference.rateBook()
  const isMissing = preferredShippingOption.trim() === ''
  if ('kind' in request || ratesFaults.length > 0 || faults.length > 0 || isMissing) {
    const option = optionFaults(preferredShippingOption, catalogueFor(book, caller.accountId))
    return inputProblem([...ratesFaults.map(withinRates), ...option, ...faults])
  }
  const quoted = quote(book, request, today(ports.clock), caller.accountId)
  const option = pickOption(quoted, preferredShippingOption)
  if ('kind' in option) return option
  const overQuota = draftQuotaFault(await ports.shipments.draftUsage(caller.accountId), ports.draftTerms)
  if (overQuota !== undefined) return overQuota
  const draft = newDraftShipment(request, option, details)
  const shipment = await ports.shipments.insertDraft(caller.accountId, draft)
  return { kind: 'DraftShipmentCreated', shipmentId: shipment.shipmentId, shipment }
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
