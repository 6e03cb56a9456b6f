/** Messages for invalid input: they describe the expected form, and REST keeps its own texts. */
import { expect, test } from 'vitest'
import { openInstance } from '../instance.ts'

const { ask } = openInstance()

type Fields = { readonly path: readonly string[]; readonly code: string; readonly message: string }[]

const RATES = `query ($input: RatesInput!) { rates(input: $input) {
  __typename ... on InputProblem { fields { path code message } } } }`

async function faultsOf(more: object, parcel: object = {}): Promise<Fields | undefined> {
  const box = { count: 1, weightKg: '5', lengthCm: 40, widthCm: 30, heightCm: 20 }
  const input = {
    from: { country: 'NL' },
    to: { country: 'ES' },
    parcels: { boxes: [{ ...box, ...parcel }] },
    ...more,
  }
  const { data, errors } = await ask(RATES, { input })
  expect(errors).toEqual([])
  return (data as { rates: { fields?: Fields } }).rates.fields
}

test.each([
  '.5',
  '+5',
  '5,5',
  ' 5 ',
  'abc',
])('a decimal %j is reported with the expected form', async (weightKg) => {
  const [fault] = (await faultsOf({}, { weightKg })) ?? []
  expect(fault).toMatchObject({ code: 'MALFORMED', message: expect.stringContaining('such as "12.5"') })
})

test('zeros at the end do not count as decimals', async () => {
  for (const weightKg of ['5.00', '5.0', 5, '12.50'])
    expect(await faultsOf({ insured: true, totalValue: { amount: '250.000' } }, { weightKg })).toBeUndefined()
  expect(await faultsOf({}, { weightKg: '5.00050' })).toMatchObject([
    { message: 'must be a number with at most 3 decimals' },
  ])
})

test('"UK" and "EL" are reported with the code to use', async () => {
  expect(await faultsOf({ from: { country: 'UK' }, to: { country: 'EL' } })).toMatchObject([
    { path: ['from', 'country'], message: expect.stringContaining('use GB instead of UK') },
    { path: ['to', 'country'], message: expect.stringContaining('use GR instead of EL') },
  ])
})

test('an empty list in a filter is no filter', async () => {
  expect(await faultsOf({ filter: { carrierIds: [], productIds: [] } })).toBeUndefined()
})

test('a lower-case t and z are accepted in an instant', async () => {
  const now = new Date().toISOString().toLowerCase()
  expect(await faultsOf({ asOf: now })).toBeUndefined()
})

test('a day before the stored prices is reported with the other faults', async () => {
  const paths = ((await faultsOf({ asOf: '1990-01-01T00:00:00Z', to: { country: 'XX' } })) ?? []).map(
    ({ path }) => path.join('.'),
  )
  expect(paths).toEqual(['to.country', 'asOf'])
})

test.each([
  ['Decimal', 'weightKg: true', 'Decimal must be a number, or a string such as "12.5"'],
  ['Decimal', 'weightKg: ["5"]', 'Decimal must be a number, or a string such as "12.5"'],
])('a %s of another type (%s) is refused with what is accepted', async (_type, weight, message) => {
  const { errors } = await ask(
    `{ rates(input: { from: { country: "NL" }, to: { country: "ES" }, parcels: { boxes: [{ ${weight}, lengthCm: 1, widthCm: 1, heightCm: 1 }] } }) { __typename } }`,
  )
  expect(errors[0]?.message).toContain(message)
})

test('an instant and a country of another type are refused with an example', async () => {
  const { errors } = await ask(
    '{ rates(input: { from: { country: 31 }, to: { country: "ES" }, asOf: 2026, parcels: { boxes: [] } }) { __typename } }',
  )
  expect(errors.map(({ message }) => message).join()).toMatch(/such as "NL".*such as "2026-11-21T09:30:00Z"/)
})

test.each([
  [{ value: { amount: '1000000000' } }, ['value', 'amount'], 'value times count must be at most 10000000000'],
  [
    { value: { amount: '1' }, weightKg: '101' },
    ['weightKg'],
    'weightKg times count must be at most 100000000 kg',
  ],
  [
    { value: { amount: '1' }, quantities: [{ unit: '1000 sticks', amount: '1' }] },
    ['quantities', '0', 'amount'],
    'amount times count must be at most 100000000 sticks',
  ],
])('the value and the quantities of an item are limited, in the words of the schema: %o', async (given, path, message) => {
  const item = { description: 'gold', count: 1_000_000, ...given }
  const input = { from: { country: 'NL' }, to: { country: 'US' }, contentItems: [item] }
  const { data } = await ask(
    `query ($input: DutiesEstimateInput!) { dutiesEstimate(input: $input) {
      ... on InputProblem { fields { path message } } } }`,
    { input },
  )
  expect(data).toEqual({ dutiesEstimate: { fields: [{ path: ['contentItems', '0', ...path], message }] } })
})
