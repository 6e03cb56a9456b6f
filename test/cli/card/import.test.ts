/** Import of rate cards: folders, zips, price lists and versions, and the format of reported faults. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { runWaybill, type Setting } from '../run-waybill.ts'
import {
  DEMO_FOLDER,
  demoFolderWith,
  fileOf,
  priceList,
  removeFolders,
  workbookOf,
  zipOf,
} from './card-folder.ts'

let cloned: ClonedDatabase
beforeAll(async () => {
  cloned = await cloneDatabase({ statementTimeoutMs: 0 })
})
afterAll(async () => {
  await cloned.drop()
  await removeFolders()
})

const waybill = (words: string, setting?: Setting) => runWaybill(cloned, words, setting)
const FROM = '--valid-from 2026-01-01'
const BROKEN = [
  ['lane_zone.csv', 'G1,G2,2', 'G1,G2,two'],
  ['rates.csv', '1201,3,KG,2,5,14.25', '1201,3,KG,2,5,"14,250"'],
] as const

describe('faults', () => {
  test('are reported one per line by file, row and column, and nothing is written', async () => {
    const broken = await demoFolderWith(...BROKEN)
    expect(await waybill(`card import '${broken}' --code broken --name Broken ${FROM}`)).toMatchObject({
      code: 1,
      out: '',
      err: [
        'lane_zone.csv, row 4, column zone: expected a whole number, found "two"',
        'rates.csv, row 690, column price: expected a number with at most 2 decimals, written with a point, found "14,250"',
        'waybill: the card has 2 faults; nothing was written',
      ].join('\n'),
    })
    expect((await waybill('card list')).out).not.toContain('broken')
  })

  test('are reported as one JSON document with --json', async () => {
    const broken = await demoFolderWith(...BROKEN)
    const { code, out, err } = await waybill(`card validate '${broken}' --json`)
    expect({ code, err }).toEqual({ code: 1, err: '' })
    expect(JSON.parse(out)).toEqual({
      faults: [
        { file: 'lane_zone.csv', row: 4, column: 'zone', expected: 'a whole number', found: 'two' },
        expect.objectContaining({ file: 'rates.csv', row: 690, column: 'price', found: '14,250' }),
      ],
      warnings: [],
    })
  })

  test('of pick-up days and cut-off times name the cell', async () => {
    const broken = await demoFolderWith(
      ['products.csv', ',Mon|Wed|Fri,11:00', ',Mon|Wednesday,11:00'],
      ['products.csv', ',Mon-Sat,15:30', ',Mon-Sat,3:30 pm'],
    )
    const { code, err } = await waybill(`card validate '${broken}'`)
    expect(code).toBe(1)
    expect(err).toMatch(
      /^products\.csv, row 7, column cut_off: expected a time such as 16:00, found "3:30 pm"$/m,
    )
    expect(err).toMatch(
      /^products\.csv, row 15, column pickup_days: expected weekdays .*, found "Mon\|Wednesday"$/m,
    )
  })

  test('of the card as a whole name the place in the files', async () => {
    const gap = await demoFolderWith(['rates.csv', '1201,3,KG,2,5,14.25', '1201,3,KG,3,5,14.25'])
    const { code, err } = await waybill(`card validate '${gap}'`)
    expect(code).toBe(1)
    expect(err).toMatch(
      /^rates\.csv, row 690, column over: expected .*2 kg.*\nwaybill: the card has 1 fault$/,
    )
  })

  test('of one kind are listed up to twenty, then counted', async () => {
    const gaps = await demoFolderWith(
      ['rates.csv', ',KG,5,', ',KG,5.1,'],
      ['rates.csv', ',KG,10,', ',KG,10.1,'],
    )
    const { err } = await waybill(`card validate '${gaps}'`)
    expect(err.split('\n').slice(19)).toEqual([
      expect.stringMatching(/^rates\.csv, row \d+, column over: /),
      'rates.csv: and 38 more of this kind',
      'waybill: the card has 58 faults',
    ])
  })

  test('of a price list have the number of their row', async () => {
    const list = await priceList('product_id,up_to,zone 3', '1201,2,12.00', '1201,x,14.00')
    expect((await waybill(`card import '${list}' --code demo ${FROM}`)).err).toBe(
      [
        'prices.csv, row 3, column up_to: expected a number with at most 3 decimals, found "x"',
        'waybill: the card has 1 fault; nothing was written',
      ].join('\n'),
    )
    const unknown = await priceList('product_id,zone,up_to,price', '1201,3,2,12.00', '9999,3,2,12.00')
    expect((await waybill(`card validate '${unknown}' --base demo@1`)).err).toMatch(
      /^prices\.csv, row 3, column product_id: expected a product of demo@1, found "9999"\n/,
    )
    const gap = await priceList('product_id,zone,up_to,price,over', '1201,3,2,12.00,0', '1201,3,5,14.00,3')
    const { err } = await waybill(`card validate '${gap}' --base demo@1`)
    expect(err).toMatch(/\nprices\.csv, row 3, column over: expected .* 2 kg.*, found "3 kg"\n/)
    // Warnings about rows that the list does not replace refer to rows of the base.
    expect(err).toMatch(/^warning: demo@1 transit \(product id 1201, zone 0, min days 1\), column zone: /)
    expect(err).not.toContain('fuel table')
  })

  test('of a row of a grid are listed once, not once for each zone', async () => {
    const grid = await priceList(
      'product_id,up_to,zone 0,zone 1,zone 2',
      ...['1201,2,6.25,8.75,10.25', '1201,10,6.75,9.55,11.55', '1201,5,7.55,11.05,13.75'],
    )
    expect((await waybill(`card validate '${grid}' --base demo@1`)).err).toContain(
      'prices.csv, row 4, column up_to: expected up_to above over (10 kg), found "5 kg"\nwaybill: the card has',
    )
  })

  test('of prices that a price list does not replace name the base version', async () => {
    const falling = await demoFolderWith(['rates.csv', '1301,3,KG,2,5,19.50', '1301,3,KG,2,5,99.50'])
    const { out } = await waybill(`card import '${falling}' --code demo ${FROM} --json`)
    const { version } = JSON.parse(out) as { version: string }
    const list = await priceList('product_id,zone,up_to,price', '1201,3,31.5,12.00')
    const { err } = await waybill(`card validate '${list}' --base ${version}`)
    expect(err).toContain(
      `warning: ${version} prices (product id 1301, zone 3, unit KG), column price: expected at least 99.50 EUR`,
    )
    await waybill(`card discard ${version}`)
  })
})

test('a comparison counts many changed areas by class and country', async () => {
  const changed = await demoFolderWith(['areas.csv', ',REMOTE,', ',ISLAND,'])
  const { out } = await waybill(`card diff demo@1 '${changed}' --changes 3`)
  expect(out).toMatch(
    /\nPlaces by class or group and country:\nTABLE +CLASS +COUNTRY +ADDED +REMOVED\nareas +[A-Z]+ +[A-Z]{2} +\d+ +\d+\n/,
  )
  expect((await waybill(`card diff demo@1 '${changed}' --changes 1000`)).out).not.toContain('Places by')
})

describe('validate', () => {
  test('counts the rows of each table and says that the card is valid', async () => {
    const { code, out } = await waybill(`card validate '${DEMO_FOLDER}'`)
    expect(code).toBe(0)
    expect(out).toMatch(
      /^TABLE +ROWS\ncarriers +6\nproducts +14\n(.*\n)*prices +888\n(.*\n)*The rate card is valid\.$/,
    )
  })

  test('does not open the database for a folder or a zip', async () => {
    const nowhere = { ...cloned, source: undefined as never, db: undefined as never }
    const zip = await zipOf(DEMO_FOLDER)
    for (const card of [DEMO_FOLDER, zip]) {
      const { code, out } = await runWaybill(nowhere, `card validate '${card}' --json`)
      expect(code).toBe(0)
      expect(JSON.parse(out)).toMatchObject({ faults: [], warnings: [], rows: { products: 14, prices: 888 } })
    }
  })

  test('checks a version in the database and refuses one that does not exist', async () => {
    expect((await waybill('card validate demo@1')).out).toMatch(/The rate card is valid\.$/)
    expect(await waybill('card validate demo@77')).toMatchObject({
      code: 1,
      err: 'waybill: there is no demo@77',
    })
  })

  test('shows warnings and exits with 0', async () => {
    const odd = await demoFolderWith(['rates.csv', '1201,3,KG,2,5,14.25', '1201,3,KG,2,5,1.25'])
    await writeFile(path.join(odd, 'rate.csv'), 'x\n')
    const { code, out, err } = await waybill(`card validate '${odd}'`)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/\nwarning: rate\.csv: expected a file of the format; it is not read\n/)
    expect(out).toMatch(/\nwarning: rates\.csv, row 690, column price: expected .*"1\.25 EUR"\n/)
  })
})

describe('a price list', () => {
  const versionsOfDemo = async () => JSON.parse((await waybill('card list demo --json')).out).length as number

  test('with a column per zone replaces all prices of its products', async () => {
    const list = await priceList(
      'product_id,up_to,Zone 2,zone_3',
      '1201,2,10.00,12.00',
      '1201,31.5,20.00,30.00',
    )
    const { code, out } = await waybill(`card import '${list}' --code demo ${FROM} --json --dry-run`)
    // Lanes reach zones 0, 1, 4 and 5 of product 1201, which have no prices now.
    expect(code).toBe(1)
    expect(JSON.parse(out).faults.length).toBeGreaterThan(0)
  })

  test('with a row per price builds on the version in force', async () => {
    const rows = [0, 1, 2, 3, 4, 5].map((zone) => `1201,${zone},31.5,${10 + zone}.00`)
    const list = await priceList('product_id,zone,up_to,price', ...rows)
    const before = await versionsOfDemo()
    const dry = await waybill(`card import '${list}' --code demo ${FROM} --dry-run --publish`)
    expect(dry).toMatchObject({ code: 0, err: '', asked: [] })
    expect(dry.out).toMatch(/^The price list builds on demo@1\.\nFrom demo@1 to /)
    expect(dry.out).toMatch(/\nPrices: 0 up, 6 down, 846 unchanged, 0 added, 36 removed; mean change /)
    expect(dry.out).toMatch(/\nDry run: nothing was written\.$/)
    expect(await versionsOfDemo()).toBe(before)

    const { out } = await waybill(`card import '${list}' --code demo ${FROM} --json`)
    expect(JSON.parse(out)).toMatchObject({
      version: `demo@${before + 1}`,
      status: 'draft',
      imported: true,
      base: 'demo@1',
      warnings: [],
      news: [],
      difference: {
        before: 'demo@1',
        unchanged: false,
        tables: { products: { added: 0, removed: 0, changed: 0 } },
        prices: { totals: { down: 6, unchanged: 846, removed: 36 } },
        otherChanges: { total: expect.any(Number) as number },
      },
    })
    const stored = await waybill(`card diff demo@1 demo@${before + 1}`)
    expect(stored.out).toContain('Prices: 0 up, 6 down, 846 unchanged, 0 added, 36 removed')
    await waybill(`card discard demo@${before + 1}`)
  })

  test('in a layout of its own is imported, published and quoted', async () => {
    const folder = path.resolve(import.meta.dirname, '../../fixtures/rate-cards/own-layouts')
    await waybill(`card import '${folder}' --code own --name Own --valid-from 2026-01-01 --publish --yes`)
    const layout = await fileOf(
      'bancali.csv',
      ...['kind,name,value', 'column,Bancale,unit', 'product,,3502'],
      ...['column,Zona 1,zone 1', 'column,Zona 2,zone 2', 'column,Zona 3,zone 3'],
      ...['unit,MINI,PALLET:MINI', 'unit,QUARTO,PALLET:QUARTER'],
      ...['unit,MEZZO,PALLET:HALF', 'unit,INTERO,PALLET:FULL'],
    )
    const rows = [
      'Bancale;Zona 1;Zona 2;Zona 3',
      ...['MINI;31,00;38,50;62,00', 'QUARTO;36,00;44,00;71,00', 'MEZZO;45,00;55,50;90,00'],
    ]
    const importing = (list: string) =>
      waybill(`card import '${list}' --layout '${layout}' --code own --valid-from 2026-01-02 --publish --yes`)
    expect(await importing(await priceList(...rows, 'GRANDE;68,00;84,00;139,00'))).toMatchObject({
      code: 1,
      err: [
        'prices.csv, row 5, column Bancale: expected a text that the layout has for unit, one of MINI, QUARTO, MEZZO, INTERO, found "GRANDE"',
        'waybill: the card has 1 fault; nothing was written',
      ].join('\n'),
    })
    expect(await importing(await priceList(...rows, 'INTERO;68,00;84,00;139,00'))).toMatchObject({ code: 0 })
    const { out } = await waybill(
      'quote IT:20121 IT:24121 --kg 500 --size 120x80x120 --type PALLET --product 3502',
    )
    expect(out).toMatch(/Freight +55\.50/)
    await waybill('card withdraw own@2 --yes')
    await waybill('card withdraw own@1 --yes')
  })

  test('in a workbook, with a title and one cell per product, is the same as the CSV file', async () => {
    const zones = [0, 1, 2, 3, 4, 5]
    const prices = (from: number) => zones.map((zone) => from + zone)
    const workbook = await workbookOf({
      'Read me': [['Ask Anna about the islands']],
      'Tarife 2027': [
        ['Rondeel, from January'],
        [],
        ['product_id', 'up_to', ...zones.map((zone) => `Zone ${zone}`)],
        [1201, 5, ...prices(10.5)],
        [null, '31,5', ...prices(20.25)],
      ],
    })
    const list = await priceList(
      `product_id;up_to;${zones.map((zone) => `zone ${zone}`).join(';')}`,
      `1201;5;${prices(10.5).join(';')}`.replaceAll('.', ','),
      `1201;31,5;${prices(20.25).join(';')}`.replaceAll('.', ','),
    )
    expect((await waybill(`card diff '${workbook}' '${list}' --base demo@1`)).out).toMatch(/^No difference /)
    const { code, out } = await waybill(`card import '${workbook}' --code demo ${FROM} --dry-run`)
    expect(code).toBe(0)
    expect(out).toContain('The price list builds on demo@1.')
  })

  test('does not change fuel percentages that were set after its base version', async () => {
    await waybill('fuel set rondeel 12 --from 2026-01-01 --yes')
    const rows = [0, 1, 2, 3, 4, 5].map((zone) => `1201,${zone},31.5,${10 + zone}.00`)
    const list = await priceList('product_id,zone,up_to,price', ...rows)
    await waybill(`card import '${list}' --code demo --valid-from 2099-01-01 --base demo@1 --publish --yes`)
    expect((await waybill('fuel list rondeel')).out).toMatch(/rondeel +FUEL +2026-01-01 +12% /)
    await waybill('fuel set rondeel 9.5 --from 2026-01-01 --yes')
    await waybill('card rollback demo --to 1 --yes')
  })

  test('is refused without a base version', async () => {
    const list = await priceList('product_id,zone,up_to,price', '1201,3,31.5,10.00')
    expect(await waybill(`card import '${list}' --code fresh --name Fresh ${FROM}`)).toMatchObject({
      code: 1,
      err: 'waybill: fresh has no version that the price list can build on: name one with --base',
    })
    expect(await waybill(`card validate '${list}'`)).toMatchObject({ code: 2 })
    expect((await waybill(`card diff demo@1 '${list}' --changes 0`)).out).toMatch(/^From demo@1 to /)
    expect((await waybill(`card diff '${list}' demo@1 --changes 0`)).out).toMatch(/ to demo@1:\n/)
    expect((await waybill(`card diff '${list}' '${list}' --base demo@1`)).out).toMatch(/^No difference /)
  })
})

describe('import', () => {
  test('writes nothing if the content of a zip is unchanged', async () => {
    const zip = await zipOf(DEMO_FOLDER)
    expect(await waybill(`card import '${zip}' --code demo ${FROM} --publish --yes`)).toMatchObject({
      code: 0,
      err: '',
      out: `No difference between demo@1 and ${zip}.\ndemo@1 (published) has the same content already.\nNothing was written.`,
    })
    const json = await waybill(`card import '${zip}' --code demo ${FROM} --json`)
    expect(JSON.parse(json.out)).toMatchObject({
      version: 'demo@1',
      status: 'published',
      imported: false,
      same: 'demo@1',
      difference: { unchanged: true },
    })
  })

  test('tells that only the days are new', async () => {
    const zip = await zipOf(DEMO_FOLDER)
    expect((await waybill(`card import '${zip}' --code demo --valid-from 2098-01-01 --dry-run`)).out).toBe(
      `No difference between demo@1 and ${zip}.\nOnly the name, the days or the accounts are others than those of demo@1.\nDry run: nothing was written.`,
    )
  })

  test('refuses the content of a withdrawn version and points to rollback', async () => {
    const other = await demoFolderWith(['rates.csv', '1201,3,KG,2,5,14.25', '1201,3,KG,2,5,15.00'])
    await waybill(`card import '${other}' --code demo ${FROM} --publish --yes`)
    const [newest] = JSON.parse((await waybill('card list demo --json')).out) as { versionNo: number }[]
    const no = newest?.versionNo
    await waybill(`card withdraw demo@${no} --yes`)
    expect(await waybill(`card import '${other}' --code demo ${FROM}`)).toMatchObject({
      code: 1,
      err: `waybill: demo@${no} has the same content and was withdrawn: publish it again with "card rollback demo --to ${no}", or import a new version with --force`,
    })
  })

  test('lists new fuel percentages, carriers and capitals', async () => {
    const changed = await demoFolderWith(
      [
        'surcharges.csv',
        'rondeel,FUEL,Fuel surcharge,percent,pct,9.50',
        'rondeel,FUEL,Fuel surcharge,percent,pct,9.75',
      ],
      ['carriers.csv', 'Rondeel Parcel', 'Rondeel Post'],
      ['capitals.csv', 'NL,Amsterdam,1012', 'NL,The Hague,2511'],
    )
    const { out } = await waybill(`card import '${changed}' --code demo --valid-from 2026-01-01 --dry-run`)
    expect(out).toContain(
      [
        'Publishing it also changes these tables for all rate cards:',
        '  carrier rondeel: Rondeel Post, connector sandbox',
        '  capital of NL: The Hague 2511',
        '  fuel rondeel FUEL from 2026-01-01: 9.75%',
        'Dry run: nothing was written.',
      ].join('\n'),
    )
  })

  test('requires a name for a new card only, and keeps the audience of a card', async () => {
    expect(await waybill(`card import '${DEMO_FOLDER}' --code fresh ${FROM}`)).toMatchObject({
      code: 2,
      err: 'waybill: there is no rate card fresh yet: add --name to create it',
    })
    expect(await waybill(`card import '${DEMO_FOLDER}' --code demo ${FROM} --contract-only`)).toMatchObject({
      code: 1,
      err: 'waybill: demo was published for everyone: --contract-only needs a card with another code',
    })
    const terms = `--code deal --name 'The deal' --contract-only ${FROM}`
    const first = await waybill(`card import '${DEMO_FOLDER}' ${terms} --publish --yes`)
    expect(first.out).toMatch(
      /^No version of "The deal" is published yet\. This one has 14 products, 888 prices\.\n/,
    )
    expect(first.code).toBe(0)
    await waybill(`card import '${DEMO_FOLDER}' --code deal --valid-from 2027-01-01 --valid-to 2027-07-01`)
    expect((await waybill('card list deal')).out).toMatch(
      /deal@2 +The deal +contracts +draft +2027-01-01 +2027-07-01 .*\ndeal@1 +The deal +contracts +published/,
    )
  })
})

describe('a workbook', () => {
  test('that is damaged or not a workbook is refused by name', async () => {
    const file = (await fileOf('prices.xlsx', 'PK not a zip')).toString()
    expect(await waybill(`card import '${file}' --code x --name X ${FROM}`)).toMatchObject({
      code: 1,
      err: expect.stringMatching(new RegExp(`^waybill: ${file} is refused: expected `)) as string,
    })
    expect(await waybill(`card validate '${file}.xlsx'`)).toMatchObject({
      code: 1,
      err: `waybill: ${file}.xlsx does not exist`,
    })
  })

  test('with several price lists is refused, because it is not known which one is meant', async () => {
    const header = ['product_id', 'up_to', 'zone 1']
    const file = await workbookOf({ Parcels: [header], Letters: [header] })
    expect(await waybill(`card import '${file}' --code demo ${FROM}`)).toMatchObject({
      code: 1,
      err: `waybill: ${file} is refused: expected one sheet with the columns product_id and up_to, found the sheets Parcels, Letters`,
    })
  })
})
