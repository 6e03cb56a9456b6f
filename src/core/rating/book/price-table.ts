/**
 * The prices of a product in memory: typed arrays per product, with weight bands shared between zones. A rate book
 * can have a million prices, which would take about a hundred times the memory as objects.
 */
import { groupBy } from '../../group-by.ts'
import { isClassPrice, type PriceRow, type PriceUnit, stepPriceTenths } from '../rate-card.ts'

/** The prices of one zone before packing: weight bands in ascending order, and classes. */
export type ZoneColumns = {
  readonly zone: number
  /** Upper bounds, inclusive. The first band begins at 0, each other one at the bound before it. */
  readonly upToGrams: readonly number[]
  readonly units: readonly PriceUnit[]
  readonly priceCents: readonly number[]
  /** 0 if the band has no steps. */
  readonly stepGrams: readonly number[]
  /** The prices of steps in tenths of a cent. */
  readonly stepTenths: readonly number[]
  /** By pallet class or size class. */
  readonly palletCents: ReadonlyMap<string, number>
  /** The rates of each freight class, in the order of the bands. `priceCents` is then empty. Absent: there are none. */
  readonly classCents?: ReadonlyMap<string, readonly number[]>
}

/** Weight bands. Zones of a product with equal bands share one object. */
export type Bands = {
  readonly upToGrams: Int32Array
  /** 1 if the price of the band is a rate per 100 kg, else 0. */
  readonly isPer100Kg: Uint8Array
  /** Undefined if no band has steps. */
  readonly stepGrams: Int32Array | undefined
}

/**
 * The prices of a zone. The price of band `i` is `cells[at + i]` cents, that of its steps `stepCells[at + i]` tenths of
 * a cent, which may exceed 32 bits.
 */
export type ZonePrices = {
  readonly bands: Bands
  readonly cells: Int32Array
  readonly stepCells: Float64Array | undefined
  readonly at: number
  readonly palletCents: ReadonlyMap<string, number>
  /** Where the rates of a freight class begin: that of band `i` is `cells[classAt.get(class) + i]`. */
  readonly classAt: ReadonlyMap<string, number>
}

/** By zone. */
export type PriceTable = ReadonlyMap<number, ZonePrices>

const NO_PALLETS: ReadonlyMap<string, number> = new Map()
/** Never changed. */
const NO_CLASSES = new Map<string, number>()
const NO_RATES: ReadonlyMap<string, readonly number[]> = new Map()

/** Packs the prices of one product. */
export function compilePriceTable(zones: readonly ZoneColumns[]): PriceTable {
  const size = zones.reduce((sum, { priceCents, classCents = NO_RATES }) => {
    return sum + priceCents.length + [...classCents.values()].reduce((rates, { length }) => rates + length, 0)
  }, 0)
  const cells = new Int32Array(size)
  const hasSteps = zones.some(({ stepGrams }) => stepGrams.some((grams) => grams > 0))
  const stepCells = hasSteps ? new Float64Array(size) : undefined
  const shared = new Map<string, Bands>()
  const table = new Map<number, ZonePrices>()
  let at = 0
  let before: { readonly columns: ZoneColumns; readonly bands: Bands } | undefined
  for (const columns of zones) {
    cells.set(columns.priceCents, at)
    stepCells?.set(columns.stepTenths, at)
    // A reader may pass the same arrays for all zones. Comparing references avoids comparing their contents.
    const bands = isSameBands(columns, before?.columns) ? before!.bands : bandsOf(columns, shared)
    before = { columns, bands }
    const palletCents = columns.palletCents.size === 0 ? NO_PALLETS : columns.palletCents
    const begin = at
    at += columns.priceCents.length
    const classAt = columns.classCents === undefined ? NO_CLASSES : new Map<string, number>()
    for (const [name, rates] of columns.classCents ?? NO_RATES) {
      cells.set(rates, at)
      classAt.set(name, at)
      at += rates.length
    }
    table.set(columns.zone, { bands, cells, stepCells, at: begin, palletCents, classAt })
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
      isPer100Kg: Uint8Array.from(units, (unit) => (unit === 'PER100KG' || unit === 'CLASS' ? 1 : 0)),
      stepGrams: stepGrams.some((grams) => grams > 0) ? Int32Array.from(stepGrams) : undefined,
    }
    shared.set(key, bands)
  }
  return bands
}

/** Groups the price rows of one product by zone. Throws if freight classes of a zone have different bands. */
export function columnsOf(rows: readonly PriceRow[]): ZoneColumns[] {
  return [...groupBy(rows, ({ zone }) => zone)].map(([zone, prices]) => {
    if (prices[0]!.unit === 'CLASS') return classColumns(zone, prices)
    const pallets = prices.filter(({ unit }) => isClassPrice(unit))
    const bands = prices.filter(({ unit }) => !isClassPrice(unit)).sort((a, b) => a.upToGrams - b.upToGrams)
    return {
      zone,
      upToGrams: bands.map((row) => row.upToGrams),
      units: bands.map((row) => row.unit),
      priceCents: bands.map((row) => row.priceCents),
      stepGrams: bands.map((row) => row.stepGrams ?? 0),
      stepTenths: bands.map(stepPriceTenths),
      palletCents: new Map(pallets.map((row) => [row.palletClass ?? '', row.priceCents])),
    }
  })
}

function classColumns(zone: number, prices: readonly PriceRow[]): ZoneColumns {
  const classes = groupBy(prices, ({ palletClass = '' }) => palletClass)
  return freightClassColumns(
    zone,
    [...classes].map(([name, rows]) => {
      const bands = rows.toSorted((a, b) => a.upToGrams - b.upToGrams)
      const upToGrams = bands.map((row) => row.upToGrams)
      return { name, upToGrams, rateCents: bands.map(({ priceCents }) => priceCents) }
    }),
  )
}

/** The bands and rates of a freight class in a zone. */
export type ClassRates = {
  readonly name: string
  readonly upToGrams: readonly number[]
  readonly rateCents: readonly number[]
}

/** The prices of a zone with freight classes. Throws if they have different bands; `checkRateCard` reports it. */
export function freightClassColumns(zone: number, classes: readonly ClassRates[]): ZoneColumns {
  const { upToGrams } = classes[0]!
  const other = classes.find((one) => one.upToGrams.join() !== upToGrams.join())
  if (other !== undefined) throw new Error(`freight class ${other.name} has other bands in zone ${zone}`)
  return {
    zone,
    upToGrams,
    units: upToGrams.map(() => 'CLASS'),
    priceCents: [],
    stepGrams: upToGrams.map(() => 0),
    stepTenths: [],
    palletCents: NO_PALLETS,
    classCents: new Map(classes.map(({ name, rateCents }) => [name, rateCents])),
  }
}
