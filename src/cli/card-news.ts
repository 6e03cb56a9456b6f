/**
 * What publishing a version enters into the tables that all cards share (carriers, capitals, fuel), told before it
 * does. What an import leaves out, and what the version before it said already, stays as it is.
 */
import { percentText } from '../core/rating/figure-text.ts'
import type { FuelRate } from '../core/rating/rate-card.ts'
import { type SharedTables, sharedChanges } from '../core/rating/shared-changes.ts'

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
