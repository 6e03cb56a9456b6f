/**
 * Quantities of goods and the units they are given in. Decided here: which units measure the same quantity, so
 * that a weight in kilograms answers an amount per 100 kg, and a number of items one per dozen. Every other unit
 * is a quantity of its own: what it measures must be told in it. The words are those of duty-text-units.ts.
 */
import {
  type CountedUnit,
  countedUnit,
  plainUnit,
  spelledOut,
  unitWords,
  weightQualifier,
} from './duty-text-units.ts'

/** What a unit measures, and how many of the unit one of that quantity is: "100 kg" is 'kg', 1/100. */
export type QuantityUnit = {
  /** 'items', 'kg', 'l', 'm2', 'm3'…, or the unit itself when it is a quantity of its own. */
  readonly quantity: string
  readonly per: { readonly numerator: number; readonly denominator: number }
}

type NamedUnit = QuantityUnit & { readonly unit: string }

const OWN = { numerator: 1, denominator: 1 }

/** No unit is longer; a text that is cannot be one. */
const MAX_LENGTH = 80

/** A capital alone ("M" may be a metre or a thousand; "L" is a litre all the same), and a number over a unit. */
const AMBIGUOUS = /^(?:[A-KM-Z]$|[\d, ]+\/)/

/** Units that have a word of their own. */
const LARGER: Readonly<Record<string, string>> = {
  '1000 g': 'kg',
  '1000 kg': 'tonne',
  '100 l': 'hl',
  '1000 m': 'km',
  '12 items': 'dozen',
  '144 items': 'gross',
}

/** Reads a unit in any spelling; an unknown one is a quantity of its own. */
export function readQuantityUnit(unit: string): QuantityUnit {
  const known = knownUnit(unit)
  if (known !== undefined) return { quantity: known.quantity, per: known.per }
  return { quantity: unit.replace(/\s+/g, ' ').trim(), per: OWN }
}

/** The one spelling of a unit: "DTN E" is "100 kg net drained wt". Undefined when it is not known. */
export function canonicalUnit(text: string): string | undefined {
  return knownUnit(text)?.unit
}

function knownUnit(text: string): NamedUnit | undefined {
  if (text.length > MAX_LENGTH || AMBIGUOUS.test(text.trim())) return undefined
  const words = spelledOut(unitWords(text))
  const plain = plainUnit(words)
  if (plain !== undefined) return { unit: plain, quantity: plain, per: OWN }
  const [, digits, rest = ''] = /^(?:([1-9]\d{0,5}) )?(.+)$/.exec(words) ?? []
  const number = digits === undefined ? 1 : Number(digits)
  const whole = countedUnit(rest)
  if (whole !== undefined) return measured(number, whole, '')
  // "tonne std qual": the first word is a unit of weight, the others say what is weighed.
  const [base = '', ...others] = rest.split(' ')
  const weight = countedUnit(base)
  const qualifier = weight?.quantity === 'kg' ? weightQualifier(others.join(' ')) : undefined
  return weight === undefined || qualifier === undefined ? undefined : measured(number, weight, qualifier)
}

function measured(number: number, base: CountedUnit, qualifier: string): NamedUnit {
  // "% sacchar" is counted as well: an amount per 100 kg and per 1% of sugar in it.
  const joint = qualifier === '' ? '' : qualifier.startsWith('%') ? '/' : ' '
  const words = number === 1 ? base.one : `${number} ${base.many}`
  const { numerator, denominator } = base.size
  return {
    unit: `${LARGER[words] ?? words}${joint}${qualifier}`,
    quantity: `${base.quantity}${joint}${qualifier}`,
    per: reduced(denominator, numerator * number),
  }
}

function reduced(numerator: number, denominator: number): QuantityUnit['per'] {
  const divisor = greatestDivisor(numerator, denominator)
  return { numerator: numerator / divisor, denominator: denominator / divisor }
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}
