/**
 * How far kept estimates are from what a carrier charged, by lane. See docs/kept-estimates.md#compare-with-an-invoice.
 */
import { groupBy } from '../group-by.ts'
import { mulDivHalfUp, sumCents } from '../money.ts'
import { type KeptEstimate, laneOf } from './kept-estimate.ts'

/** How a row of an invoice can name an estimate. The first one that a row has counts. */
export const ESTIMATE_NAMES = ['estimate_id', 'shipment_id', 'reference'] as const
export type EstimateName = (typeof ESTIMATE_NAMES)[number]

/** What a row of an invoice charges for one shipment, in euro cents. */
export type InvoiceCharge = {
  /** The row of the file. */
  readonly row: number
  readonly by: EstimateName
  readonly name: string
  readonly chargedCents: number
}

export type UnmatchedCharge = InvoiceCharge & {
  /** NOT_KEPT: no kept estimate has this name. REPEATED: an earlier row has the same estimate. */
  readonly reason: 'NOT_KEPT' | 'REPEATED'
}

export type ComparedCharge = InvoiceCharge & {
  readonly estimateId: string
  readonly lane: string
  readonly estimatedCents: number
  /** Estimated less charged: positive if the estimate was too high. */
  readonly errorCents: number
  /** False if the estimate said that it was incomplete. */
  readonly complete: boolean
}

export type LaneReport = {
  /** "CN → DE" */
  readonly lane: string
  readonly count: number
  /** Estimates that said that they were incomplete. They count like the others. */
  readonly incomplete: number
  readonly meanErrorCents: number
  readonly medianErrorCents: number
  /** Estimates that differ by at most 5% of what was charged. */
  readonly within5Percent: number
  readonly estimatedCents: number
  readonly chargedCents: number
}

export type InvoiceComparison = {
  /** Rows of the invoice: those that were compared, and those that were not. */
  readonly rows: number
  /** The lanes with the most rows first, then by name. */
  readonly lanes: readonly LaneReport[]
  /** All lanes together. */
  readonly all: LaneReport
  /** The largest errors in either direction, largest first. */
  readonly worst: readonly ComparedCharge[]
  readonly unmatched: readonly UnmatchedCharge[]
}

const WORST = 10
const TOLERANCE_PERCENT = 5

/** `find` returns the kept estimate that a charge names. */
export function compareInvoice(
  charges: readonly InvoiceCharge[],
  find: (charge: InvoiceCharge) => KeptEstimate | undefined,
): InvoiceComparison {
  const compared: ComparedCharge[] = []
  const unmatched: UnmatchedCharge[] = []
  const seen = new Set<string>()
  for (const charge of charges) {
    const estimate = find(charge)
    if (estimate === undefined) unmatched.push({ ...charge, reason: 'NOT_KEPT' })
    else if (seen.has(estimate.estimateId)) unmatched.push({ ...charge, reason: 'REPEATED' })
    else {
      seen.add(estimate.estimateId)
      compared.push(compareCharge(charge, estimate))
    }
  }
  const byLane = [...groupBy(compared, ({ lane }) => lane)]
  return {
    rows: charges.length,
    lanes: byLane
      .map(([lane, ofLane]) => laneReport(lane, ofLane))
      .sort((a, b) => b.count - a.count || (a.lane < b.lane ? -1 : 1)),
    all: laneReport('all lanes', compared),
    worst: compared
      .toSorted((a, b) => Math.abs(b.errorCents) - Math.abs(a.errorCents) || a.row - b.row)
      .slice(0, WORST),
    unmatched,
  }
}

function compareCharge(
  charge: InvoiceCharge,
  { estimateId, request, totalCents, complete }: KeptEstimate,
): ComparedCharge {
  return {
    ...charge,
    estimateId,
    lane: laneOf(request),
    estimatedCents: totalCents,
    complete,
    errorCents: totalCents - charge.chargedCents,
  }
}

function laneReport(lane: string, compared: readonly ComparedCharge[]): LaneReport {
  const errors = compared.map(({ errorCents }) => errorCents).sort((a, b) => a - b)
  return {
    lane,
    count: compared.length,
    incomplete: compared.filter(({ complete }) => !complete).length,
    meanErrorCents: errors.length === 0 ? 0 : mulDivHalfUp(sumCents(errors), 1, errors.length),
    medianErrorCents: medianOf(errors),
    within5Percent: compared.filter(isWithinTolerance).length,
    estimatedCents: sumCents(compared.map(({ estimatedCents }) => estimatedCents)),
    chargedCents: sumCents(compared.map(({ chargedCents }) => chargedCents)),
  }
}

/** Of sorted numbers. The mean of the two in the middle is rounded half up. */
function medianOf(sorted: readonly number[]): number {
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
  return mulDivHalfUp(lower + upper, 1, 2)
}

function isWithinTolerance({ errorCents, chargedCents }: ComparedCharge): boolean {
  return Math.abs(errorCents) * 100 <= chargedCents * TOLERANCE_PERCENT
}
