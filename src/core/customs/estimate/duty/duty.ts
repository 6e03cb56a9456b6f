/**
 * Import duty on goods of one code: the lines of the tariff (lot-duty.ts), or a low-value rule that replaces them.
 * See docs/customs-data.md#how-an-estimate-is-calculated.
 */
import { type Exact, plus, ZERO } from '../../exact.ts'
import { BASE_MEASURE_TYPE } from '../../tariff/tariff.ts'
import type { Consignment } from '../consignment.ts'
import { countTariffItems, type Goods, type Lot } from '../goods.ts'
import type { SchemeChoice } from '../import-schemes/scheme-choice.ts'
import { schemeFor } from '../import-schemes/seller-scheme.ts'
import {
  type CandidateThresholds,
  type FittingThreshold,
  thresholdAmount,
  thresholdFor,
} from '../import-schemes/threshold.ts'
import { unconvertibleLine, unconvertibleRules } from '../import-schemes/unconvertible-rule.ts'
import {
  type ChargeFacts,
  chargedLine,
  type Duty,
  type ExactLine,
  joinByName,
  type LineHead,
  notEstimated,
  notEstimatedLine,
  nothingDueLine,
} from '../tax-line.ts'
import { bestPreference, type DutyPart, lotDuty } from './lot-duty.ts'
import type { MeasureCharge } from './measure-amount.ts'
import { addTradeDefence } from './trade-defence.ts'

/** For goods that stay inside one customs area. */
export const NO_DUTY: Duty = {
  lines: [],
  amount: ZERO,
  isComplete: true,
  replacesTaxes: undefined,
  isPreferential: false,
}

/** The duties on goods that enter the customs area. `fitting`: the low-value rules from `fittingThresholds`. */
export function dutiesOfGoods(
  consignment: Consignment,
  goods: readonly Goods[],
  fitting: CandidateThresholds,
): readonly Duty[] {
  if (consignment.sellerScheme?.scheme.row.freesFromDuty !== true)
    return dutiesOfOthers(consignment, goods, fitting)
  const schemes = goods.map((part) => schemeFor(consignment, part))
  const others = goods.filter((_, index) => schemes[index] === undefined)
  const duties = dutiesOfOthers(consignment, others, fitting)
  return goods.map((part, index) => {
    const scheme = schemes[index]
    return scheme === undefined ? duties[others.indexOf(part)]! : freeDuty(consignment, part, scheme)
  })
}

function freeDuty(consignment: Consignment, goods: Goods, scheme: SchemeChoice): Duty {
  const { harmonizedCode, items, customsValue } = goods
  const head: LineHead = {
    harmonizedCode,
    kind: 'DUTY',
    name: baseDutyName(consignment),
    items,
    base: customsValue,
  }
  const facts = { scheme }
  return dutyOf(
    [nothingDueLine(head, { kind: 'notCharged', reason: 'schemeRelief', facts })],
    false,
    undefined,
  )
}

/** The duties on goods that no scheme frees from duty. */
function dutiesOfOthers(
  consignment: Consignment,
  goods: readonly Goods[],
  fitting: CandidateThresholds,
): readonly Duty[] {
  if (fitting.length === 0) return goods.map((part) => tariffDuties(consignment, part))
  const ruled = goods.map((part) => ruledLots(consignment, part, fitting))
  return goods.map((part, index) => {
    const duty = joinDuties(dutiesByRule(consignment, part, ruled, index))
    return withUnconvertible(part, fitting, duty)
  })
}

function tariffDuties(consignment: Consignment, goods: Goods): Duty {
  const { lots } = goods
  if (lots.length === 1) return tariffDuty(consignment, goods, lots[0]!)
  return joinDuties(lots.map((lot) => tariffDuty(consignment, goods, lot)))
}

/** Adds the line of the rules that could not be applied. */
function withUnconvertible(goods: Goods, fitting: CandidateThresholds, duty: Duty): Duty {
  const left = unconvertibleRules(fitting, goods.harmonizedCode, duty.amount).filter(
    ({ threshold: { row } }) => !row.yieldsToPreference || !duty.isPreferential,
  )
  if (left.length === 0) return duty
  return { ...duty, lines: [...duty.lines, unconvertibleLine(goods, 'DUTY', left)] }
}

/** The lots of one code that a low-value rule covers; none if no rule applies. */
type RuledLots = Pick<Goods, 'harmonizedCode' | 'lots'> & { readonly threshold: FittingThreshold | undefined }

function ruledLots(
  consignment: Consignment,
  { harmonizedCode, lots }: Goods,
  fitting: CandidateThresholds,
): RuledLots {
  const threshold = thresholdFor(fitting, harmonizedCode)
  if (threshold === undefined) return { harmonizedCode, lots: [], threshold }
  const covered = threshold.threshold.row.yieldsToPreference
    ? lots.filter((lot) => bestPreference(consignment, lot) === undefined)
    : lots
  return { harmonizedCode, lots: covered, threshold }
}

/** The duties on lots, or on lots together that a low-value rule covers. */
function dutiesByRule(
  consignment: Consignment,
  goods: Goods,
  ruled: readonly RuledLots[],
  index: number,
): readonly Duty[] {
  const { lots: covered, threshold } = ruled[index]!
  if (threshold === undefined) return goods.lots.map((lot) => tariffDuty(consignment, goods, lot))
  const duties: Duty[] = []
  for (const lot of goods.lots)
    if (!covered.includes(lot)) duties.push(tariffDuty(consignment, goods, lot))
    else if (lot === covered[0]) {
      const itemCount = countRuledItems(ruled, index, threshold)
      duties.push(thresholdDuty(consignment, { goods, lots: covered, threshold, itemCount }))
    }
  return duties
}

/** The number of tariff items for a rule per item, among the goods that the rule covers. */
function countRuledItems(
  ruled: readonly RuledLots[],
  index: number,
  { threshold: { row } }: FittingThreshold,
): number {
  if (row.kind !== 'flat_per_item') return 0
  if (row.itemDigits === null || ruled.length === 1) return countTariffItems(ruled, index, null)
  const same = ruled.map((other) => (other.threshold?.threshold.row === row ? other : { ...other, lots: [] }))
  return countTariffItems(same, index, row.itemDigits)
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
  let amount = ZERO
  let isComplete = true
  for (const line of lines) {
    amount = plus(amount, line.amount)
    isComplete &&= line.computed
  }
  return { lines, amount, isComplete, replacesTaxes, isPreferential }
}

const FLAT_NAME = 'Flat-rate customs duty'

function thresholdDuty(consignment: Consignment, facts: ChargeFacts['threshold']): Duty {
  const { goods, lots, threshold, itemCount } = facts
  const { row } = threshold.threshold
  const { amount, base } = thresholdAmount(consignment, lots, threshold, itemCount)
  const head: LineHead = {
    harmonizedCode: goods.harmonizedCode,
    kind: row.replacesTaxes && row.kind !== 'relief_up_to' ? 'COMBINED' : 'DUTY',
    name: row.kind === 'relief_up_to' ? baseDutyName(consignment) : FLAT_NAME,
    items: itemsOf(goods, lots),
    base,
  }
  const line = chargedLine(head, amount, { kind: 'charged', rule: 'threshold', facts })
  return dutyOf([line], false, row.replacesTaxes ? threshold : undefined)
}

function baseDutyName({ tables }: Consignment): string {
  return tables.measureTypes.get(BASE_MEASURE_TYPE)?.name ?? 'Import duty'
}

function itemsOf(goods: Goods, lots: readonly Lot[]): readonly number[] {
  return lots.length === goods.lots.length
    ? goods.items
    : lots.flatMap(({ items }) => items.map(({ index }) => index))
}

/** The duty of the tariff on one lot. */
function tariffDuty(consignment: Consignment, goods: Goods, lot: Lot): Duty {
  const { parts, isPreferential } = lotDuty(consignment, lot)
  const lines: ExactLine[] = []
  for (const part of parts) addLines(lines, goods, lot, part)
  if (lot.facts.tradeDefence.length > 0) addTradeDefence(lines, goods, lot, headOf)
  return dutyOf(joinByName(lines), isPreferential, undefined)
}

function addLines(lines: ExactLine[], goods: Goods, lot: Lot, part: DutyPart): void {
  switch (part.kind) {
    case 'charge':
      addCharge(lines, goods, lot, part)
      return
    case 'uncounted': {
      const { measure, amount, base } = part.charge
      const head = headOf(goods, lot, `${measure.type.name} (average, not counted)`, base)
      const facts = { goods, lot, measure, amount }
      lines.push(notEstimatedLine(head, { kind: 'notCharged', reason: 'uncounted', facts }))
      return
    }
    case 'codeRange': {
      const { range } = part
      const head = headOf(goods, lot, notEstimated(range.type.name))
      const facts = { lot, range }
      lines.push(notEstimatedLine(head, { kind: 'notCharged', reason: 'codeRange', facts }))
      return
    }
    case 'noMeasure': {
      const head = headOf(goods, lot, notEstimated('Import duty'))
      const facts = { goods, lot }
      lines.push(notEstimatedLine(head, { kind: 'notCharged', reason: 'noMeasure', facts }))
    }
  }
}

/** The line of a measure, and a line for the part of it that cannot be calculated. */
function addCharge(lines: ExactLine[], goods: Goods, lot: Lot, charge: MeasureCharge): void {
  const { measure, amount, base, missing, hasAmount } = charge
  const { name } = measure
  const facts = { goods, lot, measure, missing }
  if (hasAmount) {
    const head = headOf(goods, lot, name, base)
    lines.push(chargedLine(head, amount, { kind: 'charged', rule: 'measure', facts }))
  }
  if (missing === '') return
  const head = headOf(goods, lot, hasAmount ? `${name}, part not estimated` : notEstimated(name))
  lines.push(notEstimatedLine(head, { kind: 'notCharged', reason: 'missingPart', facts }))
}

function headOf(goods: Goods, lot: Lot, name: string, base: Exact = lot.customsValue): LineHead {
  const items = goods.lots.length === 1 ? goods.items : lot.items.map(({ index }) => index)
  return { harmonizedCode: goods.harmonizedCode, kind: 'DUTY', name, items, base }
}
