/**
 * `npm run bench:scaling`: how the time of a quote grows with the prices of the book, the accounts and the options, how
 * the time of an estimate grows with its items, and the throughput of two worker processes relative to one. Prints a
 * table and a JSON line. `--chart FILE` writes a chart (SVG); `--no-workers` leaves the worker processes out. See
 * docs/benchmarks.md#scaling.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import os from 'node:os'
import { parseArgs } from 'node:util'
import { compileCustoms } from '../../src/core/customs/compiled-customs.ts'
import { estimateRequest, givenCode } from '../../src/core/customs/estimate/estimate.ts'
import { lineCodes } from '../../src/core/customs/tariff/tariff.ts'
import type { RateBook } from '../../src/core/rating/book/rate-book.ts'
import type { ContractRow } from '../../src/core/rating/contract.ts'
import { quote } from '../../src/core/rating/quote.ts'
import { checkRatesRequest, type RatesRequest } from '../../src/core/rating/request.ts'
import { readShippedCustomsData } from '../../src/reference/customs.ts'
import { urlOf } from '../campaigns/abuse/database.ts'
import { withScratchDatabase } from '../campaigns/scratch-database.ts'
import { bookOf } from '../support/rates/rate-cards.ts'
import { fillDatabase } from './doors/database.ts'
import { ALL_CORES, startGenerator, startWaybill } from './doors/processes.ts'
import { WORKLOADS } from './doors/workloads.ts'
import { generatedCard, offering, SIZE, seeded } from './generated-book.ts'
import { percentile, round } from './percentile.ts'
import { drawScaling, type Series } from './scaling-chart.ts'

const { values } = parseArgs({
  options: { chart: { type: 'string' }, 'no-workers': { type: 'boolean', default: false } },
})

const DAY = '2026-10-20'
const WARM_UP_ROUNDS = 20
const ROUNDS = 40
const REQUESTS = 200
/** With 60 products and 60 weight breaks: 10,800 to 1,000,800 prices. */
const ZONES = [3, 9, 28, 84, 278]
const OPTIONS = [1, 2, 5, 10, 20, 40, 60]
const ITEMS = [1, 2, 5, 10, 20, 50, 99]
const ACCOUNTS = [1, 10, 100, 1_000, 10_000]

const requests = sampleRequests()
const series: readonly Series[] = [
  {
    name: 'prices in the book',
    unit: 'quote of 30 options, µs',
    axis: 'log',
    points: measureInTurns(ZONES.map(quotesWithPrices)),
  },
  {
    name: 'accounts with a contract',
    unit: 'quote of 30 options, µs',
    axis: 'log',
    points: measureInTurns(quotesWithAccounts()),
  },
  { name: 'options', unit: 'quote, µs', axis: 'value', points: measureInTurns(quotesWithOptions()) },
  {
    name: 'items',
    unit: 'estimate to Germany, µs',
    axis: 'value',
    points: measureInTurns(estimatesWithItems()),
  },
]
for (const { name, unit, points } of series) {
  console.log(`\n${name.padEnd(26)} ${unit}`)
  for (const [size, us] of points) console.log(`${size.toLocaleString('en').padEnd(26)} ${us.toFixed(1)}`)
}
const workers = values['no-workers'] ? undefined : await measureWorkers()
if (workers !== undefined)
  console.log(
    `\nworkers                    landed costs per second\n1                          ${workers.one.toFixed(0)}` +
      `\n2                          ${workers.two.toFixed(0)}`,
  )
if (values.chart !== undefined) {
  const subtitle = `${new Date().toISOString().slice(0, 10)}; ${os.cpus()[0]?.model}; Node ${process.versions.node}`
  writeFileSync(values.chart, drawScaling(series, subtitle))
}
const [prices, accounts, options, items] = series
console.log(
  JSON.stringify({
    prices_most_vs_least: growth(prices),
    accounts_most_vs_least: growth(accounts),
    options_time_per_option: perUnit(options),
    items_time_per_item: perUnit(items),
    ...(workers !== undefined && { workers_two_vs_one: round(workers.two / workers.one) }),
    loadAverage: os.loadavg(),
  }),
)
process.exit()

type Point = readonly [size: number, us: number]

/** `call` is measured with each index up to `inputs`. */
type Case = { readonly size: number; readonly inputs: number; call(index: number): void }

/** Sizes take turns, so that other load affects all of them. The result is the lowest median of the rounds. */
function measureInTurns(cases: readonly Case[]): Point[] {
  const lowest = cases.map(() => Number.POSITIVE_INFINITY)
  for (let turn = -WARM_UP_ROUNDS; turn < ROUNDS; turn++)
    for (const [index, { inputs, call }] of cases.entries()) {
      const times: number[] = []
      for (let input = 0; input < inputs; input++) {
        const start = process.hrtime.bigint()
        call(input)
        times.push(Number(process.hrtime.bigint() - start) / 1000)
      }
      if (turn >= 0) lowest[index] = Math.min(lowest[index]!, percentile(times, 0.5))
    }
  return cases.map(({ size }, index) => [size, lowest[index]!])
}

/** The time at the largest size relative to that at the smallest. 1 is flat. */
function growth(measured: Series | undefined): number {
  const { points = [] } = measured ?? {}
  return round((points.at(-1)?.[1] ?? Number.NaN) / (points[0]?.[1] ?? Number.NaN))
}

/** The added time per unit in the upper half of the sizes, relative to the lower half. 1 is linear. */
function perUnit(measured: Series | undefined): number {
  const { points = [] } = measured ?? {}
  const middle = Math.floor(points.length / 2)
  const slope = (from: Point | undefined, to: Point | undefined): number =>
    from === undefined || to === undefined ? Number.NaN : (to[1] - from[1]) / (to[0] - from[0])
  return round(slope(points[middle], points.at(-1)) / slope(points[0], points[middle]))
}

function quotes(size: number, book: RateBook, accountOf?: (index: number) => string): Case {
  const call = (index: number): void => void quote(book, requests[index]!, DAY, accountOf?.(index))
  return { size, inputs: requests.length, call }
}

function quotesWithPrices(zones: number): Case {
  const card = generatedCard(1, { ...SIZE, zones })
  return quotes(card.content.prices.length, bookOf(card))
}

function quotesWithAccounts(): Case[] {
  const card = generatedCard(1, { ...SIZE, zones: 28 })
  return ACCOUNTS.map((count) => {
    const contracts = Array.from(
      { length: count },
      (_, index): ContractRow => ({
        accountId: `account-${index}`,
        validFrom: '2026-01-01',
        // Every contract is a discount.
        freightBps: -1 - (index % 1_000),
        fuelBps: 0,
        hidden: false,
      }),
    )
    return quotes(count, bookOf(card, {}, contracts), (index) => `account-${(index * 7_919) % count}`)
  })
}

function quotesWithOptions(): Case[] {
  const card = generatedCard(1, { ...SIZE, zones: 28 })
  return OPTIONS.map((options) => quotes(options, bookOf(offering(card, options))))
}

function estimatesWithItems(): Case[] {
  const tables = compileCustoms(readShippedCustomsData())
  const lines = lineCodes(tables.tariffs.get('EU')!).filter((code) => code.length >= 8)
  const next = seeded(3)
  return ITEMS.map((count) => {
    const samples = Array.from({ length: 50 }, () => {
      const codes = Array.from({ length: count }, () => lines[next(lines.length)]!)
      const items = codes.map((tariff) => ({
        ...{ description: 'goods', numberOfItems: 1 + next(5), tariff },
        costSteps: (100 + next(20_000)) * 10_000,
      }))
      return {
        request: { from: { country: 'CN' }, to: { country: 'DE' }, items },
        codes: codes.map(givenCode),
      }
    })
    const call = (index: number): void => {
      const { request, codes } = samples[index]!
      estimateRequest(tables, request, codes, DAY)
    }
    return { size: count, inputs: samples.length, call }
  })
}

function sampleRequests(): RatesRequest[] {
  const next = seeded(2)
  const countries = ['NL', 'DE', 'FR', 'ES', 'SE', 'BR']
  return Array.from({ length: REQUESTS }, () => {
    const side = (): number => 36 + next(60)
    const request = checkRatesRequest({
      from: { country: countries[next(countries.length)], zipcode: String(1000 + next(8000)) },
      to: { country: countries[next(countries.length)], zipcode: String(1000 + next(8000)) },
      parcels: [
        { type: 'NONDOC', weight: 1 + next(30), length: side(), width: side(), height: 20, count: 1 },
      ],
      recipientType: 'business',
    })
    if ('kind' in request) throw new Error('the generated request is valid')
    return request
  })
}

/**
 * Landed costs per second with one and with two workers, in turns. These requests take far longer than the generator
 * needs to send them, so the generator takes little time from the workers. Medians of five samples.
 */
async function measureWorkers(): Promise<{ readonly one: number; readonly two: number }> {
  execFileSync('npm', ['run', 'build'], { stdio: 'ignore' })
  return withScratchDatabase({ durable: false }, async (source) => {
    const credentials = await fillDatabase(source, 'demo', 1)
    const start = (workers: string) =>
      startWaybill(urlOf(source), { WAYBILL_WORKERS: workers }, undefined, ALL_CORES)
    const [one, two] = [await start('1'), await start('2')]
    const sample = startGenerator()
    const { path, bodies } = WORKLOADS.graphql_landed_cost
    const headers = { 'content-type': 'application/json', 'x-pp-api': credentials }
    const load = { path, bodies, headers, connections: 32, rampMs: 500, measureMs: 2_000, firstNumber: 1 }
    const rates: { readonly one: number[]; readonly two: number[] } = { one: [], two: [] }
    for (let turn = 0; turn < 7; turn++)
      for (const [name, contender] of [
        ['one', one],
        ['two', two],
      ] as const) {
        const { requests: answered, seconds } = await sample(contender, load)
        // The first two are a warm-up.
        if (turn >= 2) rates[name].push(answered / seconds)
      }
    return { one: percentile(rates.one, 0.5), two: percentile(rates.two, 0.5) }
  })
}
