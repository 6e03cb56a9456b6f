/**
 * POST /partners-api/v1/duties-taxes-estimate: reads the fields of the request, and builds one response per outcome.
 * See docs/rest-contract.md#duties-and-taxes.
 */
import type { DutiesEstimate } from '../core/customs/estimate/estimate.ts'
import { describeLine } from '../core/customs/estimate/explain/line.ts'
import { estimateReliability } from '../core/customs/estimate/explain/reliability.ts'
import { type DutiesInput, MAX_ITEMS } from '../core/customs/request.ts'
import { isJsonObject, type JsonObject } from '../core/input.ts'
import type { InputProblem } from '../core/problem.ts'
import { type BodySource, readJsonBody } from '../http/json-body.ts'
import type { JsonResponse } from '../http/json-response.ts'
import { estimateDuties, findWith } from '../operations/estimate-duties.ts'
import { dutiesUnits } from '../operations/points.ts'
import type { Caller } from '../operations/ports/caller.ts'
import type { Ports } from '../operations/ports/ports.ts'
import type { Allowance, Turns } from '../operations/ports/work.ts'
import { chargeConfirmed, faultsMessage, listInput, listWithin, placeInput, unquotedNumber } from './wire.ts'

/** Throws AllowanceExceeded. Not a promise if every item has a code, and replicas do not share their limits. */
export function postDutiesTaxesEstimate(
  ports: Ports,
  caller: Caller,
  { allowance, turns }: { readonly allowance: Allowance; readonly turns: Turns },
  request: BodySource,
): JsonResponse | Promise<JsonResponse> {
  const body = readJsonBody(request)
  if (body.kind === 'UnreadableBody') return fault(body.status, body.message)
  const input = dutiesInput(body.fields)
  const units = dutiesUnits(listWithin(input.contentItems, MAX_ITEMS).filter(isJsonObject))
  const estimate = (): JsonResponse | Promise<JsonResponse> => {
    const outcome = estimateDuties(ports, caller, input, findWith(ports.classifier, turns))
    return outcome instanceof Promise ? outcome.then(respond) : respond(outcome)
  }
  return chargeConfirmed(allowance, units)?.then(estimate) ?? estimate()
}

function respond(outcome: DutiesEstimate | InputProblem): JsonResponse {
  switch (outcome.kind) {
    case 'DutiesEstimate':
      return { status: 200, body: estimateBody(outcome), headers: estimateHeaders(outcome) }
    case 'InputProblem':
      return fault(400, faultsMessage(outcome.fields))
  }
}

/** What the body of the contract has no place for. */
function estimateHeaders(estimate: DutiesEstimate): Readonly<Record<string, string>> {
  return {
    'x-estimate-complete': String(estimate.complete),
    'x-estimate-reliability': estimateReliability(estimate).toUpperCase(),
  }
}

function fault(status: number, message: string): JsonResponse {
  return { status, body: estimateFault(message) }
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
      amount: line.amountCents / 100,
      description: describeLine(consignment, line),
    })),
    estimate: estimateCents / 100,
    hsCode,
  }
}
