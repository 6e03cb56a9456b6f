/**
 * The carrier process of the campaign. It speaks the sandbox protocol, keeps its state in memory and injects
 * faults from its own seed. The tables below give each fault and its share.
 *
 * It writes `ready <origin>` and ends when its standard input closes. The campaign uses `/admin/…`.
 */
import { writeSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { diceOf } from '../../../support/random/seeded-dice.ts'
import { type CancelReply, type CarrierTruth, carrierTruth, type NewParcel } from './carrier-truth.ts'

const { seed, isPatient, lagMs } = JSON.parse(process.argv[2] ?? '{}') as {
  readonly seed: number
  /** The longest time by which lookups lag behind a cancellation. */
  readonly lagMs: number
  /** Whether some answers come after the service's timeout. */
  readonly isPatient: boolean
}

/** Per mille of the cancel calls; 210 in all, 200 without slow answers. */
const CANCEL_FAULTS = [
  ['503', 40],
  ['429', 20],
  ['cut before', 40],
  ['done, reply lost', 40],
  ['done late', 30],
  ['garbage', 8],
  ['done, garbage', 8],
  ['meaningless', 7],
  ['done, meaningless', 7],
  ['slow', isPatient ? 10 : 0],
] as const

/** Per mille of the booking calls. */
const BOOK_FAULTS = [
  ['503', 50],
  ['cut before', 50],
  ['done, reply lost', 70],
  ['done, garbage', 30],
] as const

/** Per mille of the lookups. */
const LOOKUP_FAULTS = [
  ['503', 40],
  ['cut before', 30],
  ['garbage', 30],
  ['meaningless', 100],
] as const

type Fault = (typeof CANCEL_FAULTS)[number][0]

/** Longer than the service waits for a carrier (8 s). */
const TOO_SLOW_MS = 9_000

const truth: CarrierTruth = carrierTruth(lagMs)
const dice = diceOf(seed)
let isCalm = false

function drawFault(faults: readonly (readonly [Fault, number])[]): Fault | undefined {
  let drawn = dice.int(0, 999)
  if (isCalm) return undefined
  for (const [fault, share] of faults) {
    if (drawn < share) return fault
    drawn -= share
  }
  return undefined
}

type Reply = { readonly status: number; readonly body: object | string } | 'cut'

const CORRECT_REPLY: Readonly<Record<CancelReply, Reply>> = {
  cancelled: { status: 200, body: { status: 'cancelled' } },
  already_cancelled: { status: 200, body: { status: 'already_cancelled' } },
  SCANNED: { status: 409, body: { code: 'SCANNED', message: 'The parcel has been picked up' } },
  WINDOW_CLOSED: { status: 409, body: { code: 'WINDOW_CLOSED', message: 'The time has passed' } },
  UNKNOWN_PARCEL: { status: 404, body: { code: 'UNKNOWN_PARCEL', message: 'There is no such parcel' } },
}

const GARBAGE: Reply = { status: 200, body: '<html>Bad gateway</html>' }
const MEANINGLESS: Reply = { status: 200, body: { status: 'ok' } }

async function cancel(number: string, key: string): Promise<Reply> {
  const fault = drawFault(CANCEL_FAULTS)
  truth.noteCall(number, key, fault)
  switch (fault) {
    case undefined:
      return CORRECT_REPLY[truth.cancel(number, key)]
    case '503':
    case '429':
      return unavailable(Number(fault))
    case 'cut before':
      return 'cut'
    case 'done, reply lost':
      truth.cancel(number, key)
      return 'cut'
    case 'done late':
      setTimeout(() => truth.cancel(number, key), dice.int(200, 3_000))
      return 'cut'
    case 'garbage':
      return GARBAGE
    case 'done, garbage':
      truth.cancel(number, key)
      return GARBAGE
    case 'meaningless':
      return MEANINGLESS
    case 'done, meaningless':
      truth.cancel(number, key)
      return MEANINGLESS
    case 'slow': {
      const reply = CORRECT_REPLY[truth.cancel(number, key)]
      await pause(TOO_SLOW_MS)
      return reply
    }
  }
}

function book(key: string): Reply {
  const fault = drawFault(BOOK_FAULTS)
  if (fault === '503') return unavailable(503)
  if (fault === 'cut before') return 'cut'
  const reply: Reply = { status: 201, body: { trackingNumber: truth.book(key) } }
  if (fault === undefined) return reply
  return fault === 'done, reply lost' ? 'cut' : GARBAGE
}

function findBooking(key: string): Reply {
  const trackingNumber = truth.bookingOf(key)
  if (trackingNumber !== undefined) return { status: 200, body: { trackingNumber } }
  return { status: 404, body: { code: 'NO_BOOKING', message: 'No parcel was booked under this id' } }
}

function look(trackingNumber: string): Reply {
  const fault = drawFault(LOOKUP_FAULTS)
  const { state, scannedAt } = truth.look(trackingNumber, fault)
  if (fault === '503') return unavailable(503)
  if (fault === 'cut before') return 'cut'
  if (fault === 'garbage') return GARBAGE
  if (fault === 'meaningless') return MEANINGLESS
  const scan = scannedAt === undefined ? {} : { scannedAt: new Date(scannedAt).toISOString() }
  return { status: 200, body: { trackingNumber, status: state, ...scan } }
}

function unavailable(status: number): Reply {
  return { status, body: { code: 'UNAVAILABLE', message: 'Try again later' } }
}

/** Requests of the campaign. */
function administer(path: string, query: URLSearchParams, text: string): Reply {
  switch (path) {
    case '/admin/parcels':
      truth.announce(JSON.parse(text) as NewParcel[])
      return { status: 200, body: {} }
    case '/admin/calm':
      isCalm = true
      truth.stopScanning()
      return { status: 200, body: {} }
    case '/admin/journal':
      return { status: 200, body: truth.journal(Number(query.get('from')), Number(query.get('size'))) }
    default:
      return { status: 404, body: { code: 'NO_SUCH_PATH', message: 'There is no such path' } }
  }
}

async function answer(incoming: IncomingMessage): Promise<Reply> {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://carrier')
  const text = await textOf(incoming)
  if (pathname.startsWith('/admin/')) return administer(pathname, searchParams, text)
  const key = String(incoming.headers['idempotency-key'] ?? 'no key')
  if (pathname === '/parcels') return book(key)
  const [, bookedFor] = /^\/shipments\/([^/]+)$/.exec(pathname) ?? []
  if (bookedFor !== undefined) return findBooking(decodeURIComponent(bookedFor))
  const [, number = '', step] = /^\/parcels\/([^/]+)(\/cancel)?$/.exec(pathname) ?? []
  return step === undefined ? look(decodeURIComponent(number)) : cancel(decodeURIComponent(number), key)
}

function send(outgoing: ServerResponse, reply: Reply): void {
  if (reply === 'cut') {
    outgoing.destroy()
    return
  }
  const isText = typeof reply.body === 'string'
  outgoing.writeHead(reply.status, { 'content-type': isText ? 'text/html' : 'application/json' })
  outgoing.end(isText ? reply.body : JSON.stringify(reply.body))
}

const server = createServer((incoming, outgoing) => {
  answer(incoming).then(
    (reply) => send(outgoing, reply),
    // The calling replica died during its request.
    () => outgoing.destroy(),
  )
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  writeSync(1, `ready http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.stdin.resume().on('close', () => process.exit(0))
