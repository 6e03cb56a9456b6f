/**
 * The unit values of the lines of the schedule: "Valued over $6.50 but not over $12/pair". A line has the bounds of its
 * own description and of the descriptions above it. A text with another condition beside the value has no bounds.
 */
import { readFileSync } from 'node:fs'
import { canonicalUnit } from '../../../src/core/customs/tariff/quantity-unit.ts'
import { decimal } from '../../../src/core/quantity.ts'
import { unpackGzip } from '../../../src/reference/import/gzip.ts'

/** Amounts in dollars: above the first, and up to the second. Empty: no bound. */
export type UnitValue = { readonly above: string; readonly upTo: string; readonly per: string }

type Entry = { readonly htsno: string; readonly indent: string; readonly description: string }

const AMOUNT = String.raw`(\$\d[\d,.]*|\d[\d.]*(?:¢| cents))`
const BOUNDS: readonly (readonly [RegExp, (amounts: readonly string[]) => Omit<UnitValue, 'per'>])[] = [
  [
    boundary(`${AMOUNT} or over but (?:under|less than) ${AMOUNT}`),
    ([a = '', b = '']) => ({ above: below(a), upTo: below(b) }),
  ],
  [boundary(`over ${AMOUNT} but not over ${AMOUNT}`), ([a = '', b = '']) => ({ above: a, upTo: b })],
  [boundary(`not over ${AMOUNT}`), ([a = '']) => ({ above: '', upTo: a })],
  [boundary(`over ${AMOUNT}`), ([a = '']) => ({ above: a, upTo: '' })],
  [boundary(`(?:under|less than) ${AMOUNT}`), ([a = '']) => ({ above: '', upTo: below(a) })],
  [boundary(`${AMOUNT} or (?:over|more)`), ([a = '']) => ({ above: below(a), upTo: '' })],
]

/** The value, and the unit after it: "/pair", " per dozen", " each". Nothing may follow but a colon. */
function boundary(value: string): RegExp {
  return new RegExp(`\\bvalued ${value}(?: ?/ ?| per | )([a-z][a-z ]*?):?$`, 'i')
}

/** The greatest amount below another, in millionths of a dollar. */
function below(amount: string): string {
  const micros = decimal(amount, 6) - 1
  return (micros / 1_000_000).toFixed(6)
}

/** By line of eight digits. */
export function readUnitValues(file: string): ReadonlyMap<string, UnitValue> {
  // The format of the export; `readSchedule` has checked the same file.
  const entries = JSON.parse(Buffer.from(unpackGzip(readFileSync(file))).toString('utf8')) as readonly Entry[]
  const values = new Map<string, UnitValue>()
  const above: (UnitValue | undefined)[] = []
  for (const { htsno, indent, description } of entries) {
    const depth = Number(indent)
    const inherited = above[depth - 1]
    const own = unitValueOf(description)
    const value = own === undefined ? inherited : narrowed(inherited, own)
    above.length = depth
    above[depth] = value
    const code = htsno.replaceAll('.', '')
    if (value !== undefined && code.length >= 8 && code < '98' && !values.has(code.slice(0, 8)))
      values.set(code.slice(0, 8), value)
  }
  return values
}

function unitValueOf(description: string): UnitValue | undefined {
  const text = description.replace(/<[^>]*>/g, '').trim()
  if ((text.match(/\bvalued\b/gi) ?? []).length !== 1) return undefined
  for (const [pattern, boundsOf] of BOUNDS) {
    const found = pattern.exec(text)
    if (found === null) continue
    const [, ...groups] = found
    const unit = (groups.pop() ?? '').replace(/ or parts$/, '')
    const per = canonicalUnit(unit === 'liter' ? 'l' : unit)
    return per === undefined ? undefined : { ...boundsOf(groups.map(dollars)), per }
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
