/**
 * What a request leaves open about a line: facts that decide between a lower and a higher amount, and amounts without a
 * known upper bound. estimate-range.ts turns them into the range of the total.
 * See docs/customs-data.md#range-of-the-total.
 */
import { formatPercent } from '../../tariff/duty-text.ts'
import { isAverage, type Measure } from '../../tariff/measure.ts'
import type { Consignment } from '../consignment.ts'
import { quotasFor } from '../duty/additional-code.ts'
import { linesOfLot, preferencesFor } from '../duty/lot-duty.ts'
import { chargeOf } from '../duty/measure-amount.ts'
import { hasRatesByQuantity, ratesChosenFrom } from '../duty/rate-spread.ts'
import type { Lot } from '../goods.ts'
import { unverifiedRules } from '../import-schemes/threshold.ts'
import type { ChargeFacts, DutyReasons, FeeReasons, MeasureFacts, MeasureOfLot } from '../tax-line.ts'
import type { OpenPoint, Subject } from './explanation.ts'

/** For a line whose amount is not known at all. */
export const UNBOUNDED: readonly OpenPoint[] = [{ kind: 'unbounded' }]

export function openMeasure(facts: MeasureFacts, { consignment, line }: Subject): readonly OpenPoint[] {
  const { goods, lot, measure, missing } = facts
  const points: OpenPoint[] = [...spreadPoints(facts, line.name), ...linePoints(facts, consignment)]
  const decided = (decision: string): void => {
    points.push({ kind: 'range', lineName: line.name, decision })
  }
  if (hasRatesByQuantity(lot, measure)) {
    decided(`The exact goods decide: some lines under ${lot.entry?.knownPrefix} have a duty by quantity.`)
    points.push({ kind: 'unbounded' })
  }
  if (missing !== '' && measure.maximum !== undefined)
    decided(`The quantity decides, which is not given: the ${line.name} has a maximum.`)
  if (measure.type.role === 'additional') return points
  for (const { row } of quotasFor(lot))
    decided(`Whether the tariff quota ${row.orderNumber} is open decides about the ${line.name}.`)
  if (lot.origin !== '')
    for (const { row } of preferencesFor(consignment, lot))
      if (row.condition !== '')
        decided(`The rate under ${row.agreement} decides, which is not loaded: it may be free of duty.`)
  for (const { reason } of unverifiedRules(consignment, 'duty', goods.harmonizedCode, line.amount))
    decided(unverifiedRule(reason))
  return points
}

function spreadPoints({ lot, measure }: MeasureOfLot, lineName: string): OpenPoint[] {
  const rates = ratesChosenFrom(lot, measure)
  if (rates === undefined || rates.lowestPpm === rates.highestPpm) return []
  const range = `between ${formatPercent(rates.lowestPpm)} and ${formatPercent(rates.highestPpm)}`
  return [{ kind: 'range', lineName, decision: spreadDecision({ lot, measure }, range) }]
}

/** Duties beside the base duty that only some of the national lines of a code are subject to. */
function linePoints({ lot, goods }: MeasureOfLot, consignment: Consignment): readonly OpenPoint[] {
  const dutiesOf = ({ additional, preferences, conditional }: Lot['facts']): readonly Measure[] => [
    ...additional,
    ...preferences,
    ...conditional.filter(({ row }) => row.dependsOn !== 'quota').map(({ measure }) => measure),
  ]
  const [own, ...others] = linesOfLot(consignment, lot).map(({ facts }) => dutiesOf(facts))
  const lists = own === undefined ? others : [own, ...others]
  const differing = new Set(lists.flat().filter((duty) => !lists.every((list) => list.includes(duty))))
  return [...differing].flatMap((measure): OpenPoint[] => {
    const isKnown = chargeOf(consignment, measure, lot, lot.assessedValue).missing === ''
    if (!isKnown && measure.type.role === 'additional') return [{ kind: 'unbounded', lineName: measure.name }]
    const decision = `The national line decides: the ${measure.name} applies to some of the goods under ${goods.harmonizedCode}.`
    return [{ kind: 'range', lineName: measure.name, decision }]
  })
}

function spreadDecision(
  { lot: { entry }, measure }: Pick<MeasureOfLot, 'lot' | 'measure'>,
  range: string,
): string {
  const { row, type, name } = measure
  if (isAverage(measure)) return `The exact goods decide: the duties on ${row.goods} are ${range}.`
  if (type.role === 'additional') return `The ${name} decides: it is ${range} for this code.`
  const isPriceOpen = entry?.group !== undefined && entry.group.bands.length > entry.group.leftOutCount
  const facts = isPriceOpen ? 'The material and the price decide' : 'The material or the use decides'
  return `${facts}: the duty on ${entry?.knownPrefix ?? row.codePrefix} is ${range}.`
}

function unverifiedRule(reason: string): string {
  return `Whether a low-value rule is in force decides, which is not verified: ${reason}.`
}

export function openUncounted(facts: DutyReasons['uncounted']): readonly OpenPoint[] {
  const points = spreadPoints(facts, facts.measure.name)
  if (points.length > 0) return points
  const decision = `The average duty on ${facts.measure.row.goods} decides, which is not counted.`
  return [{ kind: 'range', lineName: facts.measure.name, decision }]
}

/** The range is known if every duty can be calculated. */
export function openCodeRange(
  { lot, range: { type, duties } }: DutyReasons['codeRange'],
  { consignment }: Subject,
): readonly OpenPoint[] {
  const isKnown = duties.every(
    ({ measure }) => chargeOf(consignment, measure, lot, lot.assessedValue).missing === '',
  )
  if (!isKnown) return UNBOUNDED
  const decision = `The additional code decides about the ${type.name}: there are ${duties.length} codes with different rates.`
  return duties.map(({ measure }) => ({ kind: 'range', lineName: measure.name, decision }))
}

export function openUnverifiedFee({ row }: FeeReasons['feeUnverified']): readonly OpenPoint[] {
  if (row.status !== 'levied') return UNBOUNDED
  const decision = `Whether the ${row.name} is in force decides, which is not verified.`
  return [{ kind: 'range', lineName: row.name, decision }]
}

export function openTax(
  { taxed: { goods } }: ChargeFacts['tax'],
  { consignment, line }: Subject,
): readonly OpenPoint[] {
  const rules = unverifiedRules(consignment, 'tax', goods.harmonizedCode, line.amount)
  return rules.map(({ reason }) => ({
    kind: 'range',
    lineName: line.name,
    decision: unverifiedRule(reason),
  }))
}
