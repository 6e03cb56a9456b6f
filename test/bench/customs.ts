/**
 * Compares the speed of estimates with one SQL lookup per item on a temporary PostgreSQL server, and measures the
 * tables. Requests have 20 items with codes from a catalogue of 300 tariff lines (half of them cut to six digits), to
 * the European Union, the United Kingdom and the United States (which has about four lines per item), then to every
 * other destination with a tariff, and then with any codes. Prints the figures and a JSON line, whose `estimate_us` are
 * those to the European Union. Run it on a quiet machine.
 */
import { rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { CompiledCustoms } from '../../src/core/customs/compiled-customs.ts'
import { tariffAreaOf } from '../../src/core/customs/data/territory.ts'
import {
  type Classification,
  type DutiesEstimate,
  estimateRequest,
  givenCode,
} from '../../src/core/customs/estimate/estimate.ts'
import { describeLine } from '../../src/core/customs/estimate/explain/line.ts'
import type { DutiesRequest } from '../../src/core/customs/request.ts'
import { lineCodes } from '../../src/core/customs/tariff/tariff.ts'
import { readShippedCustomsData, shippedCustoms } from '../../src/reference/customs.ts'
import { loadCompiledCustoms } from '../../src/store/customs/customs.ts'
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
const OTHER_ROUNDS = 20
const SQL_REQUESTS = 60
const DAY = '2026-11-21'
const ROUTES = [
  { from: 'CN', to: 'DE', area: 'EU' },
  { from: 'US', to: 'GB', area: 'GB' },
  { from: 'CN', to: 'US', area: 'US' },
] as const

type Route = { readonly from: string; readonly to: string; readonly area: string }

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
  const tables = await loadCompiledCustoms(db)
  const tablesMb = ((await bytesInUse()) - before) / 1e6
  const loadMs = await loadMilliseconds()
  const lines = [...tables.tariffs.values()].reduce((sum, tariff) => sum + lineCodes(tariff).length, 0)
  const rows = Object.values(shippedCustoms().tables).reduce((sum, table) => sum + table.rowCount, 0)
  console.log(`load average ${loadavg()[0]!.toFixed(1)}`)
  console.log(
    `${rows} rows, of which ${lines} tariff lines of ${tables.tariffs.size} customs areas: loaded in ${loadMs.toFixed(0)} ms, ${tablesMb.toFixed(1)} MB in memory`,
  )

  const all = new Map([...tables.tariffs.keys()].map((area) => [area, nationalLines(tables, area)]))
  const catalogue = new Map([...all].map(([area, codes]) => [area, catalogueOf(codes)]))
  const [eu, gb, us] = ROUTES.map((route) => {
    const samples = sampleRequests(route, catalogue)
    const measured = measureCalls(samples, ROUNDS, (sample) => estimate(tables, sample))
    print(`to ${route.to}, ${estimate(tables, samples[0]!).taxes.length} lines`, measured)
    return measured
  }) as [Percentiles, Percentiles, Percentiles]
  const others = measureOthers(tables, catalogue)
  const [median, slowest] = [others[Math.floor(others.length / 2)]!, others.at(-1)!]
  print(`to ${median.to}, the median of ${others.length} other destinations`, median)
  print(`to ${slowest.to}, the slowest of them`, slowest)
  const samples = sampleRequests(ROUTES[0], catalogue)
  const withTexts = measureCalls(samples, ROUNDS, (sample) => {
    const { taxes, consignment } = estimate(tables, sample)
    for (const line of taxes) describeLine(consignment, line)
  })
  const anyCode = measureCalls(sampleRequests(ROUTES[0], all), ROUNDS, (sample) => estimate(tables, sample))
  const firstLookups = measureFirstLookups(tables, all)
  const usedMb = ((await bytesInUse()) - before) / 1e6
  const sqlUs = await measureLookups(samples)
  print('to DE with all descriptions', withTexts)
  print('to DE, any codes at all', anyCode)
  print('to DE, codes that were not looked up before', firstLookups)
  console.log(`one prepared SQL lookup per item: ${micros(sqlUs)} (${(sqlUs / eu.p50).toFixed(0)}× to DE)`)
  console.log(`tables and caches after all estimates: ${usedMb.toFixed(1)} MB`)
  console.log(
    JSON.stringify({
      load_average: round(loadavg()[0]!),
      rows,
      customs_areas: tables.tariffs.size,
      estimate_us_p50: round(eu.p50),
      estimate_us_p99: round(eu.p99),
      estimate_us_p99_without_load: round(eu.inputsP99),
      to_gb_us_p99: round(gb.p99),
      to_us_us_p99: round(us.p99),
      gb_ratio: ratio(gb, eu),
      us_ratio: ratio(us, eu),
      median_other: median.to,
      median_other_us_p99: round(median.p99),
      median_other_ratio: ratio(median, eu),
      slowest_other: slowest.to,
      slowest_other_us_p99: round(slowest.p99),
      slowest_other_ratio: ratio(slowest, eu),
      described_us_p99: round(withTexts.p99),
      any_code_us_p99: round(anyCode.p99),
      first_lookup_us_p99: round(firstLookups.p99),
      sql_ratio: round(sqlUs / eu.p50),
      tables_mb: round(tablesMb),
      tables_and_caches_mb: round(usedMb),
      load_ms: round(loadMs),
    }),
  )
} finally {
  await db.destroy()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

function print(what: string, { p50, p99, inputsP99 }: Percentiles): void {
  console.log(`${what}: ${micros(p50)} median, ${micros(p99)} p99, ${micros(inputsP99)} without other load`)
}

/** The 99th percentile relative to that of estimates to the European Union, without other load. */
function ratio({ inputsP99 }: Percentiles, eu: Percentiles): number {
  return Math.round((inputsP99 / eu.inputsP99) * 100) / 100
}

type Destination = Percentiles & { readonly to: string }

/** Every customs area with a tariff but those of `ROUTES`, fastest first. */
function measureOthers(
  tables: CompiledCustoms,
  catalogue: ReadonlyMap<string, readonly string[]>,
): readonly Destination[] {
  const measured = [...tables.tariffs.keys()].flatMap((area): Destination[] => {
    const to = [...tables.jurisdictions.values()].find(
      (row) => tariffAreaOf(row) === area && /^[A-Z]{2}$/.test(row.code),
    )?.code
    if (to === undefined || ROUTES.some((route) => route.area === area)) return []
    const samples = sampleRequests({ from: to === 'CN' ? 'US' : 'CN', to, area }, catalogue)
    return [{ to, ...measureCalls(samples, OTHER_ROUNDS, (sample) => estimate(tables, sample)) }]
  })
  return measured.sort((a, b) => a.inputsP99 - b.inputsP99)
}

/** Estimates without cached codes. */
function measureFirstLookups(
  tables: CompiledCustoms,
  all: ReadonlyMap<string, readonly string[]>,
): Percentiles {
  const samples = sampleRequests(ROUTES[0], all)
  return measureCalls(samples, OTHER_ROUNDS, (sample) => {
    tables.codes.size = Number.MAX_SAFE_INTEGER
    estimate(tables, sample)
  })
}

function micros(value: number): string {
  return `${value.toFixed(1)} µs`
}

/** National lines, or subheadings if the tariff has no lines. A tariff of chapters is asked for codes of the EU. */
function nationalLines(tables: CompiledCustoms, area: string): readonly string[] {
  const codes = lineCodes(tables.tariffs.get(area)!)
  for (const length of [8, 6]) {
    const long = codes.filter((code) => code.length >= length)
    if (long.length >= CATALOGUE) return long
  }
  return nationalLines(tables, 'EU')
}

/** A few hundred codes from the whole tariff, since a partner ships the same goods repeatedly. */
function catalogueOf(codes: readonly string[]): readonly string[] {
  const step = Math.max(1, Math.floor(codes.length / CATALOGUE))
  return codes.filter((_, index) => index % step === 0)
}

function estimate(tables: CompiledCustoms, { request, codes }: Sample): DutiesEstimate {
  return estimateRequest(tables, request, codes, DAY)
}

/** Requests on a route with random codes of its area, half of them cut to six digits. */
function sampleRequests(
  { from, to, area }: Route,
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
  const head = { title: 'Tariff', source: 'shipped', date: DAY, jurisdiction: null, cycleDays: null }
  await importCustomsSet(db, { name: 'sql', ...head, importedFrom: 'shipped', rows: { measures } })
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
  for (let run = 0; run < 3; run++) times.push(await millisecondsOf(() => loadCompiledCustoms(db)))
  return percentile(times, 0.5)
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
