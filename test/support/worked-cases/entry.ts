/**
 * A key of a worked case with its value, and readers for amounts, percentages, counts and booleans. Amounts in another
 * currency are converted at the rate that the case gives. A value that cannot be read is a problem of the case and is
 * never guessed. Figures are decimal text, without floating point.
 */
import { parseDecimal } from '../../../src/core/quantity.ts'

/** The currency and exchange rates of a case, and its problems. */
export type Ledger = {
  readonly currency: string
  /** By currency: units of the case's currency for one unit of it. */
  readonly rates: Map<string, string>
  /** A rate without a named currency. */
  soleRate?: string
  readonly problems: string[]
}

/** A key of a case with its value. `path` is its place, such as "inputs.duties[0].specific". */
export type Entry = {
  readonly path: string
  readonly key: string
  readonly value: unknown
  /** The currency of an amount that does not name one. */
  readonly currency: string
  readonly ledger: Ledger
}

export function reject({ path, ledger }: Entry, why: string): void {
  ledger.problems.push(`${path}: ${why}`)
}

export function child(entry: Entry, key: string, value: unknown): Entry {
  return { ...entry, path: `${entry.path}.${key}`, key, value }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The entries of a list. A single value is a list of one. */
export function entriesOf(entry: Entry): readonly Entry[] {
  if (!Array.isArray(entry.value)) return [entry]
  return entry.value.map((value, index) => ({ ...entry, path: `${entry.path}[${index}]`, value }))
}

const SIGNS: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', '¥': 'JPY' }
const MONEY = /^([A-Z]{3}|[€£¥])?\s*(-?[\d.,]+)\s*([A-Z]{3}|[€£¥])?$/

/** An amount in units of the case's currency: 12, "12.50", "EUR 12.50", { amount, currency }. */
export function amountOf(entry: Entry): string {
  if (isRecord(entry.value)) {
    const { amount, value, currency } = entry.value
    return amountOf({ ...entry, value: amount ?? value, currency: String(currency ?? entry.currency) })
  }
  const [, before, digits, after] = MONEY.exec(String(entry.value).trim()) ?? []
  const figure = digits === undefined ? decimalText(entry.value) : decimalText(digits)
  if (figure === undefined) {
    reject(entry, `${JSON.stringify(entry.value)} is no amount`)
    return '0'
  }
  const named = before ?? after
  return inCaseCurrency(entry, figure, named === undefined ? entry.currency : (SIGNS[named] ?? named))
}

/** Converts an amount at the rate that the case gives. */
export function inCaseCurrency(entry: Entry, figure: string, currency: string): string {
  const { ledger } = entry
  if (currency === ledger.currency || figure === '0') return figure
  const rate = ledger.rates.get(currency) ?? ledger.soleRate
  if (rate !== undefined) return timesDecimal(figure, rate)
  reject(entry, `an amount in ${currency}, and no rate to ${ledger.currency} is given`)
  return '0'
}

/** A figure without a currency. */
export function figureOf(entry: Entry): string {
  const figure = decimalText(entry.value)
  if (figure === undefined) reject(entry, `${JSON.stringify(entry.value)} is no figure`)
  return figure ?? '0'
}

/** A percentage in parts per million: 8, "17.5", "17.5%". */
export function ppmOf(entry: Entry): number {
  const text = typeof entry.value === 'string' ? entry.value.trim().replace(/\s*%$/, '') : entry.value
  const ppm = stepsOf(decimalText(text) ?? '', 4)
  if (ppm === undefined)
    reject(entry, `${JSON.stringify(entry.value)} is no percentage of up to four decimals`)
  return ppm ?? 0
}

/** A share as decimal text, from 0.7, 70 or "70%". */
export function shareOf(entry: Entry): string {
  const figure = decimalText(entry.value)
  if (figure !== undefined && !figure.startsWith('-') && /^(?:0(?:\.\d+)?|1)$/.test(figure)) return figure
  return timesDecimal(String(ppmOf(entry)), '0.000001')
}

export function yesOf(entry: Entry): boolean {
  if (entry.value === true || /^(?:yes|true)$/i.test(String(entry.value))) return true
  if (entry.value !== false && !/^(?:no|false)$/i.test(String(entry.value)))
    reject(entry, `${JSON.stringify(entry.value)} is neither yes nor no`)
  return false
}

export function countOf(entry: Entry): number {
  const count = stepsOf(decimalText(entry.value) ?? '', 0)
  if (count === undefined || count < 1) reject(entry, `${JSON.stringify(entry.value)} is no number of pieces`)
  return count ?? 1
}

export function textOf(entry: Entry): string {
  if (typeof entry.value === 'string' || typeof entry.value === 'number') return String(entry.value).trim()
  reject(entry, `${JSON.stringify(entry.value)} is no text`)
  return ''
}

const GROUPED = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
const PLAIN = /^-?\d+(?:\.\d+)?$/

/** Decimal text in its shortest form ("1,200.50" and 1200.5 become "1200.5"), or undefined if it is not a number. */
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

/** The exact product of two decimal texts. */
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

/** Decimal text as an integer of 10^-`places`, or undefined if it has more decimals or is too large. */
export function stepsOf(text: string, places: number): number | undefined {
  return parseDecimal(text, places)
}
