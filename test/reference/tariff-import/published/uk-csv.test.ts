/** The tariff of the United Kingdom in the layouts it has been published in. */
import { describe, expect, test } from 'vitest'
import { faultsOf, fixture, leftOut, measureLines, readFile, warningsOf } from '../read-fixture.ts'

describe('the open data of the UK tariff', () => {
  const read = readFile('uk-csv', fixture('uk-measures.csv'))

  test('duties and preferences become measures; the last day published becomes the first that no longer holds', () => {
    expect(faultsOf(read)).toEqual([])
    expect(measureLines(read)).toEqual([
      '01012100 third_country_duty ALL 0% 2021-01-01..',
      '6109100010 third_country_duty ALL 12% 2021-01-01..',
      '6109100090 third_country_duty ALL 12% 2021-01-01..',
      '6109100010 preference JP 0% 2021-01-01..',
      '6109100010 preference GB-2005 9.6% 2021-01-01..',
      '02031150 third_country_duty ALL 44 GBP/100 kg 2021-01-01..2026-07-01',
      '0702000007 third_country_duty ALL 8.8% entry_price 2021-01-01..',
      '720810 additional_duty RU 35% 2022-03-25..',
      '720810 anti_dumping CN 20.5% 2023-01-01..',
      '88033000 third_country_duty ALL 2.7% 2021-01-01..',
      '24021000 third_country_duty ALL not_parsed 2021-01-01..',
    ])
    expect(
      read.tables.measures?.every(({ jurisdiction, dataSet }) => jurisdiction === 'GB' && dataSet === 'mine'),
    ).toBe(true)
    expect(read.tables.measures?.[4]?.excludedOrigins).toEqual(['IN', 'PK'])
    expect(read.tables.measureTypes?.map(({ measureType, role }) => `${measureType} ${role}`)).toEqual([
      'additional_duty additional',
      'anti_dumping additional',
    ])
  })

  test('every row is used or counted with the reason', () => {
    const { rowsRead, rowsUsed, rowsLeftOut, textsNotParsed } = read.counts
    expect({ rowsRead, rowsUsed, textsNotParsed }).toEqual({ rowsRead: 18, rowsUsed: 11, textsNotParsed: 1 })
    expect(rowsLeftOut.reduce((sum, { count }) => sum + count, 0)).toBe(7)
    for (const words of [
      'VAT',
      'supplementary unit',
      'suspension',
      '143 Preferential',
      'additional code',
      'authorised use',
    ])
      expect([words, leftOut(read, words)]).toEqual([words, 1])
  })

  test('a text that is not understood and a group without members are warned of at their row', () => {
    expect(warningsOf(read)).toEqual([
      'file, row 6, column measure__geographical_area__id: expected a group of origins whose members are known here; its measures concern nobody until its members are loaded, found "GB-2005"',
      'file, row 19, column measure__duty_expression: expected a duty that can be worked out; it is kept as text and charged nowhere, found "see the notes"',
    ])
    expect(read.tables.measures?.at(-1)?.text).toBe('see the notes')
  })

  test('groups whose members are known come with them', () => {
    const text =
      'commodity code,measure type id,duty expression,geographical area id\n0101210000,142,0.00%,1013\n'
    const { tables, warnings } = readFile('uk-csv', text)
    expect(warnings).toEqual([])
    expect(tables.originGroups).toHaveLength(27)
    expect(tables.originGroups).toContainEqual({ dataSet: 'mine', originGroup: 'GB-1013', country: 'IE' })
  })
})

describe('what the open data write for nothing, and figures no tariff has', () => {
  const header = 'commodity code,duty,measure type id,start date,end date,geographical area id,order number\n'

  test.each(['#NA', '#N/A', 'NULL'])('%s is an empty cell in every column', (nothing) => {
    const row = `6109100010,12%,103,2021-01-01,${nothing},${nothing},${nothing}\n`
    const read = readFile('uk-csv', `${header}${row}`)
    expect(faultsOf(read)).toEqual([])
    expect(measureLines(read)).toEqual(['6109100010 third_country_duty ALL 12% 2021-01-01..'])
  })

  test('a last day after the year 2200 is none', () => {
    const read = readFile('uk-csv', `${header}6109100010,12%,103,2021-01-01,9999-12-31,1011,\n`)
    expect(measureLines(read)).toEqual(['6109100010 third_country_duty ALL 12% 2021-01-01..'])
  })

  test('a rate above 1000% is a fault of its row', () => {
    expect(measureLines(readFile('uk-csv', 'code,duty\n01012100,1000%\n'))).toHaveLength(1)
    expect(faultsOf(readFile('uk-csv', 'code,duty\n01012100,1000.01%\n'))).toEqual([
      'file, row 2, column duty: expected a rate of at most 1000%, found "1000.01%"',
    ])
  })
})

describe('another jurisdiction than that of the format', () => {
  test('is a fault of the file; the EU needs the column with its duty', () => {
    expect(faultsOf(readFile('uk-csv', 'code,duty\n01012100,1%\n', { jurisdiction: 'US' }))).toEqual([
      'file: expected the jurisdiction GB or EU, for a file of the format uk-csv holds its figures, found "US"',
    ])
    expect(faultsOf(readFile('uk-csv', 'code,duty\n01012100,1%\n', { jurisdiction: 'EU' }))).toEqual([
      expect.stringContaining('column cet_duty_rate: expected a column with one of these names'),
    ])
    expect(readFile('uk-csv', 'code,duty\n01012100,1%\n', { jurisdiction: 'GB' }).faults).toEqual([])
  })
})

describe('the UK Global Tariff of 2020', () => {
  test('is the tariff of the United Kingdom from 2021 on', () => {
    const read = readFile('uk-csv', fixture('uk-global-tariff.csv'))
    expect(measureLines(read)).toEqual([
      '01012100 third_country_duty ALL 0% 2021-01-01..',
      '01013000 third_country_duty ALL 6% 2021-01-01..',
      '02031110 third_country_duty ALL 44 GBP/100 kg 2021-01-01..',
      '61091000 third_country_duty ALL 12% 2021-01-01..',
      '91011100 third_country_duty ALL 4% 2021-01-01..',
    ])
  })

  test('holds the tariff of the EU as well', () => {
    const read = readFile('uk-csv', fixture('uk-global-tariff.csv'), {
      jurisdiction: 'EU',
      validFrom: '2020-01-01',
    })
    expect(measureLines(read).slice(2)).toEqual([
      '02031110 third_country_duty ALL 53.6 EUR/100 kg 2020-01-01..',
      '61091000 third_country_duty ALL 12% 2020-01-01..',
      '91011100 third_country_duty ALL 4.5% MIN 0.3 EUR/item MAX 0.8 EUR/item 2020-01-01..',
    ])
    expect(read.tables.measures?.[0]?.jurisdiction).toBe('EU')
  })
})

describe('plain lists and odd files', () => {
  test('header names are found whatever their case, blanks and underscores; other columns are ignored', () => {
    const text =
      '\ufeff Commodity_Code ;Goods Description; THIRD COUNTRY  DUTY;Colour\r\n0101.21.00;x; 7.70% ;red\r\n\r\n;;;\r\n6109100010;y;Free;\r\n'
    const read = readFile('uk-csv', text)
    expect(faultsOf(read)).toEqual([])
    expect(measureLines(read)).toEqual([
      '01012100 third_country_duty ALL 7.7% ..',
      '6109100010 third_country_duty ALL 0% ..',
    ])
  })

  test('a missing column is a fault with the names that would do', () => {
    const [fault] = faultsOf(readFile('uk-csv', 'commodity,description\n01012100,x\n'))
    expect(fault).toContain(
      'file, row 1, column measure__duty_expression: expected a column with one of these names',
    )
    expect(fault).toContain('third country duty')
  })

  test('the duty of the EU alone is not taken for that of the United Kingdom', () => {
    expect(readFile('uk-csv', 'commodity,cet_duty_rate\n01012100,0.00%\n').faults).toHaveLength(1)
  })

  test('codes, days and areas that cannot be read are faults, and nothing is imported', () => {
    const header = 'commodity code,duty,measure type id,start date,end date,geographical area id\n'
    const read = readFile(
      'uk-csv',
      `${header}x1,0%,103,2021-01-01,,1011\n01012100,0%,103,2021-02-29,,1011\n01013000,0%,103,2021-05-01,2021-04-30,1011\n01019000,0%,142,2021-01-01,,Narnia\n02011000,0%,103,2021-01-01,,1011\n`,
    )
    expect(faultsOf(read)).toEqual([
      'file, row 2, column commodity code: expected a goods code of 2 to 10 digits, found "x1"',
      'file, row 3, column start date: expected a day of the calendar such as 2026-01-31 or 31-01-2026, found "2021-02-29"',
      'file, row 4, column end date: expected a day that is not before the first, 2021-05-01, found "2021-04-30"',
      'file, row 5, column geographical area id: expected a country (two letters) or the four signs of a group, found "Narnia"',
    ])
    expect(read.tables).toEqual({})
  })

  test('two duties for the same goods are a fault that names both rows; the same one twice counts once', () => {
    const twice = 'code,duty\n01012100,5%\n0101210000,6%\n02011000,1%\n'
    expect(faultsOf(readFile('uk-csv', twice))).toEqual([
      'file, row 3, column code: expected one duty for goods, type, origin and first day; row 2 has "5%", found "0101210000 6%"',
    ])
    const same = readFile('uk-csv', twice.replace('6%', '5%'))
    expect([faultsOf(same), leftOut(same, 'says the same'), same.counts.rowsUsed]).toEqual([[], 1, 2])
  })

  test('a padded code of a heading covers its lines, that of a line is the line', () => {
    const read = readFile(
      'uk-csv',
      'code,duty\n6109000000,1%\n0702000000,2%\n2709000000,3%\n2709001000,4%\n0100000000,5%\n',
    )
    expect(read.tables.measures?.map(({ codePrefix }) => codePrefix)).toEqual([
      '6109',
      '07020000',
      '2709',
      '27090010',
      '01',
    ])
  })

  test('types are known by their words where the file has no numbers', () => {
    const header = 'commodity code,measure type,duty expression,origin\n'
    const read = readFile(
      'uk-csv',
      `${header}01012100,Third country duty,5%,1011\n01012100,Tariff preference,0%,NO\n01012100,Preferential tariff quota,0%,CL\n01012100,Customs Union Duty,0%,TR\n01012100,Import control,0%,1011\n`,
    )
    expect(measureLines(read)).toEqual([
      '01012100 third_country_duty ALL 5% ..',
      '010121 preference NO 0% ..',
      '010121 customs_union TR 0% ..',
    ])
    expect([leftOut(read, 'quota'), leftOut(read, 'Import control')]).toEqual([1, 1])
  })
})
