/**
 * Identifies the caller by the X-PP-API header. Every header, valid or not, causes one lookup and one comparison, so
 * the response time does not reveal what is wrong. Only the time of the lookup can differ (see
 * store/accounts/credentials.ts). See docs/rest-contract.md#r5.
 */
import type { ApiKey, Caller, CredentialStore, SecretMatcher } from './ports/caller.ts'

/** In bytes. Longer headers are refused. */
export const MAX_CREDENTIALS_LENGTH = 512

/** Key and secret of a header, not checked. */
export type ClaimedCredentials = { readonly keyId: string; readonly secret: string }

export type IdentifiedCaller = { readonly keyId: string; readonly caller: Caller }

const PRINTABLE_ASCII = /^[\x20-\x7e]+$/

/** No key has this id, and looking it up causes no query. */
const NOBODY: ClaimedCredentials = { keyId: '', secret: '' }

/**
 * Splits `<API_KEY>@<API_SECRET>` at the first `@` (a key contains no `@`, a secret may). Undefined if the header is
 * missing, too long, not printable ASCII, or has an empty half.
 */
export function readCredentials(header: string | undefined): ClaimedCredentials | undefined {
  if (header === undefined || header.length > MAX_CREDENTIALS_LENGTH || !PRINTABLE_ASCII.test(header))
    return undefined
  const at = header.indexOf('@')
  if (at < 1 || at === header.length - 1) return undefined
  return { keyId: header.slice(0, at), secret: header.slice(at + 1) }
}

/**
 * The caller, or undefined if the credentials are not valid. Not a promise if the key is in memory, as for most
 * requests. Throws or rejects if the store of credentials is unreachable.
 */
export function identifyCaller(
  {
    credentials,
    secrets,
  }: { readonly credentials: Pick<CredentialStore, 'findKey'>; readonly secrets: SecretMatcher },
  header: string | undefined,
): IdentifiedCaller | undefined | Promise<IdentifiedCaller | undefined> {
  const claimed = readCredentials(header)
  const { keyId, secret } = claimed ?? NOBODY
  const check = (key: ApiKey | undefined): IdentifiedCaller | undefined => {
    const matches = secrets.matches(secret, key?.secretDigests ?? [])
    // Checked last, so that every header takes the same steps.
    if (claimed === undefined || key === undefined || !matches) return undefined
    return { keyId: key.keyId, caller: key.caller }
  }
  const key = credentials.findKey(keyId)
  return key instanceof Promise ? key.then(check) : check(key)
}
