/** The body of scan events: counts in the response, and faults with their paths. docs/scan-events.md */
import { afterEach, describe, expect, test } from 'vitest'
import { listen, Outage, rawRequest, talk } from '../http/test-socket.ts'
import { anEvent, eventsDoor, NOW, sendEvents, signatureOf } from './signed-events.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

function door(...given: Parameters<typeof eventsDoor>) {
  const opened = eventsDoor(...given)
  open.push(opened.app)
  return opened
}

const events = (...list: readonly unknown[]) => ({ events: list })
const NOTHING = { received: 0, moved: 0, known: 0, kept: 0, stale: 0, anomalies: 0, ignored: 0 }

describe('a request with events', () => {
  test('is counted by effect, and a scan of a cancelled parcel raises an alert', async () => {
    const effects = ['moved', 'known', 'anomaly', 'unmatched', 'stale'] as const
    const { app, recorded, alerts } = door(({ eventId }) => effects[Number(eventId)] ?? 'known')
    const scans = effects.map((_effect, index) => anEvent({ eventId: String(index) }))
    const answer = await sendEvents(
      app,
      events(anEvent({ type: 'announced' }), ...scans, anEvent({ type: 'out_for_delivery' })),
    )
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      ...{ received: 7, moved: 1, known: 1, kept: 1, stale: 1, anomalies: 1, ignored: 2 },
    })
    expect(recorded).toHaveLength(5)
    expect(alerts.map(({ kind, carrierCode }) => [kind, carrierCode])).toEqual([
      ['SCANNED_AFTER_CANCELLATION', 'rondeel'],
    ])
  })

  test('records a scan in UTC for the carrier of the path, and ignores unknown fields', async () => {
    const { app, recorded } = door()
    const event = anEvent({
      at: '2026-11-20T10:00:00.1234+01:00',
      carrierCode: 'other',
      place: { city: 'Ede' },
    })
    await sendEvents(
      app,
      { ...events(event), more: true },
      { 'content-type': 'application/json; charset="UTF-8"' },
    )
    expect(recorded).toEqual([
      {
        carrierCode: 'rondeel',
        carrierRef: 'SBX-OK-1',
        eventId: 'evt-1',
        at: '2026-11-20T09:00:00.123Z',
      },
    ])
  })

  test('can have none to 1,000 events', async () => {
    const { app } = door(() => 'known')
    expect((await sendEvents(app, events())).json()).toEqual(NOTHING)
    const many = Array.from({ length: 1_000 }, (_, index) => anEvent({ eventId: `e${index}` }))
    expect((await sendEvents(app, events(...many))).json()).toEqual({
      ...NOTHING,
      received: 1_000,
      known: 1_000,
    })
    const answer = await sendEvents(app, events(...many, anEvent()))
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { message: 'events: must have at most 1000 entries' },
    ])
  })

  test('gets 503 with Retry-After in an outage', async () => {
    const { app } = door(() => {
      throw new Outage('gone')
    })
    const answer = await sendEvents(app, events(anEvent()))
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['retry-after']).toBe('2')
    expect(answer.json()).toEqual({ message: 'The service is temporarily unavailable; try again shortly' })
  })
})

const AT = 'events[0].at: must be a date and time with an offset, such as 2026-11-20T09:15:00Z'
const ID = 'events[0].eventId: must be 1 to 200 printable ASCII characters'
const NUMBER = 'events[0].trackingNumber: must be 1 to 64 ASCII characters without spaces'
const TYPE = 'events[0].type: must be 1 to 40 of a-z, 0-9, _ and -, such as "scan"'
const at = (milliseconds: number): string => new Date(milliseconds).toISOString()

const FAULTS: [name: string, event: unknown, message: string][] = [
  ['an event that is not an object', 'scan', 'events[0]: must be an object'],
  ['an event that is a list', [], 'events[0]: must be an object'],
  ['no event id', anEvent({ eventId: undefined }), ID],
  ['an empty event id', anEvent({ eventId: '' }), ID],
  ['an event id that is a number', anEvent({ eventId: 7 }), ID],
  ['an event id of 201 characters', anEvent({ eventId: 'x'.repeat(201) }), ID],
  ['an event id with a line break', anEvent({ eventId: 'a\nb' }), ID],
  ['an event id with NUL', anEvent({ eventId: 'a\u0000' }), ID],
  ['no tracking number', anEvent({ trackingNumber: null }), NUMBER],
  ['a tracking number with a space', anEvent({ trackingNumber: 'SBX OK' }), NUMBER],
  ['a tracking number of 65 characters', anEvent({ trackingNumber: 'x'.repeat(65) }), NUMBER],
  ['a tracking number outside ASCII', anEvent({ trackingNumber: 'SBX-\u00e9' }), NUMBER],
  ['no time', anEvent({ at: undefined }), AT],
  ['a date without a time', anEvent({ at: '2026-11-20' }), AT],
  ['a time without an offset', anEvent({ at: '2026-11-20T09:15:00' }), AT],
  ['a date that does not exist', anEvent({ at: '2026-02-30T09:15:00Z' }), AT],
  ['an hour that does not exist', anEvent({ at: '2026-11-20T25:15:00Z' }), AT],
  ['seconds since 1970', anEvent({ at: NOW / 1_000 }), AT],
  [
    'a time more than a day ahead',
    anEvent({ at: at(NOW + 86_400_001) }),
    'events[0].at: must not be more than a day ahead',
  ],
  ['a time in the year 0', anEvent({ at: '0000-01-01T00:00:00Z' }), 'events[0].at: must not be before 2000'],
  ['no type', anEvent({ type: undefined }), TYPE],
  ['a type in capitals', anEvent({ type: 'SCAN' }), TYPE],
  ['an unsupported type, with every other fault', { type: 'announced' }, `${ID}; ${NUMBER}; ${AT}`],
]

describe('responds 400 and applies nothing to', () => {
  test.each(FAULTS)('%s', async (_name, event, message) => {
    const { app, recorded } = door()
    const answer = await sendEvents(app, events(event, anEvent()))
    expect(answer.json()).toEqual({ message })
    expect(answer.statusCode).toBe(400)
    expect(recorded).toEqual([])
  })

  test('several faulty events, and names every fault', async () => {
    const { app } = door()
    const answer = await sendEvents(
      app,
      events(anEvent({ type: '' }), anEvent(), anEvent({ eventId: '' }), 7),
    )
    expect(answer.json()).toEqual({
      message: `${TYPE}; ${ID.replace('[0]', '[2]')}; events[3]: must be an object`,
    })
  })

  test.each([
    ['', 'body: must be valid JSON'],
    ['{"events":[', 'body: must be valid JSON'],
    ['null', 'body: must be a JSON object'],
    ['[]', 'body: must be a JSON object'],
    ['{}', 'events: must be a list'],
    ['{"events":{}}', 'events: must be a list'],
  ])('the body %j', async (body, message) => {
    const { app } = door()
    const answer = await sendEvents(app, body)
    expect([answer.statusCode, answer.json()]).toEqual([400, { message }])
  })

  test.each([
    [{ 'content-type': 'text/plain' }, 'Content-Type must be application/json'],
    [{ 'content-type': 'application/json; charset=latin1' }, 'The charset in Content-Type must be utf-8'],
    [{ 'content-encoding': 'gzip' }, 'Content-Encoding is not supported'],
  ])('responds 415 to the headers %j', async (headers, message) => {
    const { app } = door()
    const answer = await sendEvents(app, events(), headers as Record<string, string>)
    expect([answer.statusCode, answer.json()]).toEqual([415, { message }])
  })

  test('responds 413 to a body that is too large', async () => {
    const { app } = door()
    const headers = [
      'Content-Type: application/json',
      `X-Waybill-Signature: ${signatureOf('')}`,
      `Content-Length: ${256 * 1024 + 1}`,
    ]
    // Over a socket: an injected request stays open if its body is not read.
    const answer = await talk(await listen(app), rawRequest('POST /carrier-events/rondeel', headers))
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer.split('\r\n\r\n')[1]).toBe('{"message":"The body is too large"}')
  })
})
