/**
 * Goods whose code depends on what the text says of them. A family is a small table: the first row that fits gives the
 * code. The same table tells which other codes are near, and what would have to be known to choose one of them.
 */
import { type Attributes, type GoodsPlace, type Observation, sayingsOf } from './attributes.ts'
import type { GoodsWord } from './goods-text.ts'
import type { FamilyNames, GoodsFamily } from './lexicon.ts'

/** A family ready for use. Everything is by position in `dimensions`. */
export type Family = {
  readonly name: string
  /** Numbers of dimensions, the most important first. */
  readonly dimensions: readonly number[]
  readonly rows: readonly {
    readonly code: number
    readonly values: readonly (ReadonlySet<number> | undefined)[]
  }[]
  /** The values that rows speak of. */
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
  return { name, dimensions, rows: compiled, choices: choices.map((set) => [...set]) }
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
  if (rowFor(family, values) === undefined)
    throw new Error(
      `family ${family.name}: no row fits ${[...usual.values()].map((v) => v.value).join(', ')}`,
    )
  return { family, usual: values, fixed: said.map((each) => each?.fixed ?? false) }
}

function rowFor({ rows }: Family, values: readonly number[]): number | undefined {
  for (const { code, values: wanted } of rows) {
    if (wanted.every((set, position) => set === undefined || set.has(values[position]!))) return code
  }
  return undefined
}

/** The usual code of goods of a name. */
export function usualCode({ family, usual }: UsualValues): number {
  return rowFor(family, usual)!
}

/** The codes of goods that stand at a place of a text, the best first, and the sayings that were heeded. */
export function codesOfFamily(
  attributes: Attributes,
  name: UsualValues,
  observations: readonly Observation[],
  text: readonly GoodsWord[],
  place: GoodsPlace,
  weights: FamilyWeights,
): { readonly codes: readonly FamilyCode[]; readonly heeded: readonly Observation[] } {
  const { family, fixed } = name
  const said = family.dimensions.map((dimension, position) =>
    fixed[position] ? [] : sayingsOf(attributes, observations, text, dimension, place),
  )
  const { values, heeded } = heed(name, said)
  const code = rowFor(family, values)!
  const others = otherCodes(name, values, heeded, weights).filter((other) => other.code !== code)
  const open = new Set(
    others.filter((other) => other.share === weights.silentChoice).flatMap((other) => other.differsIn),
  )
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
  if (rowFor(family, all) !== undefined) return { values: all, heeded: said.map(([likeliest]) => likeliest) }
  const values = [...usual]
  const heeded = said.map((sayings, position) => {
    const fits = ({ value }: Observation): boolean =>
      rowFor(family, values.with(position, value)) !== undefined
    const saying = sayings.find(fits)
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
  const best = new Map<number, FamilyCode>()
  const consider = (trial: readonly number[], share: number, differsIn: readonly number[]): void => {
    const code = rowFor(family, trial)
    if (code === undefined || (best.get(code)?.share ?? 0) >= share) return
    best.set(code, { code, share, differsIn })
  }
  const free = family.dimensions.map((_, position) => position).filter((position) => !fixed[position])
  for (const position of free) {
    const share = heeded[position] === undefined ? weights.silentChoice : weights.saidOtherwise
    for (const value of family.choices[position]!)
      consider(values.with(position, value), share, [family.dimensions[position]!])
  }
  const silent = free.filter((position) => heeded[position] === undefined)
  silent.forEach((first, nth) => {
    for (const second of silent.slice(nth + 1)) {
      const differsIn = [family.dimensions[first]!, family.dimensions[second]!]
      for (const one of family.choices[first]!)
        for (const other of family.choices[second]!)
          consider(values.with(first, one).with(second, other), weights.silentChoice ** 2, differsIn)
    }
  })
  return [...best.values()].sort((a, b) => b.share - a.share || a.code - b.code)
}
