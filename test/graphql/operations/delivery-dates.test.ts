/** Dates of pick-up and delivery through the door, with the demo rate book and the shipped calendars. */
import { describe, expect, test, vi } from 'vitest'
import type { WorkCalendar } from '../../../src/core/rating/delivery/work-calendar.ts'
import type { Ports } from '../../../src/operations/ports/ports.ts'
import { openWorkCalendar } from '../../../src/reference/work-calendar.ts'
import { fakePorts } from '../fake-ports.ts'
import { openInstance } from '../instance.ts'

const calendar = openWorkCalendar()
const kindOf = vi.fn<WorkCalendar['kindOf']>(calendar.kindOf)

function instanceAt(now: string) {
  const ports: Ports = {
    ...fakePorts(),
    clock: () => new Date(now),
    calendar: { kindOf, localTime: calendar.localTime },
  }
  return openInstance({ ports })
}

/** 13:00 in Amsterdam, a Friday. */
const { ask } = instanceAt('2026-11-20T12:00:00Z')
/** 16:00 in Amsterdam on the same day. */
const { ask: askLate } = instanceAt('2026-11-20T15:00:00Z')

const DATES = 'pickupDate earliestDelivery latestDelivery'
const QUERY = `query ($input: RatesInput!) { rates(input: $input) {
  ... on RateQuote { options { product { id } ${DATES} } }
  ... on InputProblem { fields { path code message } } } }`

const INPUT = {
  from: { country: 'NL' },
  to: { country: 'ES' },
  parcels: { boxes: [{ weightKg: 5, lengthCm: 40, widthCm: 30, heightCm: 20 }] },
  recipientType: 'BUSINESS',
}

type Asking = typeof ask

async function optionsOf(asking: Asking, change: object = {}) {
  const { data, errors } = await asking(QUERY, { input: { ...INPUT, ...change } })
  expect(errors).toEqual([])
  const { rates } = data as { rates: { options: readonly Readonly<Record<string, unknown>>[] } }
  return rates.options
}

async function datesOf(asking: Asking, productId: string, change: object = {}) {
  const options = await optionsOf(asking, change)
  const option = options.find(({ product }) => (product as { id: string }).id === productId)
  return [option?.['pickupDate'], option?.['earliestDelivery'], option?.['latestDelivery']]
}

describe('the dates of an option', () => {
  test('are those of its transit time, for a shipment that is ready today', async () => {
    // 1201 Classic: 3 to 5 working days, cut-off 16:00.
    expect(await datesOf(ask, '1201')).toEqual(['2026-11-20', '2026-11-25', '2026-11-27'])
  })

  test('begin on the next pick-up day after the cut-off of the product', async () => {
    expect(await datesOf(askLate, '1201')).toEqual(['2026-11-23', '2026-11-26', '2026-11-30'])
    // 1103 Economy Select has a cut-off at 17:00, and 1301 Parcel Tracked one at 15:30 and pick-up on Saturdays.
    expect((await datesOf(askLate, '1103'))[0]).toBe('2026-11-20')
    expect((await datesOf(askLate, '1301'))[0]).toBe('2026-11-21')
  })

  test('follow the shipping date, and leave out holidays of the destination', async () => {
    const christmas = { shippingDate: '2026-12-24' }
    expect(await datesOf(ask, '1201', christmas)).toEqual(['2026-12-24', '2026-12-30', '2027-01-04'])
    const epiphany = { shippingDate: '2027-01-04' }
    expect(await datesOf(ask, '1201', epiphany)).toEqual(['2027-01-04', '2027-01-08', '2027-01-12'])
  })

  test('do not change with the day of the prices', async () => {
    expect(await datesOf(ask, '1201', { asOf: '2026-10-20T12:00:00Z' })).toEqual(await datesOf(ask, '1201'))
  })

  test('are null if the holidays of an end are not known', async () => {
    const [pickup, ...delivery] = await datesOf(ask, '1101', { to: { country: 'QA' } })
    expect([pickup, ...delivery]).toEqual(['2026-11-20', null, null])
    expect(await datesOf(ask, '1101', { from: { country: 'QA' } })).toEqual([null, null, null])
  })

  test('are the same in a batch', async () => {
    const { data } = await ask(
      `query ($input: RatesInput!) { ratesBatch(inputs: [$input, $input]) { ... on RatesBatch {
        results { ... on RateQuote { options { product { id } ${DATES} } } } } } }`,
      { input: INPUT },
    )
    const { ratesBatch } = data as { ratesBatch: { results: readonly { options: unknown }[] } }
    const options = await optionsOf(ask)
    expect(ratesBatch.results.map((quote) => quote.options)).toEqual([options, options])
  })

  test('are not calculated if they are not selected', async () => {
    kindOf.mockClear()
    await ask(
      'query ($input: RatesInput!) { rates(input: $input) { ... on RateQuote { options { badges } } } }',
      {
        input: INPUT,
      },
    )
    expect(kindOf).not.toHaveBeenCalled()
    await optionsOf(ask)
    expect(kindOf).toHaveBeenCalled()
  })
})

describe('a shipping date', () => {
  test.each([
    ['2026-11-19', undefined],
    ['2027-11-20', undefined],
    ['2026-11-18', ['OUT_OF_RANGE', 'must not be in the past']],
    ['2027-11-21', ['OUT_OF_RANGE', 'must be at most a year ahead, not after 2027-11-20']],
    ['2026-02-30', ['MALFORMED', 'must be a day such as 2026-11-21']],
    ['2026-11-21T09:30:00Z', ['MALFORMED', 'must be a day such as 2026-11-21']],
    ['-1000000-01-01', ['MALFORMED', 'must be a day such as 2026-11-21']],
  ])('of %s is accepted or refused', async (shippingDate, fault) => {
    const { data } = await ask(QUERY, { input: { ...INPUT, shippingDate } })
    const { rates } = data as {
      rates: { fields?: readonly { path: unknown; code: string; message: string }[] }
    }
    expect(rates.fields).toEqual(
      fault === undefined ? undefined : [{ path: ['shippingDate'], code: fault[0], message: fault[1] }],
    )
  })

  test('that is a day in the past in UTC only counts as today', async () => {
    expect(await datesOf(ask, '1201', { shippingDate: '2026-11-19' })).toEqual(await datesOf(ask, '1201'))
  })
})
