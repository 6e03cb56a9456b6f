/** Which calls to carriers are logged, and which are kept. */
import { expect, test } from 'vitest'
import { recordCalls } from '../../src/carriers/call-log.ts'
import type { CarrierCall } from '../../src/operations/ports/carrier-calls.ts'

const CALL: CarrierCall = {
  purpose: 'cancel',
  carrierCode: 'ups',
  accountId: 'acme',
  subject: '1Z',
  begunAt: '2026-11-29T00:00:00Z',
  durationMs: 5,
  outcome: 'cancelled',
  exchanges: [
    {
      ...{ method: 'POST', url: 'https://canary.example', durationMs: 5, status: 200 },
      ...{ carrierIds: { transId: 'a' }, request: 'canary', reply: 'canary' },
    },
  ],
}

test('calls are logged without what was sent and received, and kept unless they are routine tracking', () => {
  const logged: object[] = []
  const kept: CarrierCall[] = []
  const write = (fields: object) => logged.push(fields)
  const record = recordCalls({ info: write, warn: write }, (call) => kept.push(call))
  const tracking: CarrierCall = { ...CALL, purpose: 'tracking' }
  record(CALL)
  record(tracking)
  const { exchanges: _, ...about } = CALL
  const requests = [{ method: 'POST', status: 200, durationMs: 5, carrierIds: { transId: 'a' } }]
  expect(logged).toEqual(
    [CALL, tracking].map(({ purpose }) => ({
      event: 'carriers.called',
      carrierCall: { ...about, purpose, requests },
    })),
  )
  expect(kept).toEqual([CALL])
})
