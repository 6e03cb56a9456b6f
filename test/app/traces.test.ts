/** Traces of the real app, as a collector receives them. docs/operations.md#traces */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { devNull } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type App, openApp } from '../../src/app/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { customsWorker } from '../support/app/compiled-programs.ts'
import { TEST_CLOCK } from '../support/app/test-app.ts'
import { makeThrowAwayFolder } from '../support/app/throw-away-folder.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'

const loaded = vi.hoisted(() => ({ traces: false }))
vi.mock(import('../../src/tracing/traces.ts'), (original) => {
  loaded.traces = true
  return original()
})

type Value = { readonly stringValue?: string; readonly intValue?: number }
type Span = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: readonly { readonly key: string; readonly value: Value }[]
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
}

/** Of OTLP/HTTP with JSON. `silent`: takes requests and never answers. */
async function startCollector({ silent = false } = {}) {
  const spans: Span[] = []
  let requests = 0
  const services = new Set<string | undefined>()
  const keys = new Set<string | undefined>()
  const server = createServer(async (request, response) => {
    requests += 1
    if (silent) return
    keys.add(request.headers.authorization)
    let text = ''
    for await (const chunk of request) text += chunk
    for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
      const name = resource.attributes.find(({ key }: { key: string }) => key === 'service.name')
      services.add(name?.value.stringValue)
      for (const scope of scopeSpans) spans.push(...scope.spans)
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    services,
    keys,
    requests: () => requests,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

let clone: ClonedDatabase
const open: (App | { close(): void })[] = []
const lines: string[] = []
beforeEach(async () => {
  clone = await cloneDatabase()
  lines.length = 0
})
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.close()
  await clone.drop()
  vi.unstubAllEnvs()
})
afterAll(() => vi.doUnmock('../../src/tracing/traces.ts'))

async function collector(options?: { silent: boolean }) {
  const started = await startCollector(options)
  open.push(started)
  return started
}

/** The SDK reads its variables from the process. */
async function start(variables: Readonly<Record<string, string>> = {}): Promise<App> {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  const config = readConfig({ WAYBILL_JOURNAL: devNull, WAYBILL_OVERLOAD_WAIT_MS: '60000', ...variables })
  const app = await openApp(config, {
    database: { source: clone.source, description: 'a test database', close: async () => {} },
    clock: TEST_CLOCK,
    customsWorker: customsWorker(),
    log: { level: 'info', stream: { write: (line) => void lines.push(line) } },
  })
  open.push(app)
  return app
}

const HEADERS = { 'x-pp-api': 'demo@demo-secret', 'content-type': 'application/json' }
const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const RATES = {
  parcels: [{ type: 'NONDOC', weight: '5.0', length: 40, width: 30, height: 20, count: 1 }],
  fromCountry: 'NL',
  toCountry: 'ES',
  recipientType: 'business',
}
const CANCEL = 'mutation { cancelShipment(input: { shipmentId: "demo-booked" }) { __typename } }'

function post(app: App, url: string, payload?: object, headers: Readonly<Record<string, string>> = {}) {
  return app.server.inject({
    ...{ method: 'POST', url, headers: { ...HEADERS, ...headers } },
    ...(payload !== undefined && { payload: JSON.stringify(payload) }),
  })
}

const attribute = (span: Span | undefined, name: string) => {
  const value = span?.attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? value?.intValue
}

test('traces are off by default, and nothing of OpenTelemetry is loaded', async () => {
  await start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' })
  await start({ OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_SDK_DISABLED: '' })
  expect(loaded.traces).toBe(false)
})

test('a request, its operation, statements and calls to carriers are one trace, without values', async () => {
  const { url, spans, services } = await collector()
  const app = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: url })
  const traceparent = `00-${CALLER.traceId}-${CALLER.spanId}-01`
  const rates = await post(app, '/partners-api/v1/rates', RATES, { traceparent })
  expect(rates.statusCode).toBe(200)
  expect((await post(app, '/graphql', { query: CANCEL })).json().data.cancelShipment.__typename).toBe(
    'ShipmentCancelled',
  )
  expect((await app.server.inject('/healthz')).statusCode).toBe(200)
  await app.close()
  expect(loaded.traces).toBe(true)
  expect([...services]).toEqual(['waybill'])

  const one = (name: string) => {
    const found = spans.filter((span) => span.name === name)
    expect(found, name).toHaveLength(1)
    return found[0] as Span
  }
  const asked = one('POST /partners-api/v1/rates')
  expect(asked).toMatchObject({ traceId: CALLER.traceId, parentSpanId: CALLER.spanId })
  expect(rates.headers['traceparent']).toBe(`00-${CALLER.traceId}-${asked.spanId}-01`)
  expect(attribute(asked, 'http.response.status_code')).toBe(200)
  expect(attribute(asked, 'waybill.account_id')).toBe('demo-shop')
  expect(attribute(asked, 'waybill.request_id')).toBe(rates.headers['x-request-id'])
  expect(one('rates')).toMatchObject({ traceId: CALLER.traceId, parentSpanId: asked.spanId })
  expect(attribute(one('rates'), 'waybill.outcome')).toBe('RateQuote')

  const mutation = one('POST /graphql')
  expect(mutation.parentSpanId ?? '').toBe('')
  expect(mutation.traceId).not.toBe(CALLER.traceId)
  const operation = one('cancelShipment')
  expect(operation).toMatchObject({ traceId: mutation.traceId, parentSpanId: mutation.spanId })
  const call = one('carrier cancel')
  expect(call).toMatchObject({ traceId: mutation.traceId, parentSpanId: operation.spanId })
  expect(attribute(call, 'waybill.outcome')).toBe('cancelled')
  const statements = spans.filter((span) => attribute(span, 'db.system.name') !== undefined)
  const begin = statements.find((span) =>
    String(attribute(span, 'db.query.text')).includes('INTO cancel_attempt'),
  )
  expect(begin).toMatchObject({ traceId: mutation.traceId, parentSpanId: operation.spanId })
  // Nothing begins a trace on its own: no health checks, no rounds of background work.
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([CALLER.traceId, mutation.traceId]))
  expect(JSON.stringify(spans)).not.toMatch(/demo-secret|demo-booked|SBX-|NONDOC|business/)
  const logged = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'request.completed')
  expect(logged.map(({ traceId, spanId }) => [traceId, spanId])).toEqual([
    [asked.traceId, asked.spanId],
    [mutation.traceId, mutation.spanId],
  ])
  // Background work may look other shipments up in the meantime.
  const cancelled = lines
    .map((line) => JSON.parse(line))
    .filter(({ carrierCall }) => carrierCall?.purpose === 'cancel')
  expect(cancelled).toMatchObject([
    { event: 'carriers.called', carrierCall: { purpose: 'cancel', traceId: mutation.traceId } },
  ])
})

test('after a restart, a later attempt is linked to the request that opened it', async () => {
  const { url, spans } = await collector()
  const folder = makeThrowAwayFolder()
  open.push({ close: () => rmSync(folder, { recursive: true }) })
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: url, WAYBILL_JOURNAL: path.join(folder, 'journal') }
  const first = await start(settings)
  const pending = await post(first, '/partners-api/v1/shipments/demo-slow/cancel')
  expect(pending.statusCode).toBe(504)
  await first.close()
  const opened = spans.find(({ name }) => name === 'cancelShipment')
  const before = spans.length
  await clone.db
    .updateTable('cancel_attempt')
    .set({ next_try_at: new Date(0) })
    .execute()
  const second = await start(settings)
  await vi.waitUntil(
    async () =>
      (await clone.db.selectFrom('cancel_attempt').select('fence').executeTakeFirstOrThrow()).fence > 1,
    { timeout: 20_000 },
  )
  await second.close()
  const later = spans.slice(before).find(({ name }) => name === 'attempt')
  expect(later?.links).toEqual([
    expect.objectContaining({ traceId: opened?.traceId, spanId: opened?.spanId }),
  ])
  expect(later?.traceId).not.toBe(opened?.traceId)
  const call = spans.slice(before).find(({ name }) => name === 'carrier cancel')
  expect(call).toMatchObject({ traceId: later?.traceId, parentSpanId: later?.spanId })
  const journal = readFileSync(settings.WAYBILL_JOURNAL, 'utf8').split('\n').filter(Boolean)
  const openings = journal.flatMap((line) => JSON.parse(line).openedCancellation ?? [])
  expect(openings.length).toBeGreaterThan(1)
  for (const { traceId } of openings) expect(traceId).toBe(opened?.traceId)
})

test('requests to the collector have the key from a file', async () => {
  const { url, spans, keys } = await collector()
  const folder = makeThrowAwayFolder()
  const file = path.join(folder, 'headers')
  writeFileSync(file, 'authorization=Bearer%20a%2Fb\n')
  const app = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS_FILE: file })
  await post(app, '/partners-api/v1/rates', RATES)
  await app.close()
  rmSync(folder, { recursive: true })
  expect(spans.length).toBeGreaterThan(0)
  expect([...keys]).toEqual(['Bearer a/b'])
})

test('a trace that the sampler leaves out is not exported', async () => {
  const { url, spans } = await collector()
  const app = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER: 'always_off' })
  await post(app, '/partners-api/v1/rates', RATES)
  await app.close()
  expect(spans).toEqual([])
})

test('a collector that never answers delays neither requests nor the end', async () => {
  const { url, requests } = await collector({ silent: true })
  const patient = { OTEL_EXPORTER_OTLP_TIMEOUT: '300000', OTEL_BSP_EXPORT_TIMEOUT: '300000' }
  const app = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '10', ...patient })
  expect((await post(app, '/partners-api/v1/rates', RATES)).statusCode).toBe(200)
  await vi.waitUntil(() => requests() > 0, { timeout: 20_000 })
  expect((await post(app, '/partners-api/v1/rates', RATES)).statusCode).toBe(200)
  // The collector still holds the first export, which may take five minutes.
  await app.close()
})

test('a collector that is away is reported in the log', async () => {
  const { url, close } = await collector()
  close()
  const app = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '10' })
  expect((await post(app, '/partners-api/v1/rates', RATES)).statusCode).toBe(200)
  await app.close()
  await vi.waitUntil(() => lines.some((line) => JSON.parse(line).event === 'traces.failed'), {
    timeout: 20_000,
  })
})
