/** `waybill fuel`, and its effect on quotes. */

import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentDay } from '../../../src/cli/terminal/arguments.ts'
import { quote } from '../../../src/core/rating/quote.ts'
import { loadRateBook } from '../../../src/store/rate-cards/rate-book.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { optionOf, parcelInput, requestOf } from '../../support/rates/demo-rate-book.ts'
import { fileOf, removeFolders } from '../card/card-folder.ts'
import { runWaybill } from '../run-waybill.ts'

let cloned: ClonedDatabase
beforeAll(async () => {
  cloned = await cloneDatabase()
})
afterAll(async () => {
  await cloned.drop()
  await removeFolders()
})

const waybill = (words: string) => runWaybill(cloned, words)

async function priceOfClassic(): Promise<number | undefined> {
  const quoted = quote(await loadRateBook(cloned.db), requestOf(parcelInput()), currentDay())
  return optionOf(quoted, 1201)?.priceCents
}

test('fuel set changes prices from its day on, unset removes the percentage, list shows all percentages', async () => {
  expect(await waybill('fuel set rondeel 12 --from 2026-01-02 --yes')).toMatchObject({
    code: 0,
    err: '',
    out:
      'Fuel rondeel FUEL from 2026-01-02: 9.5% -> 12%\n' +
      'warning: rondeel FUEL from 2026-01-02, 9.5% -> 12%: prices of past days change\n' +
      'Set 1 figure. Running services apply the change within seconds.',
  })
  // 14.25, 12% fuel, 0.21 toll.
  expect(await priceOfClassic()).toBe(1617)
  expect((await waybill('fuel set rondeel 13% --from 2026-01-02 --yes')).out).toContain(': 12% -> 13%\n')
  const again = await waybill('fuel set rondeel 13 --from 2026-01-02 --json')
  expect(JSON.parse(again.out)).toEqual({
    changes: [
      { carrierCode: 'rondeel', code: 'FUEL', validFrom: '2026-01-02', beforeBps: 1300, afterBps: 1300 },
    ],
    dryRun: false,
  })
  expect((await waybill('fuel set rondeel 13 --from 2026-01-02')).out).toMatch(/\nNo figure changes\.$/)
  expect((await waybill('fuel list rondeel')).out).toMatch(
    /^CARRIER +CODE +FROM +FUEL +ENTERED\nrondeel +FUEL +2026-01-02 +13% +20\S+Z\nrondeel +FUEL +2026-01-01 +9\.5% /,
  )
  expect((await waybill('fuel unset rondeel --from 2026-01-02 --yes')).out).toMatch(
    /: 13% -> 9\.5%\n.*\nRemoved fuel rondeel FUEL from 2026-01-02\. Running services apply the change within seconds\.$/,
  )
  expect(await priceOfClassic()).toBe(1581)
  expect(JSON.parse((await waybill('fuel list --json')).out)).toHaveLength(5)
})

describe('a change that is probably a mistake', () => {
  test.each([
    ['fuel set rondeel 102.5 --from 2032-01-05', '9.5% -> 102.5%: a change of more than 5 points'],
    ['fuel set rondeel 14.51 --from 2032-01-05', '9.5% -> 14.51%: a change of more than 5 points'],
    ['fuel set rondeel 12.36 --from 2032-01-05', '9.5% -> 12.36%: a change of more than 30%'],
    ['fuel set rondeel 6.64 --from 2032-01-05', '9.5% -> 6.64%: a change of more than 30%'],
    ['fuel set rondeel 9.6 --from 2026-01-05', '9.5% -> 9.6%: prices of past days change'],
    ['fuel set rondeel 3 --from 2032-01-05 --code FEUL', 'none -> 3%: no surcharge uses this code'],
    ['fuel unset rondeel --from 2026-01-01', '9.5% -> none: no figure applies'],
  ])('is refused without a terminal: %s', async (words, reason) => {
    const before = await waybill('fuel list')
    const ran = await waybill(words)
    expect(ran.code).toBe(2)
    expect(ran.err).toMatch(/: add --yes to confirm$/)
    expect(ran.err).toContain(reason)
    expect(ran.out).toContain(`, ${reason}`)
    expect(await waybill('fuel list')).toEqual(before)
  })

  test('is asked about at a terminal', async () => {
    const words = 'fuel set rondeel 102.5 --from 2032-01-05'
    const before = await waybill('fuel list')
    expect(await runWaybill(cloned, words, { answer: 'n' })).toMatchObject({
      code: 1,
      asked: ['Change it all the same? [y/N] '],
      err: 'waybill: nothing was written: no fuel figure changes',
    })
    expect(await waybill(`${words} --dry-run`)).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^Fuel rondeel FUEL from 2032-01-05: 9\.5% -> 102\.5%\nwarning: .*\nDry run: /,
      ),
    })
    expect(await waybill('fuel list')).toEqual(before)
    expect(await runWaybill(cloned, words, { answer: 'y' })).toMatchObject({ code: 0 })
    await waybill('fuel unset rondeel --from 2032-01-05 --yes')
  })

  test('does not include a small change of a later day', async () => {
    for (const bps of ['12.35', '6.65'])
      expect(await waybill(`fuel set rondeel ${bps} --from 2032-01-05 --dry-run`)).toMatchObject({
        out: expect.not.stringContaining('warning'),
      })
  })
})

describe('fuel import', () => {
  const HEADER = 'carrier_code,code,valid_from,rate_pct'

  test('sets the percentages of many carriers at once', async () => {
    const file = await fileOf(
      'week.csv',
      HEADER,
      'rondeel,FUEL,2032-01-05,10.25',
      'hanzo,FUEL,2032-01-05,14.5',
    )
    expect(await waybill(`fuel import '${file}' --dry-run`)).toMatchObject({ code: 0 })
    const before = JSON.parse((await waybill('fuel list --json')).out)
    expect(await waybill(`fuel import '${file}'`)).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^Fuel rondeel FUEL from 2032-01-05: 9\.5% -> 10\.25%\nFuel hanzo FUEL from 2032-01-05: .*\nSet 2 figures/,
      ),
    })
    expect(before).toHaveLength(5)
    expect((await waybill('fuel list rondeel')).out).toContain('10.25%')
    await waybill('fuel unset rondeel --from 2032-01-05')
    await waybill('fuel unset hanzo --from 2032-01-05')
  })

  test('reads the delimiter of a first line, and names the cell that is not UTF-8', async () => {
    const semicolons = (note: string) => [
      ...['sep=;', `${HEADER};note`.replaceAll(',', ';')],
      `rondeel;FUEL;2032-02-02;10,25;${note}`,
    ]
    const sound = await fileOf('week.csv', ...semicolons('weekly'))
    expect(await waybill(`fuel import '${sound}' --dry-run`)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Fuel rondeel FUEL from 2032-02-02: 9\.5% -> 10\.25%\n/),
    })
    const foreign = await fileOf('week.csv', '')
    await writeFile(foreign, Buffer.from(semicolons('wöchentlich').join('\r\n'), 'latin1'))
    expect(await waybill(`fuel import '${foreign}' --dry-run`)).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^week\.csv, row 3, column note: expected text in UTF-8, and this is probably Windows-1252: save it as "CSV UTF-8" in Excel, .*, found "wöchentlich"$/m,
      ),
    })
  })

  test('compares each percentage with the earlier ones of the file', async () => {
    const file = await fileOf(
      'weeks.csv',
      HEADER,
      'rondeel,FUEL,2032-01-12,18',
      'rondeel,FUEL,2032-01-05,14',
      'rondeel,FUEL,2032-01-19,9.5',
    )
    expect((await waybill(`fuel import '${file}' --dry-run`)).out.split('\n')).toEqual([
      'Fuel rondeel FUEL from 2032-01-05: 9.5% -> 14%',
      'Fuel rondeel FUEL from 2032-01-12: 14% -> 18%',
      'Fuel rondeel FUEL from 2032-01-19: 18% -> 9.5%',
      expect.stringMatching(
        /^warning: rondeel FUEL from 2032-01-05, 9\.5% -> 14%: a change of more than 30%$/,
      ),
      expect.stringMatching(
        /^warning: rondeel FUEL from 2032-01-19, 18% -> 9\.5%: a change of more than 5 points$/,
      ),
      'Dry run: nothing was written.',
    ])
  })

  test('reports all faults by row and column, and writes nothing', async () => {
    const file = await fileOf(
      'week.csv',
      HEADER,
      'rondeel,FUEL,2032-01-05,"10,255"',
      'rondeel,FUEL,2032-01-05,10.25',
      'rondeel,FUEL,2032-01-05,10.5',
    )
    const ran = await waybill(`fuel import '${file}'`)
    expect(ran).toMatchObject({ code: 1, out: '' })
    expect(ran.err.split('\n')).toEqual([
      expect.stringMatching(/^week\.csv, row 2, column rate_pct: expected .* found "10,255"$/),
      expect.stringMatching(/^week\.csv, row 4, column valid_from: expected one percentage for each carrier/),
      'waybill: the file has 2 faults; nothing was written',
    ])
    const misspelt = await fileOf('week.csv', HEADER, 'rondel,FUEL,2032-01-05,10')
    expect((await waybill(`fuel import '${misspelt}'`)).err).toMatch(
      /^week\.csv, row 2, column carrier_code: expected the code of a carrier, found "rondel"\n/,
    )
  })

  test('asks about each percentage that is probably a mistake', async () => {
    const file = await fileOf(
      'week.csv',
      HEADER,
      'rondeel,FUEL,2032-01-05,10.25',
      'hanzo,FUEL,2032-01-05,145',
    )
    const ran = await waybill(`fuel import '${file}'`)
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('hanzo FUEL from 2032-01-05') })
    expect(ran.err).not.toContain('rondeel')
    expect((await waybill('fuel list rondeel')).out).not.toContain('10.25%')
  })
})

test.each([
  ['fuel set rondel 9 --from 2026-01-01', 1, 'waybill: there is no carrier rondel'],
  [
    'fuel unset rondeel --from 2020-01-01',
    1,
    'waybill: there is no fuel figure rondeel FUEL from 2020-01-01',
  ],
  ['fuel list rondel', 1, 'waybill: there is no carrier rondel'],
  ['fuel set rondeel -1 --from 2026-01-01', 2, /must not be below 0/],
  ['fuel set rondeel 9,5 --from 2026-01-01', 2, /such as 10 or 2\.5/],
  ['fuel set rondeel 9.555 --from 2026-01-01', 2, /at most 2 decimals/],
  ['fuel set rondeel 1001 --from 2026-01-01', 2, /must not be above 1000/],
  ['fuel set rondeel 9', 2, /required option '--from/],
  ['fuel set rondeel 9 --from tomorrow', 2, /Expected a day such as/],
])('refuses `%s`', async (words, code, message) => {
  const ran = await waybill(words)
  expect(ran).toMatchObject({ code, out: '' })
  expect(ran.err).toMatch(message)
})
