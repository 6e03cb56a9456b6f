/**
 * The interface that a connector to a carrier implements. The gateway limits time, catches errors and cleans texts; the
 * connector makes the carrier's calls and interprets its codes. See docs/carriers.md#write-a-connector.
 */
import type { Service } from '../core/rating/sender-service.ts'
import type { BookingLookup, CarrierBookAnswer } from '../core/shipments/booking.ts'
import type { CarrierCancelAnswer } from '../core/shipments/cancellation.ts'
import type { Shipment } from '../core/shipments/shipment.ts'
import type { CarrierTrackAnswer, UnknownAnswer } from '../core/shipments/tracking.ts'
import type { SharedTokens } from './shared-tokens.ts'
import type { TokenLimiter, TokenRequestLimits } from './token-source.ts'

/** What Waybill has recorded about a parcel beside its tracking number. */
export type TrackHints = {
  /** When the shipment was booked or imported, ISO 8601. For carriers that reuse tracking numbers. */
  readonly bookedAt?: string
  /** The number of the shipment's order at the carrier. For carriers that cancel orders by a number of their own. */
  readonly orderRef?: string
}

/** The hints of a parcel or a request. */
export function hintsOf({ bookedAt, orderRef }: TrackHints): TrackHints {
  return { ...(bookedAt !== undefined && { bookedAt }), ...(orderRef !== undefined && { orderRef }) }
}

export type CancelRequest = TrackHints & {
  readonly carrierCode: string
  /** The carrier's tracking number. */
  readonly carrierRef: string
  /**
   * The id of the attempt, the same on every send. Carriers without idempotency keys get it at most as a reference for
   * their support.
   */
  readonly idempotencyKey: string
  /**
   * The number of sends, including this one and without those that never left. If it is 2 or more, an earlier send may
   * have arrived, so "not found" may mean "already cancelled".
   */
  readonly sends: number
  /** The time since the attempt was recorded, in milliseconds. The first send may be later. */
  readonly ageMs: number
}

/**
 * One carrier's interface with one set of credentials. Every method makes one try and stops when `signal` is aborted.
 * Methods may throw; the gateway converts errors to `unknown`, or to `not_sent` for a `NotSentError`. Pass `signal` on
 * to every request, and shorten it only with `withinLimit`. Return `refused` only for a code on the carrier's list of
 * final refusals, or for a 4xx with an unlisted code and a readable message. Timeouts, resets, 408, 429, 5xx, and
 * unreadable or empty bodies are `unknown`.
 */
export interface Connector {
  /**
   * Gets what a cancellation or booking needs besides its own request, such as an access token. Called before a call of
   * a caller is recorded; if it throws, nothing is recorded or sent. Must change nothing at the carrier.
   */
  prepare?(signal: AbortSignal): Promise<void>
  cancel(request: CancelRequest, signal: AbortSignal): Promise<CarrierCancelAnswer>
  /** Looks the parcel up. Absent if the carrier has no lookup. */
  track?(carrierRef: string, signal: AbortSignal, hints?: TrackHints): Promise<CarrierTrackAnswer>
  /**
   * Looks up to `ConnectorType.tracking.batch` different parcels up in one call. Absent if the carrier has no such
   * call. Only routine tracking uses it; a parcel whose cancellation depends on the lookup is looked up with `track`.
   */
  trackMany?(parcels: readonly BatchParcel[], signal: AbortSignal): Promise<ManyTracked>
  /**
   * Makes a read that needs the credentials and changes nothing at the carrier, such as a lookup of a number that no
   * parcel has. For `waybill carrier test`, and at start. Absent if the carrier has no such call.
   */
  check?(signal: AbortSignal): Promise<CheckAnswer>
  /** Absent if shipments are not booked with this carrier through Waybill. */
  readonly bookings?: ConnectorBookings
}

/** `accepted`: the reply is the carrier's own and needed the credentials. */
export type CheckAnswer = { readonly kind: 'accepted' } | UnknownAnswer

/** The bookings of a connector whose type has `books`. */
export interface ConnectorBookings {
  /**
   * The services that `book` passes on to the carrier. The gateway refuses shipments with any other service, so that
   * nothing is booked without a service that was paid for. Absent: none.
   */
  readonly services?: ReadonlySet<Service>
  /**
   * Books the shipment, with its id as idempotency key: the same id is booked once and returns the same tracking
   * number, even after that booking was cancelled. If the carrier has no idempotency keys, the connector looks the
   * booking up first.
   */
  book(shipment: Shipment, signal: AbortSignal): Promise<CarrierBookAnswer>
  /**
   * Looks the booking of a shipment up by the shipment's id, also a cancelled one. Books nothing. `none` only if the
   * carrier says that it has no such booking: the draft is then cancelled without asking the carrier.
   */
  find(shipmentId: string, signal: AbortSignal): Promise<BookingLookup>
}

/** A parcel of a batch lookup. */
export type BatchParcel = TrackHints & { readonly carrierRef: string }

/** `parcels` is by tracking number; a missing parcel counts as `unknown`. `unknown`: the whole call failed. */
export type ManyTracked =
  | { readonly kind: 'tracked'; readonly parcels: ReadonlyMap<string, CarrierTrackAnswer> }
  | UnknownAnswer

/** The carrier's limits for lookups. A settings file may lengthen `everyMs` and replace `callsPerDay`. */
export type TrackingLimits = {
  /** Whether lookups tell that a parcel is delivered. Only then are parcels in transit looked up. */
  readonly tellsDeliveries?: boolean
  /** Shortest interval between routine lookups of one parcel. */
  readonly everyMs?: number
  /** Shortest interval between two calls of routine tracking. */
  readonly gapMs?: number
  /** Lookup calls from 00:00 to 24:00 UTC. */
  readonly callsPerDay?: number
  /** Lookups of one parcel from 00:00 to 24:00 UTC. */
  readonly perParcelPerDay?: number
  /** Parcels in one call of `trackMany`. */
  readonly batch?: number
  /**
   * The names of the credentials that lookups are made with. The limits apply to their values together. Default: all
   * credentials.
   */
  readonly credentials?: readonly string[]
}

/** The URL of a carrier's interface, and the credentials. Credentials must not appear in errors or logs. */
export type CarrierAccess = {
  /** Without a trailing slash. May have a path; the connector appends its own paths to it. */
  readonly baseUrl: string
  readonly credentials: Readonly<Record<string, string>>
  /** Limits token requests, shared by all connectors of the type. Absent: no limit. */
  readonly tokenLimiter?: TokenLimiter
  /** Shares access tokens with other processes. Absent: tokens are not shared. */
  readonly sharedTokens?: SharedTokens | undefined
}

/** A connector that the settings file can configure. */
export type ConnectorType = {
  /** The names of the required credentials. */
  readonly credentials: readonly string[]
  readonly optionalCredentials?: readonly string[]
  /** The carrier takes no cancellations: an unscanned shipment is released, and its label must be destroyed. */
  readonly releases?: boolean
  /**
   * What one call of `cancel` covers. `shipment`: the shipment with all its parcels. `parcel`: the carrier numbers each
   * parcel, and only the one with the given number is cancelled.
   */
  readonly cancels: 'shipment' | 'parcel'
  /** Whether its connectors have `bookings`. */
  readonly books?: boolean
  /** The same as `ConnectorBookings.services`, for the import of rate cards. */
  readonly bookedServices?: ReadonlySet<Service>
  /** The carrier's live interface, for the documentation. The settings file always gives the URL. */
  readonly liveUrl: string
  /**
   * The carrier's test interfaces: hosts, or hosts with the beginning of a path. Production refuses them: they
   * report cancellations as successful without cancelling anything.
   */
  readonly testUrls?: readonly string[]
  /**
   * How long the carrier's lookup may still report a cancelled parcel as announced, in milliseconds. Default: 30
   * minutes.
   */
  readonly lookupLagMs?: number
  /**
   * Why the value of a credential cannot be right, such as `must be 9 digits`; undefined if it can. Does not contain
   * the value.
   */
  credentialFault?(name: string, value: string): string | undefined
  /**
   * Why a tracking number cannot be one of this carrier, such as `must be 12 digits`; undefined if its format is
   * valid. Absent if the carrier documents no format. Checked when a number is imported or booked.
   */
  trackingNumberFault?(carrierRef: string): string | undefined
  /** The same for the number of an order. Absent if the carrier has no such numbers: then none is accepted. */
  orderRefFault?(orderRef: string): string | undefined
  /** Default: no limits except `WAYBILL_TRACK_MINUTES`. */
  readonly tracking?: TrackingLimits
  /** The carrier's limits for token requests to one host. Default: `tokenLimiter`'s. */
  readonly tokenRequests?: TokenRequestLimits
  open(access: CarrierAccess): Connector
}
