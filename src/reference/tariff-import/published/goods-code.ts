/**
 * Reads goods codes as tariffs print them, and shortens them to the prefixes that measures have. Tariffs pad codes of
 * chapters, headings and undivided lines with zeros to ten digits. Padding is removed as follows:
 *
 * - "6109100010" is not padded.
 * - "0101210000" with a third-country duty is the line 01012100: codes of lines keep eight digits.
 * - "6109000000" is the heading 6109, because 610900 is not a subheading of the HS. "2709000000" is the heading 2709 if
 *   the file has lines below it. Headings lose all pairs of zeros.
 * - A code with a preference or an additional duty also loses all pairs of zeros, so that it covers all lines below it.
 */
import { readHs2022Codes } from '../../customs.ts'

export const EXPECTED_CODE = 'a goods code of 2 to 10 digits'

/**
 * The digits of a code, without dots and spaces. If their number is odd, a spreadsheet has removed the leading zero,
 * which is restored. Undefined if it is not a code of 2 to 10 digits.
 */
export function readGoodsCode(text: string): string | undefined {
  const digits = text.replace(/[.\s\u00a0]/g, '')
  if (!/^\d{1,10}$/.test(digits) || /^0*$/.test(digits)) return undefined
  return digits.length % 2 === 0 ? digits : `0${digits}`
}

/** True if the number of digits is odd. */
export function lostZero(text: string): boolean {
  return text.replace(/\D/g, '').length % 2 === 1
}

/**
 * True if a code begins with a heading of the HS. Also true for codes that are too short or national (chapters 98, 99).
 */
export function hasHeading(code: string): boolean {
  if (code.length < 4 || code.startsWith('98') || code.startsWith('99')) return true
  subheadings ??= readHs2022Codes()
  headings ??= new Set([...subheadings].map((known) => known.slice(0, 4)))
  return headings.has(code.slice(0, 4))
}

let subheadings: ReadonlySet<string> | undefined
let headings: ReadonlySet<string> | undefined

/** Shortens the codes of one file to prefixes. */
export type PrefixRule = {
  /** `isBase` is true for third-country duties, which define the lines of the tariff. */
  prefixOf(code: string, isBase: boolean): string
}

/** The rule for a file with these codes. */
export function prefixRuleOf(codes: Iterable<string>): PrefixRule {
  subheadings ??= readHs2022Codes()
  const known = subheadings
  const headings = new Set([...known].map((code) => code.slice(0, 4)))
  const parents = parentsOf(codes)
  return {
    prefixOf(code, isBase) {
      const cut = withoutPairsOfZeros(code)
      if (!isBase || cut === code || cut.length >= 8) return cut
      if (parents.has(cut)) return cut
      const isHeadingPadded = cut.length < 6 && !known.has(code.slice(0, 6)) && headings.has(code.slice(0, 4))
      return isHeadingPadded || cut.length < 4 ? cut : code.slice(0, Math.min(code.length, 8))
    },
  }
}

/** The prefixes of even length that have longer codes below them. The prefix padded with zeros does not count. */
function parentsOf(codes: Iterable<string>): ReadonlySet<string> {
  const parents = new Set<string>()
  for (const code of codes) {
    const line = withoutPairsOfZeros(code.slice(0, 8))
    for (let length = line.length - 2; length >= 2; length -= 2) parents.add(line.slice(0, length))
  }
  return parents
}

function withoutPairsOfZeros(code: string): string {
  let length = code.length
  while (length > 2 && code.endsWith('00', length)) length -= 2
  return code.slice(0, length)
}
