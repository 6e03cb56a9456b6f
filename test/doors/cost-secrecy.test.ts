/**
 * No answer of a door, no log line and no metric has the cost or the margin of a product. Costs and margins are random
 * numbers that occur nowhere else, and every text is searched for them: all fields of the quotes of both doors, with
 * explanations, services, prices in other currencies and option tokens.
 */
import {
  buildSchema,
  type GraphQLOutputType,
  getNamedType,
  isCompositeType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatCents } from '../../src/core/money.ts'
import { quote } from '../../src/core/rating/quote.ts'
import type { PriceRow, RateCardImport } from '../../src/core/rating/rate-card.ts'
import type { RatesInput } from '../../src/core/rating/request.ts'
import { costOptionOf } from '../../src/core/rating/sale.ts'
import { readSchemaText } from '../../src/graphql/schema-files.ts'
import { readDemoRateBook } from '../../src/reference/rate-cards/rate-card-csv.ts'
import { replaceMargins } from '../../src/store/rate-cards/margins.ts'
import { loadRateBook } from '../../src/store/rate-cards/rate-book.ts'
import { importRateCard, publishRateCard } from '../../src/store/rate-cards/versions.ts'
import { openTestApp, TEST_CLOCK, type TestApp } from '../support/app/test-app.ts'
import { diceOf } from '../support/random/seeded-dice.ts'
import { requestOf } from '../support/rates/demo-rate-book.ts'

const DAY = '2026-10-20'
/** Products that only the cost card has, and one of the demo card that is sold to an account at a margin. */
const [ONLY_BOUGHT, SOLD_AT_MARGIN] = [1299, 1301]
const MARGIN = { percentBps: 2_347, amountCents: 13_791, minimumCents: 98_673 }
const dice = diceOf(47)

const log: string[] = []
let opened: TestApp
beforeAll(async () => {
  opened = await openTestApp({ WAYBILL_METRICS_PORT: '0' }, TEST_CLOCK, {
    log: { level: 'trace', stream: { write: (line) => void log.push(line) } },
    async prepare(db) {
      await publish(db, costCard())
      const row = { ...MARGIN, overGrams: 0, validFrom: '2026-01-01' }
      await replaceMargins(db, [
        { ...row, productId: ONLY_BOUGHT },
        { ...row, productId: SOLD_AT_MARGIN, accountId: 'demo-shop', endingCents: 95 },
      ])
    },
  })
})
afterAll(() => opened.close())

type Db = TestApp['clone']['db']

async function publish(db: Db, card: RateCardImport): Promise<void> {
  const head = { code: 'bought', name: 'Bought', audience: 'cost', validFrom: '2026-01-01' } as const
  await publishRateCard(db, await importRateCard(db, { ...head, card }))
}

/** The demo card with a copy of product 1201, and costs of thousands of euro. */
function costCard(): RateCardImport {
  const demo = readDemoRateBook()
  const copied = <Row extends { readonly productId: number }>(rows: readonly Row[]): Row[] =>
    rows.flatMap((row) => (row.productId === 1201 ? [row, { ...row, productId: ONLY_BOUGHT }] : [row]))
  const { content } = demo
  const prices = copied(content.prices).map(
    (row): PriceRow => ({ ...row, priceCents: dice.int(700_001, 899_999) }),
  )
  return {
    ...demo,
    content: {
      ...content,
      products: copied(content.products),
      transit: copied(content.transit),
      laneTransit: copied(content.laneTransit),
      prices,
    },
  }
}

const schema = buildSchema(readSchemaText())

/** All fields of a type without required arguments. Types are not selected within themselves. */
function everything(type: GraphQLOutputType, within: readonly string[] = []): string {
  const named = getNamedType(type)
  if (!isCompositeType(named)) return ''
  if (isUnionType(named))
    return `{ __typename ${named
      .getTypes()
      .map((member) => `... on ${member.name} ${everything(member, within)}`)
      .join(' ')} }`
  if (!isObjectType(named)) return '{ __typename }'
  const path = [...within, named.name]
  const fields = Object.values(named.getFields()).flatMap((field) => {
    const isRequired = field.args.some((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined)
    if (isRequired || field.deprecationReason != null) return []
    if (path.includes(getNamedType(field.type).name) || path.length > 5) return []
    return [`${field.name} ${everything(field.type, path)}`]
  })
  return `{ __typename ${fields.join(' ')} }`
}

const RESULT = everything(schema.getQueryType()!.getFields()['rates']!.type)

type Sent = {
  readonly to: string
  readonly kg: number
  readonly individual: boolean
  readonly insured: boolean
}

const randomRequest = (): Sent => ({
  to: dice.pick(['NL', 'BE', 'DE', 'ES', 'IT', 'PL', 'GR']),
  kg: dice.pick([0.5, 2, 4.9, 9.5, 14, 24.5, 30]),
  individual: dice.chance(0.5),
  insured: dice.chance(0.3),
})

function ratesInput({ to, kg, individual, insured }: Sent): RatesInput {
  return {
    from: { country: 'NL' },
    to: { country: to },
    parcels: [{ type: 'NONDOC', weight: kg, length: 40, width: 30, height: 20, count: 1 }],
    recipientType: individual ? 'individual' : 'business',
    ...(insured && { insured: true, totalValue: 700 }),
  }
}

function restBody(sent: Sent) {
  const { from: _, to: __, ...rest } = ratesInput(sent)
  return { fromCountry: 'NL', toCountry: sent.to, ...rest }
}

function graphqlInput({ to, kg, individual, insured }: Sent) {
  return {
    from: { country: 'NL' },
    to: { country: to },
    parcels: { boxes: [{ weightKg: String(kg), lengthCm: 40, widthCm: 30, heightCm: 20 }] },
    recipientType: individual ? 'INDIVIDUAL' : 'BUSINESS',
    ...(insured && { insured: true, totalValue: { amount: '700' } }),
  }
}

/** The figures of the cost and the margin of every option, as texts. */
async function secretsOf(sent: Sent): Promise<Set<string>> {
  const book = await loadRateBook(opened.clone.db)
  const secrets = new Set<string>()
  const add = (cents: number): void => {
    if (Math.abs(cents) < 10_000) return
    for (const text of [formatCents(cents), String(cents / 100), String(cents)]) secrets.add(text)
  }
  const { options } = quote(book, requestOf(ratesInput(sent)), DAY, 'demo-shop')
  for (const option of options) {
    const cost = costOptionOf(option)
    if (cost === undefined) continue
    add(cost.priceCents)
    add(option.priceCents - cost.priceCents)
    for (const { amountCents } of cost.lines) add(amountCents)
  }
  for (const cents of [MARGIN.amountCents, MARGIN.minimumCents]) add(cents)
  return secrets.add('23.47')
}

/**
 * The secrets that occur as whole numbers. What the parts of option tokens encode is searched too. A longer number,
 * such as a duration in a log line, can contain the digits of a secret by chance.
 */
function found(text: string, secrets: ReadonlySet<string>): string[] {
  const tokens = text.match(/"token":"[^"]+"/g) ?? []
  const decoded = tokens.flatMap((token) =>
    token
      .slice(9, -1)
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('latin1')),
  )
  const numbers = new Set([text, ...decoded].join('\n').match(/(?<![\w.])\d+(?:\.\d+)?(?!\w)/g) ?? [])
  return [...secrets].filter((secret) => numbers.has(secret))
}

test('the doors, the log and the metrics have neither cost nor margin', async () => {
  const all = new Set<string>()
  let sales = 0
  for (let number = 0; number < 25; number++) {
    const sent = randomRequest()
    const secrets = await secretsOf(sent)
    for (const secret of secrets) all.add(secret)
    const rest = await opened.rest('/rates', restBody(sent))
    const graphql = await opened.graphql(`query ($input: RatesInput!) { rates(input: $input) ${RESULT} }`, {
      input: graphqlInput(sent),
    })
    expect(graphql.errors).toBeUndefined()
    for (const text of [rest.text, JSON.stringify(graphql)])
      expect({ sent, secrets: found(text, secrets) }).toEqual({ sent, secrets: [] })
    const ids = (rest.json as { data: { productId: number }[] }).data.map(({ productId }) => productId)
    sales += ids.filter((id) => id === ONLY_BOUGHT || id === SOLD_AT_MARGIN).length
  }
  expect(sales).toBeGreaterThan(20)
  const carriers = await opened.graphql('{ carriers { id name products { id name } } }')
  const metrics = await fetch(`http://127.0.0.1:${opened.app.metricsPort}/metrics`)
  expect(metrics.status).toBe(200)
  // Those of the process have sizes in bytes.
  const ours = (await metrics.text()).split('\n').filter((line) => line.startsWith('waybill_'))
  for (const text of [JSON.stringify(carriers), ours.join('\n'), log.join('')])
    expect(found(text, all)).toEqual([])
})

test('the search finds a cost: in what an operator sees', async () => {
  const sent = { to: 'ES', kg: 4.9, individual: false, insured: false }
  const book = await loadRateBook(opened.clone.db)
  const options = quote(book, requestOf(ratesInput(sent)), DAY, 'demo-shop').options
  const shown = JSON.stringify(options.map((option) => costOptionOf(option)?.priceCents))
  expect(found(shown, await secretsOf(sent)).length).toBeGreaterThan(0)
})
