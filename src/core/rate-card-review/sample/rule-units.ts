/**
 * Units for the conditions of a rule: boxes with sides at each figure of the rule and next to it, and units of the
 * weights and numbers that it compares.
 */
import type { BookTerms } from '../../rating/rate-card.ts'
import { FREIGHT_CLASS_TENTHS, PACKAGINGS, type Parcel, RATES_LIMITS, SHAPES } from '../../rating/request.ts'
import { evenlyChosen } from './evenly-chosen.ts'
import type { RuleFigures } from './rule-figures.ts'
import { BOXES } from './size-class-parcels.ts'

type Box = readonly [lengthCm: number, widthCm: number, heightCm: number]

const DOCUMENT: Parcel = { count: 1, weightGrams: 0, lengthCm: 0, widthCm: 0, heightCm: 0, stackable: false }
/** A class for the products that need one. */
const UNIT: Parcel = { ...DOCUMENT, freightClassTenths: 1000 }
/** Boxes that most products carry, and pallets. */
const PARCELS: readonly Box[] = [
  [30, 20, 10],
  [10, 8, 2],
]
const PALLETS: readonly Box[] = [
  [120, 80, 100],
  [60, 40, 20],
]
const NO_SIDES: readonly Box[] = [[0, 0, 0]]
/** The first is that of a rule that does not depend on the weight. */
const PARCEL_GRAMS = [5_000, 1_000, 20_000]
const PALLET_GRAMS = [250_000, 100_000, 600_000]
const DOCUMENT_GRAMS = [0]
/** How many pieces share the weight of a shipment. */
const PIECES = [1, 2, 5, 20]
/** Units of one rule. */
const MAX_UNITS = 1_000

/**
 * Two for a rule that does not depend on the unit. `isWide`: boxes of many shapes instead, for rules that none of the
 * others trigger.
 */
export function unitsOfRule(figures: RuleFigures, terms: BookTerms, isWide: boolean): readonly Parcel[] {
  const isPallet = terms.parcelType === 'PALLET'
  const isDocument = terms.parcelType === 'DOC'
  const boxes = isDocument
    ? NO_SIDES
    : isWide
      ? BOXES.map(sidesOf)
      : [...(isPallet ? PALLETS : PARCELS), ...boxesOf(figures)]
  const usual = isDocument ? DOCUMENT_GRAMS : isPallet ? PALLET_GRAMS : PARCEL_GRAMS
  const weights = weightsOf(figures, usual, terms.maxUnitGrams)
  const units = distinct(boxes).flatMap(([lengthCm, widthCm, heightCm]) =>
    weights.flatMap((weightGrams) =>
      withCounts({ ...(isDocument ? DOCUMENT : UNIT), weightGrams, lengthCm, widthCm, heightCm }, figures),
    ),
  )
  return evenlyChosen(
    units.flatMap((unit) => withFacts(unit, figures.names, isPallet)),
    MAX_UNITS,
  )
}

function distinct(boxes: readonly Box[]): readonly Box[] {
  return [...new Map(boxes.map((box) => [box.join(' '), box])).values()]
}

function sidesOf({ lengthCm, widthCm, heightCm }: Parcel): Box {
  return [lengthCm, widthCm, heightCm]
}

/** The figure rounded down, the next number above it, and the one below. At least 1. */
function around(thousandths: number): readonly number[] {
  const whole = Math.floor(thousandths / 1_000)
  return [whole + 1, whole, whole - 1].filter((value) => value >= 1)
}

/** Boxes with a side, or a sum of sides, of each length; with each volume; and with each floor. */
function boxesOf({ lengths, volumes, floors }: RuleFigures): readonly Box[] {
  const sides = [...new Set(lengths.flatMap(around))].filter((side) => side <= RATES_LIMITS.sideCm)
  const pairs =
    lengths.length < 2 ? [] : sides.flatMap((long) => sides.map((short) => [long, short] as const))
  return [
    ...sides.flatMap(boxesOfLength),
    ...pairs
      .filter(([long, short]) => short < long)
      .map(([long, short]): Box => [long, short, Math.min(short, 10)]),
    ...volumes.flatMap(boxesOfVolume),
    ...floors.flatMap((ldm) => around((ldm * 24_000) / 80)).map((length): Box => [length, 80, 100]),
  ]
}

function boxesOfLength(side: number): readonly Box[] {
  const [fifth, quarter, third] = [5, 4, 3].map((parts) => Math.max(1, Math.floor(side / parts)))
  const atLeastOne = (cm: number): number => Math.max(1, cm)
  return [
    // As the longest side, the two longest, all three, and the height.
    [side, Math.min(side, 20), Math.min(side, 10)],
    [side, side, Math.min(side, 10)],
    [side, side, side],
    [30, 20, side],
    // As length plus girth, girth, and sum of the sides.
    [atLeastOne(side - 4 * fifth!), fifth!, fifth!],
    [Math.max(side, 20), atLeastOne(Math.floor(side / 2) - quarter!), quarter!],
    [atLeastOne(side - 2 * third!), third!, third!],
  ]
}

function boxesOfVolume(thousandths: number): readonly Box[] {
  const side = Math.max(1, Math.floor(Math.cbrt(thousandths / 1_000)))
  return around(thousandths / (side * side)).map((height): Box => [side, side, height])
}

/** Grams. */
function weightsOf(
  { weights, numbers, names }: RuleFigures,
  usual: readonly number[],
  max = Number.POSITIVE_INFINITY,
): readonly number[] {
  const billed = [...names].some((name) => name.startsWith('billed_')) ? numbers : []
  const bounds = [...weights, ...billed].flatMap((grams) => [grams + 1, grams, grams - 1])
  const isWeighed = names.has('shipment_kg') || names.has('average_kg')
  const ofPieces = isWeighed
    ? weights.flatMap((grams) => PIECES.map((pieces) => Math.ceil((grams + 1) / pieces)))
    : []
  const all = [...(bounds.length === 0 ? usual.slice(0, 1) : usual), ...bounds, ...ofPieces]
  return [...new Set(all.map((grams) => Math.min(Math.max(0, grams), max)))]
}

/** The unit alone and, if the rule counts or weighs the units of a shipment, several of it. */
function withCounts(unit: Parcel, { names, numbers }: RuleFigures): readonly Parcel[] {
  const counts = new Set([1])
  if (names.has('shipment_kg') || names.has('average_kg')) for (const pieces of PIECES) counts.add(pieces)
  if (names.has('pieces'))
    for (const number of numbers) for (const pieces of around(number)) counts.add(pieces)
  return [...counts].filter((count) => count <= RATES_LIMITS.totalCount).map((count) => ({ ...unit, count }))
}

/** The unit with each fact that the rule uses and a request can state. */
function withFacts(unit: Parcel, names: ReadonlySet<string>, isPallet: boolean): readonly Parcel[] {
  const shapes = SHAPES.filter((shape) => names.has(shape))
  const packagings = PACKAGINGS.filter((packaging) => names.has(packaging))
  return [
    unit,
    ...(names.has('stackable') && isPallet ? [{ ...unit, stackable: true }] : []),
    ...shapes.map((shape) => ({ ...unit, shape })),
    ...packagings.map((packaging) => ({ ...unit, packaging })),
    ...(names.has('freight_class') ? FREIGHT_CLASS_TENTHS : []).map((freightClassTenths) => ({
      ...unit,
      freightClassTenths,
    })),
  ]
}
