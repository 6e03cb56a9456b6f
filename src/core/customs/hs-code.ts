/**
 * Codes of goods as callers write them. Decided here: dots and blanks are dropped, 6 to 10 digits must be left,
 * and a leading zero that a spreadsheet lost is put back when that gives a known code.
 * Source: decisions 12 and 13 of the README.
 */
import { note, type ProblemList, readText } from '../draft.ts'
import type { FieldPath } from '../problem.ts'
import { isKnownCode, type Tariff } from './tariff.ts'

/** The digits of a given code; undefined when absent or at fault. */
export function readHsCode(problems: ProblemList, path: FieldPath, value: unknown): string | undefined {
  const text = readText(problems, path, value)
  if (text === undefined) return undefined
  const digits = text.replace(/[.\s]/g, '')
  if (/^\d{6,10}$/.test(digits)) return digits
  return note(problems, path, 'MALFORMED', 'must be a code of 6 to 10 digits (dots and blanks are ignored)')
}

/**
 * The code with its lost leading zero, or as it is. Codes have an even number of digits, so only an odd number
 * hints at a loss; it is put back when one of the tariffs knows the result as it stands.
 */
export function repairLeadingZero(tariffs: Iterable<Tariff>, digits: string): string {
  if (digits.length % 2 === 0) return digits
  const repaired = `0${digits}`
  for (const tariff of tariffs) if (isKnownCode(tariff, repaired)) return repaired
  return digits
}
