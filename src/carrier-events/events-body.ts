/**
 * The body of a request that tells events: `{ "events": [{ "eventId", "trackingNumber", "at", "type" }] }`, or every
 * fault in it by its path. Decided here: what an event must be like, and that only `scan` says that a parcel is on its
 * way. A type in capitals is a fault, for a scan in other letters would be ignored for ever.
 */
import { isDay, note, type ProblemList } from '../core/input.ts'
import type { FieldPath, FieldProblem } from '../core/problem.ts'
import { type Scan, USABLE_EVENT_ID, USABLE_REFERENCE } from '../core/shipments/tracking.ts'

/** The parts of a request that carry its body. */
export type EventsRequest = {
  readonly headers: {
    readonly 'content-type'?: string | undefined
    readonly 'content-encoding'?: string | undefined
  }
  readonly body: Uint8Array
}

/** What a request tells, or the status and message of its refusal. */
export type EventsReading =
  | { readonly kind: 'Events'; readonly scans: readonly Scan[]; readonly ignored: number }
  | { readonly kind: 'UnusableEvents'; readonly status: 400 | 415; readonly message: string }

/** Events in one request at most. */
const MAX_EVENTS = 1_000

/** Clocks of carriers are not always right, but a day is a mistake. */
const FUTURE_MS = 24 * 3_600_000
/** No parcel of ours is older; the database would take fewer years than a text can hold. */
const EARLIEST_MS = Date.UTC(2000)

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?$/i
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/
const TYPE = /^[a-z][a-z0-9_-]{0,39}$/

/** Reads the events of a carrier; `now` is in milliseconds since 1970. */
export function readEvents(
  carrierCode: string,
  { headers, body }: EventsRequest,
  now: number,
): EventsReading {
  if (!JSON_TYPE.test(headers['content-type']?.trim() ?? ''))
    return unusable(415, 'Content-Type must be application/json')
  if ((headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity')
    return unusable(415, 'Content-Encoding is not supported')
  const json = parse(body)
  if (json === undefined) return unusable(400, 'body: must be valid JSON in UTF-8')
  if (!isFields(json)) return unusable(400, 'body: must be a JSON object')
  const events = json['events']
  if (!Array.isArray(events)) return unusable(400, 'events: must be a list')
  if (events.length > MAX_EVENTS) return unusable(400, `events: at most ${MAX_EVENTS}`)

  const problems: ProblemList = []
  const scans = events.flatMap((event: unknown, index) =>
    readEvent(problems, ['events', index], event, carrierCode, now),
  )
  return problems.length > 0
    ? unusable(400, problems.map(faultText).join('; '))
    : { kind: 'Events', scans, ignored: events.length - scans.length }
}

/** The scan that an event tells of; none when it tells of something else, or is at fault. */
function readEvent(
  problems: ProblemList,
  path: FieldPath,
  event: unknown,
  carrierCode: string,
  now: number,
): readonly Scan[] {
  if (!isFields(event)) {
    note(problems, path, 'WRONG_TYPE', 'must be an object')
    return []
  }
  const matching = (name: string, shape: RegExp, expected: string): string => {
    const value = event[name]
    if (typeof value === 'string' && shape.test(value)) return value
    note(problems, [...path, name], 'MALFORMED', `must be ${expected}`)
    return ''
  }
  const eventId = matching('eventId', USABLE_EVENT_ID, '1 to 200 printable ASCII characters')
  const carrierRef = matching('trackingNumber', USABLE_REFERENCE, '1 to 64 ASCII characters without blanks')
  const at = readAt(problems, [...path, 'at'], event['at'], now)
  const type = matching('type', TYPE, '1 to 40 of a-z, 0-9, _ and -, such as "scan"')
  return type === 'scan' && at !== undefined ? [{ carrierCode, carrierRef, eventId, at }] : []
}

function readAt(problems: ProblemList, path: FieldPath, value: unknown, now: number): string | undefined {
  // Date.parse rolls 30 February over into March.
  const isInstant = typeof value === 'string' && INSTANT.test(value) && isDay(value.slice(0, 10))
  const milliseconds = isInstant ? Date.parse(value) : Number.NaN
  if (Number.isNaN(milliseconds))
    return note(
      problems,
      path,
      'MALFORMED',
      'must be an instant with its offset, such as 2026-11-20T09:15:00Z',
    )
  if (milliseconds > now + FUTURE_MS)
    return note(problems, path, 'OUT_OF_RANGE', 'must not be more than a day ahead')
  if (milliseconds < EARLIEST_MS) return note(problems, path, 'OUT_OF_RANGE', 'must not be before 2000')
  return new Date(milliseconds).toISOString()
}

/** Undefined for bytes that are no JSON in UTF-8. The parser's own message quotes the body, so it goes nowhere. */
function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

/** A JSON object: read named keys only. */
function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function unusable(status: 400 | 415, message: string): EventsReading {
  return { kind: 'UnusableEvents', status, message }
}

function faultText({ path, message }: FieldProblem): string {
  const [list, index, field] = path
  return `${list}[${index}]${field === undefined ? '' : `.${field}`}: ${message}`
}
