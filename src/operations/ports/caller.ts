/** Who calls: accounts, their API keys, and how secrets are compared. Types only. */

/** Who is calling: an account, and how it wants its REST answers. */
export type Caller = {
  /** Whose contracts decide the prices, and whose shipments are seen. */
  readonly accountId: string
  readonly accountName: string
  /** REST transit times: the single field, or the min/max pair (README decision 10). */
  readonly transitForm: 'single' | 'range'
  /** Whether REST rate options carry `priceBreakdown` (README decision 26). */
  readonly priceBreakdown: boolean
}

/** An API key with the SHA-256 digests of its live secrets. */
export type ApiKey = {
  readonly keyId: string
  readonly caller: Caller
  readonly secretDigests: readonly Buffer[]
}

/** Finds API keys. A revocation of a key or a secret is in force within 5 seconds. */
export interface CredentialStore {
  /**
   * The key, or undefined when it is unknown or revoked. Any text may be asked for; what cannot be a key id costs
   * nothing. Rejects when the store is out of reach, or when so many unknown ids are waiting that another one would not
   * be answered soon; known keys are never refused for that reason.
   */
  findKey(keyId: string): Promise<ApiKey | undefined>
  /**
   * Whether this process has seen the id as that of a live key: in the list of live keys, which is read at start and
   * again in the background at most once a minute, or in an answer of `findKey`. From memory: synchronous, never
   * throws, sends no statement that anyone waits for.
   *
   * It stays true for a revoked key until `findKey` has looked it up again, or a new list is there. It is false for a
   * new key until `findKey` has found it, or a new list is there. It may therefore decide who has to wait, never who is
   * let in: refuse an address that has failed too often without a lookup if the id is not known, but always look up a
   * known key, so that a correct secret passes.
   */
  isKnown(keyId: string): boolean
}

/** Compares a presented secret with stored digests, in a time that tells nothing about the result. */
export interface SecretMatcher {
  /** True when the secret's SHA-256 is among the digests; with no digests, the same work against a dummy. */
  matches(secret: string, digests: readonly Buffer[]): boolean
}
