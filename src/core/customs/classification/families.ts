/**
 * Goods whose code depends on what the text says of them. A family is a small table: the first row that fits gives the
 * code. The same table tells which other codes are near, and what would have to be known to choose one of them.
 */
import { type Attributes, type GoodsPlace, type Heard, type Observation, sayingsOf } from './attributes.ts'
import { cellOf, type DecisionTable, layOutRules, NO_RULE, offsetAt } from './decision-table.ts'
import type { FamilyNames, GoodsFamily } from './lexicon.ts'

/** A family ready for use. Everything is by position in `dimensions`. */
export type Family = {
  readonly name: string
  /** Numbers of dimensions, the most important first. */
  readonly dimensions: readonly number[]
  /** The codes of the rows, in their order. */
  readonly codes: readonly number[]
  readonly table: DecisionTable
  /** For each position, the table offsets of the values that rows name, without repetition. */
  readonly choices: readonly (readonly number[])[]
}

/** What is usual for goods of a name, by position; -1 where nothing is. */
export type UsualValues = {
  readonly family: Family
  readonly usual: readonly number[]
  readonly fixed: readonly boolean[]
}

/** A code the goods may have. */
export type FamilyCode = {
  readonly code: number
  /** Against the first one's 1. */
  readonly share: number
  /** The numbers of the dimensions in which it differs from the first one; for the first, those that are open. */
  readonly differsIn: readonly number[]
}

/** How near the codes are that differ in one thing: where the text is silent on it, and where it says otherwise. */
export type FamilyWeights = { readonly silentChoice: number; readonly saidOtherwise: number }

/** Compiles a family; `codeOf` gives the number of a code. Throws where a dimension or value is unknown. */
export function compileFamily(
  attributes: Attributes,
  { name, decides, rows }: GoodsFamily,
  codeOf: (code: string) => number,
): Family {
  const dimensions = decides.map((dimension) => {
    const number = attributes.numberOf.get(dimension)
    if (number === undefined) throw new Error(`family ${name}: ${dimension} is no dimension`)
    return number
  })
  const choices: Set<number>[] = dimensions.map(() => new Set())
  const compiled = rows.map((row) => ({
    code: codeOf(row.code),
    values: dimensions.map((dimension, position) => {
      const names = row.values.get(decides[position]!)
      if (names === undefined) return undefined
      const fitting = new Set<number>()
      for (const value of names) {
        const number = valueNumber(attributes, name, dimension, value)
        choices[position]!.add(number)
        for (const below of attributes.dimensions[dimension]!.within[number]!) fitting.add(below)
      }
      return fitting
    }),
  }))
  const table = layOutRules(
    `family ${name}`,
    compiled,
    dimensions.map((dimension) => attributes.dimensions[dimension]!.valueNames.length),
  )
  const offsets = choices.map((values, position) =>
    [...values].map((value) => table.offsets[position]![value + 1]!),
  )
  return {
    ...{ name, dimensions, table },
    codes: compiled.map(({ code }) => code),
    choices: offsets.map((each) => [...new Set(each)]),
  }
}

function valueNumber(attributes: Attributes, family: string, dimension: number, value: string): number {
  const { name, valueNames } = attributes.dimensions[dimension]!
  const number = valueNames.indexOf(value)
  if (number === -1) throw new Error(`family ${family}: ${value} is no value of ${name}`)
  return number
}

/** What is usual for a group of names of a family. Throws where no row fits it. */
export function compileUsual(attributes: Attributes, family: Family, { usual }: FamilyNames): UsualValues {
  const said = family.dimensions.map((dimension) => usual.get(attributes.dimensions[dimension]!.name))
  const values = said.map((each, position) =>
    each === undefined ? -1 : valueNumber(attributes, family.name, family.dimensions[position]!, each.value),
  )
  if (codeFor(family, values) === undefined)
    throw new Error(
      `family ${family.name}: no row fits ${[...usual.values()].map((v) => v.value).join(', ')}`,
    )
  return { family, usual: values, fixed: said.map((each) => each?.fixed ?? false) }
}

function codeFor({ table }: Family, values: readonly number[]): number | undefined {
  const code = table.codes[cellOf(table, values)]!
  return code === NO_RULE ? undefined : code
}

/** The usual code of goods of a name. */
export function usualCode({ family, usual }: UsualValues): number {
  return codeFor(family, usual)!
}

/** The codes of goods that stand at a place of a text, the best first, and the sayings that were heeded. */
export function codesOfFamily(
  attributes: Attributes,
  name: UsualValues,
  heard: Heard,
  place: GoodsPlace,
  weights: FamilyWeights,
): { readonly codes: readonly FamilyCode[]; readonly heeded: readonly Observation[] } {
  const { family, fixed } = name
  const said = family.dimensions.map((dimension, position) =>
    fixed[position] ? [] : sayingsOf(attributes, heard, dimension, place),
  )
  const { values, heeded } = heed(name, said)
  const code = codeFor(family, values)!
  const others = otherCodes(name, values, heeded, weights)
  const open = new Set<number>()
  for (const { share, differsIn } of others)
    if (share === weights.silentChoice) for (const dimension of differsIn) open.add(dimension)
  return {
    codes: [{ code, share: 1, differsIn: family.dimensions.filter((each) => open.has(each)) }, ...others],
    heeded: heeded.filter((each) => each !== undefined),
  }
}

type Heeded = readonly (Observation | undefined)[]

/**
 * The values that count: all that is said, each dimension's likeliest, where a row fits that; otherwise one dimension
 * after the other, the most important first, each with its likeliest saying that leaves a row.
 */
function heed(
  { family, usual }: UsualValues,
  said: readonly (readonly Observation[])[],
): { readonly values: readonly number[]; readonly heeded: Heeded } {
  const all = usual.map((value, position) => said[position]![0]?.value ?? value)
  if (codeFor(family, all) !== undefined) return { values: all, heeded: said.map(([likeliest]) => likeliest) }
  const { offsets, codes } = family.table
  const values = [...usual]
  const heeded = said.map((sayings, position) => {
    const offset = offsets[position]!
    const rest = cellOf(family.table, values) - offsetAt(family.table, values, position)
    const saying = sayings.find(({ value }) => codes[rest + offset[value + 1]!] !== NO_RULE)
    if (saying !== undefined) values[position] = saying.value
    return saying
  })
  return { values, heeded }
}

/** The codes that one other value would lead to, or two where the text is silent on both; the nearest of each. */
function otherCodes(
  { family, fixed }: UsualValues,
  values: readonly number[],
  heeded: Heeded,
  weights: FamilyWeights,
): FamilyCode[] {
  const { dimensions, choices, table } = family
  const nearest = new Map<number, FamilyCode>()
  const cell = cellOf(table, values)
  for (let position = 0; position < dimensions.length; position++) {
    if (fixed[position]) continue
    const share = heeded[position] === undefined ? weights.silentChoice : weights.saidOtherwise
    const rest = cell - offsetAt(table, values, position)
    consider(nearest, table, rest, choices[position]!, share, [dimensions[position]!])
  }
  for (let first = 0; first < dimensions.length; first++) {
    if (fixed[first] || heeded[first] !== undefined) continue
    for (let second = first + 1; second < dimensions.length; second++) {
      if (fixed[second] || heeded[second] !== undefined) continue
      const rest = cell - offsetAt(table, values, first) - offsetAt(table, values, second)
      const differsIn = [dimensions[first]!, dimensions[second]!]
      for (const choice of choices[first]!)
        consider(nearest, table, rest + choice, choices[second]!, weights.silentChoice ** 2, differsIn)
    }
  }
  nearest.delete(table.codes[cell]!)
  return [...nearest.values()].sort((a, b) => b.share - a.share || a.code - b.code)
}

/** Adds the codes that some choices lead to, unless they are as near already. */
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
