/**
 * Figures of a rate card as text with units, for messages, comparisons and explanations. No figure is rounded.
 */
import { formatCents, formatUnits } from '../../money.ts'
import { formatDecimal, formatKilograms } from '../../quantity.ts'
import { unitOfWeight } from '../book/list-units.ts'
import type { ListUnits, PlaceRange, PriceRow } from '../rate-card.ts'

/** A weight in the unit of a price list, in thousandths: "12.4 kg", "27 lb". */
export function weightText(thousandths: number, units: ListUnits | undefined): string {
  return `${formatKilograms(thousandths)} ${unitOfWeight(units).sign}`
}

/** Grams as "12.4 kg". */
export function kilogramsText(grams: number): string {
  return `${formatKilograms(grams)} kg`
}

/** Cents as "12.50 EUR". */
export function euroText(cents: number): string {
  return moneyText(cents, 'EUR')
}

/** Hundredths of a currency as "12.50 GBP". */
export function moneyText(cents: number, currency: string): string {
  return `${formatCents(cents)} ${currency}`
}

/** Tenths of hundredths of a currency as "0.085 GBP", and as "0.35 GBP" without tenths. */
export function tenthsText(tenths: number, currency: string): string {
  return tenths % 10 === 0 ? moneyText(tenths / 10, currency) : `${formatUnits(tenths, 3)} ${currency}`
}

/** A percentage in units of 10^-`places` as "9.5%". By default it is in basis points. */
export function percentText(rate: number, places = 2): string {
  return `${formatDecimal(rate, places)}%`
}

/** Working days as "2 days" or "2 to 5 days". */
export function daysText(minDays: number, maxDays: number): string {
  if (minDays !== maxDays) return `${minDays} to ${maxDays} days`
  return minDays === 1 ? '1 day' : `${minDays} days`
}

/** "ES", "ES 35000 to 35999" or "ES Las Palmas". */
export function placeText({ country, from, to, city }: PlaceRange): string {
  const range = from === undefined && to === undefined ? '' : ` ${from ?? ''} to ${to ?? ''}`
  return `${country === '*' ? 'all other countries' : country}${range}${city === undefined ? '' : ` ${city}`}`
}

/**
 * "up to 5 kg", "up to 500 lb, per 100 lb", "pallet HALF", "size M" or "class 70 up to 500 lb, per 100 lb". `units` are
 * those of the product.
 */
export function bandText(
  { unit, palletClass = '', upToGrams }: PriceRow,
  units: ListUnits | undefined,
): string {
  if (unit === 'PALLET') return `pallet ${palletClass}`
  if (unit === 'SIZE') return `size ${palletClass}`
  const perHundred = unit === 'KG' ? '' : `, per ${weightText(100_000, units)}`
  return `${unit === 'CLASS' ? `class ${palletClass} ` : ''}up to ${weightText(upToGrams, units)}${perHundred}`
}
