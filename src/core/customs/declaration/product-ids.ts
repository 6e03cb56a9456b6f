/**
 * Identifiers of a product: of the seller, of the maker, and the Global Trade Item Number. Declarations of distance
 * sales to the EU need them since 2026-11-01 (Delegated Regulation (EU) 2026/1022). Check digit: GS1 General
 * Specifications, section 7.9.
 */
import { note, type ProblemList, readText } from '../../input.ts'
import type { FieldPath } from '../../problem.ts'

const MAX_ID_LENGTH = 70
const GTIN_LENGTHS: ReadonlySet<number> = new Set([8, 12, 13, 14])

/** The number of a product of the seller or of the maker. */
export function readProductId(problems: ProblemList, path: FieldPath, value: unknown): string | undefined {
  return readText(problems, path, value, MAX_ID_LENGTH)
}

/** 8, 12, 13 or 14 digits with a valid check digit. Blanks and dashes are removed. */
export function readGtin(problems: ProblemList, path: FieldPath, value: unknown): string | undefined {
  const digits = readText(problems, path, value, MAX_ID_LENGTH)?.replace(/[ -]/g, '')
  if (digits === undefined || isGtin(digits)) return digits
  return note(
    problems,
    path,
    'MALFORMED',
    'must be a GTIN (EAN, UPC): 8, 12, 13 or 14 digits with a valid check digit',
  )
}

function isGtin(digits: string): boolean {
  if (!/^\d+$/.test(digits) || !GTIN_LENGTHS.has(digits.length)) return false
  // Weights are 3 and 1 in turn from the right; the check digit has weight 1.
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}
