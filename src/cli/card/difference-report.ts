/**
 * The comparison of two rate cards as text and as JSON: the number of changes per table, the price changes, and the
 * changes of other rows. Lists are cut to a limit, and the number of omitted entries is shown.
 */
import { formatCents } from '../../core/money.ts'
import {
  type CardDifference,
  isUnchanged,
  openCardComparison,
} from '../../core/rate-card-review/difference/card-difference.ts'
import type { PlaceChange } from '../../core/rate-card-review/difference/place-changes.ts'
import type { RowChange } from '../../core/rate-card-review/difference/rows.ts'
import { percentText } from '../../core/rating/explain/figure-text.ts'
import type { PriceRow } from '../../core/rating/rate-card.ts'
import { table, tableLabel } from '../terminal/output.ts'
import type { OpenedCard } from './opened-card.ts'

export type NamedDifference = CardDifference & { readonly before: string; readonly after: string }

/** Receives the prices of one product in both cards. */
export type OnPrices = (productId: number, before: readonly PriceRow[], after: readonly PriceRow[]) => void

/** Lists at most `limit` price changes and `limit` other changes. `onPrices` is called once for each product. */
export async function differenceBetween(
  before: OpenedCard,
  after: OpenedCard,
  limit: number,
  onPrices: OnPrices = () => {},
): Promise<NamedDifference> {
  const comparison = openCardComparison(before.card.content, after.card.content, limit)
  const productIds = new Set([...before.productIds, ...after.productIds])
  for (const productId of [...productIds].sort((a, b) => a - b)) {
    const [old, now] = [await before.pricesOf(productId), await after.pricesOf(productId)]
    comparison.addPrices(old, now)
    onPrices(productId, old, now)
  }
  return { ...comparison.finish(), before: before.name, after: after.name }
}

/** The difference as a JSON value with at most `limit` price changes and `limit` other changes. */
export function differenceValue(difference: NamedDifference, limit: number): unknown {
  const { before, after, tables, entries, entryCount, prices, places } = difference
  return {
    before,
    after,
    unchanged: isUnchanged(difference),
    tables,
    places: places.slice(0, limit),
    prices: { totals: prices.totals, changes: prices.changes.slice(0, limit) },
    otherChanges: { total: entryCount, listed: entries.slice(0, limit) },
  }
}

/** The difference as lines with at most `limit` price changes and `limit` other changes. */
export function differenceLines(difference: NamedDifference, limit: number): string[] {
  const { before, after, prices, entries, entryCount, places, currencies } = difference
  if (isUnchanged(difference)) return [`No difference between ${before} and ${after}.`]
  return [
    `From ${before} to ${after}:`,
    ...currencyLines(difference),
    ...tableLines(difference),
    '',
    totalsLine(difference),
    ...priceLines(prices, currencies, limit),
    ...placeLines(places, limit),
    ...otherLines(entries, entryCount, limit),
    '',
  ]
}

function currencyLines({ currencies: { before, after } }: NamedDifference): string[] {
  if (before === after) return []
  return [`The currency changes from ${before} to ${after}. Prices are compared as numbers.`]
}

function tableLines({ tables: { prices, ...others } }: NamedDifference): string[] {
  const counts = Object.entries({ prices, ...others })
  const changed = counts.filter(([, { added, removed, changed }]) => added + removed + changed > 0)
  const same = counts.filter((entry) => !changed.includes(entry)).map(([name]) => tableLabel(name))
  const rows = changed.map(([name, { added, removed, changed }]) => [
    tableLabel(name),
    ...[added, removed, changed].map(String),
  ])
  const figures = ['ADDED', 'REMOVED', 'CHANGED']
  return [
    ...table(['TABLE', ...figures], rows, figures),
    ...(same.length > 0 ? [`unchanged: ${same.join(', ')}`] : []),
  ]
}

function totalsLine({ prices: { totals } }: NamedDifference): string {
  const { up, down, unchanged, added, removed, meanChangeBps } = totals
  const counts = `${up} up, ${down} down, ${unchanged} unchanged, ${added} added, ${removed} removed`
  return `Prices: ${counts}; mean change ${signedPercentText(meanChangeBps)}`
}

function priceLines(
  { changes, changeCount }: CardDifference['prices'],
  { before, after }: CardDifference['currencies'],
  limit: number,
): string[] {
  if (changeCount === 0 || limit === 0) return []
  const rows = changes
    .slice(0, limit)
    .map((change) => [
      `${change.productId} ${change.productName}`,
      String(change.zone),
      change.band,
      formatCents(change.beforeCents),
      formatCents(change.afterCents),
      change.changeBps === undefined ? 'was 0' : signedPercentText(change.changeBps),
    ])
  const heading = ['PRODUCT', 'ZONE', 'BAND', `OLD ${before}`, `NEW ${after}`, 'CHANGE']
  return [
    '',
    changeCount > limit ? 'Largest price changes:' : 'Price changes:',
    ...table(heading, rows, ['ZONE', ...heading.slice(3)]),
    ...omittedLine(changeCount - limit, changeCount),
  ]
}

/** The changes of places by class and country, if there are more than can be listed one by one. */
function placeLines(places: readonly PlaceChange[], limit: number): string[] {
  const rows = places.reduce((sum, { added, removed }) => sum + added + removed, 0)
  if (rows <= limit || limit === 0) return []
  const figures = ['ADDED', 'REMOVED']
  const cells = places
    .slice(0, limit)
    .map(({ table: name, value, country, added, removed }) => [
      ...[tableLabel(name), value, country],
      ...[added, removed].map(String),
    ])
  return [
    '',
    'Places by class or group and country:',
    ...table(['TABLE', 'CLASS', 'COUNTRY', ...figures], cells, figures),
    ...omittedLine(places.length - limit, places.length),
  ]
}

function otherLines(entries: readonly RowChange[], entryCount: number, limit: number): string[] {
  if (entryCount === 0 || limit === 0) return []
  return [
    '',
    'Other changes:',
    ...entries.slice(0, limit).map(entryLine),
    ...omittedLine(entryCount - limit, entryCount),
  ]
}

function entryLine({ kind, table: name, key, field, before, after }: RowChange): string {
  const row = `${tableLabel(name)}: ${key}`
  switch (kind) {
    case 'added':
      return `+ ${row}${after === undefined ? '' : `: ${after}`}`
    case 'removed':
      return `- ${row}${before === undefined ? '' : `: ${before}`}`
    case 'changed':
      return `~ ${row}: ${field ?? ''} ${before ?? 'nothing'} -> ${after ?? 'nothing'}`
  }
}

function omittedLine(more: number, all: number): string[] {
  return more > 0 ? [`… and ${more} more (--changes ${all} lists all)`] : []
}

/** Basis points as "+2.5%", "-10%" or "0%". */
export function signedPercentText(bps: number): string {
  return `${bps > 0 ? '+' : ''}${percentText(bps)}`
}
