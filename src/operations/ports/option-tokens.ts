/** Tokens of rate options. Types only; `store/` implements them. */
import type { OptionPromise, RequestPart, RequestTexts } from '../../core/shipments/option-token.ts'

/** A token with a valid signature. */
export type SignedOption = {
  readonly promise: OptionPromise
  /** The parts in which a request differs from the one of the token; undefined if it is the same request. */
  differences(request: RequestTexts): readonly RequestPart[] | undefined
}

/** Signs and reads tokens. Nothing is stored, so every replica can read a token. */
export interface OptionTokens {
  /** What belongs to the request is calculated once for each `request` object. */
  sign(accountId: string, request: RequestTexts, promise: OptionPromise): string
  /**
   * Undefined if the token was not signed for this account, or is altered or malformed. Compares the signature in
   * constant time. Accepts any text. An expired token is returned. Rejects if the store is unreachable.
   */
  read(accountId: string, token: string): Promise<SignedOption | undefined>
}
