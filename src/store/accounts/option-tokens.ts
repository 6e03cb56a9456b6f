/**
 * Tokens of rate options: the promise, the digests of the request, and the HMAC of both, in base64url and separated by
 * dots. A response has a token for each option, so tokens are short: the promise is a list without names, and neither
 * the account nor a header is sent. The account is part of the signed text instead. See docs/checkout.md.
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

const REQUEST_BYTES = 32

/** Of the digest of a part. It only finds out which part differs: the digest of the request is compared in full. */
const PART_BYTES = 3

const CURRENCY = 'EUR'

/** A promise as it is sent. */
type Fields = readonly [
  productId: number,
  carrierCode: string,
  priceCents: number,
  currency: string,
  rateCardVersion: string,
  bookRevision: number,
  isAccountPrice: 0 | 1,
  issuedAt: number,
  lifetime: number,
]

/** A token with a valid signature. */
type Content = { readonly fields: Fields; readonly digests: Buffer }

export function openOptionTokens(secrets: TokenSecrets): OptionTokens {
  const known = new WeakMap<RequestTexts, Buffer>()
  const digestsOf = (request: RequestTexts): Buffer => {
    const digests = known.get(request) ?? digestRequest(request, partsOf(request))
    known.set(request, digests)
    return digests
  }
  const find = (accountId: string, token: string): Content | undefined => {
    for (const secret of secrets.current()) {
      const content = readToken(accountId, token, secret)
      if (content !== undefined) return content
    }
    return undefined
  }

  return {
    sign(accountId, request, promise) {
      const content = `${encode(fieldsOf(promise))}.${digestsOf(request).toString('base64url')}`
      const [newest] = secrets.current()
      const text = signedText(accountId, content, partsOf(request))
      return `${content}.${sign(text, newest).toString('base64url')}`
    },
    async read(accountId, token) {
      if (token.length > MAX_TOKEN_LENGTH) return undefined
      let content = find(accountId, token)
      // Another process may already sign with a new secret.
      if (content === undefined && (await secrets.refresh())) content = find(accountId, token)
      if (content === undefined) return undefined
      const { fields, digests } = content
      return {
        promise: promiseIn(fields),
        differences: (request) => differences(digests, request),
      }
    },
  }
}

/** Without services, tokens are those of version 1, which older processes sign and read during an update. */
const PARTS_WITHOUT_SERVICES = REQUEST_PARTS.filter((part) => part !== 'services')

function partsOf({ services }: RequestTexts): readonly RequestPart[] {
  return services === '' ? PARTS_WITHOUT_SERVICES : REQUEST_PARTS
}

/** The parts that a token has digests of. */
function partsIn(digests: Buffer): readonly RequestPart[] {
  const length = REQUEST_BYTES + PARTS_WITHOUT_SERVICES.length * PART_BYTES
  return digests.length === length ? PARTS_WITHOUT_SERVICES : REQUEST_PARTS
}

/** The digest of the request, and then the short ones of its parts. */
function digestRequest(request: RequestTexts, of: readonly RequestPart[]): Buffer {
  const texts = of.map((part) => request[part])
  const parts = texts.map((text) => digest(text).subarray(0, PART_BYTES))
  return Buffer.concat([digest(JSON.stringify(texts)), ...parts])
}

/** `digests` are those of a token. */
function differences(digests: Buffer, request: RequestTexts): readonly RequestPart[] | undefined {
  const parts = partsIn(digests)
  const other = digestRequest(request, parts)
  const isSame = (from: number, length: number): boolean =>
    digests.subarray(from, from + length).equals(other.subarray(from, from + length))
  if (isSame(0, REQUEST_BYTES) && partsOf(request).length <= parts.length) return undefined
  return REQUEST_PARTS.filter((part) => {
    const index = parts.indexOf(part)
    return index === -1 ? request[part] !== '' : !isSame(REQUEST_BYTES + index * PART_BYTES, PART_BYTES)
  })
}

function fieldsOf(promise: OptionPromise): Fields {
  const { productId, carrierCode, priceCents, rateCardVersion, bookRevision, issuedAt, expiresAt } = promise
  const isAccountPrice = promise.isAccountPrice ? 1 : 0
  return [
    ...([productId, carrierCode, priceCents, CURRENCY, rateCardVersion, bookRevision] as const),
    ...([isAccountPrice, issuedAt, expiresAt - issuedAt] as const),
  ]
}

function promiseIn(fields: Fields): OptionPromise {
  const [productId, carrierCode, priceCents, , rateCardVersion, bookRevision] = fields
  const [, , , , , , isAccountPrice, issuedAt, lifetime] = fields
  return {
    productId,
    carrierCode,
    priceCents,
    rateCardVersion,
    bookRevision,
    issuedAt,
    isAccountPrice: isAccountPrice === 1,
    expiresAt: issuedAt + lifetime,
  }
}

function readToken(accountId: string, token: string, secret: Buffer): Content | undefined {
  const [promise = '', digests = '', signature = '', ...rest] = token.split('.')
  const digestBytes = Buffer.from(digests, 'base64url')
  const text = signedText(accountId, `${promise}.${digests}`, partsIn(digestBytes))
  if (rest.length > 0 || !isSigned(text, signature, secret)) return undefined
  return {
    // Only `sign` makes texts with a valid signature.
    fields: JSON.parse(Buffer.from(promise, 'base64url').toString('utf8')) as Fields,
    digests: digestBytes,
  }
}

/** Names the purpose, so that a signature of another kind of token is not valid here. Account ids have no newline. */
function signedText(accountId: string, content: string, parts: readonly RequestPart[]): string {
  const version = parts === PARTS_WITHOUT_SERVICES ? 1 : 2
  return `option token ${version}\n${accountId}\n${content}`
}

function encode(fields: Fields): string {
  return Buffer.from(JSON.stringify(fields), 'utf8').toString('base64url')
}
