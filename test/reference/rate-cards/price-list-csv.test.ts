/** Price lists in all layouts, and the card that results from a price list and its base. */
import { describe, expect, test } from 'vitest'
import type { PriceRow } from '../../../src/core/rating/rate-card.ts'
import { describeImportFault } from '../../../src/reference/import/import-fault.ts'
import { csvFile } from '../../../src/reference/import/table-file.ts'
import { readWorkbook } from '../../../src/reference/import/workbook-sheet.ts'
import { type PriceTable, plainPrices } from '../../../src/reference/rate-cards/price-layout.ts'
import {
  type PriceListReading,
  priceSheet,
  readPriceList,
  unknownProducts,
  withPrices,
} from '../../../src/reference/rate-cards/price-list-csv.ts'
import { readRateCard } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { filesOf, SMALL_CARD } from '../../support/rates/card-files.ts'
import { makeWorkbook } from '../tariff-import/make-workbook.ts'

const fileOf = (text: string): PriceTable =>
  plainPrices(csvFile('prices.csv', new TextEncoder().encode(text)))
const read = (text: string): PriceListReading => readPriceList(fileOf(text))
const faultsOf = (text: string): string[] => read(text).faults.map(describeImportFault)

const band = (zone: number, over: number, upTo: number, cents: number): PriceRow => ({
  productId: 7101,
  zone,
  unit: 'KG',
  overGrams: over,
  upToGrams: upTo,
  priceCents: cents,
})

describe('a price per row', () => {
  test('starts a band where the previous band of its zone ends, the first one at 0', () => {
    const text = 'product_id,zone,up_to,price\n7101,0,5,4\n7101,1,2,9.5\n7101,0,30,6.20\n7101,1,30,12\n'
    expect(read(text).rows).toEqual([
      band(0, 0, 5000, 400),
      band(1, 0, 2000, 950),
      band(0, 5000, 30_000, 620),
      band(1, 2000, 30_000, 1200),
    ])
  })

  test('accepts the optional columns unit, over, step and step_price', () => {
    const text =
      'product_id;zone;unit;over;up_to;price;step;step_price\n' +
      '7101;0;;0;5;4;;\n7101;0;KG;;30;6.20;1;0.35\n7102;0;PER100KG;;100;55;;\n7103;0;PALLET:HALF;;;61;;\n'
    expect(read(text).rows).toEqual([
      band(0, 0, 5000, 400),
      { ...band(0, 5000, 30_000, 620), stepGrams: 1000, stepCents: 35 },
      { ...band(0, 0, 100_000, 5500), productId: 7102, unit: 'PER100KG' },
      { ...band(0, 0, 0, 6100), productId: 7103, unit: 'PALLET', palletClass: 'HALF' },
    ])
  })

  test('reports faults with row and column', () => {
    expect(faultsOf('product_id,zone,up_to,price\n7101,0,"5,500",4\n7101,0,,x\n7101,0,,5\n')).toEqual([
      'prices.csv, row 2, column up_to: expected a number with at most 3 decimals, written with a point, found "5,500"',
      'prices.csv, row 3, column price: expected a number with at most 2 decimals, found "x"',
      'prices.csv, row 4, column up_to: expected the weight up to which the price applies, found an empty cell',
    ])
    expect(faultsOf('product_id,zone,price\n7101,0,4\n')).toEqual([
      'prices.csv, row 2, column up_to: expected the weight up to which the price applies, found an empty cell',
    ])
    const { rows, locate } = read('product_id,zone,up_to,price\n\n7101,0,5,4\n')
    expect(rows).toHaveLength(1)
    expect(locate(0, 'priceCents')).toEqual({ file: 'prices.csv', row: 3, column: 'price' })
  })
})

describe('a mistake that repeats in every cell of a grid', () => {
  const ZONES = Array.from({ length: 200 }, (_, zone) => `zone ${zone}`)
  const grid = (cell: string, rows: number): string =>
    [
      ['product_id', 'up_to', ...ZONES].join(';'),
      ...Array.from({ length: rows }, (_, row) => ['7101', row + 1, ...ZONES.map(() => cell)].join(';')),
    ].join('\n')

  test('is one fault with a number', () => {
    expect(read(grid('9,500', 60)).faults).toEqual([
      {
        ...{ file: 'prices.csv', row: 2, column: 'zone 0', found: '9,500', more: 60 * 200 - 1 },
        expected: 'a number with at most 2 decimals, written with a point',
      },
    ])
    const split = grid('9,500', 60).replaceAll(';', ',')
    expect(read(split).faults).toEqual([
      expect.objectContaining({ row: 2, expected: '202 cells, as in the header', more: 59 }),
    ])
  })

  test('does not hide other faults', () => {
    const text = `${grid('9,500', 2)}\n${['x', 3, '-1', ...ZONES.slice(1).map(() => '4')].join(';')}`
    expect(read(text).faults).toEqual([
      expect.objectContaining({ row: 2, column: 'zone 0', more: 399 }),
      expect.objectContaining({ row: 4, column: 'product_id' }),
      expect.objectContaining({ row: 4, column: 'zone 0', found: '-1' }),
    ])
  })
})

describe('a column per zone', () => {
  const layouts = ['zone 0,zone 1', 'zone_0,ZONE_1', 'Zone0,Zone1', '0,1']

  test.each(layouts)('is recognised by the header %s', (zones) => {
    expect(read(`product_id,up_to,${zones}\n7101,5,4,9.50\n7101,30,6.20,12\n`).rows).toEqual([
      band(0, 0, 5000, 400),
      band(1, 0, 5000, 950),
      band(0, 5000, 30_000, 620),
      band(1, 5000, 30_000, 1200),
    ])
  })

  test('gives the same rows as a price per row', () => {
    const matrix = read('product_id,up_to,unit,1\n7101,5,KG,4\n7103,,PALLET:HALF,61\n')
    const long = read('product_id,zone,up_to,price,unit\n7101,1,5,4,KG\n7103,1,,61,PALLET:HALF\n')
    expect(matrix.rows).toHaveLength(2)
    expect(matrix.rows).toEqual(long.rows)
  })

  test('does not price an empty cell, and does not extend the next band over it', () => {
    expect(read('product_id,up_to,0,1\n7101,5,4,9\n7101,10,,10\n7101,30,6,12\n').rows).toEqual([
      band(0, 0, 5000, 400),
      band(1, 0, 5000, 900),
      band(1, 5000, 10_000, 1000),
      band(0, 10_000, 30_000, 600),
      band(1, 10_000, 30_000, 1200),
    ])
  })

  test('reports faults with row and column', () => {
    expect(faultsOf('product_id,up_to,zone 0,zone 1\n7101,5,4,"9,500"\n,30,-6,12\n')).toEqual([
      'prices.csv, row 2, column zone 1: expected a number with at most 2 decimals, written with a point, found "9,500"',
      'prices.csv, row 3, column product_id: expected a whole number, found an empty cell',
      'prices.csv, row 3, column zone 0: expected a number with at most 2 decimals, not below 0, found "-6"',
    ])
    expect(faultsOf('product_id,up_to,1,zone 1,step\n7101,5,4,4,\n')).toEqual([
      'prices.csv, row 1, column zone 1: expected one column for zone 1; "1" is for the same',
      'prices.csv, row 1, column step: expected no such column in a file with a column per zone or band (use the columns zone and price instead)',
    ])
    const { locate } = read('product_id,up_to,0,zone 1\n7101,5,4,9\n7101,10,,10\n')
    expect(locate(2, 'priceCents')).toEqual({ file: 'prices.csv', row: 3, column: 'zone 1' })
    expect(locate(2, 'overGrams')).toEqual({ file: 'prices.csv', row: 3, column: 'up_to' })
    expect(locate(1)).toEqual({ file: 'prices.csv', row: 2 })
  })
})

describe('a column per weight band', () => {
  const per100 = (zone: number, over: number, upTo: number, cents: number): PriceRow => ({
    ...band(zone, over, upTo, cents),
    unit: 'PER100KG',
  })

  test('starts a band where the column before it ends, and may have a unit', () => {
    const text =
      'product_id,zone,unit,up_to 50 KG,up_to 100,up_to 1000.5\n7101,0,PER100KG,4,9,7\n7101,1,PER100KG,5,,8\n'
    expect(read(text).rows).toEqual([
      band(0, 0, 50_000, 400),
      per100(0, 50_000, 100_000, 900),
      per100(0, 100_000, 1_000_500, 700),
      band(1, 0, 50_000, 500),
      per100(1, 100_000, 1_000_500, 800),
    ])
    const { locate } = read(text)
    expect(locate(1, 'overGrams')).toEqual({ file: 'prices.csv', row: 2, column: 'up_to 100' })
    expect(locate(4, 'priceCents')).toEqual({ file: 'prices.csv', row: 3, column: 'up_to 1000.5' })
    expect(locate(4, 'zone')).toEqual({ file: 'prices.csv', row: 3, column: 'zone' })
  })

  test('may have classes in rows', () => {
    expect(read('product_id,zone,unit,up_to 500,up_to 1000\n7101,1,CLASS:70,50,40\n').rows).toEqual([
      { ...band(1, 0, 500_000, 5000), unit: 'CLASS', palletClass: '70' },
      { ...band(1, 500_000, 1_000_000, 4000), unit: 'CLASS', palletClass: '70' },
    ])
  })

  test('reports faults with row and column', () => {
    expect(faultsOf('product_id,zone,unit,up_to 50\n7101,x,KG,4\n7101,1,SIZE:M,4\n7101,1,KG,a\n')).toEqual([
      'prices.csv, row 2, column zone: expected a whole number, found "x"',
      'prices.csv, row 3, column up_to 50: expected an empty cell, because a class has no weight band',
      'prices.csv, row 4, column up_to 50: expected a number with at most 2 decimals, found "a"',
    ])
    expect(faultsOf('product_id,zone,up_to,zone 1,up_to 50,up_to 50.0\n7101,1,5,4,4,4\n')).toEqual([
      'prices.csv, row 1, column up_to 50.0: expected one column for up_to 50; "up_to 50" is for the same',
      'prices.csv, row 1, column up_to: expected no such column in a file with a column per zone or band (use the columns zone and price instead)',
      'prices.csv, row 1, column zone 1: expected no such column in a file with a column per zone or band (use the columns zone and price instead)',
    ])
    expect(faultsOf('product_id,up_to 50\n7101,4\n')).toEqual([
      'prices.csv, row 1, column zone: expected this column in the header',
    ])
  })

  test('is found in a workbook', () => {
    const rows = [
      ['product_id', 'zone', 'up_to 50'],
      [7101, 1, 4.5],
      [null, 2, 5.5],
    ]
    const sheet = priceSheet(readWorkbook(makeWorkbook({ Prices: rows, Notes: [['x']] })))
    expect(readPriceList(plainPrices(sheet)).rows).toEqual([band(1, 0, 50_000, 450), band(2, 0, 50_000, 550)])
  })
})

test('a list of classes needs no column for weights, and a missing one is one fault', () => {
  expect(read('product_id,zone 1,unit\n7103,61,PALLET:HALF\n').rows).toEqual([
    { ...band(1, 0, 0, 6100), productId: 7103, unit: 'PALLET', palletClass: 'HALF' },
  ])
  expect(read(`product_id,zone 1\n${'7103,61\n'.repeat(50)}`).faults).toEqual([
    expect.objectContaining({ row: 2, column: 'up_to', more: 49 }),
  ])
})

describe('a price list', () => {
  test('is refused if it has neither layout or is empty', () => {
    expect(faultsOf('product_id,up_to,amount\n7101,5,4\n')).toEqual([
      'prices.csv, row 1: expected the columns zone and price, a column per zone such as "zone 1", or a column per band such as "up_to 50"',
    ])
    expect(faultsOf('')).toEqual(['prices.csv: expected a header row with the names of the columns'])
    expect(faultsOf('product_id,up_to,1\n')).toEqual([
      'prices.csv: expected at least one row below the header',
    ])
    expect(read('').rows).toBeUndefined()
  })

  test('causes a warning for unknown columns', () => {
    const { rows, warnings } = read('product_id,zone,up_to,price,unitt\n7101,0,5,4,KG\n')
    expect(rows).toHaveLength(1)
    expect(warnings.map(describeImportFault)).toEqual([
      'prices.csv, row 1, column unitt: expected a column of the format (perhaps unit); it is not read',
    ])
  })

  test('replaces all prices of its products, and no others', () => {
    const base = readRateCard(filesOf(SMALL_CARD)).card!.content
    const other = { ...band(0, 0, 1000, 1), productId: 7102 }
    const before = { ...base, prices: [other, ...base.prices] }
    const rows = [band(0, 0, 10_000, 999)]
    expect(withPrices(before, rows)).toEqual({ ...base, prices: [other, ...rows] })
  })

  test('reports each product that the card does not have at its first row', () => {
    const base = readRateCard(filesOf(SMALL_CARD)).card!.content
    const { rows } = read('product_id,zone,up_to,price\n7101,0,5,4\n9,0,5,4\n9,0,6,5\n8,0,5,4\n')
    expect(unknownProducts(base, rows!)).toEqual([
      { index: 1, productId: 9 },
      { index: 3, productId: 8 },
    ])
  })
})

describe('the limits of a column per zone', () => {
  test('refuse a list with more prices than allowed', () => {
    const text = 'product_id,up_to,zone 1,zone 2\n7101,5,4,4\n7101,30,6,\n'
    expect(readPriceList(fileOf(text), 3).rows).toHaveLength(3)
    expect(readPriceList(fileOf(text), 2).faults.map(describeImportFault)).toEqual([
      'prices.csv: expected at most 2 prices, found "3"',
    ])
  })

  test('count empty cells too', () => {
    const zones = Array.from({ length: 1_998 }, (_, zone) => zone)
    const empty = `7101,5${','.repeat(zones.length)}\n`
    expect(faultsOf(`product_id,up_to,${zones.join(',')}\n${empty.repeat(4_001)}`)).toEqual([
      'prices.csv: expected at most 8,000,000 cells, found "8,002,000"',
    ])
  })
})
