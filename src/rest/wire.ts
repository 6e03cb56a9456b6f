/**
 * The wire forms all endpoints share: answers, money, drafts from parsed JSON, and the spelling of field
 * paths. REST says `fromCountry` and `parcels[0].weight` where core says `from.country` and `parcels.0.weight`.
 * Source: the REST contract, docs/rest-contract.md.
 */
import type { PlaceInput } from '../core/input.ts'
import type { FieldPath, FieldProblem } from '../core/problem.ts'
import { pointsFor } from '../operations/points.ts'
import type { Allowance } from '../operations/ports/work.ts'
import { AllowanceExceeded } from '../operations/ports/work.ts'

/** What an endpoint answers; the body goes out as JSON, so a string becomes a JSON string. */
export type WireAnswer = {
  readonly status: number
  readonly body: unknown
  readonly retryAfterSeconds?: number
}

/**
 * A JSON object as it came: keys of the caller's choice, values unknown. Read named keys only, never spread.
 */
export type WireObject = Readonly<Record<string, unknown>>

/** True for a JSON object (not a list, not null). */
export function isWireObject(value: unknown): value is WireObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Cents as a JSON number in euros: 1230 is 12.3. Exact, for the nearest double prints as the two decimals.
 */
export function euros(cents: number): number {
  return cents / 100
}

/**
 * A number that may not come in quotes: text (but not the empty text, which means "not given") becomes NaN.
 */
export function unquotedNumber(value: unknown): unknown {
  return typeof value === 'string' && value !== '' ? Number.NaN : value
}

/** One end of the route from its three flat fields. */
export function placeInput(fields: WireObject, end: 'from' | 'to'): PlaceInput {
  return {
    country: fields[`${end}Country`],
    zipcode: fields[`${end}Zipcode`],
    city: fields[`${end}City`],
  }
}

/** The entries of a list of at most `most`; empty for everything else, which core refuses without more work. */
export function listWithin(value: unknown, most: number): readonly unknown[] {
  return Array.isArray(value) && value.length <= most ? value : []
}

/** Takes the points for so many units of work, before it is done. Throws AllowanceExceeded. */
export function charge(allowance: Allowance, units: number): void {
  const wait = allowance.charge(pointsFor(units))
  if (wait !== undefined) throw new AllowanceExceeded(wait)
}

/** A list with every object in it rewritten; whatever else there is stays as it is, for core to refuse. */
export function listInput(value: unknown, rewrite: (row: WireObject) => object): unknown {
  return Array.isArray(value) ? value.map((row) => (isWireObject(row) ? rewrite(row) : row)) : value
}

/**
 * All faults in one line, each by its path: `parcels[0].weight: required for NONDOC; toCountry: required`.
 */
export function faultsMessage(problems: readonly FieldProblem[]): string {
  return problems.map(({ path, message }) => `${wirePath(path)}: ${message}`).join('; ')
}

/** A core path in REST's spelling. */
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
