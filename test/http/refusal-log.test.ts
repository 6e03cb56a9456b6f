/** The log of refused requests, and the warning about untrusted proxies. docs/operations.md#logs */
import { expect, test } from 'vitest'
import { GOOD_HEADER, probeDoor, testServer } from './test-socket.ts'

test('logs refused requests up to a limit and counts the others; accepted requests are always logged', async () => {
  const { app, lines } = testServer([probeDoor()])
  for (let request = 0; request < 500; request++)
    await app.inject({ method: 'POST', url: '/probe', headers: { 'x-pp-api': `key-${request}@guess` } })
  expect(lines.filter((line) => line.includes('"request completed"'))).toHaveLength(120)
  for (let request = 0; request < 5; request++)
    await app.inject({ method: 'POST', url: '/probe', headers: { 'x-pp-api': GOOD_HEADER } })
  expect(lines.filter((line) => line.includes('"status":200'))).toHaveLength(5)
  await app.close()
})

test('warns once of X-Forwarded-For without a trusted proxy', async () => {
  for (const [trustProxy, warnings] of [
    [undefined, 1],
    [[], 1],
    [['127.0.0.1'], 0],
  ] as const) {
    const { app, lines } = testServer([probeDoor()], {
      ...(trustProxy !== undefined && { trustProxy: [...trustProxy] }),
    })
    for (let request = 0; request < 3; request++)
      await app.inject({ url: '/healthz', headers: { 'x-forwarded-for': '192.0.2.1' } })
    expect(lines.filter((line) => line.includes('WAYBILL_TRUSTED_PROXIES'))).toHaveLength(warnings)
    await app.close()
  }
})
