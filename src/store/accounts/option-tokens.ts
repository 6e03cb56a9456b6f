/**
 * Tokens of rate options: a payload and its HMAC, both in base64url, separated by a dot. A response has a token for
 * each option, so tokens are short: the payload is a list without names, and neither the account nor a header is sent.
 * The account is part of the signed text instead. See docs/checkout.md.
 */
import {
  type OptionPromise,
  REQUEST_PARTS,
  type RequestPart,
  type RequestTexts,
} from '../../core/shipments/option-token.ts'
import type { OptionTokens } from '../../operations/ports/option-tokens.ts'
import { digest, isSigned, sign } from './signature.ts'
import type { TokenSecrets } from './token-secrets.ts'

/** Longer texts are refused before they are hashed. */
const MAX_TOKEN_LENGTH = 1_000

/** Of the digest of a part. It only finds out which part differs: the digest of the request is compared in full. */
const PART_BYTES = 3

const CURRENCY = 'EUR'

type Payload = readonly [
  productId: number,
  carrierCode: string,
  priceCents: number,
  currency: string,
  rateCardVersion: string,
  bookRevision: number,
  isAccountPrice: 0 | 1,
  issuedAt: number,
  lifetime: number,
  request: string,
  parts: string,
]

export function openOptionTokens(secrets: TokenSecrets): OptionTokens {
  const digests = new WeakMap<RequestTexts, RequestDigests>()
  const digestsOf = (request: RequestTexts): RequestDigests => {
    const known = digests.get(request) ?? digestRequest(request)
    digests.set(request, known)
    return known
  }
  const find = (accountId: string, token: string): Payload | undefined =>
    secrets
      .current()
      .map((secret) => readPayload(accountId, token, secret))
      .find((payload) => payload !== undefined)

  return {
    sign(accountId, request, promise) {
      const payload = encode(payloadOf(promise, digestsOf(request)))
      const [newest] = secrets.current()
      return `${payload}.${sign(signedText(accountId, payload), newest).toString('base64url')}`
    },
    async read(accountId, token) {
      if (token.length > MAX_TOKEN_LENGTH) return undefined
      let payload = find(accountId, token)
      // Another process may already sign with a new secret.
      if (payload === undefined && (await secrets.refresh())) payload = find(accountId, token)
      if (payload === undefined) return undefined
      const [, , , , , , , , , request, parts] = payload
      return {
        promise: promiseIn(payload),
        differences(texts) {
          const given = digestsOf(texts)
          return given.request === request ? undefined : differingParts(given.parts, parts)
        },
      }
    },
  }
}

type RequestDigests = { readonly request: string; readonly parts: string }

function digestRequest(request: RequestTexts): RequestDigests {
  const texts = REQUEST_PARTS.map((part) => request[part])
  const parts = texts.map((text) => digest(text).subarray(0, PART_BYTES))
  return {
    request: digest(JSON.stringify(texts)).toString('base64url'),
    parts: Buffer.concat(parts).toString('base64url'),
  }
}

function differingParts(given: string, signed: string): readonly RequestPart[] {
  const [one, other] = [Buffer.from(given, 'base64url'), Buffer.from(signed, 'base64url')]
  const partAt = (digests: Buffer, index: number): Buffer =>
    digests.subarray(index * PART_BYTES, (index + 1) * PART_BYTES)
  return REQUEST_PARTS.filter((_, index) => !partAt(one, index).equals(partAt(other, index)))
}

function payloadOf(promise: OptionPromise, { request, parts }: RequestDigests): Payload {
  const { productId, carrierCode, priceCents, rateCardVersion, bookRevision, issuedAt, expiresAt } = promise
  const isAccountPrice = promise.isAccountPrice ? 1 : 0
  return [
    ...([productId, carrierCode, priceCents, CURRENCY, rateCardVersion, bookRevision] as const),
    ...([isAccountPrice, issuedAt, expiresAt - issuedAt, request, parts] as const),
  ]
}

function promiseIn([
  productId,
  carrierCode,
  priceCents,
  ,
  rateCardVersion,
  bookRevision,
  isAccountPrice,
  issuedAt,
  lifetime,
]: Payload): OptionPromise {
  return {
    ...{ productId, carrierCode, priceCents, rateCardVersion, bookRevision, issuedAt },
    isAccountPrice: isAccountPrice === 1,
    expiresAt: issuedAt + lifetime,
  }
}

function readPayload(accountId: string, token: string, secret: Buffer): Payload | undefined {
  const [payload = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0 || !isSigned(signedText(accountId, payload), signature, secret)) return undefined
  // Only `sign` makes payloads with a valid signature.
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Payload
}

/** Names the purpose, so that a signature of another kind of token is not valid here. Account ids have no newline. */
function signedText(accountId: string, payload: string): string {
  return `option token 1\n${accountId}\n${payload}`
}

function encode(payload: Payload): string {
  return Buffer.from(JSON.stringify(payload), 'utf8').toString('base64url')
}
