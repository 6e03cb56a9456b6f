/** POST /partners-api/v1/rates, byte for byte. docs/rest-contract.md#rates */
import { describe, expect, test, vi } from 'vitest'
import { quoteRates } from '../../src/operations/quote-rates.ts'
import { type Asking, ask, ordinaryOutcomes, RATES_BODY } from './rest-door.ts'
import { ONE_OPTION, quoteOf } from './rest-outcomes.ts'

ordinaryOutcomes()

const refused = (message: string) => `400 {"errors":true,"message":${JSON.stringify(message)},"data":[]}`

async function rates(asking: Asking = {}): Promise<string> {
  const answer = await ask('rates', asking)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  return `${answer.statusCode} ${answer.body}`
}

const ECONOMY = '"carrier":"Kade & Zn.","product":"Economy","productId":77,"price":1.1'
const PRIORITY = '"carrier":"Rondeel Parcel","product":"Priority","productId":1002,"price":12.3'
const ECONOMY_BREAKDOWN = '"priceBreakdown":[{"item":"Freight","amount":1.1}]'
const PRIORITY_BREAKDOWN =
  '"priceBreakdown":[{"item":"Freight","amount":10.05},' +
  '{"item":"Fuel surcharge","amount":2.18,"reason":"21.7% of freight"},' +
  '{"item":"Road toll","amount":0.07,"reason":"Germany"}]'

describe('a quote', () => {
  test('has options with the single transit field and the breakdown (R10, R26)', async () => {
    expect(await rates()).toBe(
      '200 {"errors":false,"message":"2 shipping options found","data":[' +
        `{${ECONOMY},"estimatedTransitTimeInWorkingDays":5,${ECONOMY_BREAKDOWN}},` +
        `{${PRIORITY},"estimatedTransitTimeInWorkingDays":2,${PRIORITY_BREAKDOWN}}]}`,
    )
  })

  test('has the pair of transit fields, as the contract spells them, for an account with that setting (R10)', async () => {
    expect(await rates({ caller: { transitForm: 'range' } })).toBe(
      '200 {"errors":false,"message":"2 shipping options found","data":[' +
        `{${ECONOMY},"minEstimatedTransitTimeInWorkingsDays":3,"maxEstimatedTransitTimeInWorkingsDays":5,${ECONOMY_BREAKDOWN}},` +
        `{${PRIORITY},"minEstimatedTransitTimeInWorkingsDays":1,"maxEstimatedTransitTimeInWorkingsDays":2,${PRIORITY_BREAKDOWN}}]}`,
    )
  })

  test('has no breakdown for an account with that setting (R26)', async () => {
    expect(await rates({ caller: { priceBreakdown: false } })).toBe(
      '200 {"errors":false,"message":"2 shipping options found","data":[' +
        `{${ECONOMY},"estimatedTransitTimeInWorkingDays":5},` +
        `{${PRIORITY},"estimatedTransitTimeInWorkingDays":2}]}`,
    )
  })

  test('with one option has a message in the singular', async () => {
    vi.mocked(quoteRates).mockReturnValue(ONE_OPTION)
    expect(await rates({ caller: { priceBreakdown: false } })).toBe(
      `200 {"errors":false,"message":"1 shipping option found","data":[{${ECONOMY},"estimatedTransitTimeInWorkingDays":5}]}`,
    )
  })

  test('without options is not an error, and the message says so (R3)', async () => {
    vi.mocked(quoteRates).mockReturnValue(quoteOf())
    expect(await rates()).toBe(
      '200 {"errors":false,"message":"No shipping option is available for this request","data":[]}',
    )
  })
})

describe('responds 400 to an invalid request (R1)', () => {
  test('and lists every fault with its path', async () => {
    const body = {
      parcels: [
        { type: 'NONDOC', weight: '1.55', width: 20, height: 0, count: 1 },
        { type: 'NONDOC', weight: 1, length: 1, width: 1, height: 1 },
      ],
      fromCountry: 'XX',
      fromZipcode: 7,
      toCity: ['Delft'],
    }
    expect(await rates({ body })).toBe(
      refused(
        'parcels[0].weight: must be a number with at most 1 decimal; parcels[0].length: required for NONDOC; ' +
          'parcels[0].height: must be greater than zero; parcels[1].count: required; ' +
          'fromCountry: must be an ISO 3166-1 alpha-2 country code; fromZipcode: must be a string; ' +
          'toCountry: required; toCity: must be a string',
      ),
    )
  })

  test.each([
    ['{"parcels":[', 'body: must be valid JSON'],
    ['', 'body: must be valid JSON'],
    ["{'a':1}", 'body: must be valid JSON'],
    ['{} {}', 'body: must be valid JSON'],
    ['null', 'body: must be a JSON object'],
    ['[]', 'body: must be a JSON object'],
    ['"text"', 'body: must be a JSON object'],
    ['17', 'body: must be a JSON object'],
    ['{}', 'parcels: required; fromCountry: required; toCountry: required'],
    ['{"__proto__":{"fromCountry":"NL"}}', 'parcels: required; fromCountry: required; toCountry: required'],
  ])('with the body %s', async (raw, message) => {
    expect(await rates({ raw })).toBe(refused(message))
  })

  test('without a body', async () => {
    expect(await rates({ raw: null })).toBe(refused('body: must be valid JSON'))
  })

  test('with invalid UTF-8, and does not replace the bytes', async () => {
    const raw = Buffer.concat([Buffer.from('{"toCity":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')])
    expect(await rates({ raw })).toBe(refused('body: must be encoded in UTF-8'))
  })

  test.each([
    [{ parcels: 'one' }, 'parcels: must be a list'],
    [{ parcels: { length: 1 } }, 'parcels: must be a list'],
    [{ parcels: [] }, 'parcels: must have at least one entry'],
    [{ parcels: [null] }, 'parcels[0]: must be an object'],
    [{ parcels: [['NONDOC']] }, 'parcels[0]: must be an object'],
    [{ toCity: 'a\u0000b' }, 'toCity: must not contain control characters'],
    [{ insured: 'true' }, 'insured: must be true or false'],
    [{ recipientType: 'Business' }, 'recipientType: must be one of individual, business'],
  ])('with %j', async (change, message) => {
    expect(await rates({ body: { ...RATES_BODY, ...change } })).toBe(refused(message))
  })
})

describe('numbers', () => {
  const parcel = RATES_BODY.parcels[0]
  const accepted = async (body: object) => (await rates({ body: { ...RATES_BODY, ...body } })).slice(0, 3)

  test('in parcels can be quoted', async () => {
    expect(await accepted({ parcels: [{ ...parcel, weight: 1.5, length: 30, count: 1 }] })).toBe('200')
    expect(await accepted({ parcels: [{ ...parcel, weight: '1.5', width: '20', count: '1' }] })).toBe('200')
  })

  test.each(['0x1F', ' 1', '1e3', '1,5', '+1', 'NaN', '--1'])('must not be written as %j', async (weight) => {
    expect(await rates({ body: { ...RATES_BODY, parcels: [{ ...parcel, weight }] } })).toBe(
      refused('parcels[0].weight: must be a number with at most 1 decimal'),
    )
  })

  test('above all limits are refused, not read as infinity', async () => {
    const raw = JSON.stringify(RATES_BODY).replace('"1.5"', '1e999')
    expect(await rates({ raw })).toBe(refused('parcels[0].weight: must be at most 1000000'))
  })

  test('outside parcels must not be quoted', async () => {
    expect(await rates({ body: { ...RATES_BODY, insured: true, totalValue: '100' } })).toBe(
      refused('totalValue: must be a number'),
    )
    expect(await accepted({ insured: true, totalValue: 100.25 })).toBe('200')
  })
})

describe('the limits (R7)', () => {
  const parcel = { ...RATES_BODY.parcels[0], count: 1 }
  const withParcels = (parcels: object[]) => rates({ body: { ...RATES_BODY, parcels } })
  test('allow 99 parcel rows', async () => {
    expect((await withParcels(Array(99).fill(parcel))).slice(0, 3)).toBe('200')
    expect(await withParcels(Array(100).fill(parcel))).toBe(refused('parcels: must have at most 99 entries'))
  })
  test('allow 999 units in total', async () => {
    expect((await withParcels([{ ...parcel, count: 998 }, parcel])).slice(0, 3)).toBe('200')
    expect(await withParcels([{ ...parcel, count: 999 }, parcel])).toBe(
      refused('parcels: must have at most 999 units in total'),
    )
  })
  test('allow 500 characters', async () => {
    const city = async (length: number) =>
      rates({ body: { ...RATES_BODY, toCity: 'x'.repeat(length), raw: undefined } })
    expect((await city(500)).slice(0, 3)).toBe('200')
    expect(await city(501)).toBe(refused('toCity: must have at most 500 characters'))
  })
})

describe('rules between fields', () => {
  const pallet = {
    type: 'PALLET',
    weight: 100,
    length: 120,
    width: 80,
    height: 100,
    count: 1,
    stackable: true,
  }
  test('require recipientType for a pallet only (R9)', async () => {
    expect(await rates({ body: { ...RATES_BODY, parcels: [pallet] } })).toBe(
      refused('recipientType: required for PALLET'),
    )
    expect((await rates()).slice(0, 3)).toBe('200')
  })
  test('require totalValue with insured, and ignore it otherwise (R17)', async () => {
    expect(await rates({ body: { ...RATES_BODY, insured: true } })).toBe(
      refused('totalValue: required when insured is true'),
    )
    expect((await rates({ body: { ...RATES_BODY, totalValue: 100 } })).slice(0, 3)).toBe('200')
  })
  test('refuse mixed parcel types and name both (R18)', async () => {
    const parcels = [...RATES_BODY.parcels, { type: 'DOC', count: 1 }]
    expect(await rates({ body: { ...RATES_BODY, parcels } })).toBe(
      refused('parcels: must all have the same type, found NONDOC and DOC'),
    )
  })
  test('ignore unknown fields and the measures of documents (R18)', async () => {
    const parcels = [{ type: 'DOC', count: 1, weight: 'heavy', length: {}, colour: 'red' }]
    const body = {
      ...RATES_BODY,
      parcels,
      asOf: 'tomorrow',
      accountId: 'other-shop',
      from: { country: 'FR' },
    }
    expect((await rates({ body })).slice(0, 3)).toBe('200')
    expect(vi.mocked(quoteRates).mock.calls[0]?.[2]).toEqual({
      from: { country: 'NL', zipcode: undefined, city: undefined },
      to: { country: 'DE', zipcode: undefined, city: undefined },
      parcels: [
        {
          type: 'DOC',
          count: 1,
          weight: 'heavy',
          length: {},
          width: undefined,
          height: undefined,
          stackable: undefined,
        },
      ],
      insured: undefined,
      totalValue: undefined,
      recipientType: undefined,
    })
  })
  test('accept any postal code of a known country (R19)', async () => {
    expect((await rates({ body: { ...RATES_BODY, toZipcode: '??-1' } })).slice(0, 3)).toBe('200')
  })
})
