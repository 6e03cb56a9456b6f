/** Delivering events to the endpoints of accounts. Types only. See docs/webhooks.md. */
import type { EventType } from '../../core/shipments/event.ts'

/** An endpoint that this process may deliver to until its lease ends. */
export type ClaimedEndpoint = {
  readonly endpointId: string
  readonly accountId: string
  readonly url: string
  /** Undefined: all types. */
  readonly types: readonly EventType[] | undefined
  /** The current one first. Each signs. */
  readonly secrets: readonly string[]
  /** The number of the last event that was delivered or left out. */
  readonly sequence: number
  readonly failures: number
  readonly fence: number
}

export type Delivery = {
  readonly sequence: number
  readonly durationMs: number
  /** Undefined: there was no response. */
  readonly status?: number
  /** Undefined: it was delivered. */
  readonly failure?: string
}

/** `false`: another process has the lease now, so nothing was recorded. */
export interface WebhookStore {
  /** Claims endpoints with new events, at most `limit`, whose next try is due and that no other process delivers to. */
  claim(limit: number, leaseMs: number): Promise<readonly ClaimedEndpoint[]>
  /** Records a delivery, moves the position to its event and extends the lease. */
  delivered(endpoint: ClaimedEndpoint, delivery: Delivery, leaseMs: number): Promise<boolean>
  /**
   * Records a failure, plans the next try and ends the lease. `disabled`: the endpoint has failed for longer than
   * `giveUpAfterMs`.
   */
  failed(
    endpoint: ClaimedEndpoint,
    delivery: Delivery,
    terms: { readonly retryInMs: number; readonly giveUpAfterMs: number },
  ): Promise<'recorded' | 'disabled' | 'lost'>
  /** Moves the position to an event, and ends the lease. */
  release(endpoint: ClaimedEndpoint, sequence: number): Promise<boolean>
  /** Removes entries of the log of this age, at most `limit`. */
  removeOld(keptDays: number, limit: number): Promise<void>
}

/** Logged as an error, as `Alert` of ports.ts is. */
export type WebhookAlert = {
  /** The endpoint has failed for three days, so nothing is sent to it any more. */
  readonly kind: 'WEBHOOK_DISABLED'
  readonly accountId: string
  readonly endpointId: string
  readonly detail: string
}
