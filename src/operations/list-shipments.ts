/** Operation: lists the caller's shipments in pages, newest first. See schema/shipments.graphql. */
import { type FieldProblem, type InputProblem, inputProblem } from '../core/problem.ts'
import type { Caller } from './ports/caller.ts'
import type { Ports } from './ports/ports.ts'
import type { ShipmentPage, ShipmentPageRequest } from './ports/shipments.ts'

export const PAGE_MAX = 100

export async function listShipments(
  { shipments }: Pick<Ports, 'shipments'>,
  caller: Pick<Caller, 'accountId'>,
  request: ShipmentPageRequest,
): Promise<ShipmentPage | InputProblem> {
  const { first } = request
  if (!Number.isInteger(first) || first < 1 || first > PAGE_MAX)
    return fault({ path: ['first'], code: 'OUT_OF_RANGE', message: `must be 1 to ${PAGE_MAX}` })
  const page = await shipments.list(caller.accountId, request)
  return page ?? fault({ path: ['after'], code: 'MALFORMED', message: 'must be a cursor of an earlier page' })
}

function fault(field: FieldProblem): InputProblem {
  return inputProblem([field])
}
