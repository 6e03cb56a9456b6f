/** Access tokens where Node cannot derive keys, as with an OpenSSL that allows only FIPS algorithms. */
import type { scrypt } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { sharedTokens } from '../../src/carriers/shared-tokens.ts'
import { readOAuthToken, tokenSource } from '../../src/carriers/token-source.ts'
import { memoryCarrierTokens } from '../support/memory-carrier-tokens.ts'
import { startFake } from './fakes/fake-carrier.ts'

vi.mock('node:crypto', async (original) => {
  const unsupported = (...[, , , , done]: Parameters<typeof scrypt>): void =>
    done(new Error('digital envelope routines::unsupported'), Buffer.alloc(0))
  return { ...(await original<object>()), scrypt: unsupported }
})

test('a process fetches tokens of its own', async () => {
  const fake = await startFake(() => ({ status: 200, body: { access_token: 'canary', expires_in: 3_600 } }))
  const faults: unknown[] = []
  const store = memoryCarrierTokens(() => performance.now())
  const tokens = tokenSource({ method: 'POST', url: `${fake.baseUrl}/token` }, readOAuthToken, {
    shared: sharedTokens(store, (error) => faults.push(error)),
  })
  await tokens.ready(AbortSignal.timeout(5_000))
  expect(fake.requests).toHaveLength(1)
  expect(faults).toHaveLength(1)
  expect(store.rows.size).toBe(0)
  await fake.close()
})
