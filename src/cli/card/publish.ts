/** Publishes a draft, for `card publish` and `card import --publish`, and lists what this changes for other cards. */

import type { Kysely } from 'kysely'
import { type SharedTables, sharedChanges } from '../../core/rate-card-review/difference/card-difference.ts'
import { percentText } from '../../core/rating/explain/figure-text.ts'
import { type FuelRate, versionText } from '../../core/rating/rate-card.ts'
import { type Database, OperatorError } from '../../store/database/database.ts'
import { publishRateCard, type VersionName } from '../../store/rate-cards/versions.ts'
import { type Consent, confirm } from '../terminal/arguments.ts'
import { Refusal } from '../terminal/errors.ts'
import { APPLIED_SOON, announce, type Output, print } from '../terminal/output.ts'

/**
 * Lists what publishing a card changes in the tables that all cards share (carriers, capitals, fuel). Leaves out rows
 * that are also in `published` (the previous version), and fuel percentages that are already in force.
 */
export function sharedChangeLines(
  card: SharedTables,
  published: SharedTables | undefined,
  fuelInForce: readonly FuelRate[],
): string[] {
  const { carriers, capitals, fuel } = sharedChanges(card, published)
  return [
    ...carriers.map(({ code, name, connector }) => `carrier ${code}: ${name}, connector ${connector}`),
    ...capitals.map(
      ({ country, city, postalCode }) => `capital of ${country}: ${`${city} ${postalCode}`.trimEnd()}`,
    ),
    ...fuel
      .filter((rate) => !fuelInForce.some((other) => isSameRate(rate, other)))
      .map(
        ({ carrierCode, code, validFrom, rateBps }) =>
          `fuel ${carrierCode} ${code} from ${validFrom}: ${percentText(rateBps)}`,
      ),
  ]
}

function isSameRate(one: FuelRate, other: FuelRate): boolean {
  const isForSameSurcharge = one.carrierCode === other.carrierCode && one.code === other.code
  return isForSameSurcharge && one.validFrom === other.validFrom && one.rateBps === other.rateBps
}

/** The lines of `sharedChangeLines` below a heading, or no lines. */
export function withHeading(changes: readonly string[]): string[] {
  if (changes.length === 0) return []
  return [
    'Publishing it also changes these tables for all rate cards:',
    ...changes.map((line) => `  ${line}`),
  ]
}

/**
 * Asks for confirmation and publishes. Throws a Refusal if the answer is no, or if the rate book would be invalid with
 * this version. The version is then still a draft.
 */
export async function confirmAndPublish(
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
    if (error instanceof OperatorError) throw new Refusal(`${error.message}; ${name} is not published`)
    throw error
  }
  print(output, consent.json, [`Published ${name}. ${APPLIED_SOON}`])
}
