/**
 * Shares access tokens between processes. A token is found by a digest of the request that fetches it, which contains
 * the host and the credentials, and is encrypted with a key that is derived from the same request. So only a process
 * with the credentials can read it, and never one with others. See docs/carriers.md#access-tokens.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import type { CarrierTokenStore, TokenClaim } from '../operations/ports/carrier-tokens.ts'
import { answeredWithin } from '../operations/ports/work.ts'
import type { HttpRequest } from './http-exchange.ts'

/** The store is asked for this long. After that, a process fetches a token of its own. */
const STORE_LIMIT_MS = 2_000
const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
/** Passwords that people chose must be hard to guess from the digest. Takes about 50 ms on another thread. */
const DERIVATION = { N: 16_384, r: 8, p: 1 }
const SALT = 'waybill carrier token'

/** What `TokenClaim` says, with the token itself. */
export type SharedClaim =
  | Exclude<TokenClaim, { readonly kind: 'token' }>
  | { readonly kind: 'token'; readonly version: number; readonly token: string; readonly usableMs: number }

/** The token of one set of credentials. Nothing rejects; faults are reported. */
export type TokenShare = {
  /** See CarrierTokenStore. Undefined if the store is not available. */
  claim(after: number, leaseMs?: number): Promise<SharedClaim | undefined>
  keep(version: number, token: string, usableMs: number): Promise<void>
  release(pauseMs: number, status?: number): Promise<void>
}

export type SharedPause = Extract<TokenClaim, { readonly kind: 'paused' }>

export type SharedTokens = (tokenRequest: HttpRequest) => TokenShare

/** `reportFault` gets errors of the store. They contain neither a token nor credentials. */
export function sharedTokens(store: CarrierTokenStore, reportFault: (error: unknown) => void): SharedTokens {
  const report = (error: unknown): void =>
    reportFault(new Error('an access token of a carrier could not be shared', { cause: error }))
  return (tokenRequest) => {
    let derived: Promise<Keys> | undefined
    /** Undefined after a fault. */
    const withKeys = async <Result>(work: (keys: Keys) => Promise<Result>): Promise<Result | undefined> => {
      try {
        derived ??= keysOf(tokenRequest)
        return await answeredWithin(work(await derived), STORE_LIMIT_MS)
      } catch (error) {
        report(error)
        return undefined
      }
    }
    return {
      claim: (after, leaseMs) =>
        withKeys(async ({ digest, key }) => {
          const claim = await store.claim(digest, after, leaseMs)
          if (claim.kind !== 'token') return claim
          const token = opened(claim.sealed, digest, key)
          // The row was written by something other than a process with these credentials.
          if (token === undefined)
            throw new Error('the stored token was not encrypted with these credentials')
          return { kind: 'token', version: claim.version, token, usableMs: claim.usableMs }
        }),
      keep: (version, token, usableMs) =>
        withKeys(({ digest, key }) => store.keep(digest, version, sealed(token, digest, key), usableMs)),
      release: (pauseMs, status) => withKeys(({ digest }) => store.release(digest, pauseMs, status)),
    }
  }
}

type Keys = { readonly digest: Buffer; readonly key: Buffer }

function keysOf({ method, url, headers, body }: HttpRequest): Promise<Keys> {
  const identity = JSON.stringify([method, url, headers, body ?? null])
  return new Promise((resolve, reject) => {
    scrypt(identity, SALT, 64, DERIVATION, (error, bytes) => {
      if (error !== null) reject(error)
      else resolve({ digest: bytes.subarray(0, 32), key: bytes.subarray(32) })
    })
  })
}

function sealed(token: string, digest: Buffer, key: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(digest)
  return Buffer.concat([iv, cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** Undefined if it was not sealed with this key. */
function opened(bytes: Uint8Array, digest: Buffer, key: Buffer): string | undefined {
  const sealedBytes = Buffer.from(bytes)
  if (sealedBytes.length < IV_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv(CIPHER, key, sealedBytes.subarray(0, IV_BYTES))
    .setAAD(digest)
    .setAuthTag(sealedBytes.subarray(-TAG_BYTES))
  try {
    return decipher.update(sealedBytes.subarray(IV_BYTES, -TAG_BYTES)) + decipher.final('utf8')
  } catch {
    return undefined
  }
}
