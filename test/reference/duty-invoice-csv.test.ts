import { expect, test } from 'vitest'
import { compileExchangeRates } from '../../src/core/customs/data/exchange-rate.ts'
import { type InvoiceColumns, readDutyInvoice } from '../../src/reference/duty-invoice-csv.ts'

const rates = compileExchangeRates([
  {
    ...{ dataSet: 'test', currency: 'USD', unitsPerEuro: '1.25', validFrom: '2026-01-01' },
    ...{ confidence: 'high', note: '' },
  },
  {
    ...{ dataSet: 'test', currency: 'USD', unitsPerEuro: '1.6', validFrom: '2026-11-01' },
    ...{ confidence: 'high', note: '' },
  },
])

const read = (text: string, columns: InvoiceColumns = {}) =>
  readDutyInvoice('invoice.csv', Buffer.from(text), columns, rates)

test('reads names, amounts and currencies', () => {
  const { charges, faults, warnings } = read(
    'estimate_id,shipment_id,reference,duty,tax,fees,total,currency,date\n' +
      'est_1,shp_1,r1,1.00,2.5,0.25,3.75,,\n' +
      ',shp_2,r2,,,,10,EUR,2026-11-02\n' +
      ',,order 3,4,,,,USD,2026-10-31\n' +
      ',,order 4,4,,,5,USD,2026-11-01\n',
  )
  expect({ faults, warnings }).toEqual({ faults: [], warnings: [] })
  expect(charges).toEqual([
    { row: 2, by: 'estimate_id', name: 'est_1', chargedCents: 375 },
    { row: 3, by: 'shipment_id', name: 'shp_2', chargedCents: 1_000 },
    { row: 4, by: 'reference', name: 'order 3', chargedCents: 320 },
    { row: 5, by: 'reference', name: 'order 4', chargedCents: 313 },
  ])
})

test('reads columns with other names', () => {
  const { charges } = read('AWB;"Amount; due"\nA1;12.30\n', { reference: 'AWB', total: 'Amount; due' })
  expect(charges).toEqual([{ row: 2, by: 'reference', name: 'A1', chargedCents: 1_230 }])
})

test.each([
  ['reference,total\n,5\n', 2, 'estimate_id'],
  ['reference,total\nr,\n', 2, 'total'],
  ['reference,total\nr,1.005\n', 2, 'total'],
  ['reference,total\nr,-5\n', 2, 'total'],
  ['reference,total\nr,5\nr2,abc\n', 3, 'total'],
  ['reference,duty,tax,fees,total\nr,1,2,3,6.01\n', 2, 'total'],
  ['reference,duty,total\nr,7,6\n', 2, 'total'],
  ['reference,total,currency\nr,5,USD\n', 2, 'date'],
  ['reference,total,currency,date\nr,5,XYZ,2026-11-01\n', 2, 'currency'],
  ['reference,total,currency\nr,5,eur\n', 2, 'currency'],
  ['reference,total,currency,date\nr,5,USD,01/11/2026\n', 2, 'date'],
])('names the row and column of the fault in %j', (text, row, column) => {
  const { charges, faults } = read(text)
  expect(charges).toBeUndefined()
  expect(faults).toMatchObject([{ file: 'invoice.csv', row, column }])
})

test('an empty file is a fault', () => {
  expect(read('reference,total\n').faults).toHaveLength(1)
  expect(read('').faults).toHaveLength(1)
})
