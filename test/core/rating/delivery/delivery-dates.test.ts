/** The rules of docs/delivery-dates.md, with an invented calendar. */
import { describe, expect, test } from 'vitest'
import { clockText } from '../../../../src/core/clock-text.ts'
import {
  deliveryDates,
  type ShippingTime,
  type Transport,
} from '../../../../src/core/rating/delivery/delivery-dates.ts'
import {
  dayNumber,
  dayText,
  type WorkCalendar,
  weekdayOf,
} from '../../../../src/core/rating/delivery/work-calendar.ts'

const HOLIDAYS: Readonly<Record<string, readonly string[]>> = {
  NL: ['2026-12-25', '2026-12-26', '2027-01-01', '2027-03-29'],
  DE: ['2026-12-25', '2026-12-26', '2027-01-01', '2027-03-26', '2027-03-29'],
  ES: ['2026-12-08', '2026-12-25', '2027-01-01', '2027-01-06', '2027-03-26'],
  SA: [],
}

/** Clocks run one hour ahead of UTC everywhere. Holidays are known from December 2026 to the end of 2027. */
const CALENDAR: WorkCalendar = {
  kindOf(country, day) {
    const holidays = HOLIDAYS[country]
    const text = dayText(day)
    if (holidays === undefined || text < '2026-12-01' || text > '2027-12-31') return undefined
    if (holidays.includes(text)) return 'holiday'
    return (country === 'SA' ? [5, 6] : [6, 7]).includes(weekdayOf(day)) ? 'weekend' : 'working'
  },
  localTime(country, instantMs) {
    if (country === 'TF') return undefined
    const local = new Date(instantMs + 3_600_000).toISOString()
    return { day: dayNumber(local.slice(0, 10)), minutes: Number(local.slice(11, 13)) * 60 }
  },
}

type Case = {
  readonly now: string
  readonly from?: string
  readonly to?: string
  readonly shippingDate?: string
  readonly pickupDays?: readonly number[]
  readonly cutOffMinutes?: number
  readonly transit?: readonly [number, number]
}

function datesOf(given: Case): readonly (string | undefined)[] {
  const { now, from = 'NL', to = 'NL', shippingDate, pickupDays, cutOffMinutes, transit = [1, 2] } = given
  const [minDays, maxDays] = transit
  const transport: Transport = {
    fromCountry: from,
    toCountry: to,
    terms: { pickupDays, cutOffMinutes },
    transit: { minDays, maxDays },
  }
  const time: ShippingTime = { shippingDate, nowMs: Date.parse(now) }
  const { pickup, earliest, latest } = deliveryDates(CALENDAR, transport, time)
  return [pickup, earliest, latest]
}

/** Tuesday. */
const MORNING = '2026-12-01T08:00:00Z'
const SIXTEEN = 960

describe('the day of pick-up', () => {
  test.each<[string, Case, string | undefined]>([
    ['is today on a working day', { now: MORNING }, '2026-12-01'],
    ['is today before the cut-off', { now: '2026-12-01T14:59:00Z', cutOffMinutes: SIXTEEN }, '2026-12-01'],
    ['is tomorrow at the cut-off', { now: '2026-12-01T15:00:00Z', cutOffMinutes: SIXTEEN }, '2026-12-02'],
    ['is tomorrow with a cut-off at midnight', { now: MORNING, cutOffMinutes: 0 }, '2026-12-02'],
    ['is Monday on Friday evening', { now: '2026-12-04T19:00:00Z', cutOffMinutes: SIXTEEN }, '2026-12-07'],
    ['is today on Friday evening without a cut-off', { now: '2026-12-04T19:00:00Z' }, '2026-12-04'],
    ['is Monday on Saturday', { now: '2026-12-05T08:00:00Z' }, '2026-12-07'],
    ['counts the day at the origin', { now: '2026-12-01T23:30:00Z' }, '2026-12-02'],
    ['is Saturday if the card says so', { now: '2026-12-05T08:00:00Z', pickupDays: [6] }, '2026-12-05'],
    ['waits for a pick-up day', { now: MORNING, pickupDays: [1, 5] }, '2026-12-04'],
    ['is no holiday, even on a pick-up day', { now: '2026-12-26T08:00:00Z', pickupDays: [6] }, '2027-01-02'],
    ['is after Christmas and the weekend', { now: '2026-12-25T08:00:00Z' }, '2026-12-28'],
    ['is Sunday where the week begins on Sunday', { now: '2026-12-04T08:00:00Z', from: 'SA' }, '2026-12-06'],
    ['is the shipping date', { now: MORNING, shippingDate: '2026-12-10' }, '2026-12-10'],
    ['is after a shipping date on Sunday', { now: MORNING, shippingDate: '2026-12-13' }, '2026-12-14'],
    ['is not before today', { now: MORNING, shippingDate: '2026-11-30' }, '2026-12-01'],
    [
      'is tomorrow if today is the shipping date and the cut-off has passed',
      { now: '2026-12-01T16:00:00Z', shippingDate: '2026-12-01', cutOffMinutes: SIXTEEN },
      '2026-12-02',
    ],
    [
      'is a later shipping date, even if the cut-off of today has passed',
      { now: '2026-12-01T16:00:00Z', shippingDate: '2026-12-02', cutOffMinutes: SIXTEEN },
      '2026-12-02',
    ],
    ['is not known without holidays of the origin', { now: MORNING, from: 'AF' }, undefined],
    ['is not known without a time zone of the origin', { now: MORNING, from: 'TF' }, undefined],
    ['is not known after the last year of the calendar', { now: '2028-01-03T08:00:00Z' }, undefined],
  ])('%s', (_, given, pickup) => {
    expect(datesOf(given)[0]).toBe(pickup)
  })
})

describe('the days of delivery', () => {
  test.each<[string, Case, string | undefined, string | undefined]>([
    ['count working days after the pick-up', { now: MORNING }, '2026-12-02', '2026-12-03'],
    ['leave out the weekend', { now: '2026-12-03T08:00:00Z', transit: [1, 3] }, '2026-12-04', '2026-12-08'],
    [
      'leave out holidays of the destination',
      { now: '2026-12-07T08:00:00Z', to: 'ES', transit: [1, 2] },
      '2026-12-09',
      '2026-12-10',
    ],
    [
      'leave out holidays of the origin on the first day only',
      { now: '2026-12-07T08:00:00Z', from: 'ES', to: 'DE', transit: [1, 2] },
      '2026-12-09',
      '2026-12-10',
    ],
    [
      'do not leave out holidays of the origin later',
      { now: '2026-12-04T08:00:00Z', from: 'ES', to: 'DE', transit: [1, 2] },
      '2026-12-07',
      '2026-12-08',
    ],
    [
      'continue in the next year',
      { now: '2026-12-30T08:00:00Z', to: 'ES', transit: [1, 5] },
      '2026-12-31',
      // 1 and 6 January are holidays, 2 and 3 January a weekend.
      '2027-01-08',
    ],
    [
      'leave out Good Friday and Easter Monday where they are holidays',
      { now: '2027-03-25T08:00:00Z', to: 'DE', transit: [1, 2] },
      '2027-03-30',
      '2027-03-31',
    ],
    [
      'count Good Friday where it is no holiday',
      { now: '2027-03-25T08:00:00Z', to: 'NL', transit: [1, 2] },
      '2027-03-26',
      '2027-03-30',
    ],
    [
      'follow the weekend of the destination',
      { now: '2026-12-03T08:00:00Z', to: 'SA', transit: [1, 2] },
      // The first day is also a working day at the origin, so it is Monday and not Sunday.
      '2026-12-07',
      '2026-12-08',
    ],
    ['are the day of pick-up without transit', { now: MORNING, transit: [0, 1] }, '2026-12-01', '2026-12-02'],
    [
      'are the next working day without transit after a pick-up on Saturday',
      { now: '2026-12-05T08:00:00Z', pickupDays: [6], transit: [0, 0] },
      '2026-12-07',
      '2026-12-07',
    ],
    ['are not known without holidays of the destination', { now: MORNING, to: 'AF' }, undefined, undefined],
    [
      'are known as long as the calendar is',
      { now: '2027-12-30T08:00:00Z', transit: [1, 2] },
      '2027-12-31',
      undefined,
    ],
    [
      'are not searched further than a year',
      { now: MORNING, transit: [1, 2_000_000_000] },
      '2026-12-02',
      undefined,
    ],
  ])('%s', (_, given, earliest, latest) => {
    expect(datesOf(given).slice(1)).toEqual([earliest, latest])
  })

  test('are never before the pick-up, in order, and working days at the destination', () => {
    for (let offset = 0; offset < 200; offset++)
      for (const [from, to] of [
        ['NL', 'ES'],
        ['ES', 'DE'],
        ['SA', 'NL'],
      ] as const) {
        const now = new Date(Date.parse(MORNING) + offset * 86_400_000).toISOString()
        const transit = [offset % 4, (offset % 4) + (offset % 3)] as const
        const [pickup = '', earliest = '', latest = ''] = datesOf({ now, from, to, transit })
        expect([pickup, earliest, latest].toSorted()).toEqual([pickup, earliest, latest])
        expect(CALENDAR.kindOf(from, dayNumber(pickup))).toBe('working')
        expect(CALENDAR.kindOf(to, dayNumber(earliest))).toBe('working')
        expect(CALENDAR.kindOf(to, dayNumber(latest))).toBe('working')
      }
  })
})

test('days and times have their names', () => {
  expect(dayText(dayNumber('2028-02-29') + 1)).toBe('2028-03-01')
  expect(
    ['1970-01-01', '2026-11-28', '2026-11-29', '2026-11-30'].map((day) => weekdayOf(dayNumber(day))),
  ).toEqual([4, 6, 7, 1])
  expect([0, 65, 960, 1439].map(clockText)).toEqual(['00:00', '01:05', '16:00', '23:59'])
})
