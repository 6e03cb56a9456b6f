/** A carrier from the settings file in the running service: cancellation over HTTP, and scan events. */
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { configuredCarriers } from '../../src/carriers/configured-carriers.ts'
import { readConfig } from '../../src/config/config.ts'
import { startFake } from '../carriers/fakes/fake-carrier.ts'
import { startUpsFake, UPS_CREDENTIALS, type UpsFake, upsError } from '../carriers/fakes/ups.ts'
import { openTestApp, TEST_CLOCK, type TestApp } from '../support/app/test-app.ts'

const EVENT_SECRET = 'canary-event-secret-of-32-characters'
const folder = mkdtempSync(path.join(tmpdir(), 'waybill-carriers-'))
const log: string[] = []
let ups: UpsFake
let app: TestApp

function settingsFile(name: string, settings: unknown): string {
  const file = path.join(folder, name)
  writeFileSync(file, JSON.stringify(settings), { mode: 0o600 })
  return file
}

/** Makes UPS the carrier of the demo, and gives its two booked shipments tracking numbers of UPS. */
async function withUps(db: TestApp['clone']['db']): Promise<void> {
  await db.updateTable('carrier').set({ connector: 'ups' }).where('carrier_code', '=', 'rondeel').execute()
  for (const [id, number] of [
    ['demo-booked', '1Z0000000000000001'],
    ['demo-refused', '1Z0000000000000002'],
  ] as const)
    await db.updateTable('shipment').set({ carrier_ref: number }).where('shipment_id', '=', id).execute()
}

const open = (settings: unknown) =>
  openTestApp({ WAYBILL_CARRIERS: settingsFile('carriers.json', settings), LOG_LEVEL: 'debug' }, TEST_CLOCK, {
    log: { level: 'debug', stream: { write: (line) => log.push(line) } },
    prepare: withUps,
  })

beforeAll(async () => {
  ups = await startUpsFake()
  ups.parcels.add('1Z0000000000000001', '401-once')
  ups.parcels.add('1Z0000000000000002', 'ok')
  app = await open({
    rondeel: { baseUrl: ups.baseUrl, credentials: UPS_CREDENTIALS, eventSecret: EVENT_SECRET },
  })
})
afterAll(async () => {
  await app?.close()
  await ups?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a carrier of the settings file', () => {
  test('is called with its credentials, and the shipment is cancelled on both sides', async () => {
    const { status } = await app.rest('/shipments/demo-booked/cancel')
    expect([status, ups.parcels.find('1Z0000000000000001')?.state]).toEqual([200, 'cancelled'])
  })

  test('reports a scan, after which a cancellation is refused without a call', async () => {
    const body = JSON.stringify({
      events: [
        { eventId: 'e1', trackingNumber: '1Z0000000000000002', at: '2026-10-20T11:00:00Z', type: 'scan' },
      ],
    })
    const seconds = Math.floor(TEST_CLOCK().getTime() / 1000)
    const signature = createHmac('sha256', EVENT_SECRET).update(`${seconds}.${body}`).digest('hex')
    const response = await app.app.server.inject({
      method: 'POST',
      url: '/carrier-events/rondeel',
      headers: {
        'content-type': 'application/json',
        'x-waybill-signature': `t=${seconds},v1=${signature}`,
      },
      payload: body,
    })
    expect(response.json()).toMatchObject({ received: 1, moved: 1 })
    const refused = await app.rest('/shipments/demo-refused/cancel')
    expect([refused.status, ups.parcels.find('1Z0000000000000002')?.cancelCalls]).toEqual([409, 0])
  })

  test('has no secret in the log or the database', async () => {
    const rows = await app.clone.db.selectFrom('cancel_attempt').selectAll().execute()
    const stored = `${log.join('')}${JSON.stringify(rows)}`
    expect(rows).not.toEqual([])
    expect(log.length).toBeGreaterThan(0)
    for (const secret of [UPS_CREDENTIALS.clientSecret, EVENT_SECRET, 'canary-ups-token'])
      expect(stored).not.toContain(secret)
  })
})

/** The lines of a log so far. */
const linesOf = (lines: readonly string[]) =>
  lines.map(
    (line) =>
      JSON.parse(line) as { msg?: string; verdict?: string; alert?: { kind: string; detail: string } },
  )

describe('a service that starts', () => {
  const alertsOf = (lines: readonly string[]) => linesOf(lines).flatMap(({ alert }) => alert ?? [])

  test('tests the credentials, and logs that the carrier accepts them', async () => {
    await expect
      .poll(() => linesOf(log).filter(({ verdict }) => verdict !== undefined), { timeout: 60_000 })
      .toEqual([
        expect.objectContaining({ level: 'info', carrierCode: 'rondeel', verdict: 'credentials accepted' }),
      ])
  })

  test('raises an alert if they are rejected, and takes a corrected file without a restart, but not a faulty one', async () => {
    const lines: string[] = []
    const entry = (clientSecret: string) => ({
      rondeel: { baseUrl: ups.baseUrl, credentials: { ...UPS_CREDENTIALS, clientSecret } },
    })
    const service = await openTestApp(
      { WAYBILL_CARRIERS: settingsFile('reloaded.json', entry('canary-wrong')), LOG_LEVEL: 'info' },
      TEST_CLOCK,
      { log: { level: 'info', stream: { write: (line) => lines.push(line) } }, prepare: withUps },
    )
    try {
      await expect
        .poll(() => alertsOf(lines), { timeout: 60_000 })
        // Background work may be refused a token too, with an alert of its own.
        .toContainEqual({
          kind: 'CARRIER_CONFIGURATION',
          carrierCode: 'rondeel',
          detail: 'credentials rejected: no access token: HTTP 401',
        })
      ups.parcels.add('1Z0000000000000001', 'ok')
      const cancel = () => service.rest('/shipments/demo-booked/cancel')
      expect((await cancel()).status).toBe(503)
      settingsFile('reloaded.json', { rondeel: { baseUrl: 'canary-url' } })
      service.app.reloadCarriers()
      expect(alertsOf(lines)).toContainEqual(
        expect.objectContaining({
          kind: 'CARRIERS_FILE_REFUSED',
          detail: expect.stringContaining('rondeel.baseUrl: expected'),
        }),
      )
      expect((await cancel()).status).toBe(503)
      settingsFile('reloaded.json', entry(UPS_CREDENTIALS.clientSecret))
      service.app.reloadCarriers()
      expect((await cancel()).status).toBe(200)
      await expect
        .poll(() => linesOf(lines).map(({ verdict }) => verdict), { timeout: 60_000 })
        .toContain('credentials accepted')
      expect(lines.join('')).not.toContain('canary')
    } finally {
      await service.close()
    }
  })

  test.each([
    ['http', 'http://carrier.example', {}, true],
    ['a test interface', 'https://wwwcie.ups.com', {}, true],
    [
      'a test interface that is allowed',
      'https://wwwcie.ups.com',
      { WAYBILL_ALLOW_TEST_CARRIERS: 'true' },
      false,
    ],
  ])('in production with %s', async (_what, baseUrl, extra, isRefused) => {
    const file = settingsFile('production.json', { rondeel: { baseUrl, credentials: UPS_CREDENTIALS } })
    const connectors = new Map([['rondeel', 'ups']])
    const config = readConfig({ NODE_ENV: 'production', WAYBILL_CARRIERS: file, ...extra })
    const open = () => configuredCarriers((code) => connectors.get(code), config)
    if (isRefused) expect(open).toThrow(/rondeel\.baseUrl: .* unless WAYBILL_ALLOW_TEST_CARRIERS=true/)
    else expect(open).not.toThrow()
    const elsewhere = readConfig({ WAYBILL_CARRIERS: file })
    expect(() => configuredCarriers((code) => connectors.get(code), elsewhere)).not.toThrow()
  })
})

test('an outage of the token endpoint is answered with 503, and then an unknown parcel with 409, never with 200', async () => {
  let isDown = true
  const fake = await startFake(({ path: requested }) => {
    if (!requested.endsWith('/token'))
      return upsError(400, '190102', 'No shipment found within the allowed void period')
    return isDown
      ? { status: 503 }
      : { status: 200, body: { access_token: 'canary-token', expires_in: 3_600 } }
  })
  const service = await open({ rondeel: { baseUrl: fake.baseUrl, credentials: UPS_CREDENTIALS } })
  try {
    const cancel = () => service.rest('/shipments/demo-booked/cancel')
    const attempts = () => service.clone.db.selectFrom('cancel_attempt').select(['phase', 'sends']).execute()
    const unavailable = await cancel()
    expect([unavailable.status, unavailable.headers['retry-after']]).toEqual([503, expect.anything()])
    expect(await attempts()).toEqual([])
    isDown = false
    // After a failure, the token source pauses for two seconds.
    const seen = new Set<number>()
    await expect
      .poll(
        async () => {
          const { status } = await cancel()
          seen.add(status)
          return status
        },
        { interval: 200, timeout: 60_000 },
      )
      .toBe(409)
    expect(seen).not.toContain(200)
    expect(await attempts()).toEqual([{ phase: 'refused', sends: 1 }])
    expect(fake.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
  } finally {
    await service.close()
    await fake.close()
  }
})

test('refuses to start with a faulty settings file, and names the faults without values', async () => {
  const start = open({
    rondeel: { baseUrl: ups.baseUrl, credentials: { clientId: 'canary-id' } },
    nobody: {},
  })
  await expect(start).rejects.toThrow('nobody.baseUrl: expected')
  const missing = open({ rondeel: { baseUrl: ups.baseUrl, credentials: { clientId: 'canary-id' } } })
  await expect(missing).rejects.toThrow('rondeel.credentials.clientSecret: required')
  await expect(missing).rejects.not.toThrow('canary-id')
})
