/**
 * The declarative form of a connector, version 1: what a carrier's interface needs, and how its replies are judged.
 * Everything that connectors have in common is in connector-type.ts. See docs/connectors.md.
 */
import type { Service } from '../../../core/rating/sender-service.ts'
import type { BookingLookup, CarrierBookAnswer } from '../../../core/shipments/booking.ts'
import type { CarrierCancelAnswer } from '../../../core/shipments/cancellation.ts'
import type { Shipment } from '../../../core/shipments/shipment.ts'
import type { CarrierTrackAnswer } from '../../../core/shipments/tracking.ts'
import type {
  BatchParcel,
  CancelRequest,
  CheckAnswer,
  ConnectorType,
  ManyTracked,
  TrackHints,
  TrackingLimits,
} from '../../connector.ts'
import type { HttpReply } from '../../http-exchange.ts'
import type { Token, TokenRequestLimits } from '../../token-source.ts'
import type { Unknown } from '../judgement.ts'
import type { Existence, NoData } from '../parcel-history.ts'

/** The version of this form. A file with another version is refused. */
export const API_VERSION = 1

/**
 * Credentials from the settings file, by name. Calls with the same credentials get the same object, so a connector can
 * use it as the key of a WeakMap to remember something about them. Each process has its own objects.
 */
export type Settings = Readonly<Record<string, string>>

export type SettingField = {
  /** Default: true. */
  readonly required?: boolean
  /** Checked when the settings are read. `mustBe` is a text such as "9 digits". */
  readonly format?: Format
}

export type Format = { readonly pattern: RegExp; readonly mustBe: string }

/** One request to the carrier. The headers of the definition are added. */
export type CarrierRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Appended to the base URL; begins with `/`. Encode numbers with `encodeURIComponent`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** Take precedence over those of the definition. */
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON. */
  readonly body?: string | object
  /**
   * The name of a setting that has another base URL; it ends with `Url`. Without a value, the base URL of the carrier
   * is used.
   */
  readonly baseUrlFrom?: string
  /** The name of one of `otherTokens`. Default: `token`. */
  readonly tokenFrom?: string
  /** A longer body of the reply counts as missing. In bytes; default 256 KiB, at most 4 MiB. */
  readonly replyMaxBytes?: number
}

/** Sends requests for one call of Waybill. They count for it, and share its time limit. */
export type Conversation = {
  readonly settings: Settings
  /** Throws if there is no reply. `limitMs` shortens the time limit of this request. */
  send(request: CarrierRequest, options?: { readonly limitMs?: number }): Promise<HttpReply>
}

/**
 * A call of the carrier's interface: either one request with the judgement of its reply, or a function that sends
 * several.
 *
 * `judge` gets only replies whose status is in `answers`: the statuses with which the carrier documents answers about a
 * parcel. Every other reply is `unknown`, and a 401 or 403 rejects the credentials. Default: 200. `all` leaves every
 * status to `judge`.
 */
export type CarrierCall<Input, Answer> =
  | {
      request(input: Input, settings: Settings): CarrierRequest
      readonly answers?: readonly number[] | 'all'
      judge(reply: HttpReply, input: Input, settings: Settings): Answer
    }
  | ((input: Input, conversation: Conversation) => Promise<Answer>)

export type LookupInput = TrackHints & { readonly carrierRef: string }

/**
 * The reply to a cancellation settles nothing by itself, so the parcel is looked up. If the lookup says that the parcel
 * is cancelled or scanned, that is the answer.
 */
export type LookUpFirst = {
  readonly kind: 'look_up'
  /** The answer if the lookup settles nothing either. */
  readonly otherwise: Unknown
  /** The answer if the carrier has the label, and has neither scanned nor cancelled the parcel. */
  readonly ifAnnounced?: CarrierCancelAnswer
  /** The answer if the lookup has no data about this number. */
  readonly ifNoData?: CarrierCancelAnswer
}

/** For carriers that take no cancellations: an unscanned parcel is released. See `releaseIfUnscanned`. */
export type Release = {
  /** Proves that the carrier has issued the label of a parcel that tracking does not know. */
  readonly exists?: (request: CancelRequest, conversation: Conversation) => Promise<Existence>
}

export type TokenRequest = {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | object
}

export type TokenDefinition = {
  /** How to request a token with POST. */
  request(settings: Settings): TokenRequest
  /** Default: `access_token` and `expires_in` of OAuth (RFC 6749, section 5.1). */
  read?(json: unknown): Token | undefined
}

export type ConnectorDefinition = {
  readonly apiVersion: typeof API_VERSION
  /** The name in rate cards: lower-case letters, digits and hyphens. */
  readonly name: string
  /** What the settings file has under `credentials`. A name that ends with `Url` has a URL. */
  readonly settings: Readonly<Record<string, SettingField>>
  /** `live` is a base URL. `test` has hosts, or hosts with the beginning of a path, which production refuses. */
  readonly hosts: { readonly live: string; readonly test?: readonly string[] }
  readonly cancels: ConnectorType['cancels']
  readonly lookupLagMs?: number
  readonly trackingNumber?: Format
  /** The number of the carrier's order. If present, every shipment needs one beside its tracking number. */
  readonly orderNumber?: Format
  readonly tracking?: TrackingLimits
  readonly tokenRequests?: TokenRequestLimits
  /** For carriers with access tokens. A cancellation or booking is recorded only when there is one. */
  readonly token?: TokenDefinition
  /** By name, for requests with `tokenFrom`. If two of the requests for tokens are equal, they share a token. */
  readonly otherTokens?: Readonly<Record<string, TokenDefinition>>
  /** The headers of every request, called for each one. `token` is empty without access tokens. */
  headers?(settings: Settings, token: string): Readonly<Record<string, string>>
  /** The carrier's own error code or text in a reply whose status is not in `answers`; undefined if there is none. */
  errorIn?(reply: HttpReply): string | undefined
  readonly cancel:
    | CarrierCall<CancelRequest, CarrierCancelAnswer | LookUpFirst>
    | { readonly release: Release }
  readonly track: CarrierCall<LookupInput, CarrierTrackAnswer | NoData>
  readonly trackMany?: CarrierCall<readonly BatchParcel[], ManyTracked>
  /** A read that needs the credentials and changes nothing: a lookup of a number that no parcel has. */
  readonly check?: CarrierCall<undefined, CheckAnswer>
  readonly bookings?: {
    /** The services that `book` passes on to the carrier. Shipments with any other service are not booked. */
    readonly services?: readonly Service[]
    readonly book: CarrierCall<Shipment, CarrierBookAnswer>
    readonly find: CarrierCall<string, BookingLookup>
  }
}
