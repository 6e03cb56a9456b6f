/**
 * Validates the body of a scan events request: `{ "events": [{ "eventId", "trackingNumber", "at", "type" }] }`. Only
 * events of type `scan` are used; other types are counted and ignored. Types must be in lower case, because `SCAN` would
 * otherwise be ignored as an unknown type. See docs/scan-events.md.
 */
import { isJsonObject, note, type ProblemList, parseInstant } from '../core/input.ts'
import type { FieldPath, FieldProblem } from '../core/problem.ts'
import { EVENT_ID_FORMAT, type Scan, TRACKING_NUMBER_FORMAT } from '../core/shipments/tracking.ts'
import { type BodySource, readJsonBody } from '../http/json-body.ts'

export type EventsBody =
  | { readonly kind: 'Events'; readonly scans: readonly Scan[]; readonly ignored: number }
  | { readonly kind: 'UnusableEvents'; readonly status: 400 | 415; readonly message: string }

/** Per request. */
const MAX_EVENTS = 1_000

/** Clocks of carriers may be wrong by hours. A day or more is a mistake. */
const FUTURE_MS = 24 * 3_600_000
/** No parcel is older, and PostgreSQL cannot store every year that a text can contain. */
const EARLIEST_MS = Date.UTC(2000)

const TYPE = /^[a-z][a-z0-9_-]{0,39}$/

/** `now` is in milliseconds since 1970. */
export function readEvents(carrierCode: string, request: BodySource, now: number): EventsBody {
  const body = readJsonBody(request)
  if (body.kind === 'UnreadableBody') return unusable(body.status, body.message)
  const events = body.fields['events']
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

/** Returns no scan if the event is of another type or is invalid. */
function readEvent(
  problems: ProblemList,
  path: FieldPath,
  event: unknown,
  carrierCode: string,
  now: number,
): readonly Scan[] {
  if (!isJsonObject(event)) {
    note(problems, path, 'WRONG_TYPE', 'must be an object')
    return []
  }
  const matching = (name: string, shape: RegExp, expected: string): string => {
    const value = event[name]
    if (typeof value === 'string' && shape.test(value)) return value
    note(problems, [...path, name], 'MALFORMED', `must be ${expected}`)
    return ''
  }
  const eventId = matching('eventId', EVENT_ID_FORMAT, '1 to 200 printable ASCII characters')
  const carrierRef = matching(
    'trackingNumber',
    TRACKING_NUMBER_FORMAT,
    '1 to 64 ASCII characters without blanks',
  )
  const at = readAt(problems, [...path, 'at'], event['at'], now)
  const type = matching('type', TYPE, '1 to 40 of a-z, 0-9, _ and -, such as "scan"')
  return type === 'scan' && at !== undefined ? [{ carrierCode, carrierRef, eventId, at }] : []
}

function readAt(problems: ProblemList, path: FieldPath, value: unknown, now: number): string | undefined {
  const milliseconds = parseInstant(value)
  if (milliseconds === undefined)
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

function unusable(status: 400 | 415, message: string): EventsBody {
  return { kind: 'UnusableEvents', status, message }
}

function faultText({ path, message }: FieldProblem): string {
  const [list, index, field] = path
  return `${list}[${index}]${field === undefined ? '' : `.${field}`}: ${message}`
}
