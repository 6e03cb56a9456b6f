/** When the credentials of the carriers are tested, and what is logged and alerted. */
import { expect, test } from 'vitest'
import type { AccessReport } from '../../src/carriers/access-test.ts'
import { startCarrierTests } from '../../src/carriers/carrier-tests.ts'
import type { Alert } from '../../src/operations/ports/ports.ts'

const REPORT: AccessReport = {
  ...{ carrierCode: 'ups', connector: 'ups', baseUrl: 'http://x', isTestUrl: false },
  ...{ hasToken: true, verdict: 'accepted' },
}

/** Carriers whose tests end with `reports`. A faulty file has the message `fault`. */
function openTests(
  { isEnabled = true, atStart = true, fault }: { isEnabled?: boolean; atStart?: boolean; fault?: string },
  ...reports: readonly AccessReport[]
) {
  const events: unknown[] = []
  const alerts: Alert[] = []
  const signals: AbortSignal[] = []
  const write = (fields: object) => events.push((fields as { event: string }).event)
  const tests = startCarrierTests(
    {
      reload() {
        if (fault !== undefined) throw new Error(fault)
      },
      async test(signal, onReport) {
        signals.push(signal)
        reports.forEach(onReport)
      },
    },
    {
      ...{ log: { info: write, warn: write }, alert: (alert) => alerts.push(alert) },
      ...{ carriersFile: 'carriers.json', isEnabled, atStart },
    },
  )
  return { tests, events, alerts, signals }
}

test('credentials are tested at start and after a reload, which ends the test before it', async () => {
  const { tests, signals, events } = openTests({})
  tests.reload()
  expect(events).toEqual(['carriers.reloaded'])
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  await tests.close()
  expect(signals[1]?.aborted).toBe(true)
})

test('a reload without tests ends a test of the previous credentials', () => {
  const { tests, signals } = openTests({})
  tests.reload(false)
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})

test.each([
  ['another worker tests at start', { atStart: false }, 1],
  ['tests are off', { isEnabled: false }, 0],
])('credentials are tested after a reload unless tests are off: %s', (_name, options, count) => {
  const { tests, signals } = openTests(options)
  expect(signals).toHaveLength(0)
  tests.reload()
  expect(signals).toHaveLength(count)
})

test('a faulty file raises an alert, and the running test continues', () => {
  const { tests, signals, alerts, events } = openTests({ fault: 'ups.baseUrl: expected' })
  tests.reload()
  expect(alerts).toEqual([{ kind: 'CARRIERS_FILE_REFUSED', detail: 'ups.baseUrl: expected' }])
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  expect(events).toEqual([])
})

test('rejected credentials raise an alert, and others are logged', () => {
  const { alerts, events } = openTests(
    {},
    { ...REPORT, verdict: 'rejected', failedAt: 'token', detail: 'HTTP 401' },
    { ...REPORT, carrierCode: 'dpd', isTestUrl: true },
  )
  expect(alerts).toMatchObject([
    { kind: 'CARRIER_CONFIGURATION', carrierCode: 'ups', detail: expect.stringContaining('HTTP 401') },
  ])
  expect(events).toEqual(['carriers.test_interface', 'carriers.tested'])
})
