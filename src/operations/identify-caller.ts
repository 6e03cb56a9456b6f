/**
 * Identifies the caller by the X-PP-API header. Every header, valid or not, causes one lookup and one comparison, so
 * the response time does not reveal what is wrong. Only the time of the lookup can differ (see
 * store/accounts/credentials.ts). See docs/rest-contract.md#r5. Publishable keys have no secret: the origin of the
 * request and a checkout token take its place, see docs/browser-keys.md.
 */
import type { ApiKey, Caller, CredentialStore, SecretMatcher } from './ports/caller.ts'
import { type CheckoutTokens, Forbidden, type Scope } from './ports/key-rules.ts'
import type { Clock } from './ports/ports.ts'

/** In bytes. Longer headers are refused. */
export const MAX_CREDENTIALS_LENGTH = 512

/** The key and secret that a header states, before they are checked. The secret of a publishable key is empty. */
export type ClaimedCredentials = { readonly keyId: string; readonly secret: string }

/** Of a publishable key, which is sent without a secret. */
const PUBLISHABLE_ID = /^pk_[A-Za-z0-9]{17}$/

const PRINTABLE_ASCII = /^[\x20-\x7e]+$/

/** No key has this id, and looking it up causes no query. */
const NOBODY: ClaimedCredentials = { keyId: '', secret: '' }

/**
 * Splits `<API_KEY>@<API_SECRET>` at the first `@` (a key contains no `@`, a secret may). A publishable key stands
 * alone. Undefined if the header is missing, too long, not printable ASCII, or has an empty half.
 */
export function readCredentials(header: string | undefined): ClaimedCredentials | undefined {
  if (header === undefined || header.length > MAX_CREDENTIALS_LENGTH || !PRINTABLE_ASCII.test(header))
    return undefined
  if (PUBLISHABLE_ID.test(header)) return { keyId: header, secret: '' }
  const at = header.indexOf('@')
  if (at < 1 || at === header.length - 1) return undefined
  return { keyId: header.slice(0, at), secret: header.slice(at + 1) }
}

type IdentifyingPorts = {
  readonly credentials: Pick<CredentialStore, 'findKey'>
  readonly secrets: SecretMatcher
  readonly clock: Clock
}

/**
 * The key of the caller, or undefined if the credentials are not valid or have expired. Not a promise if the key is in
 * memory, as for most requests. Throws or rejects if the store of credentials is unreachable.
 */
export function identifyCaller(
  { credentials, secrets, clock }: IdentifyingPorts,
  header: string | undefined,
): ApiKey | undefined | Promise<ApiKey | undefined> {
  const claimed = readCredentials(header)
  const { keyId, secret } = claimed ?? NOBODY
  const check = (key: ApiKey | undefined): ApiKey | undefined => {
    const matches = secrets.matches(secret, key?.secretDigests ?? [])
    // Checked last, so that every header takes the same steps.
    if (claimed === undefined || key === undefined) return undefined
    if (key.publishable === undefined ? !matches : secret !== '') return undefined
    return key.expiresAt !== undefined && clock() >= key.expiresAt ? undefined : key
  }
  const key = credentials.findKey(keyId)
  return key instanceof Promise ? key.then(check) : check(key)
}

/** Whether the key may be used by a request with this Origin header. Keys with a secret may be used from anywhere. */
export function mayCallFrom({ publishable }: ApiKey, origin: string | undefined): boolean {
  return publishable === undefined || (origin !== undefined && publishable.origins.includes(origin))
}

/** The caller with a key. Returns Forbidden if a web page sends a checkout token that is expired or not valid. */
export function callerWith(
  { checkoutTokens, clock }: { readonly checkoutTokens: CheckoutTokens; readonly clock: Clock },
  { keyId, caller, publishable }: ApiKey,
  checkoutToken: string | undefined,
): Caller | Forbidden {
  if (publishable === undefined) return caller
  const { checkoutSecret, needsCheckoutToken } = publishable
  if (checkoutToken === undefined) return { ...caller, page: { needsCheckoutToken } }
  const { accountId } = caller
  const permission = checkoutTokens.read({ keyId, accountId, checkoutSecret }, checkoutToken, clock())
  switch (permission.kind) {
    case 'CheckoutPermission':
      return { ...caller, page: { needsCheckoutToken, permission } }
    case 'TokenExpired':
      return new Forbidden('CHECKOUT_TOKEN_REJECTED', 'The checkout token has expired')
    case 'TokenInvalid':
      return new Forbidden('CHECKOUT_TOKEN_REJECTED', 'The checkout token is not valid for this key')
  }
}

/** The first of the scopes that the caller's key lacks, as an error to return. */
export function missingScope({ scopes }: Caller, needed: readonly Scope[]): Forbidden | undefined {
  const missing = scopes && needed.find((scope) => !scopes.has(scope))
  return missing && new Forbidden('FORBIDDEN', lackOf(missing))
}

export function lackOf(scope: Scope): string {
  return `The API key lacks the scope "${scope}"`
}
