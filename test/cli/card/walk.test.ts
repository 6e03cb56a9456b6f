/** The life of a rate card as its operator sees it: import, look, publish, withdraw, roll back. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { presentDay } from '../../../src/cli/card/status.ts'
import { quote } from '../../../src/core/rating/quote.ts'
import { loadRateBook } from '../../../src/store/rate-cards/rate-book.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { optionOf, parcelInput, requestOf } from '../../support/rates/demo-rate-book.ts'
import { runWaybill, type Setting } from '../run-waybill.ts'
import { demoFolderWith, removeFolders } from './card-folder.ts'

let cloned: ClonedDatabase
/** The demo card with a dearer Classic and another toll. */
let dearer: string
beforeAll(async () => {
  cloned = await cloneDatabase({ statementTimeoutMs: 0 })
  dearer = await demoFolderWith(
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

/** What Classic costs today for the ordinary parcel from NL to ES; undefined when it is not offered. */
async function priceOfClassic(): Promise<number | undefined> {
  const quoted = quote(await loadRateBook(cloned.db), requestOf(parcelInput()), presentDay())
  return optionOf(quoted, 1201)?.priceCents
}

async function statuses(): Promise<string[]> {
  const listed = JSON.parse((await waybill('card list demo --json')).out) as Record<string, string>[]
  return listed.map(({ version, status }) => `${version} ${status}`)
}

describe('a new version, from import to rollback', () => {
  test('import shows what changes and writes a draft, which prices nothing', async () => {
    const { code, out, err } = await waybill(
      `card import '${dearer}' --code demo --valid-from 2026-01-01 --changes 1`,
    )
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.split('\n')).toEqual([
      `From demo@1 to ${dearer}:`,
      'TABLE       ADDED  REMOVED  CHANGED',
      'prices          0        0        2',
      'surcharges      0        0        1',
      expect.stringMatching(/^unchanged: products, country groups, lanes, /),
      '',
      'Prices: 1 up, 1 down, 886 unchanged, 0 added, 0 removed; mean change 0%',
      '',
      'The largest changes of prices:',
      'PRODUCT       ZONE  BAND        OLD EUR  NEW EUR  CHANGE',
      '1201 Classic     3  up to 5 kg    14.25    15.00  +5.26%',
      '… and 1 more (--changes 2 lists all)',
      '',
      'Other changes:',
      '~ surcharges: rondeel TOLL from 2026-01-01: amount 0.21 EUR -> 0.25 EUR',
      '',
      'Imported demo@2: it is a draft and prices nothing until: waybill card publish demo@2',
    ])
    expect(await statuses()).toEqual(['demo@2 draft', 'demo@1 published'])
    expect(await priceOfClassic()).toBe(1581)
  })

  test('the same again is not written again', async () => {
    const again = await waybill(`card import '${dearer}' --code demo --valid-from 2026-01-01`)
    expect(again.code).toBe(0)
    expect(again.out).toMatch(
      /demo@2 \(draft\) says the same already\.\nNothing was written\. To publish it: waybill card publish demo@2$/,
    )
    expect(await statuses()).toHaveLength(2)
  })

  test('publishing is asked for: no leaves it a draft, yes makes it price', async () => {
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
    expect(published.out).toMatch(/\nPublished demo@2\. Running services take it over within seconds\.$/)
    // 15.00, 9.5% fuel, 0.25 toll.
    expect(await priceOfClassic()).toBe(1668)
    expect((await waybill('card list')).out).toMatch(
      /demo@2 +Demo rate book +everyone +published, prices today +2026-01-01 +14 +888\ndemo@1 .* published +2026/,
    )
  })

  test('withdrawing it gives the days to come back to the version before', async () => {
    const withdrawn = await waybill('card withdraw demo@2 --yes')
    expect(withdrawn).toMatchObject({ code: 0, asked: [], err: '' })
    expect(withdrawn.out).toBe(
      'demo@1 prices today without it.\nWithdrew demo@2. Running services take it over within seconds.',
    )
    expect(await statuses()).toEqual(['demo@2 withdrawn', 'demo@1 published'])
    expect(await priceOfClassic()).toBe(1581)
  })

  test('a rollback to it publishes it again, and one without a number undoes that', async () => {
    const forward = await waybill('card rollback demo --to 2 --json --yes')
    expect(forward).toMatchObject({ code: 0, out: '{"withdrawn":[],"to":"demo@2"}' })
    expect(await priceOfClassic()).toBe(1668)

    const back = await waybill('card rollback demo', { answer: 'y' })
    expect(back).toMatchObject({ code: 0, asked: ['Roll demo back to demo@1? [y/N] '] })
    expect(back.out).toMatch(/^From demo@2 to demo@1:\n/)
    expect(back.out).toMatch(/\nRolled demo back to demo@1: demo@2 withdrawn\. Running services /)
    expect(await priceOfClassic()).toBe(1581)
  })

  test('withdrawing the last one says that nothing is left to offer', async () => {
    const asked = await waybill('card withdraw demo@1', { answer: '' })
    expect(asked).toMatchObject({ code: 1, err: 'waybill: not withdrawn: demo@1 stays published' })
    expect(asked.out).toBe('No version of demo prices today without it: its products are no longer offered.')
    const { out } = await waybill('card withdraw demo@1 --yes --json')
    expect(out).toBe('{"version":"demo@1","status":"withdrawn","pricesToday":null}')
    expect(await priceOfClassic()).toBeUndefined()
    expect((await waybill('card rollback demo --to demo@1 --yes')).code).toBe(0)
    expect(await priceOfClassic()).toBe(1581)
  })
})

describe('import --publish', () => {
  test('asks with the number the version got, and draws how far it is', async () => {
    const { code, out, asked, drawn } = await waybill(
      `card import '${dearer}' --code demo --valid-from 2026-01-01 --force --publish`,
      { answer: 'y' },
    )
    expect({ code, asked }).toEqual({ code: 0, asked: ['Publish demo@3? [y/N] '] })
    expect(out).toMatch(/Imported demo@3: it is a draft\.\nPublished demo@3\./)
    expect(drawn).toMatch(/^Reading .*\n.*Publishing demo@3 …\n$/s)
    expect(await priceOfClassic()).toBe(1668)
    await waybill('card rollback demo --to 1 --yes')
  })

  test('answered with no leaves a draft, which the same import publishes later', async () => {
    const words = `card import '${dearer}' --code demo --name 'Autumn prices' --valid-from 2026-01-01 --publish`
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

  test('publishing a draft later tells what it enters for all cards', async () => {
    const folder = await demoFolderWith(['surcharges.csv', 'pct,9.50', 'pct,9.75'])
    const imported = JSON.parse(
      (await waybill(`card import '${folder}' --code demo --valid-from 2026-01-01 --json`)).out,
    ) as { version: string }
    const asked = await waybill(`card publish ${imported.version}`, { answer: 'n' })
    expect(asked.out).toContain(
      'Publishing it also enters, for all cards:\n  fuel rondeel FUEL from 2026-01-01: 9.75%',
    )
    await waybill(`card discard ${imported.version}`)
  })

  test('a draft can be discarded, and only a draft', async () => {
    await waybill(`card import '${dearer}' --code demo --valid-from 2027-01-01`)
    expect(await waybill('card discard demo@5')).toMatchObject({
      code: 0,
      out: 'Discarded the draft demo@5.',
    })
    expect(await waybill('card discard demo@4')).toMatchObject({
      code: 1,
      err: 'waybill: demo@4 is published: only drafts can be discarded',
    })
  })

  test('a draft that would clash with another card stays a draft', async () => {
    const clash = await waybill(
      `card import '${dearer}' --code second --name Second --valid-from 2026-01-01 --publish --yes`,
    )
    expect(clash.code).toBe(1)
    expect(clash.err).toMatch(/^waybill: .*product 1101.*; second@1 is not published$/)
    expect((await waybill('card list second')).out).toMatch(/second@1 .* draft/)
    expect(await priceOfClassic()).toBe(1668)
  })
})
