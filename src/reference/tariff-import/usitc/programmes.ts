/**
 * The special programmes of the Harmonized Tariff Schedule of the United States, by the letters its special column
 * has in brackets. Decided here: which of them are a preference of an origin; the others hang on a use of the goods,
 * on a certificate, or have ended, and are counted. Source: general note 3(c) of the schedule.
 */

/** What the letters of a programme stand for. */
export type Programme =
  | {
      readonly kind: 'origin'
      /** A country, or one of `US_ORIGIN_GROUPS`. */
      readonly origin: string
      readonly agreement: string
      /** The programme leaves some of the goods out; the schedule does not say which in its columns. */
      readonly isPartial: boolean
    }
  | { readonly kind: 'left_out'; readonly why: string }

/** Origins that pay column 2: every duty of it stands under this group. */
export const COLUMN_2_GROUP = 'US-COLUMN-2'

/** The groups of origins that the imported rows name, with their members. */
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

/** What letters of the special column stand for; undefined when they are not known. */
export function programmeOf(letters: string): Programme | undefined {
  return Object.hasOwn(PROGRAMMES, letters) ? PROGRAMMES[letters] : undefined
}

/** A rate of the special column and the programmes it is for. */
export type SpecialRate = { readonly rateText: string; readonly programmes: readonly string[] }

/** What stands in brackets: letters such as "A, AU,BH, E*", or words, which are part of a rate. */
const BRACKETS = /\(([^()]*)\)/g
const LETTERS = /^[A-Z]{1,2}[*+]?$/
/** Runs of blanks are one blank by then. */

/**
 * Splits a cell of the special column: "Free (A,AU) 2.5% (JP)" is two rates. Text behind the last bracket, or without
 * any, is a rate of no programme.
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
 * A rate without the marks of footnotes ("Free 1/", "6.5%<sup>2/</sup>") and stray separators. Raised figures behind a
 * metre are square and cubic metres; others stay, so that the rate is not understood rather than a wrong one.
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

/** Text without blanks, commas and semicolons at its ends. A loop, since `/[ ,;]+$/` takes quadratic time. */
function withoutSeparatorsAround(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && ' ,;'.includes(text[start]!)) start += 1
  while (end > start && ' ,;'.includes(text[end - 1]!)) end -= 1
  return text.slice(start, end)
}
