/**
 * The state of the campaign's carrier: parcels, bookings and a journal of all calls and changes. A scanned
 * parcel is never cancelled, and a cancelled one never scanned. Some parcels are always refused. A quarter of
 * the cancelled ones are refused when they are cancelled again, as some carriers do; a lookup returns their
 * true state.
 */

export type Fate = 'open' | 'window-closed'

/** A call or a change; `at` is in milliseconds since 1970. */
export type JournalEntry = {
  readonly at: number
  readonly what: 'cancel called' | 'looked up' | 'cancelled' | 'scanned'
  /** The idempotency key of a cancel call, or of the call that cancelled the parcel. */
  readonly key?: string
  /** The injected fault, if any. */
  readonly fault?: string
  readonly reply?: string
}

export type CarrierParcel = {
  readonly number: string
  readonly fate: Fate
  state: 'announced' | 'scanned' | 'cancelled'
  scannedAt?: number
  /** Until then, lookups report a cancelled parcel as announced. */
  announcedUntil?: number
  readonly journal: JournalEntry[]
}

/** `key` is the idempotency key. */
export type CarrierBooking = { readonly key: string; readonly number: string; calls: number }

/** `scanAfterMs`: time until the parcel is scanned, unless it is cancelled before. */
export type NewParcel = { readonly number: string; readonly fate: Fate; readonly scanAfterMs?: number }

/** `strays`: cancel calls for parcels that the campaign never announced. */
export type CarrierJournal = {
  readonly parcels: readonly CarrierParcel[]
  readonly bookings: readonly CarrierBooking[]
  readonly strays: readonly string[]
}

/** The correct answer to a cancel call. */
export type CancelReply = 'cancelled' | 'already_cancelled' | 'SCANNED' | 'WINDOW_CLOSED' | 'UNKNOWN_PARCEL'

export type CarrierTruth = {
  announce(parcels: readonly NewParcel[]): void
  /** Records a cancel call before its effect. */
  noteCall(number: string, key: string, fault: string | undefined): void
  /** Cancels the parcel if possible, and returns the correct answer. */
  cancel(number: string, key: string): CancelReply
  /**
   * State of a parcel, possibly outdated: lookups of three in ten parcels lag behind a cancellation. Unknown parcels
   * are announced, since the demo data has parcels too.
   */
  look(number: string, fault: string | undefined): Pick<CarrierParcel, 'state' | 'scannedAt'>
  /** Returns the same number for the same key. */
  book(key: string): string
  /** The number that was booked with a key. */
  bookingOf(key: string): string | undefined
  /** No further scans. */
  stopScanning(): void
  /** One page of parcels and of bookings. */
  journal(from: number, size: number): CarrierJournal
}

/** `lagMs`: the longest time by which lookups lag. */
export function carrierTruth(lagMs: number): CarrierTruth {
  const parcels = new Map<string, CarrierParcel>()
  const bookings = new Map<string, CarrierBooking>()
  const strays: string[] = []
  const scanners = new Set<ReturnType<typeof setTimeout>>()

  const add = (number: string, fate: Fate): CarrierParcel => {
    const parcel: CarrierParcel = { number, fate, state: 'announced', journal: [] }
    parcels.set(number, parcel)
    return parcel
  }
  const scanLater = (parcel: CarrierParcel, afterMs: number): void => {
    const timer = setTimeout(() => {
      scanners.delete(timer)
      scan(parcel)
    }, afterMs)
    scanners.add(timer)
  }
  return {
    announce(announced) {
      for (const { number, fate, scanAfterMs } of announced) {
        if (parcels.has(number)) continue
        const parcel = add(number, fate)
        if (scanAfterMs !== undefined) scanLater(parcel, scanAfterMs)
      }
    },
    noteCall(number, key, fault) {
      const entry = {
        at: Date.now(),
        what: 'cancel called',
        key,
        ...(fault !== undefined && { fault }),
      } as const
      const parcel = parcels.get(number)
      if (parcel === undefined) strays.push(`cancel call for ${number} with key ${key}`)
      else parcel.journal.push(entry)
    },
    cancel: (number, key) => cancel(parcels.get(number), key, lagMs),
    look(number, fault) {
      const parcel = parcels.get(number)
      if (parcel === undefined) return { state: 'announced' }
      const { scannedAt, announcedUntil = 0 } = parcel
      const state = announcedUntil > Date.now() ? 'announced' : parcel.state
      parcel.journal.push({
        at: Date.now(),
        what: 'looked up',
        reply: state,
        ...(fault !== undefined && { fault }),
      })
      return { state, ...(scannedAt !== undefined && { scannedAt }) }
    },
    book(key) {
      const booking = bookings.get(key) ?? { key, number: `CRASH-B-${bookings.size + 1}`, calls: 0 }
      booking.calls += 1
      if (!bookings.has(key)) add(booking.number, oneInFour(key) ? 'window-closed' : 'open')
      bookings.set(key, booking)
      return booking.number
    },
    bookingOf: (key) => bookings.get(key)?.number,
    stopScanning() {
      for (const timer of scanners) clearTimeout(timer)
      scanners.clear()
    },
    journal: (from, size) => ({
      parcels: [...parcels.values()].slice(from, from + size),
      bookings: [...bookings.values()].slice(from, from + size),
      strays: from === 0 ? strays : [],
    }),
  }
}

/** Depends on the text only, not on the order of calls. */
function oneInFour(text: string): boolean {
  return numberOf(text) % 4 === 0
}

function numberOf(text: string): number {
  let sum = 0
  for (let index = 0; index < text.length; index += 1) sum += text.charCodeAt(index)
  return sum
}

function scan(parcel: CarrierParcel): void {
  if (parcel.state !== 'announced') return
  parcel.state = 'scanned'
  parcel.scannedAt = Date.now()
  parcel.journal.push({ at: Date.now(), what: 'scanned' })
}

function cancel(parcel: CarrierParcel | undefined, key: string, lagMs: number): CancelReply {
  if (parcel === undefined) return 'UNKNOWN_PARCEL'
  if (parcel.state === 'cancelled') return oneInFour(parcel.number) ? 'WINDOW_CLOSED' : 'already_cancelled'
  if (parcel.state === 'scanned') return 'SCANNED'
  if (parcel.fate === 'window-closed') return 'WINDOW_CLOSED'
  parcel.state = 'cancelled'
  const tenth = numberOf(parcel.number) % 10
  if (tenth < 3) parcel.announcedUntil = Date.now() + (lagMs * (tenth + 1)) / 3
  parcel.journal.push({ at: Date.now(), what: 'cancelled', key })
  return 'cancelled'
}
