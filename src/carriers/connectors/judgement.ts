/**
 * What all connectors judge alike: a reply that says nothing certain is `unknown`, and a code that is on no list is a
 * refusal only where the carrier plainly speaks about the request. Source: design/cancellation.md, "Carriers".
 */
import type { RefusalCode } from '../../core/shipments/shipment.ts'
import type { HttpReply } from '../http-exchange.ts'

/** Nothing certain; `cause` is for the log and the record. */
export type Unknown = { readonly kind: 'unknown'; readonly cause: string }

/** A final no. */
export type Refused = {
  readonly kind: 'refused'
  readonly reason: RefusalCode
  readonly code: string
  readonly message: string
}

/** Doubt. */
export function unknown(cause: string): Unknown {
  return { kind: 'unknown', cause }
}

/** A final no by a code on a list. */
export function refused(reason: RefusalCode, code: string, message: string): Refused {
  return { kind: 'refused', reason, code, message }
}

/**
 * Statuses that speak of our credentials, of time or of load, or that a wrong address gets from whatever is there; of
 * the parcel only by a code that a connector lists.
 */
const NOT_ABOUT_THE_PARCEL = new Set([401, 402, 403, 404, 405, 407, 408, 415, 421, 425, 429])

/** An error whose code is on no list: refused by a 4xx that explains itself, else in doubt. */
export function unlistedError(
  { status }: HttpReply,
  code: string | undefined,
  message: string | undefined,
): Refused | Unknown {
  const aboutParcel = status >= 400 && status < 500 && !NOT_ABOUT_THE_PARCEL.has(status)
  if (!aboutParcel || message === undefined)
    return unknown(`HTTP ${status}${code === undefined ? '' : ` ${code}`}`)
  return refused('NOT_CANCELLABLE', code ?? `HTTP ${status}`, message)
}

/** Doubt that speaks of the carrier as a whole: it fails, or wants to be asked less. */
export function isCarrierFault({ cause }: Unknown): boolean {
  return /^HTTP (5\d\d|429)\b/.test(cause)
}
