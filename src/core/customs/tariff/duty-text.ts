/**
 * Duty rates as tariffs write them: "4.50% MIN 0.30 EUR / item MAX 0.80 EUR / item", "9.000 % + EA", "1.5¢/kg + 2.1%";
 * and as Waybill writes them: "4.5%", "0.3 EUR/item", "15 GBP/100 kg - 7 GBP/100 kg". Text that is not understood is
 * read as undefined, and never guessed.
 * Sources: the duty expressions of TARIC ("EA" is the agricultural component of Regulation 510/2014, "AD S/Z" and
 * "AD F/M" are the additional duties on sugar and flour), the UK tariff, and the general notes of the Harmonized Tariff
 * Schedule of the United States.
 */
import { formatDecimal, parseDecimal, withoutTrailingZeros } from '../../quantity.ts'
import { canonicalUnit } from './quantity-unit.ts'

/** A sum of terms: a share of the value in parts per million, amounts per quantity, and open terms. */
export type DutyParts = {
  readonly adValoremPpm?: number
  readonly specifics: readonly SpecificPart[]
  /** Terms that are understood, but depend on facts that no request contains: "EA", "AD S/Z", "6% on the case". */
  readonly open: readonly string[]
}

export type DutyRate = {
  readonly base: DutyParts
  readonly minimum?: DutyParts
  readonly maximum?: DutyParts
}

/** Characters of a sum. The longest published rate has less than half; a longer text is prose. */
const MAX_LENGTH = 1000
const MAX_TERMS = 8
const FREE = /^(?:free|nihil)$/i
/** A sign between terms. A hyphen counts only before an amount, since words contain hyphens. */
const SIGN = /([+]|-(?= ?[\d.£€$]| [A-Z]{3} ?\d))/

/**
 * Reads a rate. Amounts without a currency are in `currency` (three letters). Undefined if any part is not understood.
 * Percentages have at most 4 decimals and amounts at most 6; more are not understood.
 */
export function parseDutyRate(text: string, currency = 'EUR'): DutyRate | undefined {
  const [baseText = '', ...limits] = normalised(text, 3 * MAX_LENGTH).split(/ (MIN|MAX) /)
  // Old tariff style: a bare number before " MIN " is a percentage.
  const isBare = isBareNumber(baseText) && limits[0] === 'MIN'
  const base = parseDutyParts(isBare ? `${baseText}%` : baseText, currency)
  if (base === undefined) return undefined
  const found: { minimum?: DutyParts; maximum?: DutyParts } = {}
  for (let index = 0; index < limits.length; index += 2) {
    const key = limits[index] === 'MIN' ? 'minimum' : 'maximum'
    const parts = parseDutyParts(limits[index + 1] ?? '', currency)
    // A few EU quotas have a second maximum, which is not supported.
    if (parts === undefined || found[key] !== undefined) return undefined
    found[key] = parts
  }
  const { minimum, maximum } = found
  return { base, ...(minimum && { minimum }), ...(maximum && { maximum }) }
}

/** Reads a sum of terms; undefined if a term is not understood, or there is none. */
export function parseDutyParts(text: string, currency = 'EUR'): DutyParts | undefined {
  const sum = normalised(text, MAX_LENGTH)
  if (FREE.test(sum)) return { adValoremPpm: 0, specifics: [], open: [] }
  const [first = '', ...joined] = sum.split(SIGN)
  // A sum may begin with a minus: the term it is subtracted from is in another column.
  const signed = first === '' && joined[0] === '-' ? joined : ['+', first, ...joined]
  if (signed.length > 2 * MAX_TERMS) return undefined
  let adValoremPpm: number | undefined
  const specifics: SpecificPart[] = []
  const open: string[] = []
  for (let index = 0; index < signed.length; index += 2) {
    const words = signed[index + 1]?.trim() ?? ''
    // Old tariff style: a bare number before " + " is a percentage.
    const isBare = index === 0 && signed[2] === '+' && isBareNumber(words)
    const term = readDutyTerm(isBare ? `${words}%` : words, currency)
    if (term === undefined) return undefined
    const isNegative = signed[index] === '-'
    if (term.kind === 'specific') {
      specifics.push(isNegative ? negative(term.part) : term.part)
    } else if (isNegative || (term.kind === 'percent' && adValoremPpm !== undefined)) {
      return undefined
    } else if (term.kind === 'percent') {
      adValoremPpm = term.ratePpm
    } else {
      open.push(term.text)
    }
  }
  return { ...(adValoremPpm !== undefined && { adValoremPpm }), specifics, open }
}

/** Single blanks and plain hyphens. Empty if the text is too long for a rate. */
function normalised(text: string, maxLength: number): string {
  if (text.length > maxLength) return ''
  return text.replace(/[−–]/g, '-').replace(/\s+/g, ' ').trim()
}

function negative(part: SpecificPart): SpecificPart {
  return part.amountMicros === 0 ? part : { ...part, amountMicros: -part.amountMicros }
}

/** Writes a sum in Waybill's form. Parsing the text gives the same sum. Empty if there are no terms. */
export function formatDutyParts(parts: DutyParts): string {
  const texts = [...parts.specifics.map(formatSpecific), ...parts.open]
  if (parts.adValoremPpm !== undefined) texts.unshift(formatPercent(parts.adValoremPpm))
  return joinTerms(texts)
}

/** The columns of a measure that hold its rate. Texts are in Waybill's form; empty: none. */
export type DutyRateColumns = {
  readonly adValoremPpm: number | null
  readonly specific: string
  readonly minimum: string
  readonly maximum: string
}

/** Writes the rate of a measure: "12% - 7 EUR/100 kg MIN 1 EUR/item". Empty if no column holds anything. */
export function formatDutyRate({ adValoremPpm, specific, minimum, maximum }: DutyRateColumns): string {
  const percent = adValoremPpm === null ? '' : formatPercent(adValoremPpm)
  const sum = joinTerms([percent, specific].filter((term) => term !== ''))
  const limits = [minimum === '' ? '' : `MIN ${minimum}`, maximum === '' ? '' : `MAX ${maximum}`]
  return [sum, ...limits].filter((text) => text !== '').join(' ')
}

/** "12%" and "-7 EUR/100 kg" are "12% - 7 EUR/100 kg". */
function joinTerms(terms: readonly string[]): string {
  return terms.reduce((sum, term) => {
    if (sum === '') return term
    return term.startsWith('-') ? `${sum} - ${term.slice(1)}` : `${sum} + ${term}`
  }, '')
}

/** An amount per quantity, in 10^-6 of a currency unit; negative if it is subtracted. */
export type SpecificPart = {
  readonly amountMicros: number
  readonly currency: string
  /** As quantity-unit.ts writes it: "item", "100 kg", "hl", "100 kg net drained wt"… */
  readonly unit: string
}

/** The text of an open term is in Waybill's spelling. */
type DutyTerm =
  | { readonly kind: 'percent'; readonly ratePpm: number }
  | { readonly kind: 'specific'; readonly part: SpecificPart }
  | { readonly kind: 'open'; readonly text: string }

/** Components that depend on what the goods are made of, in the spellings of the EU and the UK. */
const MEURSING: Readonly<Record<string, string>> = {
  EA: 'EA',
  AC: 'EA',
  EAR: 'EAR',
  ACR: 'EAR',
  ADSZ: 'AD S/Z',
  SD: 'AD S/Z',
  ADSZR: 'AD S/ZR',
  SDR: 'AD S/ZR',
  ADFM: 'AD F/M',
  FD: 'AD F/M',
  ADFMR: 'AD F/MR',
  FDR: 'AD F/MR',
}

const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+`
const BARE = new RegExp(`^(?:${NUMBER})$`)
const PERCENT = new RegExp(`^(${NUMBER}) ?%$`)
/** "6% on the case", of the US schedule. Only words, without a condition. */
const PERCENT_ON_PART = new RegExp(`^(${NUMBER}) ?% on (?:the )?([a-z][a-z, ]*)$`)
const PART_MAX_LENGTH = 80
/** Words of a condition. */
const CONDITION = /\b(?:but|less|not)\b/
const AMOUNT = new RegExp(`^(?:([A-Z]{3}|[£€$]) ?)?(${NUMBER}) ?(.*)$`, 's')
/** A currency after the number, and the blank before the quantity. */
const CURRENCY_BEHIND = /^(?:([A-Z]{3}|[£€$¢])(?![A-Za-z]))? ?/
/** The quantity after an amount: "/ 100 kg", "per kg", "each", or a code of TARIC. */
const QUANTITY = /^(?:\/ ?(.+)|per (.+)|(each)|([A-Z]{3}(?:[ /]?[A-Z])?))$/
const CURRENCY = /^[A-Z]{3}$/
/** TARIC writes some amounts in this code, which is not a currency. */
const NO_CURRENCY = 'EUC'
/** Currencies with the signs "$" and "¢". */
const DOLLARS = ['USD', 'AUD', 'CAD', 'HKD', 'NZD', 'SGD', 'TWD']

/**
 * Reads one term with single blanks. An amount without a currency is in `currency`. "$" and "¢" mean `currency` if that
 * is a dollar, otherwise US dollars.
 */
function readDutyTerm(text: string, currency: string): DutyTerm | undefined {
  const meursing = meursingName(text)
  if (meursing !== undefined) return { kind: 'open', text: meursing }
  const [, percent] = PERCENT.exec(text) ?? []
  if (percent !== undefined) {
    const ratePpm = steps(percent, 4)
    return ratePpm === undefined ? undefined : { kind: 'percent', ratePpm }
  }
  const [, share, part = ''] = PERCENT_ON_PART.exec(text) ?? []
  if (share !== undefined && part.length <= PART_MAX_LENGTH && !CONDITION.test(part)) {
    const ratePpm = steps(share, 4)
    return ratePpm === undefined
      ? undefined
      : { kind: 'open', text: `${formatPercent(ratePpm)} on the ${part.trim()}` }
  }
  const specific = readSpecific(text, currency)
  return specific && { kind: 'specific', part: specific }
}

/** True for a Meursing component in any spelling: "EA", "ADSZ", "AD F/M", "SD (reduced)". */
export function isMeursingTerm(text: string): boolean {
  return meursingName(text) !== undefined
}

function meursingName(text: string): string | undefined {
  const name = text.replace(/ ?\(reduced\)$/, 'R').replace(/[\s/]/g, '')
  return Object.hasOwn(MEURSING, name) ? MEURSING[name] : undefined
}

/** A number without sign or unit. In its old style, the EU tariff leaves the percent sign out. */
function isBareNumber(text: string): boolean {
  return BARE.test(text)
}

function readSpecific(text: string, currency: string): SpecificPart | undefined {
  const [, before, digits, behind = ''] = AMOUNT.exec(text) ?? []
  const [skipped = '', after] = CURRENCY_BEHIND.exec(behind) ?? []
  if (digits === undefined || (before !== undefined && after !== undefined)) return undefined
  const sign = before ?? after
  const [, slashed, per, eachWord, code] = QUANTITY.exec(behind.slice(skipped.length)) ?? []
  // Without a currency, only a slash marks an amount. A TARIC code needs a currency code before it.
  if (sign === undefined && slashed === undefined) return undefined
  if (code !== undefined && (sign === undefined || !CURRENCY.test(sign))) return undefined
  const unit = canonicalUnit(slashed ?? per ?? eachWord ?? code ?? '')
  const named = currencyOf(sign, currency)
  const amountMicros = steps(digits, sign === '¢' ? 4 : 6)
  if (unit === undefined || named === undefined || amountMicros === undefined) return undefined
  return { amountMicros, currency: named, unit }
}

function currencyOf(sign: string | undefined, currency: string): string | undefined {
  if (sign === '€') return 'EUR'
  if (sign === '£') return 'GBP'
  if (sign === '$' || sign === '¢') return DOLLARS.includes(currency) ? currency : 'USD'
  const code = sign ?? currency
  // A unit code in place of the currency ("5 KGM/kg") is a mistake.
  return CURRENCY.test(code) && code !== NO_CURRENCY && canonicalUnit(code) === undefined ? code : undefined
}

/** Digits in steps of 10^-`places`; undefined if there are more decimals. */
function steps(digits: string, places: number): number | undefined {
  const plain = digits.replaceAll(',', '')
  const [whole = '', fraction = ''] = plain.split('.')
  const decimals = withoutTrailingZeros(fraction)
  return parseDecimal(`${whole || '0'}${decimals === '' ? '' : `.${decimals}`}`, places)
}

/** "0.3 EUR/item" */
export function formatSpecific(part: SpecificPart): string {
  return `${formatDecimal(part.amountMicros, 6)} ${part.currency}/${part.unit}`
}

/** 65000 parts per million are "6.5%". */
export function formatPercent(ratePpm: number): string {
  return `${percentOf(ratePpm)}%`
}

/** A rate without the sign: 65000 parts per million are "6.5". */
export function percentOf(ratePpm: number): string {
  return formatDecimal(ratePpm, 4)
}
