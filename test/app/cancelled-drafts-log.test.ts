/** The log line of each cancelled draft, which `waybill audit --log` reads after a restore (docs/audit.md). */
import { expect, test } from 'vitest'
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
