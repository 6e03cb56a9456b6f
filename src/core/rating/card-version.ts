/** The versions of a rate card: whom they sell to, their names, and the days that they apply on. */
import { groupBy } from '../group-by.ts'
import { isInForce } from '../validity.ts'

/**
 * Whom a card sells to. `contract`: only accounts whose contract points to the card. `cost`: nobody; the card has the
 * prices that the broker pays.
 */
export const CARD_AUDIENCES = ['everyone', 'contract', 'cost'] as const
export type CardAudience = (typeof CARD_AUDIENCES)[number]

/** "everyone", "contracts" or "cost", for messages and lists. */
export const AUDIENCE_NAMES: Readonly<Record<CardAudience, string>> = {
  everyone: 'everyone',
  contract: 'contracts',
  cost: 'cost',
}

/** The name of a version and the days that it is valid on, 'YYYY-MM-DD'. */
export type RateCardHead = {
  readonly code: string
  readonly versionNo: number
  readonly audience: CardAudience
  readonly validFrom: string
  /** The first day it is no longer valid; absent: no end. */
  readonly validTo?: string
}

/** The code of the card and the number of the version: "demo@1". */
export function versionText({ code, versionNo }: Pick<RateCardHead, 'code' | 'versionNo'>): string {
  return `${code}@${versionNo}`
}

/**
 * The versions that apply on at least one day from `since` ('YYYY-MM-DD') on. Only these are kept in memory; older
 * versions of a card are usually covered by newer ones.
 */
export function applicableVersions<Version extends RateCardHead>(
  versions: readonly Version[],
  since: string,
): Version[] {
  return [...groupBy(versions, ({ code }) => code).values()].flatMap((versionsOfCard) => {
    const newestFirst = [...versionsOfCard].sort((a, b) => b.versionNo - a.versionNo)
    return newestFirst.filter((version, index) => appliesSomeDay(version, newestFirst.slice(0, index), since))
  })
}

/** It is enough to check the days on which coverage changes: the first day, and those on which newer versions end. */
function appliesSomeDay(version: RateCardHead, newer: readonly RateCardHead[], since: string): boolean {
  const first = version.validFrom > since ? version.validFrom : since
  const days = [first, ...newer.flatMap(({ validTo }) => validTo ?? [])]
  return days.some(
    (day) => day >= first && isInForce(version, day) && !newer.some((other) => isInForce(other, day)),
  )
}
