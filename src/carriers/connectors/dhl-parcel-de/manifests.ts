/**
 * The daily manifests of DHL Parcel DE. A manifest lists the orders that were closed on a day, in Germany's time. An
 * order that DHL no longer finds was deleted, or it is in one of them. See docs/decisions/shipments.md#d207.
 *
 * Source: operation getManifests of DHL's specification "Parcel DE Shipping" 2.1.13, read in November 2026.
 */
import {
  type Conversation,
  credentialFault,
  type HttpReply,
  listAt,
  orUnknown,
  reportsError,
  textAt,
  type Unknown,
  unknown,
  unknownReply,
  valueAt,
} from '../define/api.ts'
import { shippingRequest, WITHOUT_DOCUMENTS } from './orders.ts'
import { codeOf, codesOf, isSameNumber, wholeOf } from './replies.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Days are looked up at the same time, with one call each. */
const DAYS_MAX = 7

/** 1 MiB has about 7,000 orders. A longer manifest is inconclusive. */
const MANIFEST_MAX_BYTES = 1024 * 1024

/** `closed`: a manifest lists the order. `not_listed`: none does. */
export type ManifestLookup = { readonly kind: 'closed' | 'not_listed' } | Unknown

/** "Potentially, the document is large and response time will reflect this." */
const LIMIT_MS = 4_000

/** Looks an order up in the manifests of all days from `sinceMs` to `nowMs`. */
export async function lookUpManifests(
  { settings, send }: Conversation,
  numbers: readonly string[],
  sinceMs: number,
  nowMs: number,
): Promise<ManifestLookup> {
  const days = germanDays(sinceMs, nowMs)
  const found = await Promise.all(
    days.slice(-DAYS_MAX).map((day) =>
      orUnknown(`manifest of ${day}`, async () => {
        const request = shippingRequest('GET', `/manifests?date=${day}&${WITHOUT_DOCUMENTS}`, settings)
        const reply = await send({ ...request, replyMaxBytes: MANIFEST_MAX_BYTES }, { limitMs: LIMIT_MS })
        return judgeManifest(reply, day, numbers)
      }),
    ),
  )
  const closed = found.find(({ kind }) => kind === 'closed')
  const doubt = found.find(({ kind }) => kind === 'unknown')
  if (closed !== undefined || doubt !== undefined) return closed ?? doubt ?? { kind: 'not_listed' }
  if (days.length > DAYS_MAX)
    return unknown(`the order may have been closed more than ${DAYS_MAX} days ago`, {
      repeatAfterMs: HOUR_MS,
    })
  return { kind: 'not_listed' }
}

/** The date in Germany, as YYYY-MM-DD, and the hour. */
function germanTime(ms: number): { readonly day: string; readonly hour: number } {
  const [day = '', time = ''] = GERMAN_TIME.format(ms).split(' ')
  return { day, hour: Number(time.slice(0, 2)) }
}

/** The Swedish format is that of ISO 8601, with a blank for the T. */
const GERMAN_TIME = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Berlin',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

function germanDays(sinceMs: number, nowMs: number): readonly string[] {
  const [first, last] = [sinceMs, nowMs].map((ms) => Date.parse(`${germanTime(ms).day}T00:00:00Z`))
  const days: string[] = []
  // Calendar days, so the length of a day in Germany does not matter.
  for (let day = last ?? 0; day >= (first ?? 0) && days.length <= DAYS_MAX; day -= DAY_MS)
    days.unshift(new Date(day).toISOString().slice(0, 10))
  return days
}

/** Accounts close their days at a fixed hour "such as 6 pm", or earlier by hand. */
const CLOSE_FROM_HOUR = 16

/** Whether the fixed hour at which an account closes its day may lie between two times. */
export function mayHaveClosed(sinceMs: number, nowMs: number): boolean {
  const now = germanTime(nowMs)
  return germanTime(sinceMs).day !== now.day || now.hour >= CLOSE_FROM_HOUR
}

/**
 * Judges the manifest of a day. The order is not listed only if the whole list is readable, or if DHL itself has no
 * manifest.
 */
function judgeManifest(reply: HttpReply, day: string, numbers: readonly string[]): ManifestLookup {
  const { status, json } = reply
  if (isOwnNotFound(reply)) return { kind: 'not_listed' }
  const doubt = credentialFault(reply) ?? unknownReply(reply)
  const failed = { ...doubt, cause: `manifest of ${day}: ${doubt.cause}` }
  const items = valueAt(json, 'items')
  const isWhole = codesOf(valueAt(json, 'status')).every((code) => code === 200)
  if (status !== 200 || !isWhole || !Array.isArray(items) || reportsError(json)) return failed
  if (isOtherDay(textAt(json, 'manifestDate'), day) || !items.every(hasNumber)) return failed
  const own = items.filter((item) =>
    numbers.some((number) => isSameNumber(valueAt(item, 'shipmentNo'), number)),
  )
  if (own.length === 0) return { kind: 'not_listed' }
  const isListed = (item: unknown) => codesOf(valueAt(item, 'sstatus')).every((code) => code === 200)
  return own.every(isListed) ? { kind: 'closed' } : failed
}

/**
 * DHL's own 404: it has the field `statusCode`, which DHL's specification requires and other servers do not send, or a
 * text about manifests.
 */
function isOwnNotFound({ status, json }: HttpReply): boolean {
  const whole = wholeOf(json)
  const text = `${textAt(whole, 'title')} ${textAt(whole, 'detail')}`
  const isOwn = valueAt(whole, 'statusCode') === 404 || /manifest|shipment/i.test(text)
  const isAboutUrl = /\b(?:resource|route|url|path|endpoint|api)\b/i.test(text)
  return status === 404 && codeOf(whole) === 404 && listAt(json, 'items').length === 0 && isOwn && !isAboutUrl
}

/** DHL documents no format. A date in another format than ISO 8601 is not compared. */
function isOtherDay(manifestDate: string | undefined, day: string): boolean {
  return (
    manifestDate !== undefined && /^\d{4}-\d{2}-\d{2}/.test(manifestDate) && !manifestDate.startsWith(day)
  )
}

function hasNumber(item: unknown): boolean {
  const number = valueAt(item, 'shipmentNo')
  return Number.isSafeInteger(number) || (typeof number === 'string' && number.trim() !== '')
}
