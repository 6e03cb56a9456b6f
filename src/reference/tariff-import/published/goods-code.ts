/**
 * Goods codes as tariffs print them. Decided here: digits only; a spreadsheet's lost leading zero is put back; and
 * how much of a code a lookup by the longest prefix needs. Tariffs pad the code of a heading or chapter with pairs
 * of zeros to ten digits, as they pad the code of a line that has no lines of its own:
 *
 * - "6109100010" is itself;
 * - "0101210000", the rate of goods, is the line 01012100: eight digits, the zeros of the tariff part go;
 * - "6109000000" is the heading 6109, since 610900 is no subheading of the HS, and "2709000000" is 2709 where the
 *   same file has lines below it: all pairs of zeros go;
 * - a code that does not decide which line goods are in (a preference, an additional duty) loses all pairs of zeros:
 *   it then covers the line and whatever may lie below it.
 */
import { readHs2022Codes } from '../../customs.ts'

/** What is expected in place of a code that cannot be read. */
export const EXPECTED_CODE = 'a goods code of 2 to 10 digits'

/**
 * The digits of a code, without dots and blanks. An odd number of them lost a zero in front. Undefined when it is no
 * code of 2 to 10 digits.
 */
export function readGoodsCode(text: string): string | undefined {
  const digits = text.replace(/[.\s\u00a0]/g, '')
  if (!/^\d{1,10}$/.test(digits) || /^0*$/.test(digits)) return undefined
  return digits.length % 2 === 0 ? digits : `0${digits}`
}

/** True when a text is a code that lost its zero in front. */
export function lostZero(text: string): boolean {
  return text.replace(/\D/g, '').length % 2 === 1
}

/** True when a code begins with a heading of the HS; chapters 98 and 99 are national. */
export function hasHeading(code: string): boolean {
  if (code.length < 4 || code.startsWith('98') || code.startsWith('99')) return true
  subheadings ??= readHs2022Codes()
  headings ??= new Set([...subheadings].map((known) => known.slice(0, 4)))
  return headings.has(code.slice(0, 4))
}

let subheadings: ReadonlySet<string> | undefined
let headings: ReadonlySet<string> | undefined

/** How a tariff's code is cut to the prefix that a measure holds. */
export type PrefixRule = {
  /** The prefix of a measure that decides the line (`decides`), or of another one. */
  prefixOf(code: string, decides: boolean): string
}

/** The rule for a file in which these codes stand. */
export function prefixRuleOf(codes: Iterable<string>): PrefixRule {
  subheadings ??= readHs2022Codes()
  const known = subheadings
  const headings = new Set([...known].map((code) => code.slice(0, 4)))
  const parents = parentsOf(codes)
  return {
    prefixOf(code, decides) {
      const cut = withoutPairsOfZeros(code)
      if (!decides || cut === code || cut.length >= 8) return cut
      if (parents.has(cut)) return cut
      const isHeadingPadded = cut.length < 6 && !known.has(code.slice(0, 6)) && headings.has(code.slice(0, 4))
      return isHeadingPadded || cut.length < 4 ? cut : code.slice(0, Math.min(code.length, 8))
    },
  }
}

/** The prefixes, by pairs of digits, under which a line lies that is not the prefix padded with zeros. */
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
