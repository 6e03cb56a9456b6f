/**
 * A duty, fee or tax, exact, and the line that it becomes. Decided here: charges of one code and one name are one
 * line, rounded once. Source: decision 14 of the README; design note on customs, "Exactness".
 */

import type { TaxKind } from '../data/rows.ts'
import { centsOf, type Exact, plus, ZERO } from '../exact.ts'
import { type Consignment, lineCents } from './consignment.ts'
import { formatEuro, type LineSource, sentences, type TaxLine } from './tax-line.ts'

/** What every charge has; amounts in euro. */
export type ChargeFigures = {
  readonly harmonizedCode: string
  readonly kind: TaxKind
  readonly name: string
  readonly amount: Exact
  readonly base: Exact
  readonly computed: boolean
  readonly items: readonly number[]
}

/**
 * An exact amount that is its own line. A class with one object per line, since an estimate has many and is asked
 * for little more than their figures: texts, and the row behind them, are made by the kinds of charges when somebody
 * asks.
 */
export abstract class Charge implements TaxLine {
  readonly harmonizedCode: string
  readonly kind: TaxKind
  readonly name: string
  /** Unrounded, in euro. */
  readonly amount: Exact
  readonly base: Exact
  readonly computed: boolean
  readonly items: readonly number[]
  protected readonly consignment: Consignment

  constructor(
    consignment: Consignment,
    harmonizedCode: string,
    kind: TaxKind,
    name: string,
    amount: Exact,
    base: Exact,
    computed: boolean,
    items: readonly number[],
  ) {
    this.consignment = consignment
    this.harmonizedCode = harmonizedCode
    this.kind = kind
    this.name = name
    this.amount = amount
    this.base = base
    this.computed = computed
    this.items = items
  }

  /** Rounded once. */
  get amountCents(): number {
    return lineCents(this.consignment, this.amount)
  }

  get baseCents(): number {
    return centsOf(this.base)
  }

  abstract get ratePercent(): string | undefined
  abstract get source(): LineSource | undefined
  abstract describe(): string
  /** The rate and what it is applied to: "6.5% × EUR 200.00"; empty where nothing was worked out. */
  abstract product(): string

  formula(): string {
    const product = this.product()
    if (product === '') return ''
    const { to, rounding } = this.consignment
    const rounded =
      rounding?.unit === undefined ? '' : `, in ${to.currency} to a multiple of ${to.roundingUnit}`
    return `${product} = ${formatEuro(this.amount)}${rounded}`
  }
}

/** A charge of nothing: not due, not levied, or not to be worked out. */
export class EmptyCharge extends Charge {
  private readonly why: () => string
  private readonly from: (() => LineSource) | undefined

  constructor(
    consignment: Consignment,
    figures: Omit<ChargeFigures, 'amount'>,
    why: () => string,
    from?: () => LineSource,
  ) {
    const { harmonizedCode, kind, name, base, computed, items } = figures
    super(consignment, harmonizedCode, kind, name, ZERO, base, computed, items)
    this.why = why
    this.from = from
  }

  get ratePercent(): undefined {
    return undefined
  }

  get source(): LineSource | undefined {
    return this.from?.()
  }

  describe(): string {
    return this.why()
  }

  product(): string {
    return ''
  }
}

/** Charges of several lots under one name, shown together; a rate is shown only when they share it. */
class JoinedCharge extends Charge {
  private readonly first: Charge
  private readonly second: Charge

  constructor(consignment: Consignment, first: Charge, second: Charge) {
    super(
      consignment,
      first.harmonizedCode,
      first.kind,
      first.name,
      plus(first.amount, second.amount),
      plus(first.base, second.base),
      first.computed && second.computed,
      [...first.items, ...second.items],
    )
    this.first = first
    this.second = second
  }

  get ratePercent(): string | undefined {
    return this.first.ratePercent === this.second.ratePercent ? this.first.ratePercent : undefined
  }

  get source(): LineSource | undefined {
    return this.first.source
  }

  describe(): string {
    return sentences(this.first.describe(), this.second.describe())
  }

  product(): string {
    return [this.first.product(), this.second.product()].filter((text) => text !== '').join(' + ')
  }
}

/** Charges on goods of one code with those of one name added up, in the order of the first of each. */
export function joinByName(consignment: Consignment, charges: readonly Charge[]): readonly Charge[] {
  if (!hasRepeatedName(charges)) return charges
  const joined: Charge[] = []
  for (const charge of charges) {
    const index = joined.findIndex(({ name }) => name === charge.name)
    const earlier = joined[index]
    if (earlier === undefined) joined.push(charge)
    else joined[index] = new JoinedCharge(consignment, earlier, charge)
  }
  return joined
}

function hasRepeatedName(charges: readonly Charge[]): boolean {
  for (let index = 1; index < charges.length; index++)
    for (let before = 0; before < index; before++)
      if (charges[before]?.name === charges[index]?.name) return true
  return false
}
