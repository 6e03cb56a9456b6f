import { describe, expect, test } from 'vitest'
import { compileCustoms } from '../../../../src/core/customs/compiled-customs.ts'
import { type CustomsDeclaration, declare } from '../../../../src/core/customs/declaration/declaration.ts'
import {
  checkDeclarationRequest,
  type DeclarationInput,
} from '../../../../src/core/customs/declaration/request.ts'
import { readDescriptionWords } from '../../../../src/reference/description-words.ts'
import { customsRows, jurisdiction } from '../../../support/customs/customs-rows.ts'

const place = (country: string) => ({
  ...{ dataSet: 'test', country, postalFrom: '', postalTo: '', name: country, jurisdiction: country },
})

const territories = compileCustoms(
  customsRows({
    jurisdictions: [
      jurisdiction('DE', { customsAreas: ['EU'], taxAreas: ['EU'] }),
      jurisdiction('NL', { customsAreas: ['EU'], taxAreas: ['EU'] }),
      jurisdiction('CN'),
      jurisdiction('CH'),
    ],
    territories: ['DE', 'NL', 'CN', 'CH'].map(place),
  }),
)
const words = readDescriptionWords()

const SHIRTS = {
  description: 'knitted cotton t-shirts for men',
  numberOfItems: 3,
  cost: '10.005',
  tariff: '61091000',
  originCountry: 'CN',
  weight: '0.2',
}
const PRODUCT = { merchantProductId: 'TS-1', manufacturerProductId: 'M-77', gtin: '4006381333931' }

const WHOLE: DeclarationInput = {
  from: { country: 'CN', zipcode: '518000', city: 'Shenzhen' },
  to: { country: 'DE', zipcode: '10115', city: 'Berlin' },
  items: [{ goods: SHIRTS, ...PRODUCT }],
  category: 'SALE_OF_GOODS',
  sender: { company: 'Shenzhen Shirts', street: 'Futian 1', eoriNumber: 'DE123456' },
  recipient: { name: 'Ada Janssen', company: 'c/o Janssen', street: 'Allee 1', phone: '+49 30 5550100' },
  grossWeightKg: '0.75',
  shippingCost: '4.9',
  insurance: '0.1',
  invoiceNumber: 'R-1042',
  iossNumber: 'im3720000224',
}

function declaration(change: Partial<DeclarationInput> = {}): CustomsDeclaration {
  const request = checkDeclarationRequest({ ...WHOLE, ...change })
  if ('kind' in request) throw new Error(JSON.stringify(request.fields))
  return declare({ territories, words }, request)
}

/** An input with other goods. */
const goods = (...changes: readonly object[]) => ({
  items: changes.map((change) => ({ goods: { ...SHIRTS, ...change }, ...PRODUCT })),
})

const lines = (fields: CustomsDeclaration['fields']): readonly string[] =>
  fields.map(({ number = '-', name, value }) => `${number} ${name}: ${value}`)

const gaps = ({ missing }: CustomsDeclaration): readonly string[] =>
  missing.map(
    ({ document, number = '-', path, required }) =>
      `${document} ${number} ${path.join('.')}${required ? '' : ' (recommended)'}`,
  )

describe('a complete sale to a consumer in the EU', () => {
  const result = declaration()

  test('has the boxes of a CN 22', () => {
    expect(result).toMatchObject({ form: 'CN22', complete: true, missing: [] })
    expect(lines(result.fields)).toEqual([
      '- From: name: Shenzhen Shirts',
      '- From: street: Futian 1',
      '- From: postcode: 518000',
      '- From: city: Shenzhen',
      '- From: country: CN',
      '- To: name: Ada Janssen',
      '- To: business: c/o Janssen',
      '- To: street: Allee 1',
      '- To: postcode: 10115',
      '- To: city: Berlin',
      '- To: country: DE',
      '- Category of item: Sale of goods',
      '6 Total weight (in kg): 0.75',
      '7 Total value: EUR 30.02',
    ])
    expect(lines(result.items[0]!.fields)).toEqual([
      '1 Quantity and detailed description of contents: 3 knitted cotton t-shirts for men',
      '2 Net weight (in kg): 0.6',
      '3 Value: EUR 30.02',
      '4 HS tariff number: 610910',
      '5 Country of origin of goods: CN',
    ])
  })

  test('has the elements of H7', () => {
    expect(result.h7Reason).toBe('The goods are sold to a consumer, and their value is at most EUR 150.00.')
    expect(lines(result.h7 ?? []).filter((line) => !/^13 0/.test(line))).toEqual([
      '12 03 000 000 Supporting document: invoice: R-1042',
      '13 16 000 000 Additional fiscal reference: FR5 IM3720000224',
      '14 15 000 000 Transport and insurance costs to the destination: EUR 5.00',
      '18 04 000 000 Gross mass (kg): 0.75',
    ])
    expect(lines(result.items[0]!.h7)).toEqual([
      '11 03 000 000 Goods item number: 1',
      '11 10 000 000 Additional procedure: F48',
      '14 14 000 000 Intrinsic value: EUR 30.02',
      '18 05 000 000 Description of goods: knitted cotton t-shirts for men',
      '18 09 056 000 Harmonised System sub-heading code: 610910',
      '- Merchant product identifier: TS-1',
      '- Non-standardised manufacturer product identifier: M-77',
      '- Standardised manufacturer product identifier: 4006381333931',
    ])
  })
})

test('a CN 23 has the boxes that the CN 22 lacks', () => {
  const result = declaration({
    ...goods({ cost: '200' }),
    ...{ comments: 'none', licenceNumber: 'L1', certificateNumber: 'C1', importerReference: 'VAT 9' },
  })
  expect(lines(result.fields).slice(11)).toEqual([
    '10 Category of item: Sale of goods',
    '4 Total gross weight (in kg): 0.75',
    '6 Total value: EUR 600.00',
    "- Sender's customs reference: IM3720000224, DE123456",
    "- Importer's reference: VAT 9",
    "- Importer's telephone, fax or e-mail: +49 30 5550100",
    '9 Postal charges/Fees: EUR 4.90',
    '11 Comments: none',
    '12 Licence: L1',
    '13 Certificate: C1',
    '14 Invoice: R-1042',
  ])
  expect(lines(result.items[0]!.fields)).toEqual([
    '1 Detailed description of contents: knitted cotton t-shirts for men',
    '2 Quantity: 3',
    '3 Net weight (in kg): 0.6',
    '5 Value: EUR 600.00',
    '7 HS tariff number: 610910',
    '8 Country of origin of goods: CN',
  ])
})

test('totals are the sums of the rounded items', () => {
  const { items, totals } = declaration({ ...goods({ numberOfItems: 1 }, { numberOfItems: 1 }) })
  expect(items.map(({ valueCents, netGrams }) => [valueCents, netGrams])).toEqual([
    [1001, 200],
    [1001, 200],
  ])
  expect(totals).toEqual({ valueCents: 2002, netGrams: 400, grossGrams: 750 })
})

describe('the form', () => {
  test.each([
    ['CN22', '348.58', '2'],
    ['CN23', '348.59', '2'],
    ['CN23', '348.58', '2.001'],
  ])('is %s at EUR %s and %s kg', (form, cost, grossWeightKg) => {
    expect(declaration({ ...goods({ cost, numberOfItems: 1 }), grossWeightKg }).form).toBe(form)
  })

  test('depends on the net weight if the gross weight is not known', () => {
    const grossWeightKg = undefined
    expect(declaration({ grossWeightKg }).form).toBe('CN22')
    expect(declaration({ grossWeightKg, ...goods({ weight: '0.667' }) }).form).toBe('CN23')
  })

  test('is CN 23 if no weight is known', () => {
    const result = declaration({ grossWeightKg: undefined, ...goods({ weight: undefined }) })
    expect(result.form).toBe('CN23')
    expect(result.formReason).toContain('The weight is not known.')
  })

  test('is not needed within a customs territory, so nothing is missing', () => {
    const result = declaration({
      from: { country: 'NL' },
      ...goods({ description: 'gift' }),
      sender: undefined,
    })
    expect(result).toMatchObject({ form: undefined, fields: [], h7: undefined, missing: [], complete: true })
  })
})

describe('what is missing', () => {
  const bare = { description: 'leather handbag', numberOfItems: 1, cost: '20' }

  test('is listed by document and field', () => {
    const result = declaration({
      ...{ from: { country: 'CN' }, to: { country: 'DE' }, items: [{ goods: bare }] },
      ...{ sender: undefined, recipient: undefined, grossWeightKg: undefined },
      ...{ shippingCost: undefined, insurance: undefined, invoiceNumber: undefined, iossNumber: undefined },
    })
    expect(result.complete).toBe(false)
    const address = (document: string, numbers: readonly [string, string]) =>
      (['sender', 'recipient'] as const).flatMap((end, nth) => [
        `${document} ${numbers[nth]} ${end}.name`,
        `${document} ${numbers[nth]} ${end}.street`,
        `${document} ${numbers[nth]} ${['from', 'to'][nth]}.zipcode (recommended)`,
        `${document} ${numbers[nth]} ${['from', 'to'][nth]}.city`,
      ])
    expect(gaps(result)).toEqual([
      ...address('CN23', ['-', '-']),
      'CN23 4 grossWeightKg',
      'CN23 - recipient.phone (recommended)',
      'CN23 14 invoiceNumber',
      'H7 12 03 000 000 invoiceNumber (recommended)',
      ...address('H7', ['13 01 000 000', '13 04 000 000']),
      'H7 14 15 000 000 shippingCost',
      'H7 18 04 000 000 grossWeightKg',
      'CN23 3 items.0.goods.weight',
      'CN23 7 items.0.goods.tariff',
      'CN23 8 items.0.goods.originCountry',
      'H7 11 10 000 000 vatCollection',
      'H7 18 09 056 000 items.0.goods.tariff',
      'H7 - items.0.merchantProductId',
      'H7 - items.0.manufacturerProductId',
      'H7 - items.0.gtin (recommended)',
    ])
  })

  test('is the IOSS number under IOSS', () => {
    const result = declaration({ iossNumber: undefined, vatCollection: 'IOSS' })
    expect(gaps(result)).toEqual(['H7 13 16 000 000 iossNumber'])
  })

  test('is the explanation of another category', () => {
    const result = declaration({ category: 'OTHER', iossNumber: undefined })
    expect(gaps(result)).toEqual(['CN22 - categoryExplanation'])
    expect(declaration({ category: 'OTHER', categoryExplanation: 'loan' }).complete).toBe(true)
  })

  test('is no code on a CN 22 of a gift', () => {
    const gift = { category: 'GIFT', iossNumber: undefined, invoiceNumber: undefined }
    const result = declaration({ ...gift, ...goods({ tariff: undefined, originCountry: undefined }) })
    expect(gaps(result)).toEqual([
      'H7 12 03 000 000 invoiceNumber (recommended)',
      'H7 18 09 056 000 items.0.goods.tariff',
    ])
  })

  test('includes no description that customs refuses, but the declaration is not complete', () => {
    const result = declaration(goods({ description: 'clothes' }))
    expect(result.items[0]?.descriptionFault?.code).toBe('VAGUE')
    expect(result).toMatchObject({ missing: [], complete: false })
  })
})

describe('H7', () => {
  const gift = { category: 'GIFT', iossNumber: undefined, invoiceNumber: undefined }

  test.each([
    ['F48', {}],
    ['F49', { iossNumber: undefined, vatCollection: 'SPECIAL_ARRANGEMENTS' }],
    ['F53', { iossNumber: undefined, vatCollection: 'STANDARD' }],
    ['C08', { ...gift, ...goods({ cost: '15' }) }],
  ])('has the additional procedure %s', (code, change) => {
    expect(lines(declaration(change).items[0]!.h7)).toContain(`11 10 000 000 Additional procedure: ${code}`)
  })

  test('has no additional procedure for a gift above EUR 45', () => {
    expect(gaps(declaration({ ...gift, ...goods({ cost: '15.01' }) }))).toContain('H7 11 10 000 000 category')
  })

  test.each([
    ['The goods are not imported into the customs territory of the EU.', { to: { country: 'CH' } }],
    ['The value of EUR 150.03 is above EUR 150.00: H1 is needed.', goods({ cost: '50.01' })],
    ['The recipient is a business: H1 is needed.', { recipientType: 'business' }],
    ['H1 is needed for alcohol, tobacco and perfume, such as code 220421.', goods({ tariff: '220421' })],
    [
      'H7 is for goods that are sold to consumers and for gifts. Ask the declarant.',
      { category: 'DOCUMENTS' },
    ],
  ])('is not used: %s', (reason, change) => {
    const result = declaration(change)
    expect(result).toMatchObject({ h7: undefined, h7Reason: reason })
    expect(result.items[0]?.h7).toEqual([])
    expect(gaps(result).filter((gap) => gap.startsWith('H7'))).toEqual([])
  })
})

describe('faults of the input', () => {
  const faults = (change: Partial<DeclarationInput>): readonly string[] => {
    const request = checkDeclarationRequest({ ...WHOLE, ...change })
    return 'kind' in request ? request.fields.map(({ path, code }) => `${path.join('.')} ${code}`) : []
  }

  test.each<readonly [string, Partial<DeclarationInput>, readonly string[]]>([
    ['no items', { items: [] }, ['items REQUIRED']],
    ['items that are no list', { items: 'shirts' }, ['items WRONG_TYPE']],
    ['100 items', { items: Array.from({ length: 100 }, () => ({ goods: SHIRTS })) }, ['items TOO_MANY']],
    ['an item without goods', { items: [{}] }, ['items.0.goods WRONG_TYPE']],
    ['goods without a value', goods({ cost: undefined }), ['items.0.goods.cost REQUIRED']],
    ['no category', { category: undefined }, ['category REQUIRED']],
    ['an unknown category', { category: 'FUN' }, ['category UNKNOWN_VALUE']],
    ['a gift with an invoice', { category: 'GIFT' }, ['category CONFLICT']],
    [
      'a wrong check digit',
      { items: [{ goods: SHIRTS, gtin: '4006381333932' }] },
      ['items.0.gtin MALFORMED'],
    ],
    ['a GTIN of 9 digits', { items: [{ goods: SHIRTS, gtin: '400638133' }] }, ['items.0.gtin MALFORMED']],
    [
      'a long SKU',
      { items: [{ goods: SHIRTS, merchantProductId: 'x'.repeat(71) }] },
      ['items.0.merchantProductId TOO_LONG'],
    ],
    ['an IOSS number without IM', { iossNumber: '3720000224' }, ['iossNumber MALFORMED']],
    ['an IOSS number without IOSS', { vatCollection: 'STANDARD' }, ['vatCollection CONFLICT']],
    ['less gross than net weight', { grossWeightKg: '0.599' }, ['grossWeightKg CONFLICT']],
    ['an EORI number of digits', { sender: { eoriNumber: '123' } }, ['sender.eoriNumber MALFORMED']],
    ['a long invoice number', { invoiceNumber: '1'.repeat(71) }, ['invoiceNumber TOO_LONG']],
    [
      'several faults',
      { to: { country: 'XX' }, comments: 'c'.repeat(201), grossWeightKg: '-1' },
      ['to.country UNKNOWN_VALUE', 'grossWeightKg OUT_OF_RANGE', 'comments TOO_LONG'],
    ],
  ])('%s', (_name, change, expected) => {
    expect(faults(change)).toEqual(expected)
  })

  test.each([
    '40063813 33931',
    '96385074',
    '036000291452',
    '10012345678902',
  ])('accepts the GTIN %s', (gtin) => {
    expect(faults({ items: [{ goods: SHIRTS, gtin }] })).toEqual([])
  })
})
