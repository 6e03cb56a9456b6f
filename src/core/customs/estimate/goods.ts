/**
 * Groups the items of a request by commodity code into goods, and by origin into lots. Selects the code that lines are
 * shown under, and collects the assumptions about a code that lines mention.
 * See docs/decisions/customs.md#d28 and #d57, and docs/rest-contract.md#r13.
 */
import { type Exact, plus } from '../exact.ts'
import type { ContentItem } from '../request.ts'
import { type CodeTables, interpretCode } from '../tariff/hs-code.ts'
import { findTariffEntry, type TariffEntry } from '../tariff/tariff.ts'
import type { Consignment } from './consignment.ts'

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
  /** Undefined if no tariff is loaded, or the tariff has nothing for the code. */
  readonly entry: TariffEntry | undefined
  readonly items: readonly CodedItem[]
  readonly goodsValue: Exact
  readonly freight: Exact
  readonly customsValue: Exact
}

/** All items of one commodity code. */
export type Goods = {
  /** The code of the national line that the rate comes from; if there is none, the code of the item. */
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
export function groupGoods(
  consignment: Consignment,
  tables: CodeTables,
  items: readonly CodedItem[],
): readonly Goods[] {
  const groups = new Map<string, Goods>()
  for (const coded of items) {
    const goods = goodsOf(consignment, tables, coded)
    const earlier = groups.get(goods.harmonizedCode)
    groups.set(goods.harmonizedCode, earlier === undefined ? goods : merge(earlier, goods))
  }
  return [...groups.values()]
}

function goodsOf(consignment: Consignment, tables: CodeTables, coded: CodedItem): Goods {
  const origin = coded.item.originCountry ?? ''
  const { code, tariffCode, remarks } = interpretCode(tables, coded.code)
  const entry =
    tables.tariff &&
    findTariffEntry(tables.tariff, tariffCode, consignment.date, origin || consignment.sendingCountry)
  const { goodsValue, freight, customsValue } = coded
  const lot: Lot = { origin, entry, items: [coded], goodsValue, freight, customsValue }
  return {
    harmonizedCode: shownCode(entry, code, tariffCode),
    lots: [lot],
    goodsValue,
    freight,
    customsValue,
    items: [coded.index],
    remarks: entry === undefined ? remarks : withTailRemark(remarks, entry, tariffCode),
  }
}

const HS_LENGTH = 6

/** The code of the national line that the rate comes from, or the given code if that line is in another subheading. */
function shownCode(entry: TariffEntry | undefined, code: string, tariffCode: string): string {
  if (entry === undefined) return code
  const { lineCode, knownPrefix, group } = entry
  if (code === tariffCode && knownPrefix.length >= HS_LENGTH)
    return group === undefined && knownPrefix === code ? code : lineCode
  return lineCode.startsWith(code.slice(0, HS_LENGTH)) ? lineCode : code
}

function withTailRemark(
  remarks: readonly string[],
  { lineCode, knownPrefix }: TariffEntry,
  code: string,
): readonly string[] {
  // A rate for a whole chapter covers all its codes.
  if (knownPrefix.length === code.length || lineCode.length < HS_LENGTH) return remarks
  if (/^0*$/.test(code.slice(knownPrefix.length))) return remarks
  return [...remarks, `The tariff knows only ${knownPrefix} of code ${code}.`]
}

function merge(first: Goods, second: Goods): Goods {
  return {
    harmonizedCode: first.harmonizedCode,
    lots: second.lots.reduce(addLot, first.lots),
    goodsValue: plus(first.goodsValue, second.goodsValue),
    freight: plus(first.freight, second.freight),
    customsValue: plus(first.customsValue, second.customsValue),
    items: [...first.items, ...second.items],
    remarks: [...new Set([...first.remarks, ...second.remarks])],
  }
}

/** Joins a lot with the lot of the same origin and measure. Different codes can have the same measure. */
function addLot(lots: readonly Lot[], added: Lot): readonly Lot[] {
  const index = lots.findIndex(
    ({ origin, entry }) => origin === added.origin && entry?.measure === added.entry?.measure,
  )
  const same = lots[index]
  if (same === undefined) return [...lots, added]
  return lots.with(index, {
    ...same,
    items: [...same.items, ...added.items],
    goodsValue: plus(same.goodsValue, added.goodsValue),
    freight: plus(same.freight, added.freight),
    customsValue: plus(same.customsValue, added.customsValue),
  })
}

/** The distinct origins that the request gives for lots. */
export function givenOrigins(lots: readonly Lot[]): readonly string[] {
  return [...new Set(lots.flatMap(({ origin }) => (origin === '' ? [] : [origin])))]
}

/** The number of tariff items in lots of one code: one per given origin, at least one (docs/decisions/customs.md#d30). */
export function countedOrigins(lots: readonly Lot[]): number {
  return Math.max(1, givenOrigins(lots).length)
}

/** The sum of `numberOfItems` in a lot. */
export function countItems(lot: Lot): number {
  return lot.items.reduce((sum, { item }) => sum + item.numberOfItems, 0)
}
