/**
 * Estimates that are kept, to compare them later with what a carrier charges. See docs/kept-estimates.md and
 * schema/kept-estimates.graphql.
 */
import type { Place } from '../place.ts'
import type { DutiesEstimate } from './estimate/estimate.ts'
import type { TaxLine } from './estimate/tax-line.ts'
import type { DutiesRequest } from './request.ts'

/** What is stored of an estimate. It is read by later versions, so fields are only added. */
export type EstimateSnapshot = {
  readonly request: DutiesRequest
  /** The day whose rules were used. */
  readonly date: string
  /** The revision of the customs data. */
  readonly customsRevision: number
  readonly totalCents: number
  readonly customsValueCents: number
  readonly hsCode?: string
  readonly complete: boolean
  readonly lines: readonly KeptLine[]
}

export type KeptLine = Pick<TaxLine, 'kind' | 'name' | 'amountCents'> & {
  readonly hsCode: string
  readonly calculated: boolean
}

export type KeptEstimate = EstimateSnapshot & {
  readonly estimateId: string
  /** ISO 8601 in UTC. */
  readonly createdAt: string
  readonly expiresAt: string
  readonly shipmentId?: string
  readonly reference?: string
}

/** What the account links to an estimate. */
export type EstimateLinks = Pick<KeptEstimate, 'shipmentId' | 'reference'>

/** Set by the operator of the service. */
export type EstimateTerms = {
  /** Days for which an estimate is kept. */
  readonly keptDays: number
  /** Estimates that an account may have. */
  readonly countMax: number
  /** The same in bytes of stored content. */
  readonly bytesMax: number
}

/** The estimates of an account. `bytes` is the size of their content. */
export type EstimateUsage = { readonly count: number; readonly bytes: number }

/** `est_` and 22 random characters. */
const ESTIMATE_ID = /^est_[1-9A-HJ-NP-Za-km-z]{22}$/

export function isEstimateId(text: string): boolean {
  return ESTIMATE_ID.test(text)
}

export function snapshotOf(
  request: DutiesRequest,
  { estimateCents, customsValueCents, hsCode, complete, taxes }: DutiesEstimate,
  { date, customsRevision }: Pick<EstimateSnapshot, 'date' | 'customsRevision'>,
): EstimateSnapshot {
  return {
    request,
    date,
    customsRevision,
    totalCents: estimateCents,
    customsValueCents,
    complete,
    ...(hsCode !== undefined && { hsCode }),
    lines: taxes.map(({ harmonizedCode, kind, name, amountCents, computed }) => ({
      hsCode: harmonizedCode,
      kind,
      name,
      amountCents,
      calculated: computed,
    })),
  }
}

/** Where the goods go, as an operator compares estimates: "CN → DE". */
export function laneOf({ from, to }: { readonly from: Place; readonly to: Place }): string {
  return `${from.country} → ${to.country}`
}

/** The account has as many estimates as it may have. */
export type EstimateQuotaExceeded = {
  readonly kind: 'EstimateQuotaExceeded'
  readonly code: 'QUOTA_EXCEEDED'
  readonly message: string
  readonly retryable: false
}

/** Undefined if the account may keep another estimate. */
export function estimateQuotaFault(
  { count, bytes }: EstimateUsage,
  { countMax, bytesMax, keptDays }: EstimateTerms,
): EstimateQuotaExceeded | undefined {
  const isOver = count >= countMax
  if (!isOver && bytes < bytesMax) return undefined
  const limit = isOver ? `${countMax} kept estimates` : `${bytesMax} bytes of kept estimates`
  return {
    kind: 'EstimateQuotaExceeded',
    code: 'QUOTA_EXCEEDED',
    message: `The account has reached its limit of ${limit}. An estimate is kept for ${keptDays} days`,
    retryable: false,
  }
}

/** The idempotency key belongs to a kept estimate of another input. */
export type EstimateKeyConflict = {
  readonly kind: 'IdempotencyConflict'
  readonly code: 'IDEMPOTENCY_CONFLICT'
  readonly message: string
  readonly retryable: false
}

export function estimateKeyConflict(): EstimateKeyConflict {
  return {
    kind: 'IdempotencyConflict',
    code: 'IDEMPOTENCY_CONFLICT',
    message: 'The idempotency key belongs to a kept estimate with another input',
    retryable: false,
  }
}
