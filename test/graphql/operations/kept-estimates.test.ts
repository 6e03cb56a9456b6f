/** `saveEstimate` and `keptEstimate` through the door, on a store in memory. */
import { expect, test } from 'vitest'
import { compileCustoms } from '../../../src/core/customs/compiled-customs.ts'
import { customsRows, jurisdiction, measure, tax, taxRate } from '../../support/customs/customs-rows.ts'
import { fakePorts } from '../fake-ports.ts'
import { openInstance } from '../instance.ts'
import { PROBLEM } from './input-problem.ts'

const place = (country: string, code: string) => ({
  ...{ dataSet: 'test', country, postalFrom: '', postalTo: '', name: country, jurisdiction: code },
})
const tables = compileCustoms(
  customsRows({
    jurisdictions: [jurisdiction('AA'), jurisdiction('BB')],
    territories: [place('ES', 'AA'), place('NL', 'BB')],
    measures: [measure('610910', 12)],
    taxes: [tax('VAT', { name: 'Value added tax' })],
    taxRates: [taxRate('VAT', 20)],
  }),
)
const open = (countMax = 1_000, bytesMax = 1_000_000) =>
  openInstance({
    ports: {
      ...fakePorts({ reference: { customsTables: () => tables } }),
      estimateTerms: { keptDays: 90, countMax, bytesMax },
    },
  })
const { ask } = open()

const KEPT = `id createdAt expiresAt shipmentId reference from { country } to { country } total { amount }
  customsValue { amount } hsCode complete date customsRevision
  lines { hsCode kind name amount { amount } calculated }`
const SAVE = `mutation ($input: SaveEstimateInput!) { saveEstimate(input: $input) { __typename ${PROBLEM}
  ... on EstimateSaved { alreadySaved estimate { ${KEPT} } } ... on Problem { code message } } }`

const ESTIMATE = {
  ...{ from: { country: 'NL' }, to: { country: 'ES' } },
  contentItems: [{ description: 't-shirts', count: 2, value: { amount: '50' }, hsCode: '6109.10' }],
}

type Saved = {
  readonly saveEstimate: {
    readonly __typename: string
    readonly alreadySaved: boolean
    readonly estimate: { readonly id: string }
  }
}
const save = async (input: object, instance = ask): Promise<Saved['saveEstimate']> => {
  const { data, errors } = await instance(SAVE, { input })
  expect(errors).toEqual([])
  return (data as Saved).saveEstimate
}

test('keeps an estimate with its lines, and returns it by its id', async () => {
  const saved = await save({ estimate: ESTIMATE, shipmentId: 'demo-booked', reference: ' order 1 ' })
  expect(saved).toMatchObject({
    ...{ __typename: 'EstimateSaved', alreadySaved: false },
    estimate: {
      ...{ shipmentId: 'demo-booked', reference: 'order 1', from: { country: 'NL' }, to: { country: 'ES' } },
      ...{
        total: { amount: '34.40' },
        customsValue: { amount: '100.00' },
        complete: true,
        customsRevision: 7,
      },
      lines: [
        { kind: 'DUTY', amount: { amount: '12.00' }, calculated: true },
        { kind: 'VAT', name: 'Value added tax', amount: { amount: '22.40' }, calculated: true },
      ],
    },
  })
  const read = async (id: string) =>
    (await ask(`query ($id: ID!) { keptEstimate(id: $id) { ${KEPT} } }`, { id })).data
  expect(await read(saved.estimate.id)).toEqual({ keptEstimate: saved.estimate })
  expect(await read('est_unknown')).toEqual({ keptEstimate: null })
  expect(await read(`est_${'2'.repeat(22)}`)).toEqual({ keptEstimate: null })
})

test('a repeated key returns the same estimate, and is refused with another input', async () => {
  const input = { estimate: ESTIMATE, idempotencyKey: 'order-2' }
  const first = await save(input)
  expect(await save(input)).toEqual({ ...first, alreadySaved: true })
  const other = await save({ ...input, reference: 'another' })
  expect(other).toMatchObject({ __typename: 'IdempotencyConflict', code: 'IDEMPOTENCY_CONFLICT' })
})

test('an account may keep only so many', async () => {
  const { ask: askFew } = open(1)
  expect((await save({ estimate: ESTIMATE }, askFew)).__typename).toBe('EstimateSaved')
  expect(await save({ estimate: ESTIMATE }, askFew)).toMatchObject({
    ...{ __typename: 'EstimateQuotaExceeded', code: 'QUOTA_EXCEEDED' },
    message: 'The account has reached its limit of 1 kept estimates. An estimate is kept for 90 days',
  })
  const { ask: askSmall } = open(1_000, 100)
  await save({ estimate: ESTIMATE }, askSmall)
  expect(await save({ estimate: ESTIMATE }, askSmall)).toMatchObject({
    message:
      'The account has reached its limit of 100 bytes of kept estimates. An estimate is kept for 90 days',
  })
})

test('lists the faults of the estimate and of the rest', async () => {
  const input = {
    estimate: { ...ESTIMATE, to: { country: 'XX' } },
    ...{ shipmentId: 'of-another-account', reference: 'x'.repeat(101), idempotencyKey: '' },
  }
  expect(await save(input)).toMatchObject({
    __typename: 'InputProblem',
    fields: [
      { path: ['estimate', 'to', 'country'], code: 'UNKNOWN_VALUE' },
      { path: ['reference'], code: 'TOO_LONG' },
      { path: ['idempotencyKey'], code: 'MALFORMED' },
      { path: ['shipmentId'], code: 'UNKNOWN_VALUE' },
    ],
  })
})
