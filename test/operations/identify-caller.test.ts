/** Identifying a caller by a header, with the same amount of work for every kind of wrong header. */
import { describe, expect, test, vi } from 'vitest'
import { identifyCaller, readCredentials } from '../../src/operations/identify-caller.ts'
import type { ApiKey, Caller } from '../../src/operations/ports/caller.ts'
import { digestOf, secretMatcher } from '../../src/store/accounts/credentials.ts'

const CALLER: Caller = {
  accountId: 'a-shop',
  accountName: 'A Shop',
  transitForm: 'range',
  priceBreakdown: false,
  countAverages: true,
}

const clock = () => new Date('2026-11-28T12:00:00Z')

function ports(...secrets: string[]) {
  const key: ApiKey = { keyId: 'a-key', caller: CALLER, secretDigests: secrets.map(digestOf) }
  return {
    credentials: { findKey: vi.fn(async (keyId: string) => (keyId === 'a-key' ? key : undefined)) },
    secrets: { matches: vi.fn(secretMatcher.matches) },
    clock,
  }
}

describe('reading a header', () => {
  test.each([
    ['key@secret', 'key', 'secret'],
    ['key@se@cr@et', 'key', 'se@cr@et'],
    ['k@@', 'k', '@'],
    ['a key@a secret', 'a key', 'a secret'],
    [`key@${'x'.repeat(508)}`, 'key', 'x'.repeat(508)],
  ])('parses %s', (header, keyId, secret) => {
    expect(readCredentials(header)).toEqual({ keyId, secret })
  })
  test.each([
    undefined,
    '',
    '@',
    'key',
    'key@',
    '@secret',
    'kéy@secret',
    'key@a\tb',
    'key@a\u007f',
    `key@${'x'.repeat(509)}`,
  ])('finds no credentials in %j', (header) => {
    expect(readCredentials(header)).toBeUndefined()
  })
})

test('accepts every live secret of a key', async () => {
  const outside = ports('old', 'new')
  for (const secret of ['old', 'new'])
    expect(await identifyCaller(outside, `a-key@${secret}`)).toMatchObject({ keyId: 'a-key', caller: CALLER })
})

test.each([
  ['missing', undefined],
  ['malformed', 'a-key'],
  ['unknown key', 'b-key@old'],
  ['wrong secret', 'a-key@wrong'],
  ['the secret and more', 'a-key@old '],
  ['an empty secret', 'a-key@'],
])('does one lookup and one comparison, and identifies no caller, for %s', async (_name, header) => {
  const outside = ports('old', 'new')
  expect(await identifyCaller(outside, header)).toBeUndefined()
  expect(outside.credentials.findKey).toHaveBeenCalledTimes(1)
  expect(outside.secrets.matches).toHaveBeenCalledTimes(1)
})

test('does not look up the start of a malformed header', async () => {
  const outside = ports('')
  expect(await identifyCaller(outside, 'a-key')).toBeUndefined()
  expect(outside.credentials.findKey).toHaveBeenCalledWith('')
})

test('identifies no caller from a malformed header, even if the store has a key without a name', async () => {
  const nameless: ApiKey = { keyId: '', caller: CALLER, secretDigests: [digestOf('')] }
  const outside = { credentials: { findKey: async () => nameless }, secrets: secretMatcher, clock }
  for (const header of [undefined, '', '@', 'a-key'])
    expect(await identifyCaller(outside, header)).toBeUndefined()
})

test('identifies no caller by a key whose secrets are all revoked', async () => {
  expect(await identifyCaller(ports(), 'a-key@old')).toBeUndefined()
})

test('rejects an unknown key even if the matcher accepts every secret', async () => {
  const outside = { ...ports('old'), secrets: { matches: () => true } }
  expect(await identifyCaller(outside, 'b-key@old')).toBeUndefined()
  expect(await identifyCaller(outside, undefined)).toBeUndefined()
})

test('throws if the store is out of reach', async () => {
  const outside = { ...ports('old'), credentials: { findKey: () => Promise.reject(new Error('down')) } }
  await expect(identifyCaller(outside, 'a-key@old')).rejects.toThrow('down')
})

describe('comparing secrets', () => {
  test('checks every digest, even after a match', () => {
    const digests = [digestOf('a'), digestOf('b'), digestOf('c')]
    for (const secret of ['a', 'b', 'c']) expect(secretMatcher.matches(secret, digests)).toBe(true)
    expect(secretMatcher.matches('d', digests)).toBe(false)
    expect(secretMatcher.matches('', [])).toBe(false)
  })
  test('uses SHA-256 over UTF-8', () => {
    expect(digestOf('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })
})
