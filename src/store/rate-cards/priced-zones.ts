/** The zones in which products have prices, for warnings about discounts and margins that would never apply. */
import type { Kysely } from 'kysely'
import type { Database } from '../database/database.ts'

export type PricedZone = { readonly productId: number; readonly carrierCode: string; readonly zone: number }

/** Of all versions that are not withdrawn: of cost cards, or of cards that sell. */
export async function listPricedZones(
  db: Kysely<Database>,
  kind: 'cost' | 'sell',
): Promise<readonly PricedZone[]> {
  return db
    .selectFrom('zone_price')
    .innerJoin('product', (join) =>
      join
        .onRef('product.version_id', '=', 'zone_price.version_id')
        .onRef('product.product_id', '=', 'zone_price.product_id'),
    )
    .innerJoin('rate_card_version', 'rate_card_version.version_id', 'product.version_id')
    .innerJoin('rate_card', 'rate_card.rate_card_code', 'rate_card_version.rate_card_code')
    .where('rate_card_version.status', '<>', 'withdrawn')
    .where('rate_card.audience', kind === 'cost' ? '=' : '<>', 'cost')
    .select([
      'product.product_id as productId',
      'product.carrier_code as carrierCode',
      'zone_price.zone as zone',
    ])
    .distinct()
    .execute()
}
