/** The orders of DHL Parcel DE: their deletion, and their lookup as long as the day is not closed. */
import {
  basicAuthorization,
  type CarrierCancelAnswer,
  type CarrierRequest,
  credentialFault,
  type HttpReply,
  listAt,
  refused,
  type Settings,
  textAt,
  type Unknown,
  unknown,
  unknownReply,
  valueAt,
} from '../define/api.ts'
import {
  codeOf,
  DAY_CLOSED,
  isSuccess,
  isUnknownNumber,
  itemsFor,
  MAY_HAVE_ITEMS,
  messageOf,
  wholeOf,
} from './replies.ts'

/** Tracking may have another host, so it does not get the user and the password. */
export function shippingRequest(
  method: 'GET' | 'DELETE',
  path: string,
  { user = '', password = '' }: Settings,
): CarrierRequest {
  return {
    method,
    path: `/parcel/de/shipping/v2${path}`,
    // The connector matches English texts.
    headers: { authorization: basicAuthorization(user, password), 'accept-language': 'en-US' },
  }
}

export function shipmentQuery(numbers: readonly string[]): string {
  return numbers.map((number) => `shipment=${encodeURIComponent(number)}`).join('&')
}

/** By default, DHL would send the documents themselves. */
export const WITHOUT_DOCUMENTS = 'includeDocs=URL'

/** Reasons that an operator has to correct. */
const ABOUT_ACCOUNT = /profil|billing|permission|not permitted|not allowed/i

/**
 * DHL reports that the order does not exist or is deleted. Not certain for a 400 with an unlisted text, although DHL's
 * specification has no other meaning for it.
 */
export type Absent = {
  readonly kind: 'absent'
  readonly certain: boolean
  readonly code: string
  readonly message: string
}

/**
 * The request is about one order, so the reply must contain one item for it. Of DHL's documented statuses, only these
 * have items; every other one concerns the request.
 */
export function judgeDeletion(reply: HttpReply, number: string): CarrierCancelAnswer | Absent {
  const { status, json } = reply
  if (!MAY_HAVE_ITEMS.has(status)) return credentialFault(reply) ?? unknownReply(reply)
  const items = itemsFor(json, [number])
  if (items.length > 1) return unknown('several items for one order')
  return items.length === 1 ? judgeItem(reply, items[0]) : judgeWithoutItem(reply)
}

function judgeItem(reply: HttpReply, item: unknown): CarrierCancelAnswer | Absent {
  const itemStatus = valueAt(item, 'sstatus')
  const message = messageOf(itemStatus) ?? textAt(item, 'validationMessages', 0, 'validationMessage')
  if (isUnknownNumber(itemStatus)) return absent(itemStatus, true, message)
  const code = codeOf(itemStatus)
  switch (code) {
    case undefined:
      return unknown('item without a single status')
    case 200:
      return isSuccess(reply, item)
        ? { kind: 'cancelled', how: 'now' }
        : unknown(`item 200 in a contradictory reply with HTTP ${reply.status}`)
    case 204:
      return unknown('item 204 without the title UnknownShipmentNumber')
    case 400:
    case 404:
      // "400 will be returned when shipment does not exist (or was already deleted)"
      return otherReason(code, message) ?? absent(itemStatus, false, message)
    default: {
      // DHL documents no other status of an item.
      const itemReply = { ...reply, status: code }
      return credentialFault(itemReply) ?? unknownReply(itemReply, message)
    }
  }
}

/** Judges a reply that has no item for this order. It is inconclusive if it has items for other orders. */
function judgeWithoutItem(reply: HttpReply): CarrierCancelAnswer | Absent {
  const { status, json } = reply
  const whole = wholeOf(json)
  if ((status !== 400 && status !== 404) || listAt(json, 'items').length > 0 || codeOf(whole) !== status)
    return unknown(`HTTP ${status} without this order`, { status, configuration: status === 404 })
  const message = messageOf(whole)
  if (isUnknownNumber(whole)) return absent(whole, true, message)
  // A 400 for any other reason concerns the request, and a 404 the URL.
  return (
    otherReason(status, message) ??
    unknown(`HTTP ${status} ${message ?? ''}`, { status, configuration: true })
  )
}

function absent(part: unknown, certain: boolean, message = 'Unknown shipment number'): Absent {
  return { kind: 'absent', certain, code: textAt(part, 'title') ?? String(codeOf(part)), message }
}

/** The judgement of an error with a text for a reason other than "not found or already deleted". */
function otherReason(code: number, message = ''): CarrierCancelAnswer | undefined {
  if (DAY_CLOSED.test(message)) return refused('WINDOW_CLOSED', String(code), message)
  if (ABOUT_ACCOUNT.test(message))
    return unknown(`HTTP ${code} ${message}`, { status: code, configuration: true })
  return undefined
}

export function orderRequest(numbers: readonly string[], settings: Settings): CarrierRequest {
  return shippingRequest('GET', `/orders?${shipmentQuery(numbers)}&${WITHOUT_DOCUMENTS}`, settings)
}

/**
 * `open`: the order can still be deleted. `closed`: the day's orders have been handed over. `absent`: there is no
 * such order.
 */
export type OrderLookup = { readonly kind: 'open' | 'closed' | 'absent' } | Unknown

/** Judges the reply to `GET /orders`, which may contain an item for each spelling of the number. */
export function judgeOrder(reply: HttpReply, numbers: readonly string[]): OrderLookup {
  const { status, json } = reply
  const doubt = credentialFault(reply) ?? unknownReply(reply)
  const failed = { ...doubt, cause: `order lookup: ${doubt.cause}` }
  if (!MAY_HAVE_ITEMS.has(status)) return failed
  const own = itemsFor(json, numbers)
  if (own.some((item) => isSuccess(reply, item))) return { kind: 'open' }
  const items = own.map((item) => valueAt(item, 'sstatus'))
  if (items.some((itemStatus) => DAY_CLOSED.test(messageOf(itemStatus) ?? ''))) return { kind: 'closed' }
  const isAbsent = (itemStatus: unknown) => isUnknownNumber(itemStatus) || codeOf(itemStatus) === 404
  if (items.length > 0) return items.every(isAbsent) ? { kind: 'absent' } : failed
  const whole = wholeOf(json)
  if (listAt(json, 'items').length > 0 || codeOf(whole) !== status) return failed
  if (DAY_CLOSED.test(messageOf(whole) ?? '')) return { kind: 'closed' }
  // A gateway sends a 404 of the same shape for an unknown path, so DHL's text is needed.
  return isUnknownNumber(whole) ? { kind: 'absent' } : failed
}
