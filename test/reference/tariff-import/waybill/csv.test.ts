/** Customs files in Waybill's own columns: every table is read and written, and faults are reported. */
import { describe, expect, test } from 'vitest'
import { CUSTOMS_TABLE_NAMES, type CustomsTableName } from '../../../../src/core/customs/data/rows.ts'
import { detectFormat } from '../../../../src/reference/tariff-import/formats.ts'
import { writeCustomsCsv } from '../../../../src/reference/tariff-import/waybill/csv.ts'
import { faultsOf, measureLines, readFile } from '../read-fixture.ts'

/** A file for each table. */
const FILES: Readonly<Record<CustomsTableName, string>> = {
  jurisdictions:
    'code,name,currency,customs_areas,tax_areas,valuation,rounding_unit,rounding_mode,value_unit,reliefs,note\nXX,Erewhon,EUR,XX,XX YY,CIF,0.050,down,1000,considered,"a, b"\nYY,=1+1,EUR,YY,YY,CIF,0.050,down,1000,considered,@note\n',
  territories:
    'country,postal_from,postal_to,name,jurisdiction\nXX,,,Erewhon,XX\nXX,35000,35999,Isles,XX-ISLES\n',
  originGroups: 'origin_group,country\nEFTA,NO\nEFTA,CH\n',
  codeLists: 'code_list,code_prefix\nus-9903.88.15,6109.10\nus-9903.88.15,8703\n',
  hsSuccessors:
    'ended_code,ended_edition,code,edition,is_main\n852580,HS 2017,852581,HS 2022,yes\n852580,HS 2017,852589,HS 2022,no\n',
  taxes:
    'jurisdiction,tax,name,kind,status,base,includes_freight,uplift_percent,rates_of,reason,note,note_prefixes,code_prefixes\nXX,VAT,Value added tax,VAT,levied,value_and_duty,yes,10,XX,,,,\nXX,EXCISE,Excise,EXCISE,not_estimated,inside,no,,,not loaded,Look,22 24,2203 2204\n',
  taxRates:
    'jurisdiction,tax,code_prefix,rate_percent,kind,valid_from,valid_to,confidence,note\nXX,VAT,,20,standard,2020-01-01,,high,\nXX,VAT,4901,5.5,books,,2027-01-01,low,n\n',
  measureTypes:
    'measure_type,name,role,not_with\nthird_country_duty,Usual,base,\nextra,Extra,additional,steel autos\n',
  measures:
    'jurisdiction,code_prefix,measure_type,kind,origin_group,excluded_origins,scope_list,exempt_list,basis,against,ad_valorem_percent,specific,minimum,maximum,condition,text,level,goods,lowest_percent,highest_percent,lines,valid_from,valid_to,agreement,confidence,note,unit_value_above,unit_value_up_to,unit_value_currency,unit_value_per\n' +
    'XX,01012100,,,,,,,,,11.5,,,,,,,,,,,2021-01-01,2022-01-01,,,,,,,\n' +
    'XX,610910,,,,RU BY,,,,,12,9 EUR/100 kg,0.3 EUR/item,18%,,,subheading,,10,14,3,,,,medium,x,,,,\n' +
    'XX,,extra,cap_total,CN,,list-a,list-b,duty,third_country_duty,25,,,,,,,,,,,2025-01-01,,Act 1,,,,,,\n' +
    'XX,02,,,,,,,,,,,,,not_parsed,see notes,,,,,,,,,low,,,,,\n' +
    'XX,61,,,,,,,,,19.8,,,,,,average,clothing,5,20,112,,,,low,,,,,\n' +
    'XX,,,,,,,,,,,,,,range_only,,average,all goods,4.2,11.5,,,,,low,,,,,\n' +
    'XX,64041190,,,,,,,,,20,,,,,,,,,,,,,,,,3,6.5,USD,pair\n',
  thresholds:
    'jurisdiction,applies_to,kind,limit_amount,value_basis,currency,flat_amount,deduct_amount,rate_percent,recipient,sent_from,import_schemes,included_prefixes,excluded_prefixes,yields_to_preference,replaces_taxes,reason,enabled,valid_from,valid_to,confidence,item_digits\nXX,duty,relief_up_to,150,,EUR,,,,any,,,,2203 24,,,because,,2021-01-01,,high,\nXX,duty,flat_rate,3000,customs_value,USD,,20,60,individual,US EU,IOSS POSTAL,,,yes,yes,why,no,,,medium,\nXX,duty,flat_per_item,,,EUR,3,,,any,,STANDARD_DECLARATION,,,,,an item,,,,,6\n',
  fees: 'jurisdiction,fee,name,kind,status,currency,amount,rate_percent,minimum,maximum,not_levied_below,value_above,value_up_to,recipient,in_tax_base,waived_by_preference,exempt_origins,reason,enabled,valid_from,valid_to,confidence,item_digits,import_schemes,paid_by_carrier\nXX,MPF,Processing fee,share_of_value,levied,USD,,0.3464,33.58,651.5,,2500,,any,no,yes,GH UEMOA,,yes,2025-10-01,,high,,COURIER,yes\nXX,HND,Handling,per_line,levied,EUR,2,,,,,,150,individual,yes,no,,r,no,,,low,6,,no\n',
  conditionalDuties:
    'jurisdiction,code_prefix,measure_type,depends_on,origin_group,excluded_origins,additional_code,order_number,ad_valorem_percent,specific,minimum,maximum,text,valid_from,valid_to,agreement,confidence,note\nXX,87116010,anti_dumping,additional_code,CN,,C999,,70.1,,,,,2019-01-19,,Act 1,,\nXX,0203,tariff_quota,quota,,RU BY,,091234,0,233 EUR/1000 kg,,,,,2027-01-01,,low,n\n',
  tradeDefence:
    'jurisdiction,kind,code_prefix,origin_group,excluded_origins,goods,valid_from,valid_to,source,read_on,confidence,note\nXX,anti_dumping,871160,CN,,electric bicycles,2019-01-19,,Act 1,2026-11-28,high,\nXX,safeguard,7208,,NO IS,hot-rolled steel,,2027-01-01,,,low,n\n',
  exciseRates:
    'jurisdiction,excise,name,code_prefix,strength_above_percent,strength_up_to_percent,retail_price_percent,ad_valorem_percent,specific,minimum,text,valid_from,valid_to,confidence,note\nXX,wine,Excise duty on wine,2204,8.5,15,,,88.3 EUR/hl,,,2026-01-01,,low,\nXX,cigarettes,Tobacco duty,240220,,,16.5,,394.09 GBP/1000 sticks,526.1 GBP/1000 sticks,,,,,n\n',
  clearanceFees:
    'carrier,product,fee,name,kind,destinations,sent_from,value_above,value_up_to,recipient,currency,amount,rate_percent,minimum,maximum,only_if_charged,enabled,valid_from,valid_to,confidence,note\nparcel-co,,advance,Disbursement fee,share_of_charges,NL EU,CN,150,,individual,EUR,,2.5,12,,,yes,2026-01-01,,,\nparcel-co,express,entry,Clearance,fixed,,,,1000,,GBP,8.5,,,,yes,no,,2027-01-01,low,n\n',
  sellerSchemes:
    'jurisdiction,scheme,name,limit_amount,currency,limit_on,below_limit,excluded_prefixes,recipient,frees_from_duty,assumed,valid_from,valid_to,source,read_on,confidence,note\nXX,VOEC,a scheme,3000,NOK,item,yes,02 24,individual,yes,no,2020-04-01,,Act 3,2026-11-28,high,\nYY,ALL,without a limit,,,,,,,,,,2027-01-01,,,low,n\n',
  restrictions:
    'rule,destinations,excluded_destinations,sent_from,excluded_senders,code_prefixes,words,except_words,item_value_above,severity,text,valid_from,valid_to,source,read_on,confidence,note\nembargo,KP,,EU,,,,,300,prohibited,Nothing may be sent.,2026-01-01,,Act 2,2026-11-28,high,\nknives,,JP,,EU CH,8211 821192,knife;pocket knife,knife block,,conditions_apply,Adults only.,,2027-01-01,,,low,n\n',
  exchangeRates:
    'currency,units_per_euro,valid_from,confidence,note\nUSD,1.1761,2026-05-08,high,\nJPY,184.370,2026-05-08,,n\n',
}

describe('files of each table', () => {
  test.each(
    CUSTOMS_TABLE_NAMES,
  )('%s are recognised by their header and read back as they were written', (table) => {
    const bytes = new TextEncoder().encode(FILES[table])
    const expected =
      { exchangeRates: 'exchange-rates', taxRates: 'tax-rates' }[table as string] ?? 'waybill-csv'
    expect(detectFormat('file.csv', bytes)).toBe(expected)
    const read = readFile('waybill-csv', bytes)
    expect(faultsOf(read)).toEqual([])
    expect(read.table).toEqual([table])
    const rows = read.tables[table] ?? []
    expect(rows.length).toBe(FILES[table].trim().split('\n').length - 1)
    const again = readFile('waybill-csv', writeCustomsCsv(table, rows), { table })
    expect(faultsOf(again)).toEqual([])
    expect(again.tables[table]).toEqual(rows)
  })

  test('converts cells to parts per million, lists, and decimals without trailing zeros', () => {
    const { tables } = readFile('waybill-csv', FILES.jurisdictions)
    expect(tables.jurisdictions?.[0]).toEqual({
      dataSet: 'mine',
      code: 'XX',
      name: 'Erewhon',
      currency: 'EUR',
      customsAreas: ['XX'],
      tariffOf: '',
      taxAreas: ['XX', 'YY'],
      valuation: 'CIF',
      roundingUnit: '0.05',
      roundingMode: 'down',
      valueUnit: '1000',
      reliefs: 'considered',
      note: 'a, b',
    })
    expect(readFile('waybill-csv', FILES.measures).tables.measures?.[1]).toMatchObject({
      codePrefix: '610910',
      kind: 'additive',
      originGroup: 'ALL',
      excludedOrigins: ['RU', 'BY'],
      adValoremPpm: 120_000,
      specific: '9 EUR/100 kg',
      minimum: '0.3 EUR/item',
      maximum: '18%',
      lowestPpm: 100_000,
      highestPpm: 140_000,
      lineCount: 3,
      confidence: 'medium',
    })
  })
})

describe('defaults for a whole file', () => {
  test('are used for missing columns', () => {
    const text = '\ufeffcode_prefix;ad_valorem_percent\r\n0101.21.00;11.5\r\n'
    const read = readFile('waybill-csv', text, {
      jurisdiction: 'CH',
      measureType: 'extra',
      validFrom: '2026-01-01',
    })
    expect(measureLines(read)).toEqual(['01012100 extra ALL 11.5% 2026-01-01..'])
    expect(read.tables.measures?.[0]?.jurisdiction).toBe('CH')
  })

  test('do not replace the columns that identify a table', () => {
    const [fault] = faultsOf(readFile('waybill-csv', 'a,b\n1,2\n'))
    expect(fault).toContain('file, row 1: expected the columns of one table: jurisdictions, territories')
    expect(faultsOf(readFile('waybill-csv', 'a,b\n1,2\n', { table: 'originGroups' }))).toEqual([
      'file, row 1, column origin_group: expected this column in the header',
      'file, row 1, column country: expected this column in the header',
    ])
  })
})

describe('faults', () => {
  /** Cells that a row lacks at its end are empty. */
  const faults = (table: CustomsTableName, ...rows: readonly string[]): readonly string[] => {
    const [header = ''] = FILES[table].split('\n')
    const columns = header.split(',').length
    const filled = rows.map((row) => row + ','.repeat(columns - row.split(',').length))
    return faultsOf(readFile('waybill-csv', `${header}\n${filled.join('\n')}\n`, { table }))
  }

  test('name the row and column of a cell that cannot be read', () => {
    expect(faults('taxRates', 'XX,VAT,12a,20,standard,2020-02-30,,sure,')).toEqual([
      'file, row 2, column code_prefix: expected the first 2 to 10 digits of a goods code, found "12a"',
      'file, row 2, column valid_from: expected a day such as 2026-01-31, found "2020-02-30"',
      'file, row 2, column confidence: expected one of high, medium, low, found "sure"',
    ])
    expect(faults('exchangeRates', 'USD,1.17612345,2026-05-08,high,')).toHaveLength(1)
  })

  test('include a duty that is not understood', () => {
    const [fault] = faults('measures', 'XX,01,,,,,,,,,,nine euro,,,,,,,,,,,,,,')
    expect(fault).toBe(
      'file, row 2, column specific: expected a duty such as "9 EUR/100 kg + 2 EUR/hl", found "nine euro"',
    )
  })

  test('include a measure without a rate, a threshold without its limit, and a fee without its amount', () => {
    expect(faults('measures', 'XX,01,,,,,,,,,,,,,,,,,,,,,,,,')[0]).toContain('column ad_valorem_percent')
    expect(faults('thresholds', 'XX,duty,relief_up_to,,,EUR,,,,any,,,,,,,r,,,,high')[0]).toContain(
      'column limit_amount',
    )
    expect(faults('thresholds', 'XX,duty,relief_up_to,1,,,,,,any,,,,,,,r,,,,high')[0]).toContain(
      'column currency',
    )
    expect(faults('fees', 'XX,A,B,per_line,levied,EUR,,,,,,,,any,,,,,,,,high')[0]).toContain('column amount')
    expect(faults('fees', 'XX,A,B,per_line,levied,EUR,2,,,,,,,any,,,GH,,,,,high')[0]).toContain('column kind')
  })

  test.each([
    ['average,,5,20', '19.8', '', 'goods: expected a value: average needs one'],
    ['average,clothing,,20', '19.8', '', 'lowest_percent: expected a value: average needs one'],
    ['average,clothing,5,', '19.8', '', 'highest_percent: expected a value: average needs one'],
    ['average,clothing,5,20', '', 'not_loaded', 'condition: expected range_only or an empty cell'],
    ['average,clothing,5,20', '21', '', 'ad_valorem_percent: expected rates in the order'],
    ['average,clothing,5,20', '4', '', 'ad_valorem_percent: expected rates in the order'],
    [',,5,10', '25', '', 'ad_valorem_percent: expected rates in the order'],
    ['subheading,,5,10', '25', '', 'ad_valorem_percent: expected rates in the order'],
    ['subheading,,5,', '4', '', 'ad_valorem_percent: expected rates in the order'],
    [',,10,5', '', 'not_loaded', 'highest_percent: expected rates in the order'],
    ['average,all goods,5,20', '8', 'range_only', 'ad_valorem_percent: expected an empty cell'],
    ['average,all goods,20,5', '', 'range_only', 'highest_percent: expected rates in the order'],
    [',,5,20', '', 'range_only', 'level: expected average'],
    [',clothing,5,20', '12', '', 'goods: expected an empty cell'],
  ])('include the contradictory level %s with the rate %j and the condition %j', (level, rate, condition, fault) => {
    expect(faults('measures', `XX,61,,,,,,,,,${rate},,,,${condition},,${level},,,,,low,`)).toEqual([
      expect.stringContaining(`row 2, column ${fault}`),
    ])
  })

  test('include an average with an amount per quantity or of another type', () => {
    const average = (prefix: string, specific: string) =>
      faults('measures', `XX,61,${prefix},19.8,${specific},,,,,average,clothing,5,20,,,,,low,`)
    expect(average('preference,,,,,,,', '')[0]).toContain('column measure_type')
    expect(average(',cap_total,,,,,,', '')[0]).toContain('column kind')
    expect(average(',,,,,,duty,', '')[0]).toContain('column basis')
    expect(average(',,,,,,,', '9 EUR/100 kg')[0]).toContain('column specific')
  })

  test('include a subheading with no prefix or a longer one than six digits', () => {
    const subheading = (code: string) =>
      faults('measures', `XX,${code},,,,,,,,,12,,,,,,subheading,,,,,,,,low,`)
    expect(subheading('610910')).toEqual([])
    for (const code of ['', '61091000']) expect(subheading(code)[0]).toContain('column code_prefix')
  })

  test('include a low-value rule on tax that can only replace a duty', () => {
    for (const kind of ['flat_per_item', 'flat_rate'])
      expect(faults('thresholds', `XX,tax,${kind},1,,EUR,1,,1,any,,,,,,,r,,,,high`)[0]).toContain(
        'column applies_to: expected duty',
      )
  })

  test('include an unknown import scheme', () => {
    expect(faults('thresholds', 'XX,duty,relief_up_to,1,,EUR,,,,any,,IOSS FAX,,,,,r,,,,high')[0]).toContain(
      'column import_schemes: expected IOSS, POSTAL, COURIER, STANDARD_DECLARATION, found "FAX"',
    )
  })

  test('include digits of items where nothing is charged per item', () => {
    expect(faults('thresholds', 'XX,duty,relief_up_to,1,,EUR,,,,any,,,,,,,r,,,,high,6')[0]).toContain(
      'column kind: expected flat_per_item',
    )
    expect(faults('fees', 'XX,A,B,per_consignment,levied,EUR,2,,,,,,,any,,,,,,,,high,6')[0]).toContain(
      'column kind: expected per_line',
    )
  })

  test('include a unit value without its currency or in an unknown unit', () => {
    const line = (band: string) => faults('measures', `XX,64041190,,,,,,,,,20,,,,,,,,,,,,,,,,${band}`)
    expect(line('3,,,pair')[0]).toContain('column unit_value_currency')
    expect(line('3,,USD,parsec')[0]).toContain('column unit_value_per')
    expect(line('3,,USD,dozen')).toEqual([])
  })

  test('include a row that ends before it begins', () => {
    expect(faults('taxRates', 'XX,VAT,,20,standard,2024-01-01,2024-01-01,high,')).toEqual([
      'file, row 2, column valid_to: expected a day after 2024-01-01: the first on which the row no longer applies, found "2024-01-01"',
    ])
  })

  test('include a row with the key of an earlier one, and name both', () => {
    expect(faults('originGroups', 'EFTA,NO', 'EFTA,CH', 'EFTA,NO')).toEqual([
      'file, row 4: expected origin_group, country once in the file; row 2 has the same',
    ])
    expect(faults('taxRates', 'XX,VAT,,20,a,,,high,', 'XX,VAT,,21,b,,,high,')).toHaveLength(1)
  })
})

describe('limits', () => {
  test('refuse a percentage above 1000, of duties and of taxes', () => {
    const read = (rate: string) =>
      readFile('tax-rates', `jurisdiction,code_prefix,rate_percent\nDE,,${rate}\n`)
    expect(read('1000').faults).toEqual([])
    expect(faultsOf(read('1000.0001'))).toEqual([
      'file, row 2, column rate_percent: expected a percentage of at most 1000, found "1000.0001"',
    ])
    expect(
      faultsOf(
        readFile('waybill-csv', 'jurisdiction,code_prefix,ad_valorem_percent\nGB,0101,1200\n', {
          table: 'measures',
        }),
      ),
    ).toEqual(['file, row 2, column ad_valorem_percent: expected a percentage of at most 1000, found "1200"'])
  })

  test('treat an end after the year 2200 as open, but keep such a first day', () => {
    const header = 'jurisdiction,code_prefix,rate_percent,valid_from,valid_to\n'
    const read = readFile('tax-rates', `${header}DE,,19,2021-01-01,9999-12-31\nFR,,20,2201-01-01,\n`)
    expect(read.tables.taxRates?.map(({ validFrom, validTo }) => [validFrom, validTo])).toEqual([
      ['2021-01-01', null],
      ['2201-01-01', null],
    ])
  })
})
