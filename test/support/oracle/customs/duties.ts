/**
 * Oracle for estimates, the duties of a consignment: low-value rules that replace the tariff, the tariff, and amounts
 * that are not levied. Rules: docs/customs-data.md#how-an-estimate-is-calculated; docs/customs-data.md#duties;
 * docs/decisions/customs.md#d202.
 */
import type { TaxKind } from '../../../../src/core/customs/data/row-types/taxes.ts'
import type { ThresholdRow } from '../../../../src/core/customs/data/row-types/thresholds.ts'
import type { Consignment, Goods } from './case.ts'
import { type Fraction, sum, ZERO } from './fraction.ts'
import { baseDutyName, claimable, type Duty, type OracleBasis, tariffDuties } from './measures.ts'
import { sellerSchemeOf } from './seller-scheme.ts'
import { isNotLevied, isRuleLeftOut, thresholdCharge, valueThreshold } from './threshold.ts'

/** A line before it is joined with others of its code and name, and rounded. Euro. */
export type UnroundedLine = {
  readonly harmonizedCode: string
  readonly kind: TaxKind
  readonly name: string
  readonly amount: Fraction
  readonly base: Fraction
  readonly computed: boolean
  /** Of duties. */
  readonly basis?: OracleBasis
  /** What is due at least, of a line without an amount. */
  readonly least?: Fraction
  /** True if the seller collects it. */
  readonly atCheckout?: boolean
}

export type GoodsDuties = {
  readonly goods: Goods
  /** The rule that replaces the tariff. */
  readonly threshold: ThresholdRow | undefined
  readonly claimsPreference: boolean
  readonly lines: readonly UnroundedLine[]
  /** Unrounded; in the base of taxes. */
  readonly total: Fraction
}

/** None if the goods stay inside the customs area. */
export function dutiesOf(consignment: Consignment): readonly GoodsDuties[] {
  if (consignment.movement !== 'import')
    return consignment.goods.map((goods) => goodsDuties(goods, undefined, false, []))
  const isFree = ({ code }: Goods): boolean => sellerSchemeOf(consignment, code)?.freesFromDuty === true
  const ruling = new Map(
    consignment.goods.map((goods) => [goods, isFree(goods) ? undefined : thresholdFor(consignment, goods)]),
  )
  const duties = consignment.goods.map((goods) => {
    if (isFree(goods)) {
      const none = line(goods, baseDutyName(consignment), ZERO, goods.customsValue)
      return goodsDuties(goods, undefined, false, [none])
    }
    const threshold = ruling.get(goods)
    if (threshold !== undefined) {
      const ruled = consignment.goods.filter((one) => ruling.get(one) === threshold)
      const isRelief = threshold.kind === 'relief_up_to'
      const name = isRelief ? baseDutyName(consignment) : 'Flat-rate customs duty'
      const charge = thresholdCharge(consignment, threshold, goods, ruled)
      const charged = line(goods, name, charge.amount, charge.base)
      const kind = threshold.replacesTaxes && !isRelief ? 'COMBINED' : 'DUTY'
      return goodsDuties(goods, threshold, false, [{ ...charged, kind }])
    }
    const charged = tariffDuties(consignment, goods)
    const claimsPreference = charged.some(({ role }) => role === 'preference')
    return goodsDuties(
      goods,
      undefined,
      claimsPreference,
      charged.flatMap((duty) => linesOf(goods, duty)),
    )
  })
  const isWaived = isNotLevied(consignment, 'duty', sum(duties.map(({ total }) => total)))
  const levied = isWaived ? duties.map(withoutDuty) : duties
  return levied.map((one, index) =>
    !isFree(one.goods) && levied.findLastIndex(({ goods }) => goods.code === one.goods.code) === index
      ? { ...one, lines: [...one.lines, ...rulesLeftOut(consignment, one, duties)] }
      : one,
  )
}

/** The line of the rules that could not be applied to all goods of a code. */
function rulesLeftOut(
  consignment: Consignment,
  { goods }: GoodsDuties,
  duties: readonly GoodsDuties[],
): readonly UnroundedLine[] {
  const same = duties.filter((one) => one.goods.code === goods.code)
  const charged = sum(same.map(({ total }) => total))
  const isPreferential = same.every(({ claimsPreference }) => claimsPreference)
  if (!isRuleLeftOut(consignment, 'duty', goods, charged, isPreferential)) return []
  const value = sum(same.map((one) => one.goods.customsValue))
  return [line(goods, DUTY_RULE_LEFT_OUT, ZERO, value, 'NOT_LOADED', false)]
}

const DUTY_RULE_LEFT_OUT = 'Low-value rule on duty (not estimated)'

function thresholdFor(consignment: Consignment, goods: Goods): ThresholdRow | undefined {
  const row = valueThreshold(consignment, 'duty', goods)
  const yields = row?.yieldsToPreference === true && claimable(consignment, goods).length > 0
  return yields ? undefined : row
}

function goodsDuties(
  goods: Goods,
  threshold: ThresholdRow | undefined,
  claimsPreference: boolean,
  lines: readonly UnroundedLine[],
): GoodsDuties {
  return { goods, threshold, claimsPreference, lines, total: sum(lines.map(({ amount }) => amount)) }
}

function line(
  goods: Goods,
  name: string,
  amount: Fraction,
  base: Fraction,
  basis: OracleBasis = 'NATIONAL_LINE',
  computed: boolean = true,
): UnroundedLine {
  return { harmonizedCode: goods.code, kind: 'DUTY', name, amount, base, basis, computed }
}

function linesOf(goods: Goods, duty: Duty): readonly UnroundedLine[] {
  const { name, amount, base, basis, missingBasis, isOpen, isUncounted } = duty
  if (isUncounted) return [line(goods, `${name} (average, not counted)`, ZERO, base, basis, false)]
  if (amount === undefined) return [line(goods, `${name} (not estimated)`, ZERO, base, missingBasis, false)]
  const charged = line(goods, name, amount, base, basis)
  if (!isOpen) return [charged]
  return [charged, line(goods, `${name}, part not estimated`, ZERO, base, missingBasis, false)]
}

/** The same lines with an amount of zero. */
function withoutDuty({ goods, threshold, claimsPreference, lines }: GoodsDuties): GoodsDuties {
  const none = lines.map((one) => ({ ...one, amount: ZERO }))
  return goodsDuties(goods, threshold, claimsPreference, none)
}
