/** Which version of a rate card stands where: the newest, the newest published one, the one that prices a day. */

import type { Kysely } from 'kysely'
import { versionText } from '../core/rating/rate-card.ts'
import { isInForce } from '../core/validity.ts'
import { today } from '../operations/today.ts'
import type { Database } from '../store/database.ts'
import { listRateCards, type RateCardVersion, type VersionName } from '../store/rate-card-versions.ts'
import { Refusal } from './output.ts'

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
