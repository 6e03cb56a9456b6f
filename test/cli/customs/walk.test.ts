/** The life of customs data as their operator sees it: import, look, publish, withdraw, discard. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { effectiveRows } from '../../../src/core/customs/data/layers.ts'
import { readCustomsRows } from '../../../src/store/customs/customs.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { emptyFolder, removeFolders } from '../card/card-folder.ts'
import { runWaybill, type Setting } from '../run-waybill.ts'

let cloned: ClonedDatabase
let tariff: string
beforeAll(async () => {
  cloned = await cloneDatabase({ statementTimeoutMs: 0 })
  tariff = await fileOf(
    'uk-2027.csv',
    'code_prefix,ad_valorem_percent,specific',
    '61091000,10,',
    '42022100,,1.5 GBP/item',
    '01012100,0,',
    '01012101,3,',
  )
})
afterAll(async () => {
  await cloned.drop()
  await removeFolders()
})

async function fileOf(name: string, ...lines: readonly string[]): Promise<string> {
  const file = path.join(await emptyFolder(), name)
  await writeFile(file, `${lines.join('\n')}\n`)
  return file
}

const waybill = (words: string, setting?: Setting) => runWaybill(cloned, words, setting)

/** The British duty on T-shirts that decides. */
async function dutyOnTShirts(): Promise<unknown> {
  const { measures } = effectiveRows(await readCustomsRows(cloned.db))
  return measures.find((row) => row.jurisdiction === 'GB' && row.codePrefix === '61091000')?.adValoremPpm
}

async function own(): Promise<string[]> {
  const listed = JSON.parse((await waybill('customs list --json')).out) as Record<string, unknown>[]
  return listed
    .filter(({ shipped }) => shipped !== true)
    .map(({ name, state, layer }) => `${name} ${state} ${layer}`)
}
const importTariff = (words = '') =>
  waybill(`customs import '${tariff}' --set uk-2027 --jurisdiction GB --valid-from 2027-01-01 ${words}`)

describe('a tariff, from import to discard', () => {
  test('a dry run shows what it would change and writes nothing', async () => {
    const { code, out, err } = await importTariff('--dry-run --limit 3')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const [, , , counts] = out.split('\n')
    const removed = Number(counts?.split(/ +/)[3])
    expect(out.split('\n')).toEqual([
      'uk-2027.csv (waybill-csv): 4 rows read, 4 used',
      'From what decides without uk-2027 to what decides with it:',
      'TABLE     OF  ADDED  REMOVED  CHANGED  OTHER DAYS  UNCHANGED',
      expect.stringMatching(/^measures {2}GB {6}1 {4}\d{5} {8}2 {11}1 {10}0$/),
      '',
      'The largest changes:',
      '~ GB 61091000: 12% -> 10%',
      '~ GB 42022100: 2% -> 1.5 GBP/item',
      expect.stringMatching(/^- GB \d+: \S/),
      `… and ${removed} more (--limit ${removed + 3} lists all)`,
      '',
      'It will take over:',
      expect.stringMatching(
        /^ {2}measures GB third_country_duty: 4 rows, from tariff-gb \(\d+ rows\), hs.*; what it leaves out has no row then$/,
      ),
      '',
      expect.stringMatching(
        /^After this, \d+,\d{3} of \d+,\d{3} codes of GB third_country_duty have no rate any more\.$/,
      ),
      '',
      'Dry run: nothing was written.',
    ])
    expect(await own()).toEqual([])
  })

  test('import keeps a draft, which decides nothing and is replaced by the next import', async () => {
    const { code, out } = await importTariff(
      "--limit 0 --title 'UK tariff' --source 'the UK' --date 2026-11-20",
    )
    expect(code).toBe(0)
    expect(out).toMatch(
      /\nImported uk-2027: it is a draft and decides nothing until: waybill customs publish uk-2027$/,
    )
    expect(JSON.parse((await importTariff('--json')).out)).toMatchObject({
      ...{ set: 'uk-2027', state: 'draft', replaced: true, obstacle: null },
      files: [{ file: 'uk-2027.csv', format: 'waybill-csv', counts: { rowsRead: 4, rowsUsed: 4 } }],
      difference: {
        changes: { listed: expect.arrayContaining([expect.objectContaining({ movePpm: -20_000 })]) },
      },
    })
    expect(await own()).toEqual(['uk-2027 draft null'])
    expect(await dutyOnTShirts()).toBe(120_000)
  })

  test('diff says the same of the draft as the import did', async () => {
    const { out } = await waybill('customs diff uk-2027 --limit 1')
    expect(out).toMatch(/^From what decides without uk-2027 to what decides with it:\n/)
    expect(out).toContain('\n~ GB 61091000: 12% -> 10%\n… and ')
    expect(out).toContain('\nIt will take over:\n  measures GB third_country_duty: 4 rows, from tariff-gb')
  })

  test('publishing what takes away most of a tariff is asked for by name: yes leaves it as it is', async () => {
    const refused = await waybill('customs publish uk-2027', { answer: 'y' })
    expect(refused).toMatchObject({ code: 1, asked: ['Type uk-2027 to publish it all the same: '] })
    expect(refused.err).toBe('waybill: not published: uk-2027 decides nothing')
    expect(await dutyOnTShirts()).toBe(120_000)
    const published = await waybill('customs publish uk-2027', { answer: 'uk-2027' })
    expect(published.out).toMatch(/\nPublished uk-2027\. Running services apply the change within seconds\.$/)
    expect(await dutyOnTShirts()).toBe(100_000)
    expect((await waybill('customs list')).out).toMatch(
      /^SET +STATE +LAYER +OF +TABLES +TITLE\nuk-2027 +published +1 +\S+ +measures +uk-2027\.csv\n/,
    )
    expect((await waybill('customs diff uk-2027')).out).toContain('\nIt takes over:\n')
  })

  test('published, it is not imported over and not discarded', async () => {
    const again = await importTariff()
    expect(again).toMatchObject({ code: 1 })
    expect(again.err).toMatch(/^waybill: uk-2027 is published and cannot change: import it under a new name/)
    const discarded = await waybill('customs discard uk-2027')
    expect(discarded.err).toBe('waybill: uk-2027 is published: withdraw it before it is discarded')
  })

  test('withdrawing it gives back what it took over; publishing it again takes it', async () => {
    const withdrawn = await waybill('customs withdraw uk-2027 --yes --limit 1')
    expect(withdrawn).toMatchObject({ code: 0, asked: [], err: '' })
    expect(withdrawn.out).toContain('\n~ GB 61091000: 10% -> 12%\n')
    expect(withdrawn.out).toMatch(
      /\nIt gives back:\n {2}measures GB third_country_duty: 4 rows, to tariff-gb /,
    )
    expect(await dutyOnTShirts()).toBe(120_000)
    const unmeant = await waybill('customs publish uk-2027 --yes --json')
    expect(unmeant).toMatchObject({ code: 1, out: '' })
    expect(unmeant.err).toMatch(
      /codes of GB third_country_duty have no rate any more\. --yes alone does not publish uk-2027: add --replace-all if that is meant$/,
    )
    expect(await dutyOnTShirts()).toBe(120_000)
    const again = await waybill('customs publish uk-2027 --yes --replace-all --json')
    expect(JSON.parse(again.out)).toMatchObject({ set: 'uk-2027', state: 'published' })
    expect(await dutyOnTShirts()).toBe(100_000)
  })

  test('discarding it, once it is withdrawn, frees its name', async () => {
    await waybill('customs withdraw uk-2027 --yes')
    const { code, out } = await waybill('customs discard uk-2027')
    expect({ code, out }).toEqual({ code: 0, out: 'Discarded uk-2027.' })
    expect(await own()).toEqual([])
  })
})

describe('import --publish', () => {
  test('of a set that takes away most of a tariff is refused before anything is written, unless that is meant', async () => {
    const refused = await importTariff('--publish --yes')
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.err).toContain('add --replace-all if that is meant')
    expect(await own()).toEqual([])
    const meant = await importTariff('--publish --yes --replace-all --limit 0')
    expect(meant).toMatchObject({ code: 0, err: '' })
    // --limit is for changes: what is taken over is always said.
    expect(meant.out).toContain('It will take over:\n  measures GB third_country_duty: 4 rows')
    expect(await own()).toEqual(['uk-2027 published 1'])
    await waybill('customs withdraw uk-2027 --yes')
    await waybill('customs discard uk-2027')
  })

  test('publishes at once, after the question, and draws how far it is', async () => {
    const rates = await fileOf('rates.csv', 'currency,units_per_euro,valid_from', 'USD,1.25,2026-11-20')
    const { code, out, asked, drawn } = await waybill(`customs import '${rates}' --set rates --publish`, {
      answer: 'y',
    })
    expect({ code, asked }).toEqual({ code: 0, asked: ['Publish rates? [y/N] '] })
    expect(out).toMatch(/\+ exchange rates USD from 2026-11-20: 1\.\d+ -> 1\.25\n/)
    expect(out).toMatch(/Imported rates: it is a draft\.\nPublished rates\./)
    expect(drawn).toMatch(/^Reading .*rates\.csv …\n.*Publishing rates …\n$/s)
    expect(await own()).toEqual(['rates published 1'])
    await waybill('customs withdraw rates --yes')
  })

  test('an exchange rate far from the one in force is warned of', async () => {
    const rates = await fileOf('rates.csv', 'currency,units_per_euro,valid_from', 'JPY,0.0055,2026-11-20')
    const { code, out } = await waybill(`customs import '${rates}' --set yen --dry-run`)
    expect(code).toBe(0)
    expect(out).toMatch(
      /\nwarning: the exchange rate of JPY from 2026-11-20 is 0\.0055: more than a factor of 3 from the 1\S+ in force\n/,
    )
  })

  test('refuses data that do not hold together, and the set stays a draft', async () => {
    const levy = await fileOf('levy.csv', 'code_prefix,measure_type,ad_valorem_percent', '61,levy,5')
    const words = `customs import '${levy}' --set levy --jurisdiction GB --table measures --publish --yes`
    const { code, out, err } = await waybill(words)
    const why = 'the customs data are inconsistent: no such measure type: levy'
    expect({ code, err }).toEqual({ code: 1, err: `waybill: ${why}; levy is not published` })
    expect(out).toContain(`\nIt cannot be published as it is: ${why}\n`)
    expect(await own()).toContain('levy draft null')
  })
})
