/** The journal that `waybill audit --log` reads after a restore (docs/audit.md), as the service writes it. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sandboxTrackingNumber } from '../../src/carriers/sandbox/carrier.ts'
import { readLogs } from '../../src/cli/shipment/audit-log.ts'
import { DEMO, openTestApp, TEST_CLOCK } from '../support/app/test-app.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waybill-journal-'))
  file = path.join(folder, 'journal.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** The entries of the file, with the time of each line removed. */
const entries = (): Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { time, ...entry } = JSON.parse(line)
      expect(new Date(time).toISOString()).toBe(time)
      return entry
    })

test('a cancelled draft is written with account and id, also when the cancellation is repeated', async () => {
  const app = await openTestApp({ WAYBILL_JOURNAL: file })
  try {
    for (const shipmentId of ['demo-booked', 'demo-draft', 'demo-draft'])
      expect((await app.rest(`/shipments/${shipmentId}/cancel`)).status).toBe(200)
    const drafts = entries().flatMap(({ cancelledDraft }) => cancelledDraft ?? [])
    const draft = { accountId: 'demo-shop', shipmentId: 'demo-draft', requestId: expect.any(String) }
    expect(drafts).toEqual([draft, draft])
  } finally {
    await app.close()
  }
})

test('bookings and attempts are written in the order in which they happen, before they are answered', async () => {
  const app = await openTestApp({ WAYBILL_JOURNAL: file })
  const journal = () =>
    entries().flatMap(({ bookedShipment, openedCancellation, settledCancellation }) =>
      [bookedShipment, openedCancellation, settledCancellation].filter((entry) => entry !== undefined),
    )
  try {
    await app.graphql('mutation { bookShipment(input: { shipmentId: "demo-draft" }) { __typename } }')
    const carrierRef = sandboxTrackingNumber('demo-draft')
    const shipment = { accountId: 'demo-shop', shipmentId: 'demo-draft' }
    expect(journal()).toEqual([{ ...shipment, carrierCode: expect.any(String), carrierRef }])
    for (const id of ['demo-draft', 'demo-draft', 'demo-refused']) await app.rest(`/shipments/${id}/cancel`)
    const attemptId = expect.stringMatching(/^[0-9a-f-]{36}$/)
    const carrierCode = expect.any(String)
    const requestId = expect.any(String)
    const refused = { accountId: 'demo-shop', shipmentId: 'demo-refused', attemptId }
    expect(journal().slice(1)).toEqual([
      { ...shipment, attemptId, carrierCode, carrierRef, requestId },
      { ...shipment, attemptId, outcome: 'accepted' },
      { ...refused, carrierCode, carrierRef: 'SBX-WINDOW-CLOSED-DEMO', requestId },
      { ...refused, outcome: 'refused' },
    ])
  } finally {
    await app.close()
  }
})

test('the id of a request leads to the call of the carrier, through both doors', async () => {
  const lines: string[] = []
  const log = { level: 'info', stream: { write: (line: string) => void lines.push(line) } } as const
  const app = await openTestApp({ WAYBILL_JOURNAL: file }, TEST_CLOCK, { log })
  const calls = () => lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'carriers.called')
  try {
    await app.rest('/shipments/demo-booked/cancel', undefined, { 'x-request-id': 'partner-rest' })
    const query = 'mutation { cancelShipment(input: { shipmentId: "demo-refused" }) { __typename } }'
    await app.app.server.inject({
      ...{ method: 'POST', url: '/graphql', payload: { query } },
      headers: { 'x-pp-api': DEMO, 'x-request-id': 'partner-graphql' },
    })
    for (const [requestId, carrierRef] of [
      ['partner-rest', 'SBX-OK-DEMO'],
      ['partner-graphql', 'SBX-WINDOW-CLOSED-DEMO'],
    ]) {
      const opened = entries().flatMap(({ openedCancellation }) => openedCancellation ?? []) as {
        readonly requestId: string
        readonly attemptId: string
      }[]
      const attemptId = opened.find((entry) => entry.requestId === requestId)?.attemptId
      const call = calls().find(({ carrierCall }) => carrierCall.attemptId === attemptId)
      expect(call).toMatchObject({ carrierCall: { purpose: 'cancel', subject: carrierRef } })
      const done = lines.map((line) => JSON.parse(line)).filter((line) => line.requestId === requestId)
      expect(done).toMatchObject([{ event: 'request.completed', operation: 'cancelShipment' }])
    }
  } finally {
    await app.close()
  }
})

test('the audit reads what the service has written', async () => {
  const app = await openTestApp({ WAYBILL_JOURNAL: file })
  await app.graphql('mutation { bookShipment(input: { shipmentId: "demo-draft" }) { __typename } }')
  await app.rest('/shipments/demo-draft/cancel')
  await app.close()
  const kinds: string[] = []
  for await (const { kind } of readLogs([file])) kinds.push(kind)
  expect(kinds).toEqual(['booked', 'opened', 'settled'])
})

test('nothing is confirmed while the file cannot be written, and a repeated request is', async () => {
  const app = await openTestApp({ WAYBILL_JOURNAL: file })
  try {
    rmSync(file)
    mkdirSync(file)
    // Both at once, because each answer takes as long as a cancellation may take.
    const answers = ['demo-draft', 'demo-booked'].map((id) => app.rest(`/shipments/${id}/cancel`))
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([504, 504])
    rmSync(file, { recursive: true })
    expect((await app.rest('/shipments/demo-draft/cancel')).status).toBe(200)
    // The sweeper may have repeated the other cancellation.
    const drafts = entries().flatMap(({ cancelledDraft }) => cancelledDraft ?? [])
    const requestId = expect.any(String)
    expect(drafts).toEqual([{ accountId: 'demo-shop', shipmentId: 'demo-draft', requestId }])
  } finally {
    await app.close()
  }
})

test('the service does not start if the file cannot be opened', async () => {
  await expect(openTestApp({ WAYBILL_JOURNAL: path.join(folder, 'none', 'file') })).rejects.toThrow('ENOENT')
})

test('without a file, the entries are on standard output, whatever the level of the log', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const app = await openTestApp({ WAYBILL_JOURNAL: '', LOG_LEVEL: 'silent' })
  try {
    await app.rest('/shipments/demo-draft/cancel')
    const lines = write.mock.calls.map(([line]) => String(line)).filter((line) => line.startsWith('{"time"'))
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        time: expect.any(String),
        cancelledDraft: { accountId: 'demo-shop', shipmentId: 'demo-draft', requestId: expect.any(String) },
      },
    ])
    expect(lines[0]?.endsWith('}\n')).toBe(true)
  } finally {
    write.mockRestore()
    await app.close()
  }
})
