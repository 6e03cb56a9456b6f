/**
 * The special programmes of the Harmonized Tariff Schedule of the United States, by the letters in brackets of the
 * column "special". Programmes that are a preference of an origin are imported. Programmes that depend on a use of the
 * goods or a certificate, or that have ended, are left out and counted. Source: general note 3(c) of the schedule.
 */

export type Programme =
  | {
      readonly kind: 'origin'
      /** A country, or one of `US_ORIGIN_GROUPS`. */
      readonly origin: string
      readonly agreement: string
      /** True if the programme excludes some goods of a line. The columns of the schedule do not identify them. */
      readonly isPartial: boolean
    }
  | { readonly kind: 'left_out'; readonly why: string }

/** The origins to which column 2 applies. */
export const COLUMN_2_GROUP = 'US-COLUMN-2'

/** The origin groups of imported rows, with their members. */
export const US_ORIGIN_GROUPS: Readonly<Record<string, readonly string[]>> = {
  // General note 3(b).
  [COLUMN_2_GROUP]: ['BY', 'CU', 'KP', 'RU'],
  'US-USMCA': ['CA', 'MX'],
  // General note 29.
  'US-CAFTA-DR': ['CR', 'DO', 'GT', 'HN', 'NI', 'SV'],
  // General note 7.
  'US-CBERA': [
    ...['AG', 'AW', 'BB', 'BS', 'BZ', 'CW', 'DM', 'GD', 'GY', 'HT', 'JM', 'KN', 'LC', 'MS', 'TT', 'VC', 'VG'],
  ],
}

function programme(origin: string, agreement: string, isPartial = false): Programme {
  return { kind: 'origin', origin, agreement, isPartial }
}

function leftOut(why: string): Programme {
  return { kind: 'left_out', why }
}

const GSP = leftOut('Generalized System of Preferences, lapsed after 2020-12-31')

const PROGRAMMES: Readonly<Record<string, Programme>> = {
  A: GSP,
  'A*': GSP,
  'A+': GSP,
  AU: programme('AU', 'US-Australia FTA'),
  B: leftOut('Automotive Products Trade Act, by use'),
  BH: programme('BH', 'US-Bahrain FTA'),
  C: leftOut('Agreement on Trade in Civil Aircraft, by use'),
  CA: programme('CA', 'USMCA'),
  CL: programme('CL', 'US-Chile FTA'),
  CO: programme('CO', 'US-Colombia TPA'),
  D: leftOut('African Growth and Opportunity Act, by product and country'),
  E: programme('US-CBERA', 'CBERA'),
  'E*': programme('US-CBERA', 'CBERA', true),
  IL: programme('IL', 'US-Israel FTA'),
  J: leftOut('Andean Trade Preference Act, ended'),
  'J*': leftOut('Andean Trade Preference Act, ended'),
  'J+': leftOut('Andean Trade Preference Act, ended'),
  JO: programme('JO', 'US-Jordan FTA'),
  JP: programme('JP', 'US-Japan Trade Agreement'),
  K: leftOut('Agreement on Trade in Pharmaceutical Products, by product'),
  KR: programme('KR', 'KORUS'),
  L: leftOut('Uruguay Round concessions on intermediate chemicals for dyes, by product'),
  MA: programme('MA', 'US-Morocco FTA'),
  MX: programme('MX', 'USMCA'),
  N: leftOut('West Bank, Gaza Strip and qualifying industrial zones'),
  NP: leftOut('Nepal Trade Preference Programme'),
  OM: programme('OM', 'US-Oman FTA'),
  P: programme('US-CAFTA-DR', 'CAFTA-DR'),
  'P+': programme('US-CAFTA-DR', 'CAFTA-DR'),
  PA: programme('PA', 'US-Panama TPA'),
  PE: programme('PE', 'US-Peru TPA'),
  R: leftOut('Caribbean Basin Trade Partnership Act, by product'),
  S: programme('US-USMCA', 'USMCA'),
  'S+': programme('US-USMCA', 'USMCA'),
  SG: programme('SG', 'US-Singapore FTA'),
  Z: leftOut('freely associated states'),
}

/** The programme with these letters; undefined if they are not known. */
export function programmeOf(letters: string): Programme | undefined {
  return Object.hasOwn(PROGRAMMES, letters) ? PROGRAMMES[letters] : undefined
}

/** A rate of the special column and the letters of its programmes. */
export type SpecialRate = { readonly rateText: string; readonly programmes: readonly string[] }

/** The content of brackets: letters such as "A, AU,BH, E*", or words that belong to a rate. */
const BRACKETS = /\(([^()]*)\)/g
const LETTERS = /^[A-Z]{1,2}[*+]?$/

/**
 * Splits a cell of the special column: "Free (A,AU) 2.5% (JP)" is two rates. Text after the last bracket is a rate
 * without programmes.
 */
export function splitSpecialRates(cell: string): readonly SpecialRate[] {
  const rates: SpecialRate[] = []
  let end = 0
  for (const match of cell.matchAll(BRACKETS)) {
    const programmes = (match[1] ?? '').split(/[,;\s]+/).filter((letters) => letters !== '')
    if (programmes.length === 0 || !programmes.every((letters) => LETTERS.test(letters))) continue
    rates.push({ rateText: cleanRate(cell.slice(end, match.index)), programmes })
    end = match.index + match[0].length
  }
  const rest = cleanRate(cell.slice(end))
  return rest === '' ? rates : [...rates, { rateText: rest, programmes: [] }]
}

/**
 * Removes footnote marks ("Free 1/", "6.5%<sup>2/</sup>") and separators at the ends of a rate. A superscript 2 or 3
 * after a unit of length becomes part of the unit ("m2"). Other superscripts are kept, so that the rate fails to parse
 * instead of being misread.
 */
export function cleanRate(text: string): string {
  const plain = text
    .replace(/\b([kcdm]?m)\s*<sup>\s*([23])\s*<\/sup>/gi, '$1$2')
    .replace(/<sup>[^<]*\/\s*<\/sup>/gi, '')
    .replace(/<\/?([a-z]{1,5})>/gi, (tag, name: string) => (name.toLowerCase() === 'sup' ? tag : ''))
    .replace(/\s+/g, ' ')
    .replace(/([a-z%)]) ?\d{1,2}\/$/i, '$1')
  return withoutSeparatorsAround(plain)
}

/** Removes spaces, commas and semicolons at both ends. A loop, because `/[ ,;]+$/` takes quadratic time. */
function withoutSeparatorsAround(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && ' ,;'.includes(text[start]!)) start += 1
  while (end > start && ' ,;'.includes(text[end - 1]!)) end -= 1
  return text.slice(start, end)
}
