/**
 * Checks the postal codes of a card against the formats of their countries. A price list may give the beginning of a
 * code, so a text is right if it is the beginning of a code in one of the formats.
 */
import { normalisePostalCode } from '../../../place.ts'
import { POSTAL_FORMATS, ZERO_FIRST } from './postal-formats.ts'

/** What a code should look like; undefined if it can be one, or if the format of the country is not known. */
export function expectedCode(country: string, text: string): string | undefined {
  const formats = formatsOf(country)
  if (formats.length === 0) return undefined
  const capitals = text.toUpperCase().trim()
  const withoutCountry = withoutPrefix(country, capitals)
  const isCode = [capitals, withoutCountry].some((code) => formats.some((format) => begins(code, format)))
  if (isCode && !isSeveralCodes(capitals, formats)) return undefined
  const shown = formats.slice(0, 3).map(shownFormat).join(' or ')
  return `a postal code of ${country} (${shown}) or its beginning, and one code in a cell`
}

/**
 * "75-77", "9 - 12" and "30 32 34" are several codes. A blank or a hyphen between digits is part of a code only if a
 * format has one there, or if it is the only one of a whole code: "110 001" in IN, "832-0000" in CL.
 */
function isSeveralCodes(text: string, formats: readonly string[]): boolean {
  if (!/^\d+(?:[- ]+\d+)+$/.test(text)) return false
  const signs = withShortSeparators(text)
  const fits = (format: string): boolean =>
    [...signs].every((sign, at) => /\d/.test(sign) || format[at] === '-' || format[at] === sign)
  if (formats.some(fits)) return false
  const [first = '', second = '', third] = signs.split(/[- ]/)
  const isWhole = formats.some((format) => withoutSeparators(format).length === (first + second).length)
  const isRange = signs.includes('-') && (first.length === second.length || first.length === 1)
  return !isWhole || third !== undefined || isRange
}

/** Each run of blanks and hyphens becomes one sign: a hyphen if the run has one, otherwise a blank. */
function withShortSeparators(text: string): string {
  let short = ''
  for (const sign of text) {
    const isRepeated = /[- ]/.test(sign) && /[- ]$/.test(short)
    if (!isRepeated) short += sign
    else if (sign === '-') short = `${short.slice(0, -1)}-`
  }
  return short
}

function withoutSeparators(text: string): string {
  return text.replace(/[- ]/g, '')
}

/** Without "DE", "DE-" or another country prefix with a dash, such as "D-". */
function withoutPrefix(country: string, code: string): string {
  const local = code.replace(/^[A-Z]{1,3}-(?=\d)/, '')
  return local.startsWith(country) ? local.slice(country.length).trimStart() : local
}

/**
 * The code that was probably meant if a spreadsheet has removed a leading zero: "01067" for "1067" in Germany.
 * Undefined if the text is not one digit short of a whole code.
 */
export function withLostZero(country: string, text: string): string | undefined {
  if (!ZERO_FIRST.has(country) || !/^\d+$/.test(text)) return undefined
  const lengths = formatsOf(country).map((format) => withoutSeparators(format).length)
  return text.length === Math.min(...lengths) - 1 ? `0${text}` : undefined
}

/**
 * The part of an end of a range that counts, if the rest of the code would make the range narrower: "PA20" for
 * "PA20 7" in GB. Undefined if the whole code counts, or if the rest is the first one of a `from` ("1000-001" in
 * Portugal) or the last one of a `to` ("1999-999").
 */
export function countingPart(country: string, text: string, end: 'from' | 'to'): string | undefined {
  const code = normalisePostalCode(country, text)
  let length = 0
  while (length < text.length && normalisePostalCode(country, text.slice(0, length)) !== code) length += 1
  const rest = text
    .slice(length)
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
  const isOutermost = end === 'from' ? /^[0A]*1?$/.test(rest) : /^9*Z*$/.test(rest)
  return isOutermost ? undefined : text.slice(0, length)
}

/** The formats of a country, also without the country code that some codes begin with ("LV-1010"). */
function formatsOf(country: string): readonly string[] {
  const formats = POSTAL_FORMATS[country]?.split('|') ?? []
  return formats.flatMap((format) => {
    const local = format.startsWith(country) ? format.slice(country.length).replace(/^[- ]/, '') : ''
    return local === '' || formats.includes(local) ? [format] : [format, local]
  })
}

/** True if a code in this format can begin with `text`. Spaces and hyphens do not count, as in addresses. */
function begins(text: string, format: string): boolean {
  const [characters, signs] = [withoutSeparators(text), withoutSeparators(format)]
  return (
    characters.length <= signs.length &&
    [...characters].every((character, index) => isOf(character, signs[index]!))
  )
}

function isOf(character: string, sign: string): boolean {
  const isDigit = character >= '0' && character <= '9'
  const isLetter = character >= 'A' && character <= 'Z'
  if (sign === '#') return isDigit
  if (sign === '@') return isLetter
  return sign === '*' ? isDigit || isLetter : character === sign
}

/** "99999", "A9A 9A9". */
function shownFormat(format: string): string {
  return format.replace(/[#*]/g, '9').replace(/@/g, 'A')
}
