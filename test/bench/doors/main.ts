/**
 * `npm run bench:doors`: the CPU time per request of both doors, compared with servers that return constant responses
 * of the same size. See docs/benchmarks.md#doors.
 *
 * Options: `--book demo|generated` (default both), `--rounds 7`, `--seconds 1` (per sample), `--warm-up 20000`
 * (requests per entry), `--connections 32`, `--only TEXT` (entries whose name contains one of several words), `--chart
 * FILE` (SVG), `--no-build`, `--folder` (another checkout whose build is measured).
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import os from 'node:os'
import { parseArgs } from 'node:util'
import { readSchemaText } from '../../../src/graphql/schema-files.ts'
import { urlOf } from '../../campaigns/abuse/database.ts'
import { withScratchDatabase } from '../../campaigns/scratch-database.ts'
import { MARK } from '../http-bytes.ts'
import { drawChart } from './chart.ts'
import { BOOKS, type Book, fillDatabase } from './database.ts'
import { type Entry, type EntryFigures, figuresOf, nameOf, RATIOS, ratioOf, type Samples } from './figures.ts'
import {
  type Contender,
  isPinned,
  type Sample,
  startBareServer,
  startGenerator,
  startWaybill,
} from './processes.ts'
import { WORKLOADS, type WorkloadName } from './workloads.ts'

const { values } = parseArgs({
  options: {
    book: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '1' },
    'warm-up': { type: 'string', default: '20000' },
    connections: { type: 'string', default: '32' },
    only: { type: 'string', multiple: true },
    chart: { type: 'string' },
    'no-build': { type: 'boolean', default: false },
    folder: { type: 'string' },
  },
})
const [rounds, seconds, warmUp] = [Number(values.rounds), Number(values.seconds), Number(values['warm-up'])]
const connections = Number(values.connections)
if (!(rounds >= 1 && seconds > 0 && seconds <= 60 && warmUp >= 1 && warmUp <= 1_000_000))
  throw new Error('--rounds takes at least 1, --seconds up to 60, --warm-up 1 to 1000000')

const RAMP_MS = 200
/** A warm-up consists of samples of this length and takes at most this long. */
const WARM_UP_SAMPLE_MS = 500
const MAX_WARM_UP_MS = 30_000
/** More than one core can cancel in the time of all samples. */
const CANCELS_PER_SECOND = 8_000

const BARE: readonly Entry[] = [
  ...entriesOf('raw', 'rest_rates', 'rest_duties'),
  ...entriesOf('fastify', 'rest_rates', 'rest_duties'),
  ...entriesOf('apollo', 'graphql_rates', 'graphql_cancel'),
  ...entriesOf('apollo-jit', 'graphql_rates', 'graphql_duties', 'graphql_landed_cost'),
  ...entriesOf('mercurius', 'graphql_rates'),
  ...entriesOf('yoga', 'graphql_rates'),
]
const WAYBILL = entriesOf('waybill', ...(Object.keys(WORKLOADS) as WorkloadName[]))
const entries = [...BARE, ...WAYBILL].filter(
  (entry) => values.only === undefined || values.only.some((text) => nameOf(entry).includes(text)),
)

function entriesOf(contender: string, ...workloads: readonly WorkloadName[]): Entry[] {
  return workloads.map((workload) => ({ contender, workload }))
}

if (!values['no-build'])
  execFileSync('npm', ['run', 'build'], { cwd: values.folder ?? process.cwd(), stdio: 'ignore' })
console.log(describeMachine())
const reports: Record<string, { figures: EntryFigures[]; ratios: Record<string, number> }> = {}
for (const book of BOOKS.filter((name) => values.book === undefined || name === values.book))
  reports[book] = await measure(book)
const ratios = Object.fromEntries(
  RATIOS.flatMap(({ name }) => {
    const found = Object.values(reports).flatMap((report) => report.ratios[name] ?? [])
    return found.length === 0 ? [] : [[name, Math.max(...found)]]
  }),
)
const [firstReport] = Object.values(reports)
if (values.chart !== undefined && firstReport !== undefined) {
  const date = new Date().toISOString().slice(0, 10)
  writeFileSync(values.chart, drawChart(firstReport.figures, `${date}; ${describeMachine()}`))
}
// The higher ratio of the two books, then all figures.
console.log(JSON.stringify({ ...ratios, loadAverage: os.loadavg(), pinned: isPinned, books: reports }))
// The generator and the contenders end when their channel closes.
process.exit()

function measure(book: Book) {
  const drafts = 2 * warmUp + Math.ceil(rounds * (seconds + RAMP_MS / 1_000) * CANCELS_PER_SECOND)
  return withScratchDatabase({ durable: false }, async (source) => {
    const credentials = await fillDatabase(source, book, drafts)
    const waybill = await startWaybill(urlOf(source), {}, values.folder)
    const bodies = await readResponses(waybill.port, credentials)
    const contenders = new Map<string, Contender>([['waybill', waybill]])
    const constants = constantsFrom(bodies)
    for (const name of new Set(entries.map(({ contender }) => contender)))
      if (name !== 'waybill') contenders.set(name, await startBareServer(name, constants))
    const samples = await sampleAll(contenders, credentials, drafts)
    return report(book, bodies, samples)
  })
}

/** Entries take turns, so that other load on the machine affects all of them. The first entry changes each round. */
async function sampleAll(
  contenders: ReadonlyMap<string, Contender>,
  credentials: string,
  drafts: number,
): Promise<Samples> {
  const sample = startGenerator()
  const samples = new Map<string, Sample[]>()
  let firstNumber = 1
  const run = async (entry: Entry, measureMs: number): Promise<Sample> => {
    const { path, bodies } = WORKLOADS[entry.workload]
    const headers = { 'content-type': 'application/json', 'x-pp-api': credentials }
    const load = { path, bodies, headers, connections, rampMs: RAMP_MS, measureMs, firstNumber }
    const taken = await sample(contenders.get(entry.contender)!, load)
    firstNumber = entry.contender === 'waybill' ? taken.nextNumber : firstNumber
    if (firstNumber > drafts) throw new Error('there are too few drafts')
    return taken
  }
  for (const entry of entries) {
    const startedAt = performance.now()
    for (let requests = 0; requests < warmUp && performance.now() - startedAt < MAX_WARM_UP_MS; )
      requests += (await run(entry, WARM_UP_SAMPLE_MS)).requests
  }
  for (let round = 0; round < rounds; round++)
    for (let index = 0; index < entries.length; index++) {
      const entry = entries[(index + round) % entries.length]!
      samples.set(nameOf(entry), [...(samples.get(nameOf(entry)) ?? []), await run(entry, seconds * 1_000)])
    }
  return samples
}

type Bodies = Readonly<Record<WorkloadName, string>>

/** The response of Waybill to the first body of each workload. Throws if any body is not answered in full. */
async function readResponses(port: number, credentials: string): Promise<Bodies> {
  const texts: Partial<Record<WorkloadName, string>> = {}
  for (const [name, { path, bodies }] of Object.entries(WORKLOADS))
    for (const body of bodies) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-pp-api': credentials },
        body: body.replace(MARK, '00000000'),
      })
      const text = await response.text()
      if (response.status !== 200 || /"errors":[[t]|"hasErrors":true|"fields":/.test(text))
        throw new Error(`${name} is answered with ${response.status} ${text}`)
      texts[name as WorkloadName] ??= text
    }
  return texts as Bodies
}

/** What bare servers return: the bodies of REST by path, and the values of GraphQL's root fields. */
function constantsFrom(bodies: Bodies) {
  const rest: Record<string, unknown> = {}
  const fields: Record<string, Record<string, unknown>> = {}
  for (const [name, { path, result }] of Object.entries(WORKLOADS)) {
    const body = JSON.parse(bodies[name as WorkloadName])
    if (result === undefined) rest[path] = body
    else {
      fields[result.root] ??= {}
      fields[result.root]![result.field] = { __typename: result.type, ...body.data[result.field] }
    }
  }
  return { rest, fields, typeDefs: readSchemaText() }
}

function report(book: Book, bodies: Bodies, samples: Samples) {
  const figures = entries.map((entry) => figuresOf(entry, samples))
  const options = bodies.rest_rates.split('"productId":').length - 1
  console.log(`\nbook: ${book}; ${options} options`)
  console.log(
    `${'contender'.padEnd(12)} ${'request'.padEnd(20)} ${'bytes'.padStart(6)} ${'CPU µs'.padStart(8)} ` +
      `${'per s'.padStart(7)} ${'p50 ms'.padStart(7)} ${'p99'.padStart(7)} ${'p99.9'.padStart(7)}`,
  )
  for (const { contender, workload, cpuUs, requestsPerSecond, p50Ms, p99Ms, p999Ms } of figures)
    console.log(
      `${contender.padEnd(12)} ${workload.padEnd(20)} ${String(bodies[workload].length).padStart(6)} ` +
        `${cpuUs.toFixed(1).padStart(8)} ${String(requestsPerSecond).padStart(7)} ` +
        `${p50Ms.toFixed(2).padStart(7)} ${p99Ms.toFixed(2).padStart(7)} ${p999Ms.toFixed(2).padStart(7)}`,
    )
  const measured = RATIOS.filter(({ of, to }) => samples.has(nameOf(of)) && samples.has(nameOf(to)))
  for (const ratio of measured)
    console.log(`${ratio.name.padEnd(36)} ${ratioOf(ratio, samples).toFixed(2)} (target ${ratio.target})`)
  return {
    figures,
    ratios: Object.fromEntries(measured.map((ratio) => [ratio.name, ratioOf(ratio, samples)])),
  }
}

function describeMachine(): string {
  const [cpu] = os.cpus()
  const pinning = isPinned
    ? 'servers on one core, the generator on another'
    : 'not pinned to cores, because taskset or a second core is missing'
  return (
    `Node ${process.version}, ${os.availableParallelism()} cores, ${cpu?.model}; ${pinning}; ` +
    `load average ${os
      .loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}`
  )
}
