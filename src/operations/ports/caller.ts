/** Accounts, their API keys, and the comparison of secrets. Types only. */
import type { SellerRegistration } from '../../core/customs/seller-registration.ts'
import type { PublishableKey, Scope, WebPage } from './key-rules.ts'

/** HS codes (6 to 10 digits) by the number of the product in the shop. */
export type CodesBySku = ReadonlyMap<string, string>

/** An account that calls, with its settings. */
export type Caller = {
  readonly accountId: string
  readonly accountName: string
  /** REST transit times: the single field, or the min/max pair (docs/rest-contract.md#r10). */
  readonly transitForm: 'single' | 'range'
  /** Whether REST rate options carry `priceBreakdown` (docs/rest-contract.md#r26). */
  readonly priceBreakdown: boolean
  /** Whether averages of groups of goods count in estimates of duties, unless the request decides. */
  readonly countAverages: boolean
  /** For schemes under which the seller collects import taxes; absent: none. */
  readonly registrations?: readonly SellerRegistration[]
  /**
   * The codes that the account has agreed on for its products; absent: none. Not a promise if they are in memory, as
   * for most requests. Rejects if the store is unreachable.
   */
  readonly agreedCodes?: () => CodesBySku | Promise<CodesBySku>
  /** What the caller's API key may do; absent: everything. */
  readonly scopes?: ReadonlySet<Scope>
  /** Present if the caller is a web page with a publishable key. */
  readonly page?: WebPage
}

/** An API key with the SHA-256 digests of its valid secrets. */
export type ApiKey = {
  readonly keyId: string
  readonly caller: Caller
  /** Empty for a publishable key. */
  readonly secretDigests: readonly Buffer[]
  /** The time from which the key is refused; absent: none. */
  readonly expiresAt?: Date
  /** Replaces the limit of the service. */
  readonly requestsPerMinute?: number
  readonly publishable?: PublishableKey
}

/** Finds API keys. The revocation of a key or secret takes effect within 5 seconds. */
export interface CredentialStore {
  /**
   * The key, or undefined if it is unknown or revoked. Accepts any text; a malformed key id causes no query. Rejects if
   * the store is unreachable, or if too many lookups of unknown ids are queued; known keys are never rejected for that
   * reason. Not a promise if the result is in memory, as for most requests.
   */
  findKey(keyId: string): ApiKey | undefined | Promise<ApiKey | undefined>
  /**
   * Whether the id is in this process's list of valid keys, or was found valid by `findKey`. The list is read at start
   * and refreshed in the background, at most once a minute. Reads memory only and never throws.
   *
   * The result may be outdated: a revoked key stays known, and a new key unknown, until `findKey` or the next list
   * corrects it. Use it for rate limits only, never for authentication. An address with too many failures may be
   * rejected without a lookup if the id is unknown. A known id is always looked up, so that a correct secret is
   * accepted.
   */
  isKnown(keyId: string): boolean
  /** Records that the key was used now. Memory only: uses are written about once a minute. */
  noteUse(keyId: string): void
  readonly pageOrigins: PageOrigins
}

/** The origins of all active publishable keys, in memory. The list can be a minute old. */
export interface PageOrigins {
  isEmpty(): boolean
  has(origin: string): boolean
  /**
   * Like `has`, but reads the list again for an origin that is not in it, at most every two seconds. Never rejects:
   * during an outage, the old list counts.
   */
  find(origin: string): boolean | Promise<boolean>
}

/** Compares a secret with stored digests in constant time. */
export interface SecretMatcher {
  /** True if the secret's SHA-256 is one of the digests. Without digests, compares with a dummy. */
  matches(secret: string, digests: readonly Buffer[]): boolean
}
