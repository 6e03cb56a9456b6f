/** Days as workbooks store them: as numbers that count from 1900 or from 1904. */

const DAY_MILLISECONDS = 86_400_000
/** Day 0. Days up to 60 are not read, because day 60 is 29 February 1900, which did not exist. */
const ZERO = Date.UTC(1899, 11, 30)
/** 31 December 9999. */
const LAST = 2_958_465
/** Difference between numbers that count from 1904 and those that count from 1900. */
const DAYS_OF_1904 = 1_462

/** The day, 'YYYY-MM-DD'. A fraction of a day is ignored. Undefined if the text is not the number of a day. */
export function dayOfNumber(text: string, countsFrom1904: boolean): string | undefined {
  if (!/^\d{1,7}(\.\d+)?$/.test(text)) return undefined
  const number = Math.floor(Number(text)) + (countsFrom1904 ? DAYS_OF_1904 : 0)
  if (number < 61 || number > LAST) return undefined
  return new Date(ZERO + number * DAY_MILLISECONDS).toISOString().slice(0, 10)
}
