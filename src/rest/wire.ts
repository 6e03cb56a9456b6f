/**
 * Used by several endpoints: inputs from parsed JSON, points, and the paths of fields. The path `from.country` in
 * core is `fromCountry` in REST, and `parcels.0.weight` is `parcels[0].weight`. See docs/rest-contract.md#conventions.
 */
import { isJsonObject, type JsonObject, type PlaceInput } from '../core/input.ts'
import type { FieldPath, FieldProblem } from '../core/problem.ts'
import { pointsFor } from '../operations/points.ts'
import { type Allowance, AllowanceExceeded } from '../operations/ports/work.ts'

/** Replaces text with NaN, because these fields must be JSON numbers. Empty text is kept: it means "not given". */
export function unquotedNumber(value: unknown): unknown {
  return typeof value === 'string' && value !== '' ? Number.NaN : value
}

/** The start or end of a route, from three fields such as `fromCountry`. */
export function placeInput(fields: JsonObject, end: 'from' | 'to'): PlaceInput {
  const { fromCountry, fromZipcode, fromCity, toCountry, toZipcode, toCity } = fields
  return end === 'from'
    ? { country: fromCountry, zipcode: fromZipcode, city: fromCity }
    : { country: toCountry, zipcode: toZipcode, city: toCity }
}

/** The list, or an empty one if the value is not a list or has more than `max` entries: core refuses such input. */
export function listWithin(value: unknown, max: number): readonly unknown[] {
  return Array.isArray(value) && value.length <= max ? value : []
}

/** Charges the points for `units` of work. Call it before the work. Throws AllowanceExceeded. */
export function charge(allowance: Allowance, units: number): void {
  const wait = allowance.charge(pointsFor(units))
  if (wait !== undefined) throw new AllowanceExceeded(wait)
}

/**
 * Like `charge`, for work that can be expensive. Undefined if the work can begin; otherwise it begins when the promise
 * resolves, which rejects with AllowanceExceeded.
 */
export function chargeConfirmed(allowance: Allowance, units: number): Promise<void> | undefined {
  charge(allowance, units)
  return allowance.confirm?.(pointsFor(units))?.then((wait) => {
    if (wait !== undefined) throw new AllowanceExceeded(wait)
  })
}

/** Rewrites every object in a list. Other values are passed on unchanged, so that core reports them. */
export function listInput(value: unknown, rewrite: (row: JsonObject) => object): unknown {
  return Array.isArray(value) ? value.map((row) => (isJsonObject(row) ? rewrite(row) : row)) : value
}

/** For example `parcels[0].weight: required for NONDOC; toCountry: required`. */
export function faultsMessage(problems: readonly FieldProblem[]): string {
  return problems.map(({ path, message }) => `${wirePath(path)}: ${message}`).join('; ')
}

/** A path of core in the spelling of REST. */
export function wirePath(path: FieldPath): string {
  const [first, second, ...rest] = path
  const flat =
    (first === 'from' || first === 'to') && typeof second === 'string'
      ? [`${first}${second.charAt(0).toUpperCase()}${second.slice(1)}`, ...rest]
      : path
  return flat
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('')
}
