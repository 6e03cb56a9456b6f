/**
 * Checks the prices of a card: product, unit, zone and pallet class must exist and match, weight bands must ascend from
 * 0 without gap or overlap. Warns of prices that fall as the weight rises.
 * Rules: docs/rate-card-files.md#prices and docs/rate-cards.md#rate-per-100-kg.
 */
import { mulDivHalfUp } from '../../money.ts'
import { rowsFor } from '../../rating/book/book-product.ts'
import { weightText } from '../../rating/explain/figure-text.ts'
import {
  type PriceRow,
  type PricingBasis,
  type ProductTerms,
  stepPriceTenths,
} from '../../rating/rate-card.ts'
import { type CardIndex, type PricedZone, productText } from './card-index.ts'
import { rowVocabularies } from './expressions.ts'
import type { Reports } from './findings.ts'
import { bandsByClass, checkFreightClasses } from './freight-classes.ts'
import { type ClassPair, nestedClasses } from './measures.ts'
import { warnOfOutliers } from './plausibility/outliers.ts'

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
    checkFreightClasses(prices, terms, zones.values(), index, reports)
    checkDeclaredZones(terms, zones, reports)
    const nested = terms.pricingBasis === 'size-class' ? nestedClassesOf(terms, index) : NO_PAIRS
    for (const { bands, pallets } of zones.values()) {
      warnOfCheaperClasses(prices, pallets, nested, index, reports)
      for (const some of bandsByClass(prices, terms, bands)) checkBands(prices, some, terms, index, reports)
      checkPallets(prices, pallets, index, reports)
    }
    warnOfOutliers(prices, [...zones.values()], index.money, reports)
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

/** Products priced by class have prices of their kind of class; all others have weight bands. */
function checkUnits(
  prices: readonly PriceRow[],
  terms: ProductTerms,
  zones: Zones,
  { fault }: Reports,
): void {
  const classUnit = CLASS_UNITS[terms.pricingBasis]
  const isByFreightClass = terms.pricingBasis === 'freight-class'
  const unexpected = [...zones.values()].flatMap(({ bands, pallets }) =>
    (classUnit === undefined
      ? [...pallets, ...bands.filter((row) => (prices[row]!.unit === 'CLASS') !== isByFreightClass)]
      : [...bands, ...pallets.filter((row) => prices[row]!.unit !== classUnit)]
    ).slice(0, 1),
  )
  const [first] = unexpected
  if (first === undefined) return
  const { unit, palletClass } = prices[first]!
  const zonesText = countText(unexpected.length, 'zone')
  fault('prices', 'unit', {
    index: first,
    field: 'unit',
    expected: classUnit
      ? `prices of ${CLASS_WORDS[classUnit]}es, as ${productText(terms)} is priced by ${CLASS_WORDS[classUnit]}`
      : isByFreightClass
        ? `rates such as CLASS:70, as ${productText(terms)} is priced by freight class`
        : `KG or PER100KG, as ${productText(terms)} is priced by weight (${terms.pricingBasis})`,
    found: `${palletClass === undefined ? unit : `${unit}:${palletClass}`}, in ${zonesText}`,
  })
}

const CLASS_UNITS: Readonly<Partial<Record<PricingBasis, 'PALLET' | 'SIZE'>>> = {
  'pallet-class': 'PALLET',
  'size-class': 'SIZE',
}

const CLASS_WORDS = { PALLET: 'pallet class', SIZE: 'size class' } as const

/** Reports classes that the carrier does not have, and warns of classes without a price in a zone. */
function checkPalletClasses(
  prices: readonly PriceRow[],
  terms: ProductTerms,
  zones: Zones,
  { palletClasses, sizeClasses }: CardIndex,
  { fault, warn }: Reports,
): void {
  const classUnit = CLASS_UNITS[terms.pricingBasis]
  if (classUnit === undefined) return
  const { carrierCode } = terms
  const classes =
    classUnit === 'PALLET'
      ? (palletClasses.get(carrierCode) ?? new Set<string>())
      : new Set(rowsFor(sizeClasses, terms).map(({ sizeClass }) => sizeClass))
  const word = CLASS_WORDS[classUnit]
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
        expected: `a ${word} of ${carrierCode}${classes.size === 0 ? ', which has none' : ` (${[...classes].join(', ')})`}`,
        found: palletClass,
      })
    }
    const missing = [...classes].filter((name) => !named.has(name))
    if (missing.length === 0 || pallets.length === 0) continue
    warn('prices', 'missing class', {
      index: first,
      field: 'palletClass',
      expected: `a price for each ${word} of ${carrierCode} in zone ${zone} of ${productText(terms)}`,
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

function checkPallets(
  prices: readonly PriceRow[],
  pallets: readonly number[],
  { money }: CardIndex,
  { fault }: Reports,
): void {
  const seen = new Set<string>()
  for (const index of pallets) {
    const { palletClass = '', priceCents } = prices[index]!
    if (seen.has(palletClass)) {
      const found = `${palletClass} a second time`
      const expected = 'one price for each class of a zone'
      fault('prices', 'duplicate class', { index, field: 'palletClass', expected, found })
    }
    seen.add(palletClass)
    if (priceCents >= 0) continue
    const found = money(priceCents)
    fault('prices', 'negative', { index, field: 'priceCents', expected: 'no price below 0', found })
  }
}

const NO_PAIRS: readonly ClassPair[] = []

function nestedClassesOf(terms: ProductTerms, index: CardIndex): readonly ClassPair[] {
  const [words] = rowVocabularies({ carrierCode: terms.carrierCode, products: [terms.productId] }, index)
  return words === undefined ? NO_PAIRS : nestedClasses(rowsFor(index.sizeClasses, terms), words)
}

/** Warns once for each class that costs less than a class it contains, and names the dearest of those. */
function warnOfCheaperClasses(
  prices: readonly PriceRow[],
  rows: readonly number[],
  nested: readonly ClassPair[],
  { money }: CardIndex,
  { warn }: Reports,
): void {
  const byClass = new Map(rows.map((index) => [prices[index]!.palletClass ?? '', index]))
  const dearest = new Map<number, PriceRow>()
  for (const [smaller, larger] of nested) {
    const [one, other] = [byClass.get(smaller), byClass.get(larger)]
    if (one === undefined || other === undefined) continue
    if (prices[one]!.priceCents > (dearest.get(other) ?? prices[other]!).priceCents)
      dearest.set(other, prices[one]!)
  }
  for (const [index, { priceCents, palletClass }] of dearest) {
    const expected = `at least ${money(priceCents)}, the price of the smaller class ${palletClass}`
    const found = money(prices[index]!.priceCents)
    warn('prices', 'cheaper class', { index, field: 'priceCents', expected, found })
  }
}

/** Checks the weight bands of one product in one zone: the rows of `prices` at `indexes`. */
function checkBands(
  prices: readonly PriceRow[],
  indexes: readonly number[],
  { pricingBasis, units, deficitWeight }: ProductTerms,
  { money }: CardIndex,
  reports: Reports,
): void {
  const texts: Texts = { money, weight: (thousandths) => weightText(thousandths, units) }
  const ordered = inOrder(prices, indexes, texts, reports)
  let isValid = ordered === indexes
  let before: PriceRow | undefined
  for (const index of ordered) {
    const row = prices[index]!
    const isRowValid =
      checkFigures(row, index, texts, reports) && checkBounds(row, index, before, texts, reports)
    isValid &&= isRowValid
    before = row
  }
  const hasDeficitWeight = hasRatesPer100(pricingBasis) && deficitWeight !== 'no'
  if (!isValid) return
  warnOfFalls(prices, indexes, hasDeficitWeight, texts, reports)
  warnOfRisingRates(prices, indexes, texts, reports)
}

/** The bases that can charge a deficit weight. */
export function hasRatesPer100(basis: PricingBasis): boolean {
  return basis === 'per-100kg' || basis === 'freight-class'
}

/** Amounts in the currency of the card, and weights in the unit of the product. */
type Texts = Pick<CardIndex, 'money'> & { readonly weight: (thousandths: number) => string }

function hasBounds({ overGrams, upToGrams }: PriceRow): boolean {
  return overGrams < upToGrams
}

/** Returns `indexes` if the bands ascend. Otherwise reports one finding and returns a sorted copy. */
function inOrder(
  prices: readonly PriceRow[],
  indexes: readonly number[],
  { weight }: Texts,
  { fault }: Reports,
): readonly number[] {
  let highest = -1
  for (const index of indexes) {
    const row = prices[index]!
    if (!hasBounds(row)) continue
    if (row.overGrams < highest) {
      fault('prices', 'order', {
        index,
        field: 'overGrams',
        expected: `bands in ascending order, here from ${weight(highest)} on`,
        found: weight(row.overGrams),
      })
      return [...indexes].sort((a, b) => prices[a]!.overGrams - prices[b]!.overGrams || a - b)
    }
    highest = row.overGrams
  }
  return indexes
}

/** Checks the amounts of a row. Returns true if there is no fault. */
function checkFigures(row: PriceRow, index: number, { money, weight }: Texts, { fault }: Reports): boolean {
  const { unit, priceCents, stepGrams, stepCents } = row
  const negative = { index, expected: 'no price below 0' }
  if (priceCents < 0)
    fault('prices', 'negative', { ...negative, field: 'priceCents', found: money(priceCents) })
  else if (stepCents !== undefined && stepCents < 0)
    fault('prices', 'negative', { ...negative, field: 'stepCents', found: money(stepCents) })
  else if (stepGrams !== undefined && (isRate(row) || stepGrams <= 0)) {
    const expected = isRate(row) ? 'no step with a rate per 100 kg' : `a step above ${weight(0)}`
    fault('prices', `step of ${unit}`, {
      index,
      field: 'stepGrams',
      expected,
      found: weight(stepGrams),
    })
  } else return true
  return false
}

/** Returns true if the band begins where the one before it ends. */
function checkBounds(
  row: PriceRow,
  index: number,
  before: PriceRow | undefined,
  { weight }: Texts,
  { fault }: Reports,
): boolean {
  const { overGrams, upToGrams } = row
  if (!hasBounds(row)) {
    fault('prices', 'empty band', {
      index,
      field: 'upToGrams',
      expected: `up_to above over (${weight(overGrams)})`,
      found: weight(upToGrams),
    })
    return false
  }
  // The expected start is unknown after a band with invalid bounds.
  if (before !== undefined && !hasBounds(before)) return true
  const start = before?.upToGrams ?? 0
  if (overGrams === start) return true
  if (overGrams === before?.overGrams && upToGrams === before.upToGrams) {
    const found = `${weight(overGrams)} to ${weight(upToGrams)} a second time`
    fault('prices', 'duplicate band', { index, expected: 'one price for each band', found })
    return false
  }
  fault('prices', before === undefined ? 'first band' : overGrams < start ? 'overlap' : 'gap', {
    index,
    field: 'overGrams',
    expected:
      before === undefined
        ? `over ${weight(0)} in the first band`
        : `over ${weight(start)}, where the band before it ends`,
    found: weight(overGrams),
  })
  return false
}

/** Warns if a higher weight costs less than a lower one. Prices cannot fall within a band, only between bands. */
function warnOfFalls(
  prices: readonly PriceRow[],
  indexes: readonly number[],
  hasDeficitWeight: boolean,
  { money, weight }: Texts,
  { warn }: Reports,
): void {
  for (let position = 1; position < indexes.length; position++) {
    const lower = prices[indexes[position - 1]!]!
    const upper = prices[indexes[position]!]!
    const following = indexes[position + 1]
    const next = following === undefined ? undefined : prices[following]!
    const lowerCents = priceAtEnd(lower, hasDeficitWeight ? upper : undefined)
    const upperCents = priceAtStart(upper, hasDeficitWeight ? next : undefined)
    if (upperCents >= lowerCents) continue
    warn('prices', 'fall', {
      index: indexes[position]!,
      field: 'priceCents',
      expected: `at least ${money(lowerCents)}, the price of ${weight(upper.overGrams)}`,
      found: money(upperCents),
    })
  }
}

/**
 * Heavier shipments have lower rates. With deficit weight, a rate that is too high does not make the next price fall.
 */
function warnOfRisingRates(
  prices: readonly PriceRow[],
  indexes: readonly number[],
  { money }: Texts,
  { warn }: Reports,
): void {
  for (let position = 1; position < indexes.length; position++) {
    const index = indexes[position]!
    const [lower, upper] = [prices[indexes[position - 1]!]!, prices[index]!]
    if (!isRate(lower) || !isRate(upper) || upper.priceCents <= lower.priceCents) continue
    const expected = `at most ${money(lower.priceCents)}, the rate of the band before it`
    warn('prices', 'rising rate', { index, field: 'priceCents', expected, found: money(upper.priceCents) })
  }
}

function isRate({ unit }: PriceRow): boolean {
  return unit === 'PER100KG' || unit === 'CLASS'
}

/** The price of the heaviest weight of a band. `next` is given if its rate per 100 kg can apply as deficit weight. */
function priceAtEnd(row: PriceRow, next: PriceRow | undefined): number {
  const { overGrams, upToGrams, priceCents, stepGrams = 0 } = row
  if (isRate(row)) return rateFor(row, upToGrams, next)
  return stepGrams === 0
    ? priceCents
    : mulDivHalfUp(
        10 * priceCents + Math.ceil((upToGrams - overGrams) / stepGrams) * stepPriceTenths(row),
        1,
        10,
      )
}

/** The price of the smallest weight of a band. */
function priceAtStart(row: PriceRow, next: PriceRow | undefined): number {
  const { overGrams, priceCents, stepGrams = 0 } = row
  if (isRate(row)) return rateFor(row, overGrams, next)
  return stepGrams === 0 ? priceCents : mulDivHalfUp(10 * priceCents + stepPriceTenths(row), 1, 10)
}

function rateFor({ priceCents }: PriceRow, grams: number, next: PriceRow | undefined): number {
  const cents = per100Kg(priceCents, grams)
  return next !== undefined && isRate(next)
    ? Math.min(cents, per100Kg(next.priceCents, next.overGrams))
    : cents
}

function per100Kg(rateCents: number, grams: number): number {
  return mulDivHalfUp(rateCents, grams, 100_000)
}
