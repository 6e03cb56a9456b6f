/** Which version of a rate card stands where: the newest, the newest published one, the one that prices a day. */
import type { Kysely } from 'kysely'
import { type SharedTables, sharedChanges } from '../../core/rate-card-review/difference/card-difference.ts'
import { percentText } from '../../core/rating/explain/figure-text.ts'
import { type FuelRate, versionText } from '../../core/rating/rate-card.ts'
import { isInForce } from '../../core/validity.ts'
import { today } from '../../operations/ports/ports.ts'
import type { Database } from '../../store/database/database.ts'
import {
  CardRefusal,
  listRateCards,
  publishRateCard,
  type RateCardVersion,
  type VersionName,
} from '../../store/rate-cards/versions.ts'
import { announce, type Consent, confirm, type Output, Refusal, say } from '../terminal/output.ts'

/** The newest published version; `versions` are newest first. */
export function newestPublished(versions: readonly RateCardVersion[]): RateCardVersion | undefined {
  return versions.find(({ status }) => status === 'published')
}

/** The version that prices a day: the newest published one that is valid on it. */
export function inForceOn(versions: readonly RateCardVersion[], day: string): RateCardVersion | undefined {
  return versions.find((version) => version.status === 'published' && isInForce(version, day))
}

/** The present day in UTC, 'YYYY-MM-DD'. */
export function presentDay(): string {
  return today(() => new Date())
}

/** The versions of a card, newest first. Throws a Refusal when it has none. */
export async function versionsOf(db: Kysely<Database>, code: string): Promise<readonly RateCardVersion[]> {
  const versions = await listRateCards(db, code)
  if (versions.length === 0) throw new Refusal(`there is no rate card ${code}`)
  return versions
}

/** One of the versions of a card. Throws a Refusal when there is none of that number. */
export function versionAmong(versions: readonly RateCardVersion[], name: VersionName): RateCardVersion {
  const found = versions.find(({ versionNo }) => versionNo === name.versionNo)
  if (found === undefined) throw new Refusal(`there is no ${versionText(name)}`)
  return found
}

// What publishing a version enters into the tables that all cards share (carriers, capitals, fuel), told before it
// does. What an import leaves out, and what the version before it said already, stays as it is.

/** What a version that follows another enters, one line each; percentages that are in force are no news. */
export function sharedNews(
  card: SharedTables,
  followed: SharedTables | undefined,
  fuelInForce: readonly FuelRate[],
): string[] {
  const { carriers, capitals, fuel } = sharedChanges(card, followed)
  return [
    ...carriers.map(({ code, name, connector }) => `carrier ${code}: ${name}, connector ${connector}`),
    ...capitals.map(
      ({ country, city, postalCode }) => `capital of ${country}: ${`${city} ${postalCode}`.trimEnd()}`,
    ),
    ...fuel
      .filter((rate) => !fuelInForce.some((other) => isSame(rate, other)))
      .map(
        ({ carrierCode, code, validFrom, rateBps }) =>
          `fuel ${carrierCode} ${code} from ${validFrom}: ${percentText(rateBps)}`,
      ),
  ]
}

function isSame(one: FuelRate, other: FuelRate): boolean {
  const isFor = one.carrierCode === other.carrierCode && one.code === other.code
  return isFor && one.validFrom === other.validFrom && one.rateBps === other.rateBps
}

/** The news under a heading; nothing where there are none. */
export function newsLines(news: readonly string[]): string[] {
  if (news.length === 0) return []
  return ['Publishing it also enters, for all cards:', ...news.map((line) => `  ${line}`)]
}

// Publishing a draft after a question; shared by `card import --publish` and `card publish`.

/** Services notice a change by themselves; said after each. */
export const TAKEN_OVER = 'Running services take it over within seconds.'

/** Asks and publishes. Throws a Refusal when the answer is no or the rate book refuses it; it stays a draft then. */
export async function publishAsked(
  db: Kysely<Database>,
  { code, versionNo }: VersionName,
  consent: Consent,
  output: Output,
): Promise<void> {
  const name = versionText({ code, versionNo })
  if (!(await confirm(output, consent, `Publish ${name}?`)))
    throw new Refusal(`not published: ${name} stays a draft`)
  announce(output, consent.json, `Publishing ${name}`)
  try {
    await publishRateCard(db, { code, versionNo })
  } catch (error) {
    if (error instanceof CardRefusal) throw new Refusal(`${error.message}; ${name} is not published`)
    throw error
  }
  say(output, consent.json, [`Published ${name}. ${TAKEN_OVER}`])
}
