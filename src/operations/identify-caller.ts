/**
 * Whether the X-PP-API header of a request names a live key with one of its live secrets. Whatever is wrong
 * (missing, malformed, unknown, revoked, wrong), the steps are the same: one look-up, one comparison. Only the look-up
 * may differ in time, see store/credentials.ts.
 * Source: specification section 5; decision 5 of the README.
 */
import type { Caller, CredentialStore, SecretMatcher } from './ports/caller.ts'

/** Longest header value that is looked at, in bytes. */
export const MAX_CREDENTIALS_LENGTH = 512

/** What a header claims: nothing about it has been checked. */
export type ClaimedCredentials = { readonly keyId: string; readonly secret: string }

/** A caller whose secret was right, and the key it came with. */
export type IdentifiedCaller = { readonly keyId: string; readonly caller: Caller }

const PRINTABLE_ASCII = /^[\x20-\x7e]+$/

/** No key has this id: it is looked up without a statement. */
const NOBODY: ClaimedCredentials = { keyId: '', secret: '' }

/**
 * Splits `<API_KEY>@<API_SECRET>` at the first `@` (a key holds none, a secret may). Undefined when the
 * header is missing, too long, not printable ASCII, or has an empty half.
 */
export function readCredentials(header: string | undefined): ClaimedCredentials | undefined {
  if (header === undefined || header.length > MAX_CREDENTIALS_LENGTH || !PRINTABLE_ASCII.test(header))
    return undefined
  const at = header.indexOf('@')
  if (at < 1 || at === header.length - 1) return undefined
  return { keyId: header.slice(0, at), secret: header.slice(at + 1) }
}

/**
 * The caller behind a header; undefined when the header does not prove one. Throws when the store of
 * credentials is out of reach.
 */
export async function identifyCaller(
  ports: { readonly credentials: Pick<CredentialStore, 'findKey'>; readonly secrets: SecretMatcher },
  header: string | undefined,
): Promise<IdentifiedCaller | undefined> {
  const claimed = readCredentials(header)
  const { keyId, secret } = claimed ?? NOBODY
  const key = await ports.credentials.findKey(keyId)
  const matches = ports.secrets.matches(secret, key?.secretDigests ?? [])
  // Only now, after the same work for every cause.
  if (claimed === undefined || key === undefined || !matches) return undefined
  return { keyId: key.keyId, caller: key.caller }
}
