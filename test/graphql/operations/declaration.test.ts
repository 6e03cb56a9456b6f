/** `customsDeclaration` through the door. The documents themselves are tested in core. */
import { describe, expect, test } from 'vitest'
import { compileCustoms } from '../../../src/core/customs/compiled-customs.ts'
import { customsRows, jurisdiction } from '../../support/customs/customs-rows.ts'
import { fakePorts } from '../fake-ports.ts'
import { openInstance } from '../instance.ts'
import { PROBLEM } from './input-problem.ts'

const tables = compileCustoms(
  customsRows({
    jurisdictions: [jurisdiction('DE', { customsAreas: ['EU'] }), jurisdiction('CN')],
    territories: ['DE', 'CN'].map((country) => ({
      ...{ dataSet: 'test', country, postalFrom: '', postalTo: '', name: country, jurisdiction: country },
    })),
  }),
)

const CANDIDATE = {
  ...{ code: '610910', label: 'T-shirts, of cotton', confidence: 0.91234 },
  ...{ matchedTerms: ['t-shirt'], questions: [] },
}
const classified: string[] = []

const { ask } = openInstance({
  ports: fakePorts({
    reference: { customsTables: () => tables },
    classifier: {
      classify: async (descriptions) => {
        classified.push(...descriptions)
        return descriptions.map((text) => (text.includes('shirt') ? [CANDIDATE] : []))
      },
    },
  }),
})

const FIELD = '{ number name value }'
const QUERY = `query ($input: CustomsDeclarationInput!) { customsDeclaration(input: $input) {
  __typename ${PROBLEM} ... on CustomsDeclaration { form complete totalValue { amount currency }
    netWeight { kilograms } grossWeight { kilograms } boxes ${FIELD} h7 { elements ${FIELD} } h7Reason
    items { index value { amount } netWeight { kilograms } boxes ${FIELD} h7Elements ${FIELD}
      descriptionProblem { code terms } proposedHsCode { hsCode description confidence } }
    missing { document number name path required } } } }`

const SHIRTS = { description: 'cotton t-shirts', count: 2, value: { amount: '12.50' }, weightKg: '0.2' }
const INPUT = {
  from: { country: 'CN', postalCode: '518000', city: 'Shenzhen' },
  to: { country: 'DE', city: 'Berlin' },
  category: 'SALE_OF_GOODS',
  items: [
    { goods: { ...SHIRTS, hsCode: '6109.10', originCountry: 'CN' }, merchantProductId: 'TS-1' },
    { goods: SHIRTS, gtin: '4006381333931' },
    { goods: { ...SHIRTS, description: 'Gift', weightKg: undefined } },
  ],
  sender: { company: 'Shenzhen Shirts', street: 'Futian 1' },
  recipient: { name: 'Ada Janssen', street: 'Allee 1' },
  grossWeightKg: '1',
  vatCollection: 'STANDARD',
}

describe('customsDeclaration', () => {
  test('presents the documents, what is missing, and proposals for items without a code', async () => {
    const { data, errors } = await ask(QUERY, { input: INPUT })
    expect(errors).toEqual([])
    expect(data).toMatchObject({
      customsDeclaration: {
        ...{ __typename: 'CustomsDeclaration', form: 'CN22', complete: false },
        totalValue: { amount: '75.00', currency: 'EUR' },
        netWeight: null,
        grossWeight: { kilograms: '1' },
        boxes: expect.arrayContaining([
          { number: null, name: 'To: city', value: 'Berlin' },
          { number: '7', name: 'Total value', value: 'EUR 75.00' },
        ]),
        h7: {
          elements: expect.arrayContaining([
            { number: '13 04 000 000', name: 'Importer: name', value: 'Ada Janssen' },
          ]),
        },
        items: [
          { index: 0, value: { amount: '25.00' }, netWeight: { kilograms: '0.4' }, proposedHsCode: null },
          {
            ...{ index: 1, descriptionProblem: null },
            proposedHsCode: { hsCode: '610910', description: 'T-shirts, of cotton', confidence: 0.912 },
          },
          {
            ...{ index: 2, netWeight: null, proposedHsCode: null },
            descriptionProblem: { code: 'VAGUE', terms: ['Gift'] },
          },
        ],
        missing: expect.arrayContaining([
          {
            ...{ document: 'CN22', number: null, name: 'To: postcode' },
            ...{ path: ['to', 'postalCode'], required: false },
          },
          {
            ...{ document: 'CN22', number: '2', name: 'Net weight (in kg)' },
            ...{ path: ['items', '2', 'goods', 'weightKg'], required: true },
          },
          {
            ...{ document: 'H7', number: '18 09 056 000', name: 'Harmonised System sub-heading code' },
            ...{ path: ['items', '1', 'goods', 'hsCode'], required: true },
          },
        ]),
      },
    })
    expect(classified).toEqual(['cotton t-shirts', 'Gift'])
  })

  test('reports the faults of the input by the names of the schema', async () => {
    const goods = { ...SHIRTS, value: { amount: '-1' }, weightKg: 'x' }
    const input = { ...INPUT, items: [{ goods, gtin: '1' }], to: { country: 'XX' }, grossWeightKg: '0.0001' }
    const { data } = await ask(QUERY, { input })
    expect(data).toMatchObject({
      customsDeclaration: {
        __typename: 'InputProblem',
        fields: [
          { path: ['items', '0', 'goods', 'value', 'amount'], code: 'OUT_OF_RANGE' },
          { path: ['items', '0', 'goods', 'weightKg'], code: 'MALFORMED' },
          { path: ['to', 'country'], code: 'UNKNOWN_VALUE' },
          { path: ['items', '0', 'gtin'], code: 'MALFORMED' },
          { path: ['grossWeightKg'], code: 'MALFORMED' },
        ],
      },
    })
  })
})
