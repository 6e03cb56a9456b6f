/** The customs commands in the order in which an operator uses them: import, diff, publish, withdraw, discard. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findTariffEntry } from '../../../src/core/customs/tariff/tariff.ts'
import { loadCompiledCustoms } from '../../../src/store/customs/customs.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { fileOf, removeFolders } from '../card/card-folder.ts'
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

const waybill = (words: string, setting?: Setting) => runWaybill(cloned, words, setting)

/** The duty on T-shirts in effect in the United Kingdom. */
async function dutyOnTShirts(): Promise<unknown> {
  const tariff = (await loadCompiledCustoms(cloned.db)).tariffs.get('GB')
  return tariff && findTariffEntry(tariff, '61091000', '2027-01-01', 'CN')?.measure.row.adValoremPpm
}

async function importedSets(): Promise<string[]> {
  const listed = JSON.parse((await waybill('customs list --json')).out) as Record<string, unknown>[]
  return listed
    .filter(({ shipped }) => shipped !== true)
    .map(({ name, state, layer }) => `${name} ${state} ${layer}`)
}
const importTariff = (words = '') =>
  waybill(`customs import '${tariff}' --set uk-2027 --jurisdiction GB --valid-from 2027-01-01 ${words}`)

describe('a tariff, from import to discard', () => {
  test('a dry run shows the changes and writes nothing', async () => {
    const { code, out, err } = await importTariff('--dry-run --limit 3')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const [, , , counts] = out.split('\n')
    const removed = Number(counts?.split(/ +/)[3])
    expect(out.split('\n')).toEqual([
      'uk-2027.csv (waybill-csv): 4 rows read, 4 used',
      'Changes from the data without uk-2027 to the data with uk-2027:',
      'TABLE     FOR  ADDED  REMOVED  CHANGED  DAYS ONLY  UNCHANGED',
      expect.stringMatching(/^measures {2}GB {7}1 {4}\d{5} {8}2 {10}1 {10}0$/),
      '',
      'Largest changes:',
      '~ GB 61091000: 12% -> 10%',
      '~ GB 42022100: 2% -> 1.5 GBP/item',
      expect.stringMatching(/^- GB \d+: \S/),
      `… and ${removed} more (--limit ${removed + 3} lists all)`,
      '',
      'It will replace:',
      expect.stringMatching(
        /^ {2}measures GB third_country_duty: 4 rows instead of tariff-gb \(\d+ rows\), hs.*; rows missing from it are removed$/,
      ),
      '',
      expect.stringMatching(
        /^warning: \d+,\d{3} of \d+,\d{3} codes of GB third_country_duty will have no rate\.$/,
      ),
      '',
      'Dry run: nothing was written.',
      expect.stringMatching(/^Peak memory: \d+ MB$/),
    ])
    expect(await importedSets()).toEqual([])
  })

  test('import stores a draft, which has no effect and is replaced by the next import', async () => {
    const { code, out } = await importTariff(
      "--limit 0 --title 'UK tariff' --source 'the UK' --date 2026-11-20",
    )
    expect(code).toBe(0)
    expect(out).toMatch(
      /\nImported uk-2027 as a draft\. To publish it: waybill customs publish uk-2027\nPeak memory: \d+ MB$/,
    )
    expect(JSON.parse((await importTariff('--json')).out)).toMatchObject({
      ...{ set: 'uk-2027', state: 'draft', replaced: true, obstacle: null },
      files: [{ file: 'uk-2027.csv', format: 'waybill-csv', counts: { rowsRead: 4, rowsUsed: 4 } }],
      difference: {
        changes: { listed: expect.arrayContaining([expect.objectContaining({ movePpm: -20_000 })]) },
      },
    })
    expect(await importedSets()).toEqual(['uk-2027 draft null'])
    expect(await dutyOnTShirts()).toBe(120_000)
  })

  test('diff shows the same changes as the import', async () => {
    const { out } = await waybill('customs diff uk-2027 --limit 1')
    expect(out).toMatch(/^Changes from the data without uk-2027 to the data with uk-2027:\n/)
    expect(out).toContain('\n~ GB 61091000: 12% -> 10%\n… and ')
    expect(out).toContain('\nIt will replace:\n  measures GB third_country_duty: 4 rows instead of tariff-gb')
  })

  test('publishing a set that removes most of a tariff needs the name of the set as the answer', async () => {
    const refused = await waybill('customs publish uk-2027', { answer: 'y' })
    expect(refused).toMatchObject({ code: 1, asked: ['Type uk-2027 to publish it anyway: '] })
    expect(refused.err).toBe('waybill: uk-2027 was not published')
    expect(await dutyOnTShirts()).toBe(120_000)
    const published = await waybill('customs publish uk-2027', { answer: 'uk-2027' })
    expect(published.out).toMatch(/\nPublished uk-2027\. Running services apply the change within seconds\.$/)
    expect(await dutyOnTShirts()).toBe(100_000)
    expect((await waybill('customs list')).out).toMatch(
      /^SET +STATE +LAYER +DATE +NEXT DUE +TABLES +TITLE\nuk-2027 +published +1 +\S+ +measures +uk-2027\.csv\n/,
    )
    expect((await waybill('customs diff uk-2027')).out).toContain('\nIt replaces:\n')
  })

  test('a published set is neither replaced by an import nor discarded', async () => {
    const again = await importTariff()
    expect(again).toMatchObject({ code: 1 })
    expect(again.err).toMatch(/^waybill: uk-2027 is published and cannot change: import under a new name/)
    const discarded = await waybill('customs discard uk-2027')
    expect(discarded.err).toBe('waybill: uk-2027 is published: withdraw it first')
  })

  test('withdrawing a set restores what it replaced; publishing it again replaces it again', async () => {
    const withdrawn = await waybill('customs withdraw uk-2027 --yes --limit 1')
    expect(withdrawn).toMatchObject({ code: 0, asked: [], err: '' })
    expect(withdrawn.out).toContain('\n~ GB 61091000: 10% -> 12%\n')
    expect(withdrawn.out).toMatch(
      /\nIt will no longer replace:\n {2}measures GB third_country_duty: 4 rows instead of tariff-gb /,
    )
    expect(await dutyOnTShirts()).toBe(120_000)
    const unmeant = await waybill('customs publish uk-2027 --yes --json')
    expect(unmeant).toMatchObject({ code: 1, out: '' })
    expect(unmeant.err).toMatch(
      /codes of GB third_country_duty will have no rate\. --yes does not confirm this: add --replace-all to publish uk-2027$/,
    )
    expect(await dutyOnTShirts()).toBe(120_000)
    const again = await waybill('customs publish uk-2027 --yes --replace-all --json')
    expect(JSON.parse(again.out)).toMatchObject({ set: 'uk-2027', state: 'published' })
    expect(await dutyOnTShirts()).toBe(100_000)
  })

  test('discarding a withdrawn set frees its name', async () => {
    await waybill('customs withdraw uk-2027 --yes')
    const { code, out } = await waybill('customs discard uk-2027')
    expect({ code, out }).toEqual({ code: 0, out: 'Discarded uk-2027.' })
    expect(await importedSets()).toEqual([])
  })
})

describe('import --publish', () => {
  test('refuses a set that removes most of a tariff before anything is written, unless --replace-all is given', async () => {
    const refused = await importTariff('--publish --yes')
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.err).toContain('add --replace-all to publish uk-2027')
    expect(await importedSets()).toEqual([])
    const meant = await importTariff('--publish --yes --replace-all --limit 0')
    expect(meant).toMatchObject({ code: 0, err: '' })
    // --limit applies to changes. Replaced scopes are always listed.
    expect(meant.out).toContain('It will replace:\n  measures GB third_country_duty: 4 rows')
    expect(await importedSets()).toEqual(['uk-2027 published 1'])
    await waybill('customs withdraw uk-2027 --yes')
    await waybill('customs discard uk-2027')
  })

  test('publishes after confirmation, and shows progress', async () => {
    const rates = await fileOf('rates.csv', 'currency,units_per_euro,valid_from', 'USD,1.25,2026-11-20')
    const { code, out, asked, drawn } = await waybill(`customs import '${rates}' --set rates --publish`, {
      answer: 'y',
    })
    expect({ code, asked }).toEqual({ code: 0, asked: ['Publish rates? [y/N] '] })
    expect(out).toMatch(/\+ exchange rates USD from 2026-11-20: 1\.\d+ -> 1\.25\n/)
    expect(out).toMatch(/Imported rates as a draft\.\nPublished rates\./)
    expect(drawn).toMatch(/^Reading .*rates\.csv …\n.*Publishing rates …\n$/s)
    expect(await importedSets()).toEqual(['rates published 1'])
    await waybill('customs withdraw rates --yes')
  })

  test('warns about an exchange rate far from the one in force', async () => {
    const rates = await fileOf('rates.csv', 'currency,units_per_euro,valid_from', 'JPY,0.0055,2026-11-20')
    const { code, out } = await waybill(`customs import '${rates}' --set yen --dry-run`)
    expect(code).toBe(0)
    expect(out).toMatch(
      /\nwarning: the exchange rate of JPY from 2026-11-20 is 0\.0055, which differs from the current 1\S+ by a factor of more than 3\n/,
    )
  })

  test('refuses inconsistent data, and the set stays a draft', async () => {
    const levy = await fileOf('levy.csv', 'code_prefix,measure_type,ad_valorem_percent', '61,levy,5')
    const words = `customs import '${levy}' --set levy --jurisdiction GB --table measures --publish --yes`
    const { code, out, err } = await waybill(words)
    const why = 'the customs data are inconsistent: no such measure type: levy'
    expect({ code, err }).toEqual({ code: 1, err: `waybill: ${why}; levy was not published` })
    expect(out).toContain(`\nIt cannot be published: ${why}\n`)
    expect(await importedSets()).toContain('levy draft null')
  })
})

describe('coverage', () => {
  test('prints one country or all, with the published sets', async () => {
    const { code, out } = await waybill('customs coverage GB')
    expect(code).toBe(0)
    expect(out).toMatch(/^COUNTRY {2}NAME .*\nGB +United Kingdom +line +96\/0\/0\/0 +.* tax 20% .*$/)
    const all = JSON.parse((await waybill('customs coverage --json')).out) as { country: string }[]
    expect(all).toHaveLength(250)
    expect(all[0]).toMatchObject({ country: 'AD', name: 'Andorra' })
  })

  test('refuses a code that is not a country', async () => {
    expect(await waybill('customs coverage XX')).toMatchObject({
      code: 2,
      err: 'waybill: XX is not a country code: two capital letters such as NG',
    })
  })
})
