/** Signing and reading tokens of rate options. */
import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  type OptionPromise,
  REQUEST_PARTS,
  type RequestTexts,
} from '../../../src/core/shipments/option-token.ts'
import { checkoutTokens } from '../../../src/store/accounts/checkout-tokens.ts'
import { openOptionTokens } from '../../../src/store/accounts/option-tokens.ts'
import { fixedSecrets } from '../../support/app/option-token-ports.ts'

const [OLD, NEW, OTHER] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)]
const tokens = openOptionTokens(fixedSecrets(NEW))

const REQUEST: RequestTexts = {
  ...{ from: '["NL",null,null]', to: '["ES",null,null]', parcels: '[1]' },
  ...{ insurance: '', recipientType: 'business', services: '', asOf: '' },
}

const PROMISE: OptionPromise = {
  ...{ productId: 1201, carrierCode: 'rondeel', priceCents: 1_050, rateCardVersion: 'demo@1' },
  ...{ bookRevision: 7, isAccountPrice: true, issuedAt: 1_790_000_000, expiresAt: 1_790_001_800 },
}

const signed = (promise: Partial<OptionPromise> = {}) =>
  tokens.sign('acme', REQUEST, { ...PROMISE, ...promise })

test('a token returns its promise to its account', async () => {
  expect((await tokens.read('acme', signed()))?.promise).toEqual(PROMISE)
  const listed = { ...PROMISE, isAccountPrice: false }
  expect((await tokens.read('acme', signed({ isAccountPrice: false })))?.promise).toEqual(listed)
})

test('a token is shorter than 300 characters and can be part of an address', () => {
  const longest = signed({
    ...{ productId: 999_999_999, carrierCode: 'c'.repeat(20), priceCents: 100_000_000_000 },
    ...{ rateCardVersion: `${'d'.repeat(40)}@99999`, bookRevision: 9_999_999 },
  })
  expect(longest.length).toBeLessThan(300)
  expect(signed().length).toBeLessThan(220)
  expect(longest).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{67}\.[A-Za-z0-9_-]{43}$/)
})

describe('a token is not valid', () => {
  test('for another account', async () => {
    expect(await tokens.read('acme2', signed())).toBeUndefined()
    expect(await tokens.read('', signed())).toBeUndefined()
  })

  test('with another secret', async () => {
    expect(await openOptionTokens(fixedSecrets(OTHER)).read('acme', signed())).toBeUndefined()
  })

  test('if a character of it is another one', async () => {
    const token = signed()
    // The last character of 32 bytes in base64url has two bits that are not used.
    for (let index = 0; index < token.length - 1; index += 1) {
      const other = token[index] === 'A' ? 'B' : 'A'
      const altered = token.slice(0, index) + other + token.slice(index + 1)
      expect(await tokens.read('acme', altered), String(index)).toBeUndefined()
    }
  })

  test('if its promise is another one', async () => {
    const [payload = '', digests, signature] = signed().split('.')
    const fields = JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown[]
    expect(fields).toContain(1_050)
    const cheaper = fields.map((field) => (field === 1_050 ? 1 : field))
    const forged = Buffer.from(JSON.stringify(cheaper)).toString('base64url')
    expect(await tokens.read('acme', `${forged}.${digests}.${signature}`)).toBeUndefined()
  })

  test.each([
    '',
    '.',
    'a.b',
    'a.b.c',
    `${'x'.repeat(200)}.z.${'y'.repeat(43)}`,
    'x'.repeat(100_000),
    '\u0000.\u0000',
  ])('if it is malformed (%#)', async (token) => {
    expect(await tokens.read('acme', token)).toBeUndefined()
    expect(await tokens.read('acme', `${signed()}.${token}`)).toBeUndefined()
  })

  test('if it is a checkout token with the same secret', async () => {
    const key = { keyId: 'pk_1', accountId: 'acme', checkoutSecret: NEW }
    const token = checkoutTokens.issue(key, { cart: '[]', expiresAt: new Date(2_000_000_000_000) })
    expect(await tokens.read('acme', token)).toBeUndefined()
    expect(checkoutTokens.read(key, signed(), new Date(0))).toEqual({ kind: 'TokenInvalid' })
  })
})

describe('after a rotation', () => {
  const rotated = openOptionTokens(fixedSecrets(NEW, OLD))
  const before = openOptionTokens(fixedSecrets(OLD))

  test('tokens of the previous secret are valid, and new ones have the new secret', async () => {
    expect(await rotated.read('acme', before.sign('acme', REQUEST, PROMISE))).toBeDefined()
    const token = rotated.sign('acme', REQUEST, PROMISE)
    expect(token).toBe(signed())
    expect(await before.read('acme', token)).toBeUndefined()
  })

  test('a process that does not know the new secret yet reads it when it gets a token with it', async () => {
    let current: [Buffer, ...Buffer[]] = [OLD]
    let refreshes = 0
    const late = openOptionTokens({
      current: () => current,
      refresh: async () => {
        refreshes += 1
        current = [NEW, OLD]
        return true
      },
    })
    expect((await late.read('acme', signed()))?.promise).toEqual(PROMISE)
    expect((await late.read('acme', signed()))?.promise).toEqual(PROMISE)
    expect(refreshes).toBe(1)
  })
})

describe('the request of a token', () => {
  const differences = async (request: Partial<RequestTexts>) =>
    (await tokens.read('acme', signed()))?.differences({ ...REQUEST, ...request })

  test('is the same if its texts are', async () => {
    expect(await differences({})).toBeUndefined()
  })

  test.each(REQUEST_PARTS)('differs in %s', async (part) => {
    expect(await differences({ [part]: 'other' })).toEqual([part])
  })

  test('with services is the same, or differs in them', async () => {
    const services = { ...REQUEST, services: 'SATURDAY SIGNATURE' }
    const token = tokens.sign('acme', services, PROMISE)
    expect(token).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{71}\.[A-Za-z0-9_-]{43}$/)
    const read = await tokens.read('acme', token)
    expect(read?.promise).toEqual(PROMISE)
    expect(read?.differences(services)).toBeUndefined()
    expect(read?.differences({ ...services, services: 'SIGNATURE' })).toEqual(['services'])
    expect(read?.differences({ ...REQUEST, to: 'x' })).toEqual(['to', 'services'])
  })

  test('without services has the token of the version before services', () => {
    const [fields = '', digests = '', signature] = signed().split('.')
    const { services: _, ...parts } = REQUEST
    const texts = Object.values(parts)
    const sha = (text: string) => createHash('sha256').update(text).digest()
    const expected = Buffer.concat([
      sha(JSON.stringify(texts)),
      ...texts.map((text) => sha(text).subarray(0, 3)),
    ])
    expect(digests).toBe(expected.toString('base64url'))
    const text = `option token 1\nacme\n${fields}.${digests}`
    expect(signature).toBe(createHmac('sha256', NEW).update(text).digest('base64url'))
  })

  test('differs in several parts', async () => {
    expect(await differences({ from: 'x', asOf: '2026-10-20' })).toEqual(['from', 'asOf'])
  })

  test('is compared in full, not only by the short digests of its parts', async () => {
    // Both texts have a SHA-256 that begins with the same three bytes.
    const [one, two] = collision()
    const token = tokens.sign('acme', { ...REQUEST, to: one }, PROMISE)
    const read = await tokens.read('acme', token)
    expect(read?.differences({ ...REQUEST, to: two })).toEqual([])
    expect(read?.differences({ ...REQUEST, to: one })).toBeUndefined()
  })
})

/** Two texts whose digests begin with the same three bytes. Of 2^24 beginnings, about 5,000 texts are enough. */
function collision(): [string, string] {
  const known = new Map<string, string>()
  for (let count = 0; ; count += 1) {
    const text = String(count)
    const beginning = createHash('sha256').update(text).digest('hex').slice(0, 6)
    const other = known.get(beginning)
    if (other !== undefined) return [other, text]
    known.set(beginning, text)
  }
}
