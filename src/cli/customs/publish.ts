/** Publishing a data set after a question; shared by `customs import --publish` and `customs publish`. */

import type { Kysely } from 'kysely'
import type { ScopeLoss } from '../../core/customs/data-review/scope-loss.ts'
import { publishCustomsSet } from '../../store/customs/publication.ts'
import { type Database, OperatorError } from '../../store/database/database.ts'
import { type Consent, confirm, requireConfirmable } from '../terminal/confirmation.ts'
import { Refusal } from '../terminal/errors.ts'
import { APPLIED_SOON, announce, type Output, print, tableLabel } from '../terminal/output.ts'

/** Asks and publishes. Throws a Refusal when the answer is no or the data do not hold together; nothing changes then. */
export async function confirmAndPublish(
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
    if (error instanceof OperatorError) throw new Refusal(`${error.message}; ${name} is not published`)
    throw error
  }
  print(output, consent.json, [`Published ${name}. ${APPLIED_SOON}`])
}

// A set that takes away most of what there is: said in words, and published only by somebody who means it. Decided
// here: `--yes` alone is no consent to a loss; `--replace-all` is, or the name of the set typed at the question.

/** What the command line says of losses. */
export type LossConsent = Consent & { readonly replaceAll?: boolean }

/** The option that consents to a loss, as the commands declare it. */
export const REPLACE_ALL = [
  '--replace-all',
  'mean it where the set takes away more than a tenth of what there is',
] as const

/** The losses, one sentence each. */
export function lossLines(losses: readonly ScopeLoss[]): string[] {
  return losses.map(({ table, scope, lost, lineCount }) => {
    const share = `${grouped(lost)} of ${grouped(lineCount)}`
    if (table === 'measures') return `After this, ${share} codes of ${scope} have no rate any more.`
    return `After this, ${share} lines of ${tableLabel(table)} ${scope} are there no more.`
  })
}

/** Throws a Refusal where `--yes` is to answer a question that it does not answer: whether a loss is meant. */
export function refuseLoss(name: string, losses: readonly ScopeLoss[], consent: LossConsent): void {
  if (losses.length === 0 || consent.yes !== true || consent.replaceAll === true) return
  const lines = lossLines(losses.slice(0, 1)).join(' ')
  throw new Refusal(`${lines} --yes alone does not publish ${name}: add --replace-all if that is meant`)
}

/** Asks whether to publish; a loss needs the name of the set, or `--replace-all`. */
export async function confirmPublication(
  output: Output,
  name: string,
  losses: readonly ScopeLoss[],
  consent: LossConsent,
): Promise<boolean> {
  refuseLoss(name, losses, consent)
  if (losses.length === 0 || consent.replaceAll === true) return confirm(output, consent, `Publish ${name}?`)
  requireConfirmable(output, consent)
  const answer = (await output.ask?.(`Type ${name} to publish it all the same: `)) ?? ''
  return answer.trim() === name
}

/** "12199" as "12,199". */
function grouped(number: number): string {
  return number.toLocaleString('en')
}
