/**
 * Triggers: the conditions under which a surcharge applies. `parseTrigger` is the only parser of the vocabulary.
 * Syntax and meaning: docs/rate-card-files.md#triggers.
 */
import { parseDecimal } from '../../quantity.ts'
import { AREA_CLASSES, type AreaClass } from '../rate-card.ts'
import { type Parcel, type ParcelType, RECIPIENTS, type Recipient } from '../request.ts'
import type { Service } from '../sender-service.ts'
import { lengthPlusGirth, sidesOf } from './limits.ts'
import type { InputFacts } from './service-input-facts.ts'

/** One condition of a trigger. */
export type Condition =
  | { readonly kind: Flag }
  | { readonly kind: 'recipient'; readonly recipient: Recipient }
  | { readonly kind: 'area'; readonly end: RouteEnd | 'either'; readonly areaClass: AreaClass }
  | { readonly kind: 'group'; readonly end: RouteEnd; readonly group: string }
  /** `country` has the form of a country code; it may not exist. */
  | { readonly kind: 'country'; readonly end: RouteEnd; readonly country: string }
  /** Days of any year as 'MM-DD', both inclusive. A season may run over New Year. */
  | { readonly kind: 'season'; readonly first: string; readonly last: string }
  | { readonly kind: 'stackable'; readonly stackable: boolean }
  | {
      readonly kind: 'shipment-measure'
      readonly measure: ShipmentMeasure
      readonly operator: Operator
      readonly bound: number
    }
  | {
      readonly kind: 'unit-measure'
      readonly measure: UnitMeasure
      readonly operator: Operator
      readonly bound: number
    }

export type RouteEnd = 'from' | 'to'

/** Conditions without a value. */
const FLAGS = ['always', 'domestic', 'international'] as const
type Flag = (typeof FLAGS)[number]

/** A measure of the whole shipment. Bounds are in thousandths of the unit in the name. */
export type ShipmentMeasure = keyof typeof SHIPMENT_MEASURES

/** A measure of one unit. Bounds are in thousandths of the unit in the name. `girth_cm` is length plus girth. */
export type UnitMeasure = keyof typeof UNIT_MEASURES

const OPERATORS = ['>', '>=', '<', '<='] as const
type Operator = (typeof OPERATORS)[number]

const SHIPMENT_MEASURES = {
  pieces: ({ units }) => units * 1000,
  shipment_kg: ({ shipmentGrams }) => shipmentGrams,
} as const satisfies Readonly<Record<string, (shipment: ShipmentFacts) => number>>

const UNIT_MEASURES = {
  longest_cm: (unit, isPallet) => sidesOf(unit, isPallet)[0] * 1000,
  second_cm: (unit, isPallet) => sidesOf(unit, isPallet)[1] * 1000,
  girth_cm: (unit, isPallet) => lengthPlusGirth(sidesOf(unit, isPallet)) * 1000,
  height_cm: ({ heightCm }) => heightCm * 1000,
  volume_l: ({ lengthCm, widthCm, heightCm }) => lengthCm * widthCm * heightCm,
  piece_kg: ({ weightGrams }) => weightGrams,
} as const satisfies Readonly<Record<string, (unit: Parcel, isPallet: boolean) => number>>

/** All conditions, for messages. */
export const TRIGGER_VOCABULARY = [
  ...FLAGS,
  `recipient=${RECIPIENTS.join('|')}`,
  ...['area', 'from_area', 'to_area'].map((word) => `${word}=${AREA_CLASSES.join('|')}`),
  ...['from_group=G1', 'to_group=G1', 'from_country=NL', 'to_country=NL'],
  ...['date=11-15..01-05', 'stackable=true|false'],
  ...[...Object.keys(SHIPMENT_MEASURES), ...Object.keys(UNIT_MEASURES)].map((word) => `${word}>1`),
] as const

/** Alternatives, one of which must hold. */
export type Clause = readonly Condition[]

/**
 * Parses a trigger into clauses, all of which must hold: `domestic&area=REMOTE|ISLAND` has two clauses, and the
 * second has two conditions. Throws an error that quotes the first unknown condition or value.
 */
export function parseTrigger(text: string): readonly Clause[] {
  return text.split('&').map(parseClause)
}

function parseClause(text: string): Clause {
  const conditions: Condition[] = []
  let continuedWord = ''
  for (const part of text.split('|')) {
    const token = part.trim()
    const [, word = '', operator = '', rest = ''] = /^([a-z_]*)\s*(>=|<=|[=<>]?)(.*)$/s.exec(token) ?? []
    // In `to_group=G6|G7`, a value without an operator belongs to the word before it.
    const isContinuation = operator === '' && continuedWord !== '' && !isFlag(word)
    if (!isContinuation) continuedWord = operator === '=' ? word : ''
    const value = (operator === '' ? token.slice(word.length) : rest).trim()
    conditions.push(
      isContinuation ? parseCondition(continuedWord, '=', token) : parseCondition(word, operator, value),
    )
  }
  return conditions
}

const isFlag = oneOf(FLAGS)
const isRecipient = oneOf(RECIPIENTS)
const isAreaClass = oneOf(AREA_CLASSES)
const isOperator = oneOf(OPERATORS)
const isShipmentMeasure = isKeyOf(SHIPMENT_MEASURES)
const isUnitMeasure = isKeyOf(UNIT_MEASURES)

function oneOf<const Word extends string>(words: readonly Word[]): (text: string) => text is Word {
  return (text): text is Word => words.some((word) => word === text)
}

function isKeyOf<Words extends object>(words: Words): (text: string) => text is keyof Words & string {
  return (text): text is keyof Words & string => Object.hasOwn(words, text)
}

function parseCondition(word: string, operator: string, value: string): Condition {
  if (operator === '' && value === '' && isFlag(word)) return { kind: word }
  if (operator === '=') return parseEquality(word, value)
  const bound = parseDecimal(value, 3)
  if (isOperator(operator) && bound !== undefined) {
    if (isShipmentMeasure(word)) return { kind: 'shipment-measure', measure: word, operator, bound }
    if (isUnitMeasure(word)) return { kind: 'unit-measure', measure: word, operator, bound }
  }
  throw unknownCondition(word, operator, value)
}

const GROUP = /^\S+$/
const COUNTRY = /^[A-Z]{2}$/
/** A day that exists in some year. */
const DAY_OF_YEAR =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|[12]\\d))'
const SEASON = new RegExp(`^(${DAY_OF_YEAR})\\.\\.(${DAY_OF_YEAR})$`)

/** A condition with `=`. */
function parseEquality(word: string, value: string): Condition {
  switch (word) {
    case 'recipient':
      if (isRecipient(value)) return { kind: 'recipient', recipient: value }
      break
    case 'area':
    case 'from_area':
    case 'to_area':
      if (isAreaClass(value)) return { kind: 'area', end: endOf(word) ?? 'either', areaClass: value }
      break
    case 'from_group':
    case 'to_group':
      if (GROUP.test(value)) return { kind: 'group', end: endOf(word)!, group: value }
      break
    case 'from_country':
    case 'to_country':
      if (COUNTRY.test(value)) return { kind: 'country', end: endOf(word)!, country: value }
      break
    case 'date': {
      const [, first, last] = SEASON.exec(value) ?? []
      if (first !== undefined && last !== undefined) return { kind: 'season', first, last }
      break
    }
    case 'stackable':
      if (value === 'true' || value === 'false') return { kind: 'stackable', stackable: value === 'true' }
      throw unknownCondition(word, '=', value)
    default:
      throw unknownCondition(word, '=', value)
  }
  throw new Error(`unknown value in ${word}=${value}`)
}

function endOf(word: string): RouteEnd | undefined {
  if (word.startsWith('from_')) return 'from'
  return word.startsWith('to_') ? 'to' : undefined
}

function unknownCondition(word: string, operator: string, value: string): Error {
  return new Error(`unknown condition: ${word}${operator}${value}`)
}

/** The facts about a shipment that triggers can test. */
export type ShipmentFacts = {
  readonly domestic: boolean
  readonly isPallet: boolean
  readonly parcelType: ParcelType
  readonly recipient: Recipient
  readonly fromCountry: string
  readonly toCountry: string
  readonly fromArea: AreaClass
  readonly toArea: AreaClass
  readonly fromGroup: string | undefined
  readonly toGroup: string | undefined
  /** The price zone; -1 if the lane is not served. */
  readonly zone: number
  /** 'MM-DD'. */
  readonly dayOfYear: string
  /** The day that is priced, as `dayNumber` encodes it. */
  readonly day: number
  /** The number of units in all rows. */
  readonly units: number
  /** The actual weight of all units. */
  readonly shipmentGrams: number
  /** The insured value in cents of the card's currency; 0 if the shipment is not insured. */
  readonly valueCents: number
  /** Chosen by the sender. */
  readonly services: readonly Service[]
  /** What the sender states about them. */
  readonly inputs: InputFacts
}

type Test = (shipment: ShipmentFacts, unit: Parcel) => boolean

/** A compiled trigger. */
export type Trigger = {
  /** Tests a shipment and one of its units. */
  readonly holds: Test
  /** False if the result is the same for all units of a shipment. */
  readonly dependsOnUnit: boolean
}

/** Compiles a parsed trigger into one test. */
export function compileTrigger(clauses: readonly Clause[]): Trigger {
  return {
    holds: allHold(clauses.map((clause) => oneHolds(clause.map(compileCondition)))),
    dependsOnUnit: clauses.some((clause) => clause.some(dependsOnUnit)),
  }
}

function allHold(tests: readonly Test[]): Test {
  const [only, second] = tests
  if (only !== undefined && second === undefined) return only
  return (shipment, unit) => {
    for (const test of tests) if (!test(shipment, unit)) return false
    return true
  }
}

function oneHolds(tests: readonly Test[]): Test {
  const [only, second] = tests
  if (only !== undefined && second === undefined) return only
  return (shipment, unit) => {
    for (const test of tests) if (test(shipment, unit)) return true
    return false
  }
}

function dependsOnUnit({ kind }: Condition): boolean {
  return kind === 'unit-measure' || kind === 'stackable'
}

function compileCondition(condition: Condition): Test {
  switch (condition.kind) {
    case 'always':
      return () => true
    case 'domestic':
      return (shipment) => shipment.domestic
    case 'international':
      return (shipment) => !shipment.domestic
    case 'recipient': {
      const { recipient } = condition
      return (shipment) => shipment.recipient === recipient
    }
    case 'area':
      return areaTest(condition.end, condition.areaClass)
    case 'group': {
      const { end, group } = condition
      return end === 'from' ? ({ fromGroup }) => fromGroup === group : ({ toGroup }) => toGroup === group
    }
    case 'country': {
      const { end, country } = condition
      return end === 'from'
        ? ({ fromCountry }) => fromCountry === country
        : ({ toCountry }) => toCountry === country
    }
    case 'season':
      return seasonTest(condition.first, condition.last)
    case 'stackable': {
      const { stackable } = condition
      return ({ isPallet }, unit) => isPallet && unit.stackable === stackable
    }
    case 'shipment-measure': {
      const passes = comparison(condition.operator, condition.bound)
      const measure = SHIPMENT_MEASURES[condition.measure]
      return (shipment) => passes(measure(shipment))
    }
    case 'unit-measure': {
      const passes = comparison(condition.operator, condition.bound)
      const measure = UNIT_MEASURES[condition.measure]
      return ({ isPallet }, unit) => passes(measure(unit, isPallet))
    }
  }
}

function areaTest(end: RouteEnd | 'either', areaClass: AreaClass): Test {
  switch (end) {
    case 'from':
      return ({ fromArea }) => fromArea === areaClass
    case 'to':
      return ({ toArea }) => toArea === areaClass
    case 'either':
      return ({ fromArea, toArea }) => fromArea === areaClass || toArea === areaClass
  }
}

function seasonTest(first: string, last: string): Test {
  return first <= last
    ? ({ dayOfYear }) => dayOfYear >= first && dayOfYear <= last
    : ({ dayOfYear }) => dayOfYear >= first || dayOfYear <= last
}

function comparison(operator: Operator, bound: number): (measure: number) => boolean {
  switch (operator) {
    case '>':
      return (measure) => measure > bound
    case '>=':
      return (measure) => measure >= bound
    case '<':
      return (measure) => measure < bound
    case '<=':
      return (measure) => measure <= bound
  }
}
