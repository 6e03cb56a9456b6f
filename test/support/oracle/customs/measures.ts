/**
 * Oracle for estimates, the duties of the tariff on goods of one code and origin: base duty or best preference, then
 * additional measures in the order of their types.
 * Rules: docs/decisions/customs.md#d179; docs/customs-data.md#duties and #seasons-prices-codes-and-quotas.
 */
import type {
  ConditionalDutyRow,
  MeasureRow,
  MeasureTypeRow,
} from '../../../../src/core/customs/data/row-types/measures.ts'
import { type Consignment, cutToUnit, type Goods } from './case.ts'
import { applyingRows, conditionalRows, holds, listedDigits, narrowest } from './code.ts'
import { compare, type Fraction, greater, minus, sum, ZERO } from './fraction.ts'
import { type RateAmount, rateAmount, rateInForce } from './rate.ts'

/** Amounts in euro. */
export type Duty = RateAmount & {
  readonly basis: OracleBasis
  /** Of the part that is not calculated: NOT_LOADED if the data do not have it. */
  readonly missingBasis: OracleBasis
  /** An average that the caller does not count. It is not part of other duties. */
  readonly isUncounted?: true
  readonly measureType: string
  readonly role: MeasureTypeRow['role']
  readonly name: string
  readonly base: Fraction
}

/** Where a rate comes from: docs/customs-data.md#basis-of-a-duty. */
export type OracleBasis = 'NATIONAL_LINE' | 'SUBHEADING' | 'GROUP_AVERAGE' | 'NOT_LOADED'

/** The row of an additional duty. 'unknownCode': it depends on an additional code that is not given. */
type AdditionalRow = MeasureRow | ConditionalDutyRow | 'unknownCode'

/** In the order in which they are charged. */
export function tariffDuties(consignment: Consignment, goods: Goods): readonly Duty[] {
  const { rows } = consignment
  let duties: Duty[] = [baseDuty(consignment, goods)]
  const types = rows.measureTypes.filter(({ role }) => role === 'additional')
  const found = new Map<string, AdditionalRow>()
  for (const { measureType } of types) {
    const row = additionalRow(consignment, goods, measureType)
    if (row !== undefined) found.set(measureType, row)
  }
  const applied: MeasureTypeRow[] = []
  for (const type of types)
    if (
      found.has(type.measureType) &&
      ![...duties, ...applied].some((one) => type.notWith.includes(one.measureType))
    )
      applied.push(type)
  // A replaced base duty is not charged and not part of the base of other duties.
  if (applied.some(({ measureType }) => kindOf(found.get(measureType)!) === 'replace_base')) duties = []
  for (const type of applied) {
    const row = found.get(type.measureType)!
    const duty = additionalDuty(consignment, goods, type, row, duties)
    duties.push(duty)
  }
  return duties
}

/**
 * The duty of a type on goods: the one with their additional code, otherwise the one without a code. If there are only
 * duties with codes, the code is not needed if all of them are equal.
 */
function additionalRow(
  consignment: Consignment,
  goods: Goods,
  measureType: string,
): AdditionalRow | undefined {
  const { rows, request, tariffArea, date } = consignment
  const origin = goods.origin ?? request.from.country
  const plain = narrowest(
    rows,
    applying(consignment, goods, origin, measureType),
    listedDigits(rows, goods.listedCode),
  )
  const coded = conditionalRows(rows, tariffArea, date, goods.listedCode, origin).filter(
    (row) => row.measureType === measureType && row.dependsOn === 'additional_code',
  )
  const named = narrowest(
    rows,
    coded.filter(({ additionalCode }) => additionalCode === goods.additionalCode),
  )
  if (named !== undefined) return named
  if (plain !== undefined || coded.length === 0) return plain
  const codes = [...new Set(coded.map(({ additionalCode }) => additionalCode))]
  const duties = codes.map(
    (code) =>
      narrowest(
        rows,
        coded.filter(({ additionalCode }) => additionalCode === code),
      )!,
  )
  const rate = ({ adValoremPpm, specific, minimum, maximum, text }: ConditionalDutyRow): string =>
    JSON.stringify([adValoremPpm, specific, minimum, maximum, text])
  return duties.every((duty) => rate(duty) === rate(duties[0]!)) ? duties[0] : 'unknownCode'
}

function kindOf(row: AdditionalRow): MeasureRow['kind'] {
  return row !== 'unknownCode' && 'kind' in row ? row.kind : 'additive'
}

/** `isUsual`: the rate is one of several. */
function basisOf(
  consignment: Consignment,
  goods: Goods,
  row: MeasureRow,
  isUsual: boolean,
): Pick<Duty, 'basis' | 'missingBasis'> {
  const isSubheading = row.level === 'subheading' || isUsual
  const basis = row.level === 'average' ? 'GROUP_AVERAGE' : isSubheading ? 'SUBHEADING' : 'NATIONAL_LINE'
  const isLoaded = rateInForce(consignment, goods, row).condition === ''
  return { basis, missingBasis: isLoaded ? basis : 'NOT_LOADED' }
}

/** Preferences for the given origin whose amount is known, the lowest first. */
export function claimable(consignment: Consignment, goods: Goods): readonly Duty[] {
  const { rows, request } = consignment
  if (goods.origin === undefined || request.preferences === false) return []
  const duties: Duty[] = []
  for (const type of rows.measureTypes.filter(({ role }) => role === 'preference')) {
    const fitting = applying(consignment, goods, goods.origin, type.measureType)
    for (const agreement of new Set(fitting.map((row) => row.agreement))) {
      const row = narrowest(
        rows,
        fitting.filter((one) => one.agreement === agreement),
        listedDigits(rows, goods.listedCode),
      )!
      const base = cutToUnit(consignment, goods.customsValue)
      const worked = rateAmount(consignment, goods, row, base)
      if (worked.isOpen) continue
      const name = agreement === '' ? type.name : `${type.name} (${agreement})`
      const basis = basisOf(consignment, goods, row, false)
      duties.push({ ...worked, base, ...basis, measureType: type.measureType, role: 'preference', name })
    }
  }
  return duties.sort((a, b) => compare(a.amount ?? ZERO, b.amount ?? ZERO))
}

/** The name of the base duty's line. */
export function baseDutyName({ rows }: Consignment): string {
  return rows.measureTypes.find(({ measureType }) => measureType === 'third_country_duty')!.name
}

/** Rows of a type that apply to the goods. */
function applying(
  { rows, tariffArea, date }: Consignment,
  { listedCode }: Goods,
  origin: string,
  measureType: string,
): readonly MeasureRow[] {
  return applyingRows(rows, tariffArea, date, listedCode, origin, measureType)
}

/** The base duty or a preference. If the base duty is not fully known, a fully known preference is charged instead. */
function baseDuty(consignment: Consignment, goods: Goods): Duty {
  const { rows } = consignment
  const { line } = goods
  const best = claimable(consignment, goods)[0]
  const base = cutToUnit(consignment, goods.customsValue)
  if (line === undefined) {
    const basis = { basis: 'NOT_LOADED', missingBasis: 'NOT_LOADED' } as const
    const unknown = {
      measureType: 'third_country_duty',
      role: 'base',
      name: 'Import duty',
      ...basis,
    } as const
    return best ?? { ...unknown, base: goods.customsValue, isOpen: true }
  }
  const worked = rateAmount(consignment, goods, line, base)
  const type = rows.measureTypes.find(({ measureType }) => measureType === line.measureType)!
  if (line.level === 'average') {
    const basis = basisOf(consignment, goods, line, false)
    const average = { base, ...basis, measureType: type.measureType, role: 'base' } as const
    if (best !== undefined) return best
    if (consignment.request.countAverages !== false)
      return { ...worked, ...average, name: `${type.name} (average)` }
    return { ...average, name: type.name, isOpen: true, isUncounted: true }
  }
  if (best !== undefined) {
    const difference = compare(best.amount ?? ZERO, worked.amount ?? ZERO)
    const isBetter = difference < 0 || (difference === 0 && sparesMore(consignment, goods, best.measureType))
    if (worked.isOpen || isBetter) return best
  }
  const basis = basisOf(consignment, goods, line, goods.isUsual)
  return { ...worked, base, ...basis, measureType: type.measureType, role: 'base', name: type.name }
}

/** True if claiming a preference also spares another duty or a fee. */
function sparesMore(consignment: Consignment, goods: Goods, measureType: string): boolean {
  const { rows, to, area, date } = consignment
  const isWaived = rows.fees.some(
    (row) =>
      row.enabled && row.waivedByPreference && holds(row, date) && [to.code, area].includes(row.jurisdiction),
  )
  return (
    isWaived ||
    rows.measureTypes.some(
      (type) =>
        type.role === 'additional' &&
        type.notWith.includes(measureType) &&
        additionalRow(consignment, goods, type.measureType) !== undefined,
    )
  )
}

function additionalDuty(
  consignment: Consignment,
  goods: Goods,
  { measureType, name }: MeasureTypeRow,
  row: AdditionalRow,
  before: readonly Duty[],
): Duty {
  if (row === 'unknownCode') {
    const base = goods.customsValue
    const basis = { basis: 'NATIONAL_LINE', missingBasis: 'NATIONAL_LINE' } as const
    return { base, ...basis, measureType, role: 'additional', name, isOpen: true }
  }
  if (!('kind' in row)) {
    const base = cutToUnit(consignment, goods.customsValue)
    const condition = row.text === '' ? '' : 'not_parsed'
    const worked = rateAmount(consignment, goods, { ...row, condition }, base)
    const missingBasis = condition === '' ? 'NATIONAL_LINE' : 'NOT_LOADED'
    return { ...worked, base, basis: 'NATIONAL_LINE', missingBasis, measureType, role: 'additional', name }
  }
  const total = (duties: readonly Duty[]): Fraction => sum(duties.map(({ amount }) => amount ?? ZERO))
  const base = cutToUnit(consignment, row.basis === 'duty' ? total(before) : goods.customsValue)
  const worked = rateAmount(consignment, goods, row, base)
  let counted: Fraction = ZERO
  if (row.kind === 'floor_total') counted = total(before)
  if (row.kind === 'cap_total')
    counted = total(
      before.filter((duty) =>
        row.against.length === 0 ? duty.role !== 'additional' : row.against.includes(duty.measureType),
      ),
    )
  const isTotal = row.kind === 'floor_total' || row.kind === 'cap_total'
  const amount =
    worked.amount !== undefined && isTotal ? greater(ZERO, minus(worked.amount, counted)) : worked.amount
  return {
    ...(amount !== undefined && { amount }),
    isOpen: worked.isOpen,
    base,
    ...basisOf(consignment, goods, row, row.lowestPpm !== row.highestPpm),
    measureType,
    role: 'additional',
    name,
  }
}
