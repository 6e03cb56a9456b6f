/**
 * Seeds and resets the demo data, and keeps its public secrets out of production databases. Only these functions insert
 * demo data. The first start in production marks the database in the row of `production_use`. A marked database refuses
 * demo data regardless of the settings of the process. Seeds, resets and production starts lock that row first, so demo
 * data and a production mark cannot be written at the same time. See docs/operations.md#production-databases.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import type { FuelRate, RateCardImport } from '../../core/rating/rate-card.ts'
import { readDemoRateBook } from '../../reference/rate-cards/rate-card-csv.ts'
import { type Database, inTransaction, OperatorError } from '../database/database.ts'
import { changeRevisioned, RATE_BOOK } from '../database/revision.ts'
import { numberEvents } from '../events/event-log.ts'
import {
  hashContent,
  hashStoredVersion,
  mergeShared,
  type NewRateCard,
  writeDraft,
} from '../rate-cards/draft.ts'
import { listFuelRates, revokeFuelRate } from '../rate-cards/fuel.ts'
import { publishDraft, rollBackTo } from '../rate-cards/versions.ts'
import {
  demoSecretsPresent,
  resetDemoAccounts,
  resetDemoShipments,
  seedDemoAccounts,
  seedDemoShipments,
} from './accounts.ts'

/** Adds missing demo data. Throws OperatorError if the database was used in production. */
export function seedDemo(db: Kysely<Database>): Promise<void> {
  return changeDemo(db, [seedDemoAccounts, seedDemoRateBook, seedDemoShipments])
}

/** Restores the demo data. Throws OperatorError if the database was used in production. */
export function resetDemo(db: Kysely<Database>): Promise<void> {
  return changeDemo(db, [resetDemoAccounts, resetDemoRateBook, resetDemoShipments])
}

/** Runs the steps in one transaction, in this order. */
async function changeDemo(
  db: Kysely<Database>,
  steps: readonly ((trx: Transaction<Database>) => Promise<void>)[],
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await refuseProductionDatabase(trx)
    for (const step of steps) await step(trx)
    // So that a client that connects right after the start gets no events of demo data.
    await numberEvents(trx)
  })
}

/**
 * Marks the database as used in production. Throws without marking it if a demo secret is valid. A development database
 * that is started in production mode by mistake can therefore still be used for development.
 */
export async function markProductionUse(db: Kysely<Database>): Promise<void> {
  // READ COMMITTED, because the check must see what was committed while this transaction waited for the lock.
  await db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (trx) => {
      // Waits for transactions that insert demo data.
      await sql`
        INSERT INTO production_use (since) VALUES (clock_timestamp())
        ON CONFLICT (only_row) DO UPDATE SET since = coalesce(production_use.since, excluded.since)`.execute(
        trx,
      )
      if (await demoSecretsPresent(trx)) throw new Error(DEMO_SECRETS)
    })
}

const DEMO_SECRETS = 'production refuses this database: it contains demo accounts, whose secrets are public'
const USED_IN_PRODUCTION =
  'demo data is refused because the database was used in production: the demo secrets are public'

/** Why a service with these settings would not start on the database. Undefined if it would. Changes nothing. */
export async function demoRefusal(
  db: Kysely<Database>,
  { production, demoData }: { readonly production: boolean; readonly demoData: boolean },
): Promise<string | undefined> {
  if (production && (await demoSecretsPresent(db))) return DEMO_SECRETS
  if (demoData && isMarked(await productionUse(db).executeTakeFirst())) return USED_IN_PRODUCTION
  return undefined
}

function productionUse(db: Kysely<Database>) {
  return db.selectFrom('production_use').select('since')
}

/** A missing row counts as marked. */
function isMarked(row: { readonly since: Date | null } | undefined): boolean {
  return row === undefined || row.since !== null
}

/**
 * Throws OperatorError if the database is marked. Call it first in a transaction that inserts demo data: a production
 * start waits until that transaction ends.
 */
export async function refuseProductionDatabase(trx: Transaction<Database>): Promise<void> {
  if (isMarked(await productionUse(trx).forUpdate().executeTakeFirst()))
    throw new OperatorError(USED_IN_PRODUCTION)
}

// The demo rate book: six invented carriers, published as the card "demo". Published versions cannot change, so a reset
// rolls back to a version with the shipped content, or publishes that content as a new version.

const DEMO_CARD = 'demo'
const VALID_FROM = '2026-01-01'
const ACCOUNTS = ['demo-shop', 'other-shop']

type Note = (what: string) => void

/**
 * Publishes the demo rate book unless the card has a version. If several processes start at the same time, only one
 * publishes.
 */
export async function seedDemoRateBook(db: Kysely<Database>): Promise<void> {
  await changeRevisioned(db, RATE_BOOK, async (trx, note) => {
    const present = await trx
      .selectFrom('rate_card_version')
      .select('version_id')
      .where('rate_card_code', '=', DEMO_CARD)
      .executeTakeFirst()
    if (present === undefined) await publishShipped(trx, readDemoRateBook(), note)
  })
}

/**
 * Restores the shipped rate book, carriers and fuel rates. Deletes drafts of the demo card, and contracts, turnovers
 * and margins of the demo accounts.
 */
export async function resetDemoRateBook(db: Kysely<Database>): Promise<void> {
  const shipped = readDemoRateBook()
  await changeRevisioned(db, RATE_BOOK, async (trx, note) => {
    await trx
      .deleteFrom('rate_card_version')
      .where('rate_card_code', '=', DEMO_CARD)
      .where('status', '=', 'draft')
      .execute()
    await removeContracts(trx, note)
    await resetVersion(trx, shipped, note)
    await mergeShared(trx, shipped, note)
    await revokeOtherFuel(trx, shipped, note)
  })
}

async function publishShipped(trx: Transaction<Database>, card: RateCardImport, note: Note): Promise<void> {
  await publishDraft(trx, await writeDraft(trx, cardOf(card)), note)
}

function cardOf(card: RateCardImport): NewRateCard {
  return { code: DEMO_CARD, name: 'Demo rate book', audience: 'everyone', validFrom: VALID_FROM, card }
}

/** Turnovers and margins of the demo accounts too. */
async function removeContracts(trx: Transaction<Database>, note: Note): Promise<void> {
  for (const table of ['contract', 'contract_turnover', 'margin'] as const) {
    const removed = await trx
      .deleteFrom(table)
      .where('account_id', 'in', ACCOUNTS)
      .returning('account_id')
      .execute()
    const what = { contract: 'contracts', contract_turnover: 'turnovers', margin: 'margins' }[table]
    if (removed.length > 0) note(`removed ${removed.length} ${what} of the demo accounts`)
  }
}

/** Does nothing if the newest published version has the shipped content and dates. */
async function resetVersion(trx: Transaction<Database>, shipped: RateCardImport, note: Note): Promise<void> {
  const versions = await trx
    .selectFrom('rate_card_version')
    .select(['version_id', 'version_no', 'status', 'content_hash'])
    .select(sql<boolean>`valid_from = ${VALID_FROM} AND valid_to IS NULL`.as('hasShippedDates'))
    .where('rate_card_code', '=', DEMO_CARD)
    .orderBy('version_no', 'desc')
    .execute()
  await trx
    .updateTable('rate_card')
    .set({ name: 'Demo rate book' })
    .where('rate_card_code', '=', DEMO_CARD)
    .execute()
  const shippedHash = hashContent(shipped.content)
  const newest = versions.find(({ status }) => status === 'published')
  const candidates = newest === undefined ? versions : [newest, ...versions]
  for (const { version_id, version_no, content_hash, hasShippedDates } of candidates) {
    const hash = content_hash ?? (await hashStoredVersion(trx, version_id))
    if (!hasShippedDates || hash !== shippedHash) continue
    if (version_no !== newest?.version_no) await rollBackTo(trx, DEMO_CARD, version_no, note)
    return
  }
  await publishShipped(trx, shipped, note)
}

async function revokeOtherFuel(
  trx: Transaction<Database>,
  { carriers, fuel }: RateCardImport,
  note: Note,
): Promise<void> {
  const rateName = ({ carrierCode, code, validFrom }: FuelRate): string =>
    `${carrierCode} ${code} ${validFrom}`
  const shipped = new Set(fuel.map(rateName))
  const demoCarriers = new Set(carriers.map(({ code }) => code))
  for (const rate of await listFuelRates(trx))
    if (demoCarriers.has(rate.carrierCode) && !shipped.has(rateName(rate)))
      await revokeFuelRate(trx, rate, note)
}
