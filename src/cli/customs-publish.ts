/** Publishing a data set after a question; shared by `customs import --publish` and `customs publish`. */
import type { Kysely } from 'kysely'
import type { ScopeLoss } from '../core/customs/reference/scope-loss.ts'
import { CustomsRefusal, publishCustomsSet } from '../store/customs-publication.ts'
import type { Database } from '../store/database.ts'
import { TAKEN_OVER } from './card-publish.ts'
import { confirmPublication, type LossConsent } from './customs-losses.ts'
import { type Output, Refusal, say } from './output.ts'
import { announce } from './progress.ts'

/** Asks and publishes. Throws a Refusal when the answer is no or the data do not hold together; nothing changes then. */
export async function publishAsked(
  db: Kysely<Database>,
  name: string,
  losses: readonly ScopeLoss[],
  consent: LossConsent,
  output: Output,
): Promise<void> {
  if (!(await confirmPublication(output, name, losses, consent)))
    throw new Refusal(`not published: ${name} decides nothing`)
  announce(output, consent.json, `Publishing ${name}`)
  try {
    await publishCustomsSet(db, name)
  } catch (error) {
    if (error instanceof CustomsRefusal) throw new Refusal(`${error.message}; ${name} is not published`)
    throw error
  }
  say(output, consent.json, [`Published ${name}. ${TAKEN_OVER}`])
}
