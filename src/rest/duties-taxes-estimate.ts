/**
 * POST /partners-api/v1/duties-taxes-estimate on the wire: which fields are read, and what each outcome looks like.
 * Source: the REST contract, docs/rest-contract.md.
 */
import type { DutiesEstimate } from '../core/customs/estimate/estimate.ts'
import type { TaxLine } from '../core/customs/estimate/tax-line.ts'
import { type DutiesInput, MAX_ITEMS } from '../core/customs/request.ts'
import { estimateDuties, findWith } from '../operations/estimate-duties.ts'
import { dutiesUnits } from '../operations/points.ts'
import type { Ports } from '../operations/ports/ports.ts'
import type { Allowance, Turns } from '../operations/ports/work.ts'
import { type BodySource, readJsonBody } from './json-body.ts'
import {
  charge,
  euros,
  faultsMessage,
  isWireObject,
  listInput,
  listWithin,
  placeInput,
  unquotedNumber,
  type WireAnswer,
  type WireObject,
} from './wire.ts'

/** Answers an estimate request of an identified caller. Throws AllowanceExceeded, and what the operation throws. */
export async function postDutiesTaxesEstimate(
  ports: Ports,
  { allowance, turns }: { readonly allowance: Allowance; readonly turns: Turns },
  request: BodySource,
): Promise<WireAnswer> {
  const body = readJsonBody(request)
  if (body.kind === 'UnreadableBody') return { status: body.status, body: estimateFault(body.message) }
  const draft = dutiesInput(body.fields)
  charge(allowance, dutiesUnits(listWithin(draft.contentItems, MAX_ITEMS).filter(isWireObject)))
  const outcome = await estimateDuties(ports, draft, findWith(ports.classifier, turns))
  switch (outcome.kind) {
    case 'DutiesEstimate':
      return { status: 200, body: estimateBody(outcome) }
    case 'InputProblem':
      return { status: 400, body: estimateFault(faultsMessage(outcome.fields)) }
  }
}

/** The body of every answer that is no estimate. */
export function estimateFault(message: string) {
  return { hasErrors: true, message, taxDetails: [], estimate: 0, hsCode: '' }
}

function dutiesInput(fields: WireObject): DutiesInput {
  return {
    from: placeInput(fields, 'from'),
    to: placeInput(fields, 'to'),
    contentItems: listInput(fields['contentItems'], itemDraft),
  }
}

function itemDraft(item: WireObject) {
  return {
    description: item['description'],
    numberOfItems: unquotedNumber(item['numberOfItems']),
    cost: unquotedNumber(item['cost']),
    tariff: item['tariff'],
    originCountry: item['originCountry'],
  }
}

/** An item without a code leaves the lines of the others standing, and is named (decision 4). */
function estimateBody({ items, taxes, estimateCents, hsCode }: DutiesEstimate) {
  const faults = items.flatMap(({ problem }) => problem?.fields ?? [])
  return {
    hasErrors: faults.length > 0,
    ...(faults.length > 0 && { message: faultsMessage(faults) }),
    taxDetails: taxes.map(taxDetail),
    estimate: euros(estimateCents),
    hsCode,
  }
}

function taxDetail(line: TaxLine) {
  const { harmonizedCode, name, amountCents } = line
  return { harmonizedCode, name, amount: euros(amountCents), description: line.describe() }
}
