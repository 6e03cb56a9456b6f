/**
 * A duty, fee or tax before it is rounded into a line. Decided here: charges of one code and one name are one line,
 * rounded once. Source: decision 14 of the README; design note on customs, "Exactness".
 */
import { type Consignment, lineCents } from './consignment.ts'
import { centsOf, type Exact, plus } from './exact.ts'
import type { TaxKind } from './reference/reference-rows.ts'
import { formatEuro, type LineSource, sentences, type TaxLine } from './tax-line.ts'

/**
 * An exact amount with what its line says of it, in euro. The explanation is a method-only object: texts, and the
 * row behind them, cost more than the figures and are made when somebody asks.
 */
export type Charge = {
  readonly harmonizedCode: string
  readonly kind: TaxKind
  readonly name: string
  readonly amount: Exact
  readonly base: Exact
  readonly computed: boolean
  readonly items: readonly number[]
  readonly because: Explanation
}

/** Why a charge is what it is. */
export type Explanation = {
  describe(): string
  /** The rate and what it is applied to, as text: "6.5% × EUR 200.00"; empty where nothing was worked out. */
  formula(): string
  ratePercent(): string | undefined
  source(): LineSource | undefined
}

/** The explanation of a charge of nothing. */
export function explainNothing(describe: () => string, source?: () => LineSource): Explanation {
  return {
    describe,
    formula: noFormula,
    ratePercent: noRate,
    source: source ?? noRate,
  }
}

function noFormula(): string {
  return ''
}

function noRate(): undefined {
  return undefined
}

/** The lines of charges, in their order. */
export function linesOf(consignment: Consignment, charges: readonly Charge[]): readonly TaxLine[] {
  return charges.map((charge) => new ChargedLine(consignment, charge))
}

/** Charges on goods of one code with those of one name added up, in the order of the first of each. */
export function joinByName(charges: readonly Charge[]): readonly Charge[] {
  if (!hasRepeatedName(charges)) return charges
  const joined: Charge[] = []
  for (const charge of charges) {
    const index = joined.findIndex(({ name }) => name === charge.name)
    const earlier = joined[index]
    if (earlier === undefined) joined.push(charge)
    else joined[index] = merge(earlier, charge)
  }
  return joined
}

function hasRepeatedName(charges: readonly Charge[]): boolean {
  for (let index = 1; index < charges.length; index++)
    for (let before = 0; before < index; before++)
      if (charges[before]?.name === charges[index]?.name) return true
  return false
}

/** A line on its charge; a class, so that the questions that are seldom asked cost nothing per line. */
class ChargedLine implements TaxLine {
  readonly harmonizedCode: string
  readonly kind: TaxKind
  readonly name: string
  readonly amountCents: number
  readonly baseCents: number
  readonly computed: boolean
  readonly items: readonly number[]
  private readonly charge: Charge

  constructor(consignment: Consignment, charge: Charge) {
    this.harmonizedCode = charge.harmonizedCode
    this.kind = charge.kind
    this.name = charge.name
    this.amountCents = lineCents(consignment, charge.amount)
    this.baseCents = centsOf(charge.base)
    this.computed = charge.computed
    this.items = charge.items
    this.charge = charge
  }

  get ratePercent(): string | undefined {
    return this.charge.because.ratePercent()
  }

  get source(): LineSource | undefined {
    return this.charge.because.source()
  }

  describe(): string {
    return this.charge.because.describe()
  }

  formula(): string {
    const formula = this.charge.because.formula()
    return formula === '' ? '' : `${formula} = ${formatEuro(this.charge.amount)}`
  }
}

/** Lots of different origins are worked out apart and shown together; a rate is shown only when they share it. */
function merge(first: Charge, second: Charge): Charge {
  return {
    harmonizedCode: first.harmonizedCode,
    kind: first.kind,
    name: first.name,
    amount: plus(first.amount, second.amount),
    base: plus(first.base, second.base),
    computed: first.computed && second.computed,
    items: [...first.items, ...second.items],
    because: bothOf(first.because, second.because),
  }
}

function bothOf(first: Explanation, second: Explanation): Explanation {
  return {
    describe: () => sentences(first.describe(), second.describe()),
    formula: () => [first.formula(), second.formula()].filter((text) => text !== '').join(' + '),
    ratePercent: () => (first.ratePercent() === second.ratePercent() ? first.ratePercent() : undefined),
    source: () => first.source(),
  }
}
