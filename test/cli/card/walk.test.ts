/** A rate card version from import to rollback, through the commands. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentDay } from '../../../src/cli/terminal/arguments.ts'
import { quote } from '../../../src/core/rating/quote.ts'
import { loadRateBook } from '../../../src/store/rate-cards/rate-book.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { optionOf, parcelInput, requestOf } from '../../support/rates/demo-rate-book.ts'
import { runWaybill, type Setting } from '../run-waybill.ts'
import { demoFolderWith, removeFolders } from './card-folder.ts'

let cloned: ClonedDatabase
/** The demo card with a higher price of product 1201 (Classic) and another toll. */
let changedCard: string
beforeAll(async () => {
  cloned = await cloneDatabase({ statementTimeoutMs: 0 })
  changedCard = await demoFolderWith(
    ['rates.csv', '1201,3,KG,2,5,14.25', '1201,3,KG,2,5,15.00'],
    ['rates.csv', '1201,3,KG,0,2,12.45', '1201,3,KG,0,2,12.00'],
    ['surcharges.csv', 'rondeel,TOLL,Toll,fixed,flat,0.21', 'rondeel,TOLL,Toll,fixed,flat,0.25'],
  )
})
afterAll(async () => {
  await cloned.drop()
  await removeFolders()
})

const waybill = (words: string, setting?: Setting) => runWaybill(cloned, words, setting)

/** Today's price of product 1201 for the default parcel from NL to ES; undefined if it is not offered. */
async function priceOfClassic(): Promise<number | undefined> {
  const quoted = quote(await loadRateBook(cloned.db), requestOf(parcelInput()), currentDay())
  return optionOf(quoted, 1201)?.priceCents
}

async function statuses(): Promise<string[]> {
  const listed = JSON.parse((await waybill('card list demo --json')).out) as Record<string, string>[]
  return listed.map(({ version, status }) => `${version} ${status}`)
}

describe('a new version, from import to rollback', () => {
  test('import shows the changes and stores a draft that does not affect prices', async () => {
    const { code, out, err } = await waybill(
      `card import '${changedCard}' --code demo --valid-from 2026-01-01 --changes 1`,
    )
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.split('\n')).toEqual([
      `From demo@1 to ${changedCard}:`,
      'TABLE       ADDED  REMOVED  CHANGED',
      'prices          0        0        2',
      'surcharges      0        0        1',
      expect.stringMatching(/^unchanged: products, country groups, lanes, /),
      '',
      'Prices: 1 up, 1 down, 886 unchanged, 0 added, 0 removed; mean change 0%',
      '',
      'Largest price changes:',
      'PRODUCT       ZONE  BAND        OLD EUR  NEW EUR  CHANGE',
      '1201 Classic     3  up to 5 kg    14.25    15.00  +5.26%',
      '… and 1 more (--changes 2 lists all)',
      '',
      'Other changes:',
      '~ surcharges: rondeel TOLL from 2026-01-01: amount 0.21 EUR -> 0.25 EUR',
      '',
      '5 shipments booked in the last 30 days, at list prices: EUR 58.27 -> 58.47 (+0.34%).',
      '',
      'Imported demo@2 as a draft. To publish it: waybill card publish demo@2',
    ])
    expect(await statuses()).toEqual(['demo@2 draft', 'demo@1 published'])
    expect(await priceOfClassic()).toBe(1581)
  })

  test('importing the same card again stores nothing', async () => {
    const again = await waybill(`card import '${changedCard}' --code demo --valid-from 2026-01-01`)
    expect(again.code).toBe(0)
    expect(again.out).toMatch(
      /demo@2 \(draft\) has the same content already\.\nNothing was written\. To publish it: waybill card publish demo@2$/,
    )
    expect(await statuses()).toHaveLength(2)
  })

  test('publish asks for confirmation: "no" leaves a draft, "yes" changes the prices', async () => {
    const refused = await waybill('card publish demo@2', { answer: 'n' })
    expect(refused).toMatchObject({
      code: 1,
      asked: ['Publish demo@2? [y/N] '],
      err: 'waybill: not published: demo@2 stays a draft',
    })
    expect(refused.out).toContain('Prices: 1 up, 1 down')
    expect(await priceOfClassic()).toBe(1581)

    const published = await waybill('card publish demo@2', { answer: 'Yes' })
    expect(published.code).toBe(0)
    expect(published.out).toMatch(/\nPublished demo@2\. Running services apply the change within seconds\.$/)
    // 15.00, 9.5% fuel, 0.25 toll.
    expect(await priceOfClassic()).toBe(1668)
    expect((await waybill('card list')).out).toMatch(
      /demo@2 +Demo rate book +everyone +published, in force today +2026-01-01 +14 +888\ndemo@1 .* published +2026/,
    )
  })

  test('withdraw puts the previous version in force', async () => {
    const withdrawn = await waybill('card withdraw demo@2 --yes')
    expect(withdrawn).toMatchObject({ code: 0, asked: [], err: '' })
    expect(withdrawn.out).toBe(
      'Without it, demo@1 is in force today.\nWithdrew demo@2. Running services apply the change within seconds.',
    )
    expect(await statuses()).toEqual(['demo@2 withdrawn', 'demo@1 published'])
    expect(await priceOfClassic()).toBe(1581)
  })

  test('rollback to a withdrawn version publishes it again; rollback without a number undoes that', async () => {
    const forward = await waybill('card rollback demo --to 2 --json --yes')
    expect(forward).toMatchObject({ code: 0, out: '{"withdrawn":[],"to":"demo@2"}' })
    expect(await priceOfClassic()).toBe(1668)

    const back = await waybill('card rollback demo', { answer: 'y' })
    expect(back).toMatchObject({ code: 0, asked: ['Roll demo back to demo@1? [y/N] '] })
    expect(back.out).toMatch(/^From demo@2 to demo@1:\n/)
    expect(back.out).toMatch(/\nRolled demo back to demo@1: demo@2 withdrawn\. Running services /)
    expect(await priceOfClassic()).toBe(1581)
  })

  test('withdrawing the last version warns that its products are no longer offered', async () => {
    const asked = await waybill('card withdraw demo@1', { answer: '' })
    expect(asked).toMatchObject({ code: 1, err: 'waybill: not withdrawn: demo@1 stays published' })
    expect(asked.out).toBe(
      'Without it, no version of demo is in force today: its products are no longer offered.',
    )
    const { out } = await waybill('card withdraw demo@1 --yes --json')
    expect(out).toBe('{"version":"demo@1","status":"withdrawn","pricesToday":null}')
    expect(await priceOfClassic()).toBeUndefined()
    expect((await waybill('card rollback demo --to demo@1 --yes')).code).toBe(0)
    expect(await priceOfClassic()).toBe(1581)
  })
})

describe('import --publish', () => {
  test('asks for confirmation with the number of the new version, and shows progress', async () => {
    const { code, out, asked, drawn } = await waybill(
      `card import '${changedCard}' --code demo --valid-from 2026-01-01 --force --publish`,
      { answer: 'y' },
    )
    expect({ code, asked }).toEqual({ code: 0, asked: ['Publish demo@3? [y/N] '] })
    expect(out).toMatch(
      /Imported demo@3 as a draft\.\ndemo@3 applies instead of demo@1 from 2026-01-01 on\.\nPublished demo@3\./,
    )
    expect(drawn).toMatch(/^Reading .*\n.*Publishing demo@3 …\n$/s)
    expect(await priceOfClassic()).toBe(1668)
    await waybill('card rollback demo --to 1 --yes')
  })

  test('leaves a draft if the answer is no; the same import publishes it later', async () => {
    const words = `card import '${changedCard}' --code demo --name 'Autumn prices' --valid-from 2026-01-01 --publish`
    const refused = await waybill(words, { answer: 'no' })
    expect(refused).toMatchObject({ code: 1, err: 'waybill: not published: demo@4 stays a draft' })
    expect(await priceOfClassic()).toBe(1581)

    const later = await waybill(`${words} --yes --json`)
    expect(later).toMatchObject({ code: 0, asked: [] })
    expect(JSON.parse(later.out)).toMatchObject({
      version: 'demo@4',
      status: 'published',
      imported: false,
      same: 'demo@4',
    })
    expect(await priceOfClassic()).toBe(1668)
  })

  test('card publish shows the changes of tables that all cards share', async () => {
    const folder = await demoFolderWith(['surcharges.csv', 'pct,9.50', 'pct,9.75'])
    const imported = JSON.parse(
      (await waybill(`card import '${folder}' --code demo --valid-from 2026-01-01 --json`)).out,
    ) as { version: string }
    const asked = await waybill(`card publish ${imported.version}`, { answer: 'n' })
    expect(asked.out).toContain(
      'Publishing it also changes these tables for all rate cards:\n  fuel rondeel FUEL from 2026-01-01: 9.75%',
    )
    await waybill(`card discard ${imported.version}`)
  })

  test('discard deletes drafts only', async () => {
    await waybill(`card import '${changedCard}' --code demo --valid-from 2027-01-01`)
    expect(await waybill('card discard demo@5')).toMatchObject({
      code: 0,
      out: 'Discarded the draft demo@5.',
    })
    expect(await waybill('card discard demo@4')).toMatchObject({
      code: 1,
      err: 'waybill: demo@4 is published: only drafts can be discarded',
    })
  })

  test('a draft that conflicts with another card stays a draft', async () => {
    const clash = await waybill(
      `card import '${changedCard}' --code second --name Second --valid-from 2026-01-01 --publish --yes`,
    )
    expect(clash.code).toBe(1)
    expect(clash.err).toMatch(/^waybill: .*product 1101.*; second@1 is not published$/)
    expect((await waybill('card list second')).out).toMatch(/second@1 .* draft/)
    expect(await priceOfClassic()).toBe(1668)
  })
})
