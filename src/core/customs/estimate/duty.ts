/**
 * Import duty on goods of one code. A low-value rule replaces the tariff. Otherwise the base duty applies, or the
 * lowest preference that can be claimed, and then the additional duties in the order of their types.
 * See docs/customs-data.md#how-an-estimate-is-calculated and docs/decisions/customs.md#d54 to #d56.
 */
import { compare, type Exact, excess, plus, sumOf, times, ZERO } from '../exact.ts'
import { isAverage, isRateKnown, type Measure } from '../tariff/measure.ts'
import { BASE_MEASURE_TYPE, type TariffEntry } from '../tariff/tariff.ts'
import { additionalOn, type CodeRange, isCodeRange } from './additional-code.ts'
import { assessedValue, type Consignment, lineCents } from './consignment.ts'
import type { Goods, Lot } from './goods.ts'
import {
  exemptsFromOtherCharges,
  type MeasureAmount,
  measureAmount,
  preferencesFor,
  variantFor,
} from './measure-amount.ts'
import { joinByName, notEstimated, type TaxLine } from './tax-line.ts'
import {
  type CandidateThresholds,
  type FittingThreshold,
  thresholdAmount,
  thresholdFor,
} from './threshold.ts'
import { unconvertibleLine, unconvertibleRules } from './unconvertible-rule.ts'

/** The duty on goods of one code. */
export type Duty = {
  readonly lines: readonly TaxLine[]
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
  if (fitting.length === 0) return tariffDuty(consignment, goods)
  const duty = dutyByRules(consignment, goods, fitting)
  const left = unconvertibleRules(fitting, goods.harmonizedCode, duty.amount).filter(
    ({ threshold: { row } }) => !row.yieldsToPreference || !duty.isPreferential,
  )
  if (left.length === 0) return duty
  return { ...duty, lines: [...duty.lines, unconvertibleLine(goods, 'DUTY', left)] }
}

function dutyByRules(consignment: Consignment, goods: Goods, fitting: CandidateThresholds): Duty {
  const threshold = thresholdFor(fitting, goods.harmonizedCode)
  if (threshold === undefined) return tariffDuty(consignment, goods)
  const preferential = threshold.threshold.row.yieldsToPreference ? preferentialLots(consignment, goods) : []
  if (preferential.length === 0) return thresholdDuty(consignment, goods, goods.lots, threshold)
  const others = goods.lots.filter((lot) => !preferential.includes(lot))
  const duties: Duty[] = []
  for (const lot of goods.lots)
    if (preferential.includes(lot)) duties.push(tariffDutyOnLot(consignment, goods, lot))
    else if (lot === others[0]) duties.push(thresholdDuty(consignment, goods, others, threshold))
  return joinDuties(consignment, duties)
}

function tariffDuty(consignment: Consignment, goods: Goods): Duty {
  const [first] = goods.lots
  if (first !== undefined && goods.lots.length === 1) return tariffDutyOnLot(consignment, goods, first)
  return joinDuties(
    consignment,
    goods.lots.map((lot) => tariffDutyOnLot(consignment, goods, lot)),
  )
}

function joinDuties(consignment: Consignment, duties: readonly Duty[]): Duty {
  const [only] = duties
  if (duties.length === 1 && only !== undefined) return only
  return {
    lines: joinByName(
      consignment,
      duties.flatMap((duty) => duty.lines),
    ),
    amount: sumOf(duties.map((duty) => duty.amount)),
    isComplete: duties.every((duty) => duty.isComplete),
    replacesTaxes: duties.find((duty) => duty.replacesTaxes !== undefined)?.replacesTaxes,
    isPreferential: duties.every((duty) => duty.isPreferential),
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
  const line: TaxLine = {
    harmonizedCode: goods.harmonizedCode,
    kind: 'DUTY',
    name: row.kind === 'relief_up_to' ? baseDutyName : FLAT_NAME,
    amountCents: lineCents(consignment, amount),
    computed: true,
    items: lots === goods.lots ? goods.items : lots.flatMap((lot) => lot.items.map(({ index }) => index)),
    amount,
    base,
    calculation: { kind: 'threshold', goods, lots, threshold },
  }
  return {
    lines: [line],
    amount,
    isComplete: true,
    replacesTaxes: row.replacesTaxes ? threshold : undefined,
    isPreferential: false,
  }
}

function preferentialLots(consignment: Consignment, goods: Goods): readonly Lot[] {
  return goods.lots.filter((lot) => bestPreference(consignment, lot) !== undefined)
}

/** A measure with what it charges on a lot. */
type ChargedMeasure = { readonly measure: Measure; readonly result: MeasureAmount }

function tariffDutyOnLot(consignment: Consignment, goods: Goods, lot: Lot): Duty {
  const base = baseDuty(consignment, lot)
  const additional = additionalOn(lot, base?.measure)
  const { entry } = lot
  if (
    additional.length === 0 &&
    base?.result.missing === '' &&
    entry !== undefined &&
    base.measure === entry.measure &&
    isCounted(consignment, base.measure)
  ) {
    const lines = [measureLine(consignment, goods, lot, entry.name, base)]
    return {
      lines,
      amount: base.result.amount,
      isComplete: true,
      replacesTaxes: undefined,
      isPreferential: false,
    }
  }
  const sum: DutySum = { lines: [], amounts: [], total: ZERO, base: ZERO, isComplete: true }
  const isReplaced = additional.some((duty) => !isCodeRange(duty) && duty.row.kind === 'replace_base')
  if (!isReplaced) {
    const isKnown = base !== undefined && isCounted(consignment, base.measure)
    if (base === undefined) sum.lines.push(unknownDutyLine(goods, lot))
    else if (isKnown) addCharge(consignment, goods, lot, sum, base)
    else sum.lines.push(uncountedLine(goods, lot, base))
    sum.base = sum.total
    sum.isComplete &&= isKnown
  }
  for (const duty of additional) {
    if (isCodeRange(duty)) {
      sum.lines.push(codeRangeLine(goods, lot, duty))
      sum.isComplete = false
      continue
    }
    const measure = variantFor(consignment, duty, lot)
    addCharge(consignment, goods, lot, sum, additionalDuty(consignment, lot, sum, measure))
  }
  return {
    lines: joinByName(consignment, sum.lines),
    amount: sum.total,
    isComplete: sum.isComplete,
    replacesTaxes: undefined,
    isPreferential: !isReplaced && base?.measure.type.role === 'preference',
  }
}

/** The duties of a lot while they are added up. */
type DutySum = {
  readonly lines: TaxLine[]
  readonly amounts: { readonly measureType: string; readonly amount: Exact }[]
  total: Exact
  /** The base duty, or the preference that replaces it. */
  base: Exact
  isComplete: boolean
}

function addCharge(
  consignment: Consignment,
  goods: Goods,
  lot: Lot,
  sum: DutySum,
  charged: ChargedMeasure,
): void {
  const { measure, result } = charged
  if (result.hasAmount) {
    sum.lines.push(measureLine(consignment, goods, lot, measure.name, charged))
    sum.total = plus(sum.total, result.amount)
    sum.amounts.push({ measureType: measure.row.measureType, amount: result.amount })
  }
  if (result.missing === '') return
  sum.lines.push(missingPartLine(goods, lot, charged))
  sum.isComplete = false
}

function measureLine(
  consignment: Consignment,
  goods: Goods,
  lot: Lot,
  name: string,
  { measure, result }: ChargedMeasure,
): TaxLine {
  const { amount, base, missing } = result
  return {
    harmonizedCode: goods.harmonizedCode,
    kind: 'DUTY',
    name,
    amountCents: lineCents(consignment, amount),
    computed: true,
    items: itemsOf(goods, lot),
    amount,
    base,
    calculation: { kind: 'measure', goods, lot, measure, missing },
  }
}

function missingPartLine(goods: Goods, lot: Lot, { measure, result }: ChargedMeasure): TaxLine {
  const { missing, hasAmount } = result
  return {
    harmonizedCode: goods.harmonizedCode,
    kind: 'DUTY',
    name: hasAmount ? `${measure.name}, part not estimated` : notEstimated(measure.name),
    amountCents: 0,
    computed: false,
    items: itemsOf(goods, lot),
    amount: ZERO,
    base: lot.customsValue,
    calculation: { kind: 'missingPart', goods, lot, measure, missing },
  }
}

function isCounted({ countsAverages }: Consignment, measure: Measure): boolean {
  return countsAverages || !isAverage(measure)
}

/** An average that is not part of the estimate. Its amount is zero, so that the estimate is the sum of its lines. */
function uncountedLine(goods: Goods, lot: Lot, { measure, result }: ChargedMeasure): TaxLine {
  return {
    harmonizedCode: goods.harmonizedCode,
    kind: 'DUTY',
    name: `${measure.type.name} (average, not counted)`,
    amountCents: 0,
    computed: false,
    items: itemsOf(goods, lot),
    amount: ZERO,
    base: result.base,
    calculation: { kind: 'uncounted', goods, lot, measure, amount: result.amount },
  }
}

/** A duty whose additional code is not known. */
function codeRangeLine(goods: Goods, lot: Lot, range: CodeRange): TaxLine {
  return {
    harmonizedCode: goods.harmonizedCode,
    kind: 'DUTY',
    name: notEstimated(range.type.name),
    amountCents: 0,
    computed: false,
    items: itemsOf(goods, lot),
    amount: ZERO,
    base: lot.customsValue,
    calculation: { kind: 'codeRange', lot, range },
  }
}

function unknownDutyLine(goods: Goods, lot: Lot): TaxLine {
  return {
    harmonizedCode: goods.harmonizedCode,
    kind: 'DUTY',
    name: notEstimated('Import duty'),
    amountCents: 0,
    computed: false,
    items: itemsOf(goods, lot),
    amount: ZERO,
    base: lot.customsValue,
    calculation: { kind: 'noMeasure', goods, lot },
  }
}

function itemsOf(goods: Goods, lot: Lot): readonly number[] {
  return goods.lots.length === 1 ? goods.items : lot.items.map(({ index }) => index)
}

/** The amount that a measure adds to the duties before it. */
function additionalDuty(consignment: Consignment, lot: Lot, sum: DutySum, measure: Measure): ChargedMeasure {
  const { kind, basis, against } = measure.row
  const result = measureAmount(consignment, measure, lot, basis === 'duty' ? sum.total : lot.customsValue)
  switch (kind) {
    case 'additive':
    case 'replace_base':
      return { measure, result }
    case 'cap_total':
      return { measure, result: { ...result, amount: excess(result.amount, countedDuty(sum, against)) } }
    case 'floor_total':
      return { measure, result: { ...result, amount: excess(result.amount, sum.total) } }
  }
}

/** The duties of some types; without types, the base duty alone. */
function countedDuty(sum: DutySum, types: readonly string[]): Exact {
  if (types.length === 0) return sum.base
  return sumOf(
    sum.amounts.flatMap(({ measureType, amount }) => (types.includes(measureType) ? [amount] : [])),
  )
}

/** The base duty, or the preference that replaces it; undefined if neither is known. */
function baseDuty(consignment: Consignment, lot: Lot): ChargedMeasure | undefined {
  const { entry } = lot
  const base = entry && chargedEntry(consignment, entry, lot)
  const preference = bestPreference(consignment, lot)
  if (preference === undefined || base === undefined) return preference ?? base
  // The rate of an agreement is known for these goods, and the average is not.
  if (isAverage(base.measure)) return preference
  const difference = compare(preference.result.amount, base.result.amount)
  if (difference < 0 || base.result.missing !== '') return preference
  return difference === 0 && exemptsFromOtherCharges(consignment, lot, preference.measure) ? preference : base
}

function chargedEntry(consignment: Consignment, entry: TariffEntry, lot: Lot): ChargedMeasure {
  const measure = variantFor(consignment, entry.measure, lot)
  if (measure === entry.measure) return { measure, result: entryAmount(consignment, entry, lot) }
  return { measure, result: measureAmount(consignment, measure, lot, lot.customsValue) }
}

/** Fast path for the most frequent case, a plain share of the value. */
function entryAmount(consignment: Consignment, { measure, plainRate }: TariffEntry, lot: Lot): MeasureAmount {
  if (plainRate === undefined) return measureAmount(consignment, measure, lot, lot.customsValue)
  const base = assessedValue(consignment, lot.customsValue)
  return { amount: times(base, plainRate), base, missing: '', hasAmount: true }
}

/** The lowest preference for the origin of a lot. Only preferences that can be calculated in full are compared. */
function bestPreference(consignment: Consignment, lot: Lot): ChargedMeasure | undefined {
  let best: ChargedMeasure | undefined
  for (const published of preferencesFor(consignment, lot)) {
    const measure = variantFor(consignment, published, lot)
    if (!isRateKnown(measure)) continue
    const result = measureAmount(consignment, measure, lot, lot.customsValue)
    if (result.missing !== '') continue
    if (best === undefined || compare(result.amount, best.result.amount) < 0) best = { measure, result }
  }
  return best
}
