/**
 * The items of a request as customs sees them: goods of one commodity code, whatever item they came from.
 * Decided here: which code a line is shown under, and what is said about a code that had to be interpreted.
 * Source: decisions 13 and 14 of the README.
 */
import { type Exact, plus } from './exact.ts'
import { repairLeadingZero } from './hs-code.ts'
import type { ContentItem } from './request.ts'
import { findTariffEntry, type Tariff, type TariffEntry } from './tariff.ts'

/** A content item with a code and its value. */
export type CodedItem = { readonly item: ContentItem; readonly code: string; readonly value: Exact }

/** All items of one commodity code. */
export type Goods = {
  /** National line where one decided, otherwise the code of the item. */
  readonly harmonizedCode: string
  /** Absent where the tariff is not loaded or knows nothing of the code. */
  readonly entry?: TariffEntry
  readonly items: readonly CodedItem[]
  readonly value: Exact
  /** What had to be assumed about a code; sentences. */
  readonly remarks: readonly string[]
}

/** Where codes are looked up. */
export type CodeTables = {
  /** Of the destination; undefined where none is loaded. */
  readonly tariff: Tariff | undefined
  readonly tariffs: ReadonlyMap<string, Tariff>
  readonly date: string
}

/** The goods of a consignment, in the order of their first items. */
export function groupGoods(tables: CodeTables, items: readonly CodedItem[]): readonly Goods[] {
  const groups = new Map<string, Goods>()
  for (const coded of items) {
    const goods = goodsOf(tables, coded)
    const earlier = groups.get(goods.harmonizedCode)
    groups.set(goods.harmonizedCode, earlier === undefined ? goods : merge(earlier, goods))
  }
  return [...groups.values()]
}

function goodsOf({ tariff, tariffs, date }: CodeTables, coded: CodedItem): Goods {
  const candidates = tariff === undefined ? tariffs.values() : [tariff]
  const code = repairLeadingZero(candidates, coded.code)
  const remarks =
    code === coded.code ? [] : [`Code ${coded.code} read as ${code}: its leading zero was missing.`]
  const entry = tariff === undefined ? undefined : findTariffEntry(tariff, code, date)
  const shared = { items: [coded], value: coded.value }
  if (entry === undefined) return { harmonizedCode: code, ...shared, remarks }
  const { codePrefix } = entry.measure.row
  const tail = code.slice(entry.knownPrefix.length)
  if (codePrefix.length >= 6 && !/^0*$/.test(tail))
    remarks.push(`The tariff knows only ${entry.knownPrefix} of code ${code}.`)
  return { harmonizedCode: codePrefix.length >= 6 ? codePrefix : code, entry, ...shared, remarks }
}

/** The rate is the same, since the line is; how it was found may differ and is told for both. */
function merge(first: Goods, second: Goods): Goods {
  return {
    ...first,
    items: [...first.items, ...second.items],
    value: plus(first.value, second.value),
    remarks: [...new Set([...first.remarks, ...second.remarks])],
  }
}

/** The countries of origin that callers gave for these goods, each once. */
export function givenOrigins(goods: Goods): readonly string[] {
  return [...new Set(goods.items.flatMap(({ item }) => item.originCountry ?? []))]
}
