/**
 * The texts of a line, written from its calculation: description, formula, rate and source. GraphQL returns all of
 * them on request, REST only the description. See docs/customs-data.md#explained-estimates.
 */
import { centsOf, type Exact, formatEuro, plus } from '../../exact.ts'
import type { ConditionalDuty } from '../../tariff/conditional-duty.ts'
import type { Consignment } from '../consignment.ts'
import { type DutyBasis, lessCertain } from '../duty/basis.ts'
import type { Calculation, Charged, ChargeFacts, ExactLine, NotCharged, ReasonFacts } from '../tax-line.ts'
import { type LineQuota, lineQuota } from './duty/additional-code.ts'
import { MEASURE } from './duty/duty.ts'
import { DUTY_REASONS } from './duty/duty-not-charged.ts'
import { EXCISE, EXCISE_REASONS } from './excise.ts'
import type { ChargeTexts, Explanation, OpenPoint, ReasonTexts } from './explanation.ts'
import { FEE, FEE_REASONS } from './fee.ts'
import { UNBOUNDED } from './open-point.ts'
import { TAX, TAX_REASONS } from './tax.ts'
import { type Ground, type LineSource, type RateRange, sentences } from './text.ts'
import { briefThreshold, describeNotLevied, THRESHOLD, thresholdSource, UNCONVERTIBLE } from './threshold.ts'

const CHARGES: { readonly [Rule in keyof ChargeFacts]: ChargeTexts<ChargeFacts[Rule]> } = {
  measure: MEASURE,
  threshold: THRESHOLD,
  fee: FEE,
  tax: TAX,
  excise: EXCISE,
}

const REASONS: ReasonTexts<ReasonFacts> = {
  ...DUTY_REASONS,
  ...FEE_REASONS,
  ...TAX_REASONS,
  ...EXCISE_REASONS,
  unconvertible: UNCONVERTIBLE,
  notLevied: {
    describe: (facts, { consignment }) =>
      describeNotLevied(consignment, facts, describeLine(consignment, facts.line)),
    reason: ({ threshold: { row } }) => briefThreshold(row),
    source: ({ line, threshold: { row } }, { consignment }) =>
      lineSource(consignment, line) ?? thresholdSource(row, row.reason),
    range: ({ line }) => lineRateRange(line),
    open: ({ line }, { consignment }) => lineOpenPoints(consignment, line),
    grounds: ({ line, threshold: { row, rate } }, { consignment }) => [
      ...lineGrounds(consignment, line),
      row,
      rate,
    ],
    basis: ({ line }) => basisOf(line),
    quotas: ({ line }) => quotasOn(line),
  },
}

type Question<Answer> = <Facts>(record: Explanation<Facts>, facts: Facts) => Answer

/** Puts a question to the record of a calculation. */
function ask<Answer>(calculation: Charged | NotCharged, question: Question<Answer>): Answer {
  return calculation.kind === 'charged' ? askRule(calculation, question) : askReason(calculation, question)
}

function askRule<Rule extends keyof ChargeFacts, Answer>(
  { rule, facts }: Charged<Rule>,
  question: Question<Answer>,
): Answer {
  return question(CHARGES[rule], facts)
}

function askReason<Reason extends keyof ReasonFacts, Answer>(
  { reason, facts }: NotCharged<Reason>,
  question: Question<Answer>,
): Answer {
  return question(REASONS[reason], facts)
}

export function describeLine(consignment: Consignment, line: ExactLine): string {
  const { calculation } = line
  if (calculation.kind === 'joined')
    return sentences(...partsOf(calculation).map((part) => describeLine(consignment, part)))
  return ask(calculation, (record, facts) => record.describe(facts, { consignment, line }))
}

/** "21% of EUR 100.00". Goods of several origins that share a line can have different reasons. */
export function lineReason(consignment: Consignment, line: ExactLine): string {
  const { calculation } = line
  if (calculation.kind !== 'joined')
    return ask(calculation, (record, facts) => record.reason(facts, { consignment, line }))
  const [first, second] = partsOf(calculation).map((part) => lineReason(consignment, part))
  return first === second ? (first ?? '') : 'goods of several origins, each at its own rate'
}

/** "6.5% × EUR 200.00 = EUR 13.00"; empty if nothing was calculated. */
export function lineFormula(consignment: Consignment, line: ExactLine): string {
  const product = productOf(consignment, line)
  if (product === '') return ''
  const { to, rounding } = consignment
  const rounded =
    rounding?.unit === undefined ? '' : `, in ${to.currency} to a multiple of ${to.roundingUnit}`
  return `${product} = ${formatEuro(line.amount)}${rounded}`
}

function productOf(consignment: Consignment, line: ExactLine): string {
  const { calculation } = line
  if (calculation.kind === 'joined')
    return partsOf(calculation)
      .map((part) => productOf(consignment, part))
      .filter((text) => text !== '')
      .join(' + ')
  return ask(calculation, (record, facts) => record.product?.(facts, { consignment, line }) ?? '')
}

export function lineRatePercent({ calculation }: ExactLine): string | undefined {
  if (calculation.kind !== 'joined') return ask(calculation, (record, facts) => record.ratePercent?.(facts))
  const rate = lineRatePercent(calculation.first)
  return rate === lineRatePercent(calculation.second) ? rate : undefined
}

export function lineSource(consignment: Consignment, line: ExactLine): LineSource | undefined {
  const { calculation } = line
  if (calculation.kind === 'joined') return lineSource(consignment, calculation.first)
  return ask(calculation, (record, facts) => record.source(facts, { consignment, line }))
}

/** The line of the first of the goods that share a line: the one that `lineSource` describes. */
export function firstPart(line: ExactLine): ExactLine {
  return line.calculation.kind === 'joined' ? firstPart(line.calculation.first) : line
}

/** Everything that the amount of a line rests on. */
export function lineGrounds(consignment: Consignment, line: ExactLine): readonly Ground[] {
  const { calculation } = line
  if (calculation.kind === 'joined')
    return partsOf(calculation).flatMap((part) => lineGrounds(consignment, part))
  const source = lineSource(consignment, line)
  const others = ask(calculation, (record, facts) => record.grounds?.(facts, { consignment, line })) ?? []
  return source === undefined ? others : [source, ...others]
}

/** What is due at least, in cents, for a line without an amount; undefined if that is not known. */
export function lineLeastCents({ calculation }: ExactLine): number | undefined {
  const least = leastAmount(calculation)
  return least && centsOf(least)
}

/** Of a joined line, the sum of the lower bounds that are known. */
function leastAmount(calculation: Calculation): Exact | undefined {
  if (calculation.kind !== 'joined') return ask(calculation, (record, facts) => record.least?.(facts))
  const [first, second] = partsOf(calculation).map((part) => leastAmount(part.calculation))
  return first === undefined || second === undefined ? (first ?? second) : plus(first, second)
}

/** What the request leaves open about a line. */
export function lineOpenPoints(consignment: Consignment, line: ExactLine): readonly OpenPoint[] {
  const { calculation, computed } = line
  if (calculation.kind === 'joined')
    return partsOf(calculation).flatMap((part) => lineOpenPoints(consignment, part))
  const usual = computed ? [] : UNBOUNDED
  return ask(calculation, (record, facts) => record.open?.(facts, { consignment, line })) ?? usual
}

export function lineRateRange({ calculation }: ExactLine): RateRange | undefined {
  if (calculation.kind !== 'joined') return ask(calculation, (record, facts) => record.range?.(facts))
  return widest(lineRateRange(calculation.first), lineRateRange(calculation.second))
}

function widest(first: RateRange | undefined, second: RateRange | undefined): RateRange | undefined {
  if (first === undefined || second === undefined) return first ?? second
  const percents = [first, second].flatMap(({ lowestPercent, highestPercent }) => [
    lowestPercent,
    highestPercent,
  ])
  const [lowestPercent = '', ...others] = percents.sort((a, b) => Number(a) - Number(b))
  return { lowestPercent, highestPercent: others.at(-1) ?? lowestPercent }
}

/** What the rate is applied to, in cents, rounded for display only. */
export function lineBaseCents({ base }: ExactLine): number {
  return centsOf(base)
}

/** The basis of a duty; undefined for a tax or a fee. A joined line has the less certain basis of its parts. */
export function dutyBasis(line: ExactLine): DutyBasis | undefined {
  return line.kind === 'DUTY' || line.kind === 'COMBINED' ? basisOf(line) : undefined
}

function basisOf({ calculation, computed }: ExactLine): DutyBasis {
  if (calculation.kind === 'joined')
    return lessCertain(basisOf(calculation.first), basisOf(calculation.second))
  const usual = computed ? 'NATIONAL_LINE' : 'NOT_LOADED'
  return ask(calculation, (record, facts) => record.basis?.(facts) ?? usual)
}

/** The quotas for the goods of a duty line. Empty for additional duties and for other lines. */
export function lineQuotas(line: ExactLine): readonly LineQuota[] {
  const quotas = quotasOn(line)
  const rows = quotas.map(({ row }) => row)
  return quotas.filter(({ row }, index) => rows.indexOf(row) === index).map(lineQuota)
}

/** A line that joins goods of several origins has the quotas for each of them. */
function quotasOn({ calculation }: ExactLine): readonly ConditionalDuty[] {
  if (calculation.kind === 'joined') return partsOf(calculation).flatMap(quotasOn)
  return ask(calculation, (record, facts) => record.quotas?.(facts) ?? [])
}

function partsOf({ first, second }: Extract<Calculation, { readonly kind: 'joined' }>): readonly ExactLine[] {
  return [first, second]
}
