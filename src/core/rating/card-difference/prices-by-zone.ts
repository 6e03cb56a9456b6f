/** The prices of two cards zone by zone, so that they can be compared without a key for each row. */
import type { PriceRow } from '../rate-card.ts'

type Zones = Map<number, PriceRow[]>

const NO_ZONES: ReadonlyMap<number, PriceRow[]> = new Map()
const NO_ROWS: readonly PriceRow[] = []

/** Each zone of each product with its rows before and after, ascending by product and zone. */
export function* pricesByZone(
  before: readonly PriceRow[],
  after: readonly PriceRow[],
): Generator<readonly [readonly PriceRow[], readonly PriceRow[]]> {
  const [left, right] = [byProduct(before), byProduct(after)]
  for (const product of keysOfBoth(left, right)) {
    const [old, now] = [left.get(product) ?? NO_ZONES, right.get(product) ?? NO_ZONES]
    for (const zone of keysOfBoth(old, now)) yield [old.get(zone) ?? NO_ROWS, now.get(zone) ?? NO_ROWS]
  }
}

function keysOfBoth(one: ReadonlyMap<number, unknown>, other: ReadonlyMap<number, unknown>): number[] {
  return [...new Set([...one.keys(), ...other.keys()])].sort((a, b) => a - b)
}

function byProduct(prices: readonly PriceRow[]): Map<number, Zones> {
  const products = new Map<number, Zones>()
  let product = Number.NaN
  let zones: Zones = new Map()
  let zone = Number.NaN
  let rows: PriceRow[] = []
  for (const row of prices) {
    if (row.productId !== product) {
      product = row.productId
      zones = products.get(product) ?? new Map()
      products.set(product, zones)
      zone = Number.NaN
    }
    if (row.zone !== zone) {
      zone = row.zone
      rows = zones.get(zone) ?? []
      zones.set(zone, rows)
    }
    rows.push(row)
  }
  return products
}
