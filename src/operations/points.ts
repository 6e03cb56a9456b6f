/**
 * What a request costs. A point stands for about a millisecond of one core. Both doors charge an API key the same
 * points for the same work, before they do it. The figures come from measurements (docs/limits.md) and are upper
 * bounds: they depend on the request alone, never on what is found.
 */

/** Work is added up in units of ten microseconds, and charged in whole points. */
const UNITS_PER_POINT = 100

/** The points of a request with so much work. Every request costs at least one. */
export function pointsFor(units: number): number {
  return 1 + Math.floor(units / UNITS_PER_POINT)
}

const UNITS = {
  parcelRow: 4,
  item: 5,
  /** Finding the HS code of one description, beside its length. */
  classification: 10,
  character: 1,
  /** One item in an estimate that is worked out again, for another code or another price. */
  repeatedItem: 1,
  /** One field of a GraphQL response. */
  field: 0.2,
} as const

/** Texts beyond this are refused without being classified, so they cost nothing more. */
const MAX_CHARACTERS = 500

/** Units for pricing so many parcel rows with all products. */
export function ratesUnits(parcelRows: number): number {
  return parcelRows * UNITS.parcelRow
}

/** Units for finding the HS codes of a description of goods. */
export function classificationUnits(description: unknown): number {
  const length = typeof description === 'string' ? Math.min(description.length, MAX_CHARACTERS) : 0
  return UNITS.classification + length * UNITS.character
}

/** A content item, as far as its cost depends on it. Unvalidated. */
export type CostedItem = { readonly description?: unknown; readonly tariff?: unknown }

/** Units for one estimate: every item, and the classification of each that comes without a tariff code. */
export function dutiesUnits(items: readonly CostedItem[]): number {
  let units = 0
  for (const item of items)
    units += UNITS.item + (hasTariff(item) ? 0 : classificationUnits(item.description))
  return units
}

/** True for an item that comes with a tariff code. A blank one is none. */
export function hasTariff({ tariff }: CostedItem): boolean {
  return tariff !== undefined && tariff !== null && (typeof tariff !== 'string' || tariff.trim() !== '')
}

/** Units for working out the same estimate again `times` times. */
export function repeatedEstimateUnits(items: number, times: number): number {
  return items * times * UNITS.repeatedItem
}

/** Units for a GraphQL response of so many fields: resolving and writing them. */
export function responseUnits(fields: number): number {
  return fields * UNITS.field
}
