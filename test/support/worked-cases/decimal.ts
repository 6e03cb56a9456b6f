/** Figures of worked cases as decimal text: they are read, multiplied and counted in steps without floating point. */
import { parseDecimal } from '../../../src/core/quantity.ts'

const GROUPED = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
const PLAIN = /^-?\d+(?:\.\d+)?$/

/** A figure in its shortest form ("1,200.50" and 1200.5 are "1200.5"); undefined for what is none. */
export function decimalText(value: unknown): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const text = String(value).trim().replace(/^\+/, '')
  const digits = GROUPED.test(text) ? text.replaceAll(',', '') : text
  return PLAIN.test(digits) ? shortest(digits) : undefined
}

function shortest(digits: string): string {
  const text = digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits
  const bare = text.replace(/^(-?)0+(?=\d)/, '$1')
  return bare === '-0' ? '0' : bare
}

/** The product of two figures, exactly. */
export function timesDecimal(a: string, b: string): string {
  const places = decimalsOf(a) + decimalsOf(b)
  const product = BigInt(a.replace('.', '')) * BigInt(b.replace('.', ''))
  const digits = String(product < 0n ? -product : product).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const sign = product < 0n ? '-' : ''
  return shortest(`${sign}${whole}${places === 0 ? '' : `.${digits.slice(-places)}`}`)
}

function decimalsOf(text: string): number {
  return text.includes('.') ? text.length - text.indexOf('.') - 1 : 0
}

/** A figure in steps of 10^-`places`; undefined when it is finer or too large. */
export function stepsOf(text: string, places: number): number | undefined {
  return parseDecimal(text, places)
}
