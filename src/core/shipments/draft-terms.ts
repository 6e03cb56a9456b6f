/**
 * How long a draft and its price last, and how many drafts an account may have. See docs/limits.md#drafts.
 */
import type { RateBook } from '../rating/book/rate-book.ts'
import type { Shipment } from './shipment.ts'

/** Set by the operator of the service. */
export type DraftTerms = {
  /** Days from its creation on which a draft can be booked at its price. */
  readonly priceDays: number
  /** Age in days at which a draft that was not booked is cancelled, and its contents are removed. */
  readonly keptDays: number
  /** Unbooked shipments that an account may have. Cancelled drafts count until their contents are removed. */
  readonly countMax: number
  /** The same in bytes of stored contents. */
  readonly bytesMax: number
}

/** The unbooked shipments of an account whose contents are stored. `bytes` is the size of these contents. */
export type DraftUsage = { readonly count: number; readonly bytes: number }

/** The account has as many drafts as it may have. */
export type DraftQuotaExceeded = {
  readonly kind: 'DraftQuotaExceeded'
  readonly code: 'QUOTA_EXCEEDED'
  readonly message: string
  readonly retryable: false
}

/** Undefined if the account may create another draft. */
export function draftQuotaFault(
  { count, bytes }: DraftUsage,
  { countMax, bytesMax, keptDays }: DraftTerms,
): DraftQuotaExceeded | undefined {
  const isOver = count >= countMax
  if (!isOver && bytes < bytesMax) return undefined
  const limit = isOver ? `${countMax} unbooked shipments` : `${bytesMax} bytes of unbooked shipments`
  return {
    kind: 'DraftQuotaExceeded',
    code: 'QUOTA_EXCEEDED',
    message: `The account has reached its limit of ${limit}. A draft counts until it is booked or is ${keptDays} days old`,
    retryable: false,
  }
}

/** What the end of a draft's price depends on. */
export type PricedDraft = Pick<Shipment, 'createdAt'> & {
  readonly rateCardVersion?: Shipment['rateCardVersion'] | undefined
}

const DAY_MS = 86_400_000

/**
 * The end of the price of a draft, ISO 8601 in UTC: `priceDays` after its creation, or the end of the last day of its
 * rate card version if that is earlier. A newer version of the card ends it too, unless it already applied on the day
 * of the creation: then it is a correction. Undefined for imported shipments, whose price has no end.
 */
export function priceValidUntil(
  { createdAt, rateCardVersion }: PricedDraft,
  book: Pick<RateBook, 'cards' | 'contractCards' | 'costCards'>,
  { priceDays }: Pick<DraftTerms, 'priceDays'>,
): string | undefined {
  if (rateCardVersion === undefined) return undefined
  const { code, versionNo } = rateCardVersion
  const others = [...book.cards, ...book.costCards]
  const versions = book.contractCards.get(code) ?? others.find(([first]) => first?.code === code) ?? []
  const ends = versions.flatMap((version) => {
    const day = version.versionNo === versionNo ? version.validTo : version.validFrom
    const isLater = version.versionNo >= versionNo && day !== undefined && day > createdAt.slice(0, 10)
    return isLater ? [`${day}T00:00:00.000Z`] : []
  })
  const byAge = new Date(Date.parse(createdAt) + priceDays * DAY_MS).toISOString()
  return [byAge, ...ends].reduce((earliest, end) => (end < earliest ? end : earliest))
}
