/**
 * Goods whose code depends on attributes. A family is a decision table: the first matching row gives the code. The
 * table also gives the alternatives: the codes for other attribute values, and the attributes that decide between them.
 */
import {
  type Attributes,
  type GoodsPosition,
  isNamed,
  type Mention,
  type Mentions,
  mentionsOf,
} from './attributes.ts'
import { cellOf, type DecisionTable, expandRules, NO_RULE, offsetAt } from './decision-table.ts'
import type { FamilyNames, GoodsFamily } from './lexicon.ts'

/** A compiled family. Lists are by position in `dimensions`. */
export type Family = {
  readonly name: string
  /** Numbers of dimensions, most important first. */
  readonly dimensions: readonly number[]
  /** The codes of the rows, in order. */
  readonly codes: readonly number[]
  readonly table: DecisionTable
  /** For each position: the values that rows name. */
  readonly named: readonly (readonly number[])[]
  /** For each position: the distinct table offsets of these values. */
  readonly choices: readonly (readonly number[])[]
}

/** The default values of a group of terms, by position. -1: no default. */
export type UsualValues = {
  readonly family: Family
  readonly usual: readonly number[]
  /** True if the default applies even if the text mentions another value. */
  readonly fixed: readonly boolean[]
}

/** A code that the goods may have. */
export type FamilyCode = {
  readonly code: number
  /** Relative to the best code, which has 1. */
  readonly share: number
  /**
   * The dimensions in which it differs from the best code. For the best code: those that could lead to another code.
   */
  readonly differsIn: readonly number[]
}

/** A code of a family with a lower share is for goods with other properties than the text says. */
const MIN_SHARE = 0.05

/** Whether the text says that goods are not those of a code of their family. */
export function isContradicted({ share }: Pick<FamilyCode, 'share'>): boolean {
  return share < MIN_SHARE
}

/**
 * The shares of a code that differs in one dimension. `notMentioned`: the text does not mention the dimension.
 * `contradicted`: it mentions another value.
 */
export type FamilyWeights = { readonly notMentioned: number; readonly contradicted: number }

/** Compiles a family. `codeOf` maps codes to numbers. Throws if a dimension or value is unknown. */
export function compileFamily(
  attributes: Attributes,
  { name, decides, rows }: GoodsFamily,
  codeOf: (code: string) => number,
): Family {
  const dimensions = decides.map((dimension) => {
    const number = attributes.numberOf.get(dimension)
    if (number === undefined) throw new Error(`family ${name}: ${dimension} is not a dimension`)
    return number
  })
  const choices: Set<number>[] = dimensions.map(() => new Set())
  const compiled = rows.map((row) => ({
    code: codeOf(row.code),
    values: dimensions.map((dimension, position) => {
      const names = row.values.get(decides[position]!)
      if (names === undefined) return undefined
      const accepted = new Set<number>()
      for (const value of names) {
        const number = valueNumber(attributes, name, dimension, value)
        choices[position]!.add(number)
        for (const below of attributes.dimensions[dimension]!.valuesUnder[number]!) accepted.add(below)
      }
      return accepted
    }),
  }))
  const table = expandRules(
    `family ${name}`,
    compiled,
    dimensions.map((dimension) => attributes.dimensions[dimension]!.valueNames.length),
  )
  const offsets = choices.map((values, position) =>
    [...values].map((value) => table.offsets[position]![value + 1]!),
  )
  return {
    name,
    dimensions,
    table,
    codes: compiled.map(({ code }) => code),
    named: choices.map((values) => [...values]),
    choices: offsets.map((offsetsOfPosition) => [...new Set(offsetsOfPosition)]),
  }
}

function valueNumber(attributes: Attributes, family: string, dimension: number, value: string): number {
  const { name, valueNames } = attributes.dimensions[dimension]!
  const number = valueNames.indexOf(value)
  if (number === -1) throw new Error(`family ${family}: ${value} is not a value of ${name}`)
  return number
}

/** Compiles the default values of a group of terms. Throws if no row matches them. */
export function compileUsual(attributes: Attributes, family: Family, { usual }: FamilyNames): UsualValues {
  const defaults = family.dimensions.map((dimension) => usual.get(attributes.dimensions[dimension]!.name))
  const values = defaults.map((entry, position) =>
    entry === undefined
      ? -1
      : valueNumber(attributes, family.name, family.dimensions[position]!, entry.value),
  )
  if (codeFor(family, values) === undefined)
    throw new Error(
      `family ${family.name}: no row fits ${[...usual.values()].map((v) => v.value).join(', ')}`,
    )
  return { family, usual: values, fixed: defaults.map((entry) => entry?.fixed ?? false) }
}

function codeFor({ table }: Family, values: readonly number[]): number | undefined {
  const code = table.codes[cellOf(table, values)]!
  return code === NO_RULE ? undefined : code
}

/** The code for the default values. */
export function usualCode({ family, usual }: UsualValues): number {
  return codeFor(family, usual)!
}

/** Values of dimensions, by number. */
export type ValueByDimension = ReadonlyMap<number, number>

/** Values that do not come from the description. Answers take precedence over facts. */
export type GivenValues = { readonly answers: ValueByDimension; readonly facts: ValueByDimension }

/** The values of answers are fixed, unless no row fits them. */
function withAnswers(defaults: UsualValues, answers: ValueByDimension): UsualValues {
  const { family, usual, fixed } = defaults
  if (answers.size === 0) return defaults
  const given = family.dimensions.map((dimension) => answers.get(dimension))
  const answered = {
    family,
    usual: usual.map((value, position) => given[position] ?? value),
    fixed: fixed.map((isFixed, position) => isFixed || given[position] !== undefined),
  }
  return codeFor(family, answered.usual) === undefined ? defaults : answered
}

/** By position: the value of a fact, which only a more exact mention may replace. */
type StatedValues = readonly (number | undefined)[]

const NOTHING_STATED: StatedValues = []

/**
 * Facts replace the defaults that are not fixed: all of them, or if no row fits that, those that fit one after the
 * other.
 */
function withFacts(
  defaults: UsualValues,
  facts: ValueByDimension,
): { readonly known: UsualValues; readonly stated: StatedValues } {
  if (facts.size === 0) return { known: defaults, stated: NOTHING_STATED }
  const { family, fixed } = defaults
  const wanted = family.dimensions.map((dimension, position) =>
    fixed[position] ? undefined : facts.get(dimension),
  )
  const all = defaults.usual.map((value, position) => wanted[position] ?? value)
  if (codeFor(family, all) !== undefined) return { known: { ...defaults, usual: all }, stated: wanted }
  const usual = [...defaults.usual]
  const stated = wanted.map((value, position) => {
    if (value === undefined) return undefined
    const before = usual[position]!
    usual[position] = value
    if (codeFor(family, usual) !== undefined) return value
    usual[position] = before
    return undefined
  })
  return { known: { ...defaults, usual }, stated }
}

/** With the values of facts fixed, so that there are no alternatives to them. */
function withFixed(known: UsualValues, stated: StatedValues): UsualValues {
  if (stated === NOTHING_STATED) return known
  return {
    ...known,
    fixed: known.fixed.map((isFixed, position) => isFixed || stated[position] !== undefined),
  }
}

/**
 * The codes of goods at a position of a text, best first, and the mentions that were used. The name of the goods may
 * mention a default value itself: "chocolate bar" is a bar.
 */
export function codesOfFamily(
  attributes: Attributes,
  usualValues: UsualValues,
  mentions: Mentions,
  at: GoodsPosition,
  weights: FamilyWeights,
  given: GivenValues = NOTHING_GIVEN,
): ChosenCodes {
  const { known, stated } = withFacts(withAnswers(usualValues, given.answers), given.facts)
  const { family, usual, fixed } = known
  const mentionsByPosition = family.dimensions.map((dimension, position) => {
    if (fixed[position]) return []
    const found = mentionsOf(attributes, mentions, dimension, at)
    const fact = stated[position]
    if (fact === undefined) return found
    const moreExact = attributes.dimensions[dimension]!.valuesUnder[fact]!
    return found.filter(({ value }) => moreExact.has(value))
  })
  const defaults = withFixed(known, stated)
  const { values, used } = applyMentions(defaults, mentionsByPosition)
  const code = codeFor(family, values)!
  const isSettled = family.dimensions.map(
    (dimension, position) =>
      used[position] !== undefined || isNamed(mentions, dimension, usual[position]!, at.at),
  )
  const others = otherCodes(defaults, values, isSettled, weights)
  const open = new Set<number>()
  for (const { share, differsIn } of others)
    if (share === weights.notMentioned) for (const dimension of differsIn) open.add(dimension)
  return {
    codes: [
      { code, share: 1, differsIn: family.dimensions.filter((dimension) => open.has(dimension)) },
      ...others,
    ],
    values,
    used: used.filter((mention) => mention !== undefined),
  }
}

/** The codes of goods, best first, the values that lead to the best one, and the mentions that were used. */
export type ChosenCodes = {
  readonly codes: readonly FamilyCode[]
  readonly values: readonly number[]
  readonly used: readonly Mention[]
}

/**
 * The code for each value of a dimension that rows name, if the other values stay. Value -1 stands for all others, if
 * they lead to another code.
 */
export function codesByValue(
  { family }: UsualValues,
  values: readonly number[],
  dimension: number,
): readonly { readonly value: number; readonly code: number }[] {
  const position = family.dimensions.indexOf(dimension)
  const offsets = family.table.offsets[position]!
  const rest = cellOf(family.table, values) - offsetAt(family.table, values, position)
  const codeOf = (value: number): number => family.table.codes[rest + offsets[value + 1]!]!
  const named = family.named[position]!.map((value) => ({ value, code: codeOf(value) }))
  const other = { value: -1, code: codeOf(-1) }
  const isElsewhere = named.some(({ code }) => code === other.code)
  return [...named, ...(isElsewhere ? [] : [other])].filter(({ code }) => code !== NO_RULE)
}

const NO_VALUES: ValueByDimension = new Map()

export const NOTHING_GIVEN: GivenValues = { answers: NO_VALUES, facts: NO_VALUES }

type MentionsUsed = readonly (Mention | undefined)[]

/**
 * Selects the best mention of every dimension, if a row matches this combination. Otherwise it goes through the
 * dimensions, most important first, and selects for each the best mention with which a row still matches.
 */
function applyMentions(
  { family, usual }: UsualValues,
  mentionsByPosition: readonly (readonly Mention[])[],
): { readonly values: readonly number[]; readonly used: MentionsUsed } {
  const bestValues = usual.map((value, position) => mentionsByPosition[position]![0]?.value ?? value)
  if (codeFor(family, bestValues) !== undefined)
    return { values: bestValues, used: mentionsByPosition.map(([best]) => best) }
  const { offsets, codes } = family.table
  const values = [...usual]
  const used = mentionsByPosition.map((mentions, position) => {
    const offset = offsets[position]!
    const rest = cellOf(family.table, values) - offsetAt(family.table, values, position)
    const mention = mentions.find(({ value }) => codes[rest + offset[value + 1]!] !== NO_RULE)
    if (mention !== undefined) values[position] = mention.value
    return mention
  })
  return { values, used }
}

/**
 * The codes for other values: of one dimension, or of two dimensions that the text does not settle. A code that is
 * found several times gets the largest of its shares.
 */
function otherCodes(
  { family, fixed }: UsualValues,
  values: readonly number[],
  isSettled: readonly boolean[],
  weights: FamilyWeights,
): FamilyCode[] {
  const { dimensions, choices, table } = family
  const nearest = new Map<number, FamilyCode>()
  const cell = cellOf(table, values)
  for (let position = 0; position < dimensions.length; position++) {
    if (fixed[position]) continue
    const share = isSettled[position] ? weights.contradicted : weights.notMentioned
    const rest = cell - offsetAt(table, values, position)
    consider(nearest, table, rest, choices[position]!, share, [dimensions[position]!])
  }
  for (let first = 0; first < dimensions.length; first++) {
    if (fixed[first] || isSettled[first]) continue
    for (let second = first + 1; second < dimensions.length; second++) {
      if (fixed[second] || isSettled[second]) continue
      const rest = cell - offsetAt(table, values, first) - offsetAt(table, values, second)
      const differsIn = [dimensions[first]!, dimensions[second]!]
      for (const choice of choices[first]!)
        consider(nearest, table, rest + choice, choices[second]!, weights.notMentioned ** 2, differsIn)
    }
  }
  nearest.delete(table.codes[cell]!)
  return [...nearest.values()].sort((a, b) => b.share - a.share || a.code - b.code)
}

/** Adds the codes of some choices, unless they already have at least this share. */
function consider(
  nearest: Map<number, FamilyCode>,
  { codes }: DecisionTable,
  rest: number,
  choices: readonly number[],
  share: number,
  differsIn: readonly number[],
): void {
  for (const choice of choices) {
    const code = codes[rest + choice]!
    if (code === NO_RULE) continue
    const known = nearest.get(code)
    if (known === undefined || known.share < share) nearest.set(code, { code, share, differsIn })
  }
}
