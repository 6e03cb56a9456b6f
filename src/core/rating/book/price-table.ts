/**
 * The prices of a product as they lie in memory: columns of cells per zone, weight bands shared between zones.
 * A large broker has a million prices; as objects they would take a hundred times the room.
 */
import { groupBy } from '../../group-by.ts'
import type { PriceRow, PriceUnit } from '../rate-card.ts'

/** The weight bands of one zone as columns, ascending; pallet classes beside them. Money in cents. */
export type ZoneColumns = {
  readonly zone: number
  /** Upper bounds, inclusive; each band begins where the one before ends, the first at 0. */
  readonly upToGrams: readonly number[]
  readonly units: readonly PriceUnit[]
  readonly priceCents: readonly number[]
  /** 0 where the band has one price. */
  readonly stepGrams: readonly number[]
  readonly stepCents: readonly number[]
  readonly palletCents: ReadonlyMap<string, number>
}

/** Weight bands that several zones share. */
export type Bands = {
  readonly upToGrams: Int32Array
  /** 1 where the price is a rate per 100 kg. */
  readonly isPer100Kg: Uint8Array
  /** Absent where no band has steps. */
  readonly stepGrams: Int32Array | undefined
}

/** The prices of a zone: `cells[at + i]` belongs to band i, and so does `stepCells[at + i]`. */
export type ZonePrices = {
  readonly bands: Bands
  readonly cells: Int32Array
  readonly stepCells: Int32Array | undefined
  readonly at: number
  readonly palletCents: ReadonlyMap<string, number>
}

/** The prices of a product, by zone. */
export type PriceTable = ReadonlyMap<number, ZonePrices>

const NO_PALLETS: ReadonlyMap<string, number> = new Map()

/** Packs the columns of a product's zones. */
export function compilePriceTable(zones: readonly ZoneColumns[]): PriceTable {
  const size = zones.reduce((sum, { priceCents }) => sum + priceCents.length, 0)
  const cells = new Int32Array(size)
  const hasSteps = zones.some(({ stepGrams }) => stepGrams.some((grams) => grams > 0))
  const stepCells = hasSteps ? new Int32Array(size) : undefined
  const shared = new Map<string, Bands>()
  const table = new Map<number, ZonePrices>()
  let at = 0
  let before: { readonly columns: ZoneColumns; readonly bands: Bands } | undefined
  for (const columns of zones) {
    cells.set(columns.priceCents, at)
    stepCells?.set(columns.stepCents, at)
    // A reader may hand out the same arrays for all zones, which spares the comparison of their contents.
    const bands = isSameBands(columns, before?.columns) ? before!.bands : bandsOf(columns, shared)
    before = { columns, bands }
    const palletCents = columns.palletCents.size === 0 ? NO_PALLETS : columns.palletCents
    table.set(columns.zone, { bands, cells, stepCells, at, palletCents })
    at += columns.priceCents.length
  }
  return table
}

function isSameBands(one: ZoneColumns, other: ZoneColumns | undefined): boolean {
  return one.upToGrams === other?.upToGrams && one.units === other.units && one.stepGrams === other.stepGrams
}

function bandsOf(columns: ZoneColumns, shared: Map<string, Bands>): Bands {
  const { upToGrams, units, stepGrams } = columns
  const key = `${upToGrams.join()}|${units.join()}|${stepGrams.join()}`
  let bands = shared.get(key)
  if (bands === undefined) {
    bands = {
      upToGrams: Int32Array.from(upToGrams),
      isPer100Kg: Uint8Array.from(units, (unit) => (unit === 'PER100KG' ? 1 : 0)),
      stepGrams: stepGrams.some((grams) => grams > 0) ? Int32Array.from(stepGrams) : undefined,
    }
    shared.set(key, bands)
  }
  return bands
}

/** The rows of one product as columns, zone by zone. */
export function columnsOf(rows: readonly PriceRow[]): ZoneColumns[] {
  return [...groupBy(rows, ({ zone }) => zone)].map(([zone, own]) => {
    const pallets = own.filter(({ unit }) => unit === 'PALLET')
    const bands = own.filter(({ unit }) => unit !== 'PALLET').sort((a, b) => a.upToGrams - b.upToGrams)
    return {
      zone,
      upToGrams: bands.map((row) => row.upToGrams),
      units: bands.map((row) => row.unit),
      priceCents: bands.map((row) => row.priceCents),
      stepGrams: bands.map((row) => row.stepGrams ?? 0),
      stepCents: bands.map((row) => row.stepCents ?? 0),
      palletCents: new Map(pallets.map((row) => [row.palletClass ?? '', row.priceCents])),
    }
  })
}
