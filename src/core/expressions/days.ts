/** Days in expressions: '2026-11-21' is 20261121, and the day of every year '11-21' is 1121. */
import { ExpressionFault } from './expression-fault.ts'

const DAYS_OF_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/** A day, or a day of every year. Throws an ExpressionFault if it does not exist. */
export function dayOf(
  text: string,
  at: number,
): { readonly number: number; readonly isOfEveryYear: boolean } {
  const [year, month = 0, day = 0] = text.length === 5 ? [undefined, ...parts(text)] : parts(text)
  const isLeapless = year !== undefined && (year % 4 !== 0 || (year % 100 === 0 && year % 400 !== 0))
  const last = month === 2 && isLeapless ? 28 : (DAYS_OF_MONTH[month - 1] ?? 0)
  if (day < 1 || day > last)
    throw new ExpressionFault(at, `${text} is not a day; to subtract, put blanks around the minus sign`)
  return { number: (year ?? 0) * 10_000 + month * 100 + day, isOfEveryYear: year === undefined }
}

function parts(text: string): number[] {
  return text.split('-').map(Number)
}
