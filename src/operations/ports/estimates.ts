/** The store of kept estimates. See docs/kept-estimates.md. */
import type {
  EstimateLinks,
  EstimateSnapshot,
  EstimateUsage,
  KeptEstimate,
} from '../../core/customs/kept-estimate.ts'

export type NewEstimate = {
  readonly snapshot: EstimateSnapshot
  readonly links: EstimateLinks
  readonly key: EstimateKey | undefined
}

/** `input` is a text of everything that can change the estimate. */
export type EstimateKey = { readonly key: string; readonly input: string }

export type KeyedEstimate = { readonly estimate: KeptEstimate; readonly isSameInput: boolean }

/**
 * An estimate of another account counts as not found. Every method is one statement, and throws if the store is
 * unreachable.
 */
export interface EstimateStore {
  /** The estimates of the account, with expired ones that are not deleted yet. */
  estimateUsage(accountId: string): Promise<EstimateUsage>
  /** Undefined if the account has no kept estimate with this id. */
  findEstimate(accountId: string, estimateId: string): Promise<KeptEstimate | undefined>
  /** The estimate of an idempotency key, which is valid as long as the estimate is kept. */
  keyedEstimate(accountId: string, key: EstimateKey): Promise<KeyedEstimate | undefined>
  /** Stores an estimate under a new random id. Undefined if its key is in use. */
  insertEstimate(
    accountId: string,
    estimate: NewEstimate,
    keptDays: number,
  ): Promise<KeptEstimate | undefined>
  /** Deletes up to `limit` expired estimates. Returns how many. */
  expireEstimates(limit: number): Promise<number>
}
