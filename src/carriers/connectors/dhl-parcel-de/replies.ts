/** The parts of DHL Parcel DE's replies about orders: statuses, codes, texts and numbers. */
import { type HttpReply, listAt, reportsError, textAt, valueAt } from '../define/api.ts'

/**
 * DHL has no codes for the reasons of a 400, so English texts are matched: "Deletion is only possible prior to being
 * manifested", "profile ... mandatory". Source: DHL's API specification 2.1.13.
 */
export const DAY_CLOSED = /manifest|closed|close-?out|end of day|tagesabschluss/i

/** The title of DHL's replies, and the text of its specification. */
export function saysUnknownNumber(text: string): boolean {
  if (/unknown\s*shipment|\bno (?:such )?(?:shipment|order)\b/i.test(text)) return true
  const subject = text.search(/\b(?:shipment|order)\b/i)
  return subject !== -1 && /\bnot (?:be )?(?:found|exist)/i.test(text.slice(subject))
}

/** The status of the whole reply: `status` in a list of items, otherwise the reply itself. */
export function wholeOf(json: unknown): unknown {
  const status = valueAt(json, 'status')
  return typeof status === 'object' && status !== null ? status : json
}

/** The values of `status` and of its older spelling `statusCode`. */
export function codesOf(part: unknown): readonly unknown[] {
  return [valueAt(part, 'status'), valueAt(part, 'statusCode')].filter((code) => code !== undefined)
}

/** The code of a status; undefined if there is none, or if the two spellings differ. */
export function codeOf(part: unknown): number | undefined {
  const [code, ...others] = codesOf(part)
  return typeof code === 'number' && others.every((other) => other === code) ? code : undefined
}

export function messageOf(part: unknown): string | undefined {
  return textAt(part, 'detail') ?? textAt(part, 'title')
}

/**
 * True if a status means "unknown or already deleted". DHL sends the title `UnknownShipmentNumber` with code 204; its
 * specification has code 400 with the text "Unknown shipment number."
 */
export function isUnknownNumber(part: unknown): boolean {
  const codes = codesOf(part)
  const texts = [textAt(part, 'title'), textAt(part, 'detail')]
  return (
    codes.length > 0 &&
    codes.every((code) => code === 204 || code === 400 || code === 404) &&
    texts.some((text) => saysUnknownNumber(text ?? ''))
  )
}

/** Ignores leading zeros. DHL sends some numbers as JSON numbers. */
export function isSameNumber(value: unknown, number: string): boolean {
  const text = Number.isSafeInteger(value) ? String(value) : value
  return typeof text === 'string' && withoutZeros(text) === withoutZeros(number)
}

function withoutZeros(number: string): string {
  return number.trim().replace(/^0+/, '')
}

export const MAY_HAVE_ITEMS = new Set([200, 207, 400, 404])

export function itemsFor(json: unknown, numbers: readonly string[]): readonly unknown[] {
  return listAt(json, 'items').filter((item) =>
    numbers.some((number) => isSameNumber(valueAt(item, 'shipmentNo'), number)),
  )
}

/** True if an item was processed and nothing in the reply contradicts it. */
export function isSuccess({ status, json }: HttpReply, item: unknown): boolean {
  const whole = valueAt(json, 'status')
  const code = codeOf(whole)
  const isAlone = listAt(json, 'items').length === 1
  return (
    codeOf(valueAt(item, 'sstatus')) === 200 &&
    !saysFailure(valueAt(item, 'sstatus')) &&
    !listAt(item, 'validationMessages').some(isErrorMessage) &&
    (status === 200 || status === 207) &&
    (codesOf(whole).length === 0 || code === 200 || code === 207) &&
    // The text about all items may report the failure of another one.
    !(isAlone ? saysFailure(whole) : NONE_OF.test(textsOf(whole))) &&
    !reportsError(json)
  )
}

/** "0 of 1 shipment successfully canceled." */
const NONE_OF = /\b0 (?:of|von) \d/i
const FAILURE = /\b(?:not\b|nicht\b|unknown|fail|error|unable|invalid|denied|rejected|unbekannt|fehler)/i
const WITHOUT_ERRORS = /\b(?:without|no|ohne|keine?) (?:errors?|failures?|fehler)\b/gi

function saysFailure(part: unknown): boolean {
  const text = textsOf(part).replace(WITHOUT_ERRORS, '')
  return NONE_OF.test(text) || FAILURE.test(text) || DAY_CLOSED.test(text) || saysUnknownNumber(text)
}

export function textsOf(part: unknown): string {
  return `${textAt(part, 'title') ?? ''} ${textAt(part, 'detail') ?? ''}`
}

/** `validationState` is `Error` or `Warning`. */
function isErrorMessage(message: unknown): boolean {
  return !/^(?:warning|info|information|ok)$/i.test(textAt(message, 'validationState') ?? '')
}
