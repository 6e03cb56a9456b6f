/**
 * When a surcharge applies. The vocabulary is closed; a rate card that uses another word is refused.
 *
 * A trigger is clauses joined by `&`, all of which must hold; a clause is conditions joined by `|`, one of
 * which must hold. Conditions on the shipment: `always`, `domestic`, `international`; `recipient=individual`;
 * `area=ISLAND` (either end), `from_area=`, `to_area=`; `from_group=`, `to_group=`; `from_country=`,
 * `to_country=`; `date=11-15..01-05` (days of any year, inclusive); `pieces` and `shipment_kg` with `>`, `<`,
 * `>=` or `<=`. On one unit: `stackable=false` (pallets only); `longest_cm`, `second_cm`, `girth_cm`, `height_cm`, `volume_l`
 * and `piece_kg` with the same. Several values may follow one `=`: `to_group=G6|G7`.
 */
import { parseDecimal } from '../../quantity.ts'
import type { AreaClass } from '../rate-card.ts'
import type { Parcel, Recipient } from '../request.ts'
import { lengthPlusGirth, sidesOf } from './limits.ts'

/** What a trigger may ask of the shipment. */
export type ShipmentFacts = {
  readonly domestic: boolean
  /** A pallet stands on its floor: its height is no side to be turned. */
  readonly isPallet: boolean
  readonly recipient: Recipient
  readonly fromCountry: string
  readonly toCountry: string
  readonly fromArea: AreaClass
  readonly toArea: AreaClass
  readonly fromGroup: string | undefined
  readonly toGroup: string | undefined
  /** 'YYYY-MM-DD'. */
  readonly date: string
  /** Units in all, and their actual weight. */
  readonly units: number
  readonly shipmentGrams: number
}

/** A trigger ready to be asked. */
export type Trigger = {
  /** True when it holds for a shipment and one of its units. */
  holds(shipment: ShipmentFacts, unit: Parcel): boolean
  /** True when it asks about units, so that they have to be asked one by one. */
  readonly dependsOnUnit: boolean
}

/** Compiles a trigger. Throws an error that says what of it is not in the vocabulary. */
export function compileTrigger(text: string): Trigger {
  const conditions = text.split('&').map(compileClause)
  const [only, second] = conditions
  const tests = conditions.map(({ holds }) => holds)
  return {
    holds:
      only !== undefined && second === undefined
        ? only.holds
        : (shipment, unit) => tests.every((test) => test(shipment, unit)),
    dependsOnUnit: conditions.some(({ dependsOnUnit: asksUnits }) => asksUnits),
  }
}

/** `to_group=G6|G7` is one condition with two values: a word without an operator continues the one before. */
function compileClause(clause: string): Trigger {
  const alternatives: Trigger[] = []
  let field = ''
  for (const word of clause.split('|')) {
    const token = word.trim()
    const [, name = '', operator = '', value = ''] = /^([a-z_]*)\s*(>=|<=|[=<>]?)(.*)$/s.exec(token) ?? []
    const continues = operator === '' && field !== '' && !SHIPMENT_FLAGS.has(name)
    if (!continues) field = operator === '=' ? name : ''
    alternatives.push(
      continues
        ? compileCondition(field, '=', token)
        : compileCondition(name, operator, (operator === '' ? token.slice(name.length) : value).trim()),
    )
  }
  const [only, second] = alternatives
  if (only !== undefined && second === undefined) return only
  return {
    holds: (shipment, unit) => alternatives.some(({ holds }) => holds(shipment, unit)),
    dependsOnUnit: alternatives.some(({ dependsOnUnit: asksUnits }) => asksUnits),
  }
}

type OfShipment = (shipment: ShipmentFacts) => boolean

const SHIPMENT_FLAGS: ReadonlyMap<string, OfShipment> = new Map([
  ['always', () => true],
  ['domestic', (shipment: ShipmentFacts) => shipment.domestic],
  ['international', (shipment: ShipmentFacts) => !shipment.domestic],
])

const AREA = /^(NORMAL|REMOTE|ISLAND|OVERSEAS)$/
const GROUP = /^\S+$/
const COUNTRY = /^[A-Z]{2}$/
/** A day that some year has. */
const DAY_OF_YEAR =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|[12]\\d))'

/** Conditions with `=`: what their values may be, and how one is asked. */
type Word = { readonly values: RegExp; asks(value: string): OfShipment }

const areaWord = (asks: Word['asks']): Word => ({ values: AREA, asks })

const SHIPMENT_WORDS: ReadonlyMap<string, Word> = new Map<string, Word>([
  [
    'recipient',
    { values: /^(individual|business)$/, asks: (value) => (shipment) => shipment.recipient === value },
  ],
  ['area', areaWord((value) => (shipment) => shipment.fromArea === value || shipment.toArea === value)],
  ['from_area', areaWord((value) => (shipment) => shipment.fromArea === value)],
  ['to_area', areaWord((value) => (shipment) => shipment.toArea === value)],
  ['from_group', { values: GROUP, asks: (value) => (shipment) => shipment.fromGroup === value }],
  ['to_group', { values: GROUP, asks: (value) => (shipment) => shipment.toGroup === value }],
  ['from_country', { values: COUNTRY, asks: (value) => (shipment) => shipment.fromCountry === value }],
  ['to_country', { values: COUNTRY, asks: (value) => (shipment) => shipment.toCountry === value }],
  ['date', { values: new RegExp(`^${DAY_OF_YEAR}\\.\\.${DAY_OF_YEAR}$`), asks: season }],
])

/** A season that runs over New Year holds after its first day or before its last one. */
function season(value: string): OfShipment {
  const [first = '', last = ''] = value.split('..')
  return first <= last
    ? ({ date }) => date.slice(5) >= first && date.slice(5) <= last
    : ({ date }) => date.slice(5) >= first || date.slice(5) <= last
}

/** What is measured, in thousandths of the trigger's unit. */
const SHIPMENT_MEASURES: ReadonlyMap<string, (shipment: ShipmentFacts) => number> = new Map([
  ['pieces', ({ units }: ShipmentFacts) => units * 1000],
  ['shipment_kg', ({ shipmentGrams }: ShipmentFacts) => shipmentGrams],
])
const UNIT_MEASURES: ReadonlyMap<string, (unit: Parcel, isPallet: boolean) => number> = new Map([
  ['longest_cm', (unit: Parcel, isPallet: boolean) => sidesOf(unit, isPallet)[0] * 1000],
  ['second_cm', (unit: Parcel, isPallet: boolean) => sidesOf(unit, isPallet)[1] * 1000],
  ['girth_cm', (unit: Parcel, isPallet: boolean) => lengthPlusGirth(sidesOf(unit, isPallet)) * 1000],
  ['height_cm', (unit: Parcel) => unit.heightCm * 1000],
  ['volume_l', (unit: Parcel) => unit.lengthCm * unit.widthCm * unit.heightCm],
  ['piece_kg', (unit: Parcel) => unit.weightGrams],
])

function compileCondition(name: string, operator: string, value: string): Trigger {
  const flag = SHIPMENT_FLAGS.get(name)
  if (flag !== undefined && operator === '' && value === '') return { holds: flag, dependsOnUnit: false }
  const word = SHIPMENT_WORDS.get(name)
  if (word !== undefined && operator === '=') {
    if (!word.values.test(value)) throw new Error(`unknown value in ${name}=${value}`)
    return { holds: word.asks(value), dependsOnUnit: false }
  }
  if (name === 'stackable' && operator === '=' && /^(true|false)$/.test(value))
    return {
      holds: ({ isPallet }, unit) => isPallet && String(unit.stackable) === value,
      dependsOnUnit: true,
    }
  return compileMeasure(name, operator, value)
}

function compileMeasure(name: string, operator: string, value: string): Trigger {
  const ofShipment = SHIPMENT_MEASURES.get(name)
  const ofUnit = UNIT_MEASURES.get(name)
  const bound = parseDecimal(value, 3)
  if ((ofShipment === undefined && ofUnit === undefined) || !/[<>]/.test(operator) || bound === undefined)
    throw new Error(`unknown condition: ${name}${operator}${value}`)
  const passes = comparison(operator, bound)
  if (ofShipment !== undefined)
    return { holds: (shipment) => passes(ofShipment(shipment)), dependsOnUnit: false }
  return { holds: ({ isPallet }, unit) => passes(ofUnit!(unit, isPallet)), dependsOnUnit: true }
}

function comparison(operator: string, bound: number): (measure: number) => boolean {
  switch (operator) {
    case '>':
      return (measure) => measure > bound
    case '>=':
      return (measure) => measure >= bound
    case '<':
      return (measure) => measure < bound
    default:
      return (measure) => measure <= bound
  }
}
