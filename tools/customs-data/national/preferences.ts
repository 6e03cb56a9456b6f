/**
 * Reduces the preferences of a tariff to few rows. Only rates below the most-favoured-nation duty become rows, and a
 * row with a short prefix replaces the rows of the lines below it if every line still has the same preference.
 */
import { groupBy } from '../../../src/core/group-by.ts'
import { type PreferenceRow, plainPercent, type Rate, rateKey, writePreferences } from '../tariff-rows.ts'

/** A line of the tariff with the rate that one group of origins pays under an agreement. Undefined: no concession. */
export type ConcessionLine = {
  readonly code: string
  readonly duty: Rate
  readonly concession: Rate | undefined
}

/** An agreement, the column of a source table that has its rates, and the origins that they apply to. */
export type Agreement = { readonly column: string; readonly origin: string; readonly agreement: string }

/** Writes the preferences of a tariff: the rows of every agreement. */
export function writeAgreements(
  file: string,
  agreements: readonly Agreement[],
  rowsOf: (agreement: Agreement) => readonly PreferenceRow[],
): void {
  writePreferences(file, agreements.flatMap(rowsOf))
}

/** `any`: the goods are free anyway, so a percentage changes nothing. */
type Needed =
  | { readonly kind: 'none' }
  | { readonly kind: 'any' }
  | { readonly kind: 'rate'; readonly rate: Rate }

function neededPreference({ duty, concession }: ConcessionLine): Needed {
  const percent = plainPercent(duty)
  if (percent === 0) return { kind: 'any' }
  return concession !== undefined && isLower(concession, duty)
    ? { kind: 'rate', rate: concession }
    : { kind: 'none' }
}

/** True unless the concession is known to be as high as the duty. */
function isLower(concession: Rate, duty: Rate): boolean {
  const [lower, higher] = [plainPercent(concession), plainPercent(duty)]
  if (lower !== undefined && higher !== undefined) return lower < higher
  return rateKey(concession) !== rateKey(duty)
}

const GROUP_LENGTHS = [2, 4, 6]

type Node = {
  readonly prefix: string
  readonly children: readonly Node[]
  /** Of a line. */
  readonly needed?: Needed
  /** By the key of the inherited rate. */
  readonly solutions: Map<string, Solution | undefined>
}

/** The smallest number of rows below a node, and the rows. */
type Solution = { readonly count: number; readonly rows: readonly { code: string; rate: Rate }[] }

/** The rows of one agreement and origin group. Throws if a line would have another preference than before. */
export function preferenceRows(
  lines: readonly ConcessionLine[],
  origin: string,
  agreement: string,
): readonly PreferenceRow[] {
  const chapters = groupLines(lines, GROUP_LENGTHS)
  const rows = chapters
    .flatMap((chapter) => solve(chapter, undefined)?.rows ?? [])
    .map((row) => ({ ...row, origin, agreement }))
  checkRows(lines, rows)
  return rows
}

function groupLines(
  lines: readonly ConcessionLine[],
  [length, ...longer]: readonly number[],
): readonly Node[] {
  if (length === undefined)
    return lines.map((line) => ({
      ...{ prefix: line.code, children: [], needed: neededPreference(line) },
      solutions: new Map(),
    }))
  const groups = groupBy(lines, ({ code }) => code.slice(0, length))
  return [...groups].map(([prefix, group]) => ({
    prefix,
    children: groupLines(group, longer),
    solutions: new Map(),
  }))
}

/** `inherited` is the rate of a row above the node. Undefined if that row must not cover the node. */
function solve(node: Node, inherited: Rate | undefined): Solution | undefined {
  const key = inherited === undefined ? '' : rateKey(inherited)
  if (!node.solutions.has(key)) node.solutions.set(key, solveNode(node, inherited))
  return node.solutions.get(key)
}

function solveNode(node: Node, inherited: Rate | undefined): Solution | undefined {
  if (node.needed !== undefined) return solveLine(node.prefix, node.needed, inherited)
  const candidates = percentRates(node)
  let best = solveChildren(node.children, inherited)
  for (const rate of candidates) {
    const below = solveChildren(node.children, rate)
    if (below === undefined || (best !== undefined && below.count + 1 >= best.count)) continue
    best = { count: below.count + 1, rows: [{ code: node.prefix, rate }, ...below.rows] }
  }
  return best
}

function solveChildren(children: readonly Node[], inherited: Rate | undefined): Solution | undefined {
  let count = 0
  const rows: { code: string; rate: Rate }[] = []
  for (const child of children) {
    const solution = solve(child, inherited)
    if (solution === undefined) return undefined
    count += solution.count
    rows.push(...solution.rows)
  }
  return { count, rows }
}

function solveLine(code: string, needed: Needed, inherited: Rate | undefined): Solution | undefined {
  switch (needed.kind) {
    case 'any':
      return { count: 0, rows: [] }
    case 'none':
      return inherited === undefined ? { count: 0, rows: [] } : undefined
    case 'rate':
      return inherited !== undefined && rateKey(inherited) === rateKey(needed.rate)
        ? { count: 0, rows: [] }
        : { count: 1, rows: [{ code, rate: needed.rate }] }
  }
}

/** The percentages of the lines below a node. Empty if a line has no preference, because then no row can cover it. */
function percentRates(node: Node): readonly Rate[] {
  const rates = new Map<string, Rate>()
  const collect = ({ children, needed }: Node): boolean => {
    if (needed?.kind === 'none') return false
    if (needed?.kind === 'rate' && plainPercent(needed.rate) !== undefined)
      rates.set(rateKey(needed.rate), needed.rate)
    return children.every(collect)
  }
  return collect(node) ? [...rates.values()] : []
}

function checkRows(lines: readonly ConcessionLine[], rows: readonly PreferenceRow[]): void {
  const byCode = new Map(rows.map((row) => [row.code, row.rate]))
  for (const line of lines) {
    const needed = neededPreference(line)
    if (needed.kind === 'any') continue
    const found = [line.code, ...GROUP_LENGTHS.map((length) => line.code.slice(0, length)).reverse()]
      .map((prefix) => byCode.get(prefix))
      .find((rate) => rate !== undefined)
    const expected = needed.kind === 'none' ? undefined : rateKey(needed.rate)
    if ((found && rateKey(found)) !== expected) throw new Error(`preference of ${line.code} was lost`)
  }
}
