/**
 * Reads the published tariffs of the United Kingdom: the CSV files "measures on declarable commodities" and "measures
 * as defined", the UK Global Tariff of 2020, and plain lists of codes and duties. The UK Global Tariff has the duties
 * of the UK and of the EU in one row; the jurisdiction decides which is read. Source: column names of the published
 * files (data.api.trade.gov.uk; the UK Global Tariff table of 2020).
 */
import type { CustomsImport, ImportDefaults, ImportTally } from '../customs-import.ts'
import { type ColumnNames, findColumns, hasColumns, neededColumn, possibleColumn } from '../sheet-table.ts'
import type { MeasureColumn } from './measures.ts'
import { importMeasures } from './rows.ts'

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
  operation: possibleColumn('Operation', 'Update type'),
  law: possibleColumn('measure__regulation__id', 'regulation id', 'regulation', 'legal base'),
}

/** First day of the UK Global Tariff. */
const UK_GLOBAL_TARIFF_START = '2021-01-01'

/** True for the header of one of these files. */
export function isUkHeader(header: readonly string[]): boolean {
  return [OLD_UK_DUTY, OLD_EU_DUTY, DUTY].some((duty) => hasColumns(header, CODE, duty))
}

/** Reads a CSV file or a workbook. The default jurisdiction is GB. */
export function readUkTariff(bytes: Uint8Array, defaults: ImportDefaults, tally: ImportTally): CustomsImport {
  const jurisdiction = defaults.jurisdiction ?? 'GB'
  const { measureType } = defaults
  const currency = jurisdiction === 'EU' ? 'EUR' : 'GBP'
  return importMeasures(bytes, isUkHeader, jurisdiction, defaults, tally, (head) => {
    const duty = dutyColumn(head.header, jurisdiction)
    const columns = findColumns<MeasureColumn>({ ...COLUMNS, duty }, head, tally.log)
    const validFrom = defaults.validFrom ?? (duty === OLD_UK_DUTY ? UK_GLOBAL_TARIFF_START : null)
    return columns && { columns, currency, validFrom, ...(measureType !== undefined && { measureType }) }
  })
}

/** The column with the duty of the jurisdiction. */
function dutyColumn(header: readonly string[], jurisdiction: string): ColumnNames {
  // The EU column is chosen even if it is missing, because UK duties must not be used for the EU. A fault then names
  // it.
  if (jurisdiction === 'EU') return OLD_EU_DUTY
  if (hasColumns(header, OLD_UK_DUTY)) return OLD_UK_DUTY
  return hasColumns(header, OLD_EU_DUTY) && !hasColumns(header, DUTY) ? OLD_UK_DUTY : DUTY
}
