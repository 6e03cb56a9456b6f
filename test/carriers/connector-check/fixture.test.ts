/** Reading fixtures: what they have, and every fault with the file and the field. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { FixtureError, readFixtures } from '../../../src/carriers/connector-check/fixture.ts'

const root = mkdtempSync(path.join(tmpdir(), 'waybill-fixtures-'))
afterAll(() => rmSync(root, { recursive: true }))

let count = 0
function folderWith(files: Readonly<Record<string, unknown>>): string {
  count += 1
  const folder = path.join(root, String(count))
  mkdirSync(folder)
  for (const [name, content] of Object.entries(files))
    writeFileSync(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return folder
}

const exchange = {
  request: { method: 'GET', path: '/x', headers: { 'X-Key': 'v' } },
  reply: { status: 200, body: { a: 1 } },
}
const FIXTURE = {
  call: 'cancel',
  number: 'N1',
  exchanges: [exchange],
  expect: 'cancelled now',
  source: 'a page, 2026',
}

test('are read in the order of their names, with the settings', () => {
  const more = {
    ...FIXTURE,
    orderNumber: '7',
    sends: 2,
    ageMs: 5,
    bookedAt: '2026-11-01T00:00:00Z',
    lookedUpBefore: ['N2'],
    expect: 'unknown',
  }
  const lost = { ...exchange, reply: 'reset', times: 2, decides: false }
  const folder = folderWith({
    'b.json': { ...more, exchanges: [lost] },
    'a.json': FIXTURE,
    'settings.json': { apiKey: '123' },
    'README.md': 'not read',
  })
  const { fixtures, settings } = readFixtures(folder)
  expect(settings).toEqual({ apiKey: '123' })
  expect(fixtures).toMatchObject([
    {
      ...{ name: 'a', call: 'cancel', sends: 1, ageMs: 0, expect: 'cancelled now' },
      exchanges: [
        {
          request: { headers: { 'x-key': 'v' }, query: {} },
          reply: { status: 200, body: '{"a":1}' },
          times: 1,
          decides: true,
        },
      ],
    },
    {
      ...{ name: 'b', orderNumber: '7', sends: 2, ageMs: 5, lookedUpBefore: ['N2'] },
      exchanges: [{ reply: 'reset', times: 2, decides: false }],
    },
  ])
})

test.each<[what: string, change: object, fault: string]>([
  ['another call', { call: 'void' }, 'call: expected cancel, track, book, find, check'],
  ['no number', { number: '' }, 'number: expected a number'],
  ['no source', { source: undefined }, 'source: expected where the replies come from, with a date'],
  ['another outcome', { expect: 'canceled' }, 'expect: expected an outcome, such as "cancelled now"'],
  ['another reason', { expect: 'refused BECAUSE' }, 'expect: expected an outcome, such as "cancelled now"'],
  ['a field without a meaning', { answer: 'x' }, 'answer: unknown field'],
  ['services of a cancellation', { services: ['SIGNATURE'] }, 'services: expected the call book'],
  ['an unknown service', { call: 'book', services: ['SUNDAY'] }, 'services: expected a list of SATURDAY,'],
  ['no exchanges', { exchanges: undefined }, 'exchanges: expected a list'],
  ['sends of zero', { sends: 0 }, 'sends: expected a whole number from 1'],
  ['parcels before that are no list', { lookedUpBefore: 'N2' }, 'lookedUpBefore: expected a list of numbers'],
  [
    'an exchange that decides perhaps',
    { exchanges: [{ ...exchange, decides: 'no' }] },
    'exchanges.0.decides: expected true or false',
  ],
  ['a time that is none', { bookedAt: 'yesterday' }, 'bookedAt: expected a time'],
  [
    'a query in the path',
    { exchanges: [{ ...exchange, request: { method: 'GET', path: '/x?y=1' } }] },
    'exchanges.0.request.path: expected a path without a query',
  ],
  [
    'a header that is a number',
    { exchanges: [{ ...exchange, request: { ...exchange.request, headers: { a: 1 } } }] },
    'exchanges.0.request.headers: expected an object of texts',
  ],
  [
    'no reply',
    { exchanges: [{ request: exchange.request }] },
    'exchanges.0.reply.status: expected a status from 200 to 599, or the word reset',
  ],
])('are refused with %s', (_, change, fault) => {
  const folder = folderWith({ 'x.json': { ...FIXTURE, ...change } })
  expect(() => readFixtures(folder)).toThrow(FixtureError)
  expect(() => readFixtures(folder)).toThrow(`${path.join(folder, 'x.json')} is refused:\n  ${fault}`)
})

test('are refused if the folder is missing or empty, or a file is no JSON', () => {
  expect(() => readFixtures(path.join(root, 'none'))).toThrow('cannot be read: ENOENT')
  expect(() => readFixtures(folderWith({ 'README.md': 'x' }))).toThrow('has no fixtures')
  expect(() => readFixtures(folderWith({ 'x.json': '{' }))).toThrow('x.json is not readable as JSON')
  expect(() => readFixtures(folderWith({ 'x.json': FIXTURE, 'settings.json': { a: 1 } }))).toThrow(
    'settings.json: expected an object of texts',
  )
})
