/**
 * Compares the answers of a scenario, the database and the carrier, parcel by parcel. It uses the contract only: it
 * does not know how Waybill decides.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Stage, TestReplica } from '../../outages/stage.ts'
import { stateThere } from '../invariants.ts'
import type { AttemptRow, ShipmentRow } from '../record.ts'
import type { Finding, FindingKind } from './scenario.ts'

/** A parcel as its carrier has it. `unknown`: the carrier has never heard of the number. */
export type ParcelThere = {
  readonly number: string
  readonly state: 'announced' | 'scanned' | 'cancelled' | 'unknown'
  /** Number of cancellation requests that arrived. */
  readonly cancels: number
}

export type Checks = {
  /** A shipment may be pending at the end: the truth cannot be known yet. */
  readonly mayStayOpen?: boolean
}

/** Asks for all shipments until the answers are final or the time is over. */
export async function askAll(
  stage: Stage,
  replicas: readonly TestReplica[],
  shipmentIds: readonly string[],
  limitMs: number,
): Promise<void> {
  await Promise.all(
    shipmentIds.map(async (shipmentId) => {
      await pause(stage.dice.int(0, 400))
      await stage.dice.pick(replicas).askUntilFinal(shipmentId, stage.dice.int(400, 900), limitMs)
    }),
  )
}

/** What is wrong with the shipments. */
export async function examine(
  stage: Stage,
  shipmentIds: readonly string[],
  parcelAt: (number: string) => ParcelThere,
  checks: Checks = {},
): Promise<Finding[]> {
  const found: Finding[] = []
  for (const shipmentId of shipmentIds) {
    const row = await rowOf(stage, shipmentId)
    const parcels = numbersOf(row).map(parcelAt)
    const attempts = await stage.query<AttemptRow>('SELECT * FROM cancel_attempt WHERE shipment_id = $1', [
      shipmentId,
    ])
    const kinds = stage.asked.filter((one) => one.shipmentId === shipmentId).map(({ answer }) => answer)
    const states = parcels.map(({ number, state, cancels }) => `${number} ${state} after ${cancels} requests`)
    const about = `${shipmentId} of ${row.carrier_code}, ${row.state}; ${states.join(', ') || 'no parcel'}`
    const ends: Ends = { row, parcels, attempts, kinds: new Set(kinds.map(({ kind }) => kind)) }
    const wrong = [...wrongAnswers(ends), ...wrongParcels(ends, checks), ...wrongEnds(stage, ends, checks)]
    found.push(...wrong.map((kind) => ({ kind, what: `${about}; answered ${[...ends.kinds].join(', ')}` })))
    for (const { kind, detail } of kinds)
      if (kind === 'odd' || kind === 'not found')
        found.push({ kind: 'ODD_ANSWER', what: `${about}: ${detail}` })
  }
  return found
}

export type Row = ShipmentRow & { readonly carrier_code: string }

export async function rowOf(stage: Stage, shipmentId: string): Promise<Row> {
  const [row] = await stage.query<Row>('SELECT * FROM shipment WHERE shipment_id = $1', [shipmentId])
  if (row === undefined) throw new Error(`${shipmentId} is gone`)
  return row
}

export function numbersOf({ parcel_refs, carrier_ref }: Row): readonly string[] {
  return parcel_refs ?? (carrier_ref === null ? [] : [carrier_ref])
}

type Ends = {
  readonly row: Row
  readonly parcels: readonly ParcelThere[]
  readonly attempts: readonly AttemptRow[]
  readonly kinds: ReadonlySet<string>
}

/** A parcel that the carrier does not know lives as little as it is cancelled: only "refused" is true of it. */
function thereOf(parcels: readonly ParcelThere[]): ReturnType<typeof stateThere> {
  return stateThere(parcels.map(({ state }) => ({ state: state === 'unknown' ? 'announced' : state })))
}

function wrongAnswers({ row, parcels, kinds }: Ends): FindingKind[] {
  const there = thereOf(parcels)
  const found: FindingKind[] = []
  const isConfirmed = kinds.has('cancelled') || row.state === 'cancelled'
  if (isConfirmed && there !== undefined && there !== 'cancelled') found.push('FALSE_CANCELLED')
  const isCancelledThere = there === 'cancelled' || there === 'partly cancelled'
  if (kinds.has('refused') && (row.state === 'cancelled' || (isCancelledThere && row.state === 'booked')))
    found.push('FALSE_REFUSED')
  const sent = parcels.some(({ cancels }) => cancels > 0)
  if (kinds.size === 1 && kinds.has('unavailable') && (sent || row.state === 'cancelled'))
    found.push('FALSE_UNAVAILABLE')
  return found
}

/** A shipment with one parcel has no list of its own: its state says the same. */
function wrongParcels({ row, parcels, attempts }: Ends, { mayStayOpen }: Checks): FindingKind[] {
  if (row.state === 'in_transit' || row.parcel_refs === null) return []
  const recorded = row.state === 'cancelled' ? numbersOf(row) : (row.cancelled_refs ?? [])
  const isOpen = mayStayOpen === true && attempts.some(({ phase }) => phase === 'pending')
  const differs = parcels.some(({ number, state }) => {
    const isRecorded = recorded.includes(number)
    return isRecorded !== (state === 'cancelled') && (isRecorded || !isOpen)
  })
  return differs ? ['PARCEL_DIFFERS'] : []
}

function wrongEnds(
  stage: Stage,
  { row, parcels, attempts, kinds }: Ends,
  { mayStayOpen }: Checks,
): FindingKind[] {
  const found: FindingKind[] = []
  const isOpen = attempts.some(({ phase }) => phase === 'pending')
  const isPartly = row.state === 'booked' && thereOf(parcels) === 'partly cancelled'
  if (isPartly) {
    const isAlerted = stage.alerts.some(
      ({ kind, shipmentId }) => kind === 'PARTLY_CANCELLED' && shipmentId === row.shipment_id,
    )
    if (!isAlerted && mayStayOpen !== true) found.push('NO_PARTIAL_ALERT')
    if (!isOpen) found.push('NOT_OPEN')
    return found
  }
  if (kinds.has('cancelled') || kinds.has('refused')) {
    if (kinds.has('cancelled') && row.state !== 'cancelled') found.push('LOST')
    return found
  }
  if (kinds.has('pending') && attempts.length === 0 && row.state === 'booked') found.push('LOST')
  if (mayStayOpen !== true) found.push('NOT_SETTLED')
  return found
}
