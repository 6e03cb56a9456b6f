/**
 * Who tells of scans: a carrier proves itself by signing the bytes it sends with the secret of its settings.
 *
 *     X-Waybill-Signature: t=1795166100,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
 *
 * `t` is when it was signed, in seconds since 1970; each `v1` (one to five, so that a carrier can sign with an old and
 * a new secret while it changes them) is the HMAC-SHA256 of "<t>.<body>" in hexadecimal digits. No blanks: where the
 * header was sent twice the runtime joins both with one, so that pair never passes.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../operations/ports.ts'

/** The header's name, as Node spells it. */
export const SIGNATURE_HEADER = 'x-waybill-signature'

/** The signing secret of a carrier; undefined when it has none, or there is no such carrier. */
export type SecretOf = (carrierCode: string) => string | undefined

/** What a signature is about. */
export type SignedEvents = {
  readonly carrierCode: string
  /** The header's value. */
  readonly signature: unknown
  readonly body: Uint8Array
}

/** How far the time of a signature may be from this service's clock; events may be told twice, so this is enough. */
const TOLERANCE_MS = 5 * 60_000

const SIGNATURE = /^t=(\d{1,12})((?:,v1=[0-9a-f]{64}){1,5})$/i

/** The check of signatures. What it takes tells nothing about the secret, nor whether there is one. */
export function signatureCheck(clock: Clock, secretOf: SecretOf): (signed: SignedEvents) => boolean {
  const nobodys = randomBytes(32).toString('hex')

  return ({ carrierCode, signature, body }) => {
    const [, seconds = '', list = ''] = (typeof signature === 'string' && SIGNATURE.exec(signature)) || []
    const secret = secretOf(carrierCode)
    const expected = createHmac('sha256', secret ?? nobodys)
      .update(`${seconds}.`)
      .update(body)
      .digest()
    const given = list.split(',v1=').slice(1)
    // All of them, whatever the first one says.
    const matches = given.filter((digest) => timingSafeEqual(Buffer.from(digest, 'hex'), expected))
    const isRecent = Math.abs(clock().getTime() - Number(seconds) * 1_000) <= TOLERANCE_MS
    return secret !== undefined && matches.length > 0 && isRecent
  }
}
