/**
 * Operations: keep an estimate of duties and taxes, and read a kept one. See docs/kept-estimates.md.
 */
import {
  type EstimateKeyConflict,
  type EstimateQuotaExceeded,
  estimateKeyConflict,
  estimateQuotaFault,
  isEstimateId,
  type KeptEstimate,
  snapshotOf,
} from '../core/customs/kept-estimate.ts'
import { checkDutiesRequest, type DutiesInput, type DutiesRequest } from '../core/customs/request.ts'
import { note, type ProblemList, readText } from '../core/input.ts'
import { type InputProblem, inputProblem } from '../core/problem.ts'
import { readIdempotencyKey } from '../core/shipments/draft-shipment.ts'
import { isShipmentId, MAX_REFERENCE_LENGTH } from '../core/shipments/shipment.ts'
import {
  type CustomsCaller,
  type EstimateBasis,
  estimateWith,
  type FindCodes,
  findItemCodes,
} from './estimate-duties.ts'
import type { Caller } from './ports/caller.ts'
import type { EstimateKey } from './ports/estimates.ts'
import { type Ports, today } from './ports/ports.ts'

export type SaveEstimateInput = {
  readonly estimate: DutiesInput
  readonly shipmentId?: unknown
  readonly reference?: unknown
  readonly idempotencyKey?: unknown
}

/** `alreadySaved`: an earlier request with the same key stored it. */
export type EstimateSaved = {
  readonly kind: 'EstimateSaved'
  readonly estimate: KeptEstimate
  readonly alreadySaved: boolean
}

export type SaveEstimateOutcome = EstimateSaved | EstimateKeyConflict | EstimateQuotaExceeded | InputProblem

type SavePorts = Pick<
  Ports,
  'estimates' | 'estimateTerms' | 'shipments' | 'reference' | 'customsRevision' | 'clock'
>

/** Concurrent requests may exceed the quota by one estimate each. */
export async function saveEstimate(
  ports: SavePorts,
  caller: Pick<Caller, 'accountId'> & CustomsCaller,
  input: SaveEstimateInput,
  find: FindCodes,
): Promise<SaveEstimateOutcome> {
  const { accountId } = caller
  const { estimates, estimateTerms } = ports
  const wanted = await readInput(ports, caller, input)
  if ('kind' in wanted) return wanted
  const { request, links, key } = wanted
  const earlier = key && (await estimates.keyedEstimate(accountId, key))
  if (earlier !== undefined)
    return earlier.isSameInput ? saved(earlier.estimate, true) : estimateKeyConflict()
  const overQuota = estimateQuotaFault(await estimates.estimateUsage(accountId), estimateTerms)
  if (overQuota !== undefined) return overQuota
  const codes = await findItemCodes(request.items, find, caller.agreedCodes)
  const snapshot = estimateNow(ports, request, codes, find)
  const stored = await estimates.insertEstimate(accountId, { snapshot, links, key }, estimateTerms.keptDays)
  if (stored !== undefined) return saved(stored, false)
  // A concurrent request with the same key was faster.
  const other = key && (await estimates.keyedEstimate(accountId, key))
  if (other === undefined) throw new Error('the estimate of an idempotency key expired while it was used')
  return other.isSameInput ? saved(other.estimate, true) : estimateKeyConflict()
}

type Wanted = {
  readonly request: DutiesRequest
  readonly links: Pick<KeptEstimate, 'shipmentId' | 'reference'>
  readonly key: EstimateKey | undefined
}

async function readInput(
  { shipments }: Pick<SavePorts, 'shipments'>,
  caller: Pick<Caller, 'accountId'> & CustomsCaller,
  input: SaveEstimateInput,
): Promise<Wanted | InputProblem> {
  const problems: ProblemList = []
  const request = checkDutiesRequest(input.estimate, caller)
  if ('kind' in request)
    problems.push(...request.fields.map((fault) => ({ ...fault, path: ['estimate', ...fault.path] })))
  const shipmentId = readText(problems, ['shipmentId'], input.shipmentId)
  const reference = readText(problems, ['reference'], input.reference, MAX_REFERENCE_LENGTH)
  const idempotencyKey = readIdempotencyKey(problems, input.idempotencyKey)
  const isKnown =
    shipmentId === undefined ||
    (isShipmentId(shipmentId) && (await shipments.find(caller.accountId, shipmentId)) !== undefined)
  if (!isKnown) note(problems, ['shipmentId'], 'UNKNOWN_VALUE', 'must be the id of a shipment of the account')
  if ('kind' in request || problems.length > 0) return inputProblem(problems)
  const links = {
    ...(shipmentId !== undefined && { shipmentId }),
    ...(reference !== undefined && { reference }),
  }
  const key =
    idempotencyKey === undefined
      ? undefined
      : { key: idempotencyKey, input: JSON.stringify({ request, ...links }) }
  return { request, links, key }
}

function estimateNow(
  { reference, customsRevision, clock }: Pick<SavePorts, 'reference' | 'customsRevision' | 'clock'>,
  request: DutiesRequest,
  codes: EstimateBasis['codes'],
  find: FindCodes,
) {
  const tables = reference.customsTables()
  const date = request.date ?? today(clock)
  const estimate = estimateWith({ tables, date, codes, find })(request)
  return snapshotOf(request, estimate, { date, customsRevision: customsRevision(tables) })
}

function saved(estimate: KeptEstimate, alreadySaved: boolean): EstimateSaved {
  return { kind: 'EstimateSaved', estimate, alreadySaved }
}

/** Undefined if the account has no kept estimate with this id. */
export async function readKeptEstimate(
  { estimates }: Pick<Ports, 'estimates'>,
  { accountId }: Pick<Caller, 'accountId'>,
  estimateId: string,
): Promise<KeptEstimate | undefined> {
  return isEstimateId(estimateId) ? estimates.findEstimate(accountId, estimateId) : undefined
}
