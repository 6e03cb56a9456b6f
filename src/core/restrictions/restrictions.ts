/**
 * Goods that a destination, a country of dispatch or carriers do not accept, or only under conditions. Rules are rows
 * of the customs data; see docs/restrictions.md. They never change an amount.
 *
 * Rules of a destination and of a country of dispatch apply to goods that cross a customs border. Rules without either,
 * such as those on dangerous goods, apply to all shipments.
 */
import type { CompiledCustoms } from '../customs/compiled-customs.ts'
import { RESTRICTION_SEVERITIES, type RestrictionRow } from '../customs/data/row-types/restrictions.ts'
import type { DataSetRow } from '../customs/data/rows.ts'
import type { DutiesEstimate } from '../customs/estimate/estimate.ts'
import { isSentFrom } from '../customs/estimate/route.ts'
import { COST_PLACES, type ContentItem, type DutiesRequest } from '../customs/request.ts'
import { decimal } from '../quantity.ts'
import { isInForce } from '../validity.ts'
import {
  hasPhrase,
  type Phrases,
  type ReadDescription,
  readDescription,
  readPhrases,
} from './goods-phrases.ts'

/** A rule that concerns a request. */
export type Restriction = {
  readonly row: RestrictionRow
  /** Undefined if the data set of the row is not listed. */
  readonly dataSet: DataSetRow | undefined
  /** Indexes of the content items that it concerns, in order. */
  readonly items: readonly number[]
}

type CompiledRule = {
  readonly row: RestrictionRow
  /** In 10^-6 euro, as in `ContentItem.costSteps`. */
  readonly itemValueAbove: number | undefined
  readonly words: Phrases
  readonly exceptWords: Phrases
}

/** Rules by the destination that they name. */
type RuleIndex = {
  readonly byDestination: ReadonlyMap<string, readonly CompiledRule[]>
  /** Rules that name no destination. */
  readonly anywhere: readonly CompiledRule[]
}

const INDEXES = new WeakMap<readonly RestrictionRow[], RuleIndex>()

/** The rules of customs data. They are compiled once, because rows never change. */
function ruleIndex({ restrictions }: Pick<CompiledCustoms, 'restrictions'>): RuleIndex {
  const known = INDEXES.get(restrictions)
  if (known !== undefined) return known
  const byDestination = new Map<string, CompiledRule[]>()
  const anywhere: CompiledRule[] = []
  for (const row of restrictions) {
    const rule = {
      row,
      itemValueAbove: row.itemValueAbove === '' ? undefined : decimal(row.itemValueAbove, COST_PLACES),
      words: readPhrases(row.words),
      exceptWords: readPhrases(row.exceptWords),
    }
    if (row.destinations.length === 0) anywhere.push(rule)
    for (const destination of row.destinations) {
      const rules = byDestination.get(destination)
      if (rules === undefined) byDestination.set(destination, [rule])
      else rules.push(rule)
    }
  }
  const index = { byDestination, anywhere }
  INDEXES.set(restrictions, index)
  return index
}

type Shipped = Pick<DutiesEstimate, 'consignment' | 'items'>

const NO_RULES: readonly CompiledRule[] = []

/** An item of a request, whose description is read if a rule needs it. */
type Item = { readonly content: ContentItem; readonly code: string; read: ReadDescription | undefined }

type Found = Map<string, { row: RestrictionRow; items: number[] }>

/** The rules that concern the goods of an estimate, the most severe first. */
export function restrictionsOn(
  { consignment, items: estimates }: Shipped,
  request: Pick<DutiesRequest, 'to' | 'items'>,
): readonly Restriction[] {
  const { byDestination, anywhere } = ruleIndex(consignment.tables)
  const items = request.items.map((content, index): Item => {
    return { content, code: estimates[index]?.classification?.code ?? '', read: undefined }
  })
  const names = namesOf(consignment, request.to.country)
  const found: Found = new Map()
  for (const name of names) addRules(found, byDestination.get(name) ?? NO_RULES, consignment, names, items)
  addRules(found, anywhere, consignment, names, items)
  return [...found.values()]
    .sort((a, b) => severityOf(a.row) - severityOf(b.row))
    .map(({ row, items: concerned }) => ({
      row,
      dataSet: consignment.tables.dataSets.get(row.dataSet),
      items: concerned.sort((a, b) => a - b),
    }))
}

function addRules(
  found: Found,
  rules: readonly CompiledRule[],
  consignment: Shipped['consignment'],
  toNames: ReadonlySet<string>,
  items: readonly Item[],
): void {
  for (const rule of rules) {
    if (!concernsRoute(rule.row, consignment, toNames)) continue
    for (let index = 0; index < items.length; index++)
      if (concernsGoods(rule, items[index]!)) addItem(found, rule.row, index)
  }
}

/** The names by which rules know a destination: its country, jurisdiction, customs areas and groups. */
function namesOf({ tables, to }: Shipped['consignment'], country: string): ReadonlySet<string> {
  return new Set([country, to.code, ...to.customsAreas, ...(tables.originGroups.get(country) ?? [])])
}

function concernsRoute(
  row: RestrictionRow,
  { route, date }: Shipped['consignment'],
  toNames: ReadonlySet<string>,
): boolean {
  const { destinations, excludedDestinations, sentFrom, excludedSenders } = row
  if (!isInForce(row, date)) return false
  const isOfPlace = destinations.length > 0 || sentFrom.length > 0
  if (isOfPlace && route.movement !== 'import') return false
  if (!isSentFrom(route, sentFrom)) return false
  if (excludedSenders.length > 0 && isSentFrom(route, excludedSenders)) return false
  return !excludedDestinations.some((name) => toNames.has(name))
}

function concernsGoods(
  { row: { codePrefixes }, itemValueAbove, words, exceptWords }: CompiledRule,
  item: Item,
): boolean {
  if (itemValueAbove !== undefined && item.content.costSteps <= itemValueAbove) return false
  if (codePrefixes.length > 0 && !hasPrefix(item.code, codePrefixes)) return false
  if (words.size > 0 && !hasPhrase(readItem(item).goods, words)) return false
  return exceptWords.size === 0 || !hasPhrase(readItem(item).all, exceptWords)
}

function hasPrefix(code: string, prefixes: readonly string[]): boolean {
  for (const prefix of prefixes) if (code.startsWith(prefix)) return true
  return false
}

function readItem(item: Item): ReadDescription {
  item.read ??= readDescription(item.content.description)
  return item.read
}

/** Rows of one rule are reported together. */
function addItem(found: Found, row: RestrictionRow, index: number): void {
  const known = found.get(row.rule)
  if (known === undefined) found.set(row.rule, { row, items: [index] })
  else if (!known.items.includes(index)) known.items.push(index)
}

function severityOf({ severity }: RestrictionRow): number {
  return RESTRICTION_SEVERITIES.indexOf(severity)
}
