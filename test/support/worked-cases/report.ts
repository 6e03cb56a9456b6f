/** Prints worked cases with published and computed figures side by side. */
import { formatCents } from '../../../src/core/money.ts'
import { isRecord } from './entry.ts'
import type { CaseOutcome, ComparedFigure } from './worked-cases.ts'

const NAME_WIDTH = 44
const FIGURE_WIDTH = 14
const INPUT_LENGTH = 160

export function describeOutcome({ workedCase, figures, problems, isOk }: CaseOutcome): readonly string[] {
  return [
    `${isOk ? 'ok  ' : 'MISS'}  ${workedCase.id}  ${workedCase.origin} to ${workedCase.destination}, ${workedCase.asOf}, ${workedCase.currency}`,
    `      ${describeInputs(workedCase.inputs)}`,
    `      ${''.padEnd(NAME_WIDTH)}${'published'.padStart(FIGURE_WIDTH)}${'computed'.padStart(FIGURE_WIDTH)}`,
    ...figures.map(describeFigure),
    ...problems.map((problem) => `      not worked out: ${problem}`),
  ]
}

/** The last line: "28 cases: 28 ok, 0 missed". */
export function describeSum(outcomes: readonly CaseOutcome[]): string {
  const ok = outcomes.filter(({ isOk }) => isOk).length
  return `${outcomes.length} cases: ${ok} ok, ${outcomes.length - ok} missed`
}

function describeFigure({ name, expectedCents, computedCents, isOk }: ComparedFigure): string {
  const figures = [expectedCents, computedCents]
    .map((cents) => (cents === undefined ? '-' : formatCents(cents)).padStart(FIGURE_WIDTH))
    .join('')
  return `      ${name.padEnd(NAME_WIDTH)}${figures}${isOk ? '' : '  MISS'}`
}

function describeInputs(inputs: Readonly<Record<string, unknown>>): string {
  const text = Object.entries(inputs)
    .map(([key, value]) => `${key} ${describeValue(value)}`)
    .join(', ')
  return text.length > INPUT_LENGTH ? `${text.slice(0, INPUT_LENGTH - 1)}…` : text
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : `[${value.map(describeEntry).join('; ')}]`
  return describeEntry(value)
}

function describeEntry(value: unknown): string {
  if (!isRecord(value)) return String(value)
  return Object.entries(value)
    .map(([key, one]) => (key === 'name' ? String(one) : `${key} ${describeValue(one)}`))
    .join(' ')
}
