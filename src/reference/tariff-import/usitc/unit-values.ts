/**
 * The unit values of the lines of the schedule: "Valued over $6.50 but not over $12/pair". A line has the bounds of its
 * own description and of the descriptions above it. A text with another condition beside the value has no bounds.
 */
import { canonicalUnit } from '../../../core/customs/tariff/quantity-unit.ts'
import { decimal } from '../../../core/quantity.ts'

/** Amounts in dollars: above the first, and up to the second. Empty: no bound. */
export type UnitValue = { readonly above: string; readonly upTo: string; readonly per: string }

const AMOUNT = /^(?:\$[\d,.]+|[\d.]+¢)$/
/** The bounds, and the unit after them: "/pair", " per dozen", " each". Nothing may follow but a colon. */
const BOUNDS_AND_UNIT = /^(.*[\d.,¢](?: or over| or more)?)(?: ?\/ ?| per | )([a-z][a-z ]*):?$/i

/** The words of the schedule for the bounds. The first pattern that fits is used. */
const BOUNDS: readonly (readonly [RegExp, (amounts: readonly string[]) => Omit<UnitValue, 'per'>])[] = [
  [
    /^(\S+) or over but (?:under|less than) (\S+)$/i,
    ([a = '', b = '']) => ({ above: below(a), upTo: below(b) }),
  ],
  [/^over (\S+) but not over (\S+)$/i, ([a = '', b = '']) => ({ above: a, upTo: b })],
  [/^not over (\S+)$/i, ([a = '']) => ({ above: '', upTo: a })],
  [/^over (\S+)$/i, ([a = '']) => ({ above: a, upTo: '' })],
  [/^(?:under|less than) (\S+)$/i, ([a = '']) => ({ above: '', upTo: below(a) })],
  [/^(\S+) or (?:over|more)$/i, ([a = '']) => ({ above: below(a), upTo: '' })],
]

/** The greatest amount below another, in millionths of a dollar. */
function below(amount: string): string {
  const micros = decimal(amount, 6) - 1
  return (micros / 1_000_000).toFixed(6)
}

/** A line of the schedule. `depth` is how far its description is indented. */
type DescribedLine = { readonly number: string; readonly depth: number; readonly description: string }

/** By line of eight digits. The lines are in the order of the schedule. */
export function unitValuesOf(lines: readonly DescribedLine[]): ReadonlyMap<string, UnitValue> {
  const values = new Map<string, UnitValue>()
  const above: (UnitValue | undefined)[] = []
  for (const { number, depth, description } of lines) {
    const inherited = above[depth - 1]
    const own = unitValueOf(description)
    const value = own === undefined ? inherited : narrowed(inherited, own)
    above.length = depth
    above[depth] = value
    const code = number.replaceAll('.', '')
    if (value !== undefined && code.length >= 8 && code < '98' && !values.has(code.slice(0, 8)))
      values.set(code.slice(0, 8), value)
  }
  return values
}

function unitValueOf(description: string): UnitValue | undefined {
  const text = description.replace(/<[^<>]*>/g, '').replace(/ cents/gi, '¢')
  const [, words, more] = text.split(/\bvalued\b/i)
  if (words === undefined || more !== undefined) return undefined
  const [, bounds = '', unit = ''] = BOUNDS_AND_UNIT.exec(words.trim()) ?? []
  const unitWords = unit.trim().replace(/ or parts$/, '')
  const per = canonicalUnit(unitWords === 'liter' ? 'l' : unitWords)
  if (per === undefined) return undefined
  for (const [pattern, boundsOf] of BOUNDS) {
    const [, ...amounts] = pattern.exec(bounds) ?? []
    if (amounts.length > 0 && amounts.every((amount) => AMOUNT.test(amount)))
      return { ...boundsOf(amounts.map(dollars)), per }
  }
  return undefined
}

/** "$6.50" is 6.5, "30¢" is 0.3. */
function dollars(text: string): string {
  const number = Number(text.replace(/[^\d.]/g, ''))
  return String(text.startsWith('$') ? number : number / 100)
}

/** The bounds of a line within those of the lines above it. Bounds in another unit replace them. */
function narrowed(outer: UnitValue | undefined, inner: UnitValue): UnitValue {
  if (outer === undefined || outer.per !== inner.per) return inner
  return { above: inner.above || outer.above, upTo: inner.upTo || outer.upTo, per: inner.per }
}
