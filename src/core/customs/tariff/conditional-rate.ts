/**
 * Reads the published texts of duties that depend on the day of the year or on the price of the goods.
 * - A seasonal duty: "15.00% (01 JAN-14 FEB, 16 JUN-31 DEC), 0.00% (15 FEB-15 JUN)".
 * - An entry price of TARIC: "Cond: V 84.600 EUR DTN(01):8.800 % ; V 82.900 EUR DTN(01):8.800 % + 1.700 EUR DTN". The
 *   duty of the highest price that the goods reach applies.
 * A text that is not understood is read as undefined.
 * Sources: the tariffs of the EU and the United Kingdom of January 2021; the conditions of TARIC.
 */
import { type DutyRate, parseDutyRate, type SpecificPart } from './duty-text.ts'

/** A duty, and the periods of each year to which it applies. Days are 'MM-DD', the last one included. */
export type SeasonRate = {
  readonly text: string
  readonly rate: DutyRate
  readonly periods: readonly { readonly first: string; readonly last: string }[]
}

/** A duty on goods whose price is at least `price`. */
export type EntryPriceRate = { readonly text: string; readonly rate: DutyRate; readonly price: SpecificPart }

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')
const SEASON = /^([^()]{1,200})\(([^()]{1,200})\)$/
/** The first month may be missing: "01-31 DEC". */
const PERIOD = /^(\d{1,2})(?: ([A-Z]{3})[A-Z]{0,6})? ?- ?(\d{1,2}) ([A-Z]{3})[A-Z]{0,6}$/
const PRICE =
  /^(?:Cond: ?)?V (\d{1,6}(?:\.\d{1,3})?) ?([A-Z]{3}) ?\/? ?([A-Z]{3}) ?(?:[A-Z] ?)?\(\d{2}\) ?: ?(.{1,100})$/

export function parseSeasons(text: string): readonly SeasonRate[] | undefined {
  const parts = text.split(/(?<=\)), /)
  const seasons = parts.map((part) => parseSeason(part.trim()))
  return allOf(seasons)
}

function parseSeason(text: string): SeasonRate | undefined {
  const [, rateText = '', periodText = ''] = SEASON.exec(text) ?? []
  const rate = parseDutyRate(rateText.trim())
  const periods = allOf(periodText.split(',').map((period) => parsePeriod(period.trim())))
  return rate === undefined || periods === undefined ? undefined : { text: rateText.trim(), rate, periods }
}

function parsePeriod(text: string): SeasonRate['periods'][number] | undefined {
  const [, firstDay = '', firstMonth, lastDay = '', lastMonth = ''] = PERIOD.exec(text.toUpperCase()) ?? []
  const first = dayOfYear(firstDay, firstMonth ?? lastMonth)
  const last = dayOfYear(lastDay, lastMonth)
  return first === undefined || last === undefined ? undefined : { first, last }
}

function dayOfYear(day: string, month: string): string | undefined {
  const index = MONTHS.indexOf(month)
  return index === -1 ? undefined : `${String(index + 1).padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** True on a day ('YYYY-MM-DD') in one of the periods. A period may include the end of the year. */
export function isInSeason({ periods }: SeasonRate, date: string): boolean {
  const day = date.slice(5)
  return periods.some(({ first, last }) =>
    first <= last ? first <= day && day <= last : first <= day || day <= last,
  )
}

/** The duties by price, the highest price first. */
export function parseEntryPrices(text: string): readonly EntryPriceRate[] | undefined {
  const parts = text
    .replace(/\s+/g, ' ')
    .split(';')
    .map((part) => part.trim())
  const prices = allOf(parts.filter((part) => part !== '').map(parsePrice))
  return prices?.toSorted((a, b) => b.price.amountMicros - a.price.amountMicros)
}

function parsePrice(part: string): EntryPriceRate | undefined {
  const [, amount = '', currency = '', unit = '', text = ''] = PRICE.exec(part) ?? []
  const price = parseDutyRate(`${amount} ${currency}/${unit}`)?.base.specifics[0]
  const rate = parseDutyRate(text.trim())
  return price === undefined || rate === undefined ? undefined : { text: text.trim(), rate, price }
}

/** Undefined if the list is empty or one of its values is missing. */
function allOf<Value>(values: readonly (Value | undefined)[]): readonly Value[] | undefined {
  const found = values.flatMap((value) => (value === undefined ? [] : [value]))
  return found.length === values.length && found.length > 0 ? found : undefined
}
