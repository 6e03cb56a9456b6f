/**
 * The figures of a rate card as people read them: kilograms, euro, percent, days. For messages, comparisons and
 * explanations; every text is exact, with its unit.
 */
import { formatCents } from '../../money.ts'
import { formatDecimal, formatKilograms } from '../../quantity.ts'
import type { PlaceRange, PriceRow } from '../rate-card.ts'

/** Grams as "12.4 kg". */
export function kilogramsText(grams: number): string {
  return `${formatKilograms(grams)} kg`
}

/** Cents as "12.50 EUR". */
export function euroText(cents: number): string {
  return `${formatCents(cents)} EUR`
}

/** Basis points as "9.5%"; `places` says of how many decimals a finer rate is. */
export function percentText(rate: number, places = 2): string {
  return `${formatDecimal(rate, places)}%`
}

/** Working days as "2 days" or "2 to 5 days". */
export function daysText(minDays: number, maxDays: number): string {
  if (minDays !== maxDays) return `${minDays} to ${maxDays} days`
  return minDays === 1 ? '1 day' : `${minDays} days`
}

/** A place range as "ES", "ES 35000 to 35999" or "ES Las Palmas". */
export function placeText({ country, from, to, city }: PlaceRange): string {
  const range = from === undefined && to === undefined ? '' : ` ${from ?? ''} to ${to ?? ''}`
  return `${country === '*' ? 'all other countries' : country}${range}${city === undefined ? '' : ` ${city}`}`
}

/** What a price is for, within its zone: "up to 5 kg", "up to 500 kg, per 100 kg", "pallet HALF". */
export function bandText({ unit, palletClass = '', upToGrams }: PriceRow): string {
  if (unit === 'PALLET') return `pallet ${palletClass}`
  return `up to ${kilogramsText(upToGrams)}${unit === 'PER100KG' ? ', per 100 kg' : ''}`
}
