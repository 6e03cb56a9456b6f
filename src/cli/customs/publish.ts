/**
 * Publishes a data set after confirmation, for `customs publish` and `customs import --publish`. A set that would
 * remove a large part of the current rows must be confirmed by typing its name, or with `--replace-all`; `--yes` alone
 * is not enough.
 */
import type { Kysely } from 'kysely'
import { compileExchangeRates, type ExchangeRates } from '../../core/customs/data/exchange-rate.ts'
import { effectiveRows } from '../../core/customs/data/layers.ts'
import type { ScopeLoss } from '../../core/customs/data-review/scope-loss.ts'
import { readCustomsRows } from '../../store/customs/customs.ts'
import { publishCustomsSet, readCustomsSet } from '../../store/customs/publication.ts'
import { type Database, OperatorError } from '../../store/database/database.ts'
import { type BelowCostOptions, checkRateChange } from '../card/below-cost.ts'
import { type Consent, confirm, requireConfirmable } from '../terminal/arguments.ts'
import { Refusal } from '../terminal/errors.ts'
import { APPLIED_SOON, announce, type Output, print, tableLabel } from '../terminal/output.ts'

/**
 * Throws a Refusal, and changes nothing, if the answer is no, if its exchange rates would lead to prices below the
 * cost, or if the data would be inconsistent.
 */
export async function confirmAndPublish(
  db: Kysely<Database>,
  name: string,
  losses: readonly ScopeLoss[],
  consent: LossConsent,
  output: Output,
): Promise<void> {
  await checkExchangeRates(db, name, consent, output)
  if (!(await confirmPublication(output, name, losses, consent)))
    throw new Refusal(`${name} was not published`)
  announce(output, consent.json, `Publishing ${name}`)
  try {
    await publishCustomsSet(db, name)
  } catch (error) {
    if (error instanceof OperatorError) throw new Refusal(`${error.message}; ${name} was not published`)
    throw error
  }
  print(output, consent.json, [`Published ${name}. ${APPLIED_SOON}`])
}

/** Compares the prices of today with their costs at the exchange rates of a set, if it has some. */
async function checkExchangeRates(
  db: Kysely<Database>,
  name: string,
  consent: LossConsent,
  output: Output,
): Promise<void> {
  const set = await readCustomsSet(db, name)
  if ((set.exchangeRates?.length ?? 0) === 0) return
  const ratesAfter = async (): Promise<ExchangeRates> => {
    const rows = await readCustomsRows(db, { alsoSet: name, inScopesOf: set })
    return compileExchangeRates(effectiveRows(rows).exchangeRates)
  }
  const consequence = `${name} was not published`
  await checkRateChange(db, { ratesAfter, consequence }, consent, output)
}

export type LossConsent = Consent & { readonly replaceAll?: boolean } & Pick<BelowCostOptions, 'belowCost'>

export const REPLACE_ALL = [
  '--replace-all',
  'allow the set to remove more than a tenth of the rows of a scope',
] as const

export function lossLines(losses: readonly ScopeLoss[]): string[] {
  return losses.map(({ table, scope, lost, lineCount }) => {
    const share = `${grouped(lost)} of ${grouped(lineCount)}`
    if (table === 'measures') return `warning: ${share} codes of ${scope} will have no rate.`
    return `warning: ${share} rows of ${tableLabel(table)} ${scope} will be removed.`
  })
}

/** Throws a Refusal if there are losses, and `--yes` is given without `--replace-all`. */
export function refuseLoss(name: string, losses: readonly ScopeLoss[], consent: LossConsent): void {
  if (losses.length === 0 || consent.yes !== true || consent.replaceAll === true) return
  const lines = lossLines(losses.slice(0, 1)).join(' ')
  throw new Refusal(`${lines} --yes does not confirm this: add --replace-all to publish ${name}`)
}

export async function confirmPublication(
  output: Output,
  name: string,
  losses: readonly ScopeLoss[],
  consent: LossConsent,
): Promise<boolean> {
  refuseLoss(name, losses, consent)
  if (losses.length === 0 || consent.replaceAll === true) return confirm(output, consent, `Publish ${name}?`)
  requireConfirmable(output, consent)
  const answer = (await output.ask?.(`Type ${name} to publish it anyway: `)) ?? ''
  return answer.trim() === name
}

/** "12199" as "12,199". */
function grouped(number: number): string {
  return number.toLocaleString('en')
}
