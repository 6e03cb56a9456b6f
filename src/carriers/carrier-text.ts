/** What may be kept of a carrier's texts: they are printed, compared, logged and sent on, and not to be trusted. */

/** Longest text of a carrier that is kept, in characters. */
export const CARRIER_TEXT_MAX = 300

export { USABLE_EVENT_ID, USABLE_REFERENCE } from '../core/shipments/tracking.ts'

/** A refusal's reason, cleaned; never empty. */
export function reasonOf(message: string): string {
  const reason = cleanText(message)
  return reason === '' ? 'no reason given' : reason
}

/**
 * Text without control characters (line breaks would forge log lines, NUL is a fault in PostgreSQL), marks that
 * turn the direction of what is displayed, or lone surrogates; blanks as one; at most `CARRIER_TEXT_MAX`.
 */
export function cleanText(text: string): string {
  // A body of megabytes is cut before it is worked through.
  const whole = text.slice(0, 20 * CARRIER_TEXT_MAX).toWellFormed()
  const cleaned = whole
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
  return [...cleaned].slice(0, CARRIER_TEXT_MAX).join('').trimEnd()
}
