/**
 * Goods whose code depends on what the text says of them. A family is a small table: the first row that fits gives the
 * code. The same table tells which other codes are near, and what would have to be known to choose one of them.
 */
import { type Attributes, type GoodsPlace, type Heard, type Observation, sayingsOf } from './attributes.ts'
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

// Rules of which the first that fits decides, expanded into a table in advance. Looking up a combination of values is one
// array read, however many rules there are.

/** A code and, by position, the values it accepts; undefined accepts any value, and none. */
export type Rule = {
  readonly code: number
  readonly values: readonly (ReadonlySet<number> | undefined)[]
}

/** The code for every combination of values. Values that the same rules accept share a cell. */
export type DecisionTable = {
  /** For each position and `value + 1` (0: no value), what the value adds to the index of the cell. */
  readonly offsets: readonly Int32Array[]
  /** The code of the first rule that fits; `NO_RULE` where none does. */
  readonly codes: Int32Array
}

/** Stands in `DecisionTable.codes` where no rule fits. */
export const NO_RULE = -1

/** The largest table. The largest of the shipped lexicon has some 2,200 cells. */
const MOST_CELLS = 100_000

/**
 * Lays out rules; `valueCounts` are the numbers of values by position. Throws above 100,000 combinations; the error names
 * the rules by their title.
 */
export function layOutRules(
  title: string,
  rules: readonly Rule[],
  valueCounts: readonly number[],
): DecisionTable {
  let size = 1
  const offsets: Int32Array[] = []
  const steps: (readonly number[])[] = []
  valueCounts.forEach((count, position) => {
    const columns = columnsOf(rules, position)
    const offset = new Int32Array(count + 1)
    for (const [value, column] of columns) offset[value + 1] = size * column
    const last = Math.max(0, ...columns.values())
    offsets.push(offset)
    steps.push(Array.from({ length: last + 1 }, (_, column) => size * column))
    size *= last + 1
  })
  if (size > MOST_CELLS)
    throw new Error(`${title}: ${size} combinations of values are more than ${MOST_CELLS}`)
  const codes = new Int32Array(size).fill(NO_RULE)
  // The first rule that fits decides, so it is written last.
  for (const { code, values } of rules.toReversed()) {
    const accepted = values.map((set, position) =>
      set === undefined ? steps[position]! : stepsOf(set, offsets[position]!),
    )
    write(codes, code, accepted, 0, 0)
  }
  return { offsets, codes }
}

/** The column of each value that a rule names, counted from 1. Column 0 is for no value and for values not named. */
function columnsOf(rules: readonly Rule[], position: number): ReadonlyMap<number, number> {
  const acceptedBy = new Map<number, string>()
  rules.forEach((rule, nth) => {
    for (const value of rule.values[position] ?? [])
      acceptedBy.set(value, `${acceptedBy.get(value) ?? ''} ${nth}`)
  })
  const columns = new Map<string, number>()
  const byValue = new Map<number, number>()
  for (const [value, accepted] of acceptedBy) {
    const column = columns.get(accepted) ?? columns.size + 1
    columns.set(accepted, column)
    byValue.set(value, column)
  }
  return byValue
}

function stepsOf(values: ReadonlySet<number>, offset: Int32Array): readonly number[] {
  const steps = new Set<number>()
  for (const value of values) steps.add(offset[value + 1]!)
  return [...steps]
}

/** Writes a code to every cell that one accepted step for each position leads to. */
function write(
  codes: Int32Array,
  code: number,
  accepted: readonly (readonly number[])[],
  position: number,
  cell: number,
): void {
  const steps = accepted[position]
  if (steps === undefined) codes[cell] = code
  else for (const step of steps) write(codes, code, accepted, position + 1, cell + step)
}

/** The index in `codes` of a combination of values; -1 stands for no value. */
export function cellOf(table: DecisionTable, values: readonly number[]): number {
  let cell = 0
  for (let position = 0; position < values.length; position++) cell += offsetAt(table, values, position)
  return cell
}

/** What the value at a position adds to `cellOf`. */
export function offsetAt({ offsets }: DecisionTable, values: readonly number[], position: number): number {
  return offsets[position]![values[position]! + 1]!
}
