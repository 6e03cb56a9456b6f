/** The exact message and location of every kind of fault in the files of a rate card. */
import { describe, expect, test } from 'vitest'
import { describeImportFault } from '../../../src/reference/import/import-fault.ts'
import { readRateCard } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { filesOf, SMALL_CARD } from '../../support/rates/card-files.ts'

/** The small card with one text replaced in a file. Fails if the file does not contain `from`. */
function changed(file: string, from: string, to: string): Map<string, Uint8Array> {
  const text = SMALL_CARD[file]!
  expect(text).toContain(from)
  return filesOf({ ...SMALL_CARD, [file]: text.replace(from, to) })
}

function messagesOf(files: ReadonlyMap<string, Uint8Array>): { faults: string[]; warnings: string[] } {
  const { card, faults, warnings } = readRateCard(files)
  expect(card === undefined).toBe(faults.length > 0)
  return { faults: faults.map(describeImportFault), warnings: warnings.map(describeImportFault) }
}

const ONLY_POINT = 'a number with at most 3 decimals, written with a point'

describe('a fault in a cell', () => {
  test.each([
    // Figures.
    [
      'rates.csv',
      'KG,0,5,',
      'KG,0,"5,500",',
      `rates.csv, row 2, column up_to: expected ${ONLY_POINT}, found "5,500"`,
    ],
    [
      'rates.csv',
      ',4.50,',
      ',4.505,',
      'rates.csv, row 2, column price: expected a number with at most 2 decimals, found "4.505"',
    ],
    [
      'rates.csv',
      ',4.50,',
      ',4.50\u200b,',
      'rates.csv, row 2, column price: expected a number with at most 2 decimals, found "4.50\\u200b"',
    ],
    [
      'rates.csv',
      ',4.50,',
      ',€ 4.50,',
      'rates.csv, row 2, column price: expected a number with at most 2 decimals, found "€ 4.50"',
    ],
    [
      'rates.csv',
      ',4.50,',
      ',-4.50,',
      'rates.csv, row 2, column price: expected a number with at most 2 decimals, not below 0, found "-4.50"',
    ],
    [
      'rates.csv',
      ',4.50,',
      ',21474836.48,',
      'rates.csv, row 2, column price: expected a number of at most 21474836.47, found "21474836.48"',
    ],
    [
      'rates.csv',
      ',4.50,',
      ',99999999999999999999,',
      'rates.csv, row 2, column price: expected a number of at most 21474836.47, found "99999999999999999999"',
    ],
    [
      'rates.csv',
      '7101,1,',
      '7101,1.5,',
      'rates.csv, row 4, column zone: expected a whole number, found "1.5"',
    ],
    [
      'rates.csv',
      '7101,1,',
      ',1,',
      'rates.csv, row 4, column product_id: expected a whole number, found an empty cell',
    ],
    [
      'products.csv',
      ',0.1,',
      ',0,',
      'products.csv, row 2, column round_kg: expected a number with at most 3 decimals, above 0, found "0"',
    ],
    [
      'transit.csv',
      '1,2,4',
      '1,-2,4',
      'transit.csv, row 3, column min_days: expected a whole number, not below 0, found "-2"',
    ],
    // Words, days, countries, lists.
    [
      'products.csv',
      'NONDOC',
      'BOX',
      'products.csv, row 2, column parcel_type: expected one of NONDOC, DOC, PALLET, found "BOX"',
    ],
    [
      'products.csv',
      'any,any',
      'from:nl,any',
      'products.csv, row 2, column scope: expected one of any, domestic, international, or countries such as from:NL|BE, found "from:nl"',
    ],
    [
      'products.csv',
      '0-1',
      '1-0',
      'products.csv, row 2, column zones: expected zones such as 0-8 or 0|2|5-7 (at most 1000), found "1-0"',
    ],
    [
      'products.csv',
      '0-1',
      '0-800000000',
      'products.csv, row 2, column zones: expected zones such as 0-8 or 0|2|5-7 (at most 1000), found "0-800000000"',
    ],
    [
      'country_group.csv',
      'NL',
      'nl',
      'country_group.csv, row 2, column country: expected a country code of two capital letters, or *, found "nl"',
    ],
    [
      'surcharges.csv',
      'piece_kg>20',
      '',
      'surcharges.csv, row 2, column trigger: expected a trigger, or an expression in the column condition, found an empty cell',
    ],
    [
      'surcharges.csv',
      'flat,2.10',
      'formula,',
      'surcharges.csv, row 2, column formula: expected an expression, because the method is formula, found an empty cell',
    ],
    [
      'surcharges.csv',
      'yes',
      'true',
      'surcharges.csv, row 2, column fuelable: expected one of yes, no, found "true"',
    ],
    [
      'surcharges.csv',
      'piece,',
      'box,',
      'surcharges.csv, row 2, column per: expected one of shipment, piece, parcel, pallet, found "box"',
    ],
    [
      'surcharges.csv',
      '2026-01-01',
      '2026-02-30',
      'surcharges.csv, row 2, column valid_from: expected a day such as 2026-01-31, found "2026-02-30"',
    ],
    [
      'surcharges.csv',
      '2026-01-01',
      '01-02-2026',
      'surcharges.csv, row 2, column valid_from: expected a day such as 2026-01-31, found "01-02-2026"',
    ],
    [
      'surcharges.csv',
      'yes,,,',
      'yes,A||B,,',
      'surcharges.csv, row 2, column excludes: expected surcharge codes such as HANDLING|OVERSIZE, found "A||B"',
    ],
    [
      'surcharges.csv',
      'yes,,,',
      'yes,,Parcel,',
      'surcharges.csv, row 2, column products: expected product ids such as 1101|1103, found "Parcel"',
    ],
    [
      'rates.csv',
      'KG',
      'kg',
      'rates.csv, row 2, column unit: expected KG, PER100KG, or a class such as PALLET:HALF, SIZE:M or CLASS:70, found "kg"',
    ],
    [
      'rates.csv',
      'KG',
      'PALLET:',
      'rates.csv, row 2, column unit: expected KG, PER100KG, or a class such as PALLET:HALF, SIZE:M or CLASS:70, found "PALLET:"',
    ],
    // Text.
    [
      'carriers.csv',
      'Duinpost',
      '',
      'carriers.csv, row 2, column name: expected a value, found an empty cell',
    ],
    [
      'carriers.csv',
      'Duinpost',
      'Duin\u0000post',
      'carriers.csv, row 2, column name: expected text on one line without control characters, found "Duin\\u0000post"',
    ],
    [
      'carriers.csv',
      'Duinpost',
      '"Duin\npost"',
      'carriers.csv, row 2, column name: expected text on one line without control characters, found "Duin\\npost"',
    ],
    [
      'carriers.csv',
      'Duinpost',
      'Duin\u202epost',
      'carriers.csv, row 2, column name: expected text on one line without control characters, found "Duin\\u202epost"',
    ],
    [
      'carriers.csv',
      'Duinpost',
      'x'.repeat(501),
      `carriers.csv, row 2, column name: expected at most 500 characters, found "${'x'.repeat(80)}…"`,
    ],
  ])('is reported for %s: %j replaced by %j', (file, from, to, message) => {
    expect(messagesOf(changed(file, from, to))).toEqual({ faults: [message], warnings: [] })
  })
})

describe('a contradiction between cells', () => {
  test.each([
    [
      'products.csv',
      'NONDOC',
      'DOC',
      'products.csv, row 2, column doc_unit_kg: expected the weight of one document, found an empty cell',
    ],
    [
      'products.csv',
      '0.1,,',
      '0.1,0.5,',
      'products.csv, row 2, column doc_unit_kg: expected an empty cell: the parcel_type is NONDOC',
    ],
    [
      'rates.csv',
      '6.20,1,0.35',
      '6.20,1,',
      'rates.csv, row 3, column step_price: expected a price, because the row has a step, found an empty cell',
    ],
    [
      'rates.csv',
      '6.20,1,0.35',
      '6.20,,0.35',
      'rates.csv, row 3, column step: expected a weight, because the row has a step_price, found an empty cell',
    ],
    [
      'rates.csv',
      'KG,0,5',
      'KG,,5',
      'rates.csv, row 2, column over: expected the weight at which the band begins, 0 for the first, found an empty cell',
    ],
    [
      'rates.csv',
      'KG,0,5',
      'KG,0,',
      'rates.csv, row 2, column up_to: expected the weight up to which the price applies, found an empty cell',
    ],
    [
      'rates.csv',
      'KG,0,5',
      'PALLET:HALF,0,5',
      'rates.csv, row 2, column up_to: expected an empty cell, because a class has no weight band',
    ],
    [
      'surcharges.csv',
      'flat,2.10',
      'flat,',
      'surcharges.csv, row 2, column amount: expected an amount, because the method is flat, found an empty cell',
    ],
    [
      'surcharges.csv',
      'flat,2.10',
      'fuel,2.10',
      'surcharges.csv, row 2, column amount: expected an empty cell: with method fuel the percentages are in fuel.csv',
    ],
    [
      'surcharges.csv',
      'HEAVY,',
      'FUEL,',
      'surcharges.csv, row 2, column method: expected pct or fuel, because the code is FUEL, found "flat"',
    ],
  ])('is reported for %s: %j replaced by %j', (file, from, to, message) => {
    expect(messagesOf(changed(file, from, to))).toEqual({ faults: [message], warnings: [] })
  })

  test.each([
    [
      'country,group,from,to,city\nES,C,35000,,\n',
      'country_group.csv, row 2, column to: expected the end of the postal range, found an empty cell',
    ],
    [
      'country,group,from,to,city\nES,C,,35999,\n',
      'country_group.csv, row 2, column from: expected the beginning of the postal range, found an empty cell',
    ],
    [
      'country,group,from,to,city\nES,C,35000,35999,Telde\n',
      'country_group.csv, row 2, column city: expected an empty cell: the row has a postal range, found "Telde"',
    ],
  ])('is reported for a part of a country: %j', (text, message) => {
    expect(messagesOf(filesOf({ ...SMALL_CARD, 'country_group.csv': text })).faults).toEqual([message])
  })

  test.each(['120', '120x0', '120x80x10', '1.2x0.8'])('the footprint %s is refused', (footprint) => {
    const header = 'carrier_code,class,max_footprint_cm,max_height_cm,max_kg,spaces\n'
    const text = `${header}duinpost,HALF,${footprint},100,500,1\n`
    expect(messagesOf(filesOf({ ...SMALL_CARD, 'pallet_class.csv': text })).faults).toEqual([
      `pallet_class.csv, row 2, column max_footprint_cm: expected a footprint in whole centimetres such as 120x80, found "${footprint}"`,
    ])
  })
})

describe('a fault in a file', () => {
  test.each([
    ['transit.csv', '', 'transit.csv: expected a header row with the names of the columns'],
    ['transit.csv', '\n\n', 'transit.csv, row 1: expected a header row with the names of the columns'],
    [
      'transit.csv',
      'product_id,zone,min_days,max_days\n',
      'transit.csv: expected at least one row below the header',
    ],
    [
      'transit.csv',
      'product_id,zone,min_days\n7101,0,1\n7101,1,1\n',
      'transit.csv, row 1, column max_days: expected this column in the header',
    ],
    [
      'transit.csv',
      'product_id,zone,min_days,max_days,zone\n7101,0,1,1,0\n',
      'transit.csv, row 1, column zone: expected this column once in the header',
    ],
    [
      'transit.csv',
      'product_id,zone,min_days,max_days\n7101,0,1,1\n7101,1,1\n',
      'transit.csv, row 3: expected 4 cells, as in the header, found "3 cells"',
    ],
    [
      'transit.csv',
      'product_id,zone,min_days,max_days\n7101,0,1,1,9\n7101,1,1,1\n',
      'transit.csv, row 2: expected 4 cells, as in the header, found "5 cells"',
    ],
    [
      'carriers.csv',
      'carrier_code,name,connector\na,A,s\nb,"B,s\nc,C,s\n',
      'carriers.csv, row 3: expected a closing quote',
    ],
    [
      'carriers.csv',
      'carrier_code,name,connector\na,A,s\nb,B "b",s\n',
      'carriers.csv, row 3: expected quotes only around a whole cell, and doubled inside it',
    ],
    [
      'carriers.csv',
      'carrier_code,name,connector\na,"A"a,s\n',
      'carriers.csv, row 2: expected quotes only around a whole cell, and doubled inside it',
    ],
  ])('is reported for %s: %j', (file, text, message) => {
    expect(messagesOf(filesOf({ ...SMALL_CARD, [file]: text })).faults).toEqual([message])
  })

  test('is reported for a missing file that is required', () => {
    const { 'rates.csv': _, ...others } = SMALL_CARD
    expect(messagesOf(filesOf(others)).faults).toEqual([
      'rates.csv: expected this file, which every rate card needs',
    ])
  })

  test('is reported for text that is not UTF-8', () => {
    const files = filesOf(SMALL_CARD)
    files.set('carriers.csv', Buffer.from('carrier_code,name,connector\na,A,s\nb,Düne,s\n', 'latin1'))
    expect(messagesOf(files).faults).toEqual([
      'carriers.csv, row 3, column name: expected text in UTF-8, and this is probably Windows-1252: save it as "CSV UTF-8" in Excel, or with the character set UTF-8 elsewhere, found "Düne"',
    ])
  })
})

describe('a warning', () => {
  test('names an unknown column, and suggests the missing column with the closest name', () => {
    expect(messagesOf(changed('products.csv', 'vol_divisor', 'vol_divsor')).warnings).toEqual([
      'products.csv, row 1, column vol_divsor: expected a column of the format (perhaps vol_divisor); it is not read',
    ])
    expect(messagesOf(changed('products.csv', 'vol_divisor', 'colour')).warnings).toEqual([
      'products.csv, row 1, column colour: expected a column of the format; it is not read',
    ])
    expect(messagesOf(changed('products.csv', 'vol_divisor', '')).warnings).toEqual([
      'products.csv, row 1: expected a name for every column; a column without a name is not read',
    ])
  })

  test('names an unknown file, and suggests the missing file with the closest name', () => {
    const { warnings } = messagesOf(filesOf({ ...SMALL_CARD, 'area.csv': 'a\n', 'prices-2025.csv': 'a\n' }))
    expect(warnings).toEqual([
      'area.csv: expected a file of the format (perhaps areas.csv); it is not read',
      'prices-2025.csv: expected a file of the format; it is not read',
    ])
  })
})

describe('all faults of a card', () => {
  test('are reported at once, file by file and row by row', () => {
    const files = filesOf({
      ...SMALL_CARD,
      'transit.csv': 'product_id,zone,min_days,max_days\nx,y,1,1\n7101,1\n7101,1,2,z\n',
      'rates.csv': '',
      'areas.csv': 'country,class\nnl,FAR\n',
    })
    expect(messagesOf(files).faults).toEqual([
      'rates.csv: expected a header row with the names of the columns',
      'transit.csv, row 2, column product_id: expected a whole number, found "x"',
      'transit.csv, row 2, column zone: expected a whole number, found "y"',
      'transit.csv, row 3: expected 4 cells, as in the header, found "2 cells"',
      'transit.csv, row 4, column max_days: expected a whole number, found "z"',
      'areas.csv, row 2, column country: expected a country code of two capital letters, found "nl"',
      'areas.csv, row 2, column class: expected one of NORMAL, REMOTE, ISLAND, OVERSEAS, found "FAR"',
    ])
  })

  test('are only counted after ten thousand in one file', () => {
    const rows = Array.from({ length: 10_005 }, () => '7101,0,1,x').join('\n')
    const { faults } = messagesOf(
      filesOf({ ...SMALL_CARD, 'transit.csv': `product_id,zone,min_days,max_days\n${rows}\n` }),
    )
    expect(faults).toHaveLength(10_001)
    expect(faults.at(-1)).toBe(
      'transit.csv: expected at most 10000 faults; the others are not listed, found "10005"',
    )
  })
})

describe('a finding of the core about a card', () => {
  const fuel = 'carrier_code,code,valid_from,rate_pct\nduinpost,FUEL,2026-02-01,9\n'
  const listed = 'duinpost,FUEL,Fuel,Fuel,percent,pct,8,,shipment,always,no,,,2026-01-01,\n'
  const reading = readRateCard(
    filesOf({
      ...SMALL_CARD,
      'fuel.csv': fuel,
      'surcharges.csv': `${SMALL_CARD['surcharges.csv']}\n${listed}`,
    }),
  )

  test.each([
    [
      { table: 'prices', index: 1, field: 'overGrams', expected: 'a' },
      'rates.csv, row 3, column over: expected a',
    ],
    [
      { table: 'prices', index: 1, field: 'palletClass', expected: 'a' },
      'rates.csv, row 3, column unit: expected a',
    ],
    [{ table: 'prices', index: 1, expected: 'a', found: '5' }, 'rates.csv, row 3: expected a, found "5"'],
    [{ table: 'palletClasses', expected: 'a' }, 'pallet_class.csv: expected a'],
    [
      { table: 'products', index: 0, field: 'fromCountries', expected: 'a' },
      'products.csv, row 2, column scope: expected a',
    ],
    [
      { table: 'surcharges', index: 1, field: 'trigger', expected: 'a' },
      'surcharges.csv, row 4, column trigger: expected a',
    ],
    [
      { table: 'fuel', index: 0, field: 'rateBps', expected: 'a' },
      'fuel.csv, row 2, column rate_pct: expected a',
    ],
    [
      { table: 'fuel', index: 1, field: 'rateBps', expected: 'a' },
      'surcharges.csv, row 4, column amount: expected a',
    ],
  ] as const)('is located in the files: %j', (finding, message) => {
    expect(describeImportFault(reading.locate(finding))).toBe(message)
  })
})
