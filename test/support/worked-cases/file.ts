/** Reads a file of worked cases: `{ cases: [...] }` or a list. The inputs are not interpreted here. */
import { readFileSync } from 'node:fs'
import { decimalText, isRecord } from './entry.ts'

/** A line of a published result; the amount is decimal text. */
export type PublishedLine = { readonly name: string; readonly amount: string }

/** A published calculation. */
export type WorkedCase = {
  readonly id: string
  readonly destination: string
  readonly origin: string
  /** 'YYYY-MM-DD'. */
  readonly asOf: string
  readonly currency: string
  /** The inputs, including keys such as `rounding` that are given next to `inputs`. */
  readonly inputs: Readonly<Record<string, unknown>>
  readonly lines: readonly PublishedLine[]
  readonly total?: string
  /** Values or tax bases that the engine must have used. */
  readonly bases: readonly string[]
  /** Faults in the case itself. */
  readonly problems: readonly string[]
}

/** Keys that describe a case and do not affect its calculation. */
const ABOUT = new Set(
  'id kind destination origin asOf currency inputs expected source sources url grade title description notes note ruleInForceAtNov2026 verified'.split(
    ' ',
  ),
)

const BASES = ['base', 'customsValue', 'taxBase', 'vatBase']

/** Reads the cases in order. Throws if the file cannot be read or has no cases. */
export function readWorkedCases(path: string): readonly WorkedCase[] {
  const content: unknown = JSON.parse(readFileSync(path, 'utf8'))
  const cases = isRecord(content) ? content['cases'] : content
  if (!Array.isArray(cases) || cases.length === 0) throw new Error('it holds no cases')
  return cases.map(toWorkedCase)
}

/** Converts a case from JSON. Faults are listed in its `problems`. */
export function toWorkedCase(value: unknown, index = 0): WorkedCase {
  const problems: string[] = []
  const entry = isRecord(value) ? value : {}
  const expected = isRecord(entry['expected']) ? entry['expected'] : {}
  if (!isRecord(entry['inputs'])) problems.push('inputs: missing')
  if (!Array.isArray(expected['lines'])) problems.push('expected.lines: missing')
  const others = Object.entries(entry).filter(([key]) => !ABOUT.has(key) && !key.startsWith('rule'))
  const total = figureOf(expected, 'total', problems)
  for (const key of Object.keys(expected))
    if (!['lines', 'total', 'note', 'notes', ...BASES].includes(key))
      problems.push(`expected.${key}: this key is not understood`)
  return {
    id: textOf(entry, 'id', `case ${index + 1}`),
    destination: textOf(entry, 'destination', 'ZZ'),
    origin: textOf(entry, 'origin', 'XX'),
    asOf: textOf(entry, 'asOf', '2026-11-01').slice(0, 10),
    currency: textOf(entry, 'currency', 'EUR'),
    inputs: { ...Object.fromEntries(others), ...(isRecord(entry['inputs']) ? entry['inputs'] : {}) },
    lines: linesOf(expected['lines'], problems),
    ...(total !== undefined && { total }),
    bases: BASES.flatMap((key) => figureOf(expected, key, problems) ?? []),
    problems,
  }
}

function textOf(entry: Readonly<Record<string, unknown>>, key: string, otherwise: string): string {
  const value = entry[key]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : otherwise
}

function figureOf(
  expected: Readonly<Record<string, unknown>>,
  key: string,
  problems: string[],
): string | undefined {
  if (expected[key] === undefined || expected[key] === null) return undefined
  const figure = decimalText(expected[key])
  if (figure === undefined) problems.push(`expected.${key}: ${JSON.stringify(expected[key])} is no amount`)
  return figure
}

/** Lines are `["VAT", "38.64"]` or `{ name, amount }`. */
function linesOf(lines: unknown, problems: string[]): readonly PublishedLine[] {
  if (!Array.isArray(lines)) return []
  return lines.map((line: unknown, index) => {
    const [name, value]: unknown[] = Array.isArray(line)
      ? line
      : isRecord(line)
        ? [line['name'], line['amount']]
        : []
    const amount = decimalText(value)
    if (typeof name !== 'string' || amount === undefined)
      problems.push(`expected.lines[${index}]: must be [name, amount]`)
    return { name: String(name), amount: amount ?? '0' }
  })
}
