/** Metrics of the real app, compared with the requests that the test sends. */
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ports } from '../../src/operations/ports/ports.ts'
import { agreeCodes } from '../../src/store/accounts/agreed-codes.ts'
import type { Database } from '../../src/store/database/database.ts'
import { readPage } from '../docs/pages.ts'
import { openTestApp, type TestApp } from '../support/app/test-app.ts'
import { type Samples, samplesIn } from '../support/prometheus.ts'

const AGREED = { sku: 'TS-1', code: '6109100010', description: 't-shirt' }

let app: TestApp
let ports: Ports | undefined
beforeAll(async () => {
  const wrapPorts = (given: Ports): Ports => {
    ports = given
    return given
  }
  const prepare = (db: Kysely<Database>) => agreeCodes(db, 'demo-shop', [AGREED])
  app = await openTestApp({ WAYBILL_METRICS_PORT: '0' }, undefined, { wrapPorts, prepare })
})
afterAll(() => app.close())

const scrape = async (): Promise<Samples> => {
  const answer = await fetch(`http://127.0.0.1:${app.app.metricsPort}/metrics`)
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  return samplesIn(await answer.text())
}

const PARCEL = { type: 'NONDOC', weight: '5.0', length: 40, width: 30, height: 20, count: 1 }
const RATES = { parcels: [PARCEL], fromCountry: 'NL', toCountry: 'ES', recipientType: 'business' }
const GOODS = [{ description: "men's cotton t-shirt", numberOfItems: 5, cost: 40 }]

test('counts requests, operations, options, classified descriptions and calls to carriers', async () => {
  const before = await scrape()
  const options = (await app.rest('/rates', RATES)).json as { data: unknown[] }
  await app.rest('/rates', { ...RATES, toCountry: 'XX' })
  await app.rest('/duties-taxes-estimate', { contentItems: GOODS, fromCountry: 'US', toCountry: 'NL' })
  await app.rest('/shipments/demo-booked/cancel')
  await app.rest('/shipments/unknown/cancel')
  await app.graphql('{ carriers { id } }')
  await app.graphql('mutation { cancelShipment(input: { shipmentId: "unknown" }) { __typename } }')
  await app.app.server.inject({ method: 'GET', url: '/healthz' })
  await app.app.server.inject({ method: 'GET', url: '/nowhere' })
  const after = await scrape()
  const grown = (name: string, labels: Record<string, string> = {}) =>
    after.value(name, labels) - before.value(name, labels)
  const requests = (door: string, operation: string, status: string) =>
    grown('waybill_http_requests_total', { door, operation, status })
  expect(requests('rest', 'rates', '200')).toBe(1)
  expect(requests('rest', 'rates', '400')).toBe(1)
  expect(requests('rest', 'dutiesEstimate', '200')).toBe(1)
  expect(requests('rest', 'cancelShipment', '200')).toBe(1)
  expect(requests('rest', 'cancelShipment', '404')).toBe(1)
  expect(requests('graphql', 'graphql', '200')).toBe(2)
  expect(requests('health', 'healthz', '200')).toBe(1)
  expect(requests('none', 'unknown', '404')).toBe(1)
  expect(grown('waybill_http_request_duration_seconds_count', { door: 'rest', operation: 'rates' })).toBe(2)
  const ended = (operation: string, outcome: string) =>
    grown('waybill_operation_duration_seconds_count', { operation, outcome })
  expect(ended('rates', 'RateQuote')).toBe(1)
  expect(ended('rates', 'InputProblem')).toBe(1)
  expect(ended('dutiesEstimate', 'DutiesEstimate')).toBe(1)
  expect(ended('cancelShipment', 'ShipmentCancelled')).toBe(1)
  expect(ended('cancelShipment', 'ShipmentNotFound')).toBe(2)
  expect(grown('waybill_rate_options_total')).toBe(options.data.length)
  expect(after.sum('waybill_rate_declines_total')).toBeGreaterThan(before.sum('waybill_rate_declines_total'))
  expect(grown('waybill_classification_confidence_count')).toBe(1)
  expect(after.sum('waybill_carrier_call_duration_seconds_count', { call: 'cancel' })).toBe(
    before.sum('waybill_carrier_call_duration_seconds_count', { call: 'cancel' }) + 1,
  )
  expect(
    after.sum('waybill_database_statement_duration_seconds_count', { pool: 'commands' }),
  ).toBeGreaterThan(before.sum('waybill_database_statement_duration_seconds_count', { pool: 'commands' }))
})

test('shows what is open now, the age of each data set, and the version', async () => {
  const now = await scrape()
  expect(now.value('waybill_open_attempts', { age: 'over_1d' })).toBe(0)
  expect(now.value('waybill_database_up')).toBe(1)
  expect(now.value('waybill_open_attempt_oldest_seconds')).toBeGreaterThanOrEqual(0)
  expect(now.value('waybill_database_connections', { pool: 'own', state: 'waiting' })).toBe(0)
  expect(now.value('waybill_rate_cards_in_force')).toBeGreaterThanOrEqual(1)
  // The EU tariff of 2021-01-01, on the day of the test's clock.
  expect(now.largest('waybill_data_set_age_days')).toBeGreaterThanOrEqual(2_118)
  // Due a month later.
  expect(now.largest('waybill_data_set_overdue_days')).toBeGreaterThanOrEqual(2_087)
  expect(now.value('waybill_data_set_overdue_days', { data_set: 'fees' })).toBe(0)
  expect(now.sum('waybill_carrier_background_slots', { kind: 'command' })).toBeGreaterThan(0)
  expect(now.sum('waybill_build_info', { node: process.version })).toBe(1)
  expect(now.value('waybill_nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0)
  expect(now.value('waybill_process_resident_memory_bytes')).toBeGreaterThan(1e6)
  expect(now.names.filter((name) => !name.startsWith('waybill_'))).toEqual([])
})

test('counts alerts by kind, from zero', async () => {
  const alerts = async () => (await scrape()).value('waybill_alerts_total', { kind: 'WITHDRAWAL_REFUSED' })
  expect((await scrape()).names).toContain('waybill_alerts_total')
  const before = await alerts()
  ports?.alert({ kind: 'WITHDRAWAL_REFUSED', carrierCode: 'rondeel', shipmentId: 's-17' })
  expect(await alerts()).toBe(before + 1)
})

test('has no labels with ids of accounts, shipments or requests', async () => {
  const { labels } = await scrape()
  const values = [...labels.values()].flatMap((set) => [...set])
  expect(
    values.filter((value) => /demo-shop|demo-booked|unknown-|[0-9a-f]{8}-[0-9a-f]{4}/.test(value)),
  ).toEqual([])
  // `major`, `minor` and `patch` are those of Node.
  expect([...labels.keys()].sort()).toEqual(
    (
      'age call carrier code data_set door kind le major minor node operation outcome patch pool space state status ' +
      'type version'
    ).split(' '),
  )
})

test('has the metrics of docs/metrics.md, and only these besides those of the process', async () => {
  const documented = [...readPage('docs/metrics.md').text.matchAll(/^\| `(waybill_\w+)` \| (\w+) \|/gm)]
  const { types } = await scrape()
  const own = [...types].filter(([name]) => !/^waybill_(process|nodejs)_/.test(name))
  expect(Object.fromEntries(own)).toEqual(
    Object.fromEntries(documented.map(([, name = '', type = '']) => [name, type])),
  )
})

test('serves nothing else', async () => {
  const origin = `http://127.0.0.1:${app.app.metricsPort}`
  for (const path of ['/', '/metrics/', '/healthz'])
    expect((await fetch(`${origin}${path}`)).status).toBe(404)
  expect((await fetch(`${origin}/metrics`, { method: 'POST' })).status).toBe(404)
})

test('is served while the database is away, without the open attempts', async () => {
  const other = await openTestApp({ WAYBILL_METRICS_PORT: '0' })
  await other.clone.drop()
  const answer = await fetch(`http://127.0.0.1:${other.app.metricsPort}/metrics`)
  const samples = samplesIn(await answer.text())
  expect(answer.status).toBe(200)
  expect(samples.names).toContain('waybill_database_up')
  expect(samples.value('waybill_database_up')).toBe(0)
  expect(samples.names).not.toContain('waybill_open_attempt_oldest_seconds')
  // It closes everything, and then reports that the database is gone.
  await other.app.close().catch(() => {})
})

test('reads facts, asks questions and uses agreed codes, with metrics as without', async () => {
  const before = await scrape()
  const item = { description: 't-shirt', count: 1, value: { amount: '10' } }
  const { data, errors } = await app.graphql(
    `query ($input: DutiesEstimateInput!) { dutiesEstimate(input: $input) { ... on DutiesEstimate {
      items { classification { hsCode source openQuestions { name options { difference { amount } } } } } } } }`,
    {
      input: {
        ...{ from: { country: 'US' }, to: { country: 'NL' } },
        contentItems: [
          { ...item, sku: AGREED.sku },
          { ...item, sku: 'TS-2', facts: { composition: '60% polyester 40% cotton' } },
          { ...item, description: 'women’s boots' },
        ],
      },
    },
  )
  expect(errors).toBeUndefined()
  const estimate = data?.['dutiesEstimate'] as {
    readonly items: readonly { readonly classification: object }[]
  }
  const found = estimate.items.map(({ classification }) => classification)
  expect(found).toMatchObject([
    { hsCode: '6109100010', source: 'AGREED', openQuestions: [] },
    { hsCode: '610990', source: 'FROM_DESCRIPTION' },
    // They may also be boots of rubber, which are other goods.
    { source: 'FROM_DESCRIPTION', openQuestions: [{ name: 'upper' }, { name: 'sole' }, { name: 'goods' }] },
  ])
  const counted = 'waybill_classification_confidence_count'
  expect((await scrape()).value(counted, {}) - before.value(counted, {})).toBeGreaterThanOrEqual(2)
})
