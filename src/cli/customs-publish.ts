/** Publishing a data set after a question; shared by `customs import --publish` and `customs publish`. */
import type { Kysely } from 'kysely'
import { CustomsRefusal, publishCustomsSet } from '../store/customs-publication.ts'
import type { Database } from '../store/database.ts'
import { TAKEN_OVER } from './card-publish.ts'
import { type Consent, confirm } from './confirm.ts'
import { type Output, Refusal, say } from './output.ts'
import { announce } from './progress.ts'

/** Asks and publishes. Throws a Refusal when the answer is no or the data do not hold together; nothing changes then. */
export async function publishAsked(
  db: Kysely<Database>,
  name: string,
  consent: Consent,
  output: Output,
): Promise<void> {
  if (!(await confirm(output, consent, `Publish ${name}?`)))
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
