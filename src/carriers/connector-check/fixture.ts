/**
 * Reads the fixtures of a connector: one JSON file for each call, with the requests that are expected, the replies that
 * are given, and the outcome that is expected. See docs/connectors.md#fixtures.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { isJsonObject, type JsonObject } from '../../core/input.ts'
import { SERVICES, type Service, servicesIn } from '../../core/rating/sender-service.ts'
import type { GivenReply } from './generic-fake.ts'

export const CALLS = ['cancel', 'track', 'book', 'find', 'check'] as const
export type CallName = (typeof CALLS)[number]

export type ExpectedRequest = {
  readonly method: string
  /** Decoded, without the query. */
  readonly path: string
  /** Only those listed are compared, as in `headers`. */
  readonly query: Readonly<Record<string, string>>
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Compared as a whole, if it is present. */
  readonly body?: unknown
}

export type Exchange = {
  readonly request: ExpectedRequest
  readonly reply: GivenReply | 'reset'
  /** The number of such requests. */
  readonly times: number
  /** False if the outcome does not depend on the reply, which only adds to another one. */
  readonly decides: boolean
}

export type Fixture = {
  /** The name of the file, without `.json`. */
  readonly name: string
  readonly call: CallName
  readonly number: string
  readonly orderNumber?: string
  readonly sends: number
  readonly ageMs: number
  readonly bookedAt?: string
  /** Other parcels that the same connector looks up first. */
  readonly lookedUpBefore?: readonly string[]
  /** Of the shipment that is booked. */
  readonly services?: readonly Service[]
  readonly exchanges: readonly Exchange[]
  /** Such as `cancelled now`, `refused SCANNED`, `unknown` or `not sent`. */
  readonly expect: string
}

export type FixtureFolder = {
  readonly fixtures: readonly Fixture[]
  /** The values of settings, for those whose format is checked. From `settings.json`. */
  readonly settings: Readonly<Record<string, string>>
}

/** The message names the file and each faulty field. */
export class FixtureError extends Error {}

const FILE_MAX_BYTES = 4 * 1024 * 1024
const FILES_MAX = 1_000
const SETTINGS_FILE = 'settings.json'

/** The outcomes that contain no number or time. */
const OUTCOMES: ReadonlySet<string> = new Set([
  ...['cancelled', 'cancelled now', 'cancelled already', 'cancelled accepted', 'cancelled released'],
  ...[
    'refused',
    'refused SCANNED',
    'refused WINDOW_CLOSED',
    'refused UNKNOWN_PARCEL',
    'refused NOT_CANCELLABLE',
  ],
  ...['announced', 'none', 'accepted', 'unknown', 'not sent'],
])

/** Also `scanned <time>`, and `booked` with one number or several. */
function isOutcome(text: string): boolean {
  const [word, ...rest] = text.split(' ')
  if (rest.includes('')) return false
  return OUTCOMES.has(text) || (word === 'scanned' ? rest.length === 1 : word === 'booked' && rest.length > 0)
}

/** Throws a FixtureError. */
export function readFixtures(folder: string): FixtureFolder {
  const files = filesIn(folder)
  const hasSettings = files.includes(SETTINGS_FILE)
  const fixtures = files.filter((file) => file !== SETTINGS_FILE).map((file) => readFixture(folder, file))
  if (fixtures.length === 0) throw new FixtureError(`${folder} has no fixtures`)
  return { fixtures, settings: hasSettings ? readSettings(path.join(folder, SETTINGS_FILE)) : {} }
}

function filesIn(folder: string): readonly string[] {
  try {
    const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
    if (files.length > FILES_MAX) throw new FixtureError(`${folder} has more than ${FILES_MAX} fixtures`)
    return files.sort()
  } catch (error) {
    if (error instanceof FixtureError) throw error
    throw new FixtureError(`${folder} cannot be read: ${(error as { code?: unknown }).code}`)
  }
}

function readJson(file: string): unknown {
  try {
    if (statSync(file).size > FILE_MAX_BYTES)
      throw new FixtureError(`${file} has more than ${FILE_MAX_BYTES} bytes`)
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof FixtureError) throw error
    throw new FixtureError(`${file} is not readable as JSON`)
  }
}

function readSettings(file: string): Readonly<Record<string, string>> {
  const json = readJson(file)
  if (!isJsonObject(json) || !Object.values(json).every((value) => typeof value === 'string'))
    throw new FixtureError(`${file}: expected an object of texts`)
  return json as Readonly<Record<string, string>>
}

/** Notes a fault, and returns `otherwise`. */
type Note = <Value>(field: string, expected: string, otherwise: Value) => Value

function readFixture(folder: string, file: string): Fixture {
  const location = path.join(folder, file)
  const json = readJson(location)
  const faults: string[] = []
  const note: Note = (field, expected, otherwise) => {
    faults.push(`${field}: expected ${expected}`)
    return otherwise
  }
  for (const field of Object.keys(fieldsOf(json)))
    if (!FIELDS.includes(field)) faults.push(`${field}: unknown field`)
  const fixture = fixtureOf(path.basename(file, '.json'), fieldsOf(json), note)
  if (faults.length > 0) throw new FixtureError(`${location} is refused:\n  ${faults.join('\n  ')}`)
  return fixture
}

function fieldsOf(json: unknown): JsonObject {
  return isJsonObject(json) ? json : {}
}

const FIELDS = [
  ...['call', 'number', 'orderNumber', 'sends', 'ageMs', 'bookedAt', 'lookedUpBefore', 'services'],
  ...['exchanges', 'expect', 'source', 'note'],
]

function fixtureOf(name: string, json: JsonObject, note: Note): Fixture {
  const { orderNumber, bookedAt, lookedUpBefore, services, exchanges } = json
  const call = CALLS.find((known) => known === json['call']) ?? note('call', CALLS.join(', '), 'cancel')
  const expect = json['expect']
  const { source } = json
  if (!isText(source)) note('source', 'where the replies come from, with a date', undefined)
  return {
    name,
    call,
    number: isText(json['number']) ? json['number'] : note('number', 'a number', ''),
    ...(orderNumber !== undefined && {
      orderNumber: isText(orderNumber) ? orderNumber : note('orderNumber', 'a number', ''),
    }),
    sends: countOf(json['sends'], 1, 'sends', note),
    ageMs: countOf(json['ageMs'], 0, 'ageMs', note),
    ...(bookedAt !== undefined && {
      bookedAt:
        isText(bookedAt) && !Number.isNaN(Date.parse(bookedAt)) ? bookedAt : note('bookedAt', 'a time', ''),
    }),
    ...(lookedUpBefore !== undefined && {
      lookedUpBefore:
        Array.isArray(lookedUpBefore) && lookedUpBefore.every(isText)
          ? lookedUpBefore
          : note('lookedUpBefore', 'a list of numbers', []),
    }),
    ...(services !== undefined && { services: givenServices(services, call, note) }),
    exchanges: Array.isArray(exchanges)
      ? exchanges.map((exchange, index) => exchangeOf(exchange, `exchanges.${index}`, note))
      : note('exchanges', 'a list', []),
    expect:
      isText(expect) && isOutcome(expect)
        ? expect
        : note('expect', 'an outcome, such as "cancelled now"', ''),
  }
}

function givenServices(value: unknown, call: CallName, note: Note): readonly Service[] {
  const services = Array.isArray(value) ? servicesIn(value) : []
  if (services.length === 0 || !Array.isArray(value) || services.length !== value.length)
    return note('services', `a list of ${SERVICES.join(', ')}`, [])
  return call === 'book' ? services : note('services', 'the call book', [])
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function countOf(value: unknown, least: number, field: string, note: Note): number {
  if (value === undefined) return least
  return Number.isSafeInteger(value) && (value as number) >= least
    ? (value as number)
    : note(field, `a whole number from ${least}`, least)
}

function exchangeOf(exchange: unknown, field: string, note: Note): Exchange {
  const { request, reply, times, decides = true } = isJsonObject(exchange) ? exchange : {}
  return {
    request: requestOf(isJsonObject(request) ? request : {}, `${field}.request`, note),
    reply: replyOf(reply, `${field}.reply`, note),
    times: countOf(times, 1, `${field}.times`, note),
    decides: typeof decides === 'boolean' ? decides : note(`${field}.decides`, 'true or false', true),
  }
}

function requestOf(request: JsonObject, field: string, note: Note): ExpectedRequest {
  const { method, path: requested, body } = request
  return {
    method: isText(method) ? method : note(`${field}.method`, 'a method', ''),
    path:
      isText(requested) && /^\/[^?#]*$/.test(requested)
        ? requested
        : note(`${field}.path`, 'a path without a query', ''),
    query: textsOf(request['query'], `${field}.query`, note),
    headers: Object.fromEntries(
      Object.entries(textsOf(request['headers'], `${field}.headers`, note)).map(([name, value]) => [
        name.toLowerCase(),
        value,
      ]),
    ),
    ...(body !== undefined && { body }),
  }
}

function textsOf(value: unknown, field: string, note: Note): Readonly<Record<string, string>> {
  if (value === undefined) return {}
  if (isJsonObject(value) && Object.values(value).every((one) => typeof one === 'string'))
    return value as Readonly<Record<string, string>>
  return note(field, 'an object of texts', {})
}

/** A `body` that is a string is sent unchanged; any other value is sent as JSON. */
function replyOf(reply: unknown, field: string, note: Note): GivenReply | 'reset' {
  if (reply === 'reset') return reply
  const { status, headers, body } = isJsonObject(reply) ? reply : {}
  const isStatus = Number.isSafeInteger(status) && (status as number) >= 200 && (status as number) < 600
  return {
    status: isStatus
      ? (status as number)
      : note(`${field}.status`, 'a status from 200 to 599, or the word reset', 500),
    headers: textsOf(headers, `${field}.headers`, note),
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }
}
