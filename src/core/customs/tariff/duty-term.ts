/**
 * One term of a duty rate: a percentage, an amount per quantity, or a term that cannot be worked out. Decided
 * here: the spellings of TARIC, of the UK tariff and of the US schedule that are understood. Sources: duty
 * expressions of TARIC ("EA" is the agricultural component of Regulation 510/2014, "AD S/Z" and "AD F/M" the
 * additional duties on sugar and flour), the general notes of the US schedule.
 */
import { formatDecimal, parseDecimal, withoutTrailingZeros } from '../../quantity.ts'
import { canonicalUnit } from './quantity-unit.ts'

/** An amount per quantity, in 10^-6 of a currency unit; below zero where it is taken off. */
export type SpecificPart = {
  readonly amountMicros: number
  readonly currency: string
  /** In the words of quantity-unit.ts: "item", "100 kg", "hl", "100 kg net drained wt"… */
  readonly unit: string
}

/** A term as it is read; `open` is its text in the one spelling Waybill uses. */
export type DutyTerm =
  | { readonly kind: 'percent'; readonly ratePpm: number }
  | { readonly kind: 'specific'; readonly part: SpecificPart }
  | { readonly kind: 'open'; readonly text: string }

/** Components that depend on what the goods are made of: each name with the spellings of both tariffs. */
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
/** "6% on the case", of the US schedule: words only, and none that make the rate depend on something. */
const PERCENT_ON_PART = new RegExp(`^(${NUMBER}) ?% on (?:the )?([a-z][a-z, ]*)$`)
const PART_MAX_LENGTH = 80
const DEPENDENT = /\b(?:but|less|not)\b/
const AMOUNT = new RegExp(`^(?:([A-Z]{3}|[£€$]) ?)?(${NUMBER}) ?(.*)$`, 's')
/** A currency behind the number, and the blank before the quantity. */
const CURRENCY_BEHIND = /^(?:([A-Z]{3}|[£€$¢])(?![A-Za-z]))? ?/
/** What follows an amount: "/ 100 kg", "per kg", "each", or a code of TARIC. */
const QUANTITY = /^(?:\/ ?(.+)|per (.+)|(each)|([A-Z]{3}(?:[ /]?[A-Z])?))$/
const CURRENCY = /^[A-Z]{3}$/
/** TARIC writes some amounts in a unit that is no currency of the day. */
const NO_CURRENCY = 'EUC'
/** Currencies whose own sign is "$", and "¢" for a hundredth. */
const DOLLARS = ['USD', 'AUD', 'CAD', 'HKD', 'NZD', 'SGD', 'TWD']

/**
 * Reads one term, blanks in it single. An amount without a currency is in `currency`; "$" and "¢" are of that
 * currency when it is a dollar, of the US one otherwise. Undefined when it is not understood, or not exact to
 * 10^-4 percent and 10^-6 of a currency unit.
 */
export function readDutyTerm(text: string, currency: string): DutyTerm | undefined {
  const meursing = meursingName(text)
  if (meursing !== undefined) return { kind: 'open', text: meursing }
  const [, percent] = PERCENT.exec(text) ?? []
  if (percent !== undefined) {
    const ratePpm = steps(percent, 4)
    return ratePpm === undefined ? undefined : { kind: 'percent', ratePpm }
  }
  const [, share, part = ''] = PERCENT_ON_PART.exec(text) ?? []
  if (share !== undefined && part.length <= PART_MAX_LENGTH && !DEPENDENT.test(part)) {
    const ratePpm = steps(share, 4)
    return ratePpm === undefined
      ? undefined
      : { kind: 'open', text: `${formatPercent(ratePpm)} on the ${part.trim()}` }
  }
  const specific = readSpecific(text, currency)
  return specific && { kind: 'specific', part: specific }
}

/** Whether a term is one of the Meursing components, in any spelling: "EA", "ADSZ", "AD F/M", "SD (reduced)". */
export function isMeursingTerm(text: string): boolean {
  return meursingName(text) !== undefined
}

function meursingName(text: string): string | undefined {
  const name = text.replace(/ ?\(reduced\)$/, 'R').replace(/[\s/]/g, '')
  return Object.hasOwn(MEURSING, name) ? MEURSING[name] : undefined
}

/** A number without sign or unit: the old style of the EU tariff leaves the percent sign out. */
export function isBareNumber(text: string): boolean {
  return BARE.test(text)
}

function readSpecific(text: string, currency: string): SpecificPart | undefined {
  const [, before, digits, behind = ''] = AMOUNT.exec(text) ?? []
  const [skipped = '', after] = CURRENCY_BEHIND.exec(behind) ?? []
  if (digits === undefined || (before !== undefined && after !== undefined)) return undefined
  const sign = before ?? after
  const [, slashed, per, each, code] = QUANTITY.exec(behind.slice(skipped.length)) ?? []
  // Without a currency only a slash tells an amount from a number; a code follows a currency by its code.
  if (sign === undefined && slashed === undefined) return undefined
  if (code !== undefined && (sign === undefined || !CURRENCY.test(sign))) return undefined
  const unit = canonicalUnit(slashed ?? per ?? each ?? code ?? '')
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
  // A code of a unit in the place of the currency ("5 KGM/kg") is a mistake, not money.
  return CURRENCY.test(code) && code !== NO_CURRENCY && canonicalUnit(code) === undefined ? code : undefined
}

/** Digits as steps of 10^-`places`. Undefined when they have more places than that. */
function steps(digits: string, places: number): number | undefined {
  const plain = digits.replaceAll(',', '')
  const [whole = '', fraction = ''] = plain.split('.')
  const decimals = withoutTrailingZeros(fraction)
  return parseDecimal(`${whole || '0'}${decimals === '' ? '' : `.${decimals}`}`, places)
}

/** Writes one amount per quantity: "0.3 EUR/item". */
export function formatSpecific(part: SpecificPart): string {
  return `${formatDecimal(part.amountMicros, 6)} ${part.currency}/${part.unit}`
}

/** A rate in parts per million as text: 65000 is "6.5%". */
export function formatPercent(ratePpm: number): string {
  return `${formatDecimal(ratePpm, 4)}%`
}
