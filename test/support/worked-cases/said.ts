/**
 * What a worked case says under a key, and how its values read: amounts in the currency of the case, percentages,
 * yes and no. Decided here: an amount in another currency is changed at the rate the case itself gives; a value that
 * does not read is a problem of the case, never a guess.
 */
import { decimalText, stepsOf, timesDecimal } from './decimal.ts'

/** The money of a case, and what of the case was not understood. */
export type Ledger = {
  readonly currency: string
  /** Units of the case's currency for one of another. */
  readonly rates: Map<string, string>
  /** A rate given without naming its currency. */
  soleRate?: string
  readonly problems: string[]
}

/** A key of a case with its value; `path` is where it stands: "inputs.duties[0].specific". */
export type Said = {
  readonly path: string
  readonly key: string
  readonly value: unknown
  /** Of an amount, unless its text names another. */
  readonly currency: string
  readonly ledger: Ledger
}

/** Notes that a value is not understood. */
export function refuse({ path, ledger }: Said, why: string): void {
  ledger.problems.push(`${path}: ${why}`)
}

/** The same place with another value. */
export function under(said: Said, key: string, value: unknown): Said {
  return { ...said, path: `${said.path}.${key}`, key, value }
}

/** True for an object with keys. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The values of a list, each at its place; a single value is a list of one. */
export function listed(said: Said): readonly Said[] {
  if (!Array.isArray(said.value)) return [said]
  return said.value.map((value, index) => ({ ...said, path: `${said.path}[${index}]`, value }))
}

const SIGNS: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', '¥': 'JPY' }
const MONEY = /^([A-Z]{3}|[€£¥])?\s*(-?[\d.,]+)\s*([A-Z]{3}|[€£¥])?$/

/** An amount in units of the case's currency: 12, "12.50", "EUR 12.50", { amount, currency }. */
export function amountOf(said: Said): string {
  if (isRecord(said.value)) {
    const { amount, value, currency } = said.value
    return amountOf({ ...said, value: amount ?? value, currency: String(currency ?? said.currency) })
  }
  const [, before, digits, after] = MONEY.exec(String(said.value).trim()) ?? []
  const figure = digits === undefined ? decimalText(said.value) : decimalText(digits)
  if (figure === undefined) {
    refuse(said, `${JSON.stringify(said.value)} is no amount`)
    return '0'
  }
  const named = before ?? after
  return inCaseCurrency(said, figure, named === undefined ? said.currency : (SIGNS[named] ?? named))
}

/** An amount of another currency at the rate of the case. */
export function inCaseCurrency(said: Said, figure: string, currency: string): string {
  const { ledger } = said
  if (currency === ledger.currency || figure === '0') return figure
  const rate = ledger.rates.get(currency) ?? ledger.soleRate
  if (rate !== undefined) return timesDecimal(figure, rate)
  refuse(said, `an amount in ${currency}, and no rate to ${ledger.currency} is given`)
  return '0'
}

/** A figure that is no money. */
export function figureOf(said: Said): string {
  const figure = decimalText(said.value)
  if (figure === undefined) refuse(said, `${JSON.stringify(said.value)} is no figure`)
  return figure ?? '0'
}

/** A percentage in parts per million: 8, "17.5", "17.5%". */
export function ppmOf(said: Said): number {
  const text = typeof said.value === 'string' ? said.value.trim().replace(/\s*%$/, '') : said.value
  const ppm = stepsOf(decimalText(text) ?? '', 4)
  if (ppm === undefined) refuse(said, `${JSON.stringify(said.value)} is no percentage of up to four decimals`)
  return ppm ?? 0
}

/** A share of a whole: 0.7, 70, "70%". */
export function shareOf(said: Said): string {
  const figure = decimalText(said.value)
  if (figure !== undefined && !figure.startsWith('-') && /^(?:0(?:\.\d+)?|1)$/.test(figure)) return figure
  return timesDecimal(String(ppmOf(said)), '0.000001')
}

/** Yes or no. */
export function yesOf(said: Said): boolean {
  if (said.value === true || /^(?:yes|true)$/i.test(String(said.value))) return true
  if (said.value !== false && !/^(?:no|false)$/i.test(String(said.value)))
    refuse(said, `${JSON.stringify(said.value)} is neither yes nor no`)
  return false
}

/** A number of pieces. */
export function countOf(said: Said): number {
  const count = stepsOf(decimalText(said.value) ?? '', 0)
  if (count === undefined || count < 1) refuse(said, `${JSON.stringify(said.value)} is no number of pieces`)
  return count ?? 1
}

/** A text. */
export function textOf(said: Said): string {
  if (typeof said.value === 'string' || typeof said.value === 'number') return String(said.value).trim()
  refuse(said, `${JSON.stringify(said.value)} is no text`)
  return ''
}
