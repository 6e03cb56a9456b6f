/**
 * Reads requests for estimates of duties for `waybill customs try`: a CSV file with one row per item, or a JSON array
 * of inputs as `dutiesEstimate` of GraphQL takes them. See docs/customs-data.md#try-a-set.
 */
import { checkDutiesRequest, type DutiesInput, type DutiesRequest } from '../core/customs/request.ts'
import { isJsonObject, type JsonObject } from '../core/input.ts'
import type { InputProblem } from '../core/problem.ts'
import { readCsvTable } from './import/csv-table.ts'
import { type FaultLog, type ImportFault, openFaultLog } from './import/import-fault.ts'
import { atMost, figureText } from './import/import-limits.ts'
import { parseJsonFile } from './import/json-file.ts'

export type NamedRequest = { readonly name: string; readonly request: DutiesRequest }

export type RequestsReading = {
  /** Empty when there are faults. */
  readonly requests: readonly NamedRequest[]
  readonly faults: readonly ImportFault[]
  readonly warnings: readonly ImportFault[]
}

/** Requests that one file may have. */
export const MAX_REQUESTS = 10_000

/** Does not throw: problems of the file are faults. */
export function readEstimateRequests(file: string, bytes: Uint8Array): RequestsReading {
  const log = openFaultLog(file)
  const isJson = /^[\ufeff\s]*[[{]/.test(Buffer.from(bytes.subarray(0, 256)).toString('utf8'))
  const requests = isJson ? readJson(bytes, log) : readCsv(bytes, log)
  if (requests.length > MAX_REQUESTS)
    log.fault(undefined, undefined, atMost(MAX_REQUESTS, 'requests'), figureText(requests.length))
  const faults = log.faults()
  return { requests: faults.length > 0 ? [] : requests, faults, warnings: log.warnings() }
}

function readJson(bytes: Uint8Array, log: FaultLog): readonly NamedRequest[] {
  const inputs = parseJsonFile(bytes)
  if (!Array.isArray(inputs)) {
    log.fault(undefined, undefined, 'a JSON array of inputs of dutiesEstimate')
    return []
  }
  return inputs.slice(0, MAX_REQUESTS + 1).flatMap((input: unknown, index) => {
    const row = index + 1
    if (!isJsonObject(input))
      return log.fault(row, undefined, 'an object with from, to and contentItems') ?? []
    const request = checkDutiesRequest(jsonInput(input))
    const name = typeof input['name'] === 'string' ? input['name'] : `entry ${row}`
    if (!('kind' in request)) return [{ name, request }]
    logProblems(request, log, () => row)
    return []
  })
}

function jsonInput(input: JsonObject): DutiesInput {
  const { asOf, preferences, importScheme, countAverages, contentItems } = input
  const recipientType = input['recipientType']
  return {
    from: placeOf(input['from']),
    to: placeOf(input['to']),
    asOf,
    preferences,
    importScheme,
    countAverages,
    contentItems: Array.isArray(contentItems) ? contentItems.map(jsonItem) : contentItems,
    shippingCost: amountOf(input['shippingCost']),
    insurance: amountOf(input['insuranceCost']),
    recipientType: typeof recipientType === 'string' ? recipientType.toLowerCase() : recipientType,
  }
}

function jsonItem(item: unknown): unknown {
  if (!isJsonObject(item)) return item
  const { description, count, value, hsCode, originCountry, weightKg } = item
  return {
    description,
    numberOfItems: count,
    cost: amountOf(value),
    tariff: hsCode,
    originCountry,
    weight: weightKg,
    quantities: item['quantities'],
    alcoholPercent: item['alcoholPercent'],
    additionalCode: item['additionalCode'],
  }
}

function amountOf(money: unknown): unknown {
  return isJsonObject(money) ? money['amount'] : money
}

function placeOf(place: unknown): DutiesInput['from'] {
  const { country, postalCode } = isJsonObject(place) ? place : {}
  return { country, zipcode: postalCode }
}

/** The columns of a CSV file, by the field that a fault of the request names. */
const REQUEST_COLUMNS = {
  from: 'from',
  to: 'to',
  recipientType: 'recipient',
  importScheme: 'import_scheme',
  shippingCost: 'shipping',
  asOf: 'as_of',
} as const
const ITEM_COLUMNS = {
  description: 'description',
  numberOfItems: 'count',
  cost: 'value',
  tariff: 'hs_code',
  originCountry: 'origin',
  weight: 'weight_kg',
  additionalCode: 'additional_code',
} as const

export const REQUEST_FILE_COLUMNS: readonly string[] = [
  ...['request', 'from', 'from_postal_code', 'to', 'to_postal_code'],
  ...['recipient', 'import_scheme', 'shipping', 'as_of'],
  ...Object.values(ITEM_COLUMNS),
]
const NEEDED = ['from', 'to', 'description', 'value']

type CsvLine = { readonly line: number; readonly cell: (column: string) => string | undefined }

function readCsv(bytes: Uint8Array, log: FaultLog): readonly NamedRequest[] {
  const table = readCsvTable(bytes, log)
  if (table === undefined) return []
  const { header, records, lines } = table
  for (const column of NEEDED) if (!header.includes(column)) log.fault(1, column, 'this column in the header')
  for (const column of header)
    if (!REQUEST_FILE_COLUMNS.includes(column))
      log.warn(1, column, `one of ${REQUEST_FILE_COLUMNS.join(', ')}`)
  if (log.faults().length > 0) return []
  const byName = new Map<string, CsvLine[]>()
  records.forEach((record, index) => {
    const line = lines[index] ?? index + 2
    const cell = (column: string): string | undefined => record[header.indexOf(column)]?.trim() || undefined
    const name = cell('request') ?? `row ${line}`
    byName.set(name, [...(byName.get(name) ?? []), { line, cell }])
  })
  return [...byName].flatMap(([name, rows]) => {
    const request = checkDutiesRequest(csvInput(rows))
    if (!('kind' in request)) return [{ name, request }]
    logProblems(request, log, (item) => rows[item]?.line)
    return []
  })
}

/** The input of rows with one name. What is not about an item is read from the first row. */
function csvInput(rows: readonly CsvLine[]): DutiesInput {
  const head = (column: string): string | undefined => rows[0]?.cell(column)
  return {
    from: { country: head('from'), zipcode: head('from_postal_code') },
    to: { country: head('to'), zipcode: head('to_postal_code') },
    recipientType: head('recipient')?.toLowerCase(),
    importScheme: head('import_scheme'),
    shippingCost: head('shipping'),
    asOf: head('as_of'),
    contentItems: rows.map(({ cell }) => ({
      ...Object.fromEntries(Object.entries(ITEM_COLUMNS).map(([field, column]) => [field, cell(column)])),
      numberOfItems: cell('count') ?? '1',
    })),
  }
}

/** Faults with the row of the item, and the column of the field. */
function logProblems(
  { fields }: InputProblem,
  log: FaultLog,
  rowOf: (item: number) => number | undefined,
): void {
  for (const { path, message } of fields) {
    const [first, item, ...rest] = path
    const isItem = first === 'contentItems' && typeof item === 'number'
    const field = String(isItem ? (rest[0] ?? '') : (first ?? ''))
    const columns: Readonly<Record<string, string>> = isItem ? ITEM_COLUMNS : REQUEST_COLUMNS
    log.fault(rowOf(isItem ? item : 0), columns[field] ?? field, `a value that is accepted: ${message}`)
  }
}
