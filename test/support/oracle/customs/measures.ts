/**
 * Oracle for estimates, the duties of the tariff on goods of one code and origin: base duty or best preference, then
 * additional measures in the order of their types.
 * Rules: docs/decisions/customs.md#d54, D55 and D56.
 */
import type { MeasureRow, MeasureTypeRow } from '../../../../src/core/customs/data/tables/measures.ts'
import { type Consignment, cutToUnit, type Goods } from './case.ts'
import { applyingRows, holds, listedDigits, narrowest } from './code.ts'
import { compare, type Fraction, greater, minus, sum, ZERO } from './fraction.ts'
import { type RateAmount, rateAmount } from './rate.ts'

/** Amounts in euro. */
export type Duty = RateAmount & {
  readonly measureType: string
  readonly role: MeasureTypeRow['role']
  readonly name: string
  readonly base: Fraction
}

/** In the order in which they are charged. */
export function tariffDuties(consignment: Consignment, goods: Goods): readonly Duty[] {
  const { rows, request } = consignment
  const origin = goods.origin ?? request.from.country
  let duties: Duty[] = [baseDuty(consignment, goods)]
  const types = rows.measureTypes.filter(({ role }) => role === 'additional')
  const found = new Map<string, MeasureRow>()
  for (const { measureType } of types) {
    const row = narrowest(
      rows,
      applying(consignment, goods, origin, measureType),
      listedDigits(rows, goods.listedCode),
    )
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
  if (applied.some(({ measureType }) => found.get(measureType)!.kind === 'replace_base')) duties = []
  for (const type of applied) {
    const row = found.get(type.measureType)!
    const duty = additionalDuty(consignment, goods, type, row, duties)
    duties.push(duty)
  }
  return duties
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
      duties.push({ ...worked, base, measureType: type.measureType, role: 'preference', name })
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
    const unknown = { measureType: 'third_country_duty', role: 'base', name: 'Import duty' } as const
    return best ?? { ...unknown, base: goods.customsValue, isOpen: true }
  }
  const worked = rateAmount(consignment, goods, line, base)
  if (best !== undefined) {
    const difference = compare(best.amount ?? ZERO, worked.amount ?? ZERO)
    const isBetter = difference < 0 || (difference === 0 && sparesMore(consignment, goods, best.measureType))
    if (worked.isOpen || isBetter) return best
  }
  const type = rows.measureTypes.find(({ measureType }) => measureType === line.measureType)!
  return { ...worked, base, measureType: type.measureType, role: 'base', name: type.name }
}

/** True if claiming a preference also spares another duty or a fee. */
function sparesMore(consignment: Consignment, goods: Goods, measureType: string): boolean {
  const { rows, to, area, date, request } = consignment
  const isWaived = rows.fees.some(
    (row) =>
      row.enabled && row.waivedByPreference && holds(row, date) && [to.code, area].includes(row.jurisdiction),
  )
  const origin = goods.origin ?? request.from.country
  return (
    isWaived ||
    rows.measureTypes.some(
      (type) =>
        type.role === 'additional' &&
        type.notWith.includes(measureType) &&
        applying(consignment, goods, origin, type.measureType).length > 0,
    )
  )
}

function additionalDuty(
  consignment: Consignment,
  goods: Goods,
  { measureType, name }: MeasureTypeRow,
  row: MeasureRow,
  before: readonly Duty[],
): Duty {
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
    measureType,
    role: 'additional',
    name,
  }
}
