/**
 * What the tables of a customs area contain for goods of one code and origin on a day: the duty, preferences,
 * additional duties, and the code that lines are shown under. See docs/customs-data.md#codes.
 *
 * The facts are cached by customs area, day and origin: partners ship the same goods repeatedly, and finding the facts
 * costs more than the calculation. Tables never change after compilation, so an entry is never stale.
 */
import type { TradeDefenceRow } from '../data/row-types/trade-defence.ts'
import {
  type ConditionalDuties,
  type ConditionalDuty,
  type DutyByCode,
  dutiesByCode,
  findConditionalDuties,
} from './conditional-duty.ts'
import { type CodeTables, HS_LENGTH, interpretCode } from './hs-code.ts'
import { isRateKnown, type Measure } from './measure.ts'
import { codesNamedBelow, findMeasures, type MeasureIndex } from './measure-index.ts'
import type { MeasureStore } from './measure-store.ts'
import { findTariffEntry, lineCodesBelow, type TariffEntry } from './tariff.ts'
import { findTradeDefence, type TradeDefence } from './trade-defence.ts'
import type { ValueBand } from './value-band.ts'

/** The data of one customs area. */
export type AreaTables = CodeTables & {
  readonly averages: MeasureIndex | undefined
  readonly preferences: MeasureIndex | undefined
  readonly additional: MeasureIndex | undefined
  readonly conditional: ConditionalDuties | undefined
  readonly tradeDefence: TradeDefence | undefined
}

/** What the tables contain for goods of one code and origin. */
export type CodeFacts = {
  /**
   * The code of the national line for these goods. If the code of the item has several lines or none, the part of it
   * that the tariff has.
   */
  readonly harmonizedCode: string
  /** An average if the tariff has nothing for the code. Undefined if there is no average either. */
  readonly entry: TariffEntry | undefined
  /** The bands of unit values of the national lines among which the code leaves the choice. */
  readonly bands: readonly ValueBand[]
  /** Only if `entry` is undefined: the range of the average duties of the destination, without a rate. */
  readonly averageRange: Measure | undefined
  /** Sentences about what was assumed about the code. */
  readonly remarks: readonly string[]
  /** Includes preferences whose rates are not known. */
  readonly preferences: readonly Measure[]
  readonly additional: readonly Measure[]
  /** Duties by additional code, and quotas. */
  readonly conditional: readonly ConditionalDuty[]
  /**
   * All additional duties, in the order of their types, if any of them depends on an additional code. Otherwise empty.
   */
  readonly byCode: readonly DutyByCode[]
  /** The types that exclude one of the additional duties. */
  readonly excluding: readonly string[]
  /** The additional duties beside a base duty whose type excludes none of them. */
  readonly charged: readonly Measure[]
  /** Trade defence measures that may concern the goods, and whose rates are not loaded. */
  readonly tradeDefence: readonly TradeDefenceRow[]
}

/** The codes of one customs area, with the facts for one day and origin. */
export type AreaCodes = {
  readonly cache: CodeCache
  readonly tables: AreaTables
  readonly date: string
  readonly origin: string
  readonly byCode: Map<string, CodeFacts>
}

/** By customs area, day and origin. */
export type CodeCache = {
  readonly areas: Map<string, AreaCodes>
  /**
   * The number of entries: areas, their codes, and routes with their taxes and texts, which are emptied at the same
   * time.
   */
  size: number
  /** Emptied together with the cache. */
  readonly measures: MeasureStore | undefined
}

/**
 * Entries. They take 12 to 20 MB with the shipped tables. A full cache is emptied, which is cheaper than an order of
 * use.
 */
const MAX_SIZE = 20_000

export function openCodeCache(measures?: MeasureStore): CodeCache {
  return { areas: new Map(), size: 0, measures }
}

/**
 * Empties the cache if it is full, and returns whether it was. Call it before an estimate, never during one: an
 * estimate joins items whose measures are the same objects, and these objects are in the cache.
 */
export function limitCodeCache(cache: CodeCache): boolean {
  if (cache.size < MAX_SIZE) return false
  for (const { byCode } of cache.areas.values()) byCode.clear()
  cache.areas.clear()
  cache.measures?.compiled.clear()
  cache.size = 0
  return true
}

/** `tables` is called if the area is not in the cache for this day and origin. */
export function openAreaCodes(
  cache: CodeCache,
  area: string,
  date: string,
  origin: string,
  tables: () => AreaTables,
): AreaCodes {
  const key = `${area} ${date} ${origin}`
  const known = cache.areas.get(key)
  if (known !== undefined) return known
  const codes = { cache, tables: tables(), date, origin, byCode: new Map<string, CodeFacts>() }
  cache.areas.set(key, codes)
  cache.size += 1
  return codes
}

const NONE: readonly number[] = []

/**
 * The facts about a code: 6 to 10 digits, as given. `leftOut`: rows of lines that do not cover the goods because of
 * their unit value.
 */
export function findCode(codes: AreaCodes, code: string, leftOut: readonly number[] = NONE): CodeFacts {
  const key = leftOut.length === 0 ? code : `${code} ${leftOut.join(' ')}`
  const known = codes.byCode.get(key)
  if (known !== undefined) return known
  const facts = factsOf(codes, code, leftOut)
  codes.byCode.set(key, facts)
  codes.cache.size += 1
  return facts
}

/** The duties beside the base duty: those that may differ between the national lines of a code. */
export type DutiesBesideBase = Pick<
  CodeFacts,
  'preferences' | 'additional' | 'conditional' | 'byCode' | 'excluding' | 'charged'
>

/**
 * The distinct duties beside the base duty on the goods that a code may stand for: those of the code, of its national
 * lines, and of longer codes that lists name. `facts`: those of the code.
 */
export function dutiesOfLines(codes: AreaCodes, facts: CodeFacts): readonly DutiesBesideBase[] {
  const { harmonizedCode } = facts
  const { tariff, additional, preferences } = codes.tables
  const below = new Set(tariff === undefined ? [] : lineCodesBelow(tariff, harmonizedCode))
  for (const index of [additional, preferences])
    if (index !== undefined)
      for (const code of codesNamedBelow(index, harmonizedCode, codes.origin)) below.add(code)
  const distinct: DutiesBesideBase[] = [facts]
  for (const code of below) {
    const duties = findCode(codes, code)
    if (!distinct.some((known) => isSameDuties(known, duties))) distinct.push(duties)
  }
  return distinct
}

function isSameDuties(a: DutiesBesideBase, b: DutiesBesideBase): boolean {
  return (['preferences', 'additional', 'conditional'] as const).every(
    (list) => a[list].length === b[list].length && a[list].every((duty, index) => duty === b[list][index]),
  )
}

const NO_BANDS: readonly ValueBand[] = []
const NO_MEASURES: readonly Measure[] = []
const NO_CONDITIONAL: readonly ConditionalDuty[] = []
const NO_CODES: readonly DutyByCode[] = []
const NO_DEFENCE: readonly TradeDefenceRow[] = []

function factsOf({ tables, date, origin }: AreaCodes, given: string, leftOut: readonly number[]): CodeFacts {
  const { code, tariffCode, remarks } = interpretCode(tables, given)
  const line = tables.tariff && findTariffEntry(tables.tariff, tariffCode, date, origin, leftOut)
  const average =
    line === undefined && tables.averages !== undefined
      ? findMeasures(tables.averages, code, date, origin)[0]
      : undefined
  const hasRate = average !== undefined && isRateKnown(average)
  const entry = line ?? (hasRate ? averageEntry(average, code) : undefined)
  const lineCode = rateCode(entry, code, tariffCode)
  // Lists of additional duties may name lines that are longer than those of the tariff.
  const listedCode = code.startsWith(lineCode) ? code : lineCode
  const measuresOf = (index: MeasureIndex | undefined): readonly Measure[] =>
    index === undefined ? NO_MEASURES : findMeasures(index, listedCode, date, origin)
  const additional = measuresOf(tables.additional)
  const conditional =
    tables.conditional === undefined
      ? NO_CONDITIONAL
      : findConditionalDuties(tables.conditional, listedCode, date, origin)
  return {
    harmonizedCode: shownCode(entry, code, tariffCode, lineCode),
    entry,
    bands: entry?.group?.bands ?? NO_BANDS,
    averageRange: hasRate ? undefined : average,
    remarks: line === undefined ? remarks : withTailRemark(remarks, line, tariffCode),
    preferences: measuresOf(tables.preferences),
    additional,
    conditional,
    byCode:
      tables.conditional === undefined ? NO_CODES : dutiesByCode(tables.conditional, additional, conditional),
    excluding: additional.flatMap(({ type }) => type.notWith),
    charged: chargedBeside(additional, undefined),
    tradeDefence:
      tables.tradeDefence === undefined
        ? NO_DEFENCE
        : findTradeDefence(tables.tradeDefence, knownDigits(code, line), date, origin, [
            ...additional.map(({ type }) => type.measureType),
            ...conditional.map(({ row }) => row.measureType),
          ]),
  }
}

/**
 * The additional duties that are charged on top of a base duty or preference of a type, in the order of their types. A
 * type is left out if its `not_with` names `base` or a type before it.
 */
export function chargedBeside(additional: readonly Measure[], base: string | undefined): readonly Measure[] {
  const charged: Measure[] = []
  for (const measure of additional) {
    const { notWith } = measure.type
    if (base !== undefined && notWith.includes(base)) continue
    if (!charged.some(({ type }) => notWith.includes(type.measureType))) charged.push(measure)
  }
  return charged
}

/** The digits of a code that the tariff knows, at least six: further digits may be those of another country. */
function knownDigits(code: string, line: TariffEntry | undefined): string {
  return line === undefined ? code : code.slice(0, Math.max(HS_LENGTH, line.knownPrefix.length))
}

/** An average has no national line, so goods stay under their code. */
function averageEntry(measure: Measure, code: string): TariffEntry {
  const { row, name } = measure
  return {
    measure,
    lineCode: code,
    name,
    knownPrefix: code,
    group: undefined,
    validFrom: row.validFrom,
    validTo: row.validTo,
  }
}

/** The code of the national line that the rate comes from, or the given code if that line is in another subheading. */
function rateCode(entry: TariffEntry | undefined, code: string, tariffCode: string): string {
  if (entry === undefined) return code
  const { lineCode, knownPrefix, group } = entry
  if (code === tariffCode && knownPrefix.length >= HS_LENGTH)
    return group === undefined && knownPrefix === code ? code : lineCode
  return lineCode.startsWith(code.slice(0, HS_LENGTH)) ? lineCode : code
}

/**
 * The code that lines are shown under: that of the line, unless it only lends its rate to a code that has other lines
 * too. See docs/decisions/customs.md#d297.
 */
function shownCode(
  entry: TariffEntry | undefined,
  code: string,
  tariffCode: string,
  lineCode: string,
): string {
  if (entry?.group === undefined || entry.group.lineCount === 1) return lineCode
  const { knownPrefix } = entry
  if (knownPrefix === entry.lineCode) return lineCode
  return code === tariffCode && knownPrefix.length >= HS_LENGTH ? knownPrefix : code
}

function withTailRemark(
  remarks: readonly string[],
  { lineCode, knownPrefix }: TariffEntry,
  code: string,
): readonly string[] {
  // A rate for a whole chapter covers all its codes.
  if (knownPrefix.length === code.length || lineCode.length < HS_LENGTH) return remarks
  if (/^0*$/.test(code.slice(knownPrefix.length))) return remarks
  return [...remarks, `The tariff has code ${knownPrefix}, but no line for ${code}.`]
}
