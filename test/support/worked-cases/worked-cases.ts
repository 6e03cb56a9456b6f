/**
 * Published calculations against the engine: a case's own rates become rows, the engine works out a request under
 * them, and its lines are held against the published ones. Decided here: every published line must be there to the
 * cent, and nothing may be charged that is not published; lines of one name count together, since a published case
 * writes one where the engine has one per code; a case that is not understood is missed.
 */
import {
  type DutiesEstimate,
  estimateRequest,
  givenCode,
} from '../../../src/core/customs/estimate/estimate.ts'
import type { TaxLine } from '../../../src/core/customs/estimate/tax-line.ts'
import { centsOf, exactOf } from '../../../src/core/customs/exact.ts'
import { compileCustomsTables } from '../../../src/core/customs/tables.ts'
import { stepsOf } from './decimal.ts'
import { type CaseDraft, openDraft } from './draft.ts'
import type { WorkedCase } from './file.ts'
import { assemble, type TranslatedCase } from './rows.ts'
import type { Ledger } from './said.ts'
import { takeInputs } from './words.ts'

/** A published figure beside the engine's, in cents of the case's currency; absent where one side has none. */
export type ComparedFigure = {
  readonly name: string
  readonly expectedCents?: number
  readonly computedCents?: number
  readonly isOk: boolean
}

/** What came of a case. */
export type CaseOutcome = {
  readonly of: WorkedCase
  readonly figures: readonly ComparedFigure[]
  /** What was not understood, or could not be worked out; empty for a case that was run. */
  readonly problems: readonly string[]
  readonly isOk: boolean
}

/** Runs one case; never throws. */
export function runWorkedCase(of: WorkedCase): CaseOutcome {
  const ledger: Ledger = { currency: of.currency, rates: new Map(), problems: [...of.problems] }
  const draft = openDraft(ledger)
  takeInputs(draft, { path: 'inputs', key: 'inputs', value: of.inputs, currency: of.currency, ledger })
  const translated = assemble(of, draft)
  const estimate = ledger.problems.length === 0 ? estimateOf(of, translated, ledger) : undefined
  if (estimate === undefined)
    return { of, figures: publishedOnly(of), problems: ledger.problems, isOk: false }
  const figures = compare(of, draft, translated, estimate)
  const problems = estimate.taxes
    .filter((line) => !line.computed)
    .map((line) => `${line.name}: ${line.describe()}`)
  return { of, figures, problems, isOk: problems.length === 0 && figures.every(({ isOk }) => isOk) }
}

/** What the engine says; a fault of it, or rows that it cannot take, is a problem of this case alone. */
function estimateOf(
  of: WorkedCase,
  { rows, request, codes }: TranslatedCase,
  { problems }: Ledger,
): DutiesEstimate | undefined {
  const classifications = codes.map(givenCode)
  try {
    return estimateRequest(compileCustomsTables(rows), request, classifications, of.asOf)
  } catch (error) {
    problems.push(`the engine: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

function publishedOnly(of: WorkedCase): readonly ComparedFigure[] {
  return of.lines.map(({ name, amount }) => ({ name, expectedCents: centsIn(amount), isOk: false }))
}

function compare(
  of: WorkedCase,
  draft: CaseDraft,
  translated: TranslatedCase,
  estimate: DutiesEstimate,
): readonly ComparedFigure[] {
  const { hidden } = translated
  const charged = estimate.taxes.map((line) => ({ line, name: publishedName(translated, line) }))
  const expected = sumByName(of.lines.map(({ name, amount }) => [name, centsIn(amount)]))
  const computed = sumByName(
    charged.flatMap(({ line, name }) => (hidden.has(name) ? [] : [[name, line.amountCents] as const])),
  )
  const hiddenCents = charged.reduce(
    (sum, { line, name }) => sum + (hidden.has(name) ? line.amountCents : 0),
    0,
  )
  const names = [...expected.keys(), ...[...computed.keys()].filter((name) => !expected.has(name))]
  return [
    ...names.flatMap((name) => lineFigure(name, expected.get(name), computed.get(name)) ?? []),
    ...(of.total === undefined
      ? []
      : [figure('total', centsIn(of.total), estimate.estimateCents - hiddenCents)]),
    ...basesOf(of, draft, estimate),
  ]
}

/** A rule in place of the tariff has a name of the engine's; no line of a measure has one that is not the case's. */
function publishedName({ rows, flatName }: TranslatedCase, { kind, name }: TaxLine): string {
  const isMeasure = rows.measureTypes.some((type) => name === type.name)
  return kind === 'DUTY' && !isMeasure && flatName !== undefined ? flatName : name
}

function sumByName(lines: readonly (readonly [name: string, cents: number])[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const [name, cents] of lines) sums.set(name, (sums.get(name) ?? 0) + cents)
  return sums
}

/** A line at nothing may stand on one side alone: the engine explains what is not due, a publication may list it. */
function lineFigure(name: string, expected?: number, computed?: number): ComparedFigure | undefined {
  if (expected === undefined && computed === 0) return undefined
  const isNothing = expected === 0 && computed === undefined
  return { ...figure(name, expected, computed), ...(isNothing && { isOk: true }) }
}

function figure(name: string, expected?: number, computed?: number): ComparedFigure {
  return {
    name,
    ...(expected !== undefined && { expectedCents: expected }),
    ...(computed !== undefined && { computedCents: computed }),
    isOk: expected === computed,
  }
}

/** A published base is the customs value, or what a line was worked out on; which one, cases do not say. */
function basesOf(of: WorkedCase, draft: CaseDraft, estimate: DutiesEstimate): readonly ComparedFigure[] {
  const { customsValueCents, taxes } = estimate
  const taxBases = baseCents(taxes.filter(({ kind }) => kind !== 'DUTY' && kind !== 'FEE'))
  const found = [
    ...of.bases.map((base) => ({ base, among: [customsValueCents, ...taxBases, ...baseCents(taxes)] })),
    ...(draft.statedValue === undefined ? [] : [{ base: draft.statedValue, among: [customsValueCents] }]),
    ...(draft.taxedValue === undefined ? [] : [{ base: draft.taxedValue, among: taxBases }]),
  ]
  return found.map(({ base, among }) => {
    const cents = centsIn(base)
    return figure('base', cents, among.includes(cents) ? cents : among[0])
  })
}

/** The bases of lines, those of one name together. */
function baseCents(lines: readonly TaxLine[]): readonly number[] {
  return [...sumByName(lines.map((line) => [line.name, line.baseCents])).values()]
}

/** Decimal text in cents; a finer figure is rounded to the cent it is published for. */
function centsIn(amount: string): number {
  const places = amount.includes('.') ? amount.length - amount.indexOf('.') - 1 : 0
  return centsOf(exactOf(stepsOf(amount, places) ?? Number.NaN, places))
}
