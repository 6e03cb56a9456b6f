/**
 * A new version of a rate card, as a draft: nothing that is sold depends on it. What its import says of the card's
 * name, of carriers, capitals and fuel is kept with it and counts from its publication on.
 */
import { sql, type Transaction } from 'kysely'
import type { CapitalRow, CardAudience, CarrierRow, RateCardImport } from '../core/rating/rate-card.ts'
import type { Database } from './database.ts'
import { appendFuelRates } from './fuel.ts'
import { CardRefusal } from './rate-book-revision.ts'
import { type Progress, writeContent } from './rate-card-content.ts'
import type { SharedRows } from './tables/rate-book.ts'

/** What names a version, as in "demo@2". */
export type VersionName = { readonly code: string; readonly versionNo: number }

/** A rate card to import. Days are 'YYYY-MM-DD'. */
export type NewRateCard = {
  /** Lower-case letters, digits and dashes. */
  readonly code: string
  readonly name: string
  readonly audience: CardAudience
  readonly validFrom: string
  /** The first day it no longer prices; absent while it is open. */
  readonly validTo?: string
  readonly card: RateCardImport
}

/** Writes a card as its next version. Throws CardRefusal when the card was published for another audience. */
export async function writeDraft(
  trx: Transaction<Database>,
  { code, name, audience, validFrom, validTo, card }: NewRateCard,
  onProgress?: Progress,
): Promise<VersionName> {
  await refuseOtherAudience(trx, code, audience)
  // The row of the card is locked from here on, so that versions get their numbers one after the other.
  await trx
    .insertInto('rate_card')
    .values({ rate_card_code: code, name, audience })
    .onConflict((conflict) => conflict.column('rate_card_code').doUpdateSet({ audience }))
    .execute()
  const { carriers, capitals, fuel } = card
  const shared: SharedRows = { name, carriers, capitals, fuel }
  await addMissingCarriers(trx, carriers)
  const { version_id, version_no } = await trx
    .insertInto('rate_card_version')
    .values(({ selectFrom, fn, val, lit }) => ({
      rate_card_code: code,
      version_no: selectFrom('rate_card_version')
        .select(({ eb }) => eb(fn.coalesce(fn.max('version_no'), lit(0)), '+', lit(1)).as('next'))
        .where('rate_card_code', '=', code),
      status: val('draft' as const),
      valid_from: validFrom,
      valid_to: validTo ?? null,
      shared: JSON.stringify(shared),
    }))
    .returning(['version_id', 'version_no'])
    .executeTakeFirstOrThrow()
  await writeContent(trx, version_id, card.content, onProgress)
  return { code, versionNo: version_no }
}

/** A card that was sold keeps its audience: its published versions would price for others all at once. */
async function refuseOtherAudience(
  trx: Transaction<Database>,
  code: string,
  audience: CardAudience,
): Promise<void> {
  const sold = await trx
    .selectFrom('rate_card as c')
    .innerJoin('rate_card_version as v', 'v.rate_card_code', 'c.rate_card_code')
    .select('c.audience')
    .where('c.rate_card_code', '=', code)
    .where('v.status', '<>', 'draft')
    .limit(1)
    .executeTakeFirst()
  if (sold === undefined || sold.audience === audience) return
  const others = sold.audience === 'everyone' ? 'everyone' : 'contracts'
  throw new CardRefusal(`${code} was published for ${others}: another audience needs another card`)
}

/** Products refer to their carriers. Those that are there keep their names until the card is published. */
async function addMissingCarriers(
  trx: Transaction<Database>,
  carriers: readonly CarrierRow[],
): Promise<void> {
  // In one order, so that two imports with the same new carriers wait for each other in one direction.
  const rows = carriers.map(carrierColumns).sort((a, b) => (a.carrier_code < b.carrier_code ? -1 : 1))
  await sql`insert into carrier select * from json_populate_recordset(null::carrier, ${JSON.stringify(rows)})
    on conflict do nothing`.execute(trx)
}

/** Makes what an import says of the shared tables count; within a change of the rate book. */
export async function mergeShared(
  trx: Transaction<Database>,
  { carriers, capitals, fuel }: SharedRows,
  note: (what: string) => void,
): Promise<void> {
  const carrierRows = JSON.stringify(carriers.map(carrierColumns))
  const changedCarriers = await sql<{ code: string }>`
    insert into carrier as c select * from json_populate_recordset(null::carrier, ${carrierRows})
    on conflict (carrier_code) do update set name = excluded.name, connector = excluded.connector
    where (c.name, c.connector) is distinct from (excluded.name, excluded.connector)
    returning carrier_code as code`.execute(trx)
  const capitalRows = JSON.stringify(capitals.map(capitalColumns))
  const changedCapitals = await sql<{ country: string }>`
    insert into capital as c select * from json_populate_recordset(null::capital, ${capitalRows})
    on conflict (country) do update set city = excluded.city, postal_code = excluded.postal_code
    where (c.city, c.postal_code) is distinct from (excluded.city, excluded.postal_code)
    returning country`.execute(trx)
  for (const { code } of changedCarriers.rows) note(`carrier ${code} has another name or connector`)
  if (changedCapitals.rows.length > 0)
    note(`capitals changed: ${changedCapitals.rows.map(({ country }) => country).join(', ')}`)
  await appendFuelRates(trx, fuel, note)
}

function carrierColumns({ code, name, connector }: CarrierRow): Database['carrier'] {
  return { carrier_code: code, name, connector }
}

function capitalColumns({ country, city, postalCode }: CapitalRow): Database['capital'] {
  return { country, city, postal_code: postalCode }
}
