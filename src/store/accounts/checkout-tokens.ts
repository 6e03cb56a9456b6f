/**
 * Checkout tokens: JSON Web Tokens (RFC 7519) with HMAC-SHA256, signed with the `checkoutSecret` of a publishable key.
 * Nothing is stored, so every replica can check a token. See docs/browser-keys.md#checkout-tokens.
 *
 * Written here, because the `jose` package verifies asynchronously and supports algorithms that must be excluded again.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { CheckoutTokens } from '../../operations/ports/key-rules.ts'

/** Every token has exactly this header, so no token can choose its algorithm. */
const HEADER = encode({ alg: 'HS256', typ: 'JWT' })

/** Longer texts are refused before they are hashed. */
const MAX_TOKEN_LENGTH = 1_000

type Claims = {
  /** The publishable key. */
  readonly aud: string
  /** The account. */
  readonly sub: string
  /** Seconds since 1970, as in the standard. */
  readonly exp: number
  /** SHA-256 of the cart. */
  readonly cart: string
  readonly goods?: string
  readonly to?: string
}

export const checkoutTokens: CheckoutTokens = {
  issue({ keyId, accountId, checkoutSecret }, { cart, goods, toCountry, expiresAt }) {
    const claims: Claims = {
      aud: keyId,
      sub: accountId,
      exp: Math.floor(expiresAt.getTime() / 1000),
      cart: digest(cart),
      ...(goods !== undefined && { goods: digest(goods) }),
      ...(toCountry !== undefined && { to: toCountry }),
    }
    const signed = `${HEADER}.${encode(claims)}`
    return `${signed}.${sign(signed, checkoutSecret).toString('base64url')}`
  },
  read({ keyId, accountId, checkoutSecret }, token, now) {
    const claims = token.length > MAX_TOKEN_LENGTH ? undefined : verify(token, checkoutSecret)
    if (claims === undefined || claims.aud !== keyId || claims.sub !== accountId)
      return { kind: 'TokenInvalid' }
    if (now.getTime() >= claims.exp * 1000) return { kind: 'TokenExpired' }
    const { cart, goods, to } = claims
    return {
      kind: 'CheckoutPermission',
      ...(to !== undefined && { toCountry: to }),
      coversCart: (text) => digest(text) === cart,
      coversGoods: (text) => goods === undefined || digest(text) === goods,
    }
  },
}

/** The claims of a token with a valid signature. */
function verify(token: string, secret: Buffer): Claims | undefined {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.')
  const expected = sign(`${header}.${payload}`, secret)
  const presented = Buffer.from(signature, 'base64url')
  // Only the length of a signature is compared in variable time, and it is public.
  const isSigned = presented.length === expected.length && timingSafeEqual(presented, expected)
  if (!isSigned || header !== HEADER || rest.length > 0) return undefined
  // Only `issue` makes payloads with a valid signature.
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Claims
}

function sign(text: string, secret: Buffer): Buffer {
  return createHmac('sha256', secret).update(text).digest()
}

function digest(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('base64url')
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('base64url')
}
