/** How figures go out: exact decimals as text. */
import { formatCents } from '../../core/money.ts'
import { formatKilograms } from '../../core/quantity.ts'
import type { Money, Weight } from '../generated.ts'

/** Cents as money in euro: 1250 is "12.50". */
export function presentMoney(cents: number): Money {
  return { amount: formatCents(cents), currency: 'EUR' }
}

/** Grams as kilograms: 12400 is "12.4". */
export function presentWeight(grams: number): Weight {
  return { kilograms: formatKilograms(grams) }
}
