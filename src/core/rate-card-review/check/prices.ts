/**
 * The prices of a card against its products: each is for a product of the card, in a unit and a zone that the
 * product is sold in, and for a pallet class that its carrier has.
 */
import { euroText } from '../../rating/explain/figure-text.ts'
import type { PriceRow, ProductTerms } from '../../rating/rate-card.ts'
import { checkBands } from './bands.ts'
import { type CardIndex, type PricedZone, productText } from './card-index.ts'
import type { Reports } from './findings.ts'

/** Checks the prices, product by product. */
export function checkPrices(prices: readonly PriceRow[], index: CardIndex, reports: Reports): void {
  for (const [productId, zones] of index.priced) {
    const terms = index.products.get(productId)
    const first = Math.min(...[...zones.values()].map((zone) => zone.first))
    if (terms === undefined) {
      const found = `${productId}, in ${countText(countPrices(zones.values()), 'price')}`
      const expected = 'a product of the card'
      reports.fault('prices', 'unknown product', { index: first, field: 'productId', expected, found })
      continue
    }
    checkUnits(prices, terms, zones, reports)
    checkPalletClasses(prices, terms, zones, index, reports)
    checkDeclaredZones(terms, zones, reports)
    for (const { bands, pallets } of zones.values()) {
      checkBands(prices, bands, terms.pricingBasis, reports)
      checkPallets(prices, pallets, reports)
    }
  }
}

type Zones = ReadonlyMap<number, PricedZone>

function countPrices(zones: Iterable<PricedZone>): number {
  let count = 0
  for (const { bands, pallets } of zones) count += bands.length + pallets.length
  return count
}

function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Pallet classes are for products priced by pallet class, weight bands for all others. */
function checkUnits(
  prices: readonly PriceRow[],
  terms: ProductTerms,
  zones: Zones,
  { fault }: Reports,
): void {
  const byClass = terms.pricingBasis === 'pallet-class'
  const strangers = [...zones.values()].flatMap(({ bands, pallets }) =>
    (byClass ? bands : pallets).slice(0, 1),
  )
  const [first] = strangers
  if (first === undefined) return
  const { unit, palletClass } = prices[first]!
  const zonesText = countText(strangers.length, 'zone')
  fault('prices', 'unit', {
    index: first,
    field: 'unit',
    expected: byClass
      ? `prices of pallet classes, as ${productText(terms)} is priced by pallet class`
      : `KG or PER100KG, as ${productText(terms)} is priced by weight (${terms.pricingBasis})`,
    found: `${palletClass === undefined ? unit : `${unit}:${palletClass}`}, in ${zonesText}`,
  })
}

/** Classes that the carrier does not have, and classes that a zone lacks a price for. */
function checkPalletClasses(
  prices: readonly PriceRow[],
  terms: ProductTerms,
  zones: Zones,
  { palletClasses }: CardIndex,
  { fault, warn }: Reports,
): void {
  if (terms.pricingBasis !== 'pallet-class') return
  const { carrierCode } = terms
  const classes = palletClasses.get(carrierCode) ?? new Set<string>()
  const unknown = new Set<string>()
  for (const { zone, first, pallets } of zones.values()) {
    const named = new Set(pallets.map((row) => prices[row]!.palletClass ?? ''))
    for (const row of pallets) {
      const { palletClass = '' } = prices[row]!
      if (classes.has(palletClass) || unknown.has(palletClass)) continue
      unknown.add(palletClass)
      fault('prices', 'pallet class', {
        index: row,
        field: 'palletClass',
        expected: `a pallet class of ${carrierCode}${classes.size === 0 ? ', which has none' : ` (${[...classes].join(', ')})`}`,
        found: palletClass,
      })
    }
    const missing = [...classes].filter((name) => !named.has(name))
    if (missing.length === 0 || pallets.length === 0) continue
    warn('prices', 'missing class', {
      index: first,
      field: 'palletClass',
      expected: `a price for each pallet class of ${carrierCode} in zone ${zone} of ${productText(terms)}`,
      found: `none for ${missing.join(', ')}`,
    })
  }
}

function checkDeclaredZones({ zones: declared, ...terms }: ProductTerms, zones: Zones, { fault }: Reports) {
  if (declared === undefined) return
  const known = new Set(declared)
  for (const { zone, first } of zones.values()) {
    if (known.has(zone)) continue
    fault('prices', 'undeclared zone', {
      index: first,
      field: 'zone',
      expected: `one of the zones of ${productText(terms)} (${declared.join(', ')})`,
      found: `zone ${zone}`,
    })
  }
}

function checkPallets(prices: readonly PriceRow[], pallets: readonly number[], { fault }: Reports): void {
  const seen = new Set<string>()
  for (const index of pallets) {
    const { palletClass = '', priceCents } = prices[index]!
    if (seen.has(palletClass)) {
      const found = `${palletClass} a second time`
      const expected = 'one price for each pallet class of a zone'
      fault('prices', 'duplicate class', { index, field: 'palletClass', expected, found })
    }
    seen.add(palletClass)
    if (priceCents >= 0) continue
    const found = euroText(priceCents)
    fault('prices', 'negative', { index, field: 'priceCents', expected: 'no price below 0', found })
  }
}
