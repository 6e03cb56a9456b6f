/**
 * Lines of an estimate as plain data: the figures, and the calculation that they come from. Lines of one code and one
 * name are joined and rounded once; see docs/rest-contract.md#r14. explain/line.ts writes the texts of a line from
 * its calculation, and only on request, because most callers use the figures alone.
 */
import type { ExchangeRate } from '../data/exchange-rate.ts'
import type { FeeRow } from '../data/tables/fees.ts'
import type { TaxKind, TaxRow } from '../data/tables/taxes.ts'
import { type Exact, plus } from '../exact.ts'
import type { Tax, TaxRate } from '../tables.ts'
import type { ExciseRate } from '../tariff/excise-rate.ts'
import type { Measure } from '../tariff/measure.ts'
import type { CodeRange } from './additional-code.ts'
import { type Consignment, lineCents } from './consignment.ts'
import type { CodedItem, Goods, Lot } from './goods.ts'
import type { AmountThreshold, FittingThreshold, UnconvertibleThreshold } from './threshold.ts'

/** One duty, fee or tax on one commodity code. A line that cannot be calculated is 0 and not `computed`. */
export type TaxLine = {
  readonly harmonizedCode: string
  readonly kind: TaxKind
  readonly name: string
  /** Rounded once. */
  readonly amountCents: number
  readonly computed: boolean
  /** Indexes of the content items it is for; an index may occur more than once. */
  readonly items: readonly number[]
  /** Unrounded, in euro. */
  readonly amount: Exact
  /** The amount that the rate is applied to: unrounded, in euro. */
  readonly base: Exact
  readonly calculation: Calculation
}

/** How the amount of a line was found, or why there is none. */
export type Calculation =
  /** A measure of the tariff. `missing` names the part that cannot be calculated; empty if there is none. */
  | {
      readonly kind: 'measure'
      readonly goods: Goods
      readonly lot: Lot
      readonly measure: Measure
      readonly missing: string
    }
  /** The part of a measure that cannot be calculated. */
  | {
      readonly kind: 'missingPart'
      readonly goods: Goods
      readonly lot: Lot
      readonly measure: Measure
      readonly missing: string
    }
  /** The average duty on a group of goods, which the caller does not count. `amount` is what it would be, in euro. */
  | {
      readonly kind: 'uncounted'
      readonly goods: Goods
      readonly lot: Lot
      readonly measure: Measure
      readonly amount: Exact
    }
  /** The tariff has no measure for the code, or no tariff is loaded. */
  | { readonly kind: 'noMeasure'; readonly goods: Goods; readonly lot: Lot }
  /** A duty that depends on an additional code that the item does not name. */
  | { readonly kind: 'codeRange'; readonly lot: Lot; readonly range: CodeRange }
  /** A low-value rule that replaces the tariff. */
  | {
      readonly kind: 'threshold'
      readonly goods: Goods
      readonly lots: readonly Lot[]
      readonly threshold: FittingThreshold
    }
  /** Low-value rules that cannot be applied, because their currency has no exchange rate. */
  | { readonly kind: 'unconvertible'; readonly rules: readonly UnconvertibleThreshold[] }
  | { readonly kind: 'fee'; readonly row: FeeRow; readonly rate: ExchangeRate }
  | { readonly kind: 'noFee'; readonly row: FeeRow; readonly reason: NoFeeReason }
  | {
      readonly kind: 'tax'
      readonly tax: Tax
      readonly rate: TaxRate
      readonly taxed: TaxedGoods
      readonly excise: ExciseSum
      /** A rule on the tax: only the value above its limit is taxed. */
      readonly threshold: FittingThreshold | undefined
    }
  | {
      readonly kind: 'noTax'
      readonly tax: TaxRow
      readonly reason: NoTaxReason
      /** The low-value rule, if the reason is 'replaced' or 'relief'. */
      readonly threshold?: FittingThreshold
    }
  /** An excise duty. `missing` names the part that cannot be calculated; empty if there is none. */
  | {
      readonly kind: 'excise'
      readonly rate: ExciseRate
      readonly items: readonly CodedItem[]
      readonly missing: string
    }
  /** An excise duty, or the part of it, that cannot be calculated. */
  | {
      readonly kind: 'noExcise'
      readonly tax: TaxRow
      readonly rate: ExciseRate
      readonly items: readonly CodedItem[]
      readonly reason: NoExciseReason
      readonly missing: string
      /** What is due at least, in euro. */
      readonly least?: Exact
    }
  /** No tax of the destination is loaded. */
  | { readonly kind: 'noTaxData' }
  /** All lines together are too little for the authority to levy. `line` is what would be due. */
  | { readonly kind: 'notLevied'; readonly line: TaxLine; readonly threshold: AmountThreshold }
  | { readonly kind: 'joined'; readonly first: TaxLine; readonly second: TaxLine }

/**
 * - `notEstimated`: the data set has no amount.
 * - `noExchangeRate`: the currency of the fee has no exchange rate, so it may not be due.
 */
export type NoFeeReason =
  | 'notEstimated'
  | 'noExchangeRate'
  | 'preferenceClaimed'
  | 'exemptOrigin'
  | 'belowMinimum'

/**
 * - `none`: the destination levies no such tax.
 * - `replaced`: a low-value rule on duty replaces the tax.
 * - `relief`: a low-value rule on the tax.
 * - `notEstimated`: the data set has no rates for the tax.
 * - `noRate`: no rate is in force for this code on this day.
 */
export type NoTaxReason = 'none' | 'replaced' | 'relief' | 'notEstimated' | 'noRate'

/**
 * - `missingPart`: the request lacks a quantity, or the rate has a part that no request contains.
 * - `strengthNeeded`: the rate depends on the alcoholic strength, which the request does not contain. `rate` is one of
 *   them.
 * - `lowerBound`: only a minimum rate is loaded.
 * - `boundNeedsStrength`: only minimum rates are loaded, and they depend on the strength.
 */
export type NoExciseReason = 'missingPart' | 'strengthNeeded' | 'lowerBound' | 'boundNeedsStrength'

/** The excise duties on goods, in euro. */
export type ExciseSum = { readonly amount: Exact; readonly isComplete: boolean }

/** Goods with the duty and fees that taxes are charged on. Amounts are unrounded, in euro. */
export type TaxedGoods = {
  readonly goods: Goods
  readonly duty: Exact
  /** False if a part of the duty could not be calculated. */
  readonly isDutyComplete: boolean
  /** A low-value rule that replaces the taxes too. */
  readonly replacesTaxes: FittingThreshold | undefined
  /** The fees that are in the base of taxes. */
  readonly fees: Exact
  /** False if the goods stay inside one customs area. */
  readonly isImported: boolean
}

/** The name of a line whose amount is not known. */
export function notEstimated(name: string): string {
  return `${name} (not estimated)`
}

/** Joins the lines of one code that have the same name. A joined line has the position of its first part. */
export function joinByName(consignment: Consignment, lines: readonly TaxLine[]): readonly TaxLine[] {
  if (!hasRepeatedName(lines)) return lines
  const joined: TaxLine[] = []
  for (const line of lines) {
    const index = joined.findIndex(({ name }) => name === line.name)
    const earlier = joined[index]
    if (earlier === undefined) joined.push(line)
    else joined[index] = join(consignment, earlier, line)
  }
  return joined
}

function join(consignment: Consignment, first: TaxLine, second: TaxLine): TaxLine {
  const amount = plus(first.amount, second.amount)
  return {
    harmonizedCode: first.harmonizedCode,
    kind: first.kind,
    name: first.name,
    amountCents: lineCents(consignment, amount),
    computed: first.computed && second.computed,
    items: [...first.items, ...second.items],
    amount,
    base: plus(first.base, second.base),
    calculation: { kind: 'joined', first, second },
  }
}

function hasRepeatedName(lines: readonly TaxLine[]): boolean {
  for (let index = 1; index < lines.length; index++)
    for (let before = 0; before < index; before++) if (lines[before]?.name === lines[index]?.name) return true
  return false
}
