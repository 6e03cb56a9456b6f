/**
 * Compares two lists of prices, each of which can have a million rows, one product at a time. A price is identified by
 * product, zone, unit, pallet class and upper bound.
 */
import { groupBy } from '../../group-by.ts'
import { mulDivHalfUp } from '../../money.ts'
import { bandText, moneyText, tenthsText, weightText } from '../../rating/explain/figure-text.ts'
import { isClassPrice, type ListUnits, type PriceRow, stepPriceTenths } from '../../rating/rate-card.ts'
import { type ProductNames, productText } from './plain-tables.ts'
import type { Currencies, RowChange, RowCounts } from './rows.ts'

/** A change of a price, or of the price of its steps. */
export type PriceChange = {
  readonly productId: number
  readonly productName: string
  readonly zone: number
  /** "up to 5 kg", "pallet HALF", "up to 70 kg, each 0.5 kg more". */
  readonly band: string
  readonly beforeCents: number
  readonly afterCents: number
  /** The change in basis points of the old price, rounded half up; absent if the old price was 0. */
  readonly changeBps?: number
}

/** Numbers of prices. A row of which only the price of the steps changed is counted by that change. */
export type PriceTotals = {
  readonly up: number
  readonly down: number
  readonly unchanged: number
  readonly added: number
  readonly removed: number
  /** The mean change in basis points over all prices in both lists, except those that were 0; rounded half up. */
  readonly meanChangeBps: number
}

/**
 * `changes` has the largest changes: by percentage, then by amount, then in the order of products and zones.
 * `changeCount` counts all.
 */
export type PriceDifference = {
  readonly changes: readonly PriceChange[]
  readonly changeCount: number
  readonly totals: PriceTotals
}

/** Compares two lists without holding both in memory. */
export type PriceComparison = {
  /** All rows of a product in both lists. Call it once for each product, in the order of their ids. */
  add(before: readonly PriceRow[], after: readonly PriceRow[]): void
  /** Call it last. */
  finish(): { readonly rows: RowCounts; readonly prices: PriceDifference }
}

/** The units of the weights of a product. */
type UnitsOf = (productId: number) => ListUnits | undefined

type Tally = {
  readonly changes: LargestChanges
  readonly report: (change: RowChange) => void
  readonly names: ProductNames
  readonly unitsOf: UnitsOf
  readonly currencies: Currencies
  /** The text of each band, so that all changes share them. */
  readonly bands: Map<string, string>
  up: number
  down: number
  unchanged: number
  added: number
  removed: number
  /** The number of rows with any difference. */
  changed: number
  sumBps: number
  counted: number
}

/**
 * Added and removed rows, and changes other than of a price, are passed to `report`. At most the `limit` largest
 * changes are kept.
 */
export function openPriceComparison(
  { names, unitsOf }: { readonly names: ProductNames; readonly unitsOf: UnitsOf },
  currencies: Currencies,
  report: (change: RowChange) => void,
  limit: number,
): PriceComparison {
  const none = { up: 0, down: 0, unchanged: 0, added: 0, removed: 0, changed: 0, sumBps: 0, counted: 0 }
  const changes = openLargest(limit)
  const tally: Tally = { changes, report, names, unitsOf, currencies, bands: new Map(), ...none }
  return {
    add(before, after) {
      const [left, right] = [byZone(before), byZone(after)]
      for (const zone of keysOfBoth(left, right))
        compareZone(left.get(zone) ?? NO_ROWS, right.get(zone) ?? NO_ROWS, tally)
    },
    finish() {
      const { up, down, unchanged, added, removed, changed, sumBps, counted } = tally
      const meanChangeBps = counted === 0 ? 0 : mulDivHalfUp(sumBps, 1, counted)
      return {
        rows: { added, removed, changed },
        prices: { ...changes.all(), totals: { up, down, unchanged, added, removed, meanChangeBps } },
      }
    },
  }
}

function compareZone(before: readonly PriceRow[], after: readonly PriceRow[], tally: Tally): void {
  // Bands are usually unchanged; then rows can be compared by position.
  if (before.length === after.length && before.every((row, at) => isSamePrice(row, after[at]!))) {
    before.forEach((row, at) => {
      comparePrice(row, after[at]!, tally)
    })
    return
  }
  const left = groupBy(before, bandKey)
  const hasCommonBand = after.some((row) => left.has(bandKey(row)))
  if (!hasCommonBand) {
    reportZone('added', after, tally)
    reportZone('removed', before, tally)
    return
  }
  for (const row of after) {
    const old = left.get(bandKey(row))?.shift()
    if (old !== undefined) comparePrice(old, row, tally)
    else reportRow('added', row, tally)
  }
  for (const rows of left.values()) for (const row of rows) reportRow('removed', row, tally)
}

function reportRow(kind: 'added' | 'removed', row: PriceRow, tally: Tally): void {
  tally[kind]++
  const { before, after } = tally.currencies
  const units = tally.unitsOf(row.productId)
  const text =
    kind === 'added' ? { after: priceText(row, after, units) } : { before: priceText(row, before, units) }
  tally.report({ kind, table: 'prices', key: keyText(row, tally), ...text })
}

/** Reports all prices of a zone as one entry. */
function reportZone(kind: 'added' | 'removed', rows: readonly PriceRow[], tally: Tally): void {
  const [first, second] = rows
  if (first === undefined) return
  if (second === undefined) {
    reportRow(kind, first, tally)
    return
  }
  tally[kind] += rows.length
  const key = `${productText(first.productId, tally.names)}, zone ${first.zone}`
  const count = `${rows.length} prices`
  tally.report({ kind, table: 'prices', key, ...(kind === 'added' ? { after: count } : { before: count }) })
}

function isSamePrice(one: PriceRow, other: PriceRow): boolean {
  return one.upToGrams === other.upToGrams && one.unit === other.unit && one.palletClass === other.palletClass
}

/** Identifies a row within its zone. Numbers, because there are many. */
function bandKey({ unit, palletClass = '', upToGrams }: PriceRow): number | string {
  if (unit === 'CLASS') return `${palletClass} ${upToGrams}`
  return isClassPrice(unit) ? palletClass : 2 * upToGrams + (unit === 'PER100KG' ? 1 : 0)
}

function keyText(row: PriceRow, { names, unitsOf }: Tally): string {
  return `${productText(row.productId, names)}, zone ${row.zone}, ${bandText(row, unitsOf(row.productId))}`
}

function priceText(row: PriceRow, currency: string, units: ListUnits | undefined): string {
  const step = stepText(row, currency, units)
  const price = moneyText(row.priceCents, currency)
  return step === undefined ? price : `${price} and ${step}`
}

function stepText(row: PriceRow, currency: string, units: ListUnits | undefined): string | undefined {
  const { stepGrams } = row
  return stepGrams === undefined
    ? undefined
    : `${tenthsText(stepPriceTenths(row), currency)} for each ${weightText(stepGrams, units)} more`
}

function comparePrice(old: PriceRow, row: PriceRow, tally: Tally): void {
  const sameStep = old.stepGrams === row.stepGrams
  const [oldStep, newStep] = sameStep ? [stepPriceTenths(old), stepPriceTenths(row)] : [0, 0]
  const isPriceMoved = old.priceCents !== row.priceCents
  const units = tally.unitsOf(row.productId)
  if (isPriceMoved)
    tally.changes.add(changeOf(row, bandText(row, units), old.priceCents, row.priceCents, tally))
  if (oldStep !== newStep) {
    const band = `${bandText(row, units)}, each ${weightText(row.stepGrams ?? 0, units)} more`
    if (oldStep % 10 === 0 && newStep % 10 === 0)
      tally.changes.add(changeOf(row, band, oldStep / 10, newStep / 10, tally))
    else {
      const before = tenthsText(oldStep, tally.currencies.before)
      const after = tenthsText(newStep, tally.currencies.after)
      const key = keyText(row, tally)
      tally.report({ kind: 'changed', table: 'prices', key, field: 'step price', before, after })
    }
  }
  const [was, is] =
    isPriceMoved || oldStep === newStep ? [old.priceCents, row.priceCents] : [oldStep, newStep]
  if (is > was) tally.up++
  else if (is < was) tally.down++
  else tally.unchanged++
  if (was > 0) {
    tally.counted++
    tally.sumBps += relativeBps(was, is)
  }
  const differsOtherwise = reportShape(old, row, tally)
  if (is !== was || differsOtherwise) tally.changed++
}

function relativeBps(beforeCents: number, afterCents: number): number {
  return mulDivHalfUp(afterCents - beforeCents, 10_000, beforeCents)
}

function changeOf(
  { productId, zone }: PriceRow,
  band: string,
  beforeCents: number,
  afterCents: number,
  { names, bands }: Tally,
): PriceChange {
  if (!bands.has(band)) bands.set(band, band)
  return {
    productId,
    productName: names(productId),
    zone,
    band: bands.get(band)!,
    beforeCents,
    afterCents,
    ...(beforeCents > 0 && { changeBps: relativeBps(beforeCents, afterCents) }),
  }
}

/** Reports a band with another lower bound or other steps. Returns true if there is one. */
function reportShape(old: PriceRow, row: PriceRow, tally: Tally): boolean {
  const isMoved = old.overGrams !== row.overGrams
  const hasOtherSteps = old.stepGrams !== row.stepGrams
  if (!isMoved && !hasOtherSteps) return false
  const units = tally.unitsOf(row.productId)
  const changed = { kind: 'changed', table: 'prices', key: keyText(row, tally) } as const
  if (isMoved) {
    const [before, after] = [weightText(old.overGrams, units), weightText(row.overGrams, units)]
    tally.report({ ...changed, field: 'over', before, after })
  }
  if (hasOtherSteps) {
    const [before, after] = [
      stepText(old, tally.currencies.before, units),
      stepText(row, tally.currencies.after, units),
    ]
    tally.report({
      ...changed,
      field: 'step',
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    })
  }
  return true
}

type LargestChanges = {
  add(change: PriceChange): void
  all(): Pick<PriceDifference, 'changes' | 'changeCount'>
}

/** How many changes are collected beyond the limit before they are sorted and the smallest are dropped. */
const MORE_KEPT = 10_000

function openLargest(limit: number): LargestChanges {
  let kept: PriceChange[] = []
  let changeCount = 0
  /** The smallest of the largest `limit` so far. Changes that are not larger are only counted. */
  let least: PriceChange | undefined
  return {
    add(change) {
      changeCount++
      if (least !== undefined && bySize(change, least) >= 0) return
      kept.push(change)
      if (kept.length < limit + MORE_KEPT) return
      kept = kept.toSorted(bySize).slice(0, limit)
      least = kept.at(-1)
    },
    all: () => ({ changes: kept.toSorted(bySize).slice(0, limit), changeCount }),
  }
}

/** Largest first. */
function bySize(one: PriceChange, other: PriceChange): number {
  const [share, otherShare] = [shareOf(one), shareOf(other)]
  return share === otherShare ? amountOf(other) - amountOf(one) : otherShare > share ? 1 : -1
}

function shareOf({ changeBps }: PriceChange): number {
  return changeBps === undefined ? Number.POSITIVE_INFINITY : Math.abs(changeBps)
}

function amountOf({ beforeCents, afterCents }: PriceChange): number {
  return Math.abs(afterCents - beforeCents)
}

const NO_ROWS: readonly PriceRow[] = []

/** The keys of both maps, ascending. */
function keysOfBoth(one: ReadonlyMap<number, unknown>, other: ReadonlyMap<number, unknown>): number[] {
  return [...new Set([...one.keys(), ...other.keys()])].sort((a, b) => a - b)
}

function byZone(prices: readonly PriceRow[]): ReadonlyMap<number, readonly PriceRow[]> {
  return groupBy(prices, ({ zone }) => zone)
}
