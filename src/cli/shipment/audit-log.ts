/** The part of `waybill audit` that finds what a restore has lost: reads the journal, and describes the result. */
import { createReadStream } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { parseInstant } from '../../core/input.ts'
import type {
  DraftAudit,
  LogAudit,
  LogEntry,
  LoggedShipment,
  LostBookings,
} from '../../operations/audit/audit-restore.ts'
import type { FirstOf } from '../../operations/audit/audit-shipments.ts'
import { Refusal } from '../terminal/errors.ts'
import { counted, table } from '../terminal/output.ts'

/**
 * Longer lines are skipped, so that a damaged file cannot fill the memory. The lines of the journal are much shorter.
 */
const LOG_LINE_MAX = 64 * 1_024

/**
 * The journal (operations/journal.ts), in its own files or in logs of the service. Other lines are skipped, also those
 * that are not JSON.
 */
export async function* readLogs(files: readonly string[]): AsyncGenerator<LogEntry> {
  for (const file of files) {
    try {
      for await (const line of linesOf(file === '-' ? process.stdin : createReadStream(file))) {
        const entry = entryOf(line)
        if (entry !== undefined) yield entry
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
      throw new Refusal(`${file}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

async function* linesOf(stream: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let isTooLong = false
  for await (const chunk of stream) {
    const parts = (rest + (typeof chunk === 'string' ? chunk : decoder.write(chunk))).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) {
      if (!isTooLong) yield line
      isTooLong = false
    }
    if (rest.length > LOG_LINE_MAX) {
      isTooLong = true
      rest = ''
    }
  }
  if (!isTooLong) yield rest
}

type Fields = Readonly<Record<string, unknown>>

/** How the lines of the journal are read. A line with another form is skipped. */
const READERS: Readonly<Record<string, (fields: Fields, line: Fields) => LogEntry | undefined>> = {
  cancelledDraft(fields) {
    const draft = shipmentOf(fields)
    return draft && { kind: 'draft cancelled', draft }
  },
  bookedShipment(fields) {
    const shipment = shipmentOf(fields)
    const { carrierCode, carrierRef, parcelRefs, orderRef } = fields
    if (shipment === undefined || typeof carrierCode !== 'string' || typeof carrierRef !== 'string')
      return undefined
    const numbers = Array.isArray(parcelRefs) && parcelRefs.every((number) => typeof number === 'string')
    return {
      kind: 'booked',
      booking: {
        ...shipment,
        carrierCode,
        carrierRef,
        ...(numbers && { parcelRefs }),
        ...(typeof orderRef === 'string' && { orderRef }),
      },
    }
  },
  openedCancellation(fields, { time }) {
    const shipment = shipmentOf(fields)
    const { attemptId, carrierCode } = fields
    const at = parseInstant(time)
    if (shipment === undefined || !isAttemptId(attemptId) || typeof carrierCode !== 'string') return undefined
    if (at === undefined) return undefined
    return {
      kind: 'opened',
      attempt: { ...shipment, attemptId, carrierCode, at: new Date(at).toISOString() },
    }
  },
  settledCancellation(fields) {
    const { attemptId, outcome } = fields
    if (!isAttemptId(attemptId) || (outcome !== 'accepted' && outcome !== 'refused')) return undefined
    const shipment = shipmentOf(fields)
    return { kind: 'settled', attemptId, outcome, ...(shipment !== undefined && { shipment }) }
  },
}

function entryOf(line: string): LogEntry | undefined {
  for (const [name, read] of Object.entries(READERS)) {
    if (!line.includes(`"${name}"`)) continue
    try {
      const fields = JSON.parse(line) as Fields
      const entry = fields[name]
      // `null` and other values have no fields.
      return typeof entry === 'object' && entry !== null ? read({ ...entry }, fields) : undefined
    } catch {
      return undefined
    }
  }
  return undefined
}

function shipmentOf({ accountId, shipmentId }: Fields): LoggedShipment | undefined {
  return typeof accountId === 'string' && typeof shipmentId === 'string'
    ? { accountId, shipmentId }
    : undefined
}

function isAttemptId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
}

/** The reasons for exit code 1. */
export function logReasons(lost: LogAudit | undefined): string[] {
  if (lost === undefined) return []
  const { revivedDrafts, lostBookings, lostAttempts } = lost
  const { drafts, booked, cancelledAgain } = revivedDrafts
  const bookings = lostBookings.repaired
    ? lostBookings.failed.count
    : lostBookings.drafts.count + lostBookings.cancelled.count
  return [
    drafts.count > 0 && !cancelledAgain && `${counted(drafts.count, 'cancelled draft')} in state draft`,
    booked.count > 0 && `${counted(booked.count, 'cancelled draft')} booked since`,
    bookings > 0 && counted(bookings, 'lost booking'),
    lostBookings.missing.count > 0 && `${counted(lostBookings.missing.count, 'booked shipment')} missing`,
    lostAttempts.attempts.count > 0 &&
      !lostAttempts.repaired &&
      counted(lostAttempts.attempts.count, 'lost cancellation attempt'),
  ].filter((reason) => reason !== false)
}

/** One section per line group; empty without `--log`. */
export function logLines(lost: LogAudit | undefined): string[][] {
  if (lost === undefined) return []
  const { revivedDrafts, lostBookings, lostAttempts } = lost
  const { drafts, booked, cancelledAgain } = revivedDrafts
  return [
    ...bookingLines(lostBookings),
    section(
      lostAttempts.repaired ? 'Lost cancellation attempts, open again' : 'Lost cancellation attempts',
      lostAttempts.attempts,
      ['ATTEMPT', 'OPENED'],
      ({ attemptId, at }) => [attemptId, at],
    ),
    section(
      cancelledAgain ? 'Cancelled drafts, now cancelled again' : 'Cancelled drafts that are drafts again',
      drafts,
    ),
    section('Cancelled drafts that were booked since', booked),
  ]
}

function bookingLines({ drafts, cancelled, missing, failed, repaired }: LostBookings): string[][] {
  const numbers = ({ carrierCode, carrierRef, parcelRefs }: LostBookings['drafts']['first'][number]) => [
    carrierCode,
    (parcelRefs ?? [carrierRef]).join(' '),
  ]
  const columns = ['CARRIER', 'NUMBERS']
  return [
    section(
      repaired ? 'Lost bookings, asked for again' : 'Lost bookings of drafts',
      drafts,
      columns,
      numbers,
    ),
    section(
      repaired
        ? 'Cancelled drafts with a lost booking, now cancelled at the carrier'
        : 'Cancelled drafts with a lost booking',
      cancelled,
      columns,
      numbers,
    ),
    section('Booked shipments that the database does not have', missing, columns, numbers),
    section('Bookings that could not be restored', failed, ['CAUSE'], ({ cause }) => [cause]),
  ]
}

export function draftReasons({ unchecked }: DraftAudit): string[] {
  return unchecked.count > 0
    ? [`${counted(unchecked.count, 'draft')} of which the carrier does not say whether it is booked`]
    : []
}

export function draftLines({ checked, booked, unchecked }: DraftAudit, dryRun: boolean): string[][] {
  return [
    checked === 0
      ? []
      : [
          `${counted(checked, 'draft')} from before a failover or restore ${dryRun ? 'would be' : checked === 1 ? 'was' : 'were'} checked at the carrier.`,
        ],
    section('Drafts found booked, booked now', booked),
    section('Drafts that may be booked at the carrier', unchecked, ['CARRIER', 'CAUSE'], (draft) => [
      draft.carrierCode,
      draft.cause,
    ]),
  ]
}

function section<Item extends LoggedShipment>(
  title: string,
  found: FirstOf<Item>,
  columns: readonly string[] = [],
  cells: (item: Item) => readonly string[] = () => [],
): string[] {
  if (found.count === 0) return []
  return [
    `${title}${firstOf(found)}:`,
    ...table(
      ['SHIPMENT', 'ACCOUNT', ...columns],
      found.first.map((item) => [item.shipmentId, item.accountId, ...cells(item)]),
    ),
  ]
}

export function firstOf({ count, first }: FirstOf<unknown>): string {
  return count > first.length ? ` (the first ${first.length} of ${count})` : ''
}
