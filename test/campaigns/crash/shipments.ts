/**
 * Plans the shipments of a campaign from the seed (callers, patience, behaviour of the carrier) and inserts
 * them.
 */
import type { Dice } from '../../support/random/seeded-dice.ts'
import type { CampaignDatabase } from './database.ts'
import type { NewParcel } from './processes/carrier-truth.ts'

/** API key by account. */
export const KEYS = { 'demo-shop': 'demo@demo-secret', 'other-shop': 'other@other-secret' } as const

export type AccountId = keyof typeof KEYS

export type CallerPlan = {
  readonly accountId: AccountId
  readonly ask: 'cancel' | 'book'
  readonly door: 'rest' | 'graphql'
  /** Milliseconds after the batch began. */
  readonly startMs: number
  /** Gives up after this time; absent: repeats until it has an answer. */
  readonly givesUpMs?: number
  /** Never repeats its request, whatever the answer. */
  readonly asksOnce?: boolean
}

/** A shipment with its carrier's behaviour and its callers. */
export type ShipmentPlan = {
  readonly shipmentId: string
  readonly accountId: AccountId
  /** `control`: no caller. `strangers`: only callers of the other account. `booking`: a draft that is booked. */
  readonly kind: 'booked' | 'draft' | 'booking' | 'control' | 'strangers'
  /** Empty for drafts and bookings. */
  readonly parcels: readonly NewParcel[]
  readonly callers: readonly CallerPlan[]
}

/** Returns the next plan at each call. */
export function shipmentPlanner(dice: Dice, everybodyGivesUp: boolean): () => ShipmentPlan {
  let count = 0
  return () => {
    count += 1
    const shipmentId = `crash_${count}`
    const accountId: AccountId = dice.chance(0.7) ? 'demo-shop' : 'other-shop'
    const percent = everybodyGivesUp ? 0 : dice.int(0, 99)
    const kind = kindOf(percent)
    const isDraft = kind === 'draft' || kind === 'booking' || (kind !== 'booked' && dice.chance(0.3))
    const parcels = isDraft ? [] : planParcels(dice, count, kind, everybodyGivesUp)
    const callers = planCallers(dice, kind, accountId, {
      everybodyGivesUp,
      nobodyWaits: mayEndPartly(parcels),
    })
    return { shipmentId, accountId, kind, parcels, callers }
  }
}

function kindOf(percent: number): ShipmentPlan['kind'] {
  if (percent < 66) return 'booked'
  if (percent < 76) return 'draft'
  if (percent < 88) return 'booking'
  return percent < 94 ? 'control' : 'strangers'
}

/** A third of the booked shipments have two to four parcels. Half of these can only be cancelled as a whole. */
function planParcels(
  dice: Dice,
  count: number,
  kind: ShipmentPlan['kind'],
  everybodyGivesUp: boolean,
): NewParcel[] {
  const isOne = everybodyGivesUp || dice.chance(0.67)
  if (isOne) return [planParcel(dice, `CRASH-${count}`, kind === 'booked' && !everybodyGivesUp, 0.12)]
  const isRefusable = kind === 'booked' && dice.chance(0.5)
  return Array.from({ length: dice.int(2, 4) }, (_unused, index) =>
    planParcel(dice, `CRASH-${count}-${index + 1}`, isRefusable, 0.3),
  )
}

/** Callers of a partly cancelled shipment never get a final answer. */
function mayEndPartly(parcels: readonly NewParcel[]): boolean {
  const isRefusable = ({ fate, scanAfterMs }: NewParcel) =>
    fate === 'window-closed' || scanAfterMs !== undefined
  return parcels.length > 1 && parcels.some(isRefusable)
}

function planParcel(dice: Dice, number: string, isRefusable: boolean, closedShare: number): NewParcel {
  if (!isRefusable) return { number, fate: 'open' }
  const isClosed = dice.chance(closedShare)
  const isScanned = !isClosed && dice.chance(0.18)
  return {
    number,
    fate: isClosed ? 'window-closed' : 'open',
    // From before the first caller until the retries.
    ...(isScanned && { scanAfterMs: dice.int(0, 3_000) }),
  }
}

function planCallers(
  dice: Dice,
  kind: ShipmentPlan['kind'],
  accountId: AccountId,
  { everybodyGivesUp, nobodyWaits }: { readonly everybodyGivesUp: boolean; readonly nobodyWaits: boolean },
): CallerPlan[] {
  if (kind === 'control') return []
  const stranger: AccountId = accountId === 'demo-shop' ? 'other-shop' : 'demo-shop'
  // Nobody repeats a request, so a promise or a denial has to come true by itself.
  const asksOnce = !everybodyGivesUp && dice.chance(0.25)
  const isAbandoned = everybodyGivesUp || nobodyWaits || dice.chance(0.25)
  const caller = (whose: AccountId, ask: CallerPlan['ask'], latestMs: number): CallerPlan => ({
    accountId: whose,
    ask,
    door: ask === 'book' || dice.chance(0.4) ? 'graphql' : 'rest',
    startMs: dice.int(0, latestMs),
    ...(asksOnce ? { asksOnce } : (isAbandoned || dice.chance(0.5)) && { givesUpMs: dice.int(50, 3_000) }),
  })
  if (kind === 'strangers')
    return Array.from({ length: dice.int(1, 3) }, () => caller(stranger, 'cancel', 300))
  // Some callers come at the same moment, others a little later, to get both concurrent requests and repeats.
  const latestMs = dice.pick([0, 30, 400, 2_000])
  const cancels = kind === 'booking' ? dice.int(0, 2) : dice.int(1, 4)
  return [
    ...Array.from({ length: cancels }, () => caller(accountId, 'cancel', latestMs)),
    ...Array.from({ length: kind === 'booking' ? dice.int(1, 2) : 0 }, () =>
      caller(accountId, 'book', latestMs),
    ),
    ...(dice.chance(0.25) ? [caller(stranger, 'cancel', 600)] : []),
  ]
}

/** Inserts shipments with their events. Skips those that exist, so that it can be repeated. */
export async function insertShipments(
  database: Pick<CampaignDatabase, 'query'>,
  plans: readonly Pick<ShipmentPlan, 'shipmentId' | 'accountId' | 'parcels'>[],
  carrierCode = 'rondeel',
): Promise<void> {
  // A comma separates the numbers of one shipment, because PostgreSQL flattens lists of lists.
  const numbers = plans.map(({ parcels }) => parcels.map(({ number }) => number).join(','))
  await database.query(
    `WITH given AS (
      SELECT shipment_id, account_id, refs, refs[1] AS carrier_ref
        FROM unnest($1::text[], $2::text[], $3::text[]) AS g (shipment_id, account_id, numbers),
          LATERAL (SELECT string_to_array(nullif(numbers, ''), ',') AS refs) AS split
    ), added AS (
      INSERT INTO shipment (shipment_id, account_id, state, product_id, carrier_code, carrier_ref, parcel_refs,
          from_country, from_zipcode, from_city, to_country, to_zipcode, to_city, parcel_type, parcels, recipient, price_cents,
          tariff_version, booked_at, next_track_at, version)
        SELECT shipment_id, account_id, CASE WHEN carrier_ref IS NULL THEN 'draft' ELSE 'booked' END, 1201,
            $4, carrier_ref, CASE WHEN cardinality(refs) > 1 THEN refs END, 'NL', '1012 LG', 'Amsterdam', 'DE', '10115', 'Berlin', 'NONDOC', '[]',
            'business', 985, 'demo@1', CASE WHEN carrier_ref IS NOT NULL THEN clock_timestamp() END,
            clock_timestamp() + random() * interval '60 s', CASE WHEN carrier_ref IS NULL THEN 1 ELSE 2 END
          FROM given
        ON CONFLICT DO NOTHING
        RETURNING account_id, shipment_id, state
    )
    INSERT INTO shipment_event (account_id, shipment_id, from_state, to_state)
      SELECT account_id, shipment_id, h.from_state, h.to_state FROM added
        JOIN (VALUES (1, NULL, 'draft'), (2, 'draft', 'booked')) AS h (step, from_state, to_state)
          ON h.step = 1 OR added.state = 'booked'
        ORDER BY shipment_id, h.step`,
    [
      plans.map(({ shipmentId }) => shipmentId),
      plans.map(({ accountId }) => accountId),
      numbers,
      carrierCode,
    ],
  )
}
