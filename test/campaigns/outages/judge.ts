/**
 * Compares the answers of a scenario with the database and the carrier after everything has healed. Nobody
 * repeats a request during that time: what was answered "pending" must be carried out by the service itself.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { AttemptRow, ShipmentRow } from '../crash/record.ts'
import type { Parcel } from './carrier.ts'
import type { Ask, Stage } from './stage.ts'

/** What a shipment looks like on both sides. */
type Ends = {
  readonly row: ShipmentRow
  readonly attempts: readonly AttemptRow[]
  readonly parcel: Parcel | undefined
  readonly kinds: Readonly<Record<Ask, ReadonlySet<string>>>
}

export type Limits = {
  /** Longest time until nothing is open. */
  readonly settleMs?: number
  /** Most cancellations that one parcel may receive. */
  readonly sends?: number
}

/** Time in which something may still be done that callers were told was not. */
const QUIET_MS = 2_500

/** Waits until nothing is open, and returns what is wrong. Empty: nothing is. */
export async function judge(stage: Stage, { settleMs = 30_000, sends = 3 }: Limits = {}): Promise<string[]> {
  const startedAt = performance.now()
  await pause(QUIET_MS)
  for (;;) {
    const found = await findFaults(stage, sends)
    if (found.open.length === 0 && found.lost.length === 0) return found.wrong
    if (performance.now() - startedAt > settleMs) return [...found.wrong, ...found.lost, ...found.open]
    await pause(200)
  }
}

/** `wrong` is for good; `lost` and `open` may still change. */
type Faults = { readonly wrong: string[]; readonly lost: string[]; readonly open: string[] }

async function findFaults(stage: Stage, mostSends: number): Promise<Faults> {
  const faults: Faults = { wrong: [], lost: [], open: [] }
  for (const shipmentId of stage.shipmentIds) {
    const ends = await endsOf(stage, shipmentId)
    const add = (list: string[], found: readonly string[]): void => {
      list.push(...found.map((what) => `${shipmentId}: ${what}`))
    }
    add(faults.wrong, [...wrongAnswers(ends), ...wrongEnds(ends), ...tooManySends(ends, mostSends)])
    add(faults.lost, lostWork(ends))
    add(faults.open, openWork(ends))
  }
  return faults
}

async function endsOf(stage: Stage, shipmentId: string): Promise<Ends> {
  const [row] = await stage.query<ShipmentRow>('SELECT * FROM shipment WHERE shipment_id = $1', [shipmentId])
  if (row === undefined) throw new Error(`${shipmentId} is gone`)
  const attempts = await stage.query<AttemptRow>('SELECT * FROM cancel_attempt WHERE shipment_id = $1', [
    shipmentId,
  ])
  const kindsOf = (ask: Ask): ReadonlySet<string> =>
    new Set(
      stage.asked
        .filter((entry) => entry.shipmentId === shipmentId && entry.ask === ask)
        .map(({ answer }) => (answer.kind === 'odd' ? `odd (${answer.detail})` : answer.kind)),
    )
  const number = row.carrier_ref
  return {
    row,
    attempts,
    parcel: (number === null ? undefined : stage.carrier.parcel(number)) ?? stage.carrier.booking(shipmentId),
    kinds: { cancel: kindsOf('cancel'), book: kindsOf('book') },
  }
}

function wrongAnswers({ row, parcel, kinds: { cancel, book } }: Ends): string[] {
  const found: string[] = []
  const isCancelled = row.state === 'cancelled' || parcel?.state === 'cancelled'
  if (only(cancel, 'unavailable') && (isCancelled || (parcel?.sends.length ?? 0) > 0))
    found.push(
      `503 "nothing was sent", but it is ${row.state} here, ${parcel?.state ?? 'unknown'} at the carrier after ${parcel?.sends.length ?? 0} sends`,
    )
  if (only(book, 'unavailable') && (row.state !== 'draft' || parcel !== undefined))
    found.push(`503 for a booking, but it is ${row.state}, and the carrier booked ${parcel?.number}`)
  if (cancel.has('refused') && isCancelled)
    found.push(`409, but it is ${row.state} here, ${parcel?.state ?? 'unknown'} at the carrier`)
  if (cancel.has('cancelled') && cancel.has('refused')) found.push('200 and 409')
  for (const kind of [...cancel, ...book]) if (/^odd|not found/.test(kind)) found.push(`answered ${kind}`)
  return found
}

function wrongEnds({ row, parcel, kinds: { cancel } }: Ends): string[] {
  const found: string[] = []
  if (row.state === 'cancelled' && parcel !== undefined && parcel.state !== 'cancelled')
    found.push(`cancelled here, ${parcel.state} at the carrier`)
  if (cancel.has('cancelled') && row.state !== 'cancelled') found.push(`200, but it is ${row.state}`)
  return found
}

function tooManySends({ parcel, attempts }: Ends, mostSends: number): string[] {
  const sends = parcel?.sends ?? []
  const found = sends.length > mostSends ? [`${sends.length} sends, at most ${mostSends} were expected`] : []
  for (const key of new Set(sends)) {
    const counted = attempts.find(({ attempt_id }) => attempt_id === key)?.sends ?? 0
    const arrived = sends.filter((other) => other === key).length
    if (arrived > counted) found.push(`${arrived} sends with key ${key}, only ${counted} are recorded`)
  }
  return found
}

function lostWork({ row, parcel, attempts, kinds: { cancel, book } }: Ends): string[] {
  const found: string[] = []
  const isAnswered = row.state === 'cancelled' || row.state === 'in_transit'
  if (cancel.has('pending') && !isAnswered && !attempts.some(({ phase }) => phase === 'refused'))
    found.push(`504, then lost: it is ${row.state} with ${attempts.length} attempts`)
  // A pending booking that was not recorded leaves the draft as it is.
  if (book.has('pending') && row.state === 'draft' && parcel !== undefined)
    found.push(`booked at the carrier as ${parcel.number}, a draft here`)
  if (parcel?.state === 'cancelled' && row.state !== 'cancelled')
    found.push(`cancelled at the carrier, ${row.state} here`)
  return found
}

function openWork({ row, attempts }: Ends): string[] {
  const found = attempts
    .filter(({ phase, verify_at }) => phase === 'pending' || verify_at !== null)
    .map(({ attempt_id, phase }) => `attempt ${attempt_id} is ${phase} and open`)
  return row.booking_until === null ? found : [...found, 'its booking is open']
}

function only(kinds: ReadonlySet<string>, kind: string): boolean {
  return kinds.size === 1 && kinds.has(kind)
}
