/** Reads quantities with a unit ("249 g", "1.5kW", "0,75 l") and compares them with ranges of the lexicon. */
import type { GoodsWord } from './goods-text.ts'

/** More than `above` and at most `upTo`, in the base unit of the kind. */
export type MeasureRange = { readonly kind: MeasureKind; readonly above: number; readonly upTo: number }

export type MeasureKind = 'grams' | 'millilitres' | 'watts' | 'volts' | 'millimetres' | 'cubic centimetres'

/** A quantity in the base unit of its kind, and the number of words that express it. */
export type Measure = { readonly kind: MeasureKind; readonly quantity: number; readonly words: number }

const UNITS: ReadonlyMap<string, readonly [MeasureKind, number]> = new Map([
  ['mg', ['grams', 0.001]],
  ['g', ['grams', 1]],
  ['gr', ['grams', 1]],
  ['gram', ['grams', 1]],
  ['gramm', ['grams', 1]],
  ['kg', ['grams', 1000]],
  ['kilo', ['grams', 1000]],
  ['oz', ['grams', 28.35]],
  ['lb', ['grams', 453.6]],
  ['ml', ['millilitres', 1]],
  ['cl', ['millilitres', 10]],
  ['l', ['millilitres', 1000]],
  ['litre', ['millilitres', 1000]],
  ['w', ['watts', 1]],
  ['watt', ['watts', 1]],
  ['kw', ['watts', 1000]],
  ['v', ['volts', 1]],
  ['volt', ['volts', 1]],
  ['mm', ['millimetres', 1]],
  ['cm', ['millimetres', 10]],
  ['m', ['millimetres', 1000]],
  ['inch', ['millimetres', 25.4]],
  ['cc', ['cubic centimetres', 1]],
  ['ccm', ['cubic centimetres', 1]],
  ['cm3', ['cubic centimetres', 1]],
])

const NUMBER_AND_UNIT = /^(\d{1,9}(?:[.,]\d{1,9})?)([a-z]*3?)$/

/** The measure at a position of a text. The unit may be the next word: "249 g". */
export function measureAt(text: readonly Pick<GoodsWord, 'key'>[], at: number): Measure | undefined {
  const { key } = text[at]!
  if (key < '0' || key > '9z') return undefined
  const [, digits, attached = ''] = NUMBER_AND_UNIT.exec(key) ?? []
  if (digits === undefined) return undefined
  const unit = UNITS.get(attached === '' ? (text[at + 1]?.key ?? '') : attached)
  if (unit === undefined) return undefined
  const [kind, factor] = unit
  return { kind, quantity: factor * numberFrom(digits), words: attached === '' ? 2 : 1 }
}

/** A comma before three digits separates thousands: "10,000". Any other comma is a decimal one. */
function numberFrom(digits: string): number {
  return Number(/,\d{3}$/.test(digits) ? digits.replace(',', '') : digits.replace(',', '.'))
}

const RANGE = /^(\d{0,9}(?:\.\d{1,3})?)\.\.(\d{0,9}(?:\.\d{1,3})?) ([a-z0-9]{1,6})$/

/** Reads a range of the lexicon: "..250 g", "250..7000 g", "1500.. w". Undefined for other texts. */
export function readRange(text: string): MeasureRange | undefined {
  const [, above, upTo, name = ''] = RANGE.exec(text) ?? []
  const unit = UNITS.get(name)
  if (unit === undefined || (above === '' && upTo === '')) return undefined
  const [kind, factor] = unit
  return {
    kind,
    above: above === '' ? -1 : factor * Number(above),
    upTo: upTo === '' ? Number.MAX_VALUE : factor * Number(upTo),
  }
}

export function isWithin({ kind, quantity }: Measure, range: MeasureRange): boolean {
  return kind === range.kind && quantity > range.above && quantity <= range.upTo
}
