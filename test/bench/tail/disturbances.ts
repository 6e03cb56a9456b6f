/** What happens beside the load in each phase. Each function returns when the service has applied the change. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { RateCardImport } from '../../../src/core/rating/rate-card.ts'
import { openDatabase } from '../../../src/store/database/open.ts'
import { importRateCard, publishRateCard } from '../../../src/store/rate-cards/versions.ts'
import { urlOf } from '../../campaigns/abuse/database.ts'
import { REST, restEstimate } from '../../campaigns/abuse/requests/rest-bodies.ts'
import { plainEnvironment } from '../../campaigns/abuse/service.ts'
import { runStatements, type TestSource } from '../../support/database/test-server.ts'
import { diceOf } from '../../support/random/seeded-dice.ts'
import { generatedCard } from '../generated-book.ts'

export type Target = {
  readonly source: TestSource
  readonly port: number
  /** The value of X-PP-API. */
  readonly key: string
  /** An empty folder for files. */
  readonly folder: string
  /** The program and the arguments that start commands of the operator, such as `taskset`. */
  readonly launcher: readonly string[]
}

const repository = path.resolve(import.meta.dirname, '../../..')
const APPLIED_WITHIN_MS = 120_000
const CARD = 'generated'
const FIRST_PRODUCT_ID = 100_000
const SLOW_CANCELLATIONS = 8
/** As long as the sandbox carrier takes for each cancellation. */
const CARRIER_MS = 8_000

/** Publishes the first version of the card with 900,000 prices, and stores the second one as a draft. */
export async function prepareCard(source: TestSource): Promise<void> {
  const db = openDatabase(source, { poolSize: 2, statementTimeoutMs: 0 })
  const head = { code: CARD, name: 'Generated', audience: 'everyone', validFrom: '2026-01-01' } as const
  try {
    await publishRateCard(db, await importRateCard(db, { ...head, card: cardOf(1) }))
    await importRateCard(db, { ...head, card: cardOf(2) })
  } finally {
    await db.destroy()
  }
}

/** The generated card with product ids that the demo card does not have. */
function cardOf(seed: number): RateCardImport {
  const card = generatedCard(seed)
  const shifted = <Row extends { readonly productId: number }>(rows: readonly Row[]): Row[] =>
    rows.map((row) => ({ ...row, productId: row.productId + FIRST_PRODUCT_ID }))
  const { products, prices, transit } = card.content
  const content = {
    ...card.content,
    products: shifted(products),
    prices: shifted(prices),
    transit: shifted(transit),
  }
  return { ...card, content }
}

export async function publishCard(target: Target): Promise<void> {
  await waybill(target, 'card', 'publish', `${CARD}@2`, '--yes')
  const input = {
    from: { country: 'NL' },
    to: { country: 'DE' },
    recipientType: 'BUSINESS',
    parcels: { boxes: [{ count: 1, weightKg: '2', lengthCm: 30, widthCm: 20, heightCm: 10 }] },
  }
  const query =
    'query($input: RatesInput!) { rates(input: $input) { ... on RateQuote { rateCardVersions } } }'
  await until(async () =>
    (await post(target, '/graphql', { query, variables: { input } })).includes(`${CARD}@2`),
  )
}

/** A file of the UK tariff with three measures for each shipped code, about 36,000 rows. */
export async function importCustoms(target: Target): Promise<void> {
  const file = path.join(target.folder, 'uk.csv')
  writeFileSync(file, ukFile())
  const estimate = (): Promise<string> =>
    post(target, REST.estimate, {
      ...{ fromCountry: 'CN', toCountry: 'GB' },
      contentItems: [{ description: 't-shirts', numberOfItems: 1, cost: 1_000, tariff: '610910' }],
    })
  const before = await estimate()
  await waybill(
    target,
    ...['customs', 'import', file, '--set', 'uk-tail', '--title', 'UK tariff', '--source', 'generated'],
    ...['--date', '2026-11-20', '--publish', '--yes', '--replace-all'],
  )
  await until(async () => (await estimate()) !== before)
}

function ukFile(): string {
  const [, ...lines] = readFileSync(path.join(repository, 'src/reference/customs/tariff-gb.csv'), 'utf8')
    .trim()
    .split('\n')
  const codes = lines.map((line) => line.slice(0, line.indexOf(',')).padEnd(10, '0'))
  const measures = [
    ['103', 'Third country duty', '1011'],
    ['142', 'Tariff preference', 'JP'],
    ['142', 'Tariff preference', 'CA'],
  ] as const
  const rows = [...new Set(codes)].flatMap((code, index) =>
    measures.map(([type, words, origin]) => {
      const percent = type === '103' ? 3 + (index % 17) : index % 3
      return `${code},${type},${words},${percent}.00%,2021-01-01,${origin}`
    }),
  )
  const header =
    'commodity__code,measure__type__id,measure__type__description,measure__duty_expression,' +
    'measure__effective_start_date,measure__geographical_area__id'
  return `${[header, ...rows].join('\n')}\n`
}

/** Cancels booked shipments of `bravo` with a carrier that answers after 8 seconds. */
export async function cancelSlowly(target: Target): Promise<void> {
  const [rows] = [
    await runStatements(
      target.source,
      `update shipment set carrier_ref = 'SBX-SLOW-${CARRIER_MS}-' || shipment_id
        where shipment_id in (select shipment_id from shipment where account_id = 'bravo' and state = 'booked' limit ${SLOW_CANCELLATIONS})
        returning shipment_id`,
    ),
  ]
  const answers = await Promise.all(
    rows.map(({ shipment_id }) => post(target, `/partners-api/v1/shipments/${shipment_id}/cancel`, {})),
  )
  const cancelled = answers.filter((text) => text.includes('"cancelled":true') || /cancelled/i.test(text))
  if (cancelled.length === 0) throw new Error(`no shipment was cancelled: ${answers[0]}`)
}

const HEAVY_MS = 10_000

/** Estimates of 40 long descriptions, and landed costs of 40 items, one after the other. */
export async function sendHeavy(target: Target): Promise<void> {
  const dice = diceOf(7)
  const contentItems = Array.from({ length: 40 }, (_, index) => ({
    ...{ description: `goods ${index}`, count: 1 + (index % 3), value: `${10 + index}.5` },
    ...{ hsCode: ['640391', '610910', '851713', '691200', '950300'][index % 5], originCountry: 'CN' },
  }))
  const rates = {
    from: { country: 'NL' },
    to: { country: 'GB' },
    recipientType: 'BUSINESS',
    parcels: { boxes: [{ count: 1, weightKg: '2', lengthCm: 30, widthCm: 20, heightCm: 10 }] },
  }
  const query = `query($input: LandedCostInput!) { landedCost(input: $input) { ... on LandedCost { options {
    duties { total { amount } taxes { name amount { amount } description } } total { amount } } } } }`
  const endsAt = performance.now() + HEAVY_MS
  while (performance.now() < endsAt) {
    await post(target, REST.estimate, restEstimate(dice, 40, true))
    await post(target, '/graphql', { query, variables: { input: { rates, contentItems } } })
  }
}

async function waybill({ source, launcher }: Target, ...args: readonly string[]): Promise<void> {
  const [program = '', ...rest] = [...launcher, process.execPath, 'dist/cli/waybill.js', ...args]
  await promisify(execFile)(program, rest, {
    cwd: repository,
    env: { ...plainEnvironment(), NODE_ENV: 'production', DATABASE_URL: urlOf(source) },
    maxBuffer: 100e6,
  })
}

async function until(isMet: () => Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + APPLIED_WITHIN_MS
  while (!(await isMet())) {
    if (performance.now() > endsAt) throw new Error('the change was not applied in time')
    await pause(200)
  }
}

async function post({ port, key }: Target, to: string, body: object | string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${to}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-pp-api': key },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return response.text()
}
