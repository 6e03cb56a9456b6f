/**
 * Duty rates as tariffs write them: "4.50% MIN 0.30 EUR / item MAX 0.80 EUR / item", "9.000 % + EA",
 * "1.5¢/kg + 2.1%". Decided here: how terms join to a rate with its floor and cap, and the form Waybill writes
 * them in ("4.5%", "0.3 EUR/item", "15 GBP/100 kg - 7 GBP/100 kg"). What is not understood is undefined, never
 * a guess. Sources: TARIC, the tariff of the United Kingdom, the Harmonized Tariff Schedule of the United States.
 */
import {
  formatPercent,
  formatSpecific,
  isBareNumber,
  isMeursingTerm,
  readDutyTerm,
  type SpecificPart,
} from './duty-term.ts'

/** One term of a sum is duty-term.ts's; who reads a sum needs its words as well. */
export { formatPercent, formatSpecific, isMeursingTerm, type SpecificPart }

/** A sum of parts: a share of the value (parts per million), amounts per quantity, and what stays open. */
export type DutyParts = {
  readonly adValoremPpm?: number
  readonly specifics: readonly SpecificPart[]
  /** Terms that are understood and can never be worked out from a request: "EA", "AD S/Z", "6% on the case". */
  readonly open: readonly string[]
}

/** A rate with its floor and cap. */
export type DutyRate = {
  readonly base: DutyParts
  readonly minimum?: DutyParts
  readonly maximum?: DutyParts
}

/** Of a sum. No rate we know is half as long; a longer text is prose. */
const MAX_LENGTH = 1000
const MAX_TERMS = 8
const FREE = /^(?:free|nihil)$/i
/** A sign between terms; a hyphen only where an amount follows, since words have hyphens too. */
const SIGN = /([+]|-(?= ?[\d.£€$]| [A-Z]{3} ?\d))/

/**
 * Reads a rate; amounts that name no currency are in `currency` (three letters). Undefined when any part of it is
 * not understood. Percentages are exact to 10^-4, amounts to 10^-6 of the currency unit; finer ones are refused.
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
    // A second cap, which a few quotas of the EU have, is more than a rate can hold.
    if (parts === undefined || found[key] !== undefined) return undefined
    found[key] = parts
  }
  const { minimum, maximum } = found
  return { base, ...(minimum && { minimum }), ...(maximum && { maximum }) }
}

/** Reads a sum of parts; undefined when one is not understood, or none is there. */
export function parseDutyParts(text: string, currency = 'EUR'): DutyParts | undefined {
  const sum = normalised(text, MAX_LENGTH)
  if (FREE.test(sum)) return { adValoremPpm: 0, specifics: [], open: [] }
  const [first = '', ...joined] = sum.split(SIGN)
  // A sum may begin with a minus, when what it is taken off stands in another column.
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

/** Blanks single, dashes and signs of one kind. A text too long for a rate is none. */
function normalised(text: string, maxLength: number): string {
  if (text.length > maxLength) return ''
  return text.replace(/[−–]/g, '-').replace(/\s+/g, ' ').trim()
}

function negative(part: SpecificPart): SpecificPart {
  return part.amountMicros === 0 ? part : { ...part, amountMicros: -part.amountMicros }
}

/** Writes a sum of parts in Waybill's form, which reads back the same; nothing is the empty text. */
export function formatDutyParts(parts: DutyParts): string {
  const texts = [...parts.specifics.map(formatSpecific), ...parts.open]
  if (parts.adValoremPpm !== undefined) texts.unshift(formatPercent(parts.adValoremPpm))
  return joinTerms(texts)
}

/** The columns of a measure that hold its rate. The texts are in Waybill's form, empty where there is none. */
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
