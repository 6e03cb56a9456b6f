/**
 * Oracle for chargeable weight and freight: searches all price rows and calculates with exact integers.
 * Rules: docs/rate-cards.md#chargeable-weight and #rate-per-100-kg; docs/rate-card-files.md#pallet-classes.
 */
import type {
  MinimumWeightRow,
  PriceRow,
  ProductTerms,
  RateCardContent,
} from '../../../../src/core/rating/rate-card.ts'
import type { Parcel } from '../../../../src/core/rating/request.ts'
import {
  compare,
  decimal,
  type Fraction,
  fraction,
  over,
  plus,
  sum as sumOf,
  times,
} from '../customs/fraction.ts'

/** A product with the smallest weights of its units. */
export type OracleProduct = ProductTerms & { readonly floors: readonly MinimumWeightRow[] }

/** The weights of one unit. */
export type OracleWeight = {
  readonly actualGrams: number
  readonly volumetricGrams: number
  readonly chargeableGrams: number
}

/** `numerator / denominator`, rounded half up (towards +∞ at exactly one half). */
export function halfUp(numerator: bigint, denominator: bigint): number {
  return Number(floorDiv(2n * numerator + denominator, 2n * denominator))
}

function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient
}

const ceilDiv = (a: bigint, b: bigint): bigint => -floorDiv(-a, b)

const KILOGRAMS_PER_POUND = decimal('0.45359237')

/** The kilograms of the unit of a list. */
function unitKilograms({ units }: ProductTerms): Fraction {
  if (units === undefined) return fraction(1)
  return units === 'lb-in' ? KILOGRAMS_PER_POUND : over(KILOGRAMS_PER_POUND, fraction(16))
}

/** Grams in thousandths of the unit of the list. */
export function inUnits(terms: ProductTerms, grams: number): Fraction {
  return over(fraction(grams), unitKilograms(terms))
}

/** Thousandths of the unit of the list in grams, rounded up. */
export function inGrams(terms: ProductTerms, thousandths: number): number {
  const { n, d } = times(fraction(thousandths), unitKilograms(terms))
  return Number(ceilDiv(n, d))
}

/** A side in inches, rounded as the list states, to at least one. */
export function inches({ sideRounding }: ProductTerms, centimetres: number): Fraction {
  const exact = over(fraction(centimetres), decimal('2.54'))
  if (sideRounding === undefined) return exact
  const { n, d } = sideRounding === 'up' ? exact : plus(exact, fraction(1, 2))
  const rounded = Number(sideRounding === 'up' ? ceilDiv(n, d) : floorDiv(n, d))
  return fraction(centimetres > 0 ? Math.max(1, rounded) : rounded)
}

/** The actual weight in grams. */
export function actualGrams({ documentGrams, units }: ProductTerms, unit: Parcel): number {
  if (documentGrams === undefined || unit.weightGrams > 0) return unit.weightGrams
  if (units !== undefined) throw new Error('random documents have no pounds')
  return documentGrams
}

/** The largest volumetric weight in thousandths of the unit of the list, exactly. */
function exactVolumetric(terms: ProductTerms, unit: Parcel): Fraction {
  const { volumetricDivisor, kilogramsPerCubicMetre, kilogramsPerLoadingMetre } = terms
  const sides = [unit.lengthCm, unit.widthCm, unit.heightCm]
  const volume = (measured: readonly Fraction[]): Fraction => measured.reduce(times)
  if (terms.units !== undefined) {
    if (volumetricDivisor === undefined) return fraction(0)
    const pounds = over(volume(sides.map((side) => inches(terms, side))), fraction(volumetricDivisor))
    return times(over(pounds, unitKilograms(terms)), times(KILOGRAMS_PER_POUND, fraction(1000)))
  }
  const cubic = volume(sides.map((side) => fraction(side)))
  const weights = [fraction(0)]
  if (volumetricDivisor !== undefined) weights.push(over(cubic, fraction(volumetricDivisor, 1000)))
  // A cubic metre is a million cubic centimetres, a loading metre 24,000 square centimetres of floor.
  if (kilogramsPerCubicMetre !== undefined) weights.push(times(cubic, fraction(kilogramsPerCubicMetre, 1000)))
  if (kilogramsPerLoadingMetre !== undefined) {
    const floor = fraction(unit.lengthCm * unit.widthCm, unit.stackable ? 48_000 : 24_000)
    weights.push(times(floor, fraction(kilogramsPerLoadingMetre * 1000)))
  }
  return weights.reduce(larger)
}

function larger(a: Fraction, b: Fraction): Fraction {
  return compare(a, b) < 0 ? b : a
}

/** The weights of rows of the form `longest > 80 cm`, `4 kg` that apply, in thousandths of the unit of the list. */
function floorWeights(terms: OracleProduct, unit: Parcel): Fraction[] {
  return terms.floors.flatMap(({ condition, weight }) => {
    const [, bound = '', sign] = /^longest > (\d+) (cm|in)$/.exec(condition ?? '') ?? []
    const limit = times(fraction(Number(bound)), decimal(sign === 'in' ? '2.54' : '1'))
    const sides = [unit.lengthCm, unit.widthCm, ...(isFlatPallet(terms) ? [] : [unit.heightCm])]
    const measured = sides.map((side) =>
      terms.sideRounding === undefined ? fraction(side) : times(inches(terms, side), decimal('2.54')),
    )
    if (compare(measured.reduce(larger), limit) <= 0) return []
    const [, figure = '', name] = /^([\d.]+)(?: (kg|lb)| \* kg)?$/.exec(weight) ?? []
    const perUnit = weight.endsWith('* kg')
      ? fraction(unit.weightGrams, 1000)
      : name === 'lb'
        ? KILOGRAMS_PER_POUND
        : fraction(1)
    return over(times(times(decimal(figure), perUnit), fraction(1000)), unitKilograms(terms))
  })
}

/** The longest side of a pallet is one of its footprint. */
function isFlatPallet({ parcelType }: ProductTerms): boolean {
  return parcelType === 'PALLET'
}

/** Volumetric weights are rounded up to the gram, the chargeable weight to the step of the product for that weight. */
export function oracleWeight(terms: OracleProduct, unit: Parcel): OracleWeight {
  const { minBilledUnitGrams = 0 } = terms
  const grams = actualGrams(terms, unit)
  const volumetric = terms.documentGrams === undefined ? exactVolumetric(terms, unit) : fraction(0)
  const weights = [inUnits(terms, grams), volumetric, ...floorWeights(terms, unit)]
  const exactGrams = times(volumetric, unitKilograms(terms))
  return {
    actualGrams: grams,
    volumetricGrams: Number(ceilDiv(exactGrams.n, exactGrams.d)),
    chargeableGrams: Math.max(upToStep(terms, weights.reduce(larger)), minBilledUnitGrams),
  }
}

function upToStep({ heavyOverGrams, heavyStepGrams, weightStepGrams }: ProductTerms, { n, d }: Fraction) {
  const heavy = heavyOverGrams !== undefined && n > BigInt(heavyOverGrams) * d
  const step = heavy ? heavyStepGrams! : weightStepGrams
  return Number(ceilDiv(n, d * BigInt(step))) * step
}

function roundUp(grams: number, step: number): number {
  return Number(ceilDiv(BigInt(grams), BigInt(step))) * step
}

/** The weight that a shipment is billed for. */
export function oracleShipmentGrams(terms: OracleProduct, parcels: readonly Parcel[]): number {
  let grams = 0
  if (terms.volumetricPer === 'shipment') {
    const counted = (weightOf: (unit: Parcel) => Fraction): Fraction =>
      sumOf(parcels.map((unit) => times(weightOf(unit), fraction(unit.count))))
    const actual = counted((unit) => inUnits(terms, actualGrams(terms, unit)))
    grams = upToStep(
      terms,
      larger(
        actual,
        counted((unit) => exactVolumetric(terms, unit)),
      ),
    )
  } else for (const unit of parcels) grams += oracleWeight(terms, unit).chargeableGrams * unit.count
  const rounded = roundUp(grams, terms.shipmentStepGrams ?? 1)
  const { minBilledShipmentGrams = rounded } = terms
  return rounded < minBilledShipmentGrams ? minBilledShipmentGrams : rounded
}

/** Cents, or the code of the decline. */
export type OracleFreight =
  | number
  | 'ROUTE_NOT_SERVED'
  | 'OVER_WEIGHT'
  | 'OVER_SIZE'
  | 'FREIGHT_CLASS_REQUIRED'
  | 'FREIGHT_CLASS_NOT_CARRIED'

export function oracleFreight(
  card: RateCardContent,
  terms: OracleProduct,
  zone: number,
  parcels: readonly Parcel[],
): OracleFreight {
  const rows = card.prices.filter((row) => row.productId === terms.productId && row.zone === zone)
  if (rows.length === 0) return 'ROUTE_NOT_SERVED'
  const weighed = parcels.map((unit) => ({ unit, ...oracleWeight(terms, unit) }))
  const { pricingBasis } = terms
  if (pricingBasis === 'freight-class') return ratesByClass(card, terms, rows, weighed)
  if (pricingBasis === 'parcel' || pricingBasis === 'pallet-class' || pricingBasis === 'size-class') {
    let sum = 0
    for (const { unit, chargeableGrams } of weighed) {
      const price =
        pricingBasis === 'parcel'
          ? bandPrice(rows, chargeableGrams, false)
          : pricingBasis === 'size-class'
            ? sizePrice(card, terms, rows, unit)
            : classPrice(card, terms, rows, unit)
      if (typeof price === 'string') return price
      sum += price * unit.count
    }
    return sum
  }
  const deficit = pricingBasis === 'per-100kg' && terms.deficitWeight !== 'no'
  return bandPrice(rows, oracleShipmentGrams(terms, parcels), deficit)
}

/** Each unit at the rate of its class in the band of the whole, or in the next band, with deficit weight. */
function ratesByClass(
  card: RateCardContent,
  terms: OracleProduct,
  rows: readonly PriceRow[],
  weighed: readonly (OracleWeight & { readonly unit: Parcel })[],
): OracleFreight {
  const charged: { readonly name: string; readonly grams: number }[] = []
  for (const { unit, chargeableGrams } of weighed) {
    const found = freightClass(card, terms, unit)
    if (found === 'FREIGHT_CLASS_REQUIRED' || found === 'FREIGHT_CLASS_NOT_CARRIED') return found
    if (!rows.some(({ palletClass }) => palletClass === found)) return 'ROUTE_NOT_SERVED'
    charged.push({ name: found, grams: chargeableGrams * unit.count })
  }
  const grams = charged.reduce((all, row) => all + row.grams, 0)
  const chargeFrom = (isBand: (row: PriceRow) => boolean): number | undefined => {
    const bands = rows.filter(isBand)
    if (bands.length === 0) return undefined
    const rates = charged.map(({ name }) => bands.find(({ palletClass }) => palletClass === name)!.priceCents)
    const missing = Math.max(0, bands[0]!.overGrams - grams)
    const sum = charged.reduce((all, row, at) => all + BigInt(rates[at]!) * BigInt(row.grams), 0n)
    return halfUp(sum + BigInt(Math.min(...rates)) * BigInt(missing), 100_000n)
  }
  const own = rows.find(({ overGrams, upToGrams }) => overGrams < grams && grams <= upToGrams)
  if (own === undefined) return 'OVER_WEIGHT'
  const price = chargeFrom(({ overGrams }) => overGrams === own.overGrams)!
  const next = chargeFrom(({ overGrams }) => overGrams === own.upToGrams)
  return terms.deficitWeight === 'no' || next === undefined ? price : Math.min(price, next)
}

/** The class of the first row that the unit fits; without rows of the carrier, the stated one. */
function freightClass(card: RateCardContent, terms: OracleProduct, unit: Parcel): string {
  const classes = card.sizeClasses.filter(({ carrierCode }) => carrierCode === terms.carrierCode)
  const { freightClassTenths: tenths } = unit
  if (classes.length === 0) return tenths === undefined ? 'FREIGHT_CLASS_REQUIRED' : String(tenths / 10)
  const fitting = classes.find(({ condition }) => fitsClass(terms, unit, condition))
  if (fitting !== undefined) return fitting.sizeClass
  const isMissing = tenths === undefined && classes.some(({ condition }) => condition.startsWith('freight'))
  return isMissing ? 'FREIGHT_CLASS_REQUIRED' : 'FREIGHT_CLASS_NOT_CARRIED'
}

/** Conditions are `sum <= 60 cm and kg <= 2`, `freight_class between 60 and 125` or `density >= 250 kg_per_m3`. */
function fitsClass(
  terms: ProductTerms,
  { lengthCm, widthCm, heightCm, weightGrams, freightClassTenths }: Parcel,
  condition: string,
): boolean {
  const centimetres = [lengthCm, widthCm, heightCm].map((side) =>
    terms.sideRounding === undefined ? fraction(side) : times(inches(terms, side), decimal('2.54')),
  )
  const [, low, high] = /^freight_class between (\d+) and (\d+)$/.exec(condition) ?? []
  if (low !== undefined && high !== undefined) {
    const tenths = freightClassTenths ?? Number.NaN
    return 10 * Number(low) <= tenths && tenths <= 10 * Number(high)
  }
  const [, relation, density = '', unitOfDensity] =
    /^density (>=|<) (\d+) (kg_per_m3|lb_per_ft3)$/.exec(condition) ?? []
  if (relation !== undefined) {
    // Kilograms and cubic metres, or pounds and cubic feet of 30.48 cm.
    const weight = over(
      fraction(weightGrams, 1000),
      unitOfDensity === 'kg_per_m3' ? fraction(1) : KILOGRAMS_PER_POUND,
    )
    const side = unitOfDensity === 'kg_per_m3' ? fraction(100) : decimal('30.48')
    const volume = centimetres.map((length) => over(length, side)).reduce(times)
    const isDense = compare(weight, times(volume, fraction(Number(density)))) >= 0
    return isDense === (relation === '>=')
  }
  const [, bound = '', sign, kilograms = ''] = /^sum <= (\d+) (cm|in) and kg <= (\d+)$/.exec(condition) ?? []
  const limit = times(fraction(Number(bound)), decimal(sign === 'in' ? '2.54' : '1'))
  return compare(sumOf(centimetres), limit) <= 0 && weightGrams <= Number(kilograms) * 1000
}

function bandPrice(rows: readonly PriceRow[], grams: number, deficit: boolean): OracleFreight {
  const band = rows.find(({ overGrams, upToGrams }) => overGrams < grams && grams <= upToGrams)
  if (band === undefined) return 'OVER_WEIGHT'
  if (band.unit === 'KG') {
    const { stepGrams, stepCents = 0, stepTenths = 0 } = band
    const steps = stepGrams === undefined ? 0n : ceilDiv(BigInt(grams - band.overGrams), BigInt(stepGrams))
    return halfUp(10n * BigInt(band.priceCents) + steps * BigInt(10 * stepCents + stepTenths), 10n)
  }
  const price = per100kg(band.priceCents, grams)
  const next = rows.find((row) => row.unit === 'PER100KG' && row.overGrams === band.upToGrams)
  return deficit && next !== undefined ? Math.min(price, per100kg(next.priceCents, next.overGrams)) : price
}

function per100kg(rateCents: number, grams: number): number {
  return halfUp(BigInt(rateCents) * BigInt(grams), 100_000n)
}

/** The price of the first class that the parcel fits. */
function sizePrice(
  card: RateCardContent,
  terms: ProductTerms,
  rows: readonly PriceRow[],
  unit: Parcel,
): OracleFreight {
  const fitting = card.sizeClasses.find(
    ({ carrierCode, condition }) => carrierCode === terms.carrierCode && fitsClass(terms, unit, condition),
  )
  if (fitting === undefined) return 'OVER_SIZE'
  const price = rows.find(({ palletClass }) => palletClass === fitting.sizeClass)
  return price === undefined ? 'ROUTE_NOT_SERVED' : price.priceCents
}

/** The price of the smallest class that the pallet fits, in either orientation, times its spaces. */
function classPrice(
  card: RateCardContent,
  terms: ProductTerms,
  rows: readonly PriceRow[],
  { lengthCm, widthCm, heightCm, weightGrams }: Parcel,
): OracleFreight {
  const bySize = card.palletClasses.filter(
    (row) =>
      row.carrierCode === terms.carrierCode &&
      Math.max(lengthCm, widthCm) <= row.longSideCm &&
      Math.min(lengthCm, widthCm) <= row.shortSideCm &&
      heightCm <= row.maxHeightCm,
  )
  const fitting = bySize
    .filter(({ maxGrams }) => weightGrams <= maxGrams)
    .sort(
      (a, b) =>
        a.spaces - b.spaces ||
        a.longSideCm * a.shortSideCm - b.longSideCm * b.shortSideCm ||
        a.maxHeightCm - b.maxHeightCm ||
        a.maxGrams - b.maxGrams,
    )
  const [smallest] = fitting
  if (smallest === undefined) return bySize.length > 0 ? 'OVER_WEIGHT' : 'OVER_SIZE'
  const price = rows.find(({ palletClass }) => palletClass === smallest.palletClass)
  return price === undefined ? 'ROUTE_NOT_SERVED' : price.priceCents * smallest.spaces
}
