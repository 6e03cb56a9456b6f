/**
 * Sends one event to an endpoint, signed as Standard Webhooks requires (https://www.standardwebhooks.com). Only the
 * status of the response is used: redirects are not followed, and the body is not read.
 */
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Webhook } from 'standardwebhooks'
import { type AccountEvent, eventIdOf, eventMessage } from '../core/shipments/event.ts'
import { AddressRefused, checkedLookup, urlFault } from './target.ts'

export type SendOptions = {
  readonly url: string
  /** Each adds a signature. */
  readonly secrets: readonly string[]
  readonly allowPrivate: boolean
  /** Until the head of the response. */
  readonly limitMs: number
  readonly now: Date
  /** For tests. Default: the names of the system. */
  readonly lookup?: ReturnType<typeof checkedLookup>
}

/** Undefined for `failure`: the endpoint has accepted the event. */
export type Sent = { readonly status?: number; readonly failure?: string }

/** Never rejects. */
export async function sendEvent(event: AccountEvent, options: SendOptions): Promise<Sent> {
  const fault = urlFault(options.url, options.allowPrivate)
  if (fault !== undefined) return { failure: fault }
  try {
    const status = await post(event, options)
    return status >= 200 && status < 300 ? { status } : { status, failure: `HTTP ${status}` }
  } catch (error) {
    return { failure: failureOf(error, options.limitMs) }
  }
}

function post(
  event: AccountEvent,
  { url, secrets, allowPrivate, limitMs, now, lookup }: SendOptions,
): Promise<number> {
  const body = JSON.stringify(eventMessage(event))
  const id = eventIdOf(event)
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, now, body))
  const send = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sent = send(url, {
      method: 'POST',
      // A connection of its own, so that every request goes to an address that was just checked.
      agent: false,
      lookup: lookup ?? checkedLookup(allowPrivate),
      signal: AbortSignal.timeout(limitMs),
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'waybill-webhooks',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': signatures.join(' '),
      },
    })
    sent.once('response', (response) => {
      resolve(response.statusCode ?? 0)
      response.destroy()
    })
    // Also after the response: destroying it emits an error.
    sent.on('error', reject)
    sent.end(body)
  })
}

/** A text without the URL, which can contain a token. */
function failureOf(error: unknown, limitMs: number): string {
  if (error instanceof AddressRefused) return error.message
  if (!(error instanceof Error)) return 'failed'
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return `no response within ${limitMs / 1_000} s`
  const { code } = error as NodeJS.ErrnoException
  return code === undefined ? 'no HTTP response' : `no connection: ${code}`
}
