/** Rows of tariffs and of their preferences, and the files that they are written to. */
import { type DutyFields, dutyFieldsOf } from '../../src/reference/tariff-import/cell-text.ts'
import { readSource, type SourceLine, sourceCell, writeTable } from './files.ts'

/** The columns of a rate. Empty: none. */
export type Rate = {
  readonly percent: string
  readonly specific: string
  readonly minimum: string
  readonly maximum: string
  readonly condition: string
  readonly text: string
}

export type TariffRow = {
  readonly code: string
  readonly rate: Rate
  /** Present if the rate is known only for six digits. */
  readonly level?: 'subheading'
  /** Of a rate taken from several lines. */
  readonly range?: { readonly lowest: string; readonly highest: string; readonly lines: number }
  /** Only if it differs from that of the file. */
  readonly confidence?: 'high' | 'medium' | 'low'
  readonly note?: string
}

export type PreferenceRow = {
  readonly code: string
  readonly origin: string
  readonly agreement: string
  readonly rate: Rate
  /** Only if it differs from that of the file. */
  readonly confidence?: 'medium'
}

const NO_RATE: Rate = { percent: '', specific: '', minimum: '', maximum: '', condition: '', text: '' }

export function percentRate(percent: string): Rate {
  return { ...NO_RATE, percent: String(Number(percent)) }
}

/** A rate whose columns do not express its text. */
export function textRate(
  condition: 'not_parsed' | 'not_loaded' | 'seasonal' | 'entry_price' | 'meursing',
  text: string,
  percent = '',
): Rate {
  return { ...NO_RATE, condition, text, percent }
}

/** The columns of a rate as an import reads it. */
export function importedRate({
  adValoremPpm,
  specific,
  minimum,
  maximum,
  condition,
  text,
}: DutyFields): Rate {
  const percent = adValoremPpm === null ? '' : String(adValoremPpm / 10_000)
  return { percent, specific, minimum, maximum, condition, text }
}

/** Reads "29.8% + 915 JPY/kg MIN 1 JPY/kg". Throws if the text is not understood. */
export function dutyRate(text: string, currency: string): Rate {
  const fields = dutyFieldsOf(text, currency)
  if (fields.text !== '') throw new Error(`duty not understood: ${text}`)
  return importedRate(fields)
}

/** The rate columns of a source line, as they are. */
export function sourceRate(line: SourceLine): Rate {
  const percent = sourceCell(line, 'ad_valorem_percent')
  return {
    percent: percent === '' ? '' : String(Number(percent)),
    specific: sourceCell(line, 'specific'),
    minimum: sourceCell(line, 'minimum'),
    maximum: sourceCell(line, 'maximum'),
    condition: sourceCell(line, 'condition'),
    text: sourceCell(line, 'text').replace(/\s+/g, ' ').trim(),
  }
}

/** Undefined unless the rate is only a percentage. */
export function plainPercent({ percent, specific, minimum, maximum, condition }: Rate): number | undefined {
  const isPlain = [specific, minimum, maximum, condition].every((cell) => cell === '')
  return isPlain && percent !== '' ? Number(percent) : undefined
}

export function rateKey(rate: Rate): string {
  return Object.values(rate).join('|')
}

/** The lines of a file of the folder. Throws if a code occurs twice. */
export function readTariff(folder: string, file: string): readonly SourceLine[] {
  const lines = readSource(folder, file)
  const codes = new Set(lines.map((line) => sourceCell(line, 'code')))
  if (codes.size !== lines.length) throw new Error(`${file}: a code occurs twice`)
  return lines
}

/** Like `readTariff`, by code. */
export function readTariffByCode(folder: string, file: string): ReadonlyMap<string, SourceLine> {
  return new Map(readTariff(folder, file).map((line) => [sourceCell(line, 'code'), line]))
}

const RATE_COLUMNS = ['ad_valorem_percent', 'specific', 'minimum', 'maximum', 'condition', 'text'] as const
const TARIFF_COLUMNS = [
  'code_prefix',
  ...RATE_COLUMNS,
  'level',
  'lowest_percent',
  'highest_percent',
  'lines',
  'confidence',
  'note',
] as const

/** Writes the columns that some row uses. */
export function writeTariffFile(file: string, rows: readonly TariffRow[]): void {
  const cells = rows.map(({ code, rate, level, range, confidence, note }) => [
    code,
    ...rateCells(rate),
    level ?? '',
    range?.lowest ?? '',
    range?.highest ?? '',
    range === undefined ? '' : String(range.lines),
    confidence ?? '',
    note ?? '',
  ])
  writeUsedColumns(file, TARIFF_COLUMNS, cells)
}

/** Writes all columns of rates, and no others. Sorts by code. */
export function writeRates(file: string, rows: readonly TariffRow[]): void {
  const cells = rows.map(({ code, rate }) => [code, ...rateCells(rate)])
  writeTable(file, ['code_prefix', ...RATE_COLUMNS].join(','), sortedByCode(cells))
}

/** Bounds of the unit value of a line. See `unitValueAbove` of measures. */
type UnitValue = { readonly above: string; readonly upTo: string; readonly per: string }

/** Like `writeRates`, with the unit values that lines cover, in one currency. */
export function writeRatesWithUnitValues(
  file: string,
  rows: readonly TariffRow[],
  currency: string,
  unitValues: ReadonlyMap<string, UnitValue>,
): void {
  const cells = rows.map(({ code, rate }) => {
    const value = unitValues.get(code)
    const band = value === undefined ? ['', '', '', ''] : [value.above, value.upTo, currency, value.per]
    return [code, ...rateCells(rate), ...band]
  })
  const columns = ['unit_value_above', 'unit_value_up_to', 'unit_value_currency', 'unit_value_per']
  writeTable(file, ['code_prefix', ...RATE_COLUMNS, ...columns].join(','), sortedByCode(cells))
}

export function writePreferences(file: string, rows: readonly PreferenceRow[]): void {
  const header = ['code_prefix', 'origin_group', 'agreement', ...RATE_COLUMNS, 'confidence']
  const cells = rows.map(({ code, origin, agreement, rate, confidence }) => [
    ...[code, origin, agreement],
    ...rateCells(rate),
    confidence ?? '',
  ])
  writeUsedColumns(file, header, cells)
}

function rateCells({ percent, specific, minimum, maximum, condition, text }: Rate): readonly string[] {
  return [percent, specific, minimum, maximum, condition, text]
}

function writeUsedColumns(
  file: string,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const used = header.map((_, index) => rows.some((row) => row[index] !== ''))
  const select = (row: readonly string[]): readonly string[] => row.filter((_, index) => used[index])
  writeTable(file, select(header).join(','), sortedByCode(rows.map(select)))
}

/** A code follows the shorter code it belongs to. */
function sortedByCode(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const sortKey = (row: readonly string[]): string => row.slice(0, 3).join(' ')
  return rows.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
}
