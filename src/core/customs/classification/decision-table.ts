/**
 * Rules of which the first that fits decides, expanded into a table in advance. Looking up a combination of values is one
 * array read, however many rules there are.
 */

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
