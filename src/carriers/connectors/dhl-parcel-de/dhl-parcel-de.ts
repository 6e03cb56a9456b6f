/**
 * DHL Parcel DE (Post & Parcel Germany): cancels by deleting the order before the end of the day, and looks parcels up.
 *
 * DHL has one reply for an unknown order and for a deleted one, and perhaps for a closed one. If an earlier send may
 * have deleted the order, the order lookup of the shipping API and the daily manifests decide. See
 * docs/decisions/shipments.md#d207.
 *
 * Authentication: API key and HTTP Basic. The specification also lists the OAuth password grant, which will "gradually"
 * replace Basic at an unknown date. The grant uses the same user and password and needs one more secret, so this
 * connector uses Basic.
 *
 * Tracking uses the unified API, which is on the same host as shipping. In sandboxes it is not: the credential
 * `trackingUrl` then contains its URL.
 *
 * Sources: DHL's specification "Parcel DE Shipping" 2.1.13 (developer.dhl.com), its Authentication API pages, the
 * Shipment Tracking - Unified API with its list of event codes, and the test files of DHL's PHP SDKs
 * (netresearch/dhl-sdk-api-parcel-de, netresearch/dhl-sdk-api-unified-tracking); copies read in November 2026. Not
 * tested with the live interface.
 */
import {
  ACCEPTED,
  type CancelRequest,
  type CarrierCancelAnswer,
  type Conversation,
  defineConnector,
  orUnknown,
  refused,
  refusedAsScanned,
  unknown,
} from '../define/api.ts'
import { lookUpManifests, type ManifestLookup } from './manifests.ts'
import {
  type Absent,
  judgeDeletion,
  judgeOrder,
  type OrderLookup,
  orderRequest,
  shipmentQuery,
  shippingRequest,
} from './orders.ts'
import {
  evidenceOf,
  judgeTracking,
  NO_EVIDENCE,
  TRACKING_LIMITS,
  type TrackingEvidence,
  trackingRequest,
} from './tracking.ts'

/** `profile`: the user group. `trackingUrl`: the URL of the unified tracking API; not a secret. */
export const dhlParcelDe = defineConnector({
  apiVersion: 1,
  name: 'dhl-parcel-de',
  settings: {
    apiKey: {},
    user: {},
    password: {},
    profile: { required: false },
    trackingUrl: { required: false },
  },
  hosts: { live: 'https://api-eu.dhl.com', test: ['api-sandbox.dhl.com'] },
  cancels: 'parcel',
  // DHL documents a length of up to 50. Rejects numbers that a spreadsheet has changed, such as `3.40434E+17`.
  trackingNumber: { pattern: /^[0-9A-Z]{10,50}$/, mustBe: '10 to 50 digits or upper-case letters' },
  tracking: TRACKING_LIMITS,
  headers: ({ apiKey = '' }) => ({ 'dhl-api-key': apiKey }),
  cancel,
  track: {
    request: ({ carrierRef }) => trackingRequest(carrierRef),
    answers: 'all',
    judge: (reply, { carrierRef }) => judgeTracking(reply, carrierRef),
  },
  check: {
    request: (_, settings) => orderRequest([NO_ORDER], settings),
    answers: 'all',
    judge(reply) {
      const order = judgeOrder(reply, [NO_ORDER])
      return order.kind === 'unknown' ? order : ACCEPTED
    },
  },
})

/** The format of a shipment number. */
const NO_ORDER = '00000000000000000000'

/** A function, because a reply without the order leads to up to three further lookups. */
async function cancel(request: CancelRequest, conversation: Conversation): Promise<CarrierCancelAnswer> {
  const { carrierRef, sends } = request
  const numbers = spellingsOf(carrierRef)
  const deletion = await deleteOrder(numbers, conversation)
  if (deletion.kind !== 'absent') return deletion
  if (sends === 1) return absentAtFirst(deletion, await lookUpOrder(numbers, conversation))
  const [order, evidence] = await Promise.all([
    lookUpOrder(numbers, conversation),
    lookUpEvidence(request, conversation),
  ])
  const answer = absentAgain(order, evidence)
  if (answer.kind !== 'absent') return answer
  const nowMs = Date.now()
  const sinceMs = mayBeClosedSince(request, nowMs)
  return absentForGood(await lookUpManifests(conversation, numbers, sinceMs, nowMs))
}

const STANDARD_PROFILE = 'STANDARD_GRUPPENPROFIL'

/** Deletes the order under the first spelling of its number that DHL finds. */
async function deleteOrder(
  [number = '', ...others]: readonly string[],
  conversation: Conversation,
): Promise<CarrierCancelAnswer | Absent> {
  const { settings, send } = conversation
  const { profile = STANDARD_PROFILE } = settings
  const path = `/orders?profile=${encodeURIComponent(profile)}&${shipmentQuery([number])}`
  const deletion = judgeDeletion(await send(shippingRequest('DELETE', path, settings)), number)
  return deletion.kind === 'absent' && others.length > 0 ? deleteOrder(others, conversation) : deletion
}

function lookUpOrder(numbers: readonly string[], { settings, send }: Conversation): Promise<OrderLookup> {
  return orUnknown('order lookup', async () =>
    judgeOrder(await send(orderRequest(numbers, settings)), numbers),
  )
}

/** Tracking only adds to the order lookup, so a slow reply must not use up the time of the cancellation. */
const TRACKING_LIMIT_MS = 2_500

async function lookUpEvidence(
  { carrierRef, ageMs }: CancelRequest,
  { send }: Conversation,
): Promise<TrackingEvidence> {
  try {
    const reply = await send(trackingRequest(carrierRef), { limitMs: TRACKING_LIMIT_MS })
    return evidenceOf(reply, carrierRef, ageMs)
  } catch {
    return NO_EVIDENCE
  }
}

/** The booking: the first send, whose reply is lost, may have been too late already. */
function mayBeClosedSince({ ageMs, bookedAt = '' }: CancelRequest, nowMs: number): number {
  const sentMs = nowMs - ageMs
  const bookedMs = Date.parse(bookedAt)
  return bookedMs < sentMs ? bookedMs : sentMs
}

/**
 * A number of 20 digits begins with 00. Spreadsheets and numeric columns drop these zeros, and DHL's specification
 * shows such numbers too. Both spellings mean the same parcel.
 */
function spellingsOf(carrierRef: string): readonly string[] {
  return /^3404\d{14}$/.test(carrierRef) ? [carrierRef, `00${carrierRef}`] : [carrierRef]
}

const ORDER_EXISTS = unknown(
  'the order exists, but the deletion does not find it; check the user group (profile)',
  { configuration: true },
)

/** At the first send, an order that DHL does not find cannot have been deleted by Waybill. */
function absentAtFirst({ certain, code, message }: Absent, order: OrderLookup): CarrierCancelAnswer {
  switch (order.kind) {
    case 'open':
      return ORDER_EXISTS
    case 'closed':
      return refused('WINDOW_CLOSED', code, 'The order is closed')
    case 'absent':
      return refused('UNKNOWN_PARCEL', code, message)
    case 'unknown':
      return certain ? refused('UNKNOWN_PARCEL', code, message) : order
  }
}

/**
 * After a repeated send, an earlier send may have deleted the order. The order lookup decides, because tracking has a
 * new parcel only after 10 to 30 minutes, and a wrong user group has the same reply as a deleted order.
 */
function absentAgain(
  order: OrderLookup,
  evidence: TrackingEvidence,
): CarrierCancelAnswer | { readonly kind: 'absent' } {
  if (evidence.kind === 'scanned') return refusedAsScanned(evidence)
  switch (order.kind) {
    case 'open':
      return ORDER_EXISTS
    case 'closed':
      return refused('WINDOW_CLOSED', 'closed', 'The order is closed')
    case 'absent':
      return evidence.kind === 'doubt' ? unknown(evidence.cause) : { kind: 'absent' }
    case 'unknown':
      return order
  }
}

/** Neither the deletion nor the order lookup finds the order. Closed orders are in a manifest; deleted ones are not. */
function absentForGood(manifests: ManifestLookup): CarrierCancelAnswer {
  switch (manifests.kind) {
    case 'closed':
      return refused('WINDOW_CLOSED', 'manifest', 'The order is closed')
    case 'not_listed':
      return { kind: 'cancelled', how: 'already' }
    case 'unknown':
      return manifests
  }
}
