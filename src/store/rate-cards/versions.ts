/**
 * Changes the status of rate card versions: draft → published → withdrawn. A rollback publishes a withdrawn version
 * again (docs/rate-cards.md). A version can only be published if the whole book compiles with it. The shared data of an
 * import (card name, carriers, capitals, fuel rates) takes effect once, when the version is first published.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import { sharedChanges, type UnpricedCard } from '../../core/rate-card-review/difference/card-difference.ts'
import { type CardAudience, versionText } from '../../core/rating/card-version.ts'
import type { PriceRow, PriceTerms, RateCardImport } from '../../core/rating/rate-card.ts'
import { type Database, OperatorError } from '../database/database.ts'
import { changeRevisioned, RATE_BOOK } from '../database/revision.ts'
import type { SharedRows, VersionStatus } from '../row-types/rate-book.ts'
import { CARD_TABLES, readCardTable } from './card-columns.ts'
import {
  hashStoredVersion,
  mergeShared,
  type NewRateCard,
  type Progress,
  readPrices,
  readSmallContent,
  type VersionName,
  writeDraft,
} from './draft.ts'
import { loadRateBook } from './rate-book.ts'

export type { NewRateCard, VersionName } from './draft.ts'

/** Dates are 'YYYY-MM-DD', times ISO 8601 in UTC. */
export type RateCardVersion = VersionName & {
  /** Such as "demo@2". */
  readonly version: string
  /** Name of the card; for a draft, the name after publication. */
  readonly name: string
  readonly audience: CardAudience
  readonly status: VersionStatus
  readonly validFrom: string
  /** The first day on which the version no longer applies. */
  readonly validTo: string | null
  /** The time of the first publication. */
  readonly publishedAt: string | null
  readonly withdrawnAt: string | null
  /** SHA-256 of the content; null for drafts. */
  readonly hash: string | null
  readonly products: number
  readonly prices: number
}

/** Newest first within a card. */
export async function listRateCards(db: Kysely<Database>, code?: string): Promise<RateCardVersion[]> {
  const rows = await db
    .selectFrom('rate_card_version as version')
    .innerJoin('rate_card as card', 'card.rate_card_code', 'version.rate_card_code')
    .select([
      'version.rate_card_code',
      'version.version_no',
      'card.audience',
      'version.status',
      'version.valid_from',
    ])
    .select(['version.valid_to', 'version.published_at', 'version.withdrawn_at', 'version.content_hash'])
    .select(
      sql<string>`coalesce(CASE version.status WHEN 'draft' THEN version.shared ->> 'name' END, card.name)`.as(
        'name',
      ),
    )
    .select(
      sql<number>`(SELECT count(*) FROM product WHERE product.version_id = version.version_id)`.as(
        'products',
      ),
    )
    .select(
      sql<number>`(SELECT count(*) FROM zone_price WHERE zone_price.version_id = version.version_id)`.as(
        'prices',
      ),
    )
    .$if(code !== undefined, (query) => query.where('version.rate_card_code', '=', code!))
    .orderBy('version.rate_card_code')
    .orderBy('version.version_no', 'desc')
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
 * Writes the next version of a card as a draft, in one transaction. Throws OperatorError if the card was published for
 * another audience, and the database's error if a row violates a constraint.
 */
export async function importRateCard(
  db: Kysely<Database>,
  card: NewRateCard,
  onProgress?: Progress,
): Promise<VersionName> {
  return db.transaction().execute((trx) => writeDraft(trx, card, onProgress))
}

/**
 * Publishes a draft. Throws OperatorError, and changes nothing, if the version is not a draft or if the book does not
 * compile with it, for example because two cards sell the same product to everyone. `validTo` ends the version earlier
 * than the import said.
 */
export async function publishRateCard(
  db: Kysely<Database>,
  version: VersionName,
  validTo?: string,
  previewed?: number,
): Promise<void> {
  await changeRevisioned(db, RATE_BOOK, (trx, note) => publishDraft(trx, version, note, validTo), previewed)
}

/** Call within a change of the rate book. */
export async function publishDraft(
  trx: Transaction<Database>,
  version: VersionName,
  note: (what: string) => void,
  validTo?: string,
): Promise<void> {
  const { version_id, status, shared } = await lockVersion(trx, version)
  if (status === 'published') throw new OperatorError(`${versionText(version)} is already published`)
  if (status === 'withdrawn')
    throw new OperatorError(`${versionText(version)} was withdrawn: roll back to it to publish it again`)
  await mergeShared(trx, sharedChanges(shared, await readNewestShared(trx, version)), note)
  await renameCard(trx, version, shared)
  await trx
    .updateTable('rate_card_version')
    .set({
      status: 'published',
      ...(validTo !== undefined && { valid_to: validTo }),
      published_at: sql<Date>`clock_timestamp()`,
      content_hash: await hashStoredVersion(trx, version_id),
    })
    .where('version_id', '=', version_id)
    .execute()
  await loadRateBook(trx)
  note(`published ${versionText(version)}${validTo === undefined ? '' : `, ending on ${validTo}`}`)
}

/** The shared data of the newest published version of the card. */
async function readNewestShared(
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

async function renameCard(
  trx: Transaction<Database>,
  { code }: VersionName,
  { name }: SharedRows,
): Promise<void> {
  if (name === undefined) return
  await trx.updateTable('rate_card').set({ name }).where('rate_card_code', '=', code).execute()
}

/**
 * Withdraws a version, which then no longer applies from today on. Throws OperatorError if the version is not
 * published.
 */
export async function withdrawRateCard(
  db: Kysely<Database>,
  version: VersionName,
  previewed?: number,
): Promise<void> {
  await changeRevisioned(db, RATE_BOOK, (trx, note) => withdrawVersion(trx, version, note), previewed)
}

/** Call within a change of the rate book. */
export async function withdrawVersion(
  trx: Transaction<Database>,
  version: VersionName,
  note: (what: string) => void,
): Promise<void> {
  const { version_id, status } = await lockVersion(trx, version)
  if (status !== 'published') throw new OperatorError(`${versionText(version)} is ${status}, not published`)
  await withdraw(trx, version_id)
  note(`withdrew ${versionText(version)}`)
}

export type Rollback = {
  /** Newest first. */
  readonly withdrawn: VersionName[]
  readonly to: VersionName
}

/**
 * Withdraws the published versions with a higher number than `to`, and publishes that version again if it was
 * withdrawn. Without `to`, rolls back to the published version before the newest one. Card name, carriers, capitals and
 * fuel rates are not changed. Throws OperatorError if the version does not exist, is a draft, has expired, or is the
 * newest one already.
 */
export async function rollBackRateCard(
  db: Kysely<Database>,
  code: string,
  to?: number,
  previewed?: number,
): Promise<Rollback> {
  return changeRevisioned(db, RATE_BOOK, (trx, note) => rollBackTo(trx, code, to, note), previewed)
}

/** Call within a change of the rate book. */
export async function rollBackTo(
  trx: Transaction<Database>,
  code: string,
  to: number | undefined,
  note: (what: string) => void,
): Promise<Rollback> {
  const versions = await trx
    .selectFrom('rate_card_version')
    .select(['version_id', 'version_no', 'status'])
    .select(sql<boolean>`valid_to <= (now() AT TIME ZONE 'utc')::date`.as('isExpired'))
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
    throw new OperatorError(`${versionText(target)} is a draft and was never published`)
  if (goal.isExpired) throw new OperatorError(`${versionText(target)} has expired`)
  const above = published.filter(({ version_no }) => version_no > versionNo)
  if (above.length === 0 && goal.status === 'published')
    throw new OperatorError(`${versionText(target)} is already the newest published version`)
  for (const { version_id } of above) await withdraw(trx, version_id)
  if (goal.status === 'withdrawn') await publishAgain(trx, goal.version_id)
  await loadRateBook(trx)
  const withdrawn = above.map(({ version_no }) => ({ code, versionNo: version_no }))
  const undone = withdrawn.length > 0 ? `, withdrew ${withdrawn.map(versionText).join(' and ')}` : ''
  note(`rolled ${code} back to ${versionText(target)}${undone}`)
  return { withdrawn, to: target }
}

/** Deletes a draft. Throws OperatorError if the version is not a draft. */
export async function discardRateCard(db: Kysely<Database>, version: VersionName): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { version_id, status } = await lockVersion(trx, version)
    if (status !== 'draft')
      throw new OperatorError(`${versionText(version)} is ${status}: only drafts can be discarded`)
    await trx.deleteFrom('rate_card_version').where('version_id', '=', version_id).execute()
  })
}

/** The content and shared data of a version; undefined if it does not exist. */
export async function readRateCard(
  db: Kysely<Database>,
  version: VersionName,
): Promise<RateCardImport | undefined> {
  return db.transaction().execute(async (trx) => {
    const found = await readUnpriced(trx, version)
    if (found === undefined) return undefined
    const { versionId, content, ...shared } = found
    return { content: { ...content, prices: await readPrices(trx, versionId) }, ...shared }
  })
}

/** A version without its prices, which are read one product at a time: there can be a million. */
export type StoredCard = UnpricedCard & {
  /** In the order of `readRateCard`. Empty if the version has been discarded in the meantime. */
  pricesOf(productId: number): Promise<readonly PriceRow[]>
}

/** Undefined if the version does not exist. */
export async function openStoredCard(
  db: Kysely<Database>,
  version: VersionName,
): Promise<StoredCard | undefined> {
  const found = await db.transaction().execute((trx) => readUnpriced(trx, version))
  if (found === undefined) return undefined
  const { versionId, ...card } = found
  return {
    ...card,
    pricesOf: (productId) => db.transaction().execute((trx) => readPrices(trx, versionId, productId)),
  }
}

async function readUnpriced(
  trx: Transaction<Database>,
  { code, versionNo }: VersionName,
): Promise<(UnpricedCard & { readonly versionId: number }) | undefined> {
  const found = await trx
    .selectFrom('rate_card_version')
    .select(['version_id as versionId', 'shared'])
    .where('rate_card_code', '=', code)
    .where('version_no', '=', versionNo)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const { versionId, shared } = found
  const { carriers, capitals, fuel } = shared
  return { versionId, content: await readSmallContent(trx, versionId), carriers, capitals, fuel }
}

/** The currency and VAT of a version; undefined if it is in euro without VAT. */
export async function readPriceTerms(
  db: Kysely<Database>,
  { code, versionNo }: VersionName,
): Promise<PriceTerms | undefined> {
  return db.transaction().execute(async (trx) => {
    const found = await trx
      .selectFrom('rate_card_version')
      .select('version_id')
      .where('rate_card_code', '=', code)
      .where('version_no', '=', versionNo)
      .executeTakeFirst()
    return found && (await readCardTable(trx, CARD_TABLES.priceTerms, found.version_id))[0]
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
