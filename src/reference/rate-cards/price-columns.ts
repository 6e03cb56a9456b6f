/**
 * The columns of a price list that have prices: one for each zone, or one for each weight band.
 * See docs/rate-card-files.md#prices-alone.
 */
import type { PriceRow } from '../../core/rating/rate-card.ts'
import { type Cell, kilograms, optional, whole } from '../import/csv-cells.ts'
import type { UnitOfPrice } from './price-files.ts'

/** A column states the zone, or the end of the band and perhaps the unit. The other cells of the row state the rest. */
export type PriceColumn = {
  /** The name in the list. */
  readonly name: string
  /** The name in the format: `zone 1` or `up_to 50`. */
  readonly title: string
  readonly zone?: number
  readonly upToGrams?: number
  readonly unit?: UnitOfPrice
}

/** How a list with several prices in a row is read. */
export type Matrix = {
  readonly columns: readonly PriceColumn[]
  /** The cells of the row that state what the columns do not. */
  readonly cells: Readonly<Record<string, Cell<number>>>
  /** Columns that the list must not have. */
  readonly excluded: readonly string[]
  /** The fields of a price that are read from its column. */
  readonly fields: readonly (keyof PriceRow)[]
  /** The title of the column of a price. */
  titleOf(row: PriceRow): string
}

/** `zone 1`, `zone_1`, `Zone1` or `1`. */
const ZONE = /^(?:zone[ _]?)?(\d{1,9})$/i
/** `up_to 50`, or with a unit `up_to 50 PER100KG`. */
const BAND = /^up_to (\d{1,9}(?:\.\d{1,3})?)(?: (KG|PER100KG))?$/
const STEPS = ['over', 'step', 'step_price']

/** The end of a band. The column may be missing in a list whose units are all classes. */
export const UP_TO = optional(kilograms('up_to'))

export function isPriceColumn(name: string): boolean {
  return ZONE.test(name) || BAND.test(name)
}

function zoneColumn(name: string): PriceColumn | undefined {
  const zone = ZONE.exec(name)?.[1]
  return zone === undefined ? undefined : { name, title: zoneTitle(Number(zone)), zone: Number(zone) }
}

export function bandColumn(name: string): PriceColumn | undefined {
  const [, weight = '', unit] = BAND.exec(name) ?? []
  const upToGrams = UP_TO.parse(weight)
  if (upToGrams === undefined) return undefined
  const band = { name, title: bandTitle(upToGrams), upToGrams }
  return unit === undefined ? band : { ...band, unit: { unit: unit === 'KG' ? 'KG' : 'PER100KG' } }
}

function zoneTitle(zone: number): string {
  return `zone ${zone}`
}

function bandTitle(upToGrams: number): string {
  return `up_to ${upToGrams / 1000}`
}

/** Undefined if the header has no column for a zone. */
export function zoneMatrix(header: readonly string[]): Matrix | undefined {
  const columns = header.flatMap((name) => zoneColumn(name) ?? [])
  if (columns.length === 0) return undefined
  return {
    columns,
    cells: { upToGrams: UP_TO },
    excluded: STEPS,
    fields: ['zone', 'priceCents'],
    titleOf: ({ zone }) => zoneTitle(zone),
  }
}

/** Undefined if the header has no column for a band. */
export function bandMatrix(header: readonly string[]): Matrix | undefined {
  const columns = header.flatMap((name) => bandColumn(name) ?? [])
  if (columns.length === 0) return undefined
  const others = header.filter((name) => name === 'up_to' || name === 'price' || ZONE.test(name))
  return {
    columns,
    cells: { zone: whole('zone', 0) },
    excluded: [...STEPS, ...others],
    fields: ['overGrams', 'upToGrams', 'priceCents'],
    titleOf: ({ upToGrams }) => bandTitle(upToGrams),
  }
}
