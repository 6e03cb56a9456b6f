/**
 * Operation: stores a rate option as a draft shipment of the caller's account. Does not call a carrier.
 * See schema/shipments.graphql.
 */
import { type FieldProblem, inputProblem } from '../core/problem.ts'
import { quote } from '../core/rating/quote.ts'
import type { RatesInput } from '../core/rating/request.ts'
import { refuseSelection, type SelectionInput } from '../core/rating/selection.ts'
import {
  type CreateDraftShipmentOutcome,
  checkDraftShipmentRequest,
  type DraftDetailsInput,
  newDraftShipment,
  pickOption,
  readDraftDetails,
} from '../core/shipments/draft-shipment.ts'
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
 */
export async function createDraftShipment(
  ports: Pick<Ports, 'shipments' | 'reference' | 'clock'>,
  caller: Pick<Caller, 'accountId'>,
  { rates, selection = {}, preferredShippingOption, ...declared }: CreateDraftShipmentInput,
): Promise<CreateDraftShipmentOutcome> {
  const request = checkDraftShipmentRequest(rates)
  const ratesFaults = [...('kind' in request ? request.fields : []), ...refuseSelection(selection)]
  const { details, faults } = readDraftDetails(declared)
  const allFaults = [...ratesFaults.map(withinRates), ...faults]
  if (allFaults.length > 0 || 'kind' in request) return inputProblem(allFaults)
  const quoted = quote(ports.reference.rateBook(), request, today(ports.clock), caller.accountId)
  const option = pickOption(quoted, preferredShippingOption)
  if ('kind' in option) return option
  const draft = newDraftShipment(request, option, details)
  const shipment = await ports.shipments.insertDraft(caller.accountId, draft)
  return { kind: 'DraftShipmentCreated', shipmentId: shipment.shipmentId, shipment }
}

/** The fault with its path from the input of the operation. */
function withinRates(fault: FieldProblem): FieldProblem {
  return { ...fault, path: ['rates', ...fault.path] }
}
