/** Applies the duties of a worked case: percentages, amounts per quantity, or tariff texts. */
import {
  type DutyParts,
  type DutyRate,
  formatDutyParts,
  parseDutyParts,
  parseDutyRate,
  type SpecificPart,
} from '../../../src/core/customs/tariff/duty-text.ts'
import { formatDecimal } from '../../../src/core/quantity.ts'
import { addQuantity, type CaseDraft, type DutyDraft, type GivenRate, standInUnit } from './draft.ts'
import {
  amountOf,
  child,
  decimalText,
  type Entry,
  entriesOf,
  figureOf,
  inCaseCurrency,
  isRecord,
  ppmOf,
  reject,
  stepsOf,
  textOf,
  timesDecimal,
} from './entry.ts'

/** "8", "8%", or a tariff text such as "13.8% MIN 13.0/100kg". Amounts are in the currency of the case. */
export function takeExpression(duty: DutyDraft, entry: Entry): void {
  const text = textOf(entry)
  const rate = parseDutyRate(text, entry.ledger.currency)
  if (decimalText(text) !== undefined) takePercent(duty, entry)
  else if (rate === undefined) reject(entry, `the rate ${JSON.stringify(text)} is not understood`)
  else takeParsed(duty, entry, rate)
}

function takeParsed(duty: DutyDraft, entry: Entry, { base, minimum, maximum }: DutyRate): void {
  if (base.adValoremPpm !== undefined) setPpm(duty, entry, base.adValoremPpm)
  const { adValoremPpm: _, ...others } = base
  const rest = formatDutyParts(inOneCurrency(others, entry))
  if (rest !== '') duty.specifics.push(rest)
  if (minimum !== undefined) duty.minimum = formatDutyParts(inOneCurrency(minimum, entry))
  if (maximum !== undefined) duty.maximum = formatDutyParts(inOneCurrency(maximum, entry))
}

function inOneCurrency(parts: DutyParts, entry: Entry): DutyParts {
  return { ...parts, specifics: parts.specifics.map((part) => convert(part, entry)) }
}

function convert(part: SpecificPart, entry: Entry): SpecificPart {
  const { currency } = entry.ledger
  const figure = inCaseCurrency(entry, formatDecimal(part.amountMicros, 6), part.currency)
  const amountMicros = stepsOf(figure, 6)
  if (amountMicros === undefined) reject(entry, `${figure} ${currency} has more than six decimals`)
  return { ...part, amountMicros: amountMicros ?? 0, currency }
}

export function takePercent(duty: DutyDraft, entry: Entry): void {
  setPpm(duty, entry, ppmOf(entry))
}

function setPpm(duty: DutyDraft, entry: Entry, ppm: number): void {
  if (duty.ppm !== undefined && duty.ppm !== ppm) reject(entry, 'a second percentage of one duty')
  duty.ppm = ppm
}

/** Applies `{ rate, unit, quantity }`: an amount per unit, and the quantity of the goods in that unit. */
export function takeSpecific(duty: DutyDraft, entry: Entry): void {
  for (const one of entriesOf(entry))
    if (isRecord(one.value)) takeOneSpecific(duty, one, one.value)
    else reject(one, 'must be { rate, unit, quantity }')
}

function takeOneSpecific(duty: DutyDraft, entry: Entry, value: Readonly<Record<string, unknown>>): void {
  const { rate, amount, unit, quantity, currency, ...others } = value
  for (const key of Object.keys(others)) reject(child(entry, key, others[key]), 'this key is not understood')
  const figure = amountOf({
    ...child(entry, 'rate', rate ?? amount),
    ...(currency !== undefined && { currency: String(currency) }),
  })
  const text = countedText(duty.draft, child(entry, 'unit', unit), figure, quantity)
  if (text !== undefined) duty.specifics.push(text)
}

/**
 * The text of a specific duty: "35.1 GBP/100 kg". Replaces the unit by an unused one if the engine does not support it, or
 * if the goods already have another amount of that quantity.
 */
function countedText(draft: CaseDraft, unit: Entry, figure: string, quantity: unknown): string | undefined {
  const count =
    quantity === undefined || quantity === null ? undefined : countOf(child(unit, 'quantity', quantity))
  const words = textOf(unit).replace(/^per /, '')
  const text = `${figure} ${draft.ledger.currency}/${words}`
  if (parseDutyParts(text) !== undefined && (count === undefined || addQuantity(draft, words, count)))
    return text
  if (count === undefined)
    reject(unit, `the unit ${JSON.stringify(words)} is not understood, and no quantity is given`)
  else return standInText(draft, unit, figure, count)
  return undefined
}

/** The quantity in a compound unit is the product of its parts: { asv: 40, hl: 0.45 } is 18. */
function countOf(entry: Entry): string {
  if (!isRecord(entry.value)) return figureOf(entry)
  return Object.entries(entry.value)
    .map(([key, value]) => figureOf(child(entry, key, value)))
    .reduce(timesDecimal, '1')
}

function standInText(draft: CaseDraft, entry: Entry, figure: string, count: string): string | undefined {
  const unit = standInUnit(draft, count)
  if (unit !== undefined) return `${figure} ${draft.ledger.currency}/${unit}`
  reject(entry, `${count} is no quantity of up to six decimals, or one too many`)
  return undefined
}

/** The text of a fixed amount: per an unused unit of which the goods have one. */
export function amountText(draft: CaseDraft, entry: Entry): string | undefined {
  return standInText(draft, entry, amountOf(entry), '1')
}

export function takeAmount(duty: DutyDraft, entry: Entry): void {
  const text = amountText(duty.draft, entry)
  if (text !== undefined) duty.specifics.push(text)
}

export function takeMinimum(duty: DutyDraft, entry: Entry): void {
  const text = boundText(duty.draft, entry)
  if (text !== undefined) duty.minimum = text
}

export function takeMaximum(duty: DutyDraft, entry: Entry): void {
  const text = boundText(duty.draft, entry)
  if (text !== undefined) duty.maximum = text
}

/** A minimum or maximum: an amount, or a tariff text. */
function boundText(draft: CaseDraft, entry: Entry): string | undefined {
  if (typeof entry.value !== 'string' || !/[%/]/.test(entry.value)) return amountText(draft, entry)
  const parts = parseDutyParts(entry.value, draft.ledger.currency)
  if (parts !== undefined) return formatDutyParts(inOneCurrency(parts, entry))
  reject(entry, `the bound ${JSON.stringify(entry.value)} is not understood`)
  return undefined
}

/** A duty that raises the counted duties to a total rate. */
export function takeCap(duty: DutyDraft, entry: Entry): void {
  duty.kind = 'cap_total'
  takePercent(duty, entry)
}

/** A duty that raises all earlier duties to a total rate. */
export function takeFloor(duty: DutyDraft, entry: Entry): void {
  duty.kind = 'floor_total'
  takePercent(duty, entry)
}

/** Quantities by unit ({ dtn: 100 }), or one number in the unit of the rate. */
export function takeQuantity(duty: DutyDraft, entry: Entry): void {
  const units = new Set(
    [...duty.specifics, duty.minimum ?? '', duty.maximum ?? '']
      .flatMap((text) => parseDutyParts(text)?.specifics ?? [])
      .map((part) => part.unit),
  )
  const [unit] = units
  if (isRecord(entry.value)) takeQuantities(duty.draft, entry)
  else if (unit === undefined || units.size > 1) reject(entry, 'of which unit is not clear from the rate')
  else countGoods(duty.draft, entry, unit)
}

/** Quantities by unit ({ tonne: 2 }). A bare number counts pieces. */
export function takeQuantities(draft: CaseDraft, entry: Entry): void {
  if (!isRecord(entry.value)) countGoods(draft, entry, 'item')
  else
    for (const [unit, value] of Object.entries(entry.value))
      countGoods(draft, child(entry, unit, value), unit)
}

export function countGoods(draft: CaseDraft, entry: Entry, unit: string): void {
  if (!addQuantity(draft, unit.replaceAll('_', ' '), figureOf(entry)))
    reject(entry, 'another quantity of the same kind is given, or it has more than six decimals')
}

export function takeGiven(duty: DutyDraft, entry: Entry): void {
  duty.given = entriesOf(entry).map(givenRate)
}

function givenRate(entry: Entry): GivenRate {
  const { value } = entry
  if (!isRecord(value)) {
    const isRate = decimalText(typeof value === 'string' ? value.replace(/\s*%$/, '') : value) !== undefined
    return isRate ? { ppm: ppmOf(entry) } : { name: textOf(entry) }
  }
  const { name, rate, adValorem } = value
  const share = rate ?? adValorem
  return {
    ...(typeof name === 'string' && { name }),
    ...(share !== undefined && { ppm: ppmOf(child(entry, 'rate', share)) }),
  }
}
