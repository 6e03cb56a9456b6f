/**
 * Decision tables of families: the first matching rule gives the code. The rules are expanded in advance, so that
 * looking up a combination of values is one array read.
 */

/** A code and the values it accepts, by position. Undefined accepts any value and none. */
export type Rule = {
  readonly code: number
  readonly values: readonly (ReadonlySet<number> | undefined)[]
}

/** Has a code for every combination of values. Values between which no rule distinguishes share cells. */
export type DecisionTable = {
  /** By position and `value + 1` (0: no value): what the value adds to the cell index. */
  readonly offsets: readonly Int32Array[]
  /** By cell: the code of the first matching rule, or `NO_RULE`. */
  readonly codes: Int32Array
}

export const NO_RULE = -1

/** The largest table of the shipped lexicon has about 2,200 cells. */
const MAX_CELLS = 100_000

/**
 * Expands rules. `valueCounts` is the number of values by position. Throws above 100,000 combinations, with `title` in
 * the message.
 */
export function expandRules(
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
  if (size > MAX_CELLS) throw new Error(`${title}: ${size} combinations of values are more than ${MAX_CELLS}`)
  const codes = new Int32Array(size).fill(NO_RULE)
  // Written in reverse order, so that the first matching rule overwrites the others.
  for (const { code, values } of rules.toReversed()) {
    const accepted = values.map((set, position) =>
      set === undefined ? steps[position]! : stepsOf(set, offsets[position]!),
    )
    writeCells(codes, code, accepted, 0, 0)
  }
  return { offsets, codes }
}

/** The column of each value that a rule names, from 1. Column 0 is for no value and for values that no rule names. */
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

/** Writes a code to the cells of all combinations of accepted steps. */
function writeCells(
  codes: Int32Array,
  code: number,
  accepted: readonly (readonly number[])[],
  position: number,
  cell: number,
): void {
  const steps = accepted[position]
  if (steps === undefined) codes[cell] = code
  else for (const step of steps) writeCells(codes, code, accepted, position + 1, cell + step)
}

/** The cell of a combination of values. -1: no value. */
export function cellOf(table: DecisionTable, values: readonly number[]): number {
  let cell = 0
  for (let position = 0; position < values.length; position++) cell += offsetAt(table, values, position)
  return cell
}

/** What the value at a position adds to the cell index. */
export function offsetAt({ offsets }: DecisionTable, values: readonly number[], position: number): number {
  return offsets[position]![values[position]! + 1]!
}
