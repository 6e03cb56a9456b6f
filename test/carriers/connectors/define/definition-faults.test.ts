/** Every fault of a definition is found, and named by its field. */
import { expect, test } from 'vitest'
import { DefinitionError, defineConnector } from '../../../../src/carriers/connectors/define/api.ts'
import { definitionFaults } from '../../../../src/carriers/connectors/define/definition-faults.ts'
import { EXAMPLE } from './example.ts'

test('accepts a definition, and returns it', () => {
  expect(definitionFaults(EXAMPLE)).toEqual([])
  expect(defineConnector(EXAMPLE)).toBe(EXAMPLE)
})

test.each<[what: string, change: object]>([
  ['other tokens', { otherTokens: { track: { request: () => ({ path: '/token', body: '' }) } } }],
  ['limits of lookups', { tracking: { tellsDeliveries: true, batch: 30, credentials: ['apiKey'] } }],
  [
    'a test interface below the live host',
    { hosts: { live: 'https://x.example/v1', test: ['x.example/v1/test'] } },
  ],
])('accepts %s', (_, change) => {
  expect(definitionFaults({ ...EXAMPLE, ...change })).toEqual([])
})

test('accepts a release that is undefined, beside a request', () => {
  expect(definitionFaults({ ...EXAMPLE, cancel: { ...EXAMPLE.cancel, release: undefined } })).toEqual([])
})

const CALL = { request: () => ({}), judge: () => ({}) }

test.each<[field: string, change: object, fault: string]>([
  ['another version', { apiVersion: 2, name: '' }, 'apiVersion: expected 1, found 2'],
  ['no version', { apiVersion: undefined }, 'apiVersion: expected 1, found nothing'],
  [
    'a name with capitals',
    { name: 'Example' },
    'name: expected lower-case words with hyphens, at most 40 characters',
  ],
  [
    'a long name',
    { name: 'a'.repeat(41) },
    'name: expected lower-case words with hyphens, at most 40 characters',
  ],
  ['an unknown field', { cancle: CALL }, 'cancle: unknown field'],
  [
    'a release beside a request',
    { cancel: { ...CALL, release: {} } },
    'cancel: expected release, or request and judge, but not both',
  ],
  ['an unknown field of a call', { cancel: { ...CALL, answer: [200] } }, 'cancel.answer: unknown field'],
  [
    'an unknown field of a release',
    { cancel: { release: { exist: 1 } } },
    'cancel.release.exist: unknown field',
  ],
  [
    'an unknown field of a setting',
    { settings: { apiKey: { require: false } } },
    'settings.apiKey.require: unknown field',
  ],
  [
    'an unknown field of a format',
    { settings: { apiKey: { format: { pattern: /x/, mustBe: 'x', flags: 'i' } } } },
    'settings.apiKey.format.flags: unknown field',
  ],
  [
    'an unknown field of the hosts',
    { hosts: { live: 'https://x.example', tests: [] } },
    'hosts.tests: unknown field',
  ],
  ['an unknown limit', { tracking: { everyMinutes: 5 } }, 'tracking.everyMinutes: unknown field'],
  ['an empty batch', { tracking: { batch: 0 } }, 'tracking.batch: expected a whole number from 1 to 1000'],
  ['a huge batch', { tracking: { batch: 1e9 } }, 'tracking.batch: expected a whole number from 1 to 1000'],
  [
    'an interval of months',
    { tracking: { everyMs: 1e10 } },
    'tracking.everyMs: expected milliseconds, at most a week',
  ],
  [
    'an interval of token requests that no timer has',
    { tokenRequests: { burst: 1, everyMs: 3e9 } },
    'tokenRequests.everyMs: expected milliseconds, at most a week',
  ],
  ['a lag of years', { lookupLagMs: 1e11 }, 'lookupLagMs: expected milliseconds, at most a week'],
  [
    'a quota that allows nothing',
    { tracking: { callsPerDay: 0 } },
    'tracking.callsPerDay: expected a whole number from 1',
  ],
  [
    'a quota of parcels that allows nothing',
    { tracking: { perParcelPerDay: 0 } },
    'tracking.perParcelPerDay: expected a whole number from 1',
  ],
  [
    'a token that no header sends',
    { token: { request: () => ({ path: '/token', body: '' }) }, headers: undefined },
    'headers: expected a function, because no other part gets the token',
  ],
  [
    'an unknown field of a booking',
    { bookings: { book: { ...CALL, judges: 1 }, find: CALL } },
    'bookings.book.judges: unknown field',
  ],
  ['what a cancellation covers', { cancels: 'order' }, 'cancels: expected shipment or parcel'],
  ['settings as a list', { settings: ['apiKey'] }, 'settings: expected an object'],
  [
    'a setting that is text',
    { settings: { apiKey: 'x' } },
    'settings.apiKey: expected an object, such as {}',
  ],
  [
    'the name of a setting',
    { settings: { 'api-key': {} } },
    'settings.api-key: expected letters and digits in the name',
  ],
  [
    'a format without a text',
    { settings: { apiKey: { format: { pattern: /x/ } } } },
    'settings.apiKey.format.mustBe: expected a text, such as "9 digits"',
  ],
  [
    'a pattern as text',
    { trackingNumber: { pattern: 'x', mustBe: 'x' } },
    'trackingNumber.pattern: expected a regular expression',
  ],
  ['no hosts', { hosts: undefined }, 'hosts.live: expected a URL without a trailing slash'],
  [
    'a trailing slash',
    { hosts: { live: 'https://x.example/' } },
    'hosts.live: expected a URL without a trailing slash',
  ],
  [
    'a test host as URL',
    { hosts: { live: 'https://x.example', test: ['https://y.example'] } },
    'hosts.test: expected lower-case hosts, each with an optional path',
  ],
  [
    'a quota as text',
    { tracking: { callsPerDay: '5' } },
    'tracking.callsPerDay: expected a whole number from 1',
  ],
  [
    'credentials of lookups',
    { tracking: { credentials: ['user'] } },
    'tracking.credentials: expected names of settings',
  ],
  [
    'token limits',
    { tokenRequests: { burst: 0, everyMs: 1 } },
    'tokenRequests.burst: expected a whole number from 1',
  ],
  ['a token request that is an object', { token: { request: {} } }, 'token.request: expected a function'],
  ['other tokens as a list', { otherTokens: [] }, 'otherTokens: expected an object with tokens by name'],
  [
    'another token without a request',
    { otherTokens: { track: { read: () => undefined } } },
    'otherTokens.track.request: expected a function',
  ],
  [
    'an unknown field of another token',
    { otherTokens: { track: { request: () => ({}), path: '/token' } } },
    'otherTokens.track.path: unknown field',
  ],
  [
    'deliveries that are no truth value',
    { tracking: { tellsDeliveries: 'yes' } },
    'tracking.tellsDeliveries: expected true or false',
  ],
  [
    'the live host as a test host',
    { hosts: { live: 'https://api.x.example/v1', test: ['api.x.example'] } },
    'hosts.test: expected hosts other than that of hosts.live',
  ],
  [
    'no cancellation',
    { cancel: undefined },
    'cancel: expected a function, or an object with request and judge',
  ],
  ['no judgement', { track: { request: () => ({}) } }, 'track.judge: expected a function'],
  [
    'a release that is true',
    { cancel: { release: true } },
    'cancel.release: expected an object with an optional function exists',
  ],
  [
    'a status that is text',
    { track: { ...CALL, answers: ['200'] } },
    'track.answers: expected statuses, or all',
  ],
  [
    'a 401 as an answer',
    { track: { ...CALL, answers: [200, 401, 503] } },
    'track.answers: expected no 401, 503, which is no answer about a parcel',
  ],
  [
    'half of the bookings',
    { bookings: { book: CALL } },
    'bookings.find: expected a function, or an object with request and judge',
  ],
  [
    'an unknown service',
    { bookings: { book: CALL, find: CALL, services: ['SATURDAY', 'GIFT_WRAP'] } },
    'bookings.services: expected a list of SATURDAY, TIME_SLOT, APPOINTMENT, SIGNATURE, ADULT_SIGNATURE, TAIL_LIFT, CASH_ON_DELIVERY, DANGEROUS_GOODS, DUTIES_PAID',
  ],
])('refuses %s', (_, change, fault) => {
  const faulty = { ...EXAMPLE, ...change }
  expect(definitionFaults(faulty)).toEqual([fault])
  expect(() => defineConnector(faulty as typeof EXAMPLE)).toThrow(DefinitionError)
  expect(() => defineConnector(faulty as typeof EXAMPLE)).toThrow(fault)
})

test.each([undefined, null, 'x', [], () => EXAMPLE])('refuses %s', (value) => {
  expect(definitionFaults(value)).toEqual(['expected a definition, made with defineConnector'])
})
