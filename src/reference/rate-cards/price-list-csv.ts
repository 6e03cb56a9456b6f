/**
 * Prices alone, in one CSV file: what a carrier sends when nothing but its prices changes. Decided here: which of
 * the two layouts a header means (a price per row, or a column per zone as carriers print them), and what such a
 * list does to the rate card it builds on.
 * Source: the format described in this folder's README.md.
 */
import type { PriceRow, RateCardContent } from '../../core/rating/rate-card.ts'
import { type Cell, euros, kilograms, mayBeEmpty, optional, optionalOr, whole } from '../import/csv-cells.ts'
import { type Fields, openRows, type Report, type TableReading, type TableSpec } from '../import/csv-rows.ts'
import { type CsvVisitor, visitCsv } from '../import/csv-table.ts'
import { type FaultLog, type FaultPlace, type ImportFault, openFaultLog } from '../import/import-fault.ts'
import { atMost, figureText, MAX_ROWS, MAX_TABLE_CELLS } from '../import/import-limits.ts'
import {
  buildPrice,
  PRICE_COLUMNS,
  PRICE_FIELDS,
  type RawPrice,
  type UnitOfPrice,
  unitOfPrice,
} from './price-tables.ts'

/** What reading a price list came to. */
export type PriceListReading = {
  /** Undefined when there are faults. */
  readonly rows: readonly PriceRow[] | undefined
  readonly faults: readonly ImportFault[]
  readonly warnings: readonly ImportFault[]
  /** Where a row of `rows` stands in the file, and the cell of one of its fields. */
  locate(index: number, field?: string): FaultPlace
}

type Located = Pick<TableReading<PriceRow>, 'rows' | 'placeOf'>

/** Reads the rows below a header in the layout that the header means. */
type LayoutReader = {
  readonly visitor: CsvVisitor
  finish(isWhole: boolean): Located
}

/** `zone 1`, `zone_1`, `Zone1`, `1`. */
const ZONE_COLUMN = /^(?:zone[ _]?)?(\d{1,9})$/i
const KG: UnitOfPrice = { unit: 'KG' }

/** Reads a price list in either layout, of at most `maxPrices`. Never throws on what it holds. */
export function readPriceList(
  fileName: string,
  bytes: Uint8Array,
  maxPrices: number = MAX_ROWS,
): PriceListReading {
  const log = openFaultLog(fileName)
  let layout: LayoutReader | undefined
  const visitor: CsvVisitor = {
    header(names) {
      layout = layoutOf(fileName, names, maxPrices, log)
      layout?.visitor.header(names)
    },
    row(cells, line) {
      layout?.visitor.row(cells, line)
    },
  }
  const isWhole = visitCsv(bytes, visitor, log)
  const { rows, placeOf } = layout?.finish(isWhole) ?? { rows: [], placeOf: () => ({ file: fileName }) }
  const faults = log.faults()
  return {
    rows: faults.length > 0 ? undefined : rows,
    faults,
    warnings: log.warnings(),
    locate: (index, field) => placeOf(index, field),
  }
}

function layoutOf(
  file: string,
  header: readonly string[],
  maxPrices: number,
  log: FaultLog,
): LayoutReader | undefined {
  if (header.includes('zone') || header.includes('price')) return openRows(longLayout(file), log)
  const columns = header.filter((name) => ZONE_COLUMN.test(name))
  if (columns.length > 0) return openMatrix(file, header, columns, maxPrices, log)
  return log.fault(1, undefined, 'the columns zone and price, or a column per zone such as "zone 1"')
}

/** A band may leave out where it begins: at the end of the one before it in the file. */
function longLayout(file: string): TableSpec<RawPrice, PriceRow> {
  const ends = new Map<string, number>()
  return {
    file,
    required: true,
    fields: {
      ...PRICE_FIELDS,
      unit: optionalOr(unitOfPrice('unit'), KG),
      overGrams: optional(kilograms('over', 0)),
    },
    build(raw, report) {
      const lane = `${raw.productId}/${raw.zone}`
      const begin = raw.unit.unit === 'PALLET' ? undefined : (ends.get(lane) ?? 0)
      const row = buildPrice({ ...(begin !== undefined && { overGrams: begin }), ...raw }, report)
      if (row !== undefined && row.unit !== 'PALLET') ends.set(lane, row.upToGrams)
      return row
    },
    columns: PRICE_COLUMNS,
  }
}

type RawMatrixRow = {
  readonly productId: number
  readonly unit: UnitOfPrice
  readonly upToGrams?: number
}

const MATRIX_FIELDS: Fields<RawMatrixRow> = {
  productId: whole('product_id'),
  unit: optionalOr(unitOfPrice('unit'), KG),
  upToGrams: mayBeEmpty(kilograms('up_to')),
}

/** Reads a column per zone: each filled cell is a price, an empty one is a zone that is not priced. */
function openMatrix(
  file: string,
  header: readonly string[],
  columns: readonly string[],
  maxPrices: number,
  log: FaultLog,
): LayoutReader {
  const zones = zonesOf(columns, log)
  for (const name of ['over', 'step', 'step_price'])
    if (header.includes(name))
      log.fault(1, name, 'the columns zone and price beside it, not a column per zone')
  const { visitor, finish } = openRows(matrixLayout(file, zones), log)
  let [prices, cells] = [0, 0]
  const isPrice = header.map((name) => ZONE_COLUMN.test(name))
  return {
    visitor: {
      header: visitor.header,
      row(row, line) {
        cells += row.length
        for (let column = 0; column < row.length; column += 1)
          if (isPrice[column] === true && row[column] !== '') prices += 1
        if (prices <= maxPrices && cells <= MAX_TABLE_CELLS) visitor.row(row, line)
      },
    },
    finish(isWhole) {
      const lines = finish(isWhole)
      if (prices > maxPrices) log.fault(undefined, undefined, atMost(maxPrices, 'prices'), figureText(prices))
      if (cells > MAX_TABLE_CELLS)
        log.fault(undefined, undefined, atMost(MAX_TABLE_CELLS, 'cells'), figureText(cells))
      if (log.faults().length > 0) return { rows: [], placeOf: () => ({ file }) }
      const rows = lines.rows.flat()
      const lineOfRow = lines.rows.flatMap((own, line) => own.map(() => line))
      return {
        rows,
        placeOf(index, field) {
          const price = index === undefined ? undefined : rows[index]
          if (price === undefined) return { file }
          const ofZone = field === 'zone' || field === 'priceCents'
          const column = ofZone ? zones.get(price.zone) : undefined
          return { ...lines.placeOf(lineOfRow[index!], field), ...(column !== undefined && { column }) }
        },
      }
    },
  }
}

/** The column of each zone. */
function zonesOf(columns: readonly string[], log: FaultLog): ReadonlyMap<number, string> {
  const zones = new Map<number, string>()
  for (const name of columns) {
    const zone = Number(ZONE_COLUMN.exec(name)![1])
    const first = zones.get(zone)
    if (first === undefined) zones.set(zone, name)
    else if (first !== name) log.fault(1, name, `one column for zone ${zone}, which "${first}" is already`)
  }
  return zones
}

function matrixLayout(
  file: string,
  zones: ReadonlyMap<number, string>,
): TableSpec<RawMatrixRow, readonly PriceRow[]> {
  const cells = [...zones].map(([zone, column]) => [fieldOf(zone), optional(euros(column))] as const)
  const fields = [...zones.keys()].map((zone) => [fieldOf(zone), zone] as const)
  const ends = new Map<number, number>()
  const build = (raw: RawMatrixRow, report: Report): readonly PriceRow[] | undefined => {
    // A band begins where the row above ends, priced there or not: a hole is a fault for the core to find.
    const { productId, unit, upToGrams } = raw
    const begin = unit.unit === 'PALLET' ? undefined : (ends.get(productId) ?? 0)
    if (begin !== undefined && upToGrams !== undefined) ends.set(productId, upToGrams)
    const band = {
      productId,
      unit,
      ...(upToGrams !== undefined && { upToGrams }),
      ...(begin !== undefined && { overGrams: begin }),
    }
    const priced = raw as RawMatrixRow & Readonly<Record<string, number | undefined>>
    const rows: PriceRow[] = []
    for (const [field, zone] of fields) {
      const priceCents = priced[field]
      if (priceCents === undefined) continue
      const row = buildPrice({ ...band, zone, priceCents }, report)
      if (row === undefined) return undefined
      rows.push(row)
    }
    return rows
  }
  return {
    file,
    required: true,
    fields: { ...MATRIX_FIELDS, ...(Object.fromEntries(cells) as Readonly<Record<string, Cell<number>>>) },
    build,
    columns: { ...PRICE_COLUMNS, overGrams: 'up_to' },
  }
}

function fieldOf(zone: number): string {
  return `priceCents of zone ${zone}`
}

/**
 * A card's content with the prices of a list: the products it names have exactly those, after all others, so that
 * the last `rows.length` prices are those of the list in its order.
 */
export function withPrices(base: RateCardContent, rows: readonly PriceRow[]): RateCardContent {
  const named = new Set(rows.map(({ productId }) => productId))
  return { ...base, prices: [...base.prices.filter(({ productId }) => !named.has(productId)), ...rows] }
}

/** The products of a list that the card it builds on does not have, each with its first row. */
export function unknownProducts(
  base: Pick<RateCardContent, 'products'>,
  rows: readonly PriceRow[],
): readonly { readonly index: number; readonly productId: number }[] {
  const seen = new Set(base.products.map(({ productId }) => productId))
  return rows.flatMap(({ productId }, index) => {
    if (seen.has(productId)) return []
    seen.add(productId)
    return [{ index, productId }]
  })
}
