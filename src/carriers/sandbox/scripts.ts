/**
 * What the sandbox carrier does with a parcel, told by the beginning of its tracking number.
 *
 * | tracking number | cancelling it |
 * |---|---|
 * | SBX-OK-…, any other | cancelled; asked again: already |
 * | SBX-ALREADY-… | already cancelled, from the start |
 * | SBX-SCANNED-… | refused: picked up, from the start |
 * | SBX-WINDOW-CLOSED-… | refused: too late |
 * | SBX-PENDING-… | accepted, the carrier will carry it out |
 * | SBX-PARTIAL-… | unknown: only some parcels were cancelled |
 * | SBX-SLOW-2000-… | cancelled, the answer takes 2,000 ms; asked again: already, at once |
 * | SBX-DOWN-… | unknown: the connection is cut, nothing was done |
 * | SBX-503-TWICE-… | unknown twice, then cancelled |
 * | SBX-429-… | unknown: too many requests |
 * | SBX-401-ONCE-… | the first request is not let in, the next one cancels |
 * | SBX-GARBAGE-… | unknown: an unreadable body |
 * | SBX-MEANINGLESS-… | unknown: a success that says nothing |
 * | SBX-LOST-… | cancelled, but the answer is lost; asked again: already |
 * | SBX-LATE-2000-… | the connection is cut at once, cancelled 2,000 ms later; asked after that: already |
 */

/** What the carrier answers: a status with a body (text as it is, anything else as JSON), or the connection cut. */
export type SandboxReply = { readonly status: number; readonly body?: unknown } | 'cut'

/** A parcel at the carrier. Times in milliseconds since 1970. */
export type Parcel = {
  /** How often cancelling it was asked. */
  calls: number
  state: 'announced' | 'scanned' | 'cancelled'
  scannedAt?: number
  /** When it will be cancelled, unless it is scanned before. */
  cancelsAt?: number
}

/** What a number does; `milliseconds` is the figure behind the script's name, where it has one. */
type Script = (
  parcel: Parcel,
  milliseconds: number,
  now: number,
  signal: AbortSignal | undefined,
) => SandboxReply | Promise<SandboxReply>

/** The longest that a number can make the carrier wait. */
const LONGEST_MS = 60_000

/** The refusal of a parcel that was picked up. */
export const SCANNED = refusal('SCANNED', 'The parcel has already been picked up')

const WINDOW_CLOSED = refusal('WINDOW_CLOSED', 'The time for cancelling this parcel has passed')

/** A parcel as it is before anybody asked about it; `openedAt` is when those that are scanned from the start were. */
export function newParcel(carrierRef: string, openedAt: number): Parcel {
  if (carrierRef.startsWith('SBX-ALREADY-')) return { calls: 0, state: 'cancelled' }
  if (carrierRef.startsWith('SBX-SCANNED-')) return { calls: 0, state: 'scanned', scannedAt: openedAt }
  return { calls: 0, state: 'announced' }
}

/** Plays the cancellation of an announced parcel, whose calls count this one. */
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
    (parcel) => (parcel.calls > 1 ? cancelled(parcel) : failure(401, 'UNAUTHORIZED', 'Who are you?')),
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

/** A slow carrier cancels when it is asked; it is the answer that takes its time. */
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
      reject(new Error('nobody waits for the answer any more'))
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
