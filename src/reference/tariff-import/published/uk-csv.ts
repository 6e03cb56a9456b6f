/**
 * The tariff of the United Kingdom as it is published: the measures of the open data (declarable commodities, or as
 * defined), the UK Global Tariff of 2020 with the EU's duty and the UK's in one row, and plain lists of code and
 * duty. Decided here: the names their columns go by, and that the jurisdiction tells which of two duties is meant.
 * Source: column names of the published files (data.api.trade.gov.uk; the UK Global Tariff table of 2020).
 */
import {
  type CustomsImport,
  type ImportDefaults,
  openImportTally,
  type ReadingProgress,
} from '../customs-import.ts'
import {
  type ColumnNames,
  findColumns,
  hasColumns,
  neededColumn,
  possibleColumn,
  readSheetTables,
} from '../sheets/sheet-table.ts'
import { type MeasureCandidate, type MeasureColumn, readMeasureRows } from './measures.ts'
import { type ColumnTitles, publishedTables } from './rows.ts'

const CODE = neededColumn(
  ...[
    'commodity__code',
    'commodity code',
    'commodity',
    'comm code',
    'goods_nomenclature_item_id',
    'goods code',
  ],
  ...['tariff code', 'cn code', 'cn8', 'hs code', 'code'],
)
const OLD_UK_DUTY = neededColumn('ukgt_duty_rate', 'UK Global Tariff', 'UKGT')
const OLD_EU_DUTY = neededColumn('cet_duty_rate', 'Common External Tariff', 'CET')
const DUTY = neededColumn(
  ...['measure__duty_expression', 'duty expression', 'third country duty', 'third country duty rate'],
  ...[
    'mfn duty',
    'mfn duty rate',
    'mfn rate',
    'mfn',
    'basic duty rate',
    'duty rate',
    'duty',
    'rate of duty',
    'rate',
  ],
)

const COLUMNS: Readonly<Record<Exclude<MeasureColumn, 'duty'>, ColumnNames>> = {
  code: CODE,
  typeId: possibleColumn('measure__type__id', 'measure_type_id', 'measure type code', 'meas. type code'),
  typeWords: possibleColumn('measure__type__description', 'measure type description', 'measure type'),
  start: possibleColumn(
    ...['measure__effective_start_date', 'effective start date', 'start date', 'validity start date'],
    ...['measure start date', 'valid from'],
  ),
  end: possibleColumn(
    ...['measure__effective_end_date', 'effective end date', 'end date', 'validity end date'],
    ...['measure end date', 'last day'],
  ),
  origin: possibleColumn(
    ...[
      'measure__geographical_area__id',
      'geographical area id',
      'geographical area',
      'origin code',
      'origin',
    ],
  ),
  originWords: possibleColumn('measure__geographical_area__description', 'geographical area description'),
  excluded: possibleColumn(
    ...['measure__excluded_geographical_areas__ids', 'excluded geographical areas ids'],
    ...['excluded geographical areas', 'excluded origins'],
  ),
  additionalCode: possibleColumn('measure__additional_code__code', 'additional code', 'add code'),
  orderNumber: possibleColumn(
    'measure__quota__order_number',
    'quota order number',
    'order number',
    'order no',
  ),
  conditions: possibleColumn('measure__conditions', 'conditions'),
  direction: possibleColumn('trade__direction', 'trade direction'),
  law: possibleColumn('measure__regulation__id', 'regulation id', 'regulation', 'legal base'),
}

/** The day the UK Global Tariff began. */
const UK_GLOBAL_TARIFF_BEGAN = '2021-01-01'

/** True for a header of one of these files. */
export function isUkHeader(header: readonly string[]): boolean {
  return [OLD_UK_DUTY, OLD_EU_DUTY, DUTY].some((duty) => hasColumns(header, CODE, duty))
}

/** Reads such a file, as CSV or as a workbook; measures of GB, or of the EU where the defaults say so. */
export function readUkTariff(
  fileName: string,
  bytes: Uint8Array,
  defaults: ImportDefaults,
  onProgress?: ReadingProgress,
): CustomsImport {
  const tally = openImportTally(fileName, onProgress)
  const jurisdiction = defaults.jurisdiction ?? 'GB'
  const candidates: MeasureCandidate[] = []
  let titles: ColumnTitles = { code: undefined, duty: undefined, origin: undefined }
  for (const table of readSheetTables(bytes, isUkHeader, tally.log)) {
    const duty = dutyColumn(table.header, jurisdiction)
    const columns = findColumns<MeasureColumn>({ ...COLUMNS, duty }, table, tally.log)
    if (columns === undefined) continue
    titles = {
      code: columns.titleOf('code'),
      duty: columns.titleOf('duty'),
      origin: columns.titleOf('origin'),
    }
    const validFrom = defaults.validFrom ?? (duty === OLD_UK_DUTY ? UK_GLOBAL_TARIFF_BEGAN : null)
    const measureType = defaults.measureType
    const currency = jurisdiction === 'EU' ? 'EUR' : 'GBP'
    const place = { table, columns, jurisdiction, currency, validFrom, known: defaults.known }
    const layout = { ...place, ...(measureType !== undefined && { measureType }) }
    for (const candidate of readMeasureRows(layout, tally)) candidates.push(candidate)
  }
  return tally.finish(publishedTables(candidates, jurisdiction, defaults, titles, tally))
}

/** In a row with the duties of both, the EU's is only the duty of the EU. */
function dutyColumn(header: readonly string[], jurisdiction: string): ColumnNames {
  // The duty of somebody else is none: the fault names what was looked for.
  if (jurisdiction === 'EU') return OLD_EU_DUTY
  if (hasColumns(header, OLD_UK_DUTY)) return OLD_UK_DUTY
  return hasColumns(header, OLD_EU_DUTY) && !hasColumns(header, DUTY) ? OLD_UK_DUTY : DUTY
}
