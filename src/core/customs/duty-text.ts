/**
 * Duty rates as tariffs write them: "4.50% MIN 0.30 EUR / item MAX 0.80 EUR / item". Decided here: which texts
 * are understood, and the form Waybill writes them in ("4.5%", "0.3 EUR/item", "9 EUR/100 kg + 2 EUR/hl").
 * What is not understood is undefined, never a guess. Source: the tariffs of the EU and the United Kingdom.
 */
import { formatDecimal, parseDecimal } from '../quantity.ts'

/** An amount per quantity, in 10^-4 of a currency unit. */
export type SpecificPart = {
  readonly amountSteps: number
  readonly currency: string
  /** "item", "1000 items", "100 kg", "hl"… */
  readonly unit: string
  /** For how many items the amount is; absent where the quantity is no number of items. */
  readonly perItems?: number
}

/** A sum of parts: a share of the value (parts per million) and amounts per quantity. */
export type DutyParts = { readonly adValoremPpm?: number; readonly specifics: readonly SpecificPart[] }

/** A rate with its floor and cap. */
export type DutyRate = {
  readonly base: DutyParts
  readonly minimum?: DutyParts
  readonly maximum?: DutyParts
}

const RATE = /^(.*?)(?:\s+MIN\s+(.*?))?(?:\s+MAX\s+(.*?))?$/
const PERCENT = /^(\d+(?:\.\d+)?)\s*%$/
/** Old tariff style: a bare number before " + " or " MIN " is a percentage. */
const BARE = /^\d+(?:\.\d+)?$/
const SPECIFIC = /^(\d[\d,]*(?:\.\d+)?)\s*(EUR|GBP|€)\s*\/\s*(.+)$/
const ITEMS = /^(\d+) items$/

/** Reads a rate; undefined when any part of it is not understood. */
export function parseDutyRate(text: string): DutyRate | undefined {
  const [, baseText = '', minimumText, maximumText] = RATE.exec(text.replace(/\s+/g, ' ').trim()) ?? []
  const base = parseDutyParts(baseText)
  const minimum = minimumText === undefined ? undefined : parseDutyParts(minimumText)
  const maximum = maximumText === undefined ? undefined : parseDutyParts(maximumText)
  if (base === undefined) return undefined
  if (minimumText !== undefined && minimum === undefined) return undefined
  if (maximumText !== undefined && maximum === undefined) return undefined
  return { base, ...(minimum && { minimum }), ...(maximum && { maximum }) }
}

/** Reads a sum of parts; undefined when one is not understood, or none is there. */
export function parseDutyParts(text: string): DutyParts | undefined {
  let adValoremPpm: number | undefined
  const specifics: SpecificPart[] = []
  for (const part of text.split(' + ')) {
    const percent = PERCENT.exec(part.trim())?.[1] ?? BARE.exec(part.trim())?.[0]
    if (percent === undefined) {
      const specific = parseSpecific(part.trim())
      if (specific === undefined) return undefined
      specifics.push(specific)
    } else {
      const ppm = parseDecimal(stripZeros(percent), 4)
      if (ppm === undefined || adValoremPpm !== undefined) return undefined
      adValoremPpm = ppm
    }
  }
  return { ...(adValoremPpm !== undefined && { adValoremPpm }), specifics }
}

function parseSpecific(text: string): SpecificPart | undefined {
  const [, digits = '', currency = '', quantity = ''] = SPECIFIC.exec(text) ?? []
  const amountSteps = parseDecimal(stripZeros(digits.replaceAll(',', '')), 4)
  if (amountSteps === undefined) return undefined
  const unit = unitOf(quantity)
  const items = unit === 'item' ? '1' : ITEMS.exec(unit)?.[1]
  const perItems = Number(items)
  return {
    amountSteps,
    currency: currency === '€' ? 'EUR' : currency,
    unit,
    ...(items !== undefined && perItems > 0 && { perItems }),
  }
}

/** One spelling per unit: "100kg / net drained wt" is "100 kg net drained wt". */
function unitOf(quantity: string): string {
  return quantity
    .replace(/(\d),(\d)/g, '$1$2')
    .replaceAll('/', ' ')
    .replace(/(\d)([a-z])/g, '$1 $2')
    .replace(/%\s*/g, '% ')
    .replace(/\s+/g, ' ')
    .trim()
}

function stripZeros(digits: string): string {
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits
}

/** Writes a sum of parts in Waybill's form. */
export function formatDutyParts(parts: DutyParts): string {
  const texts = parts.specifics.map(formatSpecific)
  if (parts.adValoremPpm !== undefined) texts.unshift(formatPercent(parts.adValoremPpm))
  return texts.join(' + ')
}

/** Writes one amount per quantity: "0.3 EUR/item". */
export function formatSpecific(part: SpecificPart): string {
  return `${formatDecimal(part.amountSteps, 4)} ${part.currency}/${part.unit}`
}

/** A rate in parts per million as text: 65000 is "6.5%". */
export function formatPercent(ratePpm: number): string {
  return `${formatDecimal(ratePpm, 4)}%`
}
