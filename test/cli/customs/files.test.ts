/** Import and export of customs files: faults, several files, formats, and an import that is killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCustomsSet } from '../../../src/store/customs/publication.ts'
import { programArguments } from '../../support/app/compiled-programs.ts'
import { type ClonedDatabase, cloneDatabase, emptyDatabase } from '../../support/database/clone-database.ts'
import type { TestSource } from '../../support/database/test-server.ts'
import { emptyFolder, fileOf, removeFolders } from '../card/card-folder.ts'
import { runWaybill, type Setting } from '../run-waybill.ts'

let cloned: ClonedDatabase
beforeAll(async () => {
  cloned = await cloneDatabase({ statementTimeoutMs: 0 })
})
afterAll(async () => {
  await cloned.drop()
  await removeFolders()
})

const waybill = (words: string, setting?: Setting) => runWaybill(cloned, words, setting)

async function importedSets(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select data_set as name from customs_data_set where not is_shipped order by 1`.execute(cloned.db)
  return rows.map(({ name }) => name)
}

const RATES = 'jurisdiction,code_prefix,rate_percent,kind,confidence'

describe('a file with faults', () => {
  test('is refused with the row and column of each, and nothing is written', async () => {
    const file = await fileOf('vat.csv', RATES, 'DE,,19,standard,high', 'DE,49,seven,books,high')
    const { code, out, err } = await waybill(`customs import '${file}' --set vat`)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/^vat\.csv, row 3, column rate_percent: expected .*, found "seven"\n/)
    expect(err).toMatch(/\nwaybill: the import has 1 fault; nothing was written$/)
    expect(await importedSets()).toEqual([])
  })

  test('is refused with one JSON document with --json', async () => {
    const file = await fileOf('vat.csv', RATES, 'DE,49,seven,books,high')
    const { code, out } = await waybill(`customs import '${file}' --set vat --json`)
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({ faults: [{ file: 'vat.csv', row: 2, column: 'rate_percent' }] })
  })
})

describe('a file packed by gzip', () => {
  test('is read like the unpacked file', async () => {
    const file = await fileOf('vat.csv', RATES, 'DE,,19,standard,high')
    await writeFile(`${file}.gz`, gzipSync(await readFile(file)))
    const { code, out } = await waybill(`customs import '${file}.gz' --set packed --dry-run`)
    expect(code).toBe(0)
    expect(out).toMatch(/^vat\.csv\.gz \(tax-rates\): 1 row read, 1 used\n/)
    expect(out).toMatch(/\nPeak memory: \d+ MB$/)
  })

  test('is refused if it unpacks to more than a file may have, or is damaged', async () => {
    const file = await fileOf('bomb.csv.gz', '')
    await writeFile(file, gzipSync(Buffer.alloc(65 * 1024 * 1024)))
    const bomb = await waybill(`customs import '${file}' --set bomb`)
    expect(bomb).toMatchObject({ code: 2, out: '' })
    expect(bomb.err).toMatch(/bomb\.csv\.gz is refused: expected at most 64 MiB after unpacking, found more$/)
    await writeFile(file, gzipSync(Buffer.from(RATES)).subarray(0, 20))
    const damaged = await waybill(`customs import '${file}' --set bomb`)
    expect(damaged.err).toContain('is refused: expected a gzip file that is complete and not damaged')
    expect(await importedSets()).toEqual([])
  })
})

describe('a set that is older than the release cycle of its publisher', () => {
  const WARNING = 'warning: old-rates is of 2020-01-01; its publisher releases a new edition every 30 days'

  test('is named below the list while it is in effect', async () => {
    const file = await fileOf('rates.csv', 'currency,units_per_euro,valid_from', 'USD,1.25,2019-12-31')
    const { code } = await waybill(`customs import '${file}' --set old-rates --date 2020-01-01 --cycle 30`)
    expect(code).toBe(0)
    expect((await waybill('customs list')).out).not.toContain(WARNING)
    await waybill('customs publish old-rates --yes')
    expect((await waybill('customs list')).out).toContain(`\n${WARNING}`)
    const listed = JSON.parse((await waybill('customs list --json')).out)
    expect(listed[0]).toMatchObject({ name: 'old-rates', cycleDays: 30, isOutdated: true })
    await waybill('customs withdraw old-rates --yes')
    expect((await waybill('customs list')).out).not.toContain(WARNING)
    await waybill('customs discard old-rates')
  })

  test('needs a cycle of 1 to 3660 days', async () => {
    const { code, err } = await waybill('customs import a.csv --set a --cycle 0')
    expect(code).toBe(2)
    expect(err).toContain('Expected a number of days, 1 to 3660.')
  })
})

describe('several files in one import', () => {
  test('form one set, and equal rows count once', async () => {
    const [one, two] = [
      await fileOf('one.csv', RATES, 'DE,,19,standard,high', 'DE,49,7,books,high'),
      await fileOf('two.csv', RATES, 'DE,49,7,books,high', 'FR,,20,standard,high'),
    ]
    const { code, out } = await waybill(`customs import '${one}' '${two}' --set vat --limit 0`)
    expect(code).toBe(0)
    expect(out).toMatch(/^one\.csv \(tax-rates\): 2 rows read, 2 used\ntwo\.csv \(tax-rates\): 2 rows/)
    const { taxRates } = await readCustomsSet(cloned.db, 'vat')
    expect(taxRates?.map((row) => `${row.jurisdiction} ${row.codePrefix} ${row.ratePpm}`)).toEqual([
      'DE  190000',
      'DE 49 70000',
      'FR  200000',
    ])
  })

  test('with different rows of one key are refused', async () => {
    const [one, two] = [
      await fileOf('one.csv', RATES, 'DE,49,7,books,high'),
      await fileOf('two.csv', RATES, 'DE,49,5,books,high'),
    ]
    const { code, err } = await waybill(`customs import '${one}' '${two}' --set other`)
    expect(code).toBe(1)
    expect(err).toMatch(/^two\.csv: expected the same values for tax rates DE VAT 49 as in one\.csv, found /)
    expect(await importedSets()).not.toContain('other')
  })
})

describe('refuses a command', () => {
  test.each([
    ['customs import nothing.csv --set vat', 1, 'nothing.csv does not exist'],
    ['customs import nothing.csv --set VAT', 2, 'Expected 1 to 60 characters of a-z, 0-9 and -'],
    ['customs import nothing.csv', 2, "required option '--set <name>'"],
    ['customs import nothing.csv --set vat --format odt', 2, 'Allowed choices are uk-csv, taric-workbook'],
    ['customs import nothing.csv --set vat --table rates', 2, 'Expected one of jurisdictions, territories'],
    ['customs import nothing.csv --set vat --publish', 2, 'cannot ask for confirmation without a terminal'],
    ['customs publish tariff-gb --yes', 1, 'tariff-gb is already published'],
    ['customs withdraw tariff-gb --yes', 1, 'tariff-gb is shipped'],
    ['customs diff nothing', 1, 'there is no data set nothing'],
    ['customs export nothing --out /tmp/never.csv', 1, 'there is no data set or table nothing'],
  ])('%s', async (words, code, message) => {
    const ran = await waybill(words)
    expect(ran.code).toBe(code)
    expect(ran.err).toContain(message)
  })

  test('with an unknown jurisdiction, but not with a country without customs data', async () => {
    const rates = await fileOf('vat.csv', 'code_prefix,rate_percent,kind,confidence', ',19,standard,high')
    const unknown = await waybill(`customs import '${rates}' --set rates --jurisdiction XX`)
    expect(unknown).toMatchObject({ code: 2 })
    expect(unknown.err).toContain('--jurisdiction XX is not a country, jurisdiction or customs area')
    expect(await importedSets()).not.toContain('rates')
    const known = await waybill(`customs import '${rates}' --set rates --jurisdiction MA --dry-run`)
    expect(known).toMatchObject({ code: 0 })
  })

  test('with the name of a shipped set, or with a file of an unknown format', async () => {
    const rates = await fileOf('vat.csv', RATES, 'DE,,19,standard,high')
    const taken = await waybill(`customs import '${rates}' --set tariff-gb`)
    expect(taken).toMatchObject({ code: 1 })
    expect(taken.err).toBe('waybill: tariff-gb is the name of a shipped set: choose another name')
    const letter = await fileOf('letter.csv', 'Dear Sir,', 'regards,')
    const strange = await waybill(`customs import '${letter}' --set letter`)
    expect(strange).toMatchObject({ code: 2 })
    expect(strange.err).toContain('name the format with --format')
  })
})

describe('customs export', () => {
  test.each([
    'tariff-gb',
    'tariff-us',
    'thresholds',
    'us-additional-duties',
    'fees',
    'taxes',
  ])('writes the set %s so that it is imported again with the same rows', async (set) => {
    const file = path.join(await emptyFolder(), 'exported.csv')
    const { code, out } = await waybill(`customs export ${set} --out '${file}'`)
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^Wrote \d+ rows of /) })
    const imported = await waybill(`customs import '${file}' --set again --format waybill-csv --limit 0`)
    expect(imported).toMatchObject({ code: 0, err: '' })
    const [[table, rows]] = Object.entries(await readCustomsSet(cloned.db, set)) as [[string, object[]]]
    const again = (await readCustomsSet(cloned.db, 'again'))[table as 'measures'] ?? []
    expect(again.map((row) => JSON.stringify({ ...row, dataSet: set }))).toEqual(
      rows.map((row) => JSON.stringify(row)),
    )
  })

  test('writes the rows of a table in effect, and does not overwrite a file', async () => {
    const file = path.join(await emptyFolder(), 'rates.csv')
    const { out } = await waybill(`customs export exchange-rates --table exchange-rates --out '${file}'`)
    expect(out).toContain('of exchange-rates to')
    const deciding = path.join(await emptyFolder(), 'rates.csv')
    expect((await waybill(`customs export --table exchangeRates --out '${deciding}'`)).out).toContain(
      'of the exchange rates in effect',
    )
    expect(await readFile(deciding, 'utf8')).toMatch(/^currency,units_per_euro,valid_from,/)
    const again = await waybill(`customs export --table exchangeRates --out '${deciding}'`)
    expect(again).toMatchObject({ code: 1, err: `waybill: ${deciding} already exists` })
  })
})

test('an import warns of a currency without an exchange rate', async () => {
  const header = 'jurisdiction,fee,name,kind,currency,amount'
  const file = await fileOf('fees.csv', header, 'EU,HANDLING,Handling fee,per_line,XAA,2')
  const { out } = await waybill(`customs import '${file}' --set our-fees --dry-run`)
  expect(out).toContain('warning: no exchange rate is loaded for XAA, which fees of EU need')
})

test('loads the shipped sets into a database on which no service has started', async () => {
  const fresh = await emptyDatabase({ statementTimeoutMs: 0 })
  const { out } = await runWaybill(fresh, 'customs list')
  expect(out).toMatch(/\ntariff-gb +shipped +0 /)
  await fresh.drop()
})

test('an import that is killed while it writes leaves no rows', async () => {
  const file = await fileOf('vat.csv', RATES, 'DE,,19,standard,high')
  await sql`create function wait_long() returns trigger language plpgsql as
    $$ begin perform pg_sleep(60); return null; end $$`.execute(cloned.db)
  await sql`create trigger wait after insert on customs_tax_rate execute function wait_long()`.execute(
    cloned.db,
  )
  const child = spawn(
    process.execPath,
    [...programArguments('src/cli/waybill.ts'), 'customs', 'import', file, '--set', 'killed'],
    {
      cwd: path.resolve(import.meta.dirname, '../../..'),
      env: { PATH: process.env['PATH'], DATABASE_URL: urlOf(cloned.source) },
      stdio: 'ignore',
    },
  )
  const writing = async (): Promise<unknown> => {
    const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and wait_event = 'PgSleep'`.execute(cloned.db)
    return rows[0]?.pid
  }
  await expect.poll(writing, { timeout: 60_000 }).toBeDefined()
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  expect(await gone).toEqual([null, 'SIGKILL'])
  // The server would notice the lost connection within a minute. Ending the session is faster.
  const pid = await writing()
  await sql`select pg_terminate_backend(${pid}::int)`.execute(cloned.db)
  await expect.poll(writing, { timeout: 60_000 }).toBeUndefined()
  expect(await importedSets()).not.toContain('killed')
})

function urlOf(source: TestSource): string {
  if (typeof source === 'string') return source
  const { host, port, user, database } = source
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
