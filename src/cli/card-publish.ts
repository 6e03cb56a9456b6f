/** Publishing a draft after a question; shared by `card import --publish` and `card publish`. */

import type { Kysely } from 'kysely'
import { versionText } from '../core/rating/rate-card.ts'
import type { Database } from '../store/database.ts'
import { CardRefusal, publishRateCard, type VersionName } from '../store/rate-card-versions.ts'
import { type Consent, confirm } from './confirm.ts'
import { type Output, Refusal, say } from './output.ts'
import { announce } from './progress.ts'

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
