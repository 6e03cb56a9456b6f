/** Agreed codes in customs declarations. The documents are tested in core, the door in test/graphql. */
import { expect, test } from 'vitest'
import { compileCustoms } from '../../src/core/customs/compiled-customs.ts'
import { declareCustoms } from '../../src/operations/declare-customs.ts'
import { fakePorts } from '../graphql/fake-ports.ts'
import { customsRows, jurisdiction } from '../support/customs/customs-rows.ts'

const tables = compileCustoms(
  customsRows({
    jurisdictions: [jurisdiction('DE', { customsAreas: ['EU'] }), jurisdiction('CN')],
    territories: ['DE', 'CN'].map((country) => ({
      ...{ dataSet: 'test', country, postalFrom: '', postalTo: '', name: country, jurisdiction: country },
    })),
  }),
)
const ports = fakePorts({ reference: { customsTables: () => tables } })

test('the agreed code of a product is declared, unless the item has a code; other goods get a proposal', async () => {
  const goods = { description: 'cotton t-shirts', numberOfItems: 1, cost: '10', weightKg: '0.2' }
  const input = {
    from: { country: 'CN' },
    to: { country: 'DE', city: 'Berlin', postalCode: '10115' },
    category: 'SALE_OF_GOODS',
    items: [
      { goods: { ...goods, sku: 'A' } },
      { goods: { ...goods, sku: 'A', tariff: '610990' } },
      { goods: { ...goods, description: 'cotton t-shirts of B', sku: 'B' } },
      { goods },
    ],
  }
  const classified: string[] = []
  const outcome = await declareCustoms(
    ports,
    { agreedCodes: () => new Map([['A', '6109100010']]) },
    input,
    async (items) => {
      classified.push(...items.map(({ description }) => description))
      return items.map(() => [
        { code: '620520', label: 'Shirts', confidence: 0.5, matchedTerms: [], questions: [] },
      ])
    },
  )
  if (outcome.kind !== 'CustomsDeclaration') throw new Error(JSON.stringify(outcome))
  const codesOf = (fields: readonly { readonly name: string; readonly value: string }[]): string[] =>
    fields.filter(({ name }) => name.startsWith('Harmonised System')).map(({ value }) => value)
  expect(outcome.items.map(({ h7 }) => codesOf(h7))).toEqual([['610910'], ['610990'], [], []])
  expect(outcome.proposals.map((proposal) => proposal?.code)).toEqual([
    undefined,
    undefined,
    '620520',
    '620520',
  ])
  expect(classified).toEqual(['cotton t-shirts of B', 'cotton t-shirts'])
})
