/**
 * Reads the duty invoice of a carrier for `waybill customs compare`: a CSV file with one row per shipment. See
 * docs/kept-estimates.md#compare-with-an-invoice.
 */

import { type ExchangeRates, findExchangeRate, toEuro } from '../core/customs/data/exchange-rate.ts'
import { centsOf, exactOf } from '../core/customs/exact.ts'
import { ESTIMATE_NAMES, type InvoiceCharge } from '../core/customs/invoice-comparison.ts'
import { cellOf, day, euros, optional, optionalOr, text } from './import/csv-cells.ts'
import { type Fields, type Report, readTable, type TableSpec } from './import/csv-rows.ts'
import type { ImportFault } from './import/import-fault.ts'

/** What a column means. The names are those of the columns, unless the operator gives others. */
export const INVOICE_FIELDS = [
  ...(['estimate_id', 'shipment_id', 'reference', 'duty', 'tax', 'fees'] as const),
  ...(['total', 'currency', 'date'] as const),
] as const
export type InvoiceField = (typeof INVOICE_FIELDS)[number]
export type InvoiceColumns = Readonly<Partial<Record<InvoiceField, string>>>

export type InvoiceReading = {
  /** Undefined when there are faults. */
  readonly charges: readonly InvoiceCharge[] | undefined
  readonly faults: readonly ImportFault[]
  readonly warnings: readonly ImportFault[]
}

type RawRow = {
  readonly estimate_id?: string
  readonly shipment_id?: string
  readonly reference?: string
  readonly duty?: number
  readonly tax?: number
  readonly fees?: number
  readonly total?: number
  readonly currency: string
  readonly date?: string
}

type Row = Omit<InvoiceCharge, 'row'>

/** Does not throw: problems of the file are faults. */
export function readDutyInvoice(
  file: string,
  bytes: Uint8Array,
  columns: InvoiceColumns,
  rates: ExchangeRates,
): InvoiceReading {
  const column = (field: InvoiceField): string => columns[field] ?? field
  const fields: Fields<RawRow> = {
    estimate_id: optional(text(column('estimate_id'))),
    shipment_id: optional(text(column('shipment_id'))),
    reference: optional(text(column('reference'))),
    duty: optional(euros(column('duty'))),
    tax: optional(euros(column('tax'))),
    fees: optional(euros(column('fees'))),
    total: optional(euros(column('total'))),
    currency: optionalOr(
      cellOf(
        column('currency'),
        (code) => (/^[A-Z]{3}$/.test(code) ? code : undefined),
        'a currency code such as EUR',
      ),
      'EUR',
    ),
    date: optional(day(column('date'))),
  }
  const build = (raw: RawRow, report: Report): Row | undefined => buildRow(raw, report, column, rates)
  const spec: TableSpec<RawRow, Row> = { file, required: true, fields, build }
  const { rows, log, placeOf } = readTable(spec, bytes)
  const [faults, warnings] = [log.faults(), log.warnings()]
  if (faults.length > 0) return { charges: undefined, faults, warnings }
  const charges = rows.map((row, index) => ({ ...row, row: placeOf(index).row ?? 0 }))
  return { charges, faults, warnings }
}

function buildRow(
  raw: RawRow,
  report: Report,
  column: (field: InvoiceField) => string,
  rates: ExchangeRates,
): Row | undefined {
  const by = ESTIMATE_NAMES.find((field) => raw[field] !== undefined)
  const name = by && raw[by]
  if (by === undefined || name === undefined)
    return report(column('estimate_id'), 'an estimate id, a shipment id or a reference', '')
  const parts = [raw.duty, raw.tax, raw.fees].filter((cents) => cents !== undefined)
  const sum = parts.reduce((total, cents) => total + cents, 0)
  const { total, currency, date } = raw
  if (total === undefined && parts.length === 0)
    return report(column('total'), 'an amount here, or in the columns of duty, tax and fees', '')
  // With fewer parts, the total may contain the others.
  if (total !== undefined && (parts.length === 3 ? sum !== total : sum > total))
    return report(column('total'), 'the sum of duty, tax and fees', String(total / 100))
  const cents = total ?? sum
  if (currency === 'EUR') return { by, name, chargedCents: cents }
  if (date === undefined)
    return report(column('date'), `the day of the invoice, for the exchange rate of ${currency}`, '')
  const rate = findExchangeRate(rates, currency, date)
  if (rate === undefined)
    return report(
      column('currency'),
      'EUR, or a currency with an exchange rate in the customs data',
      currency,
    )
  return { by, name, chargedCents: centsOf(toEuro(exactOf(cents, 2), rate)) }
}
