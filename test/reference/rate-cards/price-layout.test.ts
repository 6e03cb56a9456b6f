/** Price lists in a carrier's own layout: names of columns and products, zones with different bands, new columns. */
import { describe, expect, test } from 'vitest'
import { describeImportFault } from '../../../src/reference/import/import-fault.ts'
import { csvFile } from '../../../src/reference/import/table-file.ts'
import { readWorkbook } from '../../../src/reference/import/workbook-sheet.ts'
import { inLayout, layoutSheet, readPriceLayout } from '../../../src/reference/rate-cards/price-layout.ts'
import { readPriceList } from '../../../src/reference/rate-cards/price-list-csv.ts'
import { makeWorkbook, type TestCell } from '../tariff-import/make-workbook.ts'

const bytes = (...lines: readonly string[]): Uint8Array => new TextEncoder().encode(`${lines.join('\n')}\n`)
const layoutOf = (...lines: readonly string[]) =>
  readPriceLayout('layout.csv', bytes('kind,name,value', ...lines))
const faultsOf = (...lines: readonly string[]) => layoutOf(...lines).faults.map(describeImportFault)

const LAYOUT = [
  'column,Produkt,product_id',
  'column,bis kg,up_to',
  'column,Inland,zone 0',
  'column,"Benelux, DK",zone 1',
  'ignore,Laufzeit,',
  'product,Paket Plus,7101',
  'product,Brief,',
]

function read(layoutLines: readonly string[], ...lines: readonly string[]) {
  const { layout, faults } = layoutOf(...layoutLines)
  expect(faults).toEqual([])
  const list = readPriceList(inLayout(csvFile('list.csv', bytes(...lines)), layout!))
  return {
    faults: list.faults.map(describeImportFault),
    prices: list.rows?.map(
      (row) => `${row.productId} z${row.zone} ${row.overGrams}-${row.upToGrams} ${row.priceCents}`,
    ),
    locate: list.locate,
  }
}

describe('a list in a layout', () => {
  test('has the columns and products that the layout names', () => {
    const { prices, locate } = read(
      LAYOUT,
      'Produkt;bis kg;Inland;Laufzeit;Benelux, DK',
      'Paket Plus;5;4,75;1;9,50',
      'Brief;1;0,95;1;1,65',
      'Paket Plus;31,5;6,60;1;12,60',
    )
    expect(prices).toEqual([
      '7101 z0 0-5000 475',
      '7101 z1 0-5000 950',
      '7101 z0 5000-31500 660',
      '7101 z1 5000-31500 1260',
    ])
    expect(locate(3, 'priceCents')).toEqual({ file: 'list.csv', row: 4, column: 'Benelux, DK' })
  })

  test('has faults with the names of its own columns', () => {
    expect(
      read(LAYOUT, 'Produkt;bis kg;Inland;Laufzeit;Benelux, DK', 'Paket Plus;5;4,75;1;x').faults,
    ).toEqual(['list.csv, row 2, column Benelux, DK: expected a number with at most 2 decimals, found "x"'])
  })

  test('must not have a column that the layout does not know: it may be a new zone', () => {
    expect(
      read(LAYOUT, 'Produkt;bis kg;Inland;Benelux, DK;Schweiz', 'Paket Plus;5;4,75;9,50;14').faults,
    ).toEqual(['list.csv, row 1: expected a column that the layout names or ignores, found "Schweiz"'])
  })

  test('must have all columns and products of the layout', () => {
    expect(read(LAYOUT, 'Produkt;bis kg;Inland', 'Paket Plus;5;4,75').faults).toEqual([
      'list.csv, row 1: expected the column "Benelux, DK" of the layout',
    ])
    expect(read(LAYOUT, 'Produkt;bis kg;Inland;Benelux, DK', 'Paket Maxi;5;4,75;9').faults).toEqual([
      'list.csv, row 2, column Produkt: expected a text that the layout has for product_id, one of Paket Plus, Brief, found "Paket Maxi"',
    ])
  })

  test('may be of one product', () => {
    const layout = ['column,kg,up_to', 'column,A,zone 1', 'product,,7101']
    expect(read(layout, 'kg,A', '5,4.75').prices).toEqual(['7101 z1 0-5000 475'])
  })

  test('may have zones with different bands, if the layout says so', () => {
    const layout = ['column,kg,up_to', 'column,A,zone 1', 'column,B,zone 2', 'product,,7101']
    const lines = ['kg,A,B', '2,4,5', '5,,6', '10,7,8']
    expect(read([...layout, 'empty,,no band'], ...lines).prices).toEqual([
      '7101 z1 0-2000 400',
      '7101 z2 0-2000 500',
      '7101 z2 2000-5000 600',
      '7101 z1 2000-10000 700',
      '7101 z2 5000-10000 800',
    ])
    expect(read(layout, ...lines).prices).toContain('7101 z1 5000-10000 700')
  })

  describe('with texts', () => {
    const layout = [
      ...['column,Zone,zone', 'column,Größe,unit', 'column,bis,up_to', 'column,Preis,price'],
      ...['zone,Nord,1', 'zone,Süd,2', 'zone,Inseln,', 'unit,Brief,KG', 'unit,Bücher,PER100KG'],
      ...['up_to,bis 1 kg,1', 'up_to,bis 5 kg,5', 'product,,7101'],
    ]

    test('has their values, continues empty cells and leaves rows out', () => {
      const list = [
        'Zone;Größe;bis;Preis',
        ...['Nord;Brief;bis 1 kg;1,10', ';;bis 5 kg;1,20', 'Süd;Bücher;bis 1 kg;2,10', ';;bis 5 kg;2,20'],
        ...['Inseln;Karten;;9', ';;;9', 'Süd;Brief;bis 1 kg;3'],
      ]
      expect(read(layout, ...list.slice(0, -1)).prices).toEqual([
        ...['7101 z1 0-1000 110', '7101 z1 1000-5000 120', '7101 z2 0-1000 210', '7101 z2 1000-5000 220'],
      ])
      expect(read(layout, ...list).prices).toHaveLength(5)
    })

    test('knows a text of the layout in the other form of Unicode', () => {
      const rows = ['Zone;Größe;bis;Preis', 'Süd;Bücher;bis 1 kg;2,10'].map((line) => line.normalize('NFD'))
      expect(read(layout, ...rows).prices).toEqual(['7101 z2 0-1000 210'])
    })

    test('has one fault for each unknown text, with row, column and the known texts', () => {
      const rows = ['nord;Brief;bis 1 kg;1', 'nord;Brief;bis 5 kg;2', 'Ost;Brief;bis 2 kg;1']
      expect(read(layout, 'Zone;Größe;bis;Preis', ...rows).faults).toEqual([
        'list.csv, row 2, column Zone: expected a text that the layout has for zone, one of Nord, Süd, Inseln (perhaps Nord), found "nord"',
        'list.csv, row 4, column Zone: expected a text that the layout has for zone, one of Nord, Süd, Inseln, found "Ost"',
        'list.csv, row 4, column bis: expected a text that the layout has for up_to, one of bis 1 kg, bis 5 kg (perhaps bis 1 kg), found "bis 2 kg"',
      ])
      expect(read(layout, 'Zone;Größe;bis;Preis', ';Brief;bis 1 kg;1').faults).toEqual([
        'list.csv, row 2, column Zone: expected a text that the layout has for zone, one of Nord, Süd, Inseln, found an empty cell',
      ])
    })

    test('has faults with row and column of the list, and so have the findings about its prices', () => {
      const bands = ['column,Ziel,zone', 'column,bis 50 kg,up_to 50', 'column,bis 100 kg,up_to 100']
      const zones = [...bands, 'zone,Nord,1', 'product,,7101']
      expect(read(zones, 'Ziel;bis 50 kg;bis 100 kg', 'Nord;4,50;x').faults).toEqual([
        'list.csv, row 2, column bis 100 kg: expected a number with at most 2 decimals, found "x"',
      ])
      const { locate } = read(zones, 'Ziel;bis 50 kg;bis 100 kg', 'Nord;4,50;9')
      expect(locate(1, 'priceCents')).toEqual({ file: 'list.csv', row: 2, column: 'bis 100 kg' })
      expect(locate(1, 'zone')).toEqual({ file: 'list.csv', row: 2, column: 'Ziel' })
    })
  })

  test('can have a price per row', () => {
    const layout = ['column,Artikel,product_id', 'column,Zone,zone', 'column,kg,up_to', 'column,Preis,price']
    expect(read(layout, 'Artikel,Zone,kg,Preis', '7101,3,5,4.75').prices).toEqual(['7101 z3 0-5000 475'])
  })
})

describe('a layout', () => {
  test('is refused with row and column', () => {
    expect(faultsOf('column,bis kg,kilograms', 'product,Paket,abc', 'group,A,1', 'product,,7101')).toEqual([
      'layout.csv, row 2, column value: expected a column of a price list, such as up_to, price, "zone 1" or "up_to 50", found "kilograms"',
      'layout.csv, row 3, column value: expected a product id such as 1201, or nothing if rows with this name are left out, found "abc"',
      'layout.csv, row 4, column kind: expected one of sheet, column, ignore, product, zone, unit, up_to, empty, found "group"',
    ])
    const rows = ['column,Z,zone', 'column,U,unit', 'product,,7101']
    expect(faultsOf(...rows, 'zone,Milano,Nord', 'unit,MINI,MINI', 'unit,,', 'column,A,up_to x')).toEqual([
      'layout.csv, row 5, column value: expected a zone such as 1, or nothing if rows with this name are left out, found "Nord"',
      'layout.csv, row 6, column value: expected KG, PER100KG, or a class such as PALLET:HALF, SIZE:M or CLASS:70, or nothing if rows with this name are left out, found "MINI"',
      'layout.csv, row 7, column value: expected KG, PER100KG, or a class such as PALLET:HALF, SIZE:M or CLASS:70, or nothing if rows with this name are left out, found an empty cell',
      'layout.csv, row 8, column value: expected a column of a price list, such as up_to, price, "zone 1" or "up_to 50", found "up_to x"',
    ])
    expect(faultsOf('column,kg,up_to', 'ignore,kg,', 'product,,7101')).toEqual([
      'layout.csv, row 3, column name: expected one row for each ignore, found "kg"',
    ])
    expect(faultsOf('column,kg,up_to', 'column,,zone 1', 'product,,7101')).toEqual([
      'layout.csv, row 3, column name: expected a text of the list, found an empty cell',
    ])
  })

  test('says in one way which product a row is for', () => {
    const expected = ['layout.csv: expected either a column for product_id, or a row product without a name']
    expect(faultsOf('column,kg,up_to', 'column,A,zone 1')).toEqual(expected)
    expect(faultsOf('column,kg,product_id', 'product,,7101')).toEqual(expected)
  })

  test('says in one way which zone and unit a row is for', () => {
    const rows = ['column,Z,zone', 'column,A,price', 'product,,7101']
    expect(faultsOf(...rows, 'zone,,1')).toEqual([
      'layout.csv: expected either a column for zone, or a row zone without a name',
    ])
    expect(faultsOf(...rows, 'unit,MINI,PALLET:MINI')).toEqual([
      'layout.csv: expected a column for unit, because the layout has rows unit with names',
    ])
    expect(faultsOf(...rows, 'column,B,zone 1')).toEqual([
      'layout.csv: expected either columns for single zones such as "zone 1", or one zone in a row',
    ])
  })

  test('must not use a column of the format twice', () => {
    expect(faultsOf('column,A,zone 1', 'column,B,zone 1', 'product,,7101')).toEqual([
      'layout.csv, row 3, column value: expected one row for each column of a price list, found "zone 1"',
    ])
  })

  test('finds its sheet by name, or by its columns, and continues the cell above', () => {
    const list: TestCell[][] = [
      ['Preise 2027'],
      ['Produkt', 'bis kg', 'Inland', 'Benelux, DK'],
      ['Paket Plus', 5, 4.75, 9.5],
      [null, 31.5, 6.6, 12.6],
    ]
    const workbook = readWorkbook(makeWorkbook({ Alt: list, Neu: list, Info: [['x']] }))
    const { layout } = layoutOf(...LAYOUT, 'sheet,Neu,')
    const sheet = inLayout(layoutSheet(workbook, layout!), layout!)
    expect(sheet.name).toBe('sheet Neu')
    expect(readPriceList(sheet).rows).toHaveLength(4)
    expect(() => layoutSheet(workbook, layoutOf(...LAYOUT).layout!)).toThrow(
      'found the sheets Alt, Neu, Info',
    )
  })

  test('does not continue a cell beside a new text', () => {
    const layout = [
      ...['column,P,product_id', 'column,Z,zone', 'column,kg,up_to', 'column,E,price'],
      ...['product,A,7101', 'product,B,7102', 'zone,Nord,1', 'zone,Süd,2'],
    ]
    const rows = ['P;Z;kg;E', 'A;Nord;5;1,00', ';;10;2,00', ';Süd;5;3,00']
    expect(read(layout, ...rows, 'B;Süd;5;4,00').prices).toEqual([
      ...['7101 z1 0-5000 100', '7101 z1 5000-10000 200', '7101 z2 0-5000 300', '7102 z2 0-5000 400'],
    ])
    expect(read(layout, ...rows, 'B;;5;4,00').faults).toEqual([
      'list.csv, row 5, column Z: expected a text that the layout has for zone, one of Nord, Süd, found an empty cell',
    ])
    // The zones are on the left, and continue for all products.
    const turned = read(layout, 'Z;P;kg;E', 'Nord;A;5;1,00', ';B;5;2,00', ';;10;3,00')
    expect(turned.prices).toEqual(['7101 z1 0-5000 100', '7102 z1 0-5000 200', '7102 z1 5000-10000 300'])
  })

  test('has no values below an empty name, unless the layout ignores them', () => {
    const layout = ['column,kg,up_to', 'column,Inland,zone 0', 'product,,7101']
    expect(read(layout, 'kg;Inland;', '5;4,19;', '10;5,19;').faults).toEqual([])
    const rows = ['kg;Inland;', '5;4,19;', '10;5,19;9,99', '20;6,19;12,99']
    expect(read(layout, ...rows).faults).toEqual([
      'list.csv, row 3: expected a name of the column, or a row ignore without a name in the layout, found "9,99"',
    ])
    expect(read([...layout, 'ignore,,'], ...rows).prices).toHaveLength(3)
  })

  test('has decimal commas beside weights of the layout with three decimals', () => {
    const layout = ['column,Brief,up_to', 'column,Inland,zone 0', 'product,,7101', 'up_to,bis 125 g,0.125']
    expect(read(layout, 'Brief;Inland', 'bis 125 g;4,19').prices).toEqual(['7101 z0 0-125 419'])
  })

  test('names ten of its columns where no sheet is found', () => {
    const columns = Array.from({ length: 12 }, (_, zone) => `column,Z${zone},zone ${zone}`)
    const { layout } = layoutOf(...columns, 'product,,7101')
    expect(() => layoutSheet(readWorkbook(makeWorkbook({ A: [] })), layout!)).toThrow(
      /^expected one sheet with the columns Z0, .*, Z9 and 2 more, found no sheet with content$/,
    )
  })
})
