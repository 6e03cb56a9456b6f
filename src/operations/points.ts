/**
 * The cost of a request in points. A point is about a millisecond of one core. Both doors charge the same points for
 * the same work, before they start it. The figures are measured upper bounds; see docs/limits.md.
 */

import { MAX_RANGE_ESTIMATES } from '../core/customs/estimate/explain/estimate-range.ts'
import { FACT_NAMES, MAX_FACT_LENGTHS } from '../core/goods-facts.ts'
import { isJsonObject, type JsonObject } from '../core/input.ts'

/** A unit is ten microseconds. Units are added up and charged in whole points. */
const UNITS_PER_POINT = 100

/** Every request costs at least one point. */
export function pointsFor(units: number): number {
  return 1 + Math.floor(units / UNITS_PER_POINT)
}

export function unitsOf(points: number): number {
  return points * UNITS_PER_POINT
}

const UNITS = {
  parcelRow: 4,
  item: 5,
  /** Per description, in addition to its characters. */
  classification: 10,
  character: 1,
  /** Looking up one carrier or product of a filter. */
  filterName: 1,
  /** Checking and storing one content item of a draft. */
  storedItem: 1,
  /** Pricing one product with one more service, in addition to its parcel rows. */
  addedService: 1,
  /** One parcel row of such a product. */
  servicedRow: 0.2,
  /** Finding and pricing one requested service with all products, in addition to the parcel rows. */
  requestedService: 2,
  /** Explaining one figure of a price rule. */
  figure: 0.1,
  /** One item in an estimate that is repeated for another code or price. */
  repeatedItem: 1,
  /** One field, or one entry of a list, of a GraphQL response. */
  field: 0.2,
  /** Reading stored text. */
  kilobyte: 1,
} as const

/** Longer descriptions are refused without being classified. */
const MAX_CHARACTERS = 500

/** Units for pricing parcel rows with all products. */
export function ratesUnits(parcelRows: number): number {
  return parcelRows * UNITS.parcelRow
}

/** Units for one more look at each parcel row for each requested service. */
export function servicesUnits(services: number, parcelRows: number): number {
  return services * (UNITS.requestedService + parcelRows * UNITS.servicedRow)
}

export function filterUnits(names: number): number {
  return names * UNITS.filterName
}

/** Units for pricing an option once more for each service that can be added to it. */
export function addedServicesUnits(services: number, parcelRows: number): number {
  return services * (UNITS.addedService + parcelRows * UNITS.servicedRow)
}

export function storedItemsUnits(items: number): number {
  return items * UNITS.storedItem
}

export function figuresUnits(figures: number): number {
  return figures * UNITS.figure
}

export function classificationUnits({ description, facts }: CostedItem): number {
  const length = lengthOf(description, MAX_CHARACTERS) + (isJsonObject(facts) ? factsLength(facts) : 0)
  return UNITS.classification + length * UNITS.character
}

function lengthOf(text: unknown, max: number): number {
  return typeof text === 'string' ? Math.min(text.length, max) : 0
}

function factsLength(facts: JsonObject): number {
  return FACT_NAMES.reduce((sum, name) => sum + lengthOf(facts[name], MAX_FACT_LENGTHS[name]), 0)
}

/** The unvalidated fields of a content item that determine its cost. */
export type CostedItem = {
  readonly description?: unknown
  readonly tariff?: unknown
  readonly facts?: unknown
}

/** Units for one estimate, including the classification of items without a tariff code. */
export function dutiesUnits(items: readonly CostedItem[]): number {
  let units = 0
  for (const item of items) units += UNITS.item + (hasTariff(item) ? 0 : classificationUnits(item))
  return units
}

/** True if the item has a tariff code that is not blank. */
export function hasTariff({ tariff }: CostedItem): boolean {
  return tariff !== undefined && tariff !== null && (typeof tariff !== 'string' || tariff.trim() !== '')
}

export function repeatedEstimateUnits(items: number): number {
  return items * UNITS.repeatedItem
}

/** Units for the range of an estimate. */
export function rangeUnits(items: number): number {
  return MAX_RANGE_ESTIMATES * repeatedEstimateUnits(items)
}

/** Units for reading stored text. */
export function textUnits(bytes: number): number {
  return (bytes / 1_000) * UNITS.kilobyte
}

/** Units for resolving and writing fields and list entries of a GraphQL response. */
export function responseUnits(fields: number): number {
  return fields * UNITS.field
}
