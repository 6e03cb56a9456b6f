/**
 * The two demo accounts and their shipments: one in each state, one whose carrier refuses to cancel, one whose carrier
 * confirms a cancellation only after some tries, one of the other account. The secrets of the accounts are in the
 * documentation, so production refuses them. The shipments need the demo rate book.
 */
import { randomBytes } from 'node:crypto'
import { type Insertable, type Kysely, sql } from 'kysely'
import type { ShipmentState } from '../../core/shipments/shipment.ts'
import { DEMO_KEYS, digestOf } from '../accounts/credentials.ts'
import { type Database, inTransaction } from '../database/database.ts'
import type { ShipmentTableRows } from '../row-types/shipments.ts'

/** The account id of Demo Shop. */
export const DEMO_ACCOUNT = DEMO_KEYS[0].accountId

/** The X-PP-API value of Demo Shop. */
export const DEMO_CREDENTIALS = `${DEMO_KEYS[0].keyId}@${DEMO_KEYS[0].secret}`

/** Adds missing demo accounts, keys and secrets. Call through `seedDemo`, which checks for a production database. */
export async function seedDemoAccounts(db: Kysely<Database>): Promise<void> {
  for (const { accountId, accountName: name, keyId, secret } of DEMO_KEYS) {
    await db
      .insertInto('account')
      .values({ account_id: accountId, name })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await db
      .insertInto('api_key')
      .values({ key_id: keyId, account_id: accountId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await db
      .insertInto('api_secret')
      .values({ key_id: keyId, digest: digestOf(secret) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Restores the settings, keys and secrets of the demo accounts. Call through `resetDemo`. */
export async function resetDemoAccounts(db: Kysely<Database>): Promise<void> {
  await seedDemoAccounts(db)
  for (const { accountId, accountName: name, keyId, secret } of DEMO_KEYS) {
    await db
      .updateTable('account')
      .set({ name, transit_form: 'single', price_breakdown: true, count_averages: true })
      .where('account_id', '=', accountId)
      .execute()
    await db.updateTable('api_key').set({ revoked_at: null }).where('key_id', '=', keyId).execute()
    await db
      .updateTable('api_secret')
      .set({ revoked_at: null })
      .where('key_id', '=', keyId)
      .where('digest', '=', digestOf(secret))
      .execute()
  }
}

/** Whether a demo secret is valid for any key. */
export async function demoSecretsPresent(db: Kysely<Database>): Promise<boolean> {
  const live = await db
    .selectFrom('api_secret as secret')
    .innerJoin('api_key as key', 'key.key_id', 'secret.key_id')
    .select('secret.secret_id')
    .where(
      'secret.digest',
      'in',
      DEMO_KEYS.map(({ secret }) => digestOf(secret)),
    )
    .where('secret.revoked_at', 'is', null)
    .where('key.revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return live !== undefined
}

type NewRow = Insertable<ShipmentTableRows['shipment']>

/** One parcel of 5 kg with Rondeel Classic from Amsterdam to Berlin. */
const COMMON = {
  product_id: 1201,
  carrier_code: 'rondeel',
  carrier_ref: null,
  from_country: 'NL',
  from_zipcode: '1012 LG',
  from_city: 'Amsterdam',
  to_country: 'DE',
  to_zipcode: '10115',
  to_city: 'Berlin',
  parcel_type: 'NONDOC',
  parcels: JSON.stringify([
    { count: 1, weightGrams: 5000, lengthCm: 40, widthCm: 30, heightCm: 20, stackable: false },
  ]),
  recipient: 'business',
  insured_value_cents: null,
  price_cents: 985,
  tariff_version: 'demo@1',
} as const satisfies Partial<NewRow>

const BRUSSELS = { to_country: 'BE', to_zipcode: '1000', to_city: 'Brussels', price_cents: 895 } as const
const PARIS = { to_country: 'FR', to_zipcode: '75001', to_city: 'Paris', price_cents: 1240 } as const

/** A demo shipment, created so many hours before it is added. */
type DemoShipment = NewRow & { readonly hoursAgo: number; readonly cancelledHoursAgo?: number }

const SHIPMENTS: readonly DemoShipment[] = [
  { ...COMMON, hoursAgo: 1, shipment_id: 'demo-draft', account_id: 'demo-shop' },
  {
    ...COMMON,
    ...BRUSSELS,
    hoursAgo: 19,
    shipment_id: 'demo-booked',
    account_id: 'demo-shop',
    state: 'booked',
    carrier_ref: 'SBX-OK-DEMO',
  },
  {
    ...COMMON,
    ...PARIS,
    hoursAgo: 22,
    shipment_id: 'demo-slow',
    account_id: 'demo-shop',
    state: 'booked',
    carrier_ref: 'SBX-503-TWICE-DEMO',
  },
  {
    ...COMMON,
    ...PARIS,
    hoursAgo: 46,
    shipment_id: 'demo-refused',
    account_id: 'demo-shop',
    state: 'booked',
    carrier_ref: 'SBX-WINDOW-CLOSED-DEMO',
  },
  {
    ...COMMON,
    hoursAgo: 73,
    shipment_id: 'demo-in-transit',
    account_id: 'demo-shop',
    state: 'in_transit',
    carrier_ref: 'SBX-SCANNED-DEMO',
  },
  {
    ...COMMON,
    ...BRUSSELS,
    hoursAgo: 94,
    shipment_id: 'demo-cancelled',
    account_id: 'demo-shop',
    state: 'cancelled',
    cancelledHoursAgo: 93,
  },
  {
    ...COMMON,
    ...PARIS,
    hoursAgo: 16,
    shipment_id: 'other-booked',
    account_id: 'other-shop',
    state: 'booked',
    carrier_ref: 'SBX-OK-OTHER',
  },
]

const ACCOUNTS = DEMO_KEYS.map(({ accountId }) => accountId)

const HOUR_MS = 3_600_000

/** The row, with times before now. The price of a draft ends some days after its creation, so no time is fixed. */
function rowOf({
  hoursAgo,
  cancelledHoursAgo,
  ...row
}: DemoShipment): NewRow & { readonly created_at: Date } {
  const before = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS)
  const created_at = before(hoursAgo)
  return {
    ...row,
    created_at,
    booked_at: row.carrier_ref == null ? null : created_at,
    cancelled_at: cancelledHoursAgo === undefined ? null : before(cancelledHoursAgo),
  }
}

/** Adds missing demo shipments with their state changes. */
export function seedDemoShipments(db: Kysely<Database>): Promise<void> {
  return addMissing(db, SHIPMENTS)
}

async function addMissing(db: Kysely<Database>, shipments: readonly DemoShipment[]): Promise<void> {
  await inTransaction(db, async (trx) => {
    for (const shipment of shipments.map(rowOf)) {
      const added = await trx
        .insertInto('shipment')
        .values(shipment)
        .onConflict((conflict) => conflict.doNothing())
        .returning('shipment_id')
        .executeTakeFirst()
      if (added === undefined) continue
      const states = historyOf(shipment)
      await trx
        .insertInto('shipment_event')
        .values(
          states.map((to_state, index) => ({
            account_id: shipment.account_id,
            shipment_id: shipment.shipment_id,
            at: (to_state === 'cancelled' ? shipment.cancelled_at : undefined) ?? shipment.created_at,
            from_state: states[index - 1] ?? null,
            to_state,
          })),
        )
        .execute()
    }
  })
}

function historyOf({ state, carrier_ref }: NewRow): ShipmentState[] {
  const booked: ShipmentState[] = carrier_ref == null ? ['draft'] : ['draft', 'booked']
  return state === undefined || booked.includes(state) ? booked : [...booked, state]
}

/**
 * Deletes all shipments of the demo accounts and adds the demo shipments. They get new tracking numbers, because the
 * carrier may have cancelled the old ones.
 */
export async function resetDemoShipments(db: Kysely<Database>): Promise<void> {
  const parcel = randomBytes(4).toString('hex').toUpperCase()
  await sql`DELETE FROM shipment WHERE account_id = ANY (${ACCOUNTS}::text[])`.execute(db)
  await addMissing(
    db,
    SHIPMENTS.map((row) =>
      row.carrier_ref == null ? row : { ...row, carrier_ref: `${row.carrier_ref}-${parcel}` },
    ),
  )
}
