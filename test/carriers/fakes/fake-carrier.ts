/**
 * The common part of all HTTP fakes of carriers: a server on a free port of loopback, its parcels, and the scripts of
 * cancellations. The fake of a carrier adds paths, bodies and codes.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'

/** How the fake treats cancellations of a parcel. */
export const SCRIPTS = [
  'ok', // is cancelled at once
  'already', // was cancelled earlier
  'scanned', // picked up: refused
  'window-closed', // too late: refused
  'pending', // accepted, carried out later; like `ok` if the carrier has no such reply
  'partial', // some packages only; a meaningless success if the carrier has no such reply
  'slow', // cancelled at once; the reply takes `slowMs`
  'down', // every connection is cut, nothing is cancelled
  '503-twice', // 503 for the first two calls, then ok
  '429', // always too many requests
  '401-once', // the first call gets a 401
  'garbage', // 200 with a body that is not JSON
  'meaningless', // 200 with JSON without meaning, such as {}
  'reply-lost', // cancelled, then the connection is cut; a repeat gets `already`
  'late-accept', // the connection is cut at once; cancelled `lateMs` later
] as const

export type Script = (typeof SCRIPTS)[number]

/** A parcel at the carrier. */
export type FakeParcel = {
  readonly script: Script
  state: 'announced' | 'scanned' | 'cancelled'
  /** Number of cancellation calls. */
  cancelCalls: number
  /** When it was scanned, ISO 8601. */
  scannedAt?: string
}

export type FakeRequest = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly text: string
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown
}

/** A reply; a body other than text is sent as JSON. 'cut' closes the connection without a reply. */
export type FakeReply =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | 'cut'

export type FakeCarrier = {
  readonly baseUrl: string
  /** All requests so far, in order. */
  readonly requests: FakeRequest[]
  close(): Promise<void>
}

/** Starts a server that replies with the result of `answer`. If `answer` throws, the reply is a 500. */
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
  const text = await textOf(incoming)
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

export type FakeParcels = {
  /** Announces a parcel. */
  add(carrierRef: string, script?: Script): FakeParcel
  find(carrierRef: string): FakeParcel | undefined
  /** Picks the parcel up unless it is cancelled. */
  scan(carrierRef: string): void
}

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

/** The replies of a carrier to cancellations, by result. */
export type ReplySet = {
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

/** Delays of the scripts `slow` and `late-accept`. */
export type ScriptTimes = { readonly slowMs: number; readonly lateMs: number }

/** Plays one cancellation of a parcel. The fake of the carrier handles the script `401-once`. */
export async function playCancel(
  parcel: FakeParcel,
  replies: ReplySet,
  times: ScriptTimes,
): Promise<FakeReply> {
  parcel.cancelCalls += 1
  const { script, cancelCalls } = parcel
  if (script === 'down') return 'cut'
  if (script === '429') return replies.tooMany
  if (script === '503-twice' && cancelCalls <= 2) return replies.unavailable
  if (script === 'garbage') return { status: 200, body: '<html>Bad gateway</html>' }
  if (script === 'meaningless') return replies.meaningless
  if (parcel.state === 'cancelled') return replies.already
  if (parcel.state === 'scanned') return replies.scanned
  if (script === 'window-closed') return replies.windowClosed
  if (script === 'partial') return replies.partial
  if (script === 'late-accept') {
    setTimeout(() => {
      if (parcel.state === 'announced') parcel.state = 'cancelled'
    }, times.lateMs).unref()
    return 'cut'
  }
  parcel.state = 'cancelled'
  if (script === 'reply-lost') return 'cut'
  if (script === 'slow') await new Promise((resolve) => setTimeout(resolve, times.slowMs))
  return script === 'pending' ? replies.pending : replies.cancelled
}
