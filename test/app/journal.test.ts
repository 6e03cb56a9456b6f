/** The journal: log lines that `waybill audit --log` reads after a restore (docs/audit.md). */
import { expect, test } from 'vitest'
import { sandboxTrackingNumber } from '../../src/carriers/sandbox/carrier.ts'
import { openTestApp } from '../support/app/test-app.ts'

test('a cancelled draft is logged with account and id, also when the cancellation is repeated', async () => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const app = await openTestApp({}, undefined, { log: { level: 'info', stream } })
  try {
    for (const shipmentId of ['demo-booked', 'demo-draft', 'demo-draft'])
      expect((await app.rest(`/shipments/${shipmentId}/cancel`)).status).toBe(200)
    const drafts = lines.map((line) => JSON.parse(line).cancelledDraft).filter((draft) => draft !== undefined)
    const draft = { accountId: 'demo-shop', shipmentId: 'demo-draft' }
    expect(drafts).toEqual([draft, draft])
  } finally {
    await app.close()
  }
})

test('bookings and attempts are logged in the order in which they happen, before they are answered', async () => {
  const lines: Record<string, unknown>[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const app = await openTestApp({}, undefined, { log: { level: 'info', stream } })
  const journal = () =>
    lines.flatMap(({ bookedShipment, openedCancellation, settledCancellation }) =>
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
    const refused = { accountId: 'demo-shop', shipmentId: 'demo-refused', attemptId }
    expect(journal().slice(1)).toEqual([
      { ...shipment, attemptId, carrierCode, carrierRef },
      { ...shipment, attemptId, outcome: 'accepted' },
      { ...refused, carrierCode, carrierRef: 'SBX-WINDOW-CLOSED-DEMO' },
      { ...refused, outcome: 'refused' },
    ])
  } finally {
    await app.close()
  }
})
