/** `waybill account export` and the other steps of a move, and kills between statements. docs/distribution.md */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inSeconds, insertParties, insertShipment } from '../store/shipments/shipment-rows.ts'
import { programArguments } from '../support/app/compiled-programs.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'
import { urlOf } from '../support/database/test-server.ts'
import { runWaybill } from './run-waybill.ts'

let [source, target]: ClonedDatabase[] = []
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'waybill-move-'))
})
beforeEach(async () => {
  await source?.drop()
  await target?.drop()
  ;[source, target] = [
    await cloneDatabase({ statementTimeoutMs: 0 }),
    await cloneDatabase({ statementTimeoutMs: 0 }),
  ]
  await insertParties(source.db)
  const at = inSeconds(-500)
  await insertShipment(source.db, 'a', { state: 'cancelled', cancelled_at: at, cancelled_by: 'carrier' })
  await insertShipment(source.db, 'b')
  await sql`INSERT INTO api_key (key_id, account_id) VALUES ('k', 'acme')`.execute(source.db)
})
afterAll(async () => {
  await source?.drop()
  await target?.drop()
  await rm(folder, { recursive: true })
})

const here = (words: string) => runWaybill(opened(source), words)
const there = (words: string) => runWaybill(opened(target), words)

function opened(cell: ClonedDatabase | undefined): ClonedDatabase {
  if (cell === undefined) throw new Error('the database is not open')
  return cell
}

async function shipmentsIn(cell: ClonedDatabase | undefined): Promise<string[]> {
  const rows = await opened(cell)
    .db.selectFrom('shipment')
    .select('shipment_id')
    .where('account_id', '=', 'acme')
    .orderBy('shipment_id')
    .execute()
  return rows.map((row) => row.shipment_id)
}

/** The last words of the line that names the next command. */
const nextOf = (out: string) => /^waybill (account \S+ acme --\S+ \S+)$/m.exec(out)?.[1] ?? ''

describe('the steps of a move', () => {
  test('print what follows, and the account is in one cell at the end', async () => {
    const file = path.join(folder, 'acme.jsonl.gz')
    const exported = await here(`account export acme --out ${file}`)
    expect(exported.out).toMatch(/^Exported \d+ rows of account acme, which is closed for writes\./)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await here(`account export acme --out ${file}`)).toMatchObject({
      code: 1,
      err: `waybill: ${file} already exists`,
    })
    expect(await here('key create acme')).toMatchObject({
      ...{ code: 1, err: 'waybill: account acme is being moved to another cell' },
    })
    expect((await here('account moves')).out).toMatch(/acme +leaving/)

    const imported = await there(`account import ${file}`)
    expect(imported.out).toMatch(/^Imported \d+ rows of account acme, which is closed for writes\./)
    expect((await there(`account import ${file}`)).out).toContain('Account acme was imported before.')
    expect(nextOf(imported.out)).toMatch(/^account leave acme --confirmation [0-9a-f]{64}\.[0-9a-f]{16}$/)
    expect(await here('account leave acme --confirmation x')).toMatchObject({ code: 1 })
    expect(await shipmentsIn(source)).toEqual(['a', 'b'])

    const left = await here(nextOf(imported.out))
    expect(nextOf(left.out)).toMatch(/^account open acme --code [0-9a-f]{32}\.[0-9a-f]{16}$/)
    expect([await shipmentsIn(source), await shipmentsIn(target)]).toEqual([[], ['a', 'b']])
    expect((await there('account open acme --code x')).err).toContain(
      'not the one that the former cell has printed',
    )
    expect(await there(nextOf(left.out))).toMatchObject({ code: 0, out: 'Account acme is open.' })
    expect((await there('key create acme')).code).toBe(0)
    expect(await here('account resume acme')).toMatchObject({
      code: 1,
      err: 'waybill: account acme has left this cell',
    })
  }, 60_000)

  test('can be given up in both cells', async () => {
    const file = path.join(folder, 'given-up.jsonl.gz')
    await here(`account export acme --out ${file}`)
    await there(`account import ${file}`)
    expect((await there('account discard acme')).out).toBe('The imported account acme is deleted.')
    expect((await here('account resume acme')).out).toBe('Account acme is open.')
    expect([await shipmentsIn(source), await shipmentsIn(target)]).toEqual([['a', 'b'], []])
    expect((await here('key create acme')).code).toBe(0)
    expect((await here('account moves --json')).out).toBe('[]')
  })

  test('refuse files that are cut, changed, or not compressed', async () => {
    const file = path.join(folder, 'whole.jsonl.gz')
    await here(`account export acme --out ${file}`)
    const whole = await readFile(file)
    const text = gunzipSync(whole).toString()
    const broken = path.join(folder, 'broken')
    for (const [content, message] of [
      [whole.subarray(0, whole.length - 9), 'cannot be read: Z_BUF_ERROR'],
      [text, 'cannot be read: Z_DATA_ERROR'],
      [gzipSync(text.slice(0, text.lastIndexOf('{'))), 'the file is not complete'],
    ] as const) {
      await writeFile(broken, content)
      const { code, err } = await there(`account import ${broken}`)
      expect([code, err]).toEqual([1, expect.stringContaining(message)])
    }
    expect((await there(`account import ${broken}-absent`)).err).toContain('cannot be read: ENOENT')
    expect(await shipmentsIn(target)).toEqual([])
  })
})

describe('a process that is killed', () => {
  /** The exit code or the signal, and the output. */
  async function killedAt(
    step: number,
    cell: ClonedDatabase | undefined,
    from: string,
    words: readonly string[],
  ) {
    const { source: database, db } = opened(cell)
    const child = spawn(
      process.execPath,
      [
        ...['--import', path.join(import.meta.dirname, 'kill-at-step.mjs')],
        ...programArguments('src/cli/waybill.ts'),
        ...words,
      ],
      {
        env: {
          ...process.env,
          DATABASE_URL: urlOf(database),
          NODE_ENV: '',
          KILL_AT_STEP: String(step),
          KILL_FROM: from,
        },
        stdio: 'ignore',
      },
    )
    const [code, signal] = await once(child, 'exit')
    // The server ends the transaction when it notices that the connection is gone.
    await expect
      .poll(
        async () => {
          const { rows } = await sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
          AND application_name = 'waybill cli'`.execute(db)
          return rows.length
        },
        { timeout: 20_000 },
      )
      .toBe(0)
    return signal ?? code
  }

  test('at any step has lost nothing, and leaves at most one cell that accepts changes', async () => {
    /** Repeats a command, killed later each time, until it ends by itself. Returns how often it was killed. */
    const killedOften = async (
      cell: ClonedDatabase | undefined,
      from: string,
      words: (run: number) => string[],
    ) => {
      let [runs, step, growth] = [0, 1, 1]
      for (;;) {
        const end = await killedAt(step, cell, from, words(runs))
        runs += 1
        const [left, arrived] = [await shipmentsIn(source), await shipmentsIn(target)]
        expect([step, end, new Set([...left, ...arrived]).size]).toEqual([step, end, 2])
        const writes = await Promise.allSettled([writeIn(source), writeIn(target)])
        const accepted = writes.filter(({ status }) => status === 'fulfilled').length
        // Only before the export has closed the account.
        const { rows } = await sql`SELECT 1 FROM account_move`.execute(opened(source).db)
        expect([step, accepted]).toEqual([step, rows.length === 0 ? 1 : 0])
        if (end === 0) return runs - 1
        expect([step, end]).toEqual([step, 'SIGKILL'])
        ;[step, growth] = [step + growth, Math.ceil(growth * 1.5)]
      }
    }
    const writeIn = async (cell: ClonedDatabase | undefined) => {
      const { numUpdatedRows } = await opened(cell)
        .db.updateTable('shipment')
        .set({ reference: 'x' })
        .where('account_id', '=', 'acme')
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) throw new Error('the account is not here')
    }
    expect(
      await killedOften(source, 'LOCK TABLE', (run) => [
        ...['account', 'export', 'acme', '--out', path.join(folder, `killed-${run}.gz`)],
      ]),
    ).toBeGreaterThan(5)
    const name =
      (await readdir(folder))
        .filter((file) => file.startsWith('killed-'))
        .sort()
        .at(-1) ?? ''
    const file = path.join(folder, name)
    expect(await killedOften(target, 'account_move', () => ['account', 'import', file])).toBeGreaterThan(5)
    const imported = await there(`account import ${file}`)
    expect(imported.out).toContain('was imported before')
    const leave = nextOf(imported.out).split(' ')
    expect(await killedOften(source, 'account_move', () => leave)).toBeGreaterThan(5)
    expect([await shipmentsIn(source), await shipmentsIn(target)]).toEqual([[], ['a', 'b']])
    const left = await here(leave.join(' '))
    expect((await there(nextOf(left.out))).code).toBe(0)
    await writeIn(target)
    await expect(writeIn(source)).rejects.toThrow('the account is not here')
  }, 400_000)
})
