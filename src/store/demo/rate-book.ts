/**
 * The demo rate book: six invented carriers, published as the card "demo". Published versions cannot change, so a reset
 * rolls back to a version with the shipped content, or publishes that content as a new version.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import type { FuelRate, RateCardImport } from '../../core/rating/rate-card.ts'
import { readDemoRateBook } from '../../reference/rate-cards/rate-card-csv.ts'
import type { Database } from '../database/database.ts'
import { changeRevisioned, RATE_BOOK } from '../database/revision.ts'
import {
  hashContent,
  hashStoredVersion,
  mergeShared,
  type NewRateCard,
  writeDraft,
} from '../rate-cards/draft.ts'
import { listFuelRates, revokeFuelRate } from '../rate-cards/fuel.ts'
import { publishDraft, rollBackTo } from '../rate-cards/versions.ts'

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
 * Restores the shipped rate book, carriers and fuel rates. Deletes drafts of the demo card and contracts of the demo
 * accounts.
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

async function removeContracts(trx: Transaction<Database>, note: Note): Promise<void> {
  const removed = await trx
    .deleteFrom('contract')
    .where('account_id', 'in', ACCOUNTS)
    .returning('account_id')
    .execute()
  if (removed.length > 0) note(`removed ${removed.length} contracts of the demo accounts`)
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
