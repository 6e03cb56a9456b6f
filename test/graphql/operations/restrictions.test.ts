/** `restrictions` of `dutiesEstimate` and `landedCost`. */
import { expect, test } from 'vitest'
import { compileCustoms } from '../../../src/core/customs/compiled-customs.ts'
import type { RestrictionRow } from '../../../src/core/customs/data/row-types/restrictions.ts'
import { customsRows, jurisdiction } from '../../support/customs/customs-rows.ts'
import { fakePorts } from '../fake-ports.ts'
import { openInstance } from '../instance.ts'

const EMBARGO: RestrictionRow = {
  dataSet: 'test',
  rule: 'embargo',
  destinations: ['ES'],
  excludedDestinations: [],
  sentFrom: ['NL'],
  excludedSenders: [],
  codePrefixes: ['8471'],
  words: '',
  exceptWords: '',
  itemValueAbove: '',
  severity: 'prohibited',
  text: 'Computers must not be sent.',
  validFrom: '2026-01-01',
  validTo: null,
  source: 'Act 1',
  readOn: '2026-11-28',
  confidence: 'medium',
  note: '',
}
const BATTERIES: RestrictionRow = {
  ...EMBARGO,
  ...{ rule: 'batteries', destinations: [], sentFrom: [], codePrefixes: [], words: 'power bank' },
  ...{
    severity: 'carrier_restricted',
    text: 'Carriers take none.',
    source: '',
    readOn: null,
    confidence: 'low',
  },
}

const tables = compileCustoms(
  customsRows({
    jurisdictions: ['ES', 'NL', 'FR'].map((code) => jurisdiction(code)),
    restrictions: [BATTERIES, EMBARGO],
  }),
)
const { ask, faults } = openInstance({
  ports: fakePorts({ reference: { customsTables: () => tables } }),
})

const FIELDS = `restrictions { severity text itemIndexes
  rule { name source readOn validFrom validTo reliability dataSet { title } } }`
const ITEMS = `contentItems: [
  { description: "power bank", count: 1, value: { amount: "20" }, hsCode: "850760" }
  { description: "laptop", count: 1, value: { amount: "900" }, hsCode: "847130" }
]`
const EXPECTED = [
  {
    severity: 'PROHIBITED',
    text: 'Computers must not be sent.',
    itemIndexes: [1],
    rule: {
      ...{ name: 'embargo', source: 'Act 1', readOn: '2026-11-28', validFrom: '2026-01-01', validTo: null },
      ...{ reliability: 'MEDIUM', dataSet: { title: 'Test data' } },
    },
  },
  {
    severity: 'CARRIER_RESTRICTED',
    text: 'Carriers take none.',
    itemIndexes: [0],
    rule: {
      ...{ name: 'batteries', source: null, readOn: null, validFrom: '2026-01-01', validTo: null },
      ...{ reliability: 'LOW', dataSet: { title: 'Test data' } },
    },
  },
]

test('an estimate has the rules for its items, the most severe first', async () => {
  const answer =
    await ask(`{ dutiesEstimate(input: { from: { country: "NL" }, to: { country: "ES" }, ${ITEMS} }) {
    ... on DutiesEstimate { total { amount } ${FIELDS} } } }`)
  expect(answer).toMatchObject({
    data: { dutiesEstimate: { total: { amount: '0.00' }, restrictions: EXPECTED } },
  })
  expect(faults).toEqual([])
})

test('another sender has other rules', async () => {
  const answer =
    await ask(`{ dutiesEstimate(input: { from: { country: "FR" }, to: { country: "ES" }, ${ITEMS} }) {
    ... on DutiesEstimate { restrictions { rule { name } itemIndexes } } } }`)
  expect(answer).toMatchObject({
    data: { dutiesEstimate: { restrictions: [{ rule: { name: 'batteries' }, itemIndexes: [0] }] } },
  })
})

const PARCEL = '{ count: 1, weightKg: 5, lengthCm: 40, widthCm: 30, heightCm: 20 }'

test.each([
  ['with options', 5],
  ['without options', 5000],
])('a landed cost has the same rules, %s', async (_name, weightKg) => {
  const parcel = PARCEL.replace('weightKg: 5', `weightKg: ${weightKg}`)
  const answer =
    await ask(`{ landedCost(input: { ${ITEMS}, rates: { from: { country: "NL" }, to: { country: "ES" },
    parcels: { boxes: [${parcel}] }, recipientType: BUSINESS } }) {
    ... on LandedCost { options { total { amount } } ${FIELDS} } } }`)
  expect(answer).toMatchObject({ data: { landedCost: { restrictions: EXPECTED } } })
  expect(faults).toEqual([])
})
