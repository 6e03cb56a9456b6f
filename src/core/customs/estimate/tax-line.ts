/**
 * Lines of an estimate as plain data: the figures, and the calculation that they come from. Lines of one code and one
 * name are joined and rounded once; see docs/rest-contract.md#r14. explain/line.ts writes the texts of a line from
 * its calculation, and only on request, because most callers use the figures alone.
 */

import type { Tax, TaxRate } from '../compiled-customs.ts'
import type { ExchangeRate } from '../data/exchange-rate.ts'
import type { FeeRow } from '../data/row-types/fees.ts'
import type { TaxKind, TaxRow } from '../data/row-types/taxes.ts'
import type { TradeDefenceRow } from '../data/row-types/trade-defence.ts'
import { centsOf, type Exact, plus, ZERO } from '../exact.ts'
import type { ExciseRate } from '../tariff/excise-rate.ts'
import type { Measure } from '../tariff/measure.ts'
import { type Consignment, roundedAmount } from './consignment.ts'
import type { CodeRange } from './duty/additional-code.ts'
import type { CodedItem, Goods, Lot } from './goods.ts'
import type { SchemeChoice } from './import-schemes/scheme-choice.ts'
import type { AmountThreshold, FittingThreshold, UnconvertibleThreshold } from './import-schemes/threshold.ts'

/** One duty, fee or tax on one commodity code. A line that cannot be calculated is 0 and not `computed`. */
export type TaxLine = ExactLine & {
  /** Rounded once. */
  readonly amountCents: number
}

/** A line before it is rounded. */
export type ExactLine = {
  readonly harmonizedCode: string
  readonly kind: TaxKind
  readonly name: string
  readonly computed: boolean
  /** Indexes of the content items it is for; an index may occur more than once. */
  readonly items: readonly number[]
  /** Unrounded, in euro. */
  readonly amount: Exact
  /** The amount that the rate is applied to: unrounded, in euro. */
  readonly base: Exact
  /** True if the seller collects the amount at the checkout. */
  readonly collectedAtCheckout: boolean
  readonly calculation: Calculation
}

/** How the amount of a line was found, or why there is none. */
export type Calculation =
  | Charged
  | NotCharged
  | { readonly kind: 'joined'; readonly first: ExactLine; readonly second: ExactLine }

/** An amount that a rule charges, with the facts that the texts of the line need. */
export type Charged<Rule extends keyof ChargeFacts = keyof ChargeFacts> = {
  readonly [Each in Rule]: {
    readonly kind: 'charged'
    readonly rule: Each
    readonly facts: ChargeFacts[Each]
  }
}[Rule]

/** No amount, with the facts that the texts of the line need. */
export type NotCharged<Reason extends keyof ReasonFacts = keyof ReasonFacts> = {
  readonly [Each in Reason]: {
    readonly kind: 'notCharged'
    readonly reason: Each
    readonly facts: ReasonFacts[Each]
  }
}[Reason]

export type ChargeFacts = {
  readonly measure: MeasureFacts
  /** A low-value rule that replaces the tariff. */
  readonly threshold: {
    readonly goods: Goods
    readonly lots: readonly Lot[]
    readonly threshold: FittingThreshold
    /** The number of tariff items, for a rule per item. */
    readonly itemCount: number
  }
  readonly fee: { readonly row: FeeRow; readonly rate: ExchangeRate }
  readonly tax: {
    readonly tax: Tax
    readonly rate: TaxRate
    readonly taxed: TaxedGoods
    readonly excise: ExciseSum
    /** A rule on the tax: only the value above its limit is taxed. */
    readonly threshold: FittingThreshold | undefined
  }
  readonly excise: ExciseFacts & { readonly missing: string }
}

/** A new reason needs one record in the file of `explain` that has the texts of its group. */
export type ReasonFacts = DutyReasons & FeeReasons & TaxReasons & ExciseReasons & ConsignmentReasons

/** A measure of the tariff, and the lot that it is charged on. */
export type MeasureOfLot = { readonly goods: Goods; readonly lot: Lot; readonly measure: Measure }

/** `missing` names the part that cannot be calculated; empty if there is none. */
export type MeasureFacts = MeasureOfLot & { readonly missing: string }

export type DutyReasons = {
  /** The part of a measure that cannot be calculated. */
  readonly missingPart: MeasureFacts
  /** The average duty on a group of goods, which the caller does not count. `amount` is what it would be, in euro. */
  readonly uncounted: MeasureOfLot & { readonly amount: Exact }
  /** The tariff has no measure for the code, or no tariff is loaded. */
  readonly noMeasure: { readonly goods: Goods; readonly lot: Lot }
  /** A duty that depends on an additional code that the item does not name. */
  readonly codeRange: { readonly lot: Lot; readonly range: CodeRange }
  /** Goods under this scheme are free of duty. */
  readonly schemeRelief: { readonly scheme: SchemeChoice }
  /** Trade defence measures of one kind, at least one, that may concern the goods. Their rates are not loaded. */
  readonly tradeDefence: { readonly lot: Lot; readonly rows: readonly TradeDefenceRow[] }
}

/** Reasons for lines of any kind. */
export type ConsignmentReasons = {
  /** Low-value rules that cannot be applied, because their currency has no exchange rate. */
  readonly unconvertible: { readonly rules: readonly UnconvertibleThreshold[] }
  /** All lines together are too little for the authority to levy. `line` is what would be due. */
  readonly notLevied: { readonly line: ExactLine; readonly threshold: AmountThreshold }
}

export type FeeReasons = {
  /** The data set has no amount. */
  readonly feeNotEstimated: { readonly row: FeeRow }
  /** The currency of the fee has no exchange rate, so it may not be due. */
  readonly feeUnconvertible: { readonly row: FeeRow }
  readonly feePreference: { readonly row: FeeRow }
  readonly feeExemptOrigin: { readonly row: FeeRow }
  readonly feeBelowMinimum: { readonly row: FeeRow }
  /** The data set does not confirm that the fee is in force. */
  readonly feeUnverified: { readonly row: FeeRow }
  /** The carrier owes the fee. */
  readonly feeByCarrier: { readonly row: FeeRow }
  /** Other goods of the same item bear the fee. */
  readonly feeOnOtherGoods: { readonly row: FeeRow }
}

export type TaxReasons = {
  /** The destination levies no such tax. */
  readonly noTax: { readonly tax: TaxRow }
  /** A low-value rule on duty replaces the tax. */
  readonly taxReplaced: { readonly threshold: FittingThreshold }
  /** A low-value rule on the tax. */
  readonly taxRelief: { readonly threshold: FittingThreshold }
  /** The data set has no rates for the tax. */
  readonly taxNotEstimated: { readonly tax: TaxRow }
  /** No rate is in force for this code on this day. */
  readonly noTaxRate: { readonly tax: TaxRow }
  /** No tax of the destination is loaded. */
  readonly noTaxData: Readonly<Record<string, never>>
}

export type ExciseReasons = {
  /** The request lacks a quantity, or the rate has a part that no request contains. */
  readonly excisePart: ExciseFacts & { readonly missing: string }
  /** The rate depends on the alcoholic strength, which the request does not contain. `rate` is one of `bands`. */
  readonly exciseStrength: ExciseFacts & { readonly bands: readonly ExciseRate[] }
  /** Only a minimum rate is loaded. `least` is what is due at least, in euro. */
  readonly exciseBound: ExciseFacts & { readonly tax: TaxRow; readonly least: Exact | undefined }
  /** Only minimum rates are loaded, and they depend on the strength. */
  readonly exciseBoundStrength: ExciseFacts & { readonly tax: TaxRow }
}

/** An excise duty. `missing` beside it names the part that cannot be calculated; empty if there is none. */
export type ExciseFacts = { readonly rate: ExciseRate; readonly items: readonly CodedItem[] }

/** The excise duties on goods, in euro. */
export type ExciseSum = { readonly amount: Exact; readonly isComplete: boolean }

/** The duty on goods of one code. */
export type Duty = {
  readonly lines: readonly ExactLine[]
  /** Unrounded, in euro. */
  readonly amount: Exact
  /** False if a part of it could not be calculated. */
  readonly isComplete: boolean
  /** A low-value rule that replaces the taxes too. */
  readonly replacesTaxes: FittingThreshold | undefined
  /** True if every lot claims a preference. */
  readonly isPreferential: boolean
}

/** Goods with the duty and fees that taxes are charged on. Amounts are unrounded, in euro. */
export type TaxedGoods = {
  readonly goods: Goods
  readonly duty: Duty
  /** The scheme under which the seller collects value added tax. Undefined if none covers the goods. */
  readonly scheme: SchemeChoice | undefined
  /** The fees that are in the base of taxes. */
  readonly fees: Exact
  /** False if a fee that belongs to the base of taxes could not be calculated. */
  readonly areFeesComplete: boolean
  /** False if the goods stay inside one customs area. */
  readonly isImported: boolean
}

/** What a line is for. */
export type LineHead = Pick<ExactLine, 'harmonizedCode' | 'kind' | 'name' | 'items' | 'base'>

/** `amount` is in euro. */
export function chargedLine(head: LineHead, amount: Exact, calculation: Charged): ExactLine {
  return lineOf(head, true, amount, calculation)
}

/** A line at zero, because nothing is due. */
export function nothingDueLine(head: LineHead, calculation: NotCharged): ExactLine {
  return lineOf(head, true, ZERO, calculation)
}

/** A line at zero, because the amount is not known. */
export function notEstimatedLine(head: LineHead, calculation: NotCharged): ExactLine {
  return lineOf(head, false, ZERO, calculation)
}

/** Names every field: with spread copies, an estimate takes three times as long. */
function lineOf(
  { harmonizedCode, kind, name, items, base }: LineHead,
  computed: boolean,
  amount: Exact,
  calculation: Calculation,
): ExactLine {
  const collectedAtCheckout = false
  return { harmonizedCode, kind, name, computed, items, amount, base, collectedAtCheckout, calculation }
}

/** The same line, which the seller collects at the checkout. */
export function atCheckout(line: ExactLine): ExactLine {
  return { ...line, collectedAtCheckout: true }
}

/** The name of a line whose amount is not known. */
export function notEstimated(name: string): string {
  return `${name} (not estimated)`
}

/** Sets a line to zero, because the total of the consignment is too small to be levied. */
export function notLevied(line: ExactLine, threshold: AmountThreshold): ExactLine {
  const facts = { line, threshold }
  return lineOf(line, line.computed, ZERO, { kind: 'notCharged', reason: 'notLevied', facts })
}

/** Rounds to the jurisdiction's unit first if it has one, then to cents. */
export function roundLine(consignment: Consignment, line: ExactLine): TaxLine {
  const { harmonizedCode, kind, name, computed, items, amount, base, collectedAtCheckout, calculation } = line
  const amountCents = centsOf(roundedAmount(consignment, amount))
  return {
    harmonizedCode,
    kind,
    name,
    amountCents,
    computed,
    items,
    amount,
    base,
    collectedAtCheckout,
    calculation,
  }
}

/** Joins the lines of one code that have the same name. A joined line has the position of its first part. */
export function joinByName(lines: readonly ExactLine[]): readonly ExactLine[] {
  if (!hasRepeatedName(lines)) return lines
  const joined: ExactLine[] = []
  for (const line of lines) {
    const index = joined.findIndex(({ name }) => name === line.name)
    const earlier = joined[index]
    if (earlier === undefined) joined.push(line)
    else joined[index] = join(earlier, line)
  }
  return joined
}

function join(first: ExactLine, second: ExactLine): ExactLine {
  return {
    ...first,
    computed: first.computed && second.computed,
    items: [...first.items, ...second.items],
    amount: plus(first.amount, second.amount),
    base: plus(first.base, second.base),
    calculation: { kind: 'joined', first, second },
  }
}

function hasRepeatedName(lines: readonly ExactLine[]): boolean {
  for (let index = 1; index < lines.length; index++)
    for (let before = 0; before < index; before++) if (lines[before]?.name === lines[index]?.name) return true
  return false
}
