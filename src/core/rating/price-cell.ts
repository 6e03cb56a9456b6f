/**
 * Terms that are stated for price zones and weights: discounts of contracts and margins. The zone and the weight are
 * those that a price is found with: the zone of the card, and the weight that is billed.
 */
import { groupBy } from '../group-by.ts'

/** Zones and weights, in grams. The upper bound is inclusive, as in price lists. Absent: all zones, no upper bound. */
export type PriceCell = {
  readonly zones?: readonly number[]
  readonly overGrams: number
  readonly upToGrams?: number
}

/** The value of a cell, and the cell. */
export type CellValue<Value> = { readonly cell: PriceCell; readonly value: Value }

/** Cells in the order of precedence, by zone. */
export type CellTable<Value> = {
  readonly byZone: ReadonlyMap<number, readonly CellValue<Value>[]>
  /** The cells for zones that no cell names. */
  readonly others: readonly CellValue<Value>[]
}

export const ALL_CELLS: PriceCell = { overGrams: 0 }

/** `values` are sorted by precedence: the first cell that contains a zone and a weight applies. */
export function compileCells<Value>(values: readonly CellValue<Value>[]): CellTable<Value> {
  const named = new Set(values.flatMap(({ cell }) => cell.zones ?? []))
  return {
    byZone: new Map(
      [...named].map((zone) => [zone, values.filter(({ cell }) => cell.zones?.includes(zone) ?? true)]),
    ),
    others: values.filter(({ cell }) => cell.zones === undefined),
  }
}

/** The value of the first cell that contains a zone and a weight, of those that `accepts` accepts. */
export function valueAt<Value>(
  { byZone, others }: CellTable<Value>,
  zone: number,
  grams: number,
  accepts: (value: Value) => boolean = () => true,
): Value | undefined {
  const cells = byZone.get(zone) ?? others
  return cells.find(({ cell, value }) => isWithin(cell, grams) && accepts(value))?.value
}

function isWithin({ overGrams, upToGrams }: PriceCell, grams: number): boolean {
  // A weight of 0 belongs to the first band.
  const isAbove = grams > overGrams || overGrams === 0
  return isAbove && (upToGrams === undefined || grams <= upToGrams)
}

/** For sorting: cells with zones before those without. Among either, cells with weights come first. */
export function narrowestFirst(a: PriceCell, b: PriceCell): number {
  return narrowness(b) - narrowness(a)
}

function narrowness({ zones, overGrams, upToGrams }: PriceCell): number {
  return (zones === undefined ? 0 : 2) + (overGrams === 0 && upToGrams === undefined ? 0 : 1)
}

/**
 * The positions of cells that have a zone and a weight in common with an earlier cell of the same narrowness, so that
 * neither takes precedence; each with the position of the earlier one.
 */
function ambiguousCells(cells: readonly PriceCell[]): ReadonlyMap<number, number> {
  const columns = new Map<string, number[]>()
  for (const [position, cell] of cells.entries())
    for (const zone of cell.zones ?? ['all']) {
      const key = `${narrowness(cell)} ${zone}`
      const column = columns.get(key)
      if (column === undefined) columns.set(key, [position])
      else column.push(position)
    }
  const found = new Map<number, number>()
  for (const column of columns.values()) {
    const byWeight = column.sort((a, b) => cells[a]!.overGrams - cells[b]!.overGrams || a - b)
    let highest = byWeight[0]!
    for (const position of byWeight.slice(1)) {
      if (endOf(cells[highest]!) > cells[position]!.overGrams)
        found.set(Math.max(position, highest), Math.min(position, highest))
      if (endOf(cells[position]!) > endOf(cells[highest]!)) highest = position
    }
  }
  return found
}

/** The same for rows that have a scope besides their cell. Only cells of one scope are compared. */
export function ambiguousRows<Row extends PriceCell>(
  rows: readonly Row[],
  scopeOf: (row: Row) => string,
): readonly (readonly [second: number, first: number])[] {
  return [...groupBy([...rows.entries()], ([, row]) => scopeOf(row)).values()].flatMap((scope) =>
    [...ambiguousCells(scope.map(([, row]) => row))].map(
      ([second, first]) => [scope[second]![0], scope[first]![0]] as const,
    ),
  )
}

function endOf({ upToGrams }: PriceCell): number {
  return upToGrams ?? Number.POSITIVE_INFINITY
}

/** "zones 1, 2", "over 5 kg up to 10 kg", both, or '' for all cells. `kilograms` writes a weight. */
export function cellText(
  { zones, overGrams, upToGrams }: PriceCell,
  kilograms: (grams: number) => string,
): string {
  return [
    ...(zones === undefined ? [] : [`${zones.length === 1 ? 'zone' : 'zones'} ${zoneText(zones)}`]),
    ...(overGrams === 0 ? [] : [`over ${kilograms(overGrams)}`]),
    ...(upToGrams === undefined ? [] : [`up to ${kilograms(upToGrams)}`]),
  ].join(' ')
}

/** Consecutive zones are written as ranges: "0-3, 7". The zones are sorted. */
function zoneText(zones: readonly number[]): string {
  const ranges: (readonly [number, number])[] = []
  for (const zone of zones) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === zone - 1) ranges[ranges.length - 1] = [last[0], zone]
    else ranges.push([zone, zone])
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(', ')
}
