/** The tariff of the United Kingdom in its published layouts. */
import { describe, expect, test } from 'vitest'
import { faultsOf, fixture, leftOut, measureLines, readFile, warningsOf } from '../read-fixture.ts'

describe('the open data of the UK tariff', () => {
  const read = readFile('uk-csv', fixture('uk-measures.csv'))

  test('become measures; the published last day is inclusive, `validTo` is not', () => {
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

  test('are used or counted with the reason, row by row', () => {
    const { rowsRead, rowsUsed, rowsLeftOut, textsNotParsed } = read.counts
    expect({ rowsRead, rowsUsed, textsNotParsed }).toEqual({ rowsRead: 18, rowsUsed: 13, textsNotParsed: 1 })
    expect(rowsLeftOut.reduce((sum, { count }) => sum + count, 0)).toBe(5)
    for (const words of ['VAT', 'supplementary unit', 'suspension', 'authorised use'])
      expect([words, leftOut(read, words)]).toEqual([words, 1])
  })

  test('cause warnings for texts that cannot be parsed and groups without members', () => {
    expect(warningsOf(read)).toEqual([
      'file, row 6, column measure__geographical_area__id: expected an origin group whose members are known; its measures do not apply until its members are loaded, found "GB-2005"',
      'file, row 19, column measure__duty_expression: expected a duty that can be parsed; it is stored as text and not charged, found "see the notes"',
    ])
    expect(read.tables.measures?.at(-1)?.text).toBe('see the notes')
  })

  test('include the members of groups that are known', () => {
    const text =
      'commodity code,measure type id,duty expression,geographical area id\n0101210000,142,0.00%,1013\n'
    const { tables, warnings } = readFile('uk-csv', text)
    expect(warnings).toEqual([])
    expect(tables.originGroups).toHaveLength(27)
    expect(tables.originGroups).toContainEqual({ dataSet: 'mine', originGroup: 'GB-1013', country: 'IE' })
  })
})

describe('unusual values', () => {
  const header = 'commodity code,duty,measure type id,start date,end date,geographical area id,order number\n'

  test.each(['#NA', '#N/A', 'NULL'])('include %s for an empty cell in every column', (nothing) => {
    const row = `6109100010,12%,103,2021-01-01,${nothing},${nothing},${nothing}\n`
    const read = readFile('uk-csv', `${header}${row}`)
    expect(faultsOf(read)).toEqual([])
    expect(measureLines(read)).toEqual(['6109100010 third_country_duty ALL 12% 2021-01-01..'])
  })

  test('include last days after the year 2200, which are open', () => {
    const read = readFile('uk-csv', `${header}6109100010,12%,103,2021-01-01,9999-12-31,1011,\n`)
    expect(measureLines(read)).toEqual(['6109100010 third_country_duty ALL 12% 2021-01-01..'])
  })

  test('include rates above 1000%, which are faults', () => {
    expect(measureLines(readFile('uk-csv', 'code,duty\n01012100,1000%\n'))).toHaveLength(1)
    expect(faultsOf(readFile('uk-csv', 'code,duty\n01012100,1000.01%\n'))).toEqual([
      'file, row 2, column duty: expected a rate of at most 1000%, found "1000.01%"',
    ])
  })
})

describe('another jurisdiction than that of the format', () => {
  test('cannot be given; the EU needs the column with its duty', () => {
    expect(faultsOf(readFile('uk-csv', 'code,duty\n01012100,1%\n', { jurisdiction: 'US' }))).toEqual([
      'file: expected the jurisdiction GB or EU, because the format is uk-csv, found "US"',
    ])
    expect(faultsOf(readFile('uk-csv', 'code,duty\n01012100,1%\n', { jurisdiction: 'EU' }))).toEqual([
      expect.stringContaining('column cet_duty_rate: expected a column with one of these names'),
    ])
    expect(readFile('uk-csv', 'code,duty\n01012100,1%\n', { jurisdiction: 'GB' }).faults).toEqual([])
  })
})

describe('the UK Global Tariff of 2020', () => {
  test('is read as the tariff of the United Kingdom from 2021 on', () => {
    const read = readFile('uk-csv', fixture('uk-global-tariff.csv'))
    expect(measureLines(read)).toEqual([
      '01012100 third_country_duty ALL 0% 2021-01-01..',
      '01013000 third_country_duty ALL 6% 2021-01-01..',
      '02031110 third_country_duty ALL 44 GBP/100 kg 2021-01-01..',
      '61091000 third_country_duty ALL 12% 2021-01-01..',
      '91011100 third_country_duty ALL 4% 2021-01-01..',
    ])
  })

  test('is read as the tariff of the EU on request', () => {
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

describe('plain lists and unusual files', () => {
  test('may have column names in any case and with spaces or underscores, and other columns', () => {
    const text =
      '\ufeff Commodity_Code ;Goods Description; THIRD COUNTRY  DUTY;Colour\r\n0101.21.00;x; 7.70% ;red\r\n\r\n;;;\r\n6109100010;y;Free;\r\n'
    const read = readFile('uk-csv', text)
    expect(faultsOf(read)).toEqual([])
    expect(measureLines(read)).toEqual([
      '01012100 third_country_duty ALL 7.7% ..',
      '6109100010 third_country_duty ALL 0% ..',
    ])
  })

  test('without a needed column are refused with the names that are accepted', () => {
    const [fault] = faultsOf(readFile('uk-csv', 'commodity,description\n01012100,x\n'))
    expect(fault).toContain(
      'file, row 1, column measure__duty_expression: expected a column with one of these names',
    )
    expect(fault).toContain('third country duty')
  })

  test('with duties of the EU only are not read for the United Kingdom', () => {
    expect(readFile('uk-csv', 'commodity,cet_duty_rate\n01012100,0.00%\n').faults).toHaveLength(1)
  })

  test('with unreadable codes, days or areas are not imported', () => {
    const header = 'commodity code,duty,measure type id,start date,end date,geographical area id\n'
    const read = readFile(
      'uk-csv',
      `${header}x1,0%,103,2021-01-01,,1011\n01012100,0%,103,2021-02-29,,1011\n01013000,0%,103,2021-05-01,2021-04-30,1011\n01019000,0%,142,2021-01-01,,Narnia\n02011000,0%,103,2021-01-01,,1011\n`,
    )
    expect(faultsOf(read)).toEqual([
      'file, row 2, column commodity code: expected a goods code of 2 to 10 digits, found "x1"',
      'file, row 3, column start date: expected a day of the calendar such as 2026-01-31 or 31-01-2026, found "2021-02-29"',
      'file, row 4, column end date: expected a day that is not before the first, 2021-05-01, found "2021-04-30"',
      'file, row 5, column geographical area id: expected a country (two letters) or a group (four letters or digits), found "Narnia"',
    ])
    expect(read.tables).toEqual({})
  })

  test('with contradictory duties are refused; a repeated duty counts once', () => {
    const twice = 'code,duty\n01012100,5%\n0101210000,6%\n02011000,1%\n'
    expect(faultsOf(readFile('uk-csv', twice))).toEqual([
      'file, row 3, column code: expected one duty per code, type, origin and first day; row 2 has "5%", found "0101210000 6%"',
    ])
    const same = readFile('uk-csv', twice.replace('6%', '5%'))
    expect([faultsOf(same), leftOut(same, 'same as an earlier row'), same.counts.rowsUsed]).toEqual([
      [],
      1,
      2,
    ])
  })

  test('may have padded codes of headings and lines', () => {
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

  test('may have descriptions of types instead of numbers', () => {
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
    expect(read.tables.conditionalDuties).toMatchObject([
      { measureType: 'preferential_quota', originGroup: 'CL' },
    ])
    expect(leftOut(read, 'Import control')).toBe(1)
  })
})
