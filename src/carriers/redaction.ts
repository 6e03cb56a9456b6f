/**
 * What the record of an exchange keeps of URLs and bodies: no credentials, and no personal data.
 * See docs/carriers.md#records-of-calls.
 */
import type { CarrierExchange } from '../operations/ports/carrier-calls.ts'
import type { SentExchange } from './sent-exchange.ts'

const REDACTED = '[redacted]'

/** Longer texts are cut, in characters. */
const BODY_MAX = 8_000
/** Of a body that is not JSON, such as an error page, only the beginning is kept. */
const OTHER_TEXT_MAX = 300
/** Shorter credentials, such as a country code, occur in other words. */
const SECRET_MIN = 4
/** Shorter values of headers, such as a version, are no credentials. */
const HEADER_SECRET_MIN = 8
const DEPTH_MAX = 20
const URL_MAX = 1_000

/** A field whose name contains one of these words describes people, places or credentials. */
const PERSONAL =
  /address|street|phone|mail|company|contact|person|city|town|locality|postal|postcode|zip|signature|signed|received_?by|recipient|receiver|consignee|shipper|sender|account|user|token|secret|password|latitude|longitude/i
/** Most fields with "name" in their names describe services or events. */
const NAMES = /^(?:name|first_?name|last_?name|full_?name)$/i

/** `secrets` are the values of the credentials that were used. Without `bodies`, both are null. */
export function recordOf(
  exchange: SentExchange,
  secrets: readonly string[],
  { bodies }: { readonly bodies: boolean },
): CarrierExchange {
  const { method, url, durationMs, status, fault, carrierIds, headerValues, requestBody, reply } = exchange
  const hide = hiding([...secrets, ...headerValues.flatMap(headerSecrets)])
  return {
    ...{ method, url: hide(url).slice(0, URL_MAX), durationMs, status },
    ...(fault !== undefined && { fault }),
    carrierIds: Object.fromEntries(Object.entries(carrierIds).map(([name, id]) => [name, hide(id)])),
    request: bodies ? bodyText(requestBody, hide) : null,
    reply: bodies ? bodyText(reply, hide) : null,
  }
}

/** "Bearer eyJ...": an error message may quote the token alone. */
function headerSecrets(value: string): readonly string[] {
  return [value, ...value.split(' ')].filter((text) => text.length >= HEADER_SECRET_MIN)
}

/** Returns the function that replaces secrets in a text, also in their percent-encoded form. */
function hiding(secrets: readonly string[]): (text: string) => string {
  const texts = secrets
    .filter((secret) => secret.length >= SECRET_MIN)
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    .sort((a, b) => b.length - a.length)
  return (text) => texts.reduce((hidden, secret) => hidden.replaceAll(secret, REDACTED), text)
}

/** `body` is a JSON value, or a text that is not JSON. Cut after secrets are hidden, so that no half of one is left. */
function bodyText(body: unknown, hide: (text: string) => string): string | null {
  if (body === undefined) return null
  if (typeof body === 'string') return hide(body).slice(0, OTHER_TEXT_MAX)
  return hide(JSON.stringify(impersonal(body, 0))).slice(0, BODY_MAX)
}

function impersonal(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEPTH_MAX) return REDACTED
  if (Array.isArray(value)) return value.map((entry) => impersonal(entry, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      PERSONAL.test(name) || NAMES.test(name) ? REDACTED : impersonal(field, depth + 1),
    ]),
  )
}
