/**
 * The measures that expressions of rate cards can use, with their units, scopes and bounds: how each is read from a
 * shipment. See docs/rate-card-expressions.md#measures.
 */
import { WEEKDAYS } from '../../clock-text.ts'
import type { Dimension } from '../../expressions/units.ts'
import type { Measure, WordMeasure } from '../../expressions/vocabulary.ts'
import { MAX_CENTS } from '../../money.ts'
import { isCountryCode } from '../../place.ts'
import { AREA_CLASSES, type SideRounding } from '../rate-card.ts'
import { PACKAGINGS, PARCEL_TYPES, type Parcel, RATES_LIMITS, RECIPIENTS, SHAPES } from '../request.ts'
import { SERVICES } from '../sender-service.ts'
import {
  type DangerousGoods,
  HAZARD_CLASSES,
  isSlot,
  isUnNumber,
  PACKING_GROUPS,
  SERVICE_LIMITS,
  SLOT_FORM,
  SLOT_SERVICES,
  UN_NUMBER_FORM,
} from '../service-inputs.ts'
import { sidesOf } from './limits.ts'
import { FIFTIETHS_PER_CM, inFiftieths } from './list-units.ts'
import { netGramsOf, packagesOf } from './service-input-facts.ts'
import type { ShipmentFacts } from './trigger.ts'

/** What a rule is evaluated for: a shipment, and one unit of it. */
export type RuleFacts = {
  readonly shipment: ShipmentFacts
  /** The first unit if the rule is about the whole shipment. */
  readonly unit: Parcel
  /**
   * Chargeable weight of the unit or, in a formula per shipment, of the shipment, in thousandths of the unit of the
   * price list. 0 in conditions.
   */
  readonly billedGrams: number
  /** Freight with the change of the contract, in cents of the card's currency. 0 in conditions. */
  readonly freightCents: number
}

/** Longer sides count as 100 m, so that formulas with volumes stay within the largest amount. */
const MAX_SIDE_CM = 10_000
const MAX_UNIT_GRAMS = RATES_LIMITS.weightKg * 1_000
/** The largest weight of a price band, which is a 32-bit integer. */
export const MAX_BILLED_GRAMS = 2 ** 31 - 1

export type Scope = 'unit' | 'shipment' | 'price'
export type Scoped = { readonly scope: Scope; readonly measure: Measure<RuleFacts> }

function quantity(
  scope: Scope,
  dimension: Dimension,
  [min, max, perBaseUnit = 1]: readonly [min: number, max: number, perBaseUnit?: number],
  read: (facts: RuleFacts) => number,
): Scoped {
  return { scope, measure: { type: 'quantity', dimension, perBaseUnit, min, max, read } }
}

export function word(
  expected: string,
  isWord: (word: string) => boolean,
  ...read: WordMeasure<RuleFacts>['read']
): Scoped {
  return { scope: 'shipment', measure: { type: 'word', read, isWord, expected } }
}

function oneOf(what: string, words: readonly string[], ...read: WordMeasure<RuleFacts>['read']): Scoped {
  return word(`${what}: ${words.join(', ')}`, (text) => words.includes(text), ...read)
}

function flag(scope: Scope, read: (facts: RuleFacts) => boolean): Scoped {
  return { scope, measure: { type: 'flag', read } }
}

const side = (read: (facts: RuleFacts) => number): Scoped =>
  quantity('unit', 'length', [0, MAX_SIDE_CM], read)
const sides = ({ unit, shipment }: RuleFacts): readonly [number, number, number] =>
  sidesOf(unit, shipment.isPallet)
const country = (read: (facts: RuleFacts) => string): Scoped =>
  word('an ISO 3166-1 country code such as DE', isCountryCode, read)

/** The word for a fact of a unit that the request leaves out. */
const NOT_STATED = 'UNKNOWN'

function statedWord(
  what: string,
  words: readonly string[],
  read: (facts: RuleFacts) => string | undefined,
): Scoped {
  const { measure } = oneOf(what, [...words, NOT_STATED], (facts) => read(facts) ?? NOT_STATED)
  return { scope: 'unit', measure }
}

/** 0 if the request does not state it; rules that use it then do not apply, or the product is declined. */
export const FREIGHT_CLASS = 'freight_class'

const MAX_DENSITY = 1e15

/**
 * Weight by volume, rounded down to a millionth of a kilogram per cubic metre. `unitOf` has sides of which `perCm3` to
 * the cubic centimetre. Without a volume it is 0, which is the highest class.
 */
function density(unitOf: (facts: RuleFacts) => Parcel, perCm3: bigint): Scoped {
  return quantity('unit', 'density', [0, MAX_DENSITY, 1_000_000], (facts) => {
    const { lengthCm, widthCm, heightCm } = unitOf(facts)
    const volume = BigInt(lengthCm) * BigInt(widthCm) * BigInt(heightCm)
    if (volume === 0n) return 0
    const found = (BigInt(facts.unit.weightGrams) * perCm3 * 1_000_000_000n) / volume
    return found > BigInt(MAX_DENSITY) ? MAX_DENSITY : Number(found)
  })
}

/** A word of each of the tested dangerous goods: a comparison holds if it holds for one of them. */
function wordOfGoods(
  expected: string,
  isWord: (word: string) => boolean,
  read: (goods: DangerousGoods) => string,
): Scoped {
  const readers = Array.from({ length: SERVICE_LIMITS.goods }, (_, at) => ({ shipment }: RuleFacts) => {
    const goods = shipment.inputs.tested[at]
    return goods && read(goods)
  })
  return word(expected, isWord, ...readers)
}

function statedOfGoods(
  what: string,
  words: readonly string[],
  read: (goods: DangerousGoods) => string | undefined,
): Scoped {
  const all = [...words, NOT_STATED]
  return wordOfGoods(
    `${what}: ${all.join(', ')}`,
    (text) => all.includes(text),
    (goods) => read(goods) ?? NOT_STATED,
  )
}

/** What the sender states about services. */
const INPUT_MEASURES: Readonly<Record<string, Scoped>> = {
  slot: word(
    SLOT_FORM,
    isSlot,
    ...SLOT_SERVICES.map(
      (service) =>
        ({ shipment }: RuleFacts) =>
          shipment.inputs.slots[service],
    ),
  ),
  cod_amount: quantity(
    'shipment',
    'number',
    [0, MAX_CENTS, 100],
    ({ shipment }) => shipment.inputs.collected?.cents ?? 0,
  ),
  cod_currency: word(
    'an ISO 4217 code such as EUR',
    (text) => /^[A-Z]{3}$/.test(text),
    ({ shipment }) => shipment.inputs.collected?.stated.currency,
  ),
  un_number: wordOfGoods(UN_NUMBER_FORM, isUnNumber, ({ unNumber }) => unNumber),
  dg_class: statedOfGoods('a class of dangerous goods', HAZARD_CLASSES, ({ hazardClass }) => hazardClass),
  packing_group: statedOfGoods('a packing group', PACKING_GROUPS, ({ packingGroup }) => packingGroup),
  limited_quantity: flag('shipment', ({ shipment }) => {
    const { tested } = shipment.inputs
    return tested.length > 0 && tested.every(({ limitedQuantity }) => limitedQuantity)
  }),
  dg_net_kg: quantity(
    'shipment',
    'weight',
    [
      0,
      SERVICE_LIMITS.goods * 1_000 * SERVICE_LIMITS.netKg + MAX_UNIT_GRAMS * RATES_LIMITS.totalCount,
      1_000,
    ],
    ({ shipment }) => netGramsOf(shipment.inputs, shipment.shipmentGrams),
  ),
  dg_packages: quantity(
    'shipment',
    'number',
    [0, SERVICE_LIMITS.goods * SERVICE_LIMITS.packages],
    ({ shipment }) => packagesOf(shipment.inputs, shipment.units),
  ),
}

export const MEASURES: Readonly<Record<string, Scoped>> = {
  ...INPUT_MEASURES,
  longest: side((facts) => sides(facts)[0]),
  second: side((facts) => sides(facts)[1]),
  shortest: side((facts) => sides(facts)[2]),
  height: side(({ unit }) => unit.heightCm),
  sum: quantity(
    'unit',
    'length',
    [0, 3 * MAX_SIDE_CM],
    ({ unit }) => unit.lengthCm + unit.widthCm + unit.heightCm,
  ),
  girth: quantity('unit', 'length', [0, 4 * MAX_SIDE_CM], (facts) => {
    const [, second, shortest] = sides(facts)
    return 2 * (second + shortest)
  }),
  diagonal: quantity('unit', 'length', [0, 20 * MAX_SIDE_CM, 10], ({ unit }) => diagonalMillimetres(unit)),
  volume: quantity(
    'unit',
    'volume',
    [0, MAX_SIDE_CM ** 3],
    ({ unit }) => unit.lengthCm * unit.widthCm * unit.heightCm,
  ),
  ldm: quantity(
    'unit',
    'floor',
    [0, 2 * MAX_SIDE_CM ** 2, 48_000],
    ({ unit }) => unit.lengthCm * unit.widthCm * (unit.stackable ? 1 : 2),
  ),
  kg: quantity('unit', 'weight', [0, MAX_UNIT_GRAMS, 1_000], ({ unit }) => unit.weightGrams),
  stackable: flag('unit', ({ unit, shipment }) => shipment.isPallet && unit.stackable),
  density: density(({ unit }) => unit, 1n),
  [FREIGHT_CLASS]: quantity('unit', 'number', [0, 5_000, 10], ({ unit }) => unit.freightClassTenths ?? 0),
  shape: statedWord('a shape', SHAPES, ({ unit }) => unit.shape),
  packaging: statedWord('a packaging', PACKAGINGS, ({ unit, shipment }) =>
    shipment.parcelType === 'DOC'
      ? 'ENVELOPE'
      : (unit.packaging ?? (shipment.isPallet ? 'PALLET' : undefined)),
  ),
  shipment_kg: quantity(
    'shipment',
    'weight',
    [0, MAX_UNIT_GRAMS * RATES_LIMITS.totalCount, 1_000],
    ({ shipment }) => shipment.shipmentGrams,
  ),
  average_kg: quantity('shipment', 'weight', [0, MAX_UNIT_GRAMS, 1_000], ({ shipment }) =>
    Math.ceil(shipment.shipmentGrams / shipment.units),
  ),
  pieces: quantity('shipment', 'number', [1, RATES_LIMITS.totalCount], ({ shipment }) => shipment.units),
  value: quantity('shipment', 'number', [0, MAX_CENTS, 100], ({ shipment }) => shipment.valueCents),
  area: oneOf(
    'an area class',
    AREA_CLASSES,
    ({ shipment }) => shipment.fromArea,
    ({ shipment }) => shipment.toArea,
  ),
  from_area: oneOf('an area class', AREA_CLASSES, ({ shipment }) => shipment.fromArea),
  to_area: oneOf('an area class', AREA_CLASSES, ({ shipment }) => shipment.toArea),
  from_country: country(({ shipment }) => shipment.fromCountry),
  to_country: country(({ shipment }) => shipment.toCountry),
  recipient: oneOf('a recipient', RECIPIENTS, ({ shipment }) => shipment.recipient),
  parcel_type: oneOf('a parcel type', PARCEL_TYPES, ({ shipment }) => shipment.parcelType),
  // Each reads one service of the shipment; the order is the same as that of the list.
  service: oneOf(
    'a service',
    SERVICES,
    ...SERVICES.map(
      (_, at) =>
        ({ shipment }: RuleFacts) =>
          shipment.services[at],
    ),
  ),
  weekday: oneOf('a weekday', WEEKDAYS, ({ shipment }) => weekdayOf(shipment.day)),
  date: { scope: 'shipment', measure: { type: 'day', read: ({ shipment }) => shipment.day } },
  domestic: flag('shipment', ({ shipment }) => shipment.domestic),
  international: flag('shipment', ({ shipment }) => !shipment.domestic),
  freight: quantity('price', 'number', [0, MAX_CENTS, 100], ({ freightCents }) => freightCents),
}

/** The diagonal through the unit, rounded up to the millimetre. */
function diagonalMillimetres({ lengthCm, widthCm, heightCm }: Parcel): number {
  return rootRoundedUp(100 * (lengthCm ** 2 + widthCm ** 2 + heightCm ** 2))
}

function rootRoundedUp(square: number): number {
  let root = Math.ceil(Math.sqrt(square))
  // The square root may be rounded to an integer that it is not.
  if ((root - 1) ** 2 >= square) root -= 1
  else if (root ** 2 < square) root += 1
  return root
}

/** The measures of sizes whose sides are rounded to inches, in fiftieths of a centimetre. */
export function roundedSizes(rounding: SideRounding): Readonly<Record<string, Scoped>> {
  const max = MAX_SIDE_CM * FIFTIETHS_PER_CM
  const length = (factor: number, read: (unit: Parcel, isPallet: boolean) => number): Scoped =>
    quantity('unit', 'length', [0, factor * max, FIFTIETHS_PER_CM], ({ unit, shipment }) =>
      read(inFiftieths(unit, rounding), shipment.isPallet),
    )
  return {
    longest: length(1, (unit, isPallet) => sidesOf(unit, isPallet)[0]),
    second: length(1, (unit, isPallet) => sidesOf(unit, isPallet)[1]),
    shortest: length(1, (unit, isPallet) => sidesOf(unit, isPallet)[2]),
    height: length(1, ({ heightCm }) => heightCm),
    sum: length(3, ({ lengthCm, widthCm, heightCm }) => lengthCm + widthCm + heightCm),
    girth: length(4, (unit, isPallet) => {
      const [, second, shortest] = sidesOf(unit, isPallet)
      return 2 * (second + shortest)
    }),
    // Rounded up to the fiftieth, not to the millimetre.
    diagonal: length(2, ({ lengthCm, widthCm, heightCm }) =>
      rootRoundedUp(lengthCm ** 2 + widthCm ** 2 + heightCm ** 2),
    ),
    volume: quantity('unit', 'volume', [0, Number.MAX_SAFE_INTEGER, FIFTIETHS_PER_CM ** 3], ({ unit }) => {
      const { lengthCm, widthCm, heightCm } = inFiftieths(unit, rounding)
      return lengthCm * widthCm * heightCm
    }),
    density: density(({ unit }) => inFiftieths(unit, rounding), BigInt(FIFTIETHS_PER_CM) ** 3n),
  }
}

/** `day` is encoded as by `dayNumber`: 20261121. */
function weekdayOf(day: number): string {
  const date = new Date(Date.UTC(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100))
  return WEEKDAYS[(date.getUTCDay() + 6) % 7]!
}
