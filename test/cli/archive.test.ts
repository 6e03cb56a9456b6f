/** `waybill archive`: files, output, refusals, and kills between any two steps. docs/growth.md#archive */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inSeconds, insertParties, insertShipment } from '../store/shipments/shipment-rows.ts'
import { programArguments } from '../support/app/compiled-programs.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'
import { urlOf } from '../support/database/test-server.ts'
import { runWaybill } from './run-waybill.ts'

let cloned: ClonedDatabase
let folder: string
beforeAll(async () => {
  cloned = await cloneDatabase({ statementTimeoutMs: 0 })
  await insertParties(cloned.db)
})
beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'waybill-archive-')), 'new', 'archive')
  await sql`DELETE FROM shipment`.execute(cloned.db)
  await sql`DELETE FROM archived_shipment`.execute(cloned.db)
})
afterAll(() => cloned.drop())

const DAY = 86_400
const waybill = (words: string) => runWaybill(cloned, words)

async function insertOld(id: string, days = 400): Promise<void> {
  const at = inSeconds(-days * DAY)
  await insertShipment(cloned.db, id, {
    ...{ state: 'cancelled', cancelled_at: at, cancelled_by: 'carrier', created_at: at, updated_at: at },
  })
  await sql`UPDATE account_event SET sequence = event_id WHERE sequence IS NULL`.execute(cloned.db)
}

async function insertBooked(id: string, days = 400): Promise<void> {
  const at = inSeconds(-days * DAY)
  await insertShipment(cloned.db, id, { created_at: at, updated_at: at })
  await sql`UPDATE account_event SET sequence = event_id WHERE sequence IS NULL`.execute(cloned.db)
}

async function remaining(): Promise<string[]> {
  const rows = await cloned.db.selectFrom('shipment').select('shipment_id').orderBy('shipment_id').execute()
  return rows.map((row) => row.shipment_id)
}

/** The ids in the files that are complete. */
async function archivedIds(): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  const ids: string[] = []
  for (const name of names.filter((name) => name.startsWith('shipments-'))) {
    const text = gunzipSync(await readFile(path.join(folder, name))).toString()
    expect(text.endsWith('\n')).toBe(true)
    for (const line of text.trimEnd().split('\n')) ids.push(JSON.parse(line).shipment.shipment_id)
  }
  return ids.sort()
}

describe('waybill archive', () => {
  test('counts with --dry-run, and archives without it', async () => {
    await insertOld('old')
    await insertOld('older')
    await insertOld('young', 100)
    const day = inSeconds(-200 * DAY)
      .toISOString()
      .slice(0, 10)
    expect(await waybill('archive --before 300 --dry-run')).toMatchObject({
      ...{ code: 0, err: '', out: 'Dry run: 2 shipments would be archived.' },
    })
    expect(await remaining()).toEqual(['old', 'older', 'young'])
    const done = await waybill(`archive --before ${day} --out ${folder} --json`)
    const { files, ...rest } = JSON.parse(done.out)
    expect([done.code, rest]).toEqual([0, { dryRun: false, before: `${day}T00:00:00.000Z`, shipments: 2 }])
    expect(files).toEqual([expect.stringMatching(/^shipments-\d{8}T\d{6}Z-[0-9a-f]{8}-000001\.jsonl\.gz$/)])
    expect(await readdir(folder)).toEqual(files)
    expect((await stat(path.join(folder, files[0]))).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect(await archivedIds()).toEqual(['old', 'older'])
    expect(await remaining()).toEqual(['young'])
    const again = await waybill(`archive --before ${day} --out ${folder}`)
    expect(again.out).toBe('No shipment was archived.')
    expect(await readdir(folder)).toEqual(files)
    expect((await waybill(`archive --before 99 --out ${folder}`)).out).toBe('Archived 1 shipment in 1 file.')
  })

  test('accepts a relative folder', async () => {
    await insertOld('old')
    const relative = path.relative(process.cwd(), folder)
    expect(await waybill(`archive --before 300 --out ${relative}`)).toMatchObject({ code: 0, err: '' })
    expect(await archivedIds()).toEqual(['old'])
    const here = path.relative(process.cwd(), await mkdtemp(path.join(process.cwd(), '.archive-')))
    try {
      await insertOld('old')
      expect((await waybill(`archive --before 300 --out ${here}/new`)).code).toBe(0)
      expect(await readdir(path.join(here, 'new'))).toHaveLength(1)
    } finally {
      await rm(here, { recursive: true })
    }
  })

  test('refuses young shipments, other texts, and a run without a folder', async () => {
    const refused = async (words: string) => {
      const { code, err } = await waybill(`archive ${words}`)
      return [code, err.split('\n')[0]]
    }
    const tooYoung = expect.stringContaining('It must be at least 30 days ago.')
    expect(await refused(`--before 29 --out ${folder}`)).toEqual([2, tooYoung])
    expect(await refused(`--before 2999-01-01 --out ${folder}`)).toEqual([2, tooYoung])
    for (const text of ['2026-02-30', 'x', '-1', '1e9'])
      expect(await refused(`--before=${text} --out ${folder}`)).toEqual([
        2,
        expect.stringContaining('Expected a number of days such as 400, or a day such as 2026-01-31.'),
      ])
    expect(await refused('--before 400')).toEqual([2, expect.stringContaining('--out <folder> is missing')])
    expect(await refused(`--out ${folder}`)).toEqual([
      2,
      expect.stringContaining('name --before, --booked-before'),
    ])
    expect((await waybill(`archive --before 30 --out ${folder}`)).code).toBe(0)
  })

  test('archives booked shipments with --booked-before only', async () => {
    await insertBooked('booked', 300)
    await insertOld('ended')
    expect((await waybill('archive --booked-before 179 --dry-run')).err).toContain(
      'It must be at least 180 days ago.',
    )
    expect((await waybill('archive --dry-run')).err).toContain('name --before, --booked-before or both')
    expect((await waybill('archive --booked-before 301 --dry-run')).out).toBe(
      'Dry run: 0 shipments (0 booked) would be archived.',
    )
    expect((await waybill('archive --before 200 --booked-before 299 --dry-run')).out).toBe(
      'Dry run: 2 shipments (1 booked) would be archived.',
    )
    const done = await waybill(`archive --booked-before 299 --out ${folder} --json`)
    expect(JSON.parse(done.out)).toEqual({
      ...{ dryRun: false, bookedBefore: expect.any(String), booked: 1, shipments: 1 },
      files: [expect.any(String)],
    })
    expect([await archivedIds(), await remaining()]).toEqual([['booked'], ['ended']])
    expect((await waybill(`archive --before 200 --booked-before 299 --out ${folder}`)).out).toBe(
      'Archived 1 shipment (0 booked) in 1 file.',
    )
  })

  test('deletes nothing if the folder is a file or cannot be written', async () => {
    await insertOld('old')
    await mkdir(path.dirname(folder), { recursive: true })
    await writeFile(folder, '')
    const { code, err } = await waybill(`archive --before 300 --out ${folder}`)
    expect([code, err]).toEqual([1, expect.stringMatching(/cannot be written: (EEXIST|ENOTDIR)/)])
    if (process.getuid?.() !== 0) {
      await rm(folder)
      await mkdir(folder)
      await chmod(folder, 0o500)
      expect(await waybill(`archive --before 300 --out ${folder}`)).toMatchObject({ code: 1 })
    }
    expect(await remaining()).toEqual(['old'])
  })

  test('an import does not register an archived shipment again', async () => {
    await insertOld('old')
    await waybill(`archive --before 300 --out ${folder}`)
    const file = path.join(folder, 'old.csv')
    const header =
      'shipment_id,account,carrier,carrier_ref,product_id,state,from_country,from_city,to_country,price'
    await writeFile(file, `${header}\nold,acme,rondeel,SBX-OK-old,1201,booked,NL,,DE,5\n`)
    expect((await waybill(`shipment import ${file}`)).out).toContain(
      '1 of 1 were already registered and did not change.',
    )
    expect(await remaining()).toEqual([])
  })
})

describe('a process that is killed', () => {
  /** The exit code, or the signal. */
  async function killedAt(step: number): Promise<number | string> {
    const child = spawn(
      process.execPath,
      [
        ...['--import', path.join(import.meta.dirname, 'kill-at-step.mjs')],
        ...programArguments('src/cli/waybill.ts'),
        ...['archive', '--before', '300', '--booked-before', '300', '--out', folder],
      ],
      {
        env: {
          ...process.env,
          DATABASE_URL: urlOf(cloned.source),
          NODE_ENV: '',
          KILL_AT_STEP: String(step),
          KILL_FROM: 'AS changed_at',
        },
        stdio: 'ignore',
      },
    )
    const [code, signal] = await once(child, 'exit')
    return signal ?? code
  }

  test('before any of its steps has deleted nothing that is not in a complete file', async () => {
    const all = ['a', 'b', 'c']
    const ends: (readonly [string, number, number])[] = []
    for (let step = 1; ; step += 1) {
      await sql`DELETE FROM shipment`.execute(cloned.db)
      await rm(folder, { recursive: true, force: true })
      await insertOld('a')
      await insertOld('b')
      await insertBooked('c')
      const end = await killedAt(step)
      // The server ends the transaction when it notices that the connection is gone.
      await expect
        .poll(async () => {
          const { rows } = await sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
            AND application_name = 'waybill cli'`.execute(cloned.db)
          return rows.length
        })
        .toBe(0)
      const [left, written] = [await remaining(), await archivedIds()]
      expect([step, [...new Set([...left, ...written])].sort()]).toEqual([step, all])
      ends.push([String(end), left.length, written.length])
      if (end === 0) break
      expect([step, end]).toEqual([step, 'SIGKILL'])
      await waybill(`archive --before 300 --booked-before 300 --out ${folder}`)
      expect([await remaining(), [...new Set(await archivedIds())]]).toEqual([[], all])
    }
    // Before a file is complete, between the file and the deletion, and after it. The booked one is in the second file.
    for (const [left, written] of [
      ...[
        [3, 0],
        [3, 2],
      ],
      ...[
        [1, 2],
        [1, 3],
      ],
    ])
      expect(ends).toContainEqual(['SIGKILL', left, written])
    expect(ends.at(-1)).toEqual(['0', 0, 3])
    expect(ends.length).toBeGreaterThan(10)
  }, 120_000)
})
