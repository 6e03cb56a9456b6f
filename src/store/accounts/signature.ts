/** Signatures of tokens: HMAC with SHA-256 (RFC 2104), and the digests that tokens contain. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export function sign(text: string, secret: Buffer): Buffer {
  return createHmac('sha256', secret).update(text).digest()
}

/**
 * Whether `signature`, in base64url, is the one of the text. Only its length is compared in variable time, and it is
 * public.
 */
export function isSigned(text: string, signature: string, secret: Buffer): boolean {
  const expected = sign(text, secret)
  const presented = Buffer.from(signature, 'base64url')
  return presented.length === expected.length && timingSafeEqual(presented, expected)
}

/** SHA-256. */
export function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}
