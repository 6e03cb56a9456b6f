/** What is wrong with a definition, with the path of each field. A file outside this repository may export anything. */
import { types } from 'node:util'
import { isJsonObject } from '../../../core/input.ts'
import { SERVICES } from '../../../core/rating/sender-service.ts'
import { valueAt } from '../../http-exchange.ts'
import { isTestUrl } from '../../test-urls.ts'
import { API_VERSION } from './definition.ts'

/** Notes a fault of a field, unless `isValid`. */
type Expect = (field: string, isValid: boolean, expected: string) => void

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
const NAME_MAX = 40
const SETTING_NAME = /^[A-Za-z][A-Za-z0-9]*$/
const HOST = /^[a-z0-9.-]+(?:\/[^\s?#]*[^\s?#/])?$/

const FIELDS = [
  ...['apiVersion', 'name', 'settings', 'hosts', 'cancels', 'lookupLagMs', 'trackingNumber', 'orderNumber'],
  ...['tracking', 'tokenRequests', 'token', 'otherTokens', 'headers', 'errorIn'],
  ...['cancel', 'track', 'trackMany', 'check', 'bookings'],
]

const CALL = ['request', 'answers', 'judge']
const FORMAT = ['pattern', 'mustBe']
const TOKEN = ['request', 'read']
/** The fields of objects in a definition, by path. The settings are beside these. */
const NESTED: Readonly<Record<string, readonly string[]>> = {
  hosts: ['live', 'test'],
  trackingNumber: FORMAT,
  orderNumber: FORMAT,
  tracking: [
    ...['tellsDeliveries', 'everyMs', 'gapMs', 'callsPerDay', 'perParcelPerDay', 'batch', 'credentials'],
  ],
  tokenRequests: ['burst', 'everyMs'],
  token: TOKEN,
  cancel: [...CALL, 'release'],
  'cancel.release': ['exists'],
  track: CALL,
  trackMany: CALL,
  check: CALL,
  bookings: ['services', 'book', 'find'],
  'bookings.book': CALL,
  'bookings.find': CALL,
}

/** Statuses that are never an answer about a parcel: redirects, credentials, limits, and faults of servers. */
function isNeverAnAnswer(status: number): boolean {
  return (status >= 300 && status < 400) || [401, 403, 407, 408, 425, 429].includes(status) || status >= 502
}

/** One line for each fault, such as `cancels: expected shipment or parcel`. Empty for a valid definition. */
export function definitionFaults(definition: unknown): readonly string[] {
  if (!isJsonObject(definition)) return ['expected a definition, made with defineConnector']
  const { apiVersion } = definition
  // Another version has other fields.
  if (apiVersion !== API_VERSION)
    return [`apiVersion: expected ${API_VERSION}, found ${JSON.stringify(apiVersion) ?? 'nothing'}`]
  const faults: string[] = []
  const expect: Expect = (field, isValid, expected) => {
    if (!isValid) faults.push(`${field}: expected ${expected}`)
  }
  faults.push(...unknownFields(definition).map((field) => `${field}: unknown field`))
  const { name, cancels, lookupLagMs, headers, errorIn } = definition
  expect(
    'name',
    isText(name, NAME) && name.length <= NAME_MAX,
    `lower-case words with hyphens, at most ${NAME_MAX} characters`,
  )
  expect('cancels', cancels === 'shipment' || cancels === 'parcel', 'shipment or parcel')
  expect('lookupLagMs', isOptional(lookupLagMs, isTime), TIME)
  expect('headers', isOptional(headers, isFunction), 'a function')
  expect('errorIn', isOptional(errorIn, isFunction), 'a function')
  checkSettings(definition['settings'], expect)
  checkHosts(definition['hosts'], expect)
  for (const field of ['trackingNumber', 'orderNumber'])
    if (definition[field] !== undefined) checkFormat(field, definition[field], expect)
  checkLimits(definition['tracking'], definition['tokenRequests'], definition['settings'], expect)
  checkTokens(definition, expect)
  checkCalls(definition, expect)
  return faults
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): Fields {
  return isJsonObject(value) ? value : {}
}

/** The paths of fields that a definition does not have. */
function unknownFields(definition: Fields): readonly string[] {
  const within = (value: unknown, known: readonly string[], path = ''): string[] =>
    Object.keys(fieldsOf(value)).flatMap((name) => (known.includes(name) ? [] : [`${path}${name}`]))
  const nested = Object.entries(NESTED).flatMap(([path, known]) =>
    within(valueAt(definition, ...path.split('.')), known, `${path}.`),
  )
  const settings = Object.entries(fieldsOf(definition['settings'])).flatMap(([name, field]) => [
    ...within(field, ['required', 'format'], `settings.${name}.`),
    ...within(fieldsOf(field)['format'], FORMAT, `settings.${name}.format.`),
  ])
  const tokens = Object.entries(fieldsOf(definition['otherTokens'])).flatMap(([name, token]) =>
    within(token, TOKEN, `otherTokens.${name}.`),
  )
  return [...within(definition, FIELDS), ...settings, ...tokens, ...nested]
}

function isText(value: unknown, format = /./): value is string {
  return typeof value === 'string' && format.test(value)
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean'
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isOptional(value: unknown, isValid: (value: unknown) => boolean): boolean {
  return value === undefined || isValid(value)
}

function checkSettings(settings: unknown, expect: Expect): void {
  expect('settings', isJsonObject(settings), 'an object')
  for (const [name, field] of Object.entries(fieldsOf(settings))) {
    const path = `settings.${name}`
    expect(path, SETTING_NAME.test(name), 'letters and digits in the name')
    expect(path, isJsonObject(field), 'an object, such as {}')
    const { required, format } = fieldsOf(field)
    expect(`${path}.required`, isOptional(required, isBoolean), 'true or false')
    if (format !== undefined) checkFormat(`${path}.format`, format, expect)
  }
}

function checkFormat(path: string, format: unknown, expect: Expect): void {
  const { pattern, mustBe } = fieldsOf(format)
  expect(`${path}.pattern`, types.isRegExp(pattern), 'a regular expression')
  expect(`${path}.mustBe`, isText(mustBe), 'a text, such as "9 digits"')
}

function checkHosts(hosts: unknown, expect: Expect): void {
  const { live, test } = fieldsOf(hosts)
  const isUrl = isText(live, /^https?:\/\/.*[^/]$/) && URL.canParse(live)
  expect('hosts.live', isUrl, 'a URL without a trailing slash')
  const isList = Array.isArray(test) && test.every((host) => isText(host, HOST))
  expect('hosts.test', test === undefined || isList, 'lower-case hosts, each with an optional path')
  // Production would refuse the live interface.
  const isApart = !isUrl || !isList || !isTestUrl(live, test)
  expect('hosts.test', isApart, 'hosts other than that of hosts.live')
}

/** Longer times are beyond the timers of Node, and mean that the unit is wrong. */
const TIME_MAX_MS = 7 * 86_400_000
/** The most parcels that one call may look up. They are read from the database together. */
const BATCH_MAX = 1_000

function isTime(value: unknown): boolean {
  return isCount(value) && (value as number) <= TIME_MAX_MS
}

const TIME = 'milliseconds, at most a week'

function isAtLeastOne(value: unknown): boolean {
  return isCount(value) && value !== 0
}

function checkLimits(tracking: unknown, tokenRequests: unknown, settings: unknown, expect: Expect): void {
  const isSettings = (value: unknown): boolean =>
    Array.isArray(value) && value.every((one) => Object.hasOwn(fieldsOf(settings), String(one)))
  const isBatch = (value: unknown): boolean => isAtLeastOne(value) && (value as number) <= BATCH_MAX
  const limits: readonly (readonly [name: string, isValid: (value: unknown) => boolean, expected: string])[] =
    [
      ['credentials', isSettings, 'names of settings'],
      ['tellsDeliveries', isBoolean, 'true or false'],
      ['batch', isBatch, `a whole number from 1 to ${BATCH_MAX}`],
      ['everyMs', isTime, TIME],
      ['gapMs', isTime, TIME],
      ['callsPerDay', isAtLeastOne, 'a whole number from 1'],
      ['perParcelPerDay', isAtLeastOne, 'a whole number from 1'],
    ]
  for (const [name, isValid, expected] of limits)
    expect(`tracking.${name}`, isOptional(fieldsOf(tracking)[name], isValid), expected)
  expect('tracking', isOptional(tracking, isJsonObject), 'an object')
  if (tokenRequests === undefined) return
  const { burst, everyMs } = fieldsOf(tokenRequests)
  expect('tokenRequests.burst', isAtLeastOne(burst), 'a whole number from 1')
  expect('tokenRequests.everyMs', isTime(everyMs), TIME)
}

function checkTokens({ token, otherTokens, headers }: Fields, expect: Expect): void {
  const hasTokens = token !== undefined || otherTokens !== undefined
  expect('headers', !hasTokens || headers !== undefined, 'a function, because no other part gets the token')
  expect('otherTokens', isOptional(otherTokens, isJsonObject), 'an object with tokens by name')
  const others = Object.entries(fieldsOf(otherTokens)).map(
    ([name, other]) => [`otherTokens.${name}`, other] as const,
  )
  for (const [path, one] of [...(token === undefined ? [] : [['token', token] as const]), ...others]) {
    const { request, read } = fieldsOf(one)
    expect(`${path}.request`, isFunction(request), 'a function')
    expect(`${path}.read`, isOptional(read, isFunction), 'a function')
  }
}

function checkCalls(definition: Fields, expect: Expect): void {
  const { cancel, track, trackMany, check, bookings } = definition
  const release = fieldsOf(cancel)['release']
  if (release === undefined) checkCall('cancel', cancel, expect)
  else {
    expect(
      'cancel.release',
      isJsonObject(release) && isOptional(release['exists'], isFunction),
      'an object with an optional function exists',
    )
    const isAlone = CALL.every((field) => fieldsOf(cancel)[field] === undefined)
    expect('cancel', isAlone, 'release, or request and judge, but not both')
  }
  checkCall('track', track, expect)
  if (trackMany !== undefined) checkCall('trackMany', trackMany, expect)
  if (check !== undefined) checkCall('check', check, expect)
  if (bookings === undefined) return
  const { services } = fieldsOf(bookings)
  const isKnown = (service: unknown): boolean => SERVICES.some((known) => known === service)
  expect(
    'bookings.services',
    services === undefined || (Array.isArray(services) && services.every(isKnown)),
    `a list of ${SERVICES.join(', ')}`,
  )
  checkCall('bookings.book', fieldsOf(bookings)['book'], expect)
  checkCall('bookings.find', fieldsOf(bookings)['find'], expect)
}

function checkCall(path: string, call: unknown, expect: Expect): void {
  if (isFunction(call)) return
  expect(path, isJsonObject(call), 'a function, or an object with request and judge')
  if (!isJsonObject(call)) return
  const { request, judge, answers } = call
  expect(`${path}.request`, isFunction(request), 'a function')
  expect(`${path}.judge`, isFunction(judge), 'a function')
  const isList =
    Array.isArray(answers) && answers.every((status) => isCount(status) && status >= 200 && status < 600)
  expect(`${path}.answers`, answers === undefined || answers === 'all' || isList, 'statuses, or all')
  const wrong = isList ? answers.filter(isNeverAnAnswer) : []
  expect(`${path}.answers`, wrong.length === 0, `no ${wrong.join(', ')}, which is no answer about a parcel`)
}
