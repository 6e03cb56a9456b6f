/**
 * Surcharges: when one applies, and what it comes to. The vocabulary of triggers is closed; a rate card that
 * uses another word is refused when it is compiled.
 *
 * A trigger is clauses joined by `&`, all of which must hold; a clause is conditions joined by `|`, one of
 * which must hold. Conditions: `always`, `domestic`, `international`; `recipient=individual`; `area=ISLAND`
 * (either end), `from_area=`, `to_area=`; `from_group=`, `to_group=`; `date=11-15..01-05` (days of any year,
 * inclusive); `stackable=false`; and of one unit `longest_cm`, `girth_cm`, `height_cm`, `volume_l` and
 * `piece_kg` with `>` or `<`. Several values may follow one `=`: `to_group=G6|G7`.
 */
import { decimal } from '../quantity.ts'
import { lengthPlusGirth, sidesOf } from './limits.ts'
import type { AreaClass, PriceLineKind, SurchargeRow } from './rate-card.ts'
import type { Parcel, Recipient } from './request.ts'

/** What a trigger may ask of the shipment. */
export type Circumstances = {
  readonly domestic: boolean
  readonly recipient: Recipient
  readonly fromArea: AreaClass
  readonly toArea: AreaClass
  readonly fromGroup: string | undefined
  readonly toGroup: string | undefined
  /** 'YYYY-MM-DD'. */
  readonly date: string
}

/** A condition on the shipment and one of its units. */
type Condition = (shipment: Circumstances, unit: Parcel) => boolean

/** A surcharge ready to be applied. */
export type Surcharge = SurchargeRow & {
  readonly kind: PriceLineKind
  /** The day from which a newer row of the same code replaces it; absent while it is the newest. */
  readonly validUntil?: string
  readonly applies: Condition
}

/** Compiles the surcharges of one carrier, in their order. Throws on a trigger outside the vocabulary. */
export function compileSurcharges(rows: readonly SurchargeRow[]): Surcharge[] {
  return rows.map((row) => {
    const successors = rows.filter(({ code, validFrom }) => code === row.code && validFrom > row.validFrom)
    const [validUntil] = successors.map(({ validFrom }) => validFrom).sort()
    const kind = kindOf(row)
    return {
      ...row,
      kind,
      applies: compileTrigger(row.trigger),
      ...(validUntil !== undefined && { validUntil }),
    }
  })
}

/** True when a surcharge is in force on a day. */
function isInForce({ validFrom, validUntil }: Surcharge, date: string): boolean {
  return validFrom <= date && (validUntil === undefined || date < validUntil)
}

/** What kind of price line a surcharge makes: what it is triggered by says it. */
function kindOf({ method, trigger }: SurchargeRow): PriceLineKind {
  if (method === 'fuel') return 'FUEL'
  if (/date=/.test(trigger)) return 'OTHER'
  if (/area=/.test(trigger)) return 'REMOTE_AREA'
  if (/recipient=/.test(trigger)) return 'RESIDENTIAL'
  if (/longest_cm|girth_cm|volume_l/.test(trigger)) return 'OVERSIZE'
  if (/piece_kg|stackable=|height_cm/.test(trigger)) return 'HANDLING'
  return 'OTHER'
}

/** A surcharge that a request triggers, with the parcel rows it concerns. */
export type TriggeredSurcharge = {
  readonly surcharge: Surcharge
  /** Indexes of the rows whose units it counts; all rows when it counts by shipment. */
  readonly rows: readonly number[]
  /** How many times it is counted: its units, or 1 by shipment. */
  readonly times: number
}

/** The surcharges in force that apply to a shipment. They are a carrier's, so all its products share the result. */
export function triggeredSurcharges(
  surcharges: readonly Surcharge[],
  shipment: Circumstances,
  parcels: readonly Parcel[],
): readonly TriggeredSurcharge[] {
  const triggered: TriggeredSurcharge[] = []
  const allRows = parcels.map((_, index) => index)
  for (const surcharge of surcharges) {
    if (!isInForce(surcharge, shipment.date)) continue
    const rows = allRows.filter((row) => surcharge.applies(shipment, parcels[row]!))
    if (rows.length === 0) continue
    if (surcharge.per === 'shipment') triggered.push({ surcharge, rows: allRows, times: 1 })
    else triggered.push({ surcharge, rows, times: countUnits(parcels, rows) })
  }
  return triggered
}

function countUnits(parcels: readonly Parcel[], rows: readonly number[]): number {
  let units = 0
  for (const row of rows) units += parcels[row]!.count
  return units
}

function compileTrigger(trigger: string): Condition {
  const [first = always, ...others] = trigger.split('&').map(compileClause)
  if (others.length === 0) return first
  return (shipment, unit) => first(shipment, unit) && others.every((clause) => clause(shipment, unit))
}

/** `to_group=G6|G7` is one condition with two values: a token without an operator continues the one before. */
function compileClause(clause: string): Condition {
  const alternatives: Condition[] = []
  let field = ''
  for (const token of clause.split('|')) {
    const [, name = '', operator = '', value = ''] = /^([a-z_]*)([=<>]?)(.*)$/.exec(token) ?? []
    const continues = operator === '' && field !== '' && !(name in SHIPMENT_FLAGS)
    if (!continues) field = operator === '=' ? name : ''
    alternatives.push(
      continues ? compileCondition(field, '=', token) : compileCondition(name, operator, value),
    )
  }
  const [only, second] = alternatives
  if (only !== undefined && second === undefined) return only
  return (shipment, unit) => alternatives.some((condition) => condition(shipment, unit))
}

const always: Condition = () => true

const SHIPMENT_FLAGS: Readonly<Record<string, Condition>> = {
  always,
  domestic: (shipment) => shipment.domestic,
  international: (shipment) => !shipment.domestic,
}

const SHIPMENT_WORDS: Readonly<Record<string, (value: string) => Condition>> = {
  recipient: (value) => (shipment) => shipment.recipient === value,
  area: (value) => (shipment) => shipment.fromArea === value || shipment.toArea === value,
  from_area: (value) => (shipment) => shipment.fromArea === value,
  to_area: (value) => (shipment) => shipment.toArea === value,
  from_group: (value) => (shipment) => shipment.fromGroup === value,
  to_group: (value) => (shipment) => shipment.toGroup === value,
  stackable: (value) => (_shipment, unit) => String(unit.stackable) === value,
  date: (value) => {
    const [first = '', last = ''] = value.split('..')
    // A season that runs over New Year holds after its first day or before its last one.
    return first <= last
      ? ({ date }) => date.slice(5) >= first && date.slice(5) <= last
      : ({ date }) => date.slice(5) >= first || date.slice(5) <= last
  },
}

/** What is measured of a unit, in thousandths of the trigger's unit. */
const UNIT_MEASURES: Readonly<Record<string, (unit: Parcel) => number>> = {
  longest_cm: (unit) => sidesOf(unit, false)[0] * 1000,
  girth_cm: (unit) => lengthPlusGirth(sidesOf(unit, false)) * 1000,
  height_cm: (unit) => unit.heightCm * 1000,
  volume_l: (unit) => unit.lengthCm * unit.widthCm * unit.heightCm,
  piece_kg: (unit) => unit.weightGrams,
}

function compileCondition(name: string, operator: string, value: string): Condition {
  const flag = SHIPMENT_FLAGS[name]
  if (flag !== undefined && operator === '') return flag
  const word = SHIPMENT_WORDS[name]
  if (word !== undefined && operator === '=') return word(value)
  const measure = UNIT_MEASURES[name]
  if (measure === undefined || (operator !== '<' && operator !== '>'))
    throw new Error(`unknown surcharge trigger: ${name}${operator}${value}`)
  const bound = decimal(value, 3)
  return operator === '>'
    ? (_shipment, unit) => measure(unit) > bound
    : (_shipment, unit) => measure(unit) < bound
}
