/** A worked case half translated: what its words have said so far, before it becomes rows and a request. */

import type {
  FeeRow,
  MeasureKind,
  RoundingMode,
  ThresholdRow,
  Valuation,
} from '../../../src/core/customs/data/rows.ts'
import { compare, dividedBy, type Exact, exactOf } from '../../../src/core/customs/exact.ts'
import type { ItemQuantity } from '../../../src/core/customs/request.ts'
import { readQuantityUnit } from '../../../src/core/customs/tariff/quantity-unit.ts'
import { stepsOf } from './decimal.ts'
import { amountOf, type Ledger, refuse, type Said } from './said.ts'

/** A duty whose rate counts towards a cap: by its rate, or by its name. */
export type GivenRate = { readonly ppm?: number; readonly name?: string }

/** A duty of a case. */
export type DutyDraft = {
  readonly of: CaseDraft
  name?: string
  /** The key it stands under, where that is a name: "sws". */
  hint?: string
  role?: 'preference'
  kind: MeasureKind
  basis: 'value' | 'duty'
  ppm?: number
  /** Texts of duty-text.ts. */
  readonly specifics: string[]
  minimum?: string
  maximum?: string
  given?: readonly GivenRate[]
  /** Worked out and not compared: the case does not list it. */
  isHidden: boolean
}

/** A tax of a case. */
export type TaxDraft = {
  name?: string
  readonly hint: string
  ppm: number
  isInside: boolean
  includesFreight?: boolean
  upliftPpm: number
}

/** A fee of a case. */
export type FeeDraft = { name?: string; readonly hint: string; row: Partial<FeeRow> }

/** A low-value rule of a case. */
export type LimitDraft = {
  name?: string
  readonly hint?: string
  row: Partial<ThresholdRow> & Pick<ThresholdRow, 'kind' | 'appliesTo'>
}

/** Goods of one code. */
export type ItemDraft = {
  code?: string
  count: number
  /** Of one piece, or of all of them together. */
  price?: string
  value?: string
  origin?: string
  /** Rates of this code alone. */
  dutyPpm?: number
  taxPpm?: number
}

/** The goods' value as a case states it beside their price: a figure, or no more than a limit. */
export type IntrinsicValue = { readonly comparison: '=' | '<=' | '>'; readonly amount: string }

/** Everything a case has said. */
export type CaseDraft = {
  readonly ledger: Ledger
  /** Of goods, freight and insurance; absent: the currency of the case. */
  valueCurrency?: string
  goods?: string
  /** The customs value and the base of the tax, where the case states them beside what they are made of. */
  statedValue?: string
  taxedValue?: string
  intrinsic?: IntrinsicValue
  shippingCents?: number
  insuranceCents?: number
  valuation?: Valuation
  code?: string
  readonly items: ItemDraft[]
  readonly quantities: ItemQuantity[]
  readonly duties: DutyDraft[]
  claimsPreferences?: boolean
  readonly taxes: TaxDraft[]
  taxShare?: string
  includesFreight?: boolean
  upliftPpm?: number
  readonly fees: FeeDraft[]
  hasFeesInTaxBase?: boolean
  readonly limits: LimitDraft[]
  limitBasis?: ThresholdRow['valueBasis']
  roundingUnit?: string
  roundingMode?: RoundingMode
  valueUnit?: string
  recipient?: 'individual' | 'business'
}

/** An empty draft. */
export function openDraft(ledger: Ledger): CaseDraft {
  return { ledger, items: [], quantities: [], duties: [], taxes: [], fees: [], limits: [] }
}

/** A duty that nothing is said of yet. */
export function openDuty(of: CaseDraft, rest: Partial<DutyDraft> = {}): DutyDraft {
  return { of, kind: 'additive', basis: 'value', specifics: [], isHidden: false, ...rest }
}

/** An amount in whole cents; a finer one is refused, since a request has no room for it. */
export function centsOf(said: Said): number {
  const amount = amountOf(said)
  const cents = stepsOf(amount, 2)
  if (cents === undefined) refuse(said, `${amount} has more than two decimals, or too many digits`)
  return cents ?? 0
}

/**
 * Gives the goods a quantity. False when it is no figure of up to six decimals, or when the goods have another amount
 * of the same quantity already (2 tonnes and 100 kg), so that a rate would be counted by the wrong one.
 */
export function addQuantity(draft: CaseDraft, unit: string, figure: string): boolean {
  const amountMicros = stepsOf(figure, 6)
  if (amountMicros === undefined) return false
  const { quantity } = readQuantityUnit(unit)
  const same = draft.quantities.find((other) => readQuantityUnit(other.unit).quantity === quantity)
  if (same !== undefined) return compare(baseAmount(same), baseAmount({ unit, amountMicros })) === 0
  draft.quantities.push({ unit, amountMicros })
  return true
}

function baseAmount({ unit, amountMicros }: ItemQuantity): Exact {
  return dividedBy(exactOf(amountMicros, 6), readQuantityUnit(unit).per)
}

/** Units that no case counts in, one for each quantity the engine has no word of its own for. */
const STAND_INS = ['gross tonnage', 'cell', 'jewel', 'MWh', 'TJ', 'watt', 'barrel', 'pin']

/** A unit of which the goods have exactly `figure`; undefined when it is no figure, or there are too many of them. */
export function standInUnit(draft: CaseDraft, figure: string): string | undefined {
  return STAND_INS.find((unit) => addQuantity(draft, unit, figure))
}
