/**
 * What the campaign's carrier holds to be true: where each parcel stands, and a journal of everything that was asked
 * and everything that changed. Decided here: a scanned parcel is never cancelled, a cancelled one never scanned, and
 * some are refused from the start, booked ones too. Some that are cancelled are refused when they are asked about again,
 * as carriers do that have nothing left to cancel; their look-up tells the truth.
 */

/** Whether a parcel can be cancelled at all before it is scanned. */
export type Fate = 'open' | 'window-closed'

/** Something that was asked of a parcel or happened to it; `at` is in milliseconds since 1970. */
export type JournalEntry = {
  readonly at: number
  readonly what: 'cancel asked' | 'looked up' | 'cancelled' | 'scanned'
  /** The idempotency key of a cancel call. */
  readonly key?: string
  /** What the carrier plays at this call; absent when it answers as it should. */
  readonly fault?: string
  readonly reply?: string
}

/** A parcel at the carrier. */
export type CarrierParcel = {
  readonly number: string
  readonly fate: Fate
  state: 'announced' | 'scanned' | 'cancelled'
  scannedAt?: number
  readonly journal: JournalEntry[]
}

/** A booking at the carrier, by the key it was asked with. */
export type CarrierBooking = { readonly key: string; readonly number: string; calls: number }

/** A parcel that the campaign announces; it is scanned after so many milliseconds, unless it is cancelled before. */
export type NewParcel = { readonly number: string; readonly fate: Fate; readonly scanAfterMs?: number }

/** All that the carrier knows, for the campaign. `strays`: numbers and keys that nobody announced, yet were asked. */
export type CarrierJournal = {
  readonly parcels: readonly CarrierParcel[]
  readonly bookings: readonly CarrierBooking[]
  readonly strays: readonly string[]
}

/** How a parcel stands and what a cancel call is answered by right. */
export type CancelReply = 'cancelled' | 'already_cancelled' | 'SCANNED' | 'WINDOW_CLOSED' | 'UNKNOWN_PARCEL'

/** The truth, and the ways to change it. */
export type CarrierTruth = {
  announce(parcels: readonly NewParcel[]): void
  /** Notes a cancel call, whatever becomes of it. */
  noteCall(number: string, key: string, fault: string | undefined): void
  /** Cancels where that is possible, and says what is right to answer. */
  cancel(number: string): CancelReply
  /** The standing of a parcel; unknown ones are announced, since the demonstration has parcels of its own. */
  look(number: string, fault: string | undefined): Pick<CarrierParcel, 'state' | 'scannedAt'>
  /** The number for a key, always the same one. */
  book(key: string): string
  /** From now on nothing is scanned any more. */
  stopScanning(): void
  /** A page of the journal, parcels and bookings alike. */
  journal(from: number, size: number): CarrierJournal
}

/** An empty carrier. */
export function carrierTruth(): CarrierTruth {
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
        what: 'cancel asked',
        key,
        ...(fault !== undefined && { fault }),
      } as const
      const parcel = parcels.get(number)
      if (parcel === undefined) strays.push(`cancel call for ${number} with key ${key}`)
      else parcel.journal.push(entry)
    },
    cancel: (number) => cancel(parcels.get(number)),
    look(number, fault) {
      const parcel = parcels.get(number)
      if (parcel === undefined) return { state: 'announced' }
      const { state, scannedAt } = parcel
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

/** The same for the same text, whatever the order of calls. */
function oneInFour(text: string): boolean {
  let sum = 0
  for (let index = 0; index < text.length; index += 1) sum += text.charCodeAt(index)
  return sum % 4 === 0
}

function scan(parcel: CarrierParcel): void {
  if (parcel.state !== 'announced') return
  parcel.state = 'scanned'
  parcel.scannedAt = Date.now()
  parcel.journal.push({ at: Date.now(), what: 'scanned' })
}

function cancel(parcel: CarrierParcel | undefined): CancelReply {
  if (parcel === undefined) return 'UNKNOWN_PARCEL'
  if (parcel.state === 'cancelled') return oneInFour(parcel.number) ? 'WINDOW_CLOSED' : 'already_cancelled'
  if (parcel.state === 'scanned') return 'SCANNED'
  if (parcel.fate === 'window-closed') return 'WINDOW_CLOSED'
  parcel.state = 'cancelled'
  parcel.journal.push({ at: Date.now(), what: 'cancelled' })
  return 'cancelled'
}
