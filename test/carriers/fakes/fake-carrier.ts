/**
 * What all HTTP fakes of carriers have in common: a server on a free port of loopback, the parcels it knows, and the
 * scripts they play. A fake of one carrier adds its paths, bodies and codes.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to the first cancellation of a parcel (and to later ones, where the name says so). */
export const SCRIPTS = [
  'ok', // cancelled
  'already', // was cancelled before
  'scanned', // picked up: refused
  'window-closed', // too late: refused
  'pending', // taken on, to be carried out (where the carrier has such an answer; else as ok)
  'partial', // only some packages (where the carrier has such an answer; else a meaningless success)
  'slow', // cancelled at once, the answer takes `slowMs`
  'down', // the connection is cut before anything is done
  '503-twice', // 503 for the first two calls, then ok
  '429', // too many requests, always
  '401-once', // the first call with a given token is refused with 401, later ones are served
  'garbage', // 200 with a body that is no JSON
  'meaningless', // 200, well-formed, says nothing: "string", {}, …
  'reply-lost', // cancelled, then the connection is cut; asked again: already
  'late-accept', // the connection is cut at once; cancelled `lateMs` later
] as const

/** One of the scripts. */
export type Script = (typeof SCRIPTS)[number]

/** A parcel at the carrier. */
export type FakeParcel = {
  readonly script: Script
  state: 'announced' | 'scanned' | 'cancelled'
  /** How often cancelling it was asked. */
  cancelCalls: number
  /** When it was scanned, ISO 8601. */
  scannedAt?: string
}

/** A request as a fake reads it. */
export type FakeRequest = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly text: string
  /** The parsed body; undefined when it is no JSON. */
  readonly json: unknown
}

/** What a fake answers: a body (text as it is, anything else as JSON), or the connection cut. */
export type FakeReply =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | 'cut'

/** A running fake. */
export type FakeCarrier = {
  readonly baseUrl: string
  /** Every request so far, in order. */
  readonly requests: FakeRequest[]
  close(): Promise<void>
}

/** Starts a server that answers with `answer`; what that throws becomes a 500. */
export async function startFake(
  answer: (request: FakeRequest) => Promise<FakeReply> | FakeReply,
): Promise<FakeCarrier> {
  const requests: FakeRequest[] = []
  const server = createServer((incoming, outgoing) => {
    readRequest(incoming)
      .then((request) => {
        requests.push(request)
        return answer(request)
      })
      .then((reply) => send(outgoing, reply))
      .catch((error) => send(outgoing, { status: 500, body: String(error) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function readRequest(incoming: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://fake')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {}
  return {
    method: incoming.method ?? '',
    path: decodeURIComponent(pathname),
    query: searchParams,
    headers: incoming.headers,
    text,
    json,
  }
}

function send(outgoing: ServerResponse, reply: FakeReply): void {
  if (reply === 'cut') {
    outgoing.socket?.destroy()
    return
  }
  const { status, body, headers = {} } = reply
  const bytes = Buffer.isBuffer(body) || typeof body === 'string' || body === undefined
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers })
  outgoing.end(bytes ? body : JSON.stringify(body))
}

/** The parcels of a fake, by tracking number. */
export type FakeParcels = {
  /** Announces a parcel. */
  add(carrierRef: string, script?: Script): FakeParcel
  find(carrierRef: string): FakeParcel | undefined
  /** It is picked up now, unless it is cancelled. */
  scan(carrierRef: string): void
}

/** An empty set of parcels. */
export function fakeParcels(): FakeParcels {
  const parcels = new Map<string, FakeParcel>()
  return {
    add(carrierRef, script = 'ok') {
      const parcel: FakeParcel = {
        script,
        state: script === 'already' ? 'cancelled' : 'announced',
        cancelCalls: 0,
      }
      if (script === 'scanned') pickUp(parcel)
      parcels.set(carrierRef, parcel)
      return parcel
    },
    find: (carrierRef) => parcels.get(carrierRef),
    scan(carrierRef) {
      const parcel = parcels.get(carrierRef)
      if (parcel?.state === 'announced') pickUp(parcel)
    },
  }
}

function pickUp(parcel: FakeParcel): void {
  parcel.state = 'scanned'
  parcel.scannedAt = '2026-11-20T09:15:00Z'
}

/** A carrier's own bodies for what a script can come to. `extra` ends exist only where the carrier has such words. */
export type Voice = {
  readonly cancelled: FakeReply
  readonly already: FakeReply
  readonly scanned: FakeReply
  readonly windowClosed: FakeReply
  readonly pending: FakeReply
  readonly partial: FakeReply
  readonly meaningless: FakeReply
  readonly tooMany: FakeReply
  readonly unavailable: FakeReply
}

/** Times of the scripts `slow` and `late-accept`, in milliseconds. */
export type ScriptTimes = { readonly slowMs: number; readonly lateMs: number }

/**
 * Plays one cancellation of a parcel in a carrier's voice. 401s are the fake's own business (they come before).
 */
export async function playCancel(parcel: FakeParcel, voice: Voice, times: ScriptTimes): Promise<FakeReply> {
  parcel.cancelCalls += 1
  const { script, cancelCalls } = parcel
  if (script === 'down') return 'cut'
  if (script === '429') return voice.tooMany
  if (script === '503-twice' && cancelCalls <= 2) return voice.unavailable
  if (script === 'garbage') return { status: 200, body: '<html>Bad gateway</html>' }
  if (script === 'meaningless') return voice.meaningless
  if (parcel.state === 'cancelled') return voice.already
  if (parcel.state === 'scanned') return voice.scanned
  if (script === 'window-closed') return voice.windowClosed
  if (script === 'partial') return voice.partial
  if (script === 'late-accept') {
    setTimeout(() => {
      if (parcel.state === 'announced') parcel.state = 'cancelled'
    }, times.lateMs).unref()
    return 'cut'
  }
  parcel.state = 'cancelled'
  if (script === 'reply-lost') return 'cut'
  if (script === 'slow') await new Promise((resolve) => setTimeout(resolve, times.slowMs))
  return script === 'pending' ? voice.pending : voice.cancelled
}
