/** Events of an account: what happened to its shipments. See docs/events.md. */
import type { RefusalCode, ShownState } from './shipment.ts'

export const EVENT_TYPES = [
  'shipment.created',
  'shipment.booked',
  'shipment.not_booked',
  'shipment.in_transit',
  'shipment.delivered',
  'shipment.cancelled',
  'shipment.expired',
  'shipment.cancellation_pending',
  'shipment.cancellation_refused',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** The place of an event in the events of its account. */
export type EventPosition = {
  /** 1, 2, 3 … within the account. 0 is the place before the first event. */
  readonly sequence: number
  /** The random part of the id, 12 hexadecimal digits. */
  readonly key: string
}

export type AccountEvent = EventPosition & {
  readonly type: EventType
  readonly shipmentId: string
  /** ISO 8601 in UTC. */
  readonly occurredAt: string
  /** The state of the shipment right after the event. */
  readonly state: ShownState
  readonly trackingNumber?: string
  /** Only of a refused cancellation. */
  readonly refusalCode?: RefusalCode
}

/** The place before the first event of every account. */
export const BEFORE_FIRST: EventPosition = { sequence: 0, key: '000000000000' }

const EVENT_ID = /^(0|[1-9]\d{0,14})-([0-9a-f]{12})$/

/** For example "17-1f3a9c0b2d4e". */
export function eventIdOf({ sequence, key }: EventPosition): string {
  return `${sequence}-${key}`
}

/** Undefined if the text is not the id of an event. */
export function readEventId(text: string): EventPosition | undefined {
  const [, sequence, key] = EVENT_ID.exec(text) ?? []
  return sequence === undefined || key === undefined ? undefined : { sequence: Number(sequence), key }
}

/** The event as callers get it. The fields are those of a Standard Webhooks payload (docs/events.md#the-events). */
export function eventMessage(event: AccountEvent) {
  const { type, sequence, shipmentId, occurredAt, state, trackingNumber, refusalCode } = event
  return {
    id: eventIdOf(event),
    type,
    timestamp: occurredAt,
    data: {
      sequence,
      shipmentId,
      state: state.toUpperCase(),
      trackingNumber: trackingNumber ?? null,
      ...(refusalCode !== undefined && { refusalCode }),
    },
  }
}
