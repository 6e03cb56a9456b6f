/** POST /partners-api/v1/duties-taxes-estimate, byte for byte. docs/rest-contract.md#duties-and-taxes */
import { describe, expect, test, vi } from 'vitest'
import { estimateDuties } from '../../src/operations/estimate-duties.ts'
import { type Asking, ask, ESTIMATE_BODY, ordinaryOutcomes } from './rest-door.ts'
import { ESTIMATE, PARTIAL_ESTIMATE, TAX_DETAILS } from './rest-outcomes.ts'

ordinaryOutcomes()

const refused = (message: string) =>
  `400 {"hasErrors":true,"message":${JSON.stringify(message)},"taxDetails":[],"estimate":0,"hsCode":""}`

async function estimate(asking: Asking = {}): Promise<string> {
  const answer = await ask('estimate', asking)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  return `${answer.statusCode} ${answer.body}`
}

const item = ESTIMATE_BODY.contentItems[0]
const withItem = (change: object) => ({ ...ESTIMATE_BODY, contentItems: [{ ...item, ...change }] })

describe('an estimate', () => {
  test('has its lines, their sum and the code, but no message (R2)', async () => {
    expect(await estimate()).toBe(
      `200 {"hasErrors":false,"taxDetails":${TAX_DETAILS},"estimate":20.28,"hsCode":"610910"}`,
    )
  })

  test('keeps the other lines and names the item if an item has no code (R4)', async () => {
    vi.mocked(estimateDuties).mockResolvedValue(PARTIAL_ESTIMATE)
    expect(await estimate()).toBe(
      '200 {"hasErrors":true,"message":"contentItems[1].description: no HS code fits",' +
        `"taxDetails":${TAX_DETAILS},"estimate":20.28,"hsCode":"610910"}`,
    )
  })

  test('is not an error if a part cannot be calculated (R14)', async () => {
    vi.mocked(estimateDuties).mockResolvedValue({ ...ESTIMATE, complete: false })
    expect(await estimate()).toBe(
      `200 {"hasErrors":false,"taxDetails":${TAX_DETAILS},"estimate":20.28,"hsCode":"610910"}`,
    )
  })

  test('without lines is zero', async () => {
    vi.mocked(estimateDuties).mockResolvedValue({ ...ESTIMATE, taxes: [], estimateCents: 0 })
    expect(await estimate()).toBe('200 {"hasErrors":false,"taxDetails":[],"estimate":0,"hsCode":"610910"}')
  })
})

describe('responds 400 to an invalid request (R2)', () => {
  test('and lists every fault with its path', async () => {
    const body = {
      contentItems: [item, { description: 7, cost: 1.23456, originCountry: 'Q' }],
      toCountry: '',
    }
    expect(await estimate({ body })).toBe(
      refused(
        'contentItems[1].description: must be a string; contentItems[1].numberOfItems: required; ' +
          'contentItems[1].cost: must be a number with at most 4 decimals; ' +
          'contentItems[1].originCountry: must be an ISO 3166-1 alpha-2 country code; ' +
          'fromCountry: required; toCountry: required',
      ),
    )
  })

  test.each([
    ['{', 'body: must be valid JSON'],
    ['', 'body: must be valid JSON'],
    ['[]', 'body: must be a JSON object'],
    ['{}', 'contentItems: required; fromCountry: required; toCountry: required'],
  ])('with the body %s', async (raw, message) => {
    expect(await estimate({ raw })).toBe(refused(message))
  })

  test('with numbers in quotes', async () => {
    expect(await estimate({ body: withItem({ cost: '2.42' }) })).toBe(
      refused('contentItems[0].cost: must be a number'),
    )
    expect(await estimate({ body: withItem({ numberOfItems: '1' }) })).toBe(
      refused('contentItems[0].numberOfItems: must be a number'),
    )
  })

  test.each([
    [{ contentItems: [] }, 'contentItems: must have at least one entry'],
    [{ contentItems: ['shirt'] }, 'contentItems[0]: must be an object'],
    [{ contentItems: Array(100).fill(item) }, 'contentItems: must have at most 99 entries'],
    [
      { contentItems: [{ ...item, description: 'x'.repeat(501) }] },
      'contentItems[0].description: must have at most 500 characters',
    ],
  ])('with an invalid field (case %#)', async (change, message) => {
    expect(await estimate({ body: { ...ESTIMATE_BODY, ...change } })).toBe(refused(message))
  })
})

test('passes only known fields to the operation', async () => {
  const body = {
    ...withItem({ tariff: '6109.10', originCountry: 'BD', sku: 7 }),
    asOf: '2020-01-01',
    fromCity: 'X',
  }
  await estimate({ body })
  expect(vi.mocked(estimateDuties).mock.calls[0]?.[2]).toEqual({
    from: { country: 'US', zipcode: undefined, city: 'X' },
    to: { country: 'NL', zipcode: undefined, city: undefined },
    contentItems: [
      { description: 'Cotton T-shirt', numberOfItems: 1, cost: 2.42, tariff: '6109.10', originCountry: 'BD' },
    ],
  })
})
