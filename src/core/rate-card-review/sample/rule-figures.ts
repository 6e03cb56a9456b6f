/**
 * What the rules of a surcharge or service use: the measures and words of its trigger, condition and formula, and the
 * figures that measures are compared with. Sample requests are made from them.
 */

import { visit } from '../../expressions/syntax.ts'
import { UNITS } from '../../expressions/units.ts'
import { parseDecimal } from '../../quantity.ts'
import type { Surcharge } from '../../rating/book/surcharge.ts'
import { type Condition, parseTrigger, type UnitMeasure } from '../../rating/book/trigger.ts'

export type RuleFigures = {
  /** Measures and words, as in expressions: `to_area`, `longest`, `weekday`, `Sat`. */
  readonly names: ReadonlySet<string>
  /** In thousandths of a centimetre. */
  readonly lengths: readonly number[]
  /** In thousandths of a cubic centimetre. */
  readonly volumes: readonly number[]
  /** In grams. */
  readonly weights: readonly number[]
  /** Loading metres, in thousandths. */
  readonly floors: readonly number[]
  /** Numbers without a unit, in thousandths. */
  readonly numbers: readonly number[]
  /** 'YYYY-MM-DD', or 'MM-DD' for every year. */
  readonly days: readonly string[]
}

type Found = { names: Set<string>; days: Set<string> } & Record<FigureKind, Set<number>>
type FigureKind = 'lengths' | 'volumes' | 'weights' | 'floors' | 'numbers'

const KIND_OF_DIMENSION: Readonly<Record<string, FigureKind>> = {
  length: 'lengths',
  volume: 'volumes',
  weight: 'weights',
  floor: 'floors',
  number: 'numbers',
}

export function figuresOf({ trigger, service, condition, formula }: Surcharge): RuleFigures {
  const found: Found = {
    names: new Set(),
    days: new Set(),
    lengths: new Set(),
    volumes: new Set(),
    weights: new Set(),
    floors: new Set(),
    numbers: new Set(),
  }
  // The trigger of a service is not one of the vocabulary: the sender chooses it.
  if (service === undefined)
    for (const clause of parseTrigger(trigger)) for (const part of clause) addCondition(part, found)
  for (const rule of [condition, formula])
    if (rule !== undefined)
      visit(rule.syntax, (part) => {
        if (part.kind === 'name') found.names.add(part.name)
        else if (part.kind === 'quoted') found.names.add(part.text)
        else if (part.kind === 'day') found.days.add(part.text)
        else if (part.kind === 'number') addFigure(part.text, part.unit, found)
      })
  return {
    names: found.names,
    lengths: [...found.lengths],
    volumes: [...found.volumes],
    weights: [...found.weights],
    floors: [...found.floors],
    numbers: [...found.numbers],
    days: [...found.days],
  }
}

/** A figure of an expression, rounded down to a thousandth of the base unit. */
function addFigure(text: string, unitName: string, found: Found): void {
  const thousandths = parseDecimal(text, 3)
  if (thousandths === undefined || unitName === '%') return
  const unit = UNITS.get(unitName)
  const kind = KIND_OF_DIMENSION[unit?.dimension ?? 'number']
  if (kind === undefined) return
  const { numerator, denominator } = unit?.size ?? { numerator: 1n, denominator: 1n }
  found[kind].add(Number((BigInt(thousandths) * numerator) / denominator))
}

const NAME_OF_MEASURE: Readonly<Record<UnitMeasure, readonly [name: string, kind: FigureKind]>> = {
  longest_cm: ['longest', 'lengths'],
  second_cm: ['second', 'lengths'],
  girth_cm: ['girth', 'lengths'],
  height_cm: ['height', 'lengths'],
  volume_l: ['volume', 'volumes'],
  piece_kg: ['kg', 'weights'],
}

function addCondition(condition: Condition, { names, days, ...figures }: Found): void {
  switch (condition.kind) {
    case 'always':
      return
    case 'domestic':
    case 'international':
      names.add('domestic')
      return
    case 'recipient':
      names.add('recipient').add(condition.recipient)
      return
    case 'area':
      names.add('area').add(condition.areaClass)
      return
    case 'group':
      names.add('to_group').add(condition.group)
      return
    case 'country':
      names.add('to_country').add(condition.country)
      return
    case 'season':
      names.add('date')
      days.add(condition.first).add(condition.last)
      return
    case 'stackable':
      names.add('stackable')
      return
    case 'shipment-measure':
      names.add(condition.measure)
      figures[condition.measure === 'pieces' ? 'numbers' : 'weights'].add(condition.bound)
      return
    case 'unit-measure': {
      const [name, kind] = NAME_OF_MEASURE[condition.measure]
      names.add(name)
      // Litres in thousandths are cubic centimetres.
      figures[kind].add(kind === 'volumes' ? 1_000 * condition.bound : condition.bound)
    }
  }
}
