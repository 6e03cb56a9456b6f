/** A file of worked cases, as it stands: { cases: [...] } or a list. Nothing of a case is interpreted here. */
import { readFileSync } from 'node:fs'
import { decimalText } from './decimal.ts'
import { isRecord } from './said.ts'

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
  /** The inputs, with the rounding and whatever else stands beside them. */
  readonly inputs: Readonly<Record<string, unknown>>
  readonly lines: readonly PublishedLine[]
  /** Absent where the case does not state it. */
  readonly total?: string
  /** Values or tax bases that the engine has to have used. */
  readonly bases: readonly string[]
  /** What is wrong with the case itself. */
  readonly problems: readonly string[]
}

/** What a case says of itself and not of its calculation. */
const ABOUT = new Set(
  'id kind destination origin asOf currency inputs expected source sources url grade title description notes note ruleInForceAtNov2026 verified'.split(
    ' ',
  ),
)

const BASES = ['base', 'customsValue', 'taxBase', 'vatBase']

/** The cases of a file, in its order. Throws when it cannot be read or holds no cases. */
export function readWorkedCases(path: string): readonly WorkedCase[] {
  const content: unknown = JSON.parse(readFileSync(path, 'utf8'))
  const cases = isRecord(content) ? content['cases'] : content
  if (!Array.isArray(cases) || cases.length === 0) throw new Error('it holds no cases')
  return cases.map(toWorkedCase)
}

/** A case out of JSON; what is wrong with it is among its problems. */
export function toWorkedCase(value: unknown, index = 0): WorkedCase {
  const problems: string[] = []
  const said = isRecord(value) ? value : {}
  const expected = isRecord(said['expected']) ? said['expected'] : {}
  if (!isRecord(said['inputs'])) problems.push('inputs: missing')
  if (!Array.isArray(expected['lines'])) problems.push('expected.lines: missing')
  const others = Object.entries(said).filter(([key]) => !ABOUT.has(key) && !key.startsWith('rule'))
  const total = figureOf(expected, 'total', problems)
  for (const key of Object.keys(expected))
    if (!['lines', 'total', 'note', 'notes', ...BASES].includes(key))
      problems.push(`expected.${key}: this key is not understood`)
  return {
    id: textOf(said, 'id', `case ${index + 1}`),
    destination: textOf(said, 'destination', 'ZZ'),
    origin: textOf(said, 'origin', 'XX'),
    asOf: textOf(said, 'asOf', '2026-11-01').slice(0, 10),
    currency: textOf(said, 'currency', 'EUR'),
    inputs: { ...Object.fromEntries(others), ...(isRecord(said['inputs']) ? said['inputs'] : {}) },
    lines: linesOf(expected['lines'], problems),
    ...(total !== undefined && { total }),
    bases: BASES.flatMap((key) => figureOf(expected, key, problems) ?? []),
    problems,
  }
}

function textOf(said: Readonly<Record<string, unknown>>, key: string, otherwise: string): string {
  const value = said[key]
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

/** ["VAT", "38.64"] or { name, amount }. */
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
