/**
 * Versions of rate cards as operators change them: draft → published → withdrawn, and back to published by a
 * rollback. Decided here: nothing is published that the whole book cannot be compiled with, and what an import
 * says of the card's name, of carriers, capitals and fuel counts once, at its first publication.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import { sharedChanges } from '../../core/rate-card-review/difference/card-difference.ts'
import { type CardAudience, type RateCardImport, versionText } from '../../core/rating/rate-card.ts'
import { type Database, OperatorError } from '../database/database.ts'
import { changeRevisioned, RATE_BOOK } from '../database/revision.ts'
import type { SharedRows, VersionStatus } from '../tables/rate-book.ts'
import {
  hashOfStored,
  mergeShared,
  type NewRateCard,
  type Progress,
  readContent,
  type VersionName,
  writeDraft,
} from './draft.ts'
import { loadRateBook } from './rate-book.ts'

export type { NewRateCard, VersionName } from './draft.ts'

/** A version of a rate card, for operators. Days are 'YYYY-MM-DD', times ISO 8601 in UTC. */
export type RateCardVersion = VersionName & {
  /** Such as "demo@2". */
  readonly version: string
  /** How the card is called; of a draft, how it will be. */
  readonly name: string
  readonly audience: CardAudience
  readonly status: VersionStatus
  readonly validFrom: string
  /** The first day it no longer prices. */
  readonly validTo: string | null
  /** When it was first published. */
  readonly publishedAt: string | null
  readonly withdrawnAt: string | null
  /** SHA-256 of what it holds; null for drafts, and for what was published before there were hashes. */
  readonly hash: string | null
  readonly products: number
  readonly prices: number
}

/** The versions of all rate cards, or of one; newest first within a card. */
export async function listRateCards(db: Kysely<Database>, code?: string): Promise<RateCardVersion[]> {
  const rows = await db
    .selectFrom('rate_card_version as v')
    .innerJoin('rate_card as c', 'c.rate_card_code', 'v.rate_card_code')
    .select(['v.rate_card_code', 'v.version_no', 'c.audience', 'v.status', 'v.valid_from'])
    .select(['v.valid_to', 'v.published_at', 'v.withdrawn_at', 'v.content_hash'])
    .select(sql<string>`coalesce(case v.status when 'draft' then v.shared ->> 'name' end, c.name)`.as('name'))
    .select(sql<number>`(select count(*) from product p where p.version_id = v.version_id)`.as('products'))
    .select(sql<number>`(select count(*) from zone_price p where p.version_id = v.version_id)`.as('prices'))
    .$if(code !== undefined, (query) => query.where('v.rate_card_code', '=', code!))
    .orderBy('v.rate_card_code')
    .orderBy('v.version_no', 'desc')
    .execute()
  return rows.map((row) => ({
    version: `${row.rate_card_code}@${row.version_no}`,
    code: row.rate_card_code,
    versionNo: row.version_no,
    name: row.name,
    audience: row.audience,
    status: row.status,
    validFrom: row.valid_from,
    validTo: row.valid_to,
    publishedAt: row.published_at?.toISOString() ?? null,
    withdrawnAt: row.withdrawn_at?.toISOString() ?? null,
    hash: row.content_hash,
    products: row.products,
    prices: row.prices,
  }))
}

/**
 * Writes a card as its next version, a draft, all or nothing. Rows go in by chunks; `onProgress` is told of each.
 * Throws OperatorError when the card was published for another audience, and an error of the database when a row
 * breaks one of its rules.
 */
export async function importRateCard(
  db: Kysely<Database>,
  card: NewRateCard,
  onProgress?: Progress,
): Promise<VersionName> {
  return db.transaction().execute((trx) => writeDraft(trx, card, onProgress))
}

/**
 * Publishes a draft. Throws OperatorError when it is none, or when the book does not hold together with it (a
 * product that two cards sell to everyone, an unknown trigger); nothing is changed then.
 */
export async function publishRateCard(db: Kysely<Database>, version: VersionName): Promise<void> {
  await changeRevisioned(db, RATE_BOOK, (trx, note) => publishDraft(trx, version, note))
}

/** The same within a change of the rate book. */
export async function publishDraft(
  trx: Transaction<Database>,
  version: VersionName,
  note: (what: string) => void,
): Promise<void> {
  const { version_id, status, shared } = await lockVersion(trx, version)
  if (status === 'published') throw new OperatorError(`${versionText(version)} is published already`)
  if (status === 'withdrawn')
    throw new OperatorError(`${versionText(version)} was withdrawn: a rollback to it publishes it again`)
  await mergeShared(trx, sharedChanges(shared, await sharedOfNewest(trx, version)), note)
  await renameCard(trx, version, shared)
  await trx
    .updateTable('rate_card_version')
    .set({
      status: 'published',
      published_at: sql<Date>`clock_timestamp()`,
      content_hash: await hashOfStored(trx, version_id),
    })
    .where('version_id', '=', version_id)
    .execute()
  await loadRateBook(trx)
  note(`${versionText(version)} is published`)
}

/** What the newest published version of the card said of the shared tables; undefined when none is published. */
async function sharedOfNewest(
  trx: Transaction<Database>,
  { code }: VersionName,
): Promise<SharedRows | undefined> {
  const newest = await trx
    .selectFrom('rate_card_version')
    .select('shared')
    .where('rate_card_code', '=', code)
    .where('status', '=', 'published')
    .orderBy('version_no', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.shared
}

/** The card is called as its newly published version says. */
async function renameCard(
  trx: Transaction<Database>,
  { code }: VersionName,
  { name }: SharedRows,
): Promise<void> {
  if (name === undefined) return
  await trx.updateTable('rate_card').set({ name }).where('rate_card_code', '=', code).execute()
}

/** Withdraws a published version: it prices no day to come. Throws OperatorError when it is not published. */
export async function withdrawRateCard(db: Kysely<Database>, version: VersionName): Promise<void> {
  await changeRevisioned(db, RATE_BOOK, async (trx, note) => {
    const { version_id, status } = await lockVersion(trx, version)
    if (status !== 'published') throw new OperatorError(`${versionText(version)} is ${status}, not published`)
    await withdraw(trx, version_id)
    note(`${versionText(version)} is withdrawn`)
  })
}

/** What a rollback did: the versions it withdrew, newest first, and the one that prices in their place. */
export type Rollback = { readonly withdrawn: VersionName[]; readonly to: VersionName }

/**
 * Withdraws the published versions above version `to` (absent: the newest but one that is published), and
 * publishes that again if it was withdrawn. The card's name, carriers, capitals and fuel stay as they are. Throws OperatorError when
 * there is no such version, when it would not price (a draft, or past its last day), or is the newest already.
 */
export async function rollBackRateCard(db: Kysely<Database>, code: string, to?: number): Promise<Rollback> {
  return changeRevisioned(db, RATE_BOOK, (trx, note) => rollBackTo(trx, code, to, note))
}

/** The same within a change of the rate book. */
export async function rollBackTo(
  trx: Transaction<Database>,
  code: string,
  to: number | undefined,
  note: (what: string) => void,
): Promise<Rollback> {
  const versions = await trx
    .selectFrom('rate_card_version')
    .select(['version_id', 'version_no', 'status'])
    .select(sql<boolean>`valid_to <= (now() at time zone 'utc')::date`.as('isOver'))
    .where('rate_card_code', '=', code)
    .orderBy('version_no', 'desc')
    .forUpdate()
    .execute()
  const published = versions.filter(({ status }) => status === 'published')
  const versionNo = to ?? published[1]?.version_no
  if (versionNo === undefined) throw new OperatorError(`${code} has no earlier published version`)
  const target = { code, versionNo }
  const goal = versions.find((row) => row.version_no === versionNo)
  if (goal === undefined) throw new OperatorError(`there is no ${versionText(target)}`)
  if (goal.status === 'draft')
    throw new OperatorError(`${versionText(target)} is a draft: it was never published`)
  if (goal.isOver) throw new OperatorError(`${versionText(target)} would not price: its last day has passed`)
  const above = published.filter(({ version_no }) => version_no > versionNo)
  if (above.length === 0 && goal.status === 'published')
    throw new OperatorError(`${versionText(target)} is the newest published version already`)
  for (const { version_id } of above) await withdraw(trx, version_id)
  if (goal.status === 'withdrawn') await publishAgain(trx, goal.version_id)
  await loadRateBook(trx)
  const withdrawn = above.map(({ version_no }) => ({ code, versionNo: version_no }))
  const undone = withdrawn.length > 0 ? `, ${withdrawn.map(versionText).join(' and ')} withdrawn` : ''
  note(`${code} is rolled back to ${versionText(target)}${undone}`)
  return { withdrawn, to: target }
}

/** Deletes a draft. Throws OperatorError when it is none. */
export async function discardRateCard(db: Kysely<Database>, version: VersionName): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { version_id, status } = await lockVersion(trx, version)
    if (status !== 'draft')
      throw new OperatorError(`${versionText(version)} is ${status}: only drafts can be discarded`)
    await trx.deleteFrom('rate_card_version').where('version_id', '=', version_id).execute()
  })
}

/** What a version holds and what its import said; undefined when there is no such version. */
export async function readRateCard(
  db: Kysely<Database>,
  { code, versionNo }: VersionName,
): Promise<RateCardImport | undefined> {
  return db.transaction().execute(async (trx) => {
    const found = await trx
      .selectFrom('rate_card_version')
      .select(['version_id', 'shared'])
      .where('rate_card_code', '=', code)
      .where('version_no', '=', versionNo)
      .executeTakeFirst()
    if (found === undefined) return undefined
    const { carriers, capitals, fuel } = found.shared
    return { content: await readContent(trx, found.version_id), carriers, capitals, fuel }
  })
}

async function lockVersion(
  trx: Transaction<Database>,
  version: VersionName,
): Promise<{
  readonly version_id: number
  readonly status: VersionStatus
  readonly shared: SharedRows
}> {
  const found = await trx
    .selectFrom('rate_card_version')
    .select(['version_id', 'status', 'shared'])
    .where('rate_card_code', '=', version.code)
    .where('version_no', '=', version.versionNo)
    .forUpdate()
    .executeTakeFirst()
  if (found === undefined) throw new OperatorError(`there is no ${versionText(version)}`)
  return found
}

async function withdraw(trx: Transaction<Database>, versionId: number): Promise<void> {
  await trx
    .updateTable('rate_card_version')
    .set({ status: 'withdrawn', withdrawn_at: sql<Date>`clock_timestamp()` })
    .where('version_id', '=', versionId)
    .execute()
}

async function publishAgain(trx: Transaction<Database>, versionId: number): Promise<void> {
  await trx
    .updateTable('rate_card_version')
    .set({ status: 'published', withdrawn_at: null })
    .where('version_id', '=', versionId)
    .execute()
}
