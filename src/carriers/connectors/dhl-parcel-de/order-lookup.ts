/** The lookup of an order of DHL Parcel DE, as long as its day is not closed. */
import {
  type CarrierRequest,
  credentialFault,
  type HttpReply,
  listAt,
  type Settings,
  type Unknown,
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
import { shipmentQuery, shippingRequest, WITHOUT_DOCUMENTS } from './requests.ts'

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
