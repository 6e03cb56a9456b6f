/**
 * The one way to a carrier: finds its connector, keeps the time, turns whatever goes wrong into `unknown`, and
 * cleans the carrier's texts, which are not to be trusted.
 */
import type { CarrierBookAnswer } from '../core/shipments/booking.ts'
import type { CarrierCancelAnswer } from '../core/shipments/cancellation.ts'
import type { CarrierGateway } from '../operations/ports.ts'
import type { Connector } from './connector.ts'

/** How long a carrier may take, in milliseconds. */
export const CARRIER_TIMEOUT_MS = 8_000

/** Longest text of a carrier that is kept, in characters. */
export const CARRIER_TEXT_MAX = 300

/**
 * A gateway over connectors by carrier code; a code without one answers `unknown`, for it may have one after
 * the next start. `timeoutMs` must stay below the lease of a cancellation.
 */
export function carrierGateway(
  connectorOf: (carrierCode: string) => Connector | undefined,
  { timeoutMs = CARRIER_TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
): CarrierGateway {
  return {
    async cancel({ attemptId, carrierCode, carrierRef, sends }) {
      const request = { carrierCode, carrierRef, idempotencyKey: attemptId, sends }
      return trusted(
        await ask(connectorOf(carrierCode), timeoutMs, (connector, signal) =>
          connector.cancel(request, signal),
        ),
      )
    },
    async book(shipment) {
      return trustedBooking(
        await ask(connectorOf(shipment.carrierCode), timeoutMs, (connector, signal) =>
          connector.book(shipment, signal),
        ),
      )
    },
  }
}

type Unknown = { readonly kind: 'unknown'; readonly cause: string }

/** One try within the time. A connector that does not mind the signal is left behind with its late answer. */
async function ask<Answer>(
  connector: Connector | undefined,
  timeoutMs: number,
  call: (connector: Connector, signal: AbortSignal) => Promise<Answer>,
): Promise<Answer | Unknown> {
  if (connector === undefined) return { kind: 'unknown', cause: 'no connector for this carrier' }
  const abort = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Unknown>((resolve) => {
    timer = setTimeout(() => {
      resolve({ kind: 'unknown', cause: `no answer within ${timeoutMs} ms` })
      abort.abort()
    }, timeoutMs)
  })
  try {
    return await Promise.race([answerOrCause(connector, abort.signal, call), late])
  } finally {
    clearTimeout(timer)
  }
}

async function answerOrCause<Answer>(
  connector: Connector,
  signal: AbortSignal,
  call: (connector: Connector, signal: AbortSignal) => Promise<Answer>,
): Promise<Answer | Unknown> {
  try {
    return await call(connector, signal)
  } catch (error) {
    return { kind: 'unknown', cause: error instanceof Error ? error.message : String(error) }
  }
}

function trusted(answer: CarrierCancelAnswer): CarrierCancelAnswer {
  switch (answer.kind) {
    case 'cancelled':
      return answer
    case 'refused':
      return { ...answer, code: cleanText(answer.code), message: reasonOf(answer.message) }
    case 'unknown':
      return { ...answer, cause: cleanText(answer.cause) }
  }
}

/** A reference is printed, compared and sent back: plain characters, or the answer is of no use. */
const USABLE_REFERENCE = /^[\x21-\x7e]{1,64}$/

function trustedBooking(answer: CarrierBookAnswer): CarrierBookAnswer {
  switch (answer.kind) {
    case 'booked':
      if (USABLE_REFERENCE.test(answer.carrierRef)) return answer
      return { kind: 'unknown', cause: 'unusable reference' }
    case 'refused':
      return { ...answer, code: cleanText(answer.code), message: reasonOf(answer.message) }
    case 'unknown':
      return { ...answer, cause: cleanText(answer.cause) }
  }
}

function reasonOf(message: string): string {
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
