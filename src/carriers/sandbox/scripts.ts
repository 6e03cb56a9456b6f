/**
 * What the sandbox carrier does with a parcel, by the prefix of its tracking number. See docs/sandbox-carrier.md.
 *
 * | tracking number | cancelling it |
 * |---|---|
 * | SBX-OK-…, any other | cancelled; repeated: already |
 * | SBX-ALREADY-… | already cancelled, from the start |
 * | SBX-SCANNED-… | refused: picked up, from the start |
 * | SBX-WINDOW-CLOSED-… | refused: too late |
 * | SBX-PENDING-… | accepted; the carrier will cancel it |
 * | SBX-PARTIAL-… | unknown: only some parcels were cancelled |
 * | SBX-SLOW-2000-… | cancelled, the reply takes 2,000 ms; repeated: already, at once |
 * | SBX-DOWN-… | unknown: the connection is cut, and the parcel is not cancelled |
 * | SBX-503-TWICE-… | unknown twice, then cancelled |
 * | SBX-429-… | unknown: too many requests |
 * | SBX-401-ONCE-… | the first request gets a 401, the next one cancels |
 * | SBX-GARBAGE-… | unknown: an unreadable body |
 * | SBX-MEANINGLESS-… | unknown: a 200 with an empty object |
 * | SBX-LOST-… | cancelled, but the reply is lost; repeated: already |
 * | SBX-LATE-2000-… | the connection is cut, and the parcel is cancelled 2,000 ms later; repeated after that: already |
 */

/** A status with a body (text, or a value to send as JSON), or the connection cut. */
export type SandboxReply = { readonly status: number; readonly body?: unknown } | 'cut'

/** Times in milliseconds since 1970. */
export type Parcel = {
  /** The number of requests to cancel it. */
  calls: number
  state: 'announced' | 'scanned' | 'cancelled'
  scannedAt?: number
  /** When it becomes cancelled, unless it is scanned first. */
  cancelsAt?: number
}

/** `milliseconds` is the number in the tracking number after the prefix; 0 if there is none. */
type Script = (
  parcel: Parcel,
  milliseconds: number,
  now: number,
  signal: AbortSignal | undefined,
) => SandboxReply | Promise<SandboxReply>

const LONGEST_MS = 60_000

export const SCANNED = refusal('SCANNED', 'The parcel has already been picked up')

const WINDOW_CLOSED = refusal('WINDOW_CLOSED', 'The time for cancelling this parcel has passed')

/** The initial state of a parcel. `openedAt` is the scan time of parcels that are scanned from the start. */
export function newParcel(carrierRef: string, openedAt: number): Parcel {
  if (carrierRef.startsWith('SBX-ALREADY-')) return { calls: 0, state: 'cancelled' }
  if (carrierRef.startsWith('SBX-SCANNED-')) return { calls: 0, state: 'scanned', scannedAt: openedAt }
  return { calls: 0, state: 'announced' }
}

/** Cancels an announced parcel by its script. `parcel.calls` includes this call. */
export function play(
  carrierRef: string,
  parcel: Parcel,
  now: number,
  signal: AbortSignal | undefined,
): SandboxReply | Promise<SandboxReply> {
  const found = SCRIPTS.find(([prefix]) => carrierRef.startsWith(prefix))
  if (found === undefined) return cancelled(parcel)
  const [prefix, script] = found
  const figure = /^\d{1,6}/.exec(carrierRef.slice(prefix.length))?.[0]
  return script(parcel, Math.min(LONGEST_MS, Number(figure ?? 0)), now, signal)
}

const SCRIPTS: readonly (readonly [prefix: string, script: Script])[] = [
  ['SBX-WINDOW-CLOSED-', () => WINDOW_CLOSED],
  [
    'SBX-PENDING-',
    (parcel) => {
      parcel.state = 'cancelled'
      return { status: 202, body: { status: 'accepted' } }
    },
  ],
  ['SBX-PARTIAL-', () => ({ status: 200, body: { status: 'partial' } })],
  ['SBX-SLOW-', slow],
  ['SBX-DOWN-', () => 'cut'],
  [
    'SBX-503-TWICE-',
    (parcel) => (parcel.calls > 2 ? cancelled(parcel) : failure(503, 'UNAVAILABLE', 'Try again later')),
  ],
  ['SBX-429-', () => failure(429, 'TOO_MANY_REQUESTS', 'Too many requests')],
  [
    'SBX-401-ONCE-',
    (parcel) =>
      parcel.calls > 1 ? cancelled(parcel) : failure(401, 'UNAUTHORIZED', 'The token is not valid'),
  ],
  ['SBX-GARBAGE-', () => ({ status: 200, body: '<html>Bad gateway</html>' })],
  ['SBX-MEANINGLESS-', () => ({ status: 200, body: {} })],
  [
    'SBX-LOST-',
    (parcel) => {
      parcel.state = 'cancelled'
      return 'cut'
    },
  ],
  [
    'SBX-LATE-',
    (parcel, milliseconds, now) => {
      parcel.cancelsAt ??= now + milliseconds
      return 'cut'
    },
  ],
]

function cancelled(parcel: Parcel): SandboxReply {
  parcel.state = 'cancelled'
  return { status: 200, body: { status: 'cancelled' } }
}

function refusal(code: string, message: string): SandboxReply {
  return failure(409, code, message)
}

function failure(status: number, code: string, message: string): SandboxReply {
  return { status, body: { code, message } }
}

/** Cancels at once; only the reply is slow. */
async function slow(
  parcel: Parcel,
  milliseconds: number,
  _now: number,
  signal: AbortSignal | undefined,
): Promise<SandboxReply> {
  const reply = cancelled(parcel)
  await new Promise<void>((resolve, reject) => {
    const giveUp = (): void => {
      clearTimeout(timer)
      reject(new Error('the request was aborted'))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp)
      resolve()
    }, milliseconds)
    if (signal?.aborted === true) giveUp()
    else signal?.addEventListener('abort', giveUp, { once: true })
  })
  return reply
}
