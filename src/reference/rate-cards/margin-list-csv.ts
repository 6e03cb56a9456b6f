/**
 * The file of all margins, which `waybill margin import` reads and `margin export` writes.
 * See docs/rate-cards.md#buy-and-sell.
 */
import type { MarginRow } from '../../core/rating/margin.ts'
import {
  cellOf,
  day,
  emptyOr,
  euros,
  kilograms,
  mayBeEmpty,
  optional,
  signedPercent,
  text,
  whole,
  zoneList,
} from '../import/csv-cells.ts'
import { hasNeeded, type WritableTableSpec, writeTable } from '../import/csv-rows.ts'
import { MAX_MARGIN_ROWS } from '../import/import-limits.ts'
import { onlySheet, type TableFile } from '../import/table-file.ts'
import type { Workbook } from '../import/workbook-sheet.ts'
import { type CellListReading, readCellList } from './cell-list.ts'

/** An ending such as .95, in cents. */
export function parseEnding(value: string): number | undefined {
  // Excel writes .90 as 0.9.
  const [, cents] = /^0?\.(\d{1,2})$/.exec(value) ?? []
  return cents === undefined ? undefined : Number(cents.padEnd(2, '0'))
}

export function endingText(cents: number): string {
  return `.${String(cents).padStart(2, '0')}`
}

type RawMargin = Omit<MarginRow, 'percentBps' | 'amountCents' | 'minimumCents'> &
  Partial<Pick<MarginRow, 'percentBps' | 'amountCents' | 'minimumCents'>>

export const MARGINS: WritableTableSpec<RawMargin, MarginRow> = {
  file: 'margins.csv',
  required: false,
  fields: {
    // A missing column would make a margin wider, so those of the scope are required.
    accountId: mayBeEmpty(text('account')),
    carrierCode: mayBeEmpty(text('carrier_code')),
    productId: mayBeEmpty(whole('product_id')),
    zones: mayBeEmpty(zoneList('zones')),
    overGrams: emptyOr(kilograms('over_kg', 0), 0),
    upToGrams: mayBeEmpty(kilograms('up_to_kg')),
    percentBps: mayBeEmpty(signedPercent('margin_pct', 'above -100')),
    amountCents: optional(euros('margin_eur')),
    minimumCents: optional(euros('min_margin_eur')),
    endingCents: optional(cellOf('ending', parseEnding, 'an ending such as .95', endingText)),
    validFrom: day('valid_from'),
    validTo: mayBeEmpty(day('valid_to')),
  },
  build(row, report) {
    const { overGrams, upToGrams, validFrom, validTo, productId, carrierCode } = row
    if (productId !== undefined && carrierCode !== undefined)
      return report('carrier_code', 'an empty cell, because the row names a product', carrierCode)
    if (upToGrams !== undefined && upToGrams <= overGrams) return report('up_to_kg', 'a weight above over_kg')
    if (validTo !== undefined && validTo <= validFrom)
      return report('valid_to', 'a day after valid_from', validTo)
    const { percentBps, amountCents, minimumCents } = row
    if (percentBps === undefined && amountCents === undefined && minimumCents === undefined)
      return report('margin_pct', 'a margin in this column, margin_eur or min_margin_eur; 0 for none', '')
    return {
      ...row,
      percentBps: percentBps ?? 0,
      amountCents: amountCents ?? 0,
      minimumCents: minimumCents ?? 0,
    }
  },
  rawOf: ({ amountCents, minimumCents, ...row }) => ({
    ...row,
    ...(amountCents !== 0 && { amountCents }),
    ...(minimumCents !== 0 && { minimumCents }),
  }),
}

export type MarginReading = CellListReading<MarginRow>

/** The sheet of a workbook that has margins. Throws ImportRefusal if it cannot be told which sheet is meant. */
export function marginSheet(workbook: Workbook): TableFile {
  return onlySheet(workbook, 'valid_from and margin_pct', { isHeader: (names) => hasNeeded(MARGINS, names) })
}

/** Does not throw: problems of the file are faults. */
export function readMarginList(file: TableFile): MarginReading {
  return readCellList(
    {
      spec: MARGINS,
      most: MAX_MARGIN_ROWS,
      scopeOf: ({ accountId, productId, carrierCode, validFrom }) => [
        accountId,
        productId,
        carrierCode,
        validFrom,
      ],
      unique: 'one margin for each zone and weight',
      percentage: {
        column: 'margin_pct',
        example: '5 is 5%',
        // With an amount, a small percentage is plausible.
        bpsOf: ({ percentBps, amountCents }) => (amountCents === 0 ? percentBps : undefined),
      },
    },
    file,
  )
}

export function writeMarginList(rows: readonly MarginRow[]): string {
  return writeTable(MARGINS, rows)
}
