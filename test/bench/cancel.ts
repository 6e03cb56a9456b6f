/**
 * Overhead of the service when it cancels drafts: cancellations through the store, compared with pgbench running the
 * same statement on the same durable server, in turns. Prints each round and a JSON object as the last line. Requires
 * pgbench. Run it on an idle machine.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import type { Database } from '../../src/store/database/database.ts'
import { openDatabase } from '../../src/store/database/open.ts'
import { shipmentStore } from '../../src/store/shipments/shipments.ts'
import { removeAtTheEnd, withScratchDatabase } from '../campaigns/scratch-database.ts'
import type { TestSource } from '../support/database/test-server.ts'
import { percentile, round } from './percentile.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    cancels: { type: 'string', default: '10000' },
  },
})
const rounds = Number(values.rounds)
/** Concurrent callers on either side. */
const CALLERS = 50
const perCaller = Math.max(1, Math.floor(Number(values.cancels) / CALLERS))
const cancels = perCaller * CALLERS
const THREADS = 2
const ACCOUNT = 'bench'
const TERMS = { mayOpen: true, leaseMs: 12_000, refusalMemoryMs: 30_000 }

const pgbench = findPgbench()
if (pgbench === undefined) {
  console.error(
    'There is no pgbench on the PATH, nor in /usr/lib/postgresql/*/bin (Debian: postgresql-contrib)',
  )
  process.exit(1)
}

// On disk, so that commits wait for it. Tests use memory if possible.
const figures = await withScratchDatabase({ durable: true, place: tmpdir() }, async (source) => {
  const db = openDatabase(source)
  const operator = openDatabase(source, { poolSize: 1, statementTimeoutMs: 0 })
  try {
    // Round 0 is a warm-up and not counted.
    await insertDrafts(operator, (rounds + 1) * 2 * cancels)
    const script = await scriptOf()
    console.log(`${cancels} cancels of drafts a round, ${CALLERS} callers; per second:`)
    console.log('round    waybill    pgbench   ratio')
    const measured: { waybill: number; bench: number }[] = []
    for (let turn = 0; turn <= rounds; turn++) {
      const firstId = turn * 2 * cancels
      const ways = [
        () => cancelThroughStore(db, firstId),
        () => cancelThroughPgbench(source, script, firstId + cancels),
      ]
      const speeds: [number, number] = [0, 0]
      for (const way of turn % 2 === 0 ? [0, 1] : [1, 0]) {
        await sql`CHECKPOINT`.execute(operator)
        speeds[way] = await ways[way]!()
      }
      const [waybill, bench] = speeds
      const columns = [waybill.toFixed(0), bench.toFixed(0)].map((speed) => speed.padStart(10)).join(' ')
      console.log(
        `${(turn === 0 ? 'warm' : String(turn)).padEnd(5)} ${columns} ${(waybill / bench).toFixed(2).padStart(7)}`,
      )
      if (turn > 0) measured.push({ waybill, bench })
    }
    await expectAllCancelled(operator)
    return measured
  } finally {
    await operator.destroy()
    await db.destroy()
  }
})
const median = (numbers: readonly number[]): number => percentile(numbers, 0.5)
const waybillTps = median(figures.map(({ waybill }) => waybill))
const pgbenchTps = median(figures.map(({ bench }) => bench))
console.log(
  JSON.stringify({
    draft_vs_pgbench: Math.round((waybillTps / pgbenchTps) * 100) / 100,
    waybill_per_second: round(waybillTps),
    pgbench_per_second: round(pgbenchTps),
    rounds,
    cancels_per_round: cancels,
    callers: CALLERS,
  }),
)

function findPgbench(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = (() => {
    try {
      return readdirSync(debian).sort((a, b) => Number(b) - Number(a))
    } catch {
      return []
    }
  })()
  const folders = [
    ...(process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== ''),
    ...versions.map((version) => path.join(debian, version, 'bin')),
  ]
  return folders.map((folder) => path.join(folder, 'pgbench')).find(isProgram)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Drafts with numeric ids, since pgbench cannot generate texts. */
async function insertDrafts(db: Kysely<Database>, count: number): Promise<void> {
  await sql`INSERT INTO account (account_id, name) VALUES (${ACCOUNT}, 'Bench')`.execute(db)
  await sql`INSERT INTO carrier (carrier_code, name, connector) VALUES ('bench', 'Bench', 'sandbox')`.execute(
    db,
  )
  await sql`
    INSERT INTO shipment (shipment_id, account_id, product_id, carrier_code, from_country, to_country,
        parcel_type, parcels, recipient, price_cents, tariff_version)
      SELECT n::text, ${ACCOUNT}, 1, 'bench', 'NL', 'DE', 'NONDOC', '[]', 'business', 985, 'bench@1'
        FROM generate_series(0, ${count}::integer - 1) n`.execute(db)
  await sql`VACUUM ANALYZE shipment`.execute(db)
}

/** Cancels through the store and its pool. Returns cancellations per second. */
async function cancelThroughStore(db: Kysely<Database>, firstId: number): Promise<number> {
  const store = shipmentStore(db, 'bench')
  let next = firstId
  const caller = async (): Promise<void> => {
    while (next < firstId + cancels) {
      const begun = await store.beginCancellation(ACCOUNT, String(next++), TERMS)
      if (begun?.draftCancelled !== true) throw new Error('a draft was not cancelled')
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: CALLERS }, caller))
  return cancels / ((performance.now() - start) / 1000)
}

/** A script file for pgbench, and the constant parameters for its command line. */
type Script = { readonly file: string; readonly constants: readonly string[] }

/** The statement that the driver would send, as a pgbench script. Each client cancels different drafts. */
async function scriptOf(): Promise<Script> {
  const sent: CompiledQuery[] = []
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => {
      sent.push(query)
    },
  })
  const MARK = 'the-shipment'
  await shipmentStore(db, 'bench').beginCancellation(ACCOUNT, MARK, TERMS)
  // The dummy finds no draft, so the archive and moved accounts are asked next.
  const [statement] = sent
  if (statement === undefined) throw new Error('a cancel is one statement')
  // A variable of pgbench cannot be empty.
  const words = statement.parameters.map((value, index) =>
    value === MARK ? ':id' : value === '' ? "''" : `:p${index + 1}`,
  )
  const defined = statement.parameters.flatMap((value, index) =>
    value === MARK || value === '' ? [] : [['-D', `p${index + 1}=${String(value)}`]],
  )
  const text = statement.sql.replace(/\$(\d+)/g, (_match, number) => words[Number(number) - 1]!)
  const folder = mkdtempSync(path.join(tmpdir(), 'waybill-bench-'))
  removeAtTheEnd(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'cancel.sql')
  writeFileSync(
    file,
    `\\set id :first + :client_id * ${perCaller} + :k\n\\set k :k + 1\n${text.replace(/\s+/g, ' ')};\n`,
  )
  return { file, constants: defined.flat() }
}

async function cancelThroughPgbench(
  source: TestSource,
  { file, constants: given }: Script,
  firstId: number,
): Promise<number> {
  const args = ['-n', '-M', 'prepared', '-c', String(CALLERS), '-j', String(THREADS), '-t', String(perCaller)]
  const variables = [...given, '-D', `first=${firstId}`, '-D', 'k=0']
  const child = spawn(pgbench!, [...args, ...variables, '-f', file, ...addressOf(source)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = removeAtTheEnd(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const [code] = (await once(child, 'close')) as [number | null]
  await stop()
  const perSecond = /^tps = ([\d.]+)/m.exec(output)?.[1]
  if (code !== 0 || perSecond === undefined) throw new Error(`pgbench ended with ${code}: ${output}`)
  return Number(perSecond)
}

function addressOf(source: TestSource): string[] {
  if (typeof source === 'string') return [source]
  const { host, port, user, database } = source
  return ['-h', host, '-p', String(port), '-U', user, database]
}

async function expectAllCancelled(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ left: number; events: number; all: number }>`
    SELECT (SELECT count(*) FROM shipment WHERE state <> 'cancelled') AS left,
      (SELECT count(*) FROM shipment) AS all, (SELECT count(*) FROM shipment_event) AS events`.execute(db)
  const { left = -1, events, all } = rows[0] ?? {}
  if (left !== 0 || events !== all) throw new Error(`${left} drafts were not cancelled, ${events} events`)
}
