/**
 * Compares an engine with the oracle on random data. A difference is reported with its seed, request and both answers.
 */
import type { CustomsRows } from '../../../../src/core/customs/data/rows.ts'
import { randomCustomsRows } from '../../random/customs.ts'
import { randomCustomsRequest, withPlainCodes } from '../../random/customs-request.ts'
import { diceOf } from '../../random/seeded-dice.ts'
import { type OracleEstimate, type OracleRequest, type OracleTaxLine, oracleEstimate } from './estimate.ts'

/** Compiles the rows once, then estimates. Items without `tariff` must get no code. */
export type EngineUnderTest = (rows: CustomsRows) => (request: OracleRequest, date: string) => OracleEstimate

export type EstimateDifference = {
  readonly seed: number
  readonly date: string
  readonly request: OracleRequest
  readonly expected: readonly string[]
  readonly found: readonly string[]
}

/** The differences for the random data of a seed. Bases are compared for taxes only. */
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
    const expected = formatEstimate(oracleEstimate(rows, given, date))
    const found = formatEstimate(engine(request, date))
    if (expected.join('\n') !== found.join('\n')) differences.push({ seed, date, request, expected, found })
  }
  return differences
}

function formatEstimate(estimate: OracleEstimate): readonly string[] {
  const { lines, estimateCents, checkoutCents, complete, otherScheme, sellerScheme } = estimate
  return [
    ...lines.map(formatLine),
    `estimate ${estimateCents}, at checkout ${checkoutCents}${complete ? '' : ', not complete'}`,
    ...(otherScheme === undefined ? [] : [`other scheme ${otherScheme}`]),
    ...(sellerScheme === undefined ? [] : [`seller's scheme ${sellerScheme}`]),
  ]
}

function formatLine(line: OracleTaxLine): string {
  const { harmonizedCode, kind, name, amountCents, baseCents, computed, basis, leastCents, collectedBy } =
    line
  const isTax = kind !== 'DUTY' && kind !== 'COMBINED' && kind !== 'FEE'
  const base = isTax && computed && amountCents > 0 ? ` of ${baseCents}` : ''
  const least = leastCents === undefined ? '' : `, at least ${leastCents}`
  const source = basis === undefined ? '' : ` (${basis})`
  return `${harmonizedCode} ${kind} ${name}: ${amountCents}${base}${computed ? '' : ', not computed'}${least}${source} ${collectedBy}`
}
