/**
 * Reads a price list, a CSV file or sheet that replaces the prices of some products of a rate card. The header
 * determines the layout: a price per row, a column per zone, or a column per weight band. See
 * docs/rate-card-files.md#prices-alone.
 */
import { isClassPrice, type PriceRow, type RateCardContent } from '../../core/rating/rate-card.ts'
import { euros, kilograms, optional, optionalOr, whole } from '../import/csv-cells.ts'
import { type Fields, openRows, type Report, type TableReading, type TableSpec } from '../import/csv-rows.ts'
import type { TableVisitor } from '../import/csv-table.ts'
import { type FaultLog, type FaultPlace, type ImportFault, openFaultLog } from '../import/import-fault.ts'
import { atMost, figureText, MAX_ROWS, MAX_TABLE_CELLS } from '../import/import-limits.ts'
import { type CellStyle, onlySheet, type TableFile } from '../import/table-file.ts'
import type { Workbook } from '../import/workbook-sheet.ts'
import { bandColumn, bandMatrix, isPriceColumn, type Matrix, UP_TO, zoneMatrix } from './price-columns.ts'
import {
  buildPrice,
  PRICE_COLUMNS,
  PRICE_FIELDS,
  type RawPrice,
  type UnitOfPrice,
  unitOfPrice,
} from './price-files.ts'
import type { PriceTable } from './price-layout.ts'

export type PriceListReading = {
  /** Undefined when there are faults. */
  readonly rows: readonly PriceRow[] | undefined
  readonly faults: readonly ImportFault[]
  readonly warnings: readonly ImportFault[]
  /** The place in the file of a row of `rows`, or of one of its fields. */
  locate(index: number, field?: string): FaultPlace
}

type Located = Pick<TableReading<PriceRow>, 'rows' | 'placeOf'>

/** Reads the rows of one layout. */
type LayoutReader = {
  readonly visitor: TableVisitor
  finish(isWhole: boolean): Located
}

const KG: UnitOfPrice = { unit: 'KG' }

/** The sheet of a workbook that is a price list. An empty `product_id` is that of the row above. */
export function priceSheet(workbook: Workbook): TableFile {
  const hasBands = (name: string) => name === 'up_to' || name === 'unit' || bandColumn(name) !== undefined
  const isHeader = (names: readonly string[]) => names.includes('product_id') && names.some(hasBands)
  return onlySheet(workbook, 'product_id and up_to', { isHeader, continued: 'product_id' })
}

/** Reads a price list in any layout. Does not throw: problems of the file are faults. */
export function readPriceList(file: PriceTable, maxPrices: number = MAX_ROWS): PriceListReading {
  let columns: readonly string[] = []
  const log = openFaultLog(
    file.name,
    (column) => column === undefined || isPriceColumn(column) || !columns.includes(column),
    file.titleOf,
  )
  const style = file.style()
  const reader: ReaderOptions = { file: file.name, maxPrices, log, style, skipsEmpty: file.skipsEmpty }
  let layout: LayoutReader | undefined
  const visitor: TableVisitor = {
    header(names, line) {
      columns = names
      layout = layoutOf(names, line, reader)
      layout?.visitor.header(names, line)
    },
    row(cells, line) {
      layout?.visitor.row(cells, line)
    },
  }
  const isWhole = file.visit(visitor, log)
  style.finish(log)
  const { rows, placeOf } = layout?.finish(isWhole) ?? { rows: [], placeOf: () => ({ file: file.name }) }
  const faults = log.faults()
  return {
    rows: faults.length > 0 ? undefined : rows,
    faults,
    warnings: log.warnings(),
    locate(index, field) {
      const place: FaultPlace = placeOf(index, field)
      return place.column === undefined ? place : { ...place, column: file.titleOf(place.column) }
    },
  }
}

type ReaderOptions = {
  readonly file: string
  readonly maxPrices: number
  readonly log: FaultLog
  readonly style: CellStyle
  readonly skipsEmpty: boolean
}

function layoutOf(header: readonly string[], line: number, reader: ReaderOptions): LayoutReader | undefined {
  const { file, log, style } = reader
  const bands = bandMatrix(header)
  if (bands !== undefined) return openMatrix(header, line, bands, reader)
  if (header.includes('zone') || header.includes('price')) return openRows(rowLayout(file), log, style)
  const zones = zoneMatrix(header)
  if (zones !== undefined) return openMatrix(header, line, zones, reader)
  return log.fault(
    line,
    undefined,
    'the columns zone and price, a column per zone such as "zone 1", or a column per band such as "up_to 50"',
  )
}

/** A price per row. `over` defaults to the previous `up_to` of the same product and zone. */
function rowLayout(file: string): TableSpec<RawPrice, PriceRow> {
  const ends = new Map<string, number>()
  return {
    file,
    required: true,
    fields: {
      ...PRICE_FIELDS,
      unit: optionalOr(unitOfPrice('unit'), KG),
      overGrams: optional(kilograms('over', 0)),
      upToGrams: UP_TO,
    },
    build(raw, report) {
      const lane = `${raw.productId}/${raw.zone}/${raw.unit.unit === 'CLASS' ? raw.unit.palletClass : ''}`
      const begin = isClassPrice(raw.unit.unit) ? undefined : (ends.get(lane) ?? 0)
      const row = buildPrice({ ...(begin !== undefined && { overGrams: begin }), ...raw }, report)
      if (row !== undefined && !isClassPrice(row.unit)) ends.set(lane, row.upToGrams)
      return row
    },
    columns: PRICE_COLUMNS,
  }
}

type RawMatrixRow = { readonly productId: number; readonly unit: UnitOfPrice }

const MATRIX_FIELDS: Fields<RawMatrixRow> = {
  productId: whole('product_id'),
  unit: optionalOr(unitOfPrice('unit'), KG),
}

/** Several prices in a row. An empty cell means that the product has no price in the zone or band. */
function openMatrix(
  header: readonly string[],
  line: number,
  matrix: Matrix,
  { file, maxPrices, log, style, skipsEmpty }: ReaderOptions,
): LayoutReader {
  const names = namesOf(matrix, line, log)
  for (const name of matrix.excluded)
    if (header.includes(name))
      log.fault(
        line,
        name,
        'no such column in a file with a column per zone or band (use the columns zone and price instead)',
      )
  const { visitor, finish } = openRows(matrixLayout(file, matrix, skipsEmpty), log, style)
  let [prices, cells] = [0, 0]
  const isPrice = header.map(isPriceColumn)
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
      const reading = finish(isWhole)
      if (prices > maxPrices) log.fault(undefined, undefined, atMost(maxPrices, 'prices'), figureText(prices))
      if (cells > MAX_TABLE_CELLS)
        log.fault(undefined, undefined, atMost(MAX_TABLE_CELLS, 'cells'), figureText(cells))
      if (log.faults().length > 0) return { rows: [], placeOf: () => ({ file }) }
      const rows = reading.rows.flat()
      const lineOfRow = reading.rows.flatMap((prices, line) => prices.map(() => line))
      return {
        rows,
        placeOf(index, field) {
          const price = index === undefined ? undefined : rows[index]
          if (price === undefined) return { file }
          const isInPriceColumn = matrix.fields.some((stated) => stated === field)
          const column = isInPriceColumn ? names.get(matrix.titleOf(price)) : undefined
          return { ...reading.placeOf(lineOfRow[index!], field), ...(column !== undefined && { column }) }
        },
      }
    },
  }
}

/** The name in the list of each column with prices, by its title. */
function namesOf({ columns }: Matrix, line: number, log: FaultLog): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { name, title } of columns) {
    const first = names.get(title)
    if (first === undefined) names.set(title, name)
    else if (first !== name) log.fault(line, name, `one column for ${title}; "${first}" is for the same`)
  }
  return names
}

function matrixLayout(
  file: string,
  { columns, cells }: Matrix,
  skipsEmpty: boolean,
): TableSpec<RawMatrixRow, readonly PriceRow[]> {
  const priced = columns.map((column) => ({ column, field: priceField(column.name) }))
  const prices = priced.map(({ column, field }) => [field, optional(euros(column.name))] as const)
  // A band begins where the one before it ends, even if that one has no price in the zone: core reports the gap. If
  // empty cells are no bands, it begins at the last price of the zone.
  const ends = new Map<string, number>()
  const build = (raw: RawMatrixRow, report: Report): readonly PriceRow[] | undefined => {
    const stated = raw as RawMatrixRow & Readonly<Record<string, number | undefined>>
    const rows: PriceRow[] = []
    for (const { column, field } of priced) {
      const priceCents = stated[field]
      if (priceCents === undefined && skipsEmpty) continue
      const { zone = stated['zone']!, upToGrams = stated['upToGrams'], unit = raw.unit } = column
      const lane = `${raw.productId}/${zone}/${unit.unit === 'CLASS' ? unit.palletClass : ''}`
      const begin = isClassPrice(unit.unit) ? undefined : (ends.get(lane) ?? 0)
      if (begin !== undefined && upToGrams !== undefined) ends.set(lane, upToGrams)
      if (priceCents === undefined) continue
      const band = {
        ...(upToGrams !== undefined && { upToGrams }),
        ...(begin !== undefined && { overGrams: begin }),
      }
      // A band that a class must not have is in the column with the price.
      const place = (name: string) =>
        name === 'up_to' && column.upToGrams !== undefined ? column.name : name
      const row = buildPrice(
        { productId: raw.productId, unit, zone, priceCents, ...band },
        (name, expected, found) => report(place(name), expected, found),
      )
      if (row === undefined) return undefined
      rows.push(row)
    }
    return rows
  }
  return {
    file,
    required: true,
    fields: { ...MATRIX_FIELDS, ...cells, ...Object.fromEntries(prices) },
    build,
    columns: { ...PRICE_COLUMNS, overGrams: 'up_to' },
  }
}

function priceField(column: string): string {
  return `priceCents of ${column}`
}

/**
 * Replaces all prices of the products in a price list. The last `rows.length` prices of the result are those of the
 * list, in the same order.
 */
export function withPrices(base: RateCardContent, rows: readonly PriceRow[]): RateCardContent {
  const listed = new Set(rows.map(({ productId }) => productId))
  return { ...base, prices: [...base.prices.filter(({ productId }) => !listed.has(productId)), ...rows] }
}

/** The products of a price list that `base` does not have, with the position of their first row. */
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
