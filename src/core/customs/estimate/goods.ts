/**
 * Groups the items of a request by commodity code into goods, and by origin into lots. Selects the code that lines are
 * shown under, and collects the assumptions about a code that lines mention.
 * See docs/customs-data.md#codes and docs/rest-contract.md#r13.
 */
import { type Exact, plus } from '../exact.ts'
import type { ContentItem } from '../request.ts'
import { type CodeFacts, findCode } from '../tariff/code-facts.ts'
import type { TariffEntry } from '../tariff/tariff.ts'
import { assessedValue, type Consignment } from './consignment.ts'
import { codesFor } from './route.ts'
import { linesLeftOut } from './unit-value.ts'

/** Values are in euro. */
export type CodedItem = {
  readonly index: number
  readonly item: ContentItem
  readonly code: string
  readonly goodsValue: Exact
  readonly freight: Exact
  readonly customsValue: Exact
}

/** Goods of one commodity code and one origin, under one line of the tariff. */
export type Lot = {
  /** As given; empty if it was not given. */
  readonly origin: string
  /** For this origin, or for the sending country. */
  readonly facts: CodeFacts
  /** Undefined if no tariff is loaded, or the tariff has nothing for the code. */
  readonly entry: TariffEntry | undefined
  /** As given; empty if it was not given. */
  readonly additionalCode: string
  readonly items: readonly CodedItem[]
  readonly goodsValue: Exact
  readonly freight: Exact
  readonly customsValue: Exact
  /** The customs value, rounded as it is before rates are applied to it. */
  readonly assessedValue: Exact
}

/** All items of one commodity code. */
export type Goods = {
  /** See `CodeFacts`. */
  readonly harmonizedCode: string
  readonly lots: readonly Lot[]
  readonly goodsValue: Exact
  readonly freight: Exact
  readonly customsValue: Exact
  /** Indexes of the items. */
  readonly items: readonly number[]
  /** Sentences about what was assumed about a code. */
  readonly remarks: readonly string[]
}

/** The goods of a consignment, in the order of their first items. */
export function groupGoods(consignment: Consignment, items: readonly CodedItem[]): readonly Goods[] {
  const groups: Goods[] = []
  for (const coded of items) {
    const goods = goodsOf(consignment, coded)
    const position = positionOf(groups, goods.harmonizedCode)
    if (position === groups.length) groups.push(goods)
    else groups[position] = merge(consignment, groups[position]!, goods)
  }
  return groups
}

/**
 * The position of the goods of a code; after the last if there are none. Faster than a map, since requests have few
 * items.
 */
function positionOf(groups: readonly Goods[], harmonizedCode: string): number {
  for (let position = 0; position < groups.length; position++)
    if (groups[position]!.harmonizedCode === harmonizedCode) return position
  return groups.length
}

function goodsOf(consignment: Consignment, coded: CodedItem): Goods {
  const { goodsValue, freight, customsValue, item } = coded
  const origin = item.originCountry ?? ''
  const facts = factsOf(consignment, coded, origin)
  return {
    harmonizedCode: facts.harmonizedCode,
    lots: [
      {
        origin,
        facts,
        entry: facts.entry,
        additionalCode: item.additionalCode ?? '',
        items: [coded],
        goodsValue,
        freight,
        customsValue,
        assessedValue: assessedValue(consignment, customsValue),
      },
    ],
    goodsValue,
    freight,
    customsValue,
    items: [coded.index],
    remarks: facts.remarks,
  }
}

function factsOf(consignment: Consignment, coded: CodedItem, origin: string): CodeFacts {
  const codes = codesFor(consignment.route, origin || consignment.sendingCountry)
  const facts = findCode(codes, coded.code)
  return facts.bands.length === 0
    ? facts
    : findCode(codes, coded.code, linesLeftOut(consignment, coded, facts.bands))
}

function merge(consignment: Consignment, first: Goods, second: Goods): Goods {
  return {
    harmonizedCode: first.harmonizedCode,
    lots: second.lots.reduce((lots, lot) => addLot(consignment, lots, lot), first.lots),
    goodsValue: plus(first.goodsValue, second.goodsValue),
    freight: plus(first.freight, second.freight),
    customsValue: plus(first.customsValue, second.customsValue),
    items: [...first.items, ...second.items],
    remarks: [...new Set([...first.remarks, ...second.remarks])],
  }
}

/** Joins a lot with the lot of the same origin and measures. Different codes can have the same measures. */
function addLot(consignment: Consignment, lots: readonly Lot[], added: Lot): readonly Lot[] {
  const index = lots.findIndex(
    ({ origin, entry, facts, additionalCode }) =>
      origin === added.origin &&
      entry?.measure === added.entry?.measure &&
      isSameList(facts.additional, added.facts.additional) &&
      isSameList(facts.preferences, added.facts.preferences) &&
      isSameList(facts.conditional, added.facts.conditional) &&
      isSameList(facts.tradeDefence, added.facts.tradeDefence) &&
      additionalCode === added.additionalCode,
  )
  const same = lots[index]
  if (same === undefined) return [...lots, added]
  const customsValue = plus(same.customsValue, added.customsValue)
  return lots.with(index, {
    ...same,
    items: [...same.items, ...added.items],
    goodsValue: plus(same.goodsValue, added.goodsValue),
    freight: plus(same.freight, added.freight),
    customsValue,
    assessedValue: assessedValue(consignment, customsValue),
  })
}

function isSameList(a: readonly object[], b: readonly object[]): boolean {
  return a === b || (a.length === b.length && a.every((entry, index) => entry === b[index]))
}

/** The distinct origins that the request gives for lots. */
export function givenOrigins(lots: readonly Lot[]): readonly string[] {
  return [...new Set(lots.flatMap(({ origin }) => (origin === '' ? [] : [origin])))]
}

/**
 * How many tariff items the goods at an index are: one per given origin, at least one. If goods whose codes share
 * `digits` digits are one item, only the lowest of these codes with an origin counts; null: each code is an item of its
 * own. Goods without lots are left out. See docs/customs-data.md#duties.
 */
export function countTariffItems(
  goods: readonly Pick<Goods, 'harmonizedCode' | 'lots'>[],
  index: number,
  digits: number | null,
): number {
  const { harmonizedCode, lots } = goods[index]!
  const origins = givenOrigins(lots)
  if (digits === null) return Math.max(1, origins.length)
  const code = harmonizedCode.slice(0, digits)
  const counted = new Set<string>()
  let isFirst = true
  let hasOrigin = origins.length > 0
  for (const [position, other] of goods.entries()) {
    if (position === index || other.lots.length === 0) continue
    if (other.harmonizedCode.slice(0, digits) !== code) continue
    const others = givenOrigins(other.lots)
    hasOrigin ||= others.length > 0
    if (other.harmonizedCode > harmonizedCode) continue
    isFirst = false
    for (const origin of others) counted.add(origin)
  }
  if (origins.length > 0) return origins.filter((origin) => !counted.has(origin)).length
  return isFirst && !hasOrigin ? 1 : 0
}

/** The sum of `numberOfItems` in a lot. */
export function countItems(lot: Lot): number {
  return lot.items.reduce((sum, { item }) => sum + item.numberOfItems, 0)
}
