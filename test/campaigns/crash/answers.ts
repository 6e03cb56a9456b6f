/**
 * Classifies the answers of both doors. Status, body and headers must match exactly; any other answer is
 * `odd`, which is a violation. Sources: docs/rest-contract.md, docs/graphql.md.
 */

/** `booked` and `not booked` are final for a booking. */
export type AnswerKind =
  | 'cancelled'
  | 'refused'
  | 'not found'
  | 'unavailable'
  | 'pending'
  | 'booked'
  | 'not booked'
  | 'odd'

export type Answer = {
  readonly kind: AnswerKind
  /** What was odd, or details beyond the kind. */
  readonly detail?: string
  readonly retryAfterSeconds?: number
  /** The HTTP status of an odd answer. */
  readonly status?: number
}

/** Whether repeating the request cannot change the answer. */
export function isFinal({ kind }: Answer): boolean {
  return kind !== 'unavailable' && kind !== 'pending'
}

export const CANCEL = `mutation ($id: ID!) { answer: cancelShipment(input: { shipmentId: $id }) {
  __typename
  ... on ShipmentCancelled { message shipment { state } }
  ... on ShipmentNotCancelled { code message retryable }
  ... on CancellationPending { message retryAfterSeconds }
  ... on ShipmentNotFound { message }
} }`

export const BOOK = `mutation ($id: ID!) { answer: bookShipment(input: { shipmentId: $id }) {
  __typename
  ... on ShipmentBooked { shipment { trackingNumber } }
  ... on ShipmentNotBooked { code retryable }
  ... on ShipmentNotFound { message }
} }`

/** `DEADLINE_EXCEEDED`: the request got no turn in time. Mutations are not stopped after they have begun. */
const UNAVAILABLE_CODES = ['SERVICE_UNAVAILABLE', 'OVERLOADED', 'DEADLINE_EXCEEDED']
const NOT_FOUND = 'Shipment not found'
const PENDING = {
  cancelled: false,
  message: 'The carrier has not confirmed the cancellation yet; repeat the same request',
}

export function readRest(status: number, retryAfter: string | null, text: string): Answer {
  const body = parsed(text)
  const odd: Answer = {
    kind: 'odd',
    status,
    detail: `REST ${status}, Retry-After ${retryAfter}: ${text.slice(0, 300)}`,
  }
  const { cancelled, message } = fieldsOf(body)
  switch (status) {
    case 200:
      return cancelled === true && typeof message === 'string' ? { kind: 'cancelled' } : odd
    case 409:
      return cancelled === false && typeof message === 'string' ? { kind: 'refused', detail: message } : odd
    case 404:
      return text === JSON.stringify(NOT_FOUND) ? { kind: 'not found' } : odd
    case 503:
      return cancelled === false ? again('unavailable', retryAfter, odd) : odd
    case 504:
      return JSON.stringify(body) === JSON.stringify(PENDING) ? again('pending', retryAfter, odd) : odd
    default:
      return odd
  }
}

export function readGraphql(status: number, retryAfter: string | null, text: string): Answer {
  const body = fieldsOf(parsed(text))
  const odd: Answer = {
    kind: 'odd',
    status,
    detail: `GraphQL ${status}, Retry-After ${retryAfter}: ${text.slice(0, 300)}`,
  }
  const [error] = Array.isArray(body['errors']) ? (body['errors'] as unknown[]) : []
  if (error !== undefined) {
    const code = fieldsOf(fieldsOf(error)['extensions'])['code']
    if (status === 504 && code === 'RESULT_UNAVAILABLE') return again('pending', retryAfter, odd)
    const isAway = status === 503 && UNAVAILABLE_CODES.includes(String(code))
    return isAway ? again('unavailable', retryAfter, odd) : odd
  }
  const answer = fieldsOf(fieldsOf(body['data'])['answer'])
  const { code, retryable, message } = answer
  switch (status === 200 ? answer['__typename'] : undefined) {
    case 'ShipmentCancelled':
      return fieldsOf(answer['shipment'])['state'] === 'CANCELLED' ? { kind: 'cancelled' } : odd
    case 'ShipmentNotCancelled':
      if (retryable === true) return code === 'CARRIER_UNAVAILABLE' ? { kind: 'unavailable' } : odd
      return { kind: 'refused', detail: String(message) }
    case 'CancellationPending':
      return message === PENDING.message && typeof answer['retryAfterSeconds'] === 'number'
        ? { kind: 'pending' }
        : odd
    case 'ShipmentNotFound':
      return message === NOT_FOUND ? { kind: 'not found' } : odd
    case 'ShipmentBooked': {
      const reference = fieldsOf(answer['shipment'])['trackingNumber']
      return typeof reference === 'string' ? { kind: 'booked', detail: reference } : odd
    }
    case 'ShipmentNotBooked':
      return retryable === true
        ? { kind: code === 'CARRIER_UNREACHABLE' ? 'pending' : 'unavailable' }
        : { kind: 'not booked', detail: String(code) }
    default:
      return odd
  }
}

function again(kind: 'pending' | 'unavailable', retryAfter: string | null, odd: Answer): Answer {
  const retryAfterSeconds = Number(retryAfter ?? Number.NaN)
  return retryAfterSeconds >= 0 ? { kind, retryAfterSeconds } : odd
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
