/**
 * Operation: stores a rate option as a draft shipment of the caller's account. Does not call a carrier.
 * See schema/shipments.graphql.
 */
import { inputProblem } from '../core/problem.ts'
import { quote } from '../core/rating/quote.ts'
import type { RatesInput } from '../core/rating/request.ts'
import { refuseSelection, type SelectionInput } from '../core/rating/selection.ts'
import {
  type CreateDraftShipmentOutcome,
  checkDraftShipmentRequest,
  newDraftShipment,
  pickOption,
} from '../core/shipments/draft-shipment.ts'
import type { Caller } from './ports/caller.ts'
import type { Ports } from './ports/ports.ts'
import { today } from './ports/ports.ts'

/**
 * Prices the request for the caller's account and stores the option with the given product id. A selection is refused,
 * because it has no meaning for a single option. Throws only if the store is unreachable.
 */
export async function createDraftShipment(
  ports: Pick<Ports, 'shipments' | 'reference' | 'clock'>,
  caller: Pick<Caller, 'accountId'>,
  ratesInput: RatesInput,
  preferredShippingOption: string,
  selection: SelectionInput = {},
): Promise<CreateDraftShipmentOutcome> {
  const request = checkDraftShipmentRequest(ratesInput)
  const misplaced = refuseSelection(selection)
  if ('kind' in request)
    return misplaced.length === 0 ? request : inputProblem([...request.fields, ...misplaced])
  if (misplaced.length > 0) return inputProblem(misplaced)
  const quoted = quote(ports.reference.rateBook(), request, today(ports.clock), caller.accountId)
  const option = pickOption(quoted, preferredShippingOption)
  if ('kind' in option) return option
  const draft = newDraftShipment(request, option)
  const shipment = await ports.shipments.insertDraft(caller.accountId, draft)
  return { kind: 'DraftShipmentCreated', shipmentId: shipment.shipmentId, shipment }
}
