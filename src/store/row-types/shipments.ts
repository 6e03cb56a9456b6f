/** Row types of shipments, and the conversion of a shipment's row. Money in cents. See migrations/003-shipments.ts. */
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType, Selectable } from 'kysely'
import type { Contacts } from '../../core/contact.ts'
import type { ContentItem } from '../../core/customs/request.ts'
import type { Parcel, ParcelType, Recipient } from '../../core/rating/request.ts'
import type { Service } from '../../core/rating/sender-service.ts'
import type { ServiceInputs } from '../../core/rating/service-inputs.ts'
import type { CancelledBy, CarrierRefusal } from '../../core/shipments/cancellation.ts'
import type {
  CancelAttemptPhase,
  RefusalCode,
  Shipment,
  ShipmentState,
} from '../../core/shipments/shipment.ts'
import type { Lookup } from '../../operations/ports/recovery.ts'

/** What an attempt records about parcels, by number. */
export type ParcelRecords = Readonly<
  Record<
    string,
    {
      readonly refusal?: CarrierRefusal
      readonly doubt?: CarrierRefusal
      /** The age of the attempt when the doubt arose, in milliseconds. */
      readonly doubtedAtAgeMs?: number
      readonly unsent?: number
      /** The carrier has accepted the cancellation for later. */
      readonly isLater?: boolean
      /** Only a lookup says that the carrier has cancelled it. */
      readonly isFound?: boolean
    }
  >
>

export interface ShipmentTableRows {
  shipment: {
    shipment_id: string
    account_id: string
    state: Generated<ShipmentState>
    product_id: number
    carrier_code: string
    carrier_ref: string | null
    parcel_refs: string[] | null
    cancelled_refs: string[] | null
    carrier_order_ref: string | null
    from_country: string
    from_zipcode: string | null
    from_city: string | null
    to_country: string
    to_zipcode: string | null
    to_city: string | null
    parcel_type: ParcelType
    parcels: JSONColumnType<readonly Parcel[]>
    recipient: Recipient
    insured_value_cents: number | null
    price_cents: number
    tariff_version: string
    created_at: Generated<Date>
    booked_at: Date | null
    cancelled_at: Date | null
    delivered_at: Date | null
    erased_at: Date | null
    cancel_refused_at: Date | null
    cancel_refusal: string | null
    cancel_refusal_code: RefusalCode | null
    cancelled_by: CancelledBy | null
    booking_until: Date | null
    booking_tries: Generated<number>
    booking_no: Generated<number>
    cancel_requested_at: Date | null
    next_track_at: Generated<Date>
    version: Generated<number>
    reference: string | null
    content_items: ColumnType<readonly ContentItem[] | null, string | null | undefined, string | null>
    updated_at: Date | null
    contacts: ColumnType<Contacts | null, string | null | undefined, string | null>
    // Sizes of `parcels`, `content_items` and `contacts`, set by the database. Null in rows from before migration 011.
    parcel_rows: GeneratedAlways<number | null>
    item_count: GeneratedAlways<number | null>
    quantity_count: GeneratedAlways<number | null>
    content_bytes: GeneratedAlways<number | null>
    lineage: Generated<string | null>
    services: Generated<readonly Service[]>
    service_inputs: ColumnType<ServiceInputs | null, string | null | undefined, string | null>
  }
  /** Idempotency keys of drafts. See migrations/016-checkout.ts. */
  draft_key: {
    account_id: string
    idempotency_key: string
    input_digest: Buffer
    shipment_id: string
    created_at: Generated<Date>
  }
  cancel_attempt: {
    attempt_id: Generated<string>
    shipment_id: string
    account_id: string
    carrier_code: string
    phase: Generated<CancelAttemptPhase>
    fence: Generated<number>
    sends: Generated<number>
    begun_at: Generated<Date>
    lease_owner: string | null
    lease_until: Date
    next_try_at: Date
    verify_at: Date | null
    settled_at: Date | null
    reason: string | null
    refusal_code: RefusalCode | null
    carrier_refusal_code: string | null
    last_cause: string | null
    lookups: Generated<number>
    promised: Generated<boolean>
    doubt_code: RefusalCode | null
    doubt_reason: string | null
    doubt_carrier_code: string | null
    doubted_at: Date | null
    parcels: ColumnType<ParcelRecords | null, string | null | undefined, string | null>
    alerted_at: Date | null
    anomaly: string | null
    trace_parent: string | null
    operator: string | null
    operator_outcome: 'cancelled' | 'refused' | null
    operator_reason: string | null
    operator_at: Date | null
    partly_alerted_at: Date | null
  }
  lookup_report: {
    shipment_id: string
    account_id: string
    carrier_code: string
    reported: 'cancelled' | 'scanned'
    reported_at: Generated<Date>
    carrier_ref: string | null
    verify_at: Date | null
    lookups: Generated<number>
    contradiction: string | null
    contradicted_at: Date | null
  }
  /** When booked parcels are next looked up. Written by triggers and claims. See migrations/034-growth-indexes.ts. */
  lookup_schedule: {
    account_id: string
    shipment_id: string
    carrier_code: string
    due_at: Date
    in_transit: Generated<boolean>
    since: Generated<Date>
  }
  /** Shipments that were scanned although they are cancelled. Written by triggers. */
  scan_anomaly: {
    account_id: string
    shipment_id: string
    carrier_code: string
    at: Date
  }
  /** What is left of shipments that were archived. See migrations/043-archive.ts and 055-booked-archive.ts. */
  archived_shipment: {
    account_id: string
    shipment_id: string
    state: Exclude<ShipmentState, 'draft'>
    cancelled_by: CancelledBy | null
    was_booked: boolean
    archived_at: Generated<Date>
  }
  /** What operators have added by hand. See migrations/044-corrections.ts. */
  shipment_correction: {
    correction_id: Generated<number>
    account_id: string
    shipment_id: string
    carrier_code: string
    corrected_at: Generated<Date>
    field: 'carrier_order_ref' | 'parcel_refs'
    added: string[]
    operator: string
    system_user_name: string
  }
  attempt_decision: {
    decision_id: Generated<number>
    attempt_id: string
    shipment_id: string
    account_id: string
    carrier_code: string
    decided_at: Generated<Date>
    outcome: 'cancelled' | 'refused'
    operator: string
    system_user_name: string | null
    reason: string
    is_reversal: Generated<boolean>
  }
  shipment_event: {
    event_id: Generated<number>
    account_id: string
    shipment_id: string
    at: Generated<Date>
    from_state: ShipmentState | null
    to_state: ShipmentState
    attempt_id: string | null
  }
  recovery_point: {
    recovery_id: Generated<number>
    follows: number | null
    noticed_at: Generated<Date>
    cause: 'first' | 'failover' | 'restore' | 'operator'
    timeline: string
    origin: string
    lineage: string
  }
  carrier_scan: {
    carrier_code: string
    event_id: string
    carrier_ref: string
    occurred_at: Date
    received_at: Generated<Date>
    shipment_id: string | null
    is_delivery: Generated<boolean>
    /** Empty as long as no shipment with the number is known. */
    account_id: Generated<string>
    /** How often it was received. */
    receipts: Generated<number>
  }
  /** The shipments that have a number, over all accounts. Triggers write it. See migrations/040-carrier-numbers.ts. */
  carrier_number: {
    carrier_code: string
    carrier_ref: string
    account_id: string
    shipment_id: string
    created_at: Date
  }
}

/** The columns that `shipmentOf` reads. */
export const SHIPMENT_COLUMNS = [
  'shipment_id',
  'state',
  'product_id',
  'carrier_code',
  'carrier_ref',
  'parcel_refs',
  'reference',
  'from_country',
  'from_zipcode',
  'from_city',
  'to_country',
  'to_zipcode',
  'to_city',
  'price_cents',
  'tariff_version',
  'created_at',
  'booked_at',
  'updated_at',
  'cancelled_at',
  'delivered_at',
  'cancel_requested_at',
  'contacts',
  'services',
  'service_inputs',
] as const

export type ShipmentRow = Pick<Selectable<ShipmentTableRows['shipment']>, (typeof SHIPMENT_COLUMNS)[number]>

export function shipmentOf(row: ShipmentRow): Shipment {
  return {
    shipmentId: row.shipment_id,
    state: row.state,
    productId: row.product_id,
    carrierCode: row.carrier_code,
    ...(row.carrier_ref !== null && { carrierRef: row.carrier_ref }),
    ...(row.parcel_refs !== null && { parcelRefs: row.parcel_refs }),
    ...(row.reference !== null && { reference: row.reference }),
    from: placeOf(row.from_country, row.from_zipcode, row.from_city),
    to: placeOf(row.to_country, row.to_zipcode, row.to_city),
    priceCents: row.price_cents,
    ...rateCardVersionOf(row.tariff_version),
    createdAt: row.created_at.toISOString(),
    ...(row.booked_at !== null && { bookedAt: row.booked_at.toISOString() }),
    updatedAt: (row.updated_at ?? row.cancelled_at ?? row.booked_at ?? row.created_at).toISOString(),
    ...(row.cancelled_at !== null && { cancelledAt: row.cancelled_at.toISOString() }),
    ...(row.delivered_at !== null && { deliveredAt: row.delivered_at.toISOString() }),
    ...(row.cancel_requested_at !== null && { cancelRequestedAt: row.cancel_requested_at.toISOString() }),
    ...(row.contacts !== null && { contacts: row.contacts }),
    ...(row.services.length > 0 && { services: row.services }),
    ...(row.service_inputs !== null && { serviceInputs: row.service_inputs }),
  }
}

/** Reads the text that `versionText` makes, such as "demo@1". Imported shipments have no version. */
function rateCardVersionOf(text: string): Pick<Shipment, 'rateCardVersion'> {
  const [, code, versionNo] = /^(.+)@(\d+)$/.exec(text) ?? []
  return code === undefined ? {} : { rateCardVersion: { code, versionNo: Number(versionNo) } }
}

/** A row as PostgreSQL converts it to JSON: times are ISO 8601 with an offset. */
export type ShipmentJson = {
  [Column in keyof ShipmentRow]: ShipmentRow[Column] extends Date
    ? string
    : ShipmentRow[Column] extends Date | null
      ? string | null
      : ShipmentRow[Column]
}

export function shipmentOfJson(json: ShipmentJson): Shipment {
  return shipmentOf({
    ...json,
    created_at: new Date(json.created_at),
    booked_at: dateOf(json.booked_at),
    updated_at: dateOf(json.updated_at),
    cancelled_at: dateOf(json.cancelled_at),
    delivered_at: dateOf(json.delivered_at),
    cancel_requested_at: dateOf(json.cancel_requested_at),
  })
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}

export function placeOf(country: string, zipcode: string | null, city: string | null): Shipment['from'] {
  return { country, ...(zipcode !== null && { zipcode }), ...(city !== null && { city }) }
}

/** The columns of a shipment that is looked up. It has a number. */
export type LookupRow = Pick<
  Selectable<ShipmentTableRows['shipment']>,
  'shipment_id' | 'account_id' | 'carrier_code' | 'parcel_refs' | 'cancelled_refs' | 'carrier_order_ref'
> & {
  carrier_ref: string
  /** When the shipment was booked, or else created. */
  booked_since: Date
}

/** Numbers that the carrier has cancelled are not looked up. */
export function lookupOf(row: LookupRow): Lookup {
  const left = row.parcel_refs?.filter((number) => row.cancelled_refs?.includes(number) !== true)
  return {
    shipmentId: row.shipment_id,
    accountId: row.account_id,
    carrierCode: row.carrier_code,
    carrierRef: row.carrier_ref,
    bookedAt: row.booked_since.toISOString(),
    ...(row.carrier_order_ref !== null && { orderRef: row.carrier_order_ref }),
    ...(left !== undefined && left.length > 0 && { parcelRefs: left }),
  }
}
