/**
 * Where an end of a route lies: countries, postal codes and the numbers that make postal ranges comparable.
 * Source: specification 2.1; ISO 3166-1 (plus XK, user-assigned, as carriers and customs use it).
 */

/** One end of a route. `country` is ISO 3166-1 alpha-2 in capitals; the rest is text as given. */
export type Place = { readonly country: string; readonly zipcode?: string; readonly city?: string }

const COUNTRIES = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
    'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT ' +
    'JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO ' +
    'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY ' +
    'QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO ' +
    'TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'
  ).split(' '),
)

/** True for an assigned ISO 3166-1 alpha-2 code in capitals (and XK). */
export function isCountryCode(code: string): boolean {
  return COUNTRIES.has(code)
}

/** Countries whose postal codes carry letters of their own; elsewhere leading letters are a country prefix. */
const LETTERS_BELONG = new Set('GB GG IM JE IE CA MT AR BN SZ KY BM VG'.split(' '))

/** Of those, the ones where no code can begin with the letters of the country, so that they are a prefix too. */
const COUNTRY_PREFIX: Readonly<Record<string, RegExp>> = {
  GB: /^GB(?=[A-Z]{1,2}\d)/,
  CA: /^CA(?=[A-Z]\d)/,
  IE: /^IE(?=[A-Z]\d)/,
}

/** How many characters of a code carriers use, where it is not all of them. */
const LENGTHS: Readonly<Record<string, number>> = { NL: 4, PT: 4, US: 5, IE: 3, CA: 3 }

const DIGITS_ONLY = /^\d+$/
const GB_OUTWARD = /^([A-Z]{1,2})(\d{1,2})([A-Z]?)$/
const GB_INWARD = /\d[A-Z]{2}$/
/** The inward code, or the beginning of one, set off by a blank. */
const GB_INWARD_APART = /\s(\d[A-Z]{0,2})$/

/**
 * A postal code in the form ranges are compared in: capitals, no blanks or dashes, no country prefix, cut to
 * the part that carriers use (NL and PT four digits, US five, IE routing key, CA forward sortation area, GB
 * outward code with the district zero-padded, so that KW1 and KW10 differ). Leading zeros stay.
 */
export function normalisePostalCode(country: string, zipcode: string): string {
  // Most codes are digits alone: there is nothing to strip of them.
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
      return outwardCode(compact, GB_INWARD_APART.exec(capitals)?.[1]?.length)
    case 'IE':
    case 'CA':
      return compact.slice(0, LENGTHS[country])
  }
  const own = LETTERS_BELONG.has(country) ? compact : compact.replace(/^[A-Z]+(\d)/, '$1')
  return own.slice(0, LENGTHS[country] ?? POSTAL_KEY_LENGTH)
}

/** "EH222GF" and "EH22" are EH22; so is "PO35" of "PO3 5" PO03, whose last character stood apart. */
function outwardCode(compact: string, inwardLength = 0): string {
  const district = (text: string): string | undefined => {
    const [, area, digits = '', letter = ''] = GB_OUTWARD.exec(text) ?? []
    return area === undefined ? undefined : area + digits.padStart(2, '0') + letter
  }
  const apart = inwardLength === 0 ? undefined : district(compact.slice(0, -inwardLength))
  return apart ?? district(compact.replace(GB_INWARD, '')) ?? district(compact) ?? compact
}

/** A city's name as names are compared: without case, accents, blanks and signs. */
export function foldCity(city: string): string {
  return city
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}

const POSTAL_KEY_LENGTH = 10
/** What turns the character code of a digit, and of a capital, into 1 to 36. */
const [BEFORE_DIGITS, BEFORE_CAPITALS] = [47, 54]

/**
 * A normalised postal code as a number whose order is the order of the codes: ten base-37 digits, where 0 is
 * "end of text", so that a prefix sorts before all it begins and a range becomes one interval. Fits a double
 * exactly (37^10 < 2^53). `fill` is the digit behind the text: 0 for the start of a range, 36 for its end.
 */
function postalKey(normalised: string, fill: 0 | 36): number {
  let key = 0
  for (let position = 0; position < POSTAL_KEY_LENGTH; position++) {
    const code = position < normalised.length ? normalised.charCodeAt(position) : undefined
    key = key * 37 + (code === undefined ? fill : code - (code < 58 ? BEFORE_DIGITS : BEFORE_CAPITALS))
  }
  return key
}

/** The key of one postal code, normalised. */
export function postalCodeKey(normalised: string): number {
  return postalKey(normalised, 0)
}

/**
 * The interval of keys, both ends inclusive, of a postal range as price lists write it: from one code or
 * prefix up to and including all that another begins ("20" to "20", "BT" to "BT", "PA20" to "PA78").
 */
export function postalInterval(country: string, from: string, to: string): readonly [number, number] {
  return [postalKey(normalisePostalCode(country, from), 0), postalKey(normalisePostalCode(country, to), 36)]
}
