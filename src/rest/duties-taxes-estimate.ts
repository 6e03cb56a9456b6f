/**
 * POST /partners-api/v1/duties-taxes-estimate: reads the fields of the request, and builds one response per outcome.
 * See docs/rest-contract.md#duties-and-taxes.
 */
import type { DutiesEstimate } from '../core/customs/estimate/estimate.ts'
import { describeLine } from '../core/customs/estimate/explain/line.ts'
import { type DutiesInput, MAX_ITEMS } from '../core/customs/request.ts'
import { isJsonObject, type JsonObject } from '../core/input.ts'
import { type BodySource, readJsonBody } from '../http/json-body.ts'
import type { JsonResponse } from '../http/json-response.ts'
import { estimateDuties, findWith } from '../operations/estimate-duties.ts'
import { dutiesUnits } from '../operations/points.ts'
import type { Caller } from '../operations/ports/caller.ts'
import type { Ports } from '../operations/ports/ports.ts'
import type { Allowance, Turns } from '../operations/ports/work.ts'
import { charge, euros, faultsMessage, listInput, listWithin, placeInput, unquotedNumber } from './wire.ts'

/** Throws AllowanceExceeded. */
export async function postDutiesTaxesEstimate(
  ports: Ports,
  caller: Caller,
  { allowance, turns }: { readonly allowance: Allowance; readonly turns: Turns },
  request: BodySource,
): Promise<JsonResponse> {
  const body = readJsonBody(request)
  if (body.kind === 'UnreadableBody') return { status: body.status, body: estimateFault(body.message) }
  const input = dutiesInput(body.fields)
  charge(allowance, dutiesUnits(listWithin(input.contentItems, MAX_ITEMS).filter(isJsonObject)))
  const outcome = await estimateDuties(ports, caller, input, findWith(ports.classifier, turns))
  switch (outcome.kind) {
    case 'DutiesEstimate':
      return { status: 200, body: estimateBody(outcome) }
    case 'InputProblem':
      return { status: 400, body: estimateFault(faultsMessage(outcome.fields)) }
  }
}

/** The error body of this endpoint. */
export function estimateFault(message: string) {
  return { hasErrors: true, message, taxDetails: [], estimate: 0, hsCode: '' }
}

function dutiesInput(fields: JsonObject): DutiesInput {
  return {
    from: placeInput(fields, 'from'),
    to: placeInput(fields, 'to'),
    contentItems: listInput(fields['contentItems'], itemInput),
  }
}

function itemInput(item: JsonObject) {
  return {
    description: item['description'],
    numberOfItems: unquotedNumber(item['numberOfItems']),
    cost: unquotedNumber(item['cost']),
    tariff: item['tariff'],
    originCountry: item['originCountry'],
  }
}

/** If an item has no code, `message` names it, and the other items keep their lines (docs/rest-contract.md#r4). */
function estimateBody({ items, taxes, estimateCents, hsCode, consignment }: DutiesEstimate) {
  const faults = items.flatMap(({ problem }) => problem?.fields ?? [])
  return {
    hasErrors: faults.length > 0,
    ...(faults.length > 0 && { message: faultsMessage(faults) }),
    taxDetails: taxes.map((line) => ({
      harmonizedCode: line.harmonizedCode,
      name: line.name,
      amount: euros(line.amountCents),
      description: describeLine(consignment, line),
    })),
    estimate: euros(estimateCents),
    hsCode,
  }
}
