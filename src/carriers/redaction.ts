/**
 * What the record of an exchange keeps of URLs and bodies: no credentials, and no personal data.
 * See docs/carriers.md#records-of-calls.
 */
import type { CarrierExchange } from '../operations/ports/carrier-calls.ts'
import type { SentExchange } from './sent-exchange.ts'

const REDACTED = '[redacted]'

/** Longer records of bodies are cut, in characters. */
const BODY_MAX = 8_000
/** Shorter credentials, such as a country code, occur in other words. */
const SECRET_MIN = 4
/** Shorter values of headers, such as a version, are no credentials. */
const HEADER_SECRET_MIN = 8
const DEPTH_MAX = 20
const URL_MAX = 1_000

/** Fields of which the values are kept: what a carrier says about a request or a parcel. */
const KEPT =
  /code|status|state|type|message|detail|title|reason|description|error|event|date|time|success|kind|severity|result|number|voided|cancelled|canceled|^id$|Id$|ID$|^(?:ok|value|count|index|level|status_?text|sstatus|instance)$/
/** Whatever else the name says, the value describes people, places, documents or credentials. */
const PERSONAL =
  /address|street|phone|mail|company|contact|person|city|town|locality|postal|postcode|zip|signature|signed|received_?by|recipient|receiver|consignee|shipper|sender|account|billing|user|token|secret|password|latitude|longitude|url|link|content|image|document/i

/** `secrets` are the values of the credentials that were used. Without `bodies`, both are null. */
export function recordOf(
  exchange: SentExchange,
  secrets: readonly string[],
  { bodies }: { readonly bodies: boolean },
): CarrierExchange {
  const { method, url, durationMs, status, fault, carrierIds, headerValues, requestBody, reply } = exchange
  const hide = hiding([...secrets, ...headerValues.flatMap(headerSecrets)])
  return {
    method,
    url: hide(url).slice(0, URL_MAX),
    durationMs,
    status,
    ...(fault !== undefined && { fault: hide(fault) }),
    carrierIds: Object.fromEntries(Object.entries(carrierIds).map(([name, id]) => [name, hide(id)])),
    request: bodies ? bodyText(requestBody, hide) : null,
    reply: bodies ? bodyText(reply, hide) : null,
  }
}

/** "Bearer eyJ...": an error message may quote the token alone. */
function headerSecrets(value: string): readonly string[] {
  return [value, ...value.split(' ')].filter((text) => text.length >= HEADER_SECRET_MIN)
}

/** Returns the function that replaces secrets in a text, also in the forms that URLs, JSON and XML give them. */
export function hiding(secrets: readonly string[]): (text: string) => string {
  const texts = secrets
    .filter((secret) => secret.length >= SECRET_MIN)
    .flatMap(formsOf)
    .sort((a, b) => b.length - a.length)
  return (text) => texts.reduce((hidden, secret) => hidden.replaceAll(secret, REDACTED), text)
}

function formsOf(secret: string): readonly string[] {
  const wellFormed = secret.toWellFormed()
  return [
    ...[secret, encodeURIComponent(wellFormed), JSON.stringify(secret).slice(1, -1)],
    ...[new URLSearchParams({ '': wellFormed }).toString().slice(1)],
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ]
}

/**
 * `body` is a JSON value, or a text that is not JSON. Cut after secrets are hidden, so that no half of one is left.
 */
function bodyText(body: unknown, hide: (text: string) => string): string | null {
  if (body === undefined) return null
  if (typeof body === 'string') return `[text of ${body.length} characters]`
  return hide(JSON.stringify(keptOf(body, 0))).slice(0, BODY_MAX)
}

/** An object or a list with the values of kept fields only. */
function keptOf(value: unknown, depth: number): unknown {
  if (depth > DEPTH_MAX) return REDACTED
  if (Array.isArray(value)) return value.map((entry) => keptOf(entry, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, keptField(name, field, depth)]),
  )
}

function keptField(name: string, field: unknown, depth: number): unknown {
  if (PERSONAL.test(name)) return REDACTED
  if (typeof field === 'object' && field !== null) return keptOf(field, depth + 1)
  return typeof field === 'string' && !KEPT.test(name) ? REDACTED : field
}
