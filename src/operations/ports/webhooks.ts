/** Delivering events to the endpoints of accounts, and the log of deliveries. Types only. See docs/webhooks.md. */
import type { EventType } from '../../core/shipments/event.ts'
import type { InvalidCursor, Page, PageRequest } from './pages.ts'

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

export type WebhookEndpoint = {
  readonly endpointId: string
  readonly url: string
  /** Undefined: all types. */
  readonly types: readonly EventType[] | undefined
  /** `failing`: the last delivery failed, and its event is sent again. `disabled`: nothing is sent any more. */
  readonly state: 'active' | 'failing' | 'disabled'
  /** Events that have not been accepted. */
  readonly waiting: number
  /** ISO 8601 in UTC. Only while the state is `failing`. */
  readonly nextTryAt?: string
  readonly createdAt: string
}

export type LoggedDelivery = Delivery & {
  readonly deliveryId: string
  /** When it ended, ISO 8601 in UTC. */
  readonly at: string
  /** Undefined: the event is no longer kept. */
  readonly event?: { readonly type: EventType; readonly shipmentId: string }
}

/** `too_many`: more events than permitted would be sent again. */
export type ReplayResult = 'replayed' | 'already_replayed' | 'not_found' | 'too_many'

/** What an account can see of its webhooks. An endpoint of another account counts as not found. */
export interface WebhookLog {
  /** The endpoints of an account, oldest first. */
  endpoints(accountId: string): Promise<readonly WebhookEndpoint[]>
  /** The same page of the log of several endpoints, newest first. There is no page for an endpoint without a log. */
  deliveries(
    accountId: string,
    endpointIds: readonly string[],
    request: PageRequest,
  ): Promise<ReadonlyMap<string, Page<LoggedDelivery>> | InvalidCursor>
  /**
   * Sends the events that wait, also to a disabled endpoint. With a delivery whose event does not wait: its event and
   * the later ones, at most `eventsMax`, unless its event has been sent again since.
   */
  replay(
    accountId: string,
    endpointId: string,
    deliveryId: string | undefined,
    eventsMax: number,
  ): Promise<ReplayResult>
}
