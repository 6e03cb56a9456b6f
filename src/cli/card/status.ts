/** Which versions a rate card has, and which of them are published or in force. Lists of versions are newest first. */
import type { Kysely } from 'kysely'
import { versionText } from '../../core/rating/rate-card.ts'
import { isInForce } from '../../core/validity.ts'
import type { Database } from '../../store/database/database.ts'
import { listRateCards, type RateCardVersion, type VersionName } from '../../store/rate-cards/versions.ts'
import { Refusal } from '../terminal/errors.ts'

/** The versions of a card. Throws a Refusal if it has none. */
export async function versionsOf(db: Kysely<Database>, code: string): Promise<readonly RateCardVersion[]> {
  const versions = await listRateCards(db, code)
  if (versions.length === 0) throw new Refusal(`there is no rate card ${code}`)
  return versions
}

/** The version with the number of `name`. Throws a Refusal if there is none. */
export function versionAmong(versions: readonly RateCardVersion[], name: VersionName): RateCardVersion {
  const found = versions.find(({ versionNo }) => versionNo === name.versionNo)
  if (found === undefined) throw new Refusal(`there is no ${versionText(name)}`)
  return found
}

export function newestPublished(versions: readonly RateCardVersion[]): RateCardVersion | undefined {
  return versions.find(({ status }) => status === 'published')
}

/** The version that sets the prices of a day: the newest published one that is valid on it. */
export function inForceOn(versions: readonly RateCardVersion[], day: string): RateCardVersion | undefined {
  return versions.find((version) => version.status === 'published' && isInForce(version, day))
}
