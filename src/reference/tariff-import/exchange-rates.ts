/**
 * Reads exchange rates in three layouts: Waybill's own columns, the reference rates of the European Central Bank (a row
 * per day, a column per currency), and the monthly rates of HM Revenue & Customs (units per pound). All rates are
 * converted to units per euro: a rate per pound is divided by that month's rate of the euro per pound, and rounded half
 * up to six decimals. A rate applies from its day until the next one.
 */
import type { ExchangeRateRow } from '../../core/customs/data/row-types/exchange-rates.ts'
import { EXPECTED_DAY, readDay } from './cell-text.ts'
import {
  type CustomsImport,
  type ImportDefaults,
  type ImportTally,
  importCsv,
  type RowImporter,
} from './customs-import.ts'
import {
  type FoundColumns,
  findColumns,
  hasColumns,
  neededColumn,
  plainName,
  possibleColumn,
} from './sheet-table.ts'
import { plainDecimal } from './waybill/cells.ts'
import { openImporter } from './waybill/csv.ts'

const POUND_COLUMNS = {
  currency: neededColumn('Currency Code', 'Currency code', 'ISO code'),
  units: neededColumn(
    'Currency Units per £1',
    'Currency Units per GBP1',
    'Currency Units per GBP',
    'Units per £1',
  ),
  start: possibleColumn('Start date', 'Valid from'),
}

const EXPECTED_RATE = 'a rate above 0 with at most 6 decimals'
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** True for the header of the European Central Bank: a date and currencies. */
export function isCentralBankHeader(header: readonly string[]): boolean {
  const [first = '', ...others] = header
  const named = others.filter((title) => title.trim() !== '')
  return (
    plainName(first) === 'date' && named.length > 0 && named.every((title) => /^[A-Z]{3}$/.test(title.trim()))
  )
}

/** True for the header of HM Revenue & Customs. */
export function isPoundHeader(header: readonly string[]): boolean {
  return hasColumns(header, POUND_COLUMNS.currency, POUND_COLUMNS.units)
}

export function readExchangeRates(
  bytes: Uint8Array,
  defaults: ImportDefaults,
  tally: ImportTally,
): CustomsImport {
  return importCsv(bytes, tally, (header) => {
    if (isCentralBankHeader(header)) return openCentralBankRates(header, defaults, tally)
    if (isPoundHeader(header)) return openPoundRates(header, defaults, tally)
    return openImporter('exchangeRates', header, defaults, tally)
  })
}

function openCentralBankRates(
  header: readonly string[],
  { dataSet }: ImportDefaults,
  tally: ImportTally,
): RowImporter {
  const rows: ExchangeRateRow[] = []
  const days = new Map<string, number>()
  let isFull = false
  return {
    row(record, line) {
      if (isFull) return
      tally.read()
      const text = record[0]!.trim()
      const validFrom = readDay(text) ?? readNamedDay(text)
      const before = days.get(validFrom ?? '')
      if (validFrom === undefined) {
        tally.log.fault(line, header[0], EXPECTED_DAY, text)
      } else if (before !== undefined) {
        const expected = `a day that occurs once in the file; row ${before} has the same`
        tally.log.fault(line, header[0], expected, text)
      } else {
        days.set(validFrom, line)
        const made = ratesOfDay(header, record, line, tally)
        isFull = !tally.mayMake(made.length)
        if (isFull) return
        for (const [currency, rate] of made) rows.push(rowOf(dataSet, currency, rate, validFrom))
        if (made.length > 0) tally.used()
        else tally.leftOut('a day without rates')
      }
    },
    finish: () => ({ exchangeRates: rows }),
  }
}

function ratesOfDay(
  header: readonly string[],
  record: readonly string[],
  line: number,
  tally: ImportTally,
): readonly (readonly [currency: string, rate: string])[] {
  const rates: (readonly [string, string])[] = []
  for (let column = 1; column < record.length; column += 1) {
    const [currency, text] = [header[column]!.trim(), record[column]!.trim()]
    if (currency === '' && text === '') continue
    const rate = readRate(text)
    if (rate !== undefined) rates.push([currency, rate])
    else if (text === '' || /^(N\/A|-)$/i.test(text))
      tally.leftOut('part of a row: no rate on that day (N/A)')
    else tally.log.fault(line, currency, EXPECTED_RATE, text)
  }
  return rates
}

type PoundRate = {
  readonly line: number
  readonly currency: string
  readonly units: string
  readonly day: string
}
type PoundColumns = FoundColumns<keyof typeof POUND_COLUMNS>

function openPoundRates(
  header: readonly string[],
  defaults: ImportDefaults,
  tally: ImportTally,
): RowImporter | undefined {
  const columns = findColumns(POUND_COLUMNS, { header, headerLine: 1 }, tally.log)
  if (columns === undefined) return undefined
  const months = new Map<string, Map<string, PoundRate>>()
  return {
    row(record, line) {
      tally.read()
      const rate = readPoundRate(columns, record, line, defaults.validFrom, tally)
      if (rate === undefined) return
      const month = months.get(rate.day) ?? new Map<string, PoundRate>()
      months.set(rate.day, month)
      const before = month.get(rate.currency)
      if (before === undefined) {
        month.set(rate.currency, rate)
      } else if (before.units === rate.units) {
        tally.leftOut('another country has the same currency and rate')
      } else {
        const expected = `one rate per currency and month; row ${before.line} has ${before.units}`
        tally.log.fault(rate.line, columns.titleOf('units'), expected, rate.units)
      }
    },
    finish: () => ({ exchangeRates: ratesPerEuro(months, columns, defaults.dataSet, tally) }),
  }
}

function ratesPerEuro(
  months: ReadonlyMap<string, ReadonlyMap<string, PoundRate>>,
  columns: PoundColumns,
  dataSet: string,
  tally: ImportTally,
): readonly ExchangeRateRow[] {
  return [...months].flatMap(([day, month]) => {
    const euro = month.get('EUR')
    if (euro !== undefined) return perEuro([...month.values()], euro, dataSet, tally)
    const expected = `a row for the euro (EUR) of ${day}, which converts rates per pound to rates per euro`
    tally.log.fault([...month.values()][0]?.line, columns.titleOf('currency'), expected)
    return []
  })
}

function readPoundRate(
  columns: PoundColumns,
  record: readonly string[],
  line: number,
  validFrom: string | undefined,
  { log }: ImportTally,
): PoundRate | undefined {
  const currency = columns.textOf(record, 'currency').toUpperCase()
  const text = columns.textOf(record, 'units')
  const units = readRate(text)
  const start = columns.textOf(record, 'start')
  const day = start === '' ? validFrom : (readDay(start) ?? readNamedDay(start))
  if (!/^[A-Z]{3}$/.test(currency))
    return log.fault(line, columns.titleOf('currency'), 'a currency of three letters', currency)
  if (units === undefined) return log.fault(line, columns.titleOf('units'), EXPECTED_RATE, text)
  if (day === undefined) return log.fault(line, columns.titleOf('start') ?? 'Start date', EXPECTED_DAY, start)
  return { line, currency, units, day }
}

/** Divides rates per pound by the euro's rate, and adds the rate of the pound. */
function perEuro(
  rates: readonly PoundRate[],
  euro: PoundRate,
  dataSet: string,
  tally: ImportTally,
): readonly ExchangeRateRow[] {
  const rows = [rowOf(dataSet, 'GBP', quotient('1', euro.units), euro.day)]
  for (const { currency, units, day } of rates) {
    tally.used()
    const unitsPerEuro = quotient(units, euro.units)
    if (currency !== 'EUR' && currency !== 'GBP') rows.push(rowOf(dataSet, currency, unitsPerEuro, day))
  }
  return rows
}

function rowOf(dataSet: string, currency: string, unitsPerEuro: string, validFrom: string): ExchangeRateRow {
  return { dataSet, currency, unitsPerEuro, validFrom, confidence: 'high', note: '' }
}

/** A decimal number above 0 as text; undefined if it is none. */
function readRate(text: string): string | undefined {
  const rate = plainDecimal(text)
  return rate === undefined || /^[0.]*$/.test(rate) ? undefined : rate
}

/** Divides two decimals with up to six places. The result is rounded to six decimals, half up. */
function quotient(dividend: string, divisor: string): string {
  const scaled = (micros(dividend) * 2_000_000n + micros(divisor)) / (2n * micros(divisor))
  const digits = String(scaled).padStart(7, '0')
  return plainDecimal(`${digits.slice(0, -6)}.${digits.slice(-6)}`) ?? '0'
}

function micros(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(6, '0'))
}

/** Reads "02 January 2026", the form of the ECB's daily file. */
function readNamedDay(text: string): string | undefined {
  const [, day = '', month = '', year = ''] = /^(\d{1,2}) ([A-Za-z]{3})[a-z]* (\d{4})$/.exec(text) ?? []
  const number = MONTHS.indexOf(month.toLowerCase()) + 1
  return number === 0 ? undefined : readDay(`${year}-${number}-${day}`)
}
