/** What is wrong with a definition, with the path of each field. A file outside this repository may export anything. */
import { types } from 'node:util'
import { isJsonObject } from '../../../core/input.ts'
import { SERVICES } from '../../../core/rating/sender-service.ts'
import { API_VERSION } from './definition.ts'

/** Notes a fault of a field, unless `isValid`. */
type Expect = (field: string, isValid: boolean, expected: string) => void

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
const NAME_MAX = 40
const SETTING_NAME = /^[A-Za-z][A-Za-z0-9]*$/
const HOST = /^[a-z0-9.-]+(?:\/[^\s?#]*[^\s?#/])?$/

const FIELDS = [
  ...['apiVersion', 'name', 'settings', 'hosts', 'cancels', 'lookupLagMs', 'trackingNumber', 'orderNumber'],
  ...['tracking', 'tokenRequests', 'token', 'headers', 'errorIn', 'cancel', 'track', 'trackMany', 'check'],
  'bookings',
]

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
  for (const field of Object.keys(definition)) expect(field, FIELDS.includes(field), 'no such field')
  const { name, cancels, lookupLagMs, headers, errorIn } = definition
  expect(
    'name',
    isText(name, NAME) && name.length <= NAME_MAX,
    `lower-case words with hyphens, at most ${NAME_MAX} characters`,
  )
  expect('cancels', cancels === 'shipment' || cancels === 'parcel', 'shipment or parcel')
  expect('lookupLagMs', isOptional(lookupLagMs, isCount), 'milliseconds')
  expect('headers', isOptional(headers, isFunction), 'a function')
  expect('errorIn', isOptional(errorIn, isFunction), 'a function')
  checkSettings(definition['settings'], expect)
  checkHosts(definition['hosts'], expect)
  for (const field of ['trackingNumber', 'orderNumber'])
    if (definition[field] !== undefined) checkFormat(field, definition[field], expect)
  checkLimits(definition['tracking'], definition['tokenRequests'], definition['settings'], expect)
  checkToken(definition['token'], expect)
  checkCalls(definition, expect)
  return faults
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): Fields {
  return isJsonObject(value) ? value : {}
}

function isText(value: unknown, format = /./): value is string {
  return typeof value === 'string' && format.test(value)
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
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
    expect(
      `${path}.required`,
      isOptional(required, (value) => typeof value === 'boolean'),
      'true or false',
    )
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
}

function checkLimits(tracking: unknown, tokenRequests: unknown, settings: unknown, expect: Expect): void {
  for (const [name, value] of Object.entries(fieldsOf(tracking)))
    if (name === 'credentials')
      expect(
        'tracking.credentials',
        Array.isArray(value) && value.every((one) => Object.hasOwn(fieldsOf(settings), String(one))),
        'names of settings',
      )
    else expect(`tracking.${name}`, isCount(value), 'a whole number')
  expect('tracking', isOptional(tracking, isJsonObject), 'an object')
  if (tokenRequests === undefined) return
  const { burst, everyMs } = fieldsOf(tokenRequests)
  expect('tokenRequests.burst', isCount(burst) && burst !== 0, 'a whole number from 1')
  expect('tokenRequests.everyMs', isCount(everyMs), 'milliseconds')
}

function checkToken(token: unknown, expect: Expect): void {
  if (token === undefined) return
  const { request, read } = fieldsOf(token)
  expect('token.request', isFunction(request), 'a function')
  expect('token.read', isOptional(read, isFunction), 'a function')
}

function checkCalls(definition: Fields, expect: Expect): void {
  const { cancel, track, trackMany, check, bookings } = definition
  const release = fieldsOf(cancel)['release']
  if (release === undefined) checkCall('cancel', cancel, expect)
  else
    expect(
      'cancel.release',
      isJsonObject(release) && isOptional(release['exists'], isFunction),
      'an object with an optional function exists',
    )
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
