/**
 * The store of the access tokens that processes share. `store/` implements it, and `carriers/shared-tokens.ts` encrypts
 * what is stored. See docs/carriers.md#access-tokens.
 */

/** What a process can do that needs a token. Times are in milliseconds from now. */
export type TokenClaim =
  /** `sealed` can be used for `usableMs`. */
  | {
      readonly kind: 'token'
      readonly version: number
      readonly sealed: Uint8Array
      readonly usableMs: number
    }
  /** There is no token. A claim that may fetch returns this to one process, which has to `keep` or `release`. */
  | { readonly kind: 'none'; readonly version: number }
  /** Another process fetches one, for this long at most. */
  | { readonly kind: 'fetching'; readonly forMs: number }
  /** The carrier has rejected a request for a token, or asked for a pause. `status` is that of its reply, if known. */
  | { readonly kind: 'paused'; readonly forMs: number; readonly status?: number | undefined }

export interface CarrierTokenStore {
  /**
   * A token that is newer than `after`, or what to do without one. `credentials` is a digest of 32 bytes. Without
   * `leaseMs` it only reads; with it, the process that gets `none` may fetch a token within this time, and no other.
   */
  claim(credentials: Uint8Array, after: number, leaseMs?: number): Promise<TokenClaim>
  /** Stores the token that was fetched after a claim with this version. */
  keep(credentials: Uint8Array, version: number, sealed: Uint8Array, usableMs: number): Promise<void>
  /** No token was fetched after a claim. Others may try after `pauseMs`. `status` is that of the reply, if any. */
  release(credentials: Uint8Array, pauseMs: number, status?: number): Promise<void>
}
