/**
 * Warns of figures that a person probably mistyped or took from the wrong column: they are possible, but no published
 * list has them. Each warning names the row and the column. See docs/rate-card-files.md#faults.
 */
import { groupBy } from '../../../group-by.ts'
import { percentText, weightText } from '../../../rating/explain/figure-text.ts'
import {
  type PriceRow,
  type ProductTerms,
  type RateCardContent,
  type RateCardImport,
  stepPriceTenths,
} from '../../../rating/rate-card.ts'
import { type CardIndex, productText } from '../card-index.ts'
import type { Reports } from '../findings.ts'

/** Percentages in basis points. */
const ONE_PERCENT = 100
const HIGHEST_FUEL = 6_000
const HIGHEST_SURCHARGE = 10_000
const HIGHEST_VAT = 3_000
const HIGHEST_PREMIUM = 1_000

/** The lowest rate per 100 kg in hundredths of a currency; below, it is probably per kilogram. */
const LOWEST_RATE = 300
/** Above this weight of one parcel, weights are probably grams. */
const HEAVIEST_PARCEL = 1_000_000
const MIN_BANDS = 3
/** Years between the first day of a surcharge and that of the others. */
const YEARS_APART = 5
/** Divisors of centimetres are 3000 and more, those of inches 139 to 250. */
const DIVISOR_OF_INCHES = 1_000
const LONGEST_TRANSIT_DAYS = 60
/** Price tables with fewer prices can be equal. */
const MIN_EQUAL_PRICES = 10

export function warnOfTypingErrors(card: RateCardImport, index: CardIndex, reports: Reports): void {
  const { content } = card
  warnOfPercentages(card, reports)
  warnOfPrices(content.prices, index, reports)
  warnOfEqualTables(content.prices, index, reports)
  warnOfProducts(content, index, reports)
  warnOfTransit(content, reports)
  warnOfInsurance(content, index, reports)
  warnOfUnusedAreas(content, reports)
  warnOfMissingFuel(content, reports)
  warnOfYears(content, reports)
}

function warnOfPercentages({ content, fuel }: RateCardImport, { warn }: Reports): void {
  for (const table of ['surcharges', 'services'] as const)
    content[table].forEach(({ method, amount }, index) => {
      if (method !== 'pct' || !isOutside(amount, HIGHEST_SURCHARGE)) return
      const expected = `a percentage from 1 to ${percentText(HIGHEST_SURCHARGE)}: 8% is written 8`
      warn(table, 'percentage', { index, field: 'amount', expected, found: percentText(amount) })
    })
  content.surcharges.forEach(({ method, amount, code }, index) => {
    if ((method !== 'flat' && method !== 'per_kg' && method !== 'pct') || amount !== 0) return
    warn('surcharges', 'no amount', { index, field: 'amount', expected: `an amount of ${code}`, found: '0' })
  })
  fuel.forEach(({ rateBps, per }, index) => {
    if (per !== undefined || !isOutside(rateBps, HIGHEST_FUEL)) return
    const expected = `0, or a percentage from 1 to ${percentText(HIGHEST_FUEL)}: 10.25% is written 10.25`
    warn('fuel', 'percentage', { index, field: 'rateBps', expected, found: percentText(rateBps) })
  })
  content.vatRates.forEach(({ rateBps }, index) => {
    if (!isOutside(rateBps, HIGHEST_VAT)) return
    const expected = `0, or a percentage from 1 to ${percentText(HIGHEST_VAT)}: 21% is written 21`
    warn('vatRates', 'percentage', { index, field: 'rateBps', expected, found: percentText(rateBps) })
  })
}

/** True for percentages that were probably written as fractions, or without their decimal point. */
function isOutside(bps: number, highest: number): boolean {
  return bps !== 0 && (bps < ONE_PERCENT || bps > highest)
}

function warnOfPrices(prices: readonly PriceRow[], { products, money }: CardIndex, { warn }: Reports): void {
  prices.forEach((row, index) => {
    const { unit, priceCents, stepGrams, overGrams, upToGrams, productId } = row
    if (priceCents === 0 && (stepGrams === undefined || overGrams > 0))
      warn('prices', 'zero', { index, field: 'priceCents', expected: 'a price above 0', found: money(0) })
    else if ((unit === 'PER100KG' || unit === 'CLASS') && priceCents < LOWEST_RATE) {
      const expected = `at least ${money(LOWEST_RATE)} per 100: a rate per kilogram is written times 100`
      warn('prices', 'low rate', { index, field: 'priceCents', expected, found: money(priceCents) })
    }
    if (stepGrams === undefined) return
    const weight = (thousandths: number): string => weightText(thousandths, products.get(productId)?.units)
    if (stepGrams > upToGrams - overGrams) {
      const expected = `a step of at most ${weight(upToGrams - overGrams)}, the width of the band`
      warn('prices', 'wide step', { index, field: 'stepGrams', expected, found: weight(stepGrams) })
    }
    if (stepPriceTenths(row) === 0)
      warn('prices', 'free step', { index, field: 'stepCents', expected: 'a step with a price', found: '0' })
  })
}

/** A sheet that was copied, and whose prices were not changed. Reported once for each such product. */
function warnOfEqualTables(
  prices: readonly PriceRow[],
  { priced, products }: CardIndex,
  { warn }: Reports,
): void {
  const known = new Map<string, { readonly terms: ProductTerms; readonly rows: readonly number[] }[]>()
  for (const [productId, zones] of priced) {
    const terms = products.get(productId)
    const rows = [...zones.values()].flatMap(({ bands, pallets }) => [...bands, ...pallets])
    if (terms === undefined || rows.length < MIN_EQUAL_PRICES) continue
    // A card can have a million prices, so that only tables with equal sums are compared.
    const sum = rows.reduce((cents, row) => cents + prices[row]!.priceCents, 0)
    const key = JSON.stringify([terms.carrierCode, terms.parcelType, terms.pricingBasis, rows.length, sum])
    const alike = known.get(key) ?? []
    const other = alike.find((earlier) =>
      rows.every((row, at) => isSame(prices[row]!, prices[earlier.rows[at]!]!)),
    )
    known.set(key, [...alike, { terms, rows }])
    if (other === undefined) continue
    const expected = `prices that differ from those of ${productText(other.terms)} in the same zones`
    const found = `${rows.length} equal prices of ${productText(terms)}`
    warn('prices', 'equal tables', { index: rows[0]!, field: 'productId', expected, found })
  }
}

function isSame(one: PriceRow, other: PriceRow): boolean {
  return (
    one.priceCents === other.priceCents &&
    one.zone === other.zone &&
    one.upToGrams === other.upToGrams &&
    one.unit === other.unit &&
    one.palletClass === other.palletClass &&
    one.stepGrams === other.stepGrams &&
    stepPriceTenths(one) === stepPriceTenths(other)
  )
}

function warnOfProducts(content: RateCardContent, index: CardIndex, { warn }: Reports): void {
  const names = new Map<string, number>()
  content.products.forEach((terms, row) => {
    const { carrierCode, name, parcelType, productId, units, volumetricDivisor, pricingBasis } = terms
    const key = JSON.stringify([carrierCode, name, parcelType])
    if (names.has(key) && names.get(key) !== productId) {
      const expected = `a name that the product ${names.get(key)} does not have`
      warn('products', 'name', { index: row, field: 'name', expected, found: name })
    }
    names.set(key, productId)
    if (volumetricDivisor !== undefined && volumetricDivisor < DIVISOR_OF_INCHES === (units === undefined)) {
      const expected =
        units === undefined
          ? 'cubic centimetres per kilogram, such as 5000; a list in inches and pounds needs units, such as lb-in'
          : 'cubic inches per pound, such as 139'
      const found = String(volumetricDivisor)
      warn('products', 'divisor', { index: row, field: 'volumetricDivisor', expected, found })
    }
    warnOfPounds(terms, row, content, index, { warn })
    if (parcelType !== 'PALLET' && units === undefined && pricingBasis === 'parcel')
      warnOfGrams(productId, row, content, index, { warn })
  })
}

/** The bands of a list of letters, such as 20, 50, 100, 500, 1000 and 2000. */
function warnOfGrams(
  productId: number,
  row: number,
  { prices }: RateCardContent,
  { priced }: CardIndex,
  { warn }: Pick<Reports, 'warn'>,
): void {
  for (const { bands } of priced.get(productId)?.values() ?? []) {
    const last = Math.max(0, ...bands.map((band) => prices[band]!.upToGrams))
    if (last < HEAVIEST_PARCEL || bands.filter((band) => prices[band]!.unit === 'KG').length < MIN_BANDS)
      continue
    const expected = 'prices by bands in kilograms: no carrier takes a parcel of this weight'
    warn('products', 'grams', {
      index: row,
      field: 'pricingBasis',
      expected,
      found: weightText(last, undefined),
    })
    return
  }
}

/** Weights that carriers print in pounds, in a card in US dollars without `units`. */
function warnOfPounds(
  { parcelType, units, productId }: ProductTerms,
  row: number,
  { prices, priceTerms }: RateCardContent,
  { priced }: CardIndex,
  { warn }: Pick<Reports, 'warn'>,
): void {
  if (units !== undefined || parcelType !== 'NONDOC' || priceTerms[0]?.currency !== 'USD') return
  const bounds = [...(priced.get(productId)?.values() ?? [])].flatMap(({ bands }) =>
    bands.map((band) => prices[band]!.upToGrams),
  )
  const isWhole = bounds.length > 0 && bounds.every((grams) => grams % 1000 === 0)
  if (!isWhole || !bounds.includes(150_000)) return
  const expected =
    'units such as lb-in, if the list is in pounds: bands in dollars that end at 150 usually are'
  warn('products', 'pounds', { index: row, field: 'units', expected, found: 'kilograms' })
}

function warnOfTransit({ transit, laneTransit }: RateCardContent, { warn }: Reports): void {
  const report = (table: 'transit' | 'laneTransit', maxDays: number, index: number): void => {
    if (maxDays <= LONGEST_TRANSIT_DAYS) return
    const expected = `at most ${LONGEST_TRANSIT_DAYS} working days, not hours`
    warn<'transit' | 'laneTransit'>(table, 'hours', {
      index,
      field: 'maxDays',
      expected,
      found: String(maxDays),
    })
  }
  for (const [index, { maxDays }] of transit.entries()) report('transit', maxDays, index)
  for (const [index, { maxDays }] of laneTransit.entries()) report('laneTransit', maxDays, index)
}

function warnOfInsurance({ insurance }: RateCardContent, { money }: CardIndex, { warn }: Reports): void {
  insurance.forEach(({ rateBps, freeCoverCents, maxValueCents }, index) => {
    if (rateBps > HIGHEST_PREMIUM) {
      const expected = `at most ${percentText(HIGHEST_PREMIUM)} of the value: 0.5% is written 0.5`
      warn('insurance', 'percentage', { index, field: 'rateBps', expected, found: percentText(rateBps) })
    }
    if (maxValueCents >= freeCoverCents) return
    const expected = `at least the free cover, ${money(freeCoverCents)}`
    warn('insurance', 'highest value', {
      index,
      field: 'maxValueCents',
      expected,
      found: money(maxValueCents),
    })
  })
}

/** Areas are only listed for surcharges and transit times. Reported once for each class. */
function warnOfUnusedAreas(
  { areas, surcharges, services, areaTransit }: RateCardContent,
  { warn }: Reports,
): void {
  const rules = [
    ...surcharges.flatMap(({ trigger, condition = '', formula = '' }) => [trigger, condition, formula]),
    ...services.flatMap(({ condition = '', formula = '' }) => [condition, formula]),
  ].filter((text) => text.includes('area'))
  const reported = new Set<string>(areaTransit.map(({ areaClass }) => areaClass))
  areas.forEach(({ areaClass }, index) => {
    if (reported.has(areaClass)) return
    reported.add(areaClass)
    if (areaClass === 'NORMAL' || rules.some((text) => text.includes(areaClass) || text.includes('NORMAL')))
      return
    const expected = 'a surcharge or extra days for the class; the rows have no effect'
    warn('areas', 'unused', { index, field: 'areaClass', expected, found: areaClass })
  })
}

/** Reported once for each carrier. */
function warnOfMissingFuel({ surcharges }: RateCardContent, { warn }: Reports): void {
  const listed = surcharges.map((row, index) => ({ row, index }))
  for (const [carrierCode, rows] of groupBy(listed, ({ row }) => row.carrierCode)) {
    const fuelable = rows.find(({ row }) => row.fuelable && row.phase === 'accessorial')
    if (fuelable === undefined || rows.some(({ row }) => row.phase === 'percent')) continue
    const expected = `no, or a fuel surcharge of ${carrierCode} in the phase percent`
    warn('surcharges', 'no fuel', { index: fuelable.index, field: 'fuelable', expected, found: 'yes' })
  }
}

/** Years such as 2062 for 2026, after which the surcharge would not be charged. */
function warnOfYears({ surcharges }: RateCardContent, { warn }: Reports): void {
  const years = surcharges.map(({ validFrom }) => Number(validFrom.slice(0, 4)))
  const median = years.toSorted((a, b) => a - b)[years.length >> 1]!
  surcharges.forEach(({ validFrom }, index) => {
    if (Math.abs(years[index]! - median) <= YEARS_APART) return
    const expected = `a day near ${median}, the year of the other surcharges`
    warn('surcharges', 'year', { index, field: 'validFrom', expected, found: validFrom })
  })
}
