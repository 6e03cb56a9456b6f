/** Records of the calls to carriers. Types only; `carriers/` makes them, `store/` keeps them. */

/** One call of a connector, which may have sent several requests. See docs/carriers.md#records-of-calls. */
export type CarrierCall = {
  readonly purpose: CallPurpose
  readonly carrierCode: string
  readonly accountId: string
  /** A tracking number; for a booking, the shipment's id; for the preparation of a booking, the account's. */
  readonly subject: string
  /** Of a cancellation, except of its preparation. */
  readonly attemptId?: string
  /** The trace that the call belongs to, if there are traces. */
  readonly traceId?: string
  /** ISO 8601. */
  readonly begunAt: string
  readonly durationMs: number
  /** The kind of the answer: `cancelled`, `refused`, `unknown`, `not_sent`, ... */
  readonly outcome: string
  /** Why the answer is `unknown` or `not_sent`. */
  readonly cause?: string
  /** Empty if nothing was sent. */
  readonly exchanges: readonly CarrierExchange[]
}

/** `lookup`: a decision depends on it. `tracking`: routine. */
export type CallPurpose = 'prepare' | 'cancel' | 'book' | 'findBooking' | 'lookup' | 'tracking'

/** One request and its reply. Texts contain no credentials and no personal data. */
export type CarrierExchange = {
  readonly method: string
  readonly url: string
  readonly durationMs: number
  /** Null if there was no reply. */
  readonly status: number | null
  /** Why there was no reply. */
  readonly fault?: string
  /** What the carrier's support asks for, by the name of the header or field: `transId`, `Correlation-Id`, ... */
  readonly carrierIds: Readonly<Record<string, string>>
  /** Null without a body. */
  readonly request: string | null
  readonly reply: string | null
}
