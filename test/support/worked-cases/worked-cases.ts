/**
 * Runs published calculations through the engine. The rates of a case become customs rows, and the engine estimates a
 * request with them. Every published line must match to the cent, and no other charge may appear. Lines with the same
 * name are added up, because the engine has one per code. A case with unknown keys fails.
 */
import {
  type DutiesEstimate,
  estimateRequest,
  givenCode,
} from '../../../src/core/customs/estimate/estimate.ts'
import { describeLine, lineBaseCents } from '../../../src/core/customs/estimate/explain/line.ts'
import type { TaxLine } from '../../../src/core/customs/estimate/tax-line.ts'
import { centsOf, exactOf } from '../../../src/core/customs/exact.ts'
import { compileCustomsTables } from '../../../src/core/customs/tables.ts'
import { type CaseDraft, openDraft } from './draft.ts'
import { type Ledger, stepsOf } from './entry.ts'
import type { WorkedCase } from './file.ts'
import { assemble, type TranslatedCase } from './rows.ts'
import { applyInputs } from './vocabulary.ts'

/** A published figure and the engine's, in cents of the case's currency. */
export type ComparedFigure = {
  readonly name: string
  readonly expectedCents?: number
  readonly computedCents?: number
  readonly isOk: boolean
}

export type CaseOutcome = {
  readonly workedCase: WorkedCase
  readonly figures: readonly ComparedFigure[]
  /** Inputs that were not understood and lines that were not computed. Empty if the case ran. */
  readonly problems: readonly string[]
  readonly isOk: boolean
}

/** Runs one case. Never throws. */
export function runWorkedCase(workedCase: WorkedCase): CaseOutcome {
  const ledger: Ledger = {
    currency: workedCase.currency,
    rates: new Map(),
    problems: [...workedCase.problems],
  }
  const draft = openDraft(ledger)
  applyInputs(draft, {
    path: 'inputs',
    key: 'inputs',
    value: workedCase.inputs,
    currency: workedCase.currency,
    ledger,
  })
  const translated = assemble(workedCase, draft)
  const estimate = ledger.problems.length === 0 ? estimateOf(workedCase, translated, ledger) : undefined
  if (estimate === undefined)
    return { workedCase, figures: publishedOnly(workedCase), problems: ledger.problems, isOk: false }
  const figures = compare(workedCase, draft, translated, estimate)
  const problems = estimate.taxes
    .filter((line) => !line.computed)
    .map((line) => `${line.name}: ${describeLine(estimate.consignment, line)}`)
  return { workedCase, figures, problems, isOk: problems.length === 0 && figures.every(({ isOk }) => isOk) }
}

/** The engine's estimate. An error of the engine becomes a problem of this case. */
function estimateOf(
  workedCase: WorkedCase,
  { rows, request, codes }: TranslatedCase,
  { problems }: Ledger,
): DutiesEstimate | undefined {
  const classifications = codes.map(givenCode)
  try {
    return estimateRequest(compileCustomsTables(rows), request, classifications, workedCase.asOf)
  } catch (error) {
    problems.push(`the engine: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

function publishedOnly(workedCase: WorkedCase): readonly ComparedFigure[] {
  return workedCase.lines.map(({ name, amount }) => ({ name, expectedCents: centsIn(amount), isOk: false }))
}

function compare(
  workedCase: WorkedCase,
  draft: CaseDraft,
  translated: TranslatedCase,
  estimate: DutiesEstimate,
): readonly ComparedFigure[] {
  const { hidden } = translated
  const charged = estimate.taxes.map((line) => ({ line, name: publishedName(translated, line) }))
  const expected = sumByName(workedCase.lines.map(({ name, amount }) => [name, centsIn(amount)]))
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
    ...(workedCase.total === undefined
      ? []
      : [figure('total', centsIn(workedCase.total), estimate.estimateCents - hiddenCents)]),
    ...basesOf(workedCase, draft, estimate),
  ]
}

/** The published name of a line. The engine has a name of its own for rules that replace the tariff. */
function publishedName({ rows, flatName }: TranslatedCase, { kind, name }: TaxLine): string {
  const isMeasure = rows.measureTypes.some((type) => name === type.name)
  return kind === 'DUTY' && !isMeasure && flatName !== undefined ? flatName : name
}

function sumByName(lines: readonly (readonly [name: string, cents: number])[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const [name, cents] of lines) sums.set(name, (sums.get(name) ?? 0) + cents)
  return sums
}

/** Compares a line. A line of 0.00 may be missing on either side. */
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

/** A published base may match the customs value or the base of any line, because cases do not specify which it is. */
function basesOf(
  workedCase: WorkedCase,
  draft: CaseDraft,
  estimate: DutiesEstimate,
): readonly ComparedFigure[] {
  const { customsValueCents, taxes } = estimate
  const taxBases = baseCents(taxes.filter(({ kind }) => kind !== 'DUTY' && kind !== 'FEE'))
  const found = [
    ...workedCase.bases.map((base) => ({
      base,
      among: [customsValueCents, ...taxBases, ...baseCents(taxes)],
    })),
    ...(draft.statedValue === undefined ? [] : [{ base: draft.statedValue, among: [customsValueCents] }]),
    ...(draft.taxedValue === undefined ? [] : [{ base: draft.taxedValue, among: taxBases }]),
  ]
  return found.map(({ base, among }) => {
    const cents = centsIn(base)
    return figure('base', cents, among.includes(cents) ? cents : among[0])
  })
}

/** The bases of lines; lines with the same name are added up. */
function baseCents(lines: readonly TaxLine[]): readonly number[] {
  return [...sumByName(lines.map((line) => [line.name, lineBaseCents(line)])).values()]
}

/** Decimal text in cents, rounded. */
function centsIn(amount: string): number {
  const places = amount.includes('.') ? amount.length - amount.indexOf('.') - 1 : 0
  return centsOf(exactOf(stepsOf(amount, places) ?? Number.NaN, places))
}
