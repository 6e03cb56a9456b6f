/**
 * What changes from one rate card to another, for people and for programs: a line for each table, the prices by
 * how they moved, and the largest changes. Lists are cut to a number of lines; what is cut is counted.
 */

import { formatCents } from '../../core/money.ts'
import {
  type CardDifference,
  compareRateCards,
  isUnchanged,
} from '../../core/rate-card-review/difference/card-difference.ts'
import type { PriceChange } from '../../core/rate-card-review/difference/price-changes.ts'
import type { RowChange } from '../../core/rate-card-review/difference/row-changes.ts'
import { percentText } from '../../core/rating/explain/figure-text.ts'
import type { RateCardContent } from '../../core/rating/rate-card.ts'
import { table } from './output.ts'

/** Changes that are listed unless another number is asked for. */
export const LISTED_CHANGES = 10

/** A card to compare, under the name it has in messages. */
export type NamedContent = { readonly name: string; readonly card: { readonly content: RateCardContent } }

/** A difference between two cards. */
export type NamedDifference = CardDifference & { readonly before: string; readonly after: string }

/** Compares two cards. */
export function differenceBetween(before: NamedContent, after: NamedContent): NamedDifference {
  const difference = compareRateCards(before.card.content, after.card.content)
  return { ...difference, before: before.name, after: after.name }
}

/** The difference as a JSON value, with at most `most` price changes and as many other changes. */
export function differenceValue({ entries, prices, ...difference }: NamedDifference, most: number): unknown {
  const { before, after, tables } = difference
  return {
    ...{ before, after, unchanged: isUnchanged({ ...difference, entries, prices }), tables },
    prices: { totals: prices.totals, changes: prices.changes.slice(0, most) },
    otherChanges: { total: entries.length, listed: entries.slice(0, most) },
  }
}

/** The difference as lines, with at most `most` price changes and as many other changes. */
export function differenceLines(difference: NamedDifference, most: number): string[] {
  const { before, after, prices, entries } = difference
  if (isUnchanged(difference)) return [`No difference between ${before} and ${after}.`]
  return [
    `From ${before} to ${after}:`,
    ...tableLines(difference),
    '',
    totalsLine(difference),
    ...priceLines(prices.changes, most),
    ...otherLines(entries, most),
    '',
  ]
}

function tableLines({ tables: { prices, ...others } }: NamedDifference): string[] {
  const counts = Object.entries({ prices, ...others })
  const moved = counts.filter(([, { added, removed, changed }]) => added + removed + changed > 0)
  const same = counts.filter((entry) => !moved.includes(entry)).map(([name]) => nameOfTable(name))
  const rows = moved.map(([name, { added, removed, changed }]) => [
    nameOfTable(name),
    ...[added, removed, changed].map(String),
  ])
  const figures = ['ADDED', 'REMOVED', 'CHANGED']
  return [
    ...table(['TABLE', ...figures], rows, figures),
    ...(same.length > 0 ? [`unchanged: ${same.join(', ')}`] : []),
  ]
}

/** "countryGroups" as "country groups". */
export function nameOfTable(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function totalsLine({ prices: { totals } }: NamedDifference): string {
  const { up, down, unchanged, added, removed, meanChangeBps } = totals
  const moves = `${up} up, ${down} down, ${unchanged} unchanged, ${added} added, ${removed} removed`
  return `Prices: ${moves}; mean change ${signedPercentText(meanChangeBps)}`
}

function priceLines(changes: readonly PriceChange[], most: number): string[] {
  if (changes.length === 0 || most === 0) return []
  const rows = changes
    .slice(0, most)
    .map((change) => [
      `${change.productId} ${change.productName}`,
      String(change.zone),
      change.band,
      formatCents(change.beforeCents),
      formatCents(change.afterCents),
      change.changeBps === undefined ? 'was 0' : signedPercentText(change.changeBps),
    ])
  const heading = ['PRODUCT', 'ZONE', 'BAND', 'OLD EUR', 'NEW EUR', 'CHANGE']
  return [
    '',
    changes.length > most ? 'The largest changes of prices:' : 'Changes of prices:',
    ...table(heading, rows, ['ZONE', 'OLD EUR', 'NEW EUR', 'CHANGE']),
    ...restLine(changes.length - most, changes.length),
  ]
}

function otherLines(entries: readonly RowChange[], most: number): string[] {
  if (entries.length === 0 || most === 0) return []
  return [
    '',
    'Other changes:',
    ...entries.slice(0, most).map(entryLine),
    ...restLine(entries.length - most, entries.length),
  ]
}

function entryLine({ kind, table: name, key, field, before, after }: RowChange): string {
  const row = `${nameOfTable(name)}: ${key}`
  switch (kind) {
    case 'added':
      return `+ ${row}${after === undefined ? '' : `: ${after}`}`
    case 'removed':
      return `- ${row}${before === undefined ? '' : `: ${before}`}`
    case 'changed':
      return `~ ${row}: ${field ?? ''} ${before ?? 'nothing'} -> ${after ?? 'nothing'}`
  }
}

function restLine(more: number, all: number): string[] {
  return more > 0 ? [`… and ${more} more (--changes ${all} lists all)`] : []
}

/** Basis points as "+2.5%", "-10%" or "0%". */
export function signedPercentText(bps: number): string {
  return `${bps > 0 ? '+' : ''}${percentText(bps)}`
}
