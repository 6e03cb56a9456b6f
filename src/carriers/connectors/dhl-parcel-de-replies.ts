/** The parts of DHL Parcel DE's replies about orders: statuses, codes, texts and numbers. */
import { textAt, valueAt } from '../http-exchange.ts'

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
