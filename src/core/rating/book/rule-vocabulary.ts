/**
 * Which measures a condition, a weight or a formula of a rate card may use, and the words of that card, such as its
 * zones. See docs/rate-card-expressions.md#measures.
 */
import type { QuantityMeasure, Vocabulary } from '../../expressions/vocabulary.ts'
import type { ListUnits, SideRounding } from '../rate-card.ts'
import { RATES_LIMITS } from '../request.ts'
import { unitOfWeight } from './list-units.ts'
import {
  MAX_BILLED_GRAMS,
  MEASURES,
  type RuleFacts,
  roundedSizes,
  type Scope,
  type Scoped,
  word,
} from './rule-measures.ts'

/** Where a rule is used. */
export type RuleUse = 'condition' | 'weight' | 'unit formula' | 'shipment formula'

/** What the vocabulary depends on: the zones and groups of a card, and the units of a price list. */
type CardWords = {
  readonly zones: ReadonlySet<number>
  readonly isGroup: (group: string) => boolean
  readonly units?: ListUnits | undefined
  readonly sideRounding?: SideRounding | undefined
}

const LISTS: Vocabulary<RuleFacts>['lists'] = new Map([['sides', ['longest', 'second', 'shortest']]])

/** Words of price lists whose facts a rates request does not have. */
const PLANNED = [['volume_of_account', 'not available yet']] as const

/** Why a measure cannot be used; undefined if it can. */
function refusalOf(scope: Scope, use: RuleUse): string | undefined {
  if (scope === 'price' && use === 'condition')
    return 'not available in conditions, because prices are calculated after them'
  if (scope === 'price' && use === 'weight')
    return 'not available in smallest weights, because prices are calculated after them'
  if (scope === 'unit' && use === 'shipment formula')
    return 'a measure of one parcel, which a formula per shipment cannot use'
  return scope === 'price' && use === 'unit formula'
    ? 'not available in formulas per parcel, because it is that of the shipment'
    : undefined
}

/** The measures that rules can use. */
export type RuleVocabularies = Readonly<Record<RuleUse, Vocabulary<RuleFacts>>>

export function ruleVocabularies(words: CardWords): RuleVocabularies {
  return {
    condition: vocabularyOf('condition', words),
    weight: vocabularyOf('weight', words),
    'unit formula': vocabularyOf('unit formula', words),
    'shipment formula': vocabularyOf('shipment formula', words),
  }
}

function vocabularyOf(
  use: RuleUse,
  { zones, isGroup, units, sideRounding }: CardWords,
): Vocabulary<RuleFacts> {
  const { sign } = unitOfWeight(units)
  const all: readonly (readonly [string, Scoped])[] = [
    ...Object.entries(sideRounding === undefined ? MEASURES : { ...MEASURES, ...roundedSizes(sideRounding) }),
    ['zone', { scope: 'shipment', measure: zoneMeasure(zones) }],
    ['from_group', word('a group of the zone chart', isGroup, ({ shipment }) => shipment.fromGroup)],
    ['to_group', word('a group of the zone chart', isGroup, ({ shipment }) => shipment.toGroup)],
    [
      `billed_${sign}`,
      {
        scope: use === 'condition' || use === 'weight' ? 'price' : 'shipment',
        measure: billedMeasure(use, units),
      },
    ],
  ]
  const unavailable = new Map<string, string>(PLANNED)
  for (const other of ['kg', 'lb', 'oz'])
    if (other !== sign)
      unavailable.set(
        `billed_${other}`,
        `the weights of this price list are in ${sign}, so the name is billed_${sign}`,
      )
  for (const [name, { scope }] of all) {
    const refusal = refusalOf(scope, use)
    if (refusal !== undefined) unavailable.set(name, refusal)
  }
  if (use === 'shipment formula') unavailable.set('sides', refusalOf('unit', use)!)
  return { measures: new Map(all.map(([name, { measure }]) => [name, measure])), lists: LISTS, unavailable }
}

function zoneMeasure(values: ReadonlySet<number>): QuantityMeasure<RuleFacts> {
  const max = Math.max(0, ...values)
  const read = ({ shipment }: RuleFacts): number => shipment.zone
  return { type: 'quantity', dimension: 'number', perBaseUnit: 1, min: 0, max, read, values }
}

/** Kilograms are a weight; pounds and ounces are a number, because their thousandths are no whole grams. */
function billedMeasure(use: RuleUse, units: ListUnits | undefined): QuantityMeasure<RuleFacts> {
  const max = MAX_BILLED_GRAMS * (use === 'unit formula' ? 1 : RATES_LIMITS.totalCount)
  const read = ({ billedGrams }: RuleFacts): number => billedGrams
  const dimension = units === undefined ? 'weight' : 'number'
  return { type: 'quantity', dimension, perBaseUnit: 1_000, min: 0, max, read }
}

/** True for measures that differ between the units of a shipment. */
export function isUnitMeasure(name: string): boolean {
  return name === 'sides' || MEASURES[name]?.scope === 'unit'
}
