/**
 * Import duty on goods of one code: the lines of the tariff (lot-duty.ts), or a low-value rule that replaces them.
 * See docs/customs-data.md#how-an-estimate-is-calculated.
 */
import { type Exact, sumOf, ZERO } from '../exact.ts'
import { BASE_MEASURE_TYPE } from '../tariff/tariff.ts'
import type { Consignment } from './consignment.ts'
import type { Goods, Lot } from './goods.ts'
import { bestPreference, type DutyPart, lotDuty } from './lot-duty.ts'
import type { MeasureCharge } from './measure-amount.ts'
import {
  chargedLine,
  type ExactLine,
  joinByName,
  type LineHead,
  notEstimated,
  notEstimatedLine,
} from './tax-line.ts'
import {
  type CandidateThresholds,
  type FittingThreshold,
  thresholdAmount,
  thresholdFor,
} from './threshold.ts'
import { unconvertibleLine, unconvertibleRules } from './unconvertible-rule.ts'

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

/** For goods that stay inside one customs area. */
export const NO_DUTY: Duty = {
  lines: [],
  amount: ZERO,
  isComplete: true,
  replacesTaxes: undefined,
  isPreferential: false,
}

/** The duty on goods that enter the customs area. `fitting`: the low-value rules from `fittingThresholds`. */
export function dutyOn(consignment: Consignment, goods: Goods, fitting: CandidateThresholds): Duty {
  const duties = dutiesByRule(consignment, goods, fitting)
  const duty = joinDuties(duties)
  if (fitting.length === 0) return duty
  const left = unconvertibleRules(fitting, goods.harmonizedCode, duty.amount).filter(
    ({ threshold: { row } }) => !row.yieldsToPreference || !duty.isPreferential,
  )
  if (left.length === 0) return duty
  return { ...duty, lines: [...duty.lines, unconvertibleLine(goods, 'DUTY', left)] }
}

/** The duties on lots, or on lots together that a low-value rule covers. */
function dutiesByRule(consignment: Consignment, goods: Goods, fitting: CandidateThresholds): readonly Duty[] {
  const { lots } = goods
  const threshold = thresholdFor(fitting, goods.harmonizedCode)
  if (threshold === undefined) return lots.map((lot) => tariffDuty(consignment, goods, lot))
  const covered = threshold.threshold.row.yieldsToPreference
    ? lots.filter((lot) => bestPreference(consignment, lot) === undefined)
    : lots
  const duties: Duty[] = []
  for (const lot of lots)
    if (!covered.includes(lot)) duties.push(tariffDuty(consignment, goods, lot))
    else if (lot === covered[0]) duties.push(thresholdDuty(consignment, goods, covered, threshold))
  return duties
}

function joinDuties(duties: readonly Duty[]): Duty {
  const [only] = duties
  if (duties.length === 1 && only !== undefined) return only
  const lines = duties.flatMap((duty) => duty.lines)
  return dutyOf(
    joinByName(lines),
    duties.every((duty) => duty.isPreferential),
    duties.find((duty) => duty.replacesTaxes !== undefined)?.replacesTaxes,
  )
}

function dutyOf(
  lines: readonly ExactLine[],
  isPreferential: boolean,
  replacesTaxes: FittingThreshold | undefined,
): Duty {
  return {
    lines,
    amount: sumOf(lines.map(({ amount }) => amount)),
    isComplete: lines.every(({ computed }) => computed),
    replacesTaxes,
    isPreferential,
  }
}

const FLAT_NAME = 'Flat-rate customs duty'

function thresholdDuty(
  consignment: Consignment,
  goods: Goods,
  lots: readonly Lot[],
  threshold: FittingThreshold,
): Duty {
  const { row } = threshold.threshold
  const { amount, base } = thresholdAmount(consignment, lots, threshold)
  const baseDutyName = consignment.tables.measureTypes.get(BASE_MEASURE_TYPE)?.name ?? 'Import duty'
  const head: LineHead = {
    harmonizedCode: goods.harmonizedCode,
    kind: 'DUTY',
    name: row.kind === 'relief_up_to' ? baseDutyName : FLAT_NAME,
    items: itemsOf(goods, lots),
    base,
  }
  const facts = { goods, lots, threshold }
  const line = chargedLine(head, amount, { kind: 'charged', rule: 'threshold', facts })
  return dutyOf([line], false, row.replacesTaxes ? threshold : undefined)
}

function itemsOf(goods: Goods, lots: readonly Lot[]): readonly number[] {
  return lots.length === goods.lots.length
    ? goods.items
    : lots.flatMap(({ items }) => items.map(({ index }) => index))
}

/** The duty of the tariff on one lot. */
function tariffDuty(consignment: Consignment, goods: Goods, lot: Lot): Duty {
  const { parts, isPreferential } = lotDuty(consignment, lot)
  const lines = parts.flatMap((part) => partLines(goods, lot, part))
  return dutyOf(joinByName(lines), isPreferential, undefined)
}

function partLines(goods: Goods, lot: Lot, part: DutyPart): readonly ExactLine[] {
  const { harmonizedCode } = goods
  const items = itemsOf(goods, [lot])
  const head = { harmonizedCode, kind: 'DUTY', items, base: lot.customsValue } as const
  switch (part.kind) {
    case 'charge':
      return chargeLines(head, { goods, lot, charge: part.charge })
    case 'uncounted': {
      const { measure, amount, base } = part.charge
      const name = `${measure.type.name} (average, not counted)`
      const facts = { goods, lot, measure, amount }
      return [notEstimatedLine({ ...head, name, base }, { kind: 'notCharged', reason: 'uncounted', facts })]
    }
    case 'codeRange': {
      const { range } = part
      const name = notEstimated(range.type.name)
      const facts = { lot, range }
      return [notEstimatedLine({ ...head, name }, { kind: 'notCharged', reason: 'codeRange', facts })]
    }
    case 'noMeasure': {
      const name = notEstimated('Import duty')
      const facts = { goods, lot }
      return [notEstimatedLine({ ...head, name }, { kind: 'notCharged', reason: 'noMeasure', facts })]
    }
  }
}

/** The line of a measure, and a line for the part of it that cannot be calculated. */
function chargeLines(
  head: Omit<LineHead, 'name'>,
  { goods, lot, charge }: { readonly goods: Goods; readonly lot: Lot; readonly charge: MeasureCharge },
): readonly ExactLine[] {
  const { measure, amount, base, missing, hasAmount } = charge
  const { name } = measure
  const facts = { goods, lot, measure, missing }
  const lines: ExactLine[] = []
  if (hasAmount)
    lines.push(chargedLine({ ...head, name, base }, amount, { kind: 'charged', rule: 'measure', facts }))
  if (missing !== '') {
    const part = { ...head, name: hasAmount ? `${name}, part not estimated` : notEstimated(name) }
    lines.push(notEstimatedLine(part, { kind: 'notCharged', reason: 'missingPart', facts }))
  }
  return lines
}
