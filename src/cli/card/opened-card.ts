/**
 * Cards to compare. Their prices are read one product at a time, because a second card with a million prices would need
 * hundreds of megabytes.
 */
import type { Kysely } from 'kysely'
import { groupBy } from '../../core/group-by.ts'
import type { UnpricedCard } from '../../core/rate-card-review/difference/card-difference.ts'
import { versionText } from '../../core/rating/card-version.ts'
import type { PriceRow } from '../../core/rating/rate-card.ts'
import type { Database } from '../../store/database/database.ts'
import { openStoredCard, type VersionName } from '../../store/rate-cards/versions.ts'
import { Refusal } from '../terminal/errors.ts'
import { carriersOf, type LoadedCard } from './source.ts'

export type OpenedCard = {
  /** The name in messages: "demo@2", or the path. */
  readonly name: string
  readonly card: UnpricedCard
  /** All products that have prices. */
  readonly productIds: readonly number[]
  pricesOf(productId: number): Promise<readonly PriceRow[]>
}

export function openLoadedCard({ name, card }: LoadedCard): OpenedCard {
  const prices = groupBy(card.content.prices, ({ productId }) => productId)
  return {
    name,
    card,
    productIds: [...prices.keys()],
    pricesOf: async (productId) => prices.get(productId) ?? [],
  }
}

/** Throws a Refusal if the version does not exist. */
export async function openCardVersion(db: Kysely<Database>, version: VersionName): Promise<OpenedCard> {
  const name = versionText(version)
  const stored = await openStoredCard(db, version)
  if (stored === undefined) throw new Refusal(`there is no ${name}`)
  const { pricesOf, ...card } = stored
  return {
    name,
    card: { ...card, carriers: await carriersOf(db, card) },
    productIds: card.content.products.map(({ productId }) => productId),
    pricesOf,
  }
}
