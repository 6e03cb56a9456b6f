/**
 * Which versions of a rate card are worth having in memory. A card that changes every week has long been replaced
 * in most of its versions; only those that still price some day, now, later, or lately, are read.
 */
import { groupBy } from '../group-by.ts'
import { isInForce } from '../validity.ts'
import type { RateCardHead } from './rate-card.ts'

/** The versions that price at least one day from `since` ('YYYY-MM-DD') on: no newer one of their card covers it. */
export function versionsThatPrice<Version extends RateCardHead>(
  versions: readonly Version[],
  since: string,
): Version[] {
  return [...groupBy(versions, ({ code }) => code).values()].flatMap((ofCard) => {
    const newestFirst = [...ofCard].sort((a, b) => b.versionNo - a.versionNo)
    return newestFirst.filter((version, index) => pricesSomeDay(version, newestFirst.slice(0, index), since))
  })
}

/** Coverage changes on first and last days only, so it is enough to look at those within the version's own days. */
function pricesSomeDay(version: RateCardHead, newer: readonly RateCardHead[], since: string): boolean {
  const first = version.validFrom > since ? version.validFrom : since
  const days = [first, ...newer.flatMap(({ validTo }) => validTo ?? [])]
  return days.some(
    (day) => day >= first && isInForce(version, day) && !newer.some((other) => isInForce(other, day)),
  )
}
