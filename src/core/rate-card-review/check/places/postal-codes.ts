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
  if (isCode && !isRange(capitals, formats)) return undefined
  const shown = formats.slice(0, 3).map(shownFormat).join(' or ')
  return `a postal code of ${country} (${shown}) or its beginning, and one code in a cell`
}

/** "75-77" and "1000-1999" are two codes, unless codes of the country have a hyphen there, such as "100-0001". */
function isRange(text: string, formats: readonly string[]): boolean {
  const [first = '', second, third] = text.split('-')
  if (second === undefined || third !== undefined || first.length !== second.length) return false
  return /^\d+$/.test(first + second) && formats.every((format) => format[first.length] !== '-')
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
  const lengths = formatsOf(country).map((format) => format.replace(/[- ]/g, '').length)
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
  const [characters, signs] = [text.replace(/[- ]/g, ''), format.replace(/[- ]/g, '')]
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
