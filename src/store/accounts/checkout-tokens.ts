/**
 * Checkout tokens: JSON Web Tokens (RFC 7519) with HMAC-SHA256, signed with the `checkoutSecret` of a publishable key.
 * Nothing is stored, so every replica can check a token. See docs/browser-keys.md#checkout-tokens.
 *
 * Written here, because the `jose` package verifies asynchronously and supports algorithms that must be excluded again.
 */
import type { CheckoutTokens } from '../../operations/ports/key-rules.ts'
import { digest, isSigned, sign } from './signature.ts'

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
      cart: textDigest(cart),
      ...(goods !== undefined && { goods: textDigest(goods) }),
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
      coversCart: (text) => textDigest(text) === cart,
      coversGoods: (text) => goods === undefined || textDigest(text) === goods,
    }
  },
}

/** The claims of a token with a valid signature. */
function verify(token: string, secret: Buffer): Claims | undefined {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.')
  if (!isSigned(`${header}.${payload}`, signature, secret) || header !== HEADER || rest.length > 0)
    return undefined
  // Only `issue` makes payloads with a valid signature.
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Claims
}

function textDigest(text: string): string {
  return digest(text).toString('base64url')
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('base64url')
}
