/**
 * Compares the speed of estimates with one SQL lookup per item on a temporary PostgreSQL server, and measures the tables.
 * Requests have 20 items with codes from a catalogue of 300 tariff lines (half of them cut to six digits), to the European
 * Union, the United Kingdom and the United States (which has about four lines per item), and then with any codes.
 * Prints the figures and a JSON line, whose `estimate_us` are those to the European Union. Run it on a quiet machine.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import {
  type Classification,
  type DutiesEstimate,
  estimateRequest,
  givenCode,
} from '../../src/core/customs/estimate/estimate.ts'
import { describeLine } from '../../src/core/customs/estimate/explain/line.ts'
import type { DutiesRequest } from '../../src/core/customs/request.ts'
import type { CustomsTables } from '../../src/core/customs/tables.ts'
import { lineCodes } from '../../src/core/customs/tariff/tariff.ts'
import { readShippedCustomsData } from '../../src/reference/customs.ts'
import { loadCustomsTables } from '../../src/store/customs/customs.ts'
import { importCustomsSet } from '../../src/store/customs/publication.ts'
import { migrate } from '../../src/store/database/migrate.ts'
import { openDatabase } from '../../src/store/database/open.ts'
import { startEmbeddedServer } from '../../src/store/embedded-postgres/server.ts'
import { makeThrowAwayFolder } from '../support/app/throw-away-folder.ts'
import { seeded } from './generated-book.ts'
import { bytesInUse } from './memory-in-use.ts'
import { measureCalls, type Percentiles, percentile, round } from './percentile.ts'

const REQUESTS = 200
const ITEMS = 20
const CATALOGUE = 300
const ROUNDS = 60
const SQL_REQUESTS = 60
const DAY = '2026-11-21'
const ROUTES = [
  { from: 'CN', to: 'DE', area: 'EU' },
  { from: 'US', to: 'GB', area: 'GB' },
  { from: 'CN', to: 'US', area: 'US' },
] as const

type Sample = {
  readonly area: string
  readonly request: DutiesRequest
  readonly codes: readonly Classification[]
}

const folder = makeThrowAwayFolder()
const server = await startEmbeddedServer({ dataDir: join(folder, 'data'), durable: false })
const db = openDatabase(server.connection, { statementTimeoutMs: 0 })
try {
  await migrate(server.connection)
  const before = await bytesInUse()
  const tables = await loadCustomsTables(db)
  const tablesMb = ((await bytesInUse()) - before) / 1e6
  const loadMs = await loadMilliseconds()
  const lines = [...tables.tariffs.values()].reduce((sum, tariff) => sum + lineCodes(tariff).length, 0)
  console.log(
    `${lines} tariff lines of ${tables.tariffs.size} customs areas: loaded at every start in ${loadMs.toFixed(0)} ms, ${tablesMb.toFixed(1)} MB in memory`,
  )

  const all = new Map(ROUTES.map(({ area }) => [area, nationalLines(tables, area)]))
  const catalogue = new Map([...all].map(([area, codes]) => [area, catalogueOf(codes)]))
  const [eu, gb, us] = ROUTES.map((route) => {
    const samples = sampleRequests(route, catalogue)
    const { p50, p99 } = measureCalls(samples, ROUNDS, (sample) => estimate(tables, sample))
    const count = estimate(tables, samples[0]!).taxes.length
    console.log(`to ${route.to}, ${count} lines: ${micros(p50)} median, ${micros(p99)} p99`)
    return { p50, p99 }
  }) as [Percentiles, Percentiles, Percentiles]
  const samples = sampleRequests(ROUTES[0], catalogue)
  const withTexts = measureCalls(samples, ROUNDS, (sample) => {
    const { taxes, consignment } = estimate(tables, sample)
    for (const line of taxes) describeLine(consignment, line)
  })
  const anyCode = measureCalls(sampleRequests(ROUTES[0], all), ROUNDS, (sample) => estimate(tables, sample))
  const sqlUs = await measureLookups(samples)
  console.log(`to DE with all descriptions: ${micros(withTexts.p50)} median, ${micros(withTexts.p99)} p99`)
  console.log(`to DE, any codes at all: ${micros(anyCode.p50)} median, ${micros(anyCode.p99)} p99`)
  console.log(`one prepared SQL lookup per item: ${micros(sqlUs)} (${(sqlUs / eu.p50).toFixed(0)}× to DE)`)
  console.log(
    JSON.stringify({
      estimate_us_p50: round(eu.p50),
      estimate_us_p99: round(eu.p99),
      to_gb_us_p99: round(gb.p99),
      to_us_us_p99: round(us.p99),
      described_us_p99: round(withTexts.p99),
      any_code_us_p99: round(anyCode.p99),
      sql_ratio: round(sqlUs / eu.p50),
      tables_mb: round(tablesMb),
      load_ms: round(loadMs),
    }),
  )
} finally {
  await db.destroy()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

function micros(value: number): string {
  return `${value.toFixed(1)} µs`
}

function nationalLines(tables: CustomsTables, area: string): readonly string[] {
  return lineCodes(tables.tariffs.get(area)!).filter((code) => code.length >= 8)
}

/** A few hundred codes from the whole tariff, since a partner ships the same goods repeatedly. */
function catalogueOf(codes: readonly string[]): readonly string[] {
  const step = Math.floor(codes.length / CATALOGUE)
  return codes.filter((_, index) => index % step === 0)
}

function estimate(tables: CustomsTables, { request, codes }: Sample): DutiesEstimate {
  return estimateRequest(tables, request, codes, DAY)
}

/** Requests on a route with random codes of its area, half of them cut to six digits. */
function sampleRequests(
  { from, to, area }: (typeof ROUTES)[number],
  codesByArea: ReadonlyMap<string, readonly string[]>,
): Sample[] {
  const next = seeded(3)
  const lines = codesByArea.get(area)!
  return Array.from({ length: REQUESTS }, () => {
    const codes = Array.from({ length: ITEMS }, (_item, place) => {
      const code = lines[next(lines.length)]!
      return place % 2 === 0 ? code : code.slice(0, 6)
    })
    return {
      area,
      request: {
        from: { country: from },
        to: { country: to },
        items: codes.map((tariff) => ({
          description: 'goods',
          numberOfItems: 1 + next(5),
          costSteps: (100 + next(20_000)) * 10_000,
          tariff,
        })),
      },
      codes: codes.map(givenCode),
    }
  })
}

/** The cost without tables in memory: one query per item for the base duty of its longest known prefix. */
async function measureLookups(samples: readonly Sample[]): Promise<number> {
  const lookup = async ({ area, codes }: Sample): Promise<void> => {
    for (const { code } of codes)
      await sql`select ad_valorem_ppm, specific, text from customs_measure
        where jurisdiction = ${area} and measure_type = 'third_country_duty'
          and code_prefix in (${code}, ${code.slice(0, 8)}, ${code.slice(0, 6)}, ${code.slice(0, 4)})
          and (valid_from is null or valid_from <= ${DAY}) and (valid_to is null or ${DAY} < valid_to)
        order by length(code_prefix) desc limit 1`.execute(db)
  }
  const measures = readShippedCustomsData().measures.filter((row) => row.jurisdiction === samples[0]!.area)
  const head = { title: 'Tariff', source: 'shipped', date: DAY, jurisdiction: null, importedFrom: 'shipped' }
  await importCustomsSet(db, { name: 'sql', ...head, rows: { measures } })
  // The service reads all rows at once and needs no such index.
  await sql`create index on customs_measure (jurisdiction, measure_type, code_prefix)`.execute(db)
  await sql`analyze customs_measure`.execute(db)
  for (const sample of samples.slice(0, SQL_REQUESTS)) await lookup(sample)
  const times: number[] = []
  for (const sample of samples.slice(0, SQL_REQUESTS))
    times.push((await millisecondsOf(() => lookup(sample))) * 1000)
  return percentile(times, 0.5)
}

/** Reads and compiles the tables, as at every start of the service. */
async function loadMilliseconds(): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < 3; run++) times.push(await millisecondsOf(() => loadCustomsTables(db)))
  return percentile(times, 0.5)
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
