/**
 * Holds an engine against the reference estimate on random data: what differs is told with its seed, request and
 * both answers, so that it can be worked out by hand.
 */
import type { CustomsRows } from '../../../../src/core/customs/data/rows.ts'
import { randomCustomsRows } from '../../random/customs.ts'
import { randomCustomsRequest, withPlainCodes } from '../../random/customs-request.ts'
import { diceOf } from '../../random/seeded-dice.ts'
import {
  type ReferenceEstimate,
  type ReferenceRequest,
  type ReferenceTaxLine,
  referenceEstimate,
} from './estimate.ts'

/** Builds what it needs of the rows once, then estimates. Items without `tariff` must find no code. */
export type EngineUnderTest = (
  rows: CustomsRows,
) => (request: ReferenceRequest, date: string) => ReferenceEstimate

/** A request that two answers differ on. */
export type EstimateDifference = {
  readonly seed: number
  readonly date: string
  readonly request: ReferenceRequest
  readonly expected: readonly string[]
  readonly found: readonly string[]
}

/** What differs for the data of a seed and a number of requests against them. Bases are compared on taxes only. */
export function estimateDifferences(
  engineOf: EngineUnderTest,
  seed: number,
  requests: number,
): readonly EstimateDifference[] {
  const dice = diceOf(seed)
  const rows = randomCustomsRows(dice)
  const engine = engineOf(rows)
  const differences: EstimateDifference[] = []
  for (let count = 0; count < requests; count++) {
    const { request: given, date } = randomCustomsRequest(dice, rows)
    const request = withPlainCodes(given)
    const expected = tell(referenceEstimate(rows, given, date))
    const found = tell(engine(request, date))
    if (expected.join('\n') !== found.join('\n')) differences.push({ seed, date, request, expected, found })
  }
  return differences
}

function tell({ lines, estimateCents }: ReferenceEstimate): readonly string[] {
  return [...lines.map(tellLine), `estimate ${estimateCents}`]
}

function tellLine({
  harmonizedCode,
  kind,
  name,
  amountCents,
  baseCents,
  computed,
}: ReferenceTaxLine): string {
  const isTax = kind !== 'DUTY' && kind !== 'FEE'
  const base = isTax && computed && amountCents > 0 ? ` of ${baseCents}` : ''
  return `${harmonizedCode} ${kind} ${name}: ${amountCents}${base}${computed ? '' : ', not computed'}`
}
