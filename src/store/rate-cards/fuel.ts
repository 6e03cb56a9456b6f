/**
 * Dated fuel rates (docs/fuel.md). Entries are only added. For each carrier, code and first day, the newest
 * entry applies. An entry without a rate revokes the earlier ones.
 */
import type { Kysely, Transaction } from 'kysely'
import type { FuelRate } from '../../core/rating/rate-card.ts'
import { type Database, OperatorError } from '../database/database.ts'
import { changeRevisioned, RATE_BOOK } from '../database/revision.ts'

export type FuelKey = Omit<FuelRate, 'rateBps' | 'per'>

export type EnteredFuelRate = FuelRate & {
  /** ISO 8601 in UTC. */
  readonly enteredAt: string
}

/** Sets all rates or none. Leaves out those that apply already. Throws OperatorError for an unknown carrier. */
export async function setFuelRates(
  db: Kysely<Database>,
  rates: readonly FuelRate[],
  previewed?: number,
): Promise<void> {
  const change = async (trx: Transaction<Database>, note: (what: string) => void): Promise<void> => {
    for (const carrierCode of new Set(rates.map((rate) => rate.carrierCode)))
      await refuseUnknownCarrier(trx, carrierCode)
    await appendFuelRates(trx, rates, note)
  }
  await changeRevisioned(db, RATE_BOOK, change, previewed)
}

/** The fuel surcharges of all versions that are not withdrawn. */
export async function listFuelSurcharges(
  db: Kysely<Database>,
): Promise<readonly Pick<FuelRate, 'carrierCode' | 'code'>[]> {
  return db
    .selectFrom('surcharge')
    .innerJoin('rate_card_version', 'rate_card_version.version_id', 'surcharge.version_id')
    .where('surcharge.method', '=', 'fuel')
    .where('rate_card_version.status', '<>', 'withdrawn')
    .select(['surcharge.carrier_code as carrierCode', 'surcharge.surcharge_code as code'])
    .distinct()
    .execute()
}

/** Revokes the rate of a first day, so that the previous rate continues. False if there was none. */
export async function unsetFuelRate(
  db: Kysely<Database>,
  key: FuelKey,
  previewed?: number,
): Promise<boolean> {
  const change = async (trx: Transaction<Database>, note: (what: string) => void): Promise<boolean> => {
    const inForce = await listFuelRates(trx, key.carrierCode)
    if (!inForce.some((rate) => isFor(rate, key))) return false
    await revokeFuelRate(trx, key, note)
    return true
  }
  return changeRevisioned(db, RATE_BOOK, change, previewed)
}

/** The rates in force, by carrier and code, latest first day first. */
export async function listFuelRates(db: Kysely<Database>, carrierCode?: string): Promise<EnteredFuelRate[]> {
  const rows = await db
    .selectFrom('fuel_rate')
    .distinctOn(['carrier_code', 'fuel_code', 'valid_from'])
    .select(['carrier_code', 'fuel_code', 'valid_from', 'rate_bps', 'unit_amount', 'per', 'entered_at'])
    .$if(carrierCode !== undefined, (query) => query.where('carrier_code', '=', carrierCode!))
    .orderBy('carrier_code')
    .orderBy('fuel_code')
    .orderBy('valid_from', 'desc')
    .orderBy('entry_id', 'desc')
    .execute()
  return rows.flatMap((row) => {
    const rateBps = row.rate_bps ?? row.unit_amount
    if (rateBps === null) return []
    const { carrier_code: carrierCode, fuel_code: code, valid_from: validFrom, per } = row
    const enteredAt = row.entered_at.toISOString()
    return { carrierCode, code, validFrom, rateBps, ...(per !== null && { per }), enteredAt }
  })
}

/** Adds the rates that differ from those in force. Call within a change of the rate book. */
export async function appendFuelRates(
  trx: Transaction<Database>,
  rates: readonly FuelRate[],
  note: (what: string) => void,
): Promise<void> {
  const inForce = await listFuelRates(trx)
  for (const rate of rates) {
    const known = inForce.find((other) => isFor(other, rate))
    if (known?.rateBps === rate.rateBps && known.per === rate.per) continue
    await trx
      .insertInto('fuel_rate')
      .values({
        carrier_code: rate.carrierCode,
        fuel_code: rate.code,
        valid_from: rate.validFrom,
        rate_bps: rate.per === undefined ? rate.rateBps : null,
        unit_amount: rate.per === undefined ? null : rate.rateBps,
        per: rate.per ?? null,
      })
      .execute()
    const unit = rate.per === undefined ? 'basis points' : `ten-thousandths per ${rate.per}`
    note(`set fuel ${rateName(rate)} to ${rate.rateBps} ${unit}`)
  }
}

/** Call within a change of the rate book. */
export async function revokeFuelRate(
  trx: Transaction<Database>,
  key: FuelKey,
  note: (what: string) => void,
): Promise<void> {
  await trx
    .insertInto('fuel_rate')
    .values({
      carrier_code: key.carrierCode,
      fuel_code: key.code,
      valid_from: key.validFrom,
      rate_bps: null,
    })
    .execute()
  note(`revoked fuel ${rateName(key)}`)
}

export async function refuseUnknownCarrier(db: Kysely<Database>, carrierCode: string): Promise<void> {
  const known = await db
    .selectFrom('carrier')
    .select('carrier_code')
    .where('carrier_code', '=', carrierCode)
    .executeTakeFirst()
  if (known === undefined) throw new OperatorError(`there is no carrier ${carrierCode}`)
}

function isFor(rate: FuelKey, key: FuelKey): boolean {
  return rate.carrierCode === key.carrierCode && rate.code === key.code && rate.validFrom === key.validFrom
}

function rateName({ carrierCode, code, validFrom }: FuelKey): string {
  return `${carrierCode} ${code} from ${validFrom}`
}
