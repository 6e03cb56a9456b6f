/** The state of a parcel, derived from the events of any carrier. */
import { describe, expect, test } from 'vitest'
import {
  type EventMeaning,
  type ParcelEvent,
  parcelStateOf,
  utcTime,
} from '../../../src/carriers/connectors/parcel-history.ts'

const AT = '2026-11-20T09:15:00.000Z'
const LATER = '2026-11-20T18:00:00.000Z'

function event(meaning: EventMeaning, code: string = meaning, at: string | undefined = AT): ParcelEvent {
  return { meaning, code, at }
}

const announcement = event('announcement')
const cancellation = event('cancellation')
const unclear = event('unclear', 'WHAT')
const announced = { kind: 'announced' }
const cancelled = { kind: 'cancelled' }
const scanned = (code: string, at = AT) => ({ kind: 'scanned', scan: { eventId: `${at}/${code}`, at } })
const delivered = (code: string, at = AT) => ({
  ...scanned(code, at),
  delivery: { eventId: `${LATER}/OK`, at: LATER },
})
const unknown = (cause: string) => ({ kind: 'unknown', cause })

describe('the state of a parcel', () => {
  test.each<[string, readonly ParcelEvent[], ParcelEvent | undefined, object]>([
    ['no events', [], undefined, unknown('no events')],
    ['announced', [announcement], undefined, announced],
    ['announced in the status only', [], announcement, announced],
    ['one unclear event', [unclear, announcement], undefined, unknown('unclear event WHAT')],
    ['an unclear status', [announcement], unclear, unknown('unclear event WHAT')],
    ['cancelled by its newest event', [cancellation, announcement], undefined, cancelled],
    [
      'cancelled by its newest event, with an outdated status',
      [cancellation, announcement],
      announcement,
      cancelled,
    ],
    ['cancelled in the status only', [], cancellation, cancelled],
    ['cancelled by its status, with an unclear event', [unclear, announcement], cancellation, cancelled],
    [
      'cancelled and announced again',
      [announcement, cancellation, announcement],
      undefined,
      unknown('unclear event cancellation'),
    ],
    [
      'cancelled and announced again, with a status',
      [announcement, cancellation],
      announcement,
      unknown('unclear event cancellation'),
    ],
    ['cancelled, but scanned before', [cancellation, event('scan', 'PU')], cancellation, scanned('PU')],
    ['delivered', [event('delivery', 'OK', LATER), event('scan', 'PU')], undefined, delivered('PU')],
    [
      'delivered, also by its status',
      [event('delivery', 'OK', LATER), event('scan', 'PU')],
      event('delivery', 'OK'),
      delivered('PU'),
    ],
    [
      'delivered by its status only, as its only scan',
      [],
      event('delivery', 'OK', LATER),
      delivered('OK', LATER),
    ],
    [
      'delivered, and on its way back',
      [event('scan', 'RT', LATER), event('delivery', 'PU')],
      undefined,
      scanned('PU'),
    ],
    [
      'delivered, and its status is older',
      [event('delivery', 'OK', LATER), event('scan', 'PU')],
      event('scan', 'PU'),
      scanned('PU'),
    ],
    [
      'several scans: the earliest counts',
      [event('scan', 'DL', LATER), event('scan', 'PU'), announcement],
      undefined,
      scanned('PU'),
    ],
    [
      'two scans at the same time: the first counts',
      [event('scan', 'B'), event('scan', 'A')],
      undefined,
      scanned('B'),
    ],
    [
      'an event and a status with the same time: the event counts',
      [event('scan', 'B')],
      event('scan', 'A'),
      scanned('B'),
    ],
    ['a scan in the status only', [announcement], event('scan', 'IT'), scanned('IT')],
    ['a scan and an unclear event', [unclear, event('scan', 'PU')], unclear, scanned('PU')],
    [
      'a scan without a time, and one with a time',
      [timeless('DL'), event('scan', 'PU', LATER)],
      undefined,
      scanned('PU', LATER),
    ],
    [
      'scanned without a time',
      [timeless('PU'), announcement],
      undefined,
      unknown('scanned at an unknown time'),
    ],
    ['a code that is too long', [event('scan', 'x'.repeat(500))], undefined, scanned('x'.repeat(100))],
    ['a code with characters outside ASCII', [event('scan', 'é\n😀')], undefined, scanned('????')],
  ])('%s', (_name, events, current, expected) => {
    expect(parcelStateOf(events, current)).toEqual(expected)
  })

  function timeless(code: string): ParcelEvent {
    return { meaning: 'scan', code, at: undefined }
  }
})

describe("a carrier's time", () => {
  test.each<[string | undefined, string | undefined]>([
    ['2026-11-20T09:15:00Z', AT],
    ['2026-11-20T09:15:00.000000000Z', AT],
    ['2026-11-20T09:15', AT],
    ['2026-11-20T09:15:00', AT],
    ['2026-11-20T10:15:00+01:00', AT],
    ['2026-11-20T10:15:00+0100', AT],
    ['2026-11-20T03:45-0530', AT],
    ['2026-13-20T09:15:00Z', undefined],
    ['2026-11-20T25:15:00Z', undefined],
    ['2026-11-20', undefined],
    ['2026-11-20 09:15:00', undefined],
    ['+002026-11-20T09:15:00Z', undefined],
    ['Fri, 20 Nov 2026 09:15:00 GMT', undefined],
    ['1763630100', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s', (text, expected) => {
    expect(utcTime(text)).toBe(expected)
  })
})
