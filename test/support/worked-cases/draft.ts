/** A worked case while its inputs are applied, before it becomes customs rows and a request. */

import type { FeeRow } from '../../../src/core/customs/data/tables/fees.ts'
import type { MeasureKind } from '../../../src/core/customs/data/tables/measures.ts'
import type { RoundingMode, Valuation } from '../../../src/core/customs/data/tables/places.ts'
import type { ThresholdRow } from '../../../src/core/customs/data/tables/thresholds.ts'
import { compare, dividedBy, type Exact, exactOf } from '../../../src/core/customs/exact.ts'
import type { ItemQuantity } from '../../../src/core/customs/request.ts'
import { readQuantityUnit } from '../../../src/core/customs/tariff/quantity-unit.ts'
import { amountOf, type Entry, type Ledger, reject, stepsOf } from './entry.ts'

/** A duty that counts towards a cap, given by rate or by name. */
export type GivenRate = { readonly ppm?: number; readonly name?: string }

export type DutyDraft = {
  readonly draft: CaseDraft
  name?: string
  /** The input key, if it is a name of the duty, such as "sws". */
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
  /** Computed but not compared, because the case does not list it. */
  isHidden: boolean
}

export type TaxDraft = {
  name?: string
  readonly hint: string
  ppm: number
  isInside: boolean
  includesFreight?: boolean
  upliftPpm: number
}

export type FeeDraft = { name?: string; readonly hint: string; row: Partial<FeeRow> }

export type LimitDraft = {
  name?: string
  readonly hint?: string
  row: Partial<ThresholdRow> & Pick<ThresholdRow, 'kind' | 'appliesTo'>
}

export type ItemDraft = {
  code?: string
  count: number
  /** `price` is for one piece, `value` for all pieces. */
  price?: string
  value?: string
  origin?: string
  /** Rates that apply to this code only. */
  dutyPpm?: number
  taxPpm?: number
}

/** The value of the goods, if the case states it separately: a figure or a limit. */
export type IntrinsicValue = { readonly comparison: '=' | '<=' | '>'; readonly amount: string }

export type CaseDraft = {
  readonly ledger: Ledger
  /** Currency of goods, freight and insurance. Default: the currency of the case. */
  valueCurrency?: string
  goods?: string
  /** Customs value and tax base, if the case states them in addition to their parts. */
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

export function openDraft(ledger: Ledger): CaseDraft {
  return { ledger, items: [], quantities: [], duties: [], taxes: [], fees: [], limits: [] }
}

export function openDuty(draft: CaseDraft, rest: Partial<DutyDraft> = {}): DutyDraft {
  return { draft, kind: 'additive', basis: 'value', specifics: [], isHidden: false, ...rest }
}

/** An amount in cents. Rejects more than two decimals, which a request cannot hold. */
export function centsOf(entry: Entry): number {
  const amount = amountOf(entry)
  const cents = stepsOf(amount, 2)
  if (cents === undefined) reject(entry, `${amount} has more than two decimals, or too many digits`)
  return cents ?? 0
}

/**
 * Adds a quantity of the goods. Returns false if the figure has more than six decimals, or if the goods already have a
 * different amount of the same quantity (2 tonnes and 100 kg).
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

/** Units that no case uses. They replace units that the engine does not support. */
const STAND_INS = ['gross tonnage', 'cell', 'jewel', 'MWh', 'TJ', 'watt', 'barrel', 'pin']

/** Adds `figure` of an unused unit and returns the unit. Undefined if the figure is not usable or all units are taken. */
export function standInUnit(draft: CaseDraft, figure: string): string | undefined {
  return STAND_INS.find((unit) => addQuantity(draft, unit, figure))
}
