/**
 * Places: country codes, postal codes, city names, and the numeric keys in which postal ranges are compared.
 * Countries are those of ISO 3166-1, and XK, which carriers and customs use for Kosovo. Postal codes are not validated
 * (docs/rest-contract.md#r19).
 */

/** One end of a route. `country` is an ISO 3166-1 alpha-2 code in capitals; the other texts are as given. */
export type Place = { readonly country: string; readonly zipcode?: string; readonly city?: string }

/** All country codes, sorted. */
export const COUNTRY_CODES: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
  'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT ' +
  'JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO ' +
  'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY ' +
  'QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO ' +
  'TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'
).split(' ')

const COUNTRIES: ReadonlySet<string> = new Set(COUNTRY_CODES)

/** True for an assigned ISO 3166-1 alpha-2 code in capitals, and for XK. */
export function isCountryCode(code: string): boolean {
  return COUNTRIES.has(code)
}

/** Countries whose postal codes contain letters. Elsewhere, leading letters are a country prefix. */
const CODES_WITH_LETTERS = new Set('GB GG IM JE IE CA MT AR BN SZ KY BM VG'.split(' '))

/** For some of these countries: a country prefix, recognised by what follows it. No postal code begins like this. */
const COUNTRY_PREFIX: Readonly<Record<string, RegExp>> = {
  GB: /^GB(?=[A-Z]{1,2}\d)/,
  CA: /^CA(?=[A-Z]\d)/,
  IE: /^IE(?=[A-Z]\d)/,
}

/** The number of characters that carriers use, if they do not use the whole code. */
const LENGTHS: Readonly<Record<string, number>> = { NL: 4, PT: 4, US: 5, IE: 3, CA: 6 }

const DIGITS_ONLY = /^\d+$/
const GB_OUTWARD = /^([A-Z]{1,2})(\d{1,2})([A-Z]?)$/
const GB_INWARD = /\d[A-Z]{2}$/
/** The inward code, or its beginning, after a blank. */
const GB_INWARD_AFTER_BLANK = /\s(\d[A-Z]{0,2})$/

/**
 * Normalises a postal code for comparison with ranges: capitals, no blanks or dashes, no country prefix, cut to the
 * part that carriers use. That is four digits in NL and PT, five in the US, the routing key in IE, all six characters
 * in CA, and the outward code in GB, with two digits for the district, so that KW1 and KW10 differ.
 */
export function normalisePostalCode(country: string, zipcode: string): string {
  // Fast path: most codes have digits only.
  if (DIGITS_ONLY.test(zipcode)) return zipcode.slice(0, LENGTHS[country] ?? POSTAL_KEY_LENGTH)
  const capitals = zipcode.toUpperCase().trim()
  const compact = capitals.replace(/[^0-9A-Z]/g, '').replace(COUNTRY_PREFIX[country] ?? '', '')
  switch (country) {
    case 'NL':
      return compact.replace(/^[A-Z]+/, '').slice(0, LENGTHS['NL'])
    case 'GB':
    case 'GG':
    case 'IM':
    case 'JE':
      return outwardCode(compact, GB_INWARD_AFTER_BLANK.exec(capitals)?.[1]?.length)
    case 'IE':
    case 'CA':
      return compact.slice(0, LENGTHS[country])
  }
  const code = CODES_WITH_LETTERS.has(country) ? compact : compact.replace(/^[A-Z]+(\d)/, '$1')
  return code.slice(0, LENGTHS[country] ?? POSTAL_KEY_LENGTH)
}

/**
 * "EH222GF" and "EH22" are EH22. `inwardLength` is the length of the inward code after a blank: "PO3 5" is "PO35" with
 * an inward code of one character, and its outward code is PO03.
 */
function outwardCode(compact: string, inwardLength = 0): string {
  const district = (text: string): string | undefined => {
    const [, area, digits = '', letter = ''] = GB_OUTWARD.exec(text) ?? []
    return area === undefined ? undefined : area + digits.padStart(2, '0') + letter
  }
  const beforeBlank = inwardLength === 0 ? undefined : district(compact.slice(0, -inwardLength))
  return beforeBlank ?? district(compact.replace(GB_INWARD, '')) ?? district(compact) ?? compact
}

/** Normalises the name of a city for comparison: no case, accents, blanks or signs. */
export function foldCity(city: string): string {
  return city
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}

const POSTAL_KEY_LENGTH = 10
/** Subtracting these numbers from the character code of a digit or a capital gives 1 to 36. */
const [BEFORE_DIGITS, BEFORE_CAPITALS] = [47, 54]

/**
 * Encodes a normalised postal code as a number that sorts like the code: ten digits of base 37, where 0 is the end of
 * the text. A prefix sorts before all codes that begin with it, so a range is one interval. The number is exact in a
 * double, because 37^10 < 2^53. `fill` pads the code: 0 for the start of a range, 36 for its end.
 */
function postalKey(normalised: string, fill: 0 | 36): number {
  let key = 0
  for (let position = 0; position < POSTAL_KEY_LENGTH; position++) {
    const code = position < normalised.length ? normalised.charCodeAt(position) : undefined
    key = key * 37 + (code === undefined ? fill : code - (code < 58 ? BEFORE_DIGITS : BEFORE_CAPITALS))
  }
  return key
}

/** The key of one normalised postal code. */
export function postalCodeKey(normalised: string): number {
  return postalKey(normalised, 0)
}

/** The shortest code with a key. */
export function codeOfPostalKey(key: number): string {
  let code = ''
  for (let rest = key; rest > 0; rest = Math.floor(rest / 37)) {
    const digit = rest % 37
    if (digit > 0) code = String.fromCharCode(digit + (digit <= 10 ? BEFORE_DIGITS : BEFORE_CAPITALS)) + code
  }
  return code
}

/**
 * The interval of keys of a postal range, both inclusive: from the code or prefix `from` to all codes that begin with
 * `to`. Examples of ranges are "20" to "20", "BT" to "BT" and "PA20" to "PA78". In GB, an area of one letter ends
 * before the areas of two letters: "B" to "B" is B1 to B99, and not BA. "A" to "B" has all areas of both letters.
 */
export function postalInterval(country: string, from: string, to: string): readonly [number, number] {
  const [first, last] = [normalisePostalCode(country, from), normalisePostalCode(country, to)]
  const isOneArea = country === 'GB' && first === last && /^[A-Z]$/.test(last)
  return [postalKey(first, 0), postalKey(isOneArea ? `${last}9` : last, 36)]
}
