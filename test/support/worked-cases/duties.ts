/** The duties of a worked case: rates as percentages, amounts per quantity, or in the words of a tariff. */
import {
  type DutyParts,
  type DutyRate,
  formatDutyParts,
  parseDutyParts,
  parseDutyRate,
  type SpecificPart,
} from '../../../src/core/customs/tariff/duty-text.ts'
import { formatDecimal } from '../../../src/core/quantity.ts'
import { decimalText, stepsOf, timesDecimal } from './decimal.ts'
import { addQuantity, type CaseDraft, type DutyDraft, type GivenRate, standInUnit } from './draft.ts'
import {
  amountOf,
  figureOf,
  inCaseCurrency,
  isRecord,
  listed,
  ppmOf,
  refuse,
  type Said,
  textOf,
  under,
} from './said.ts'

/** "8", "8%", or a text of a tariff: "13.8% MIN 13.0/100kg", with its amounts in the case's currency. */
export function takeExpression(duty: DutyDraft, said: Said): void {
  const text = textOf(said)
  const rate = parseDutyRate(text, said.ledger.currency)
  if (decimalText(text) !== undefined) takePercent(duty, said)
  else if (rate === undefined) refuse(said, `the rate ${JSON.stringify(text)} is not understood`)
  else takeParsed(duty, said, rate)
}

function takeParsed(duty: DutyDraft, said: Said, { base, minimum, maximum }: DutyRate): void {
  if (base.adValoremPpm !== undefined) setPpm(duty, said, base.adValoremPpm)
  const { adValoremPpm: _, ...others } = base
  const rest = formatDutyParts(inOneCurrency(others, said))
  if (rest !== '') duty.specifics.push(rest)
  if (minimum !== undefined) duty.minimum = formatDutyParts(inOneCurrency(minimum, said))
  if (maximum !== undefined) duty.maximum = formatDutyParts(inOneCurrency(maximum, said))
}

function inOneCurrency(parts: DutyParts, said: Said): DutyParts {
  return { ...parts, specifics: parts.specifics.map((part) => convert(part, said)) }
}

function convert(part: SpecificPart, said: Said): SpecificPart {
  const { currency } = said.ledger
  const figure = inCaseCurrency(said, formatDecimal(part.amountMicros, 6), part.currency)
  const amountMicros = stepsOf(figure, 6)
  if (amountMicros === undefined) refuse(said, `${figure} ${currency} has more than six decimals`)
  return { ...part, amountMicros: amountMicros ?? 0, currency }
}

/** A share of the value. */
export function takePercent(duty: DutyDraft, said: Said): void {
  setPpm(duty, said, ppmOf(said))
}

function setPpm(duty: DutyDraft, said: Said, ppm: number): void {
  if (duty.ppm !== undefined && duty.ppm !== ppm) refuse(said, 'a second percentage of one duty')
  duty.ppm = ppm
}

/** { rate, unit, quantity }: an amount per unit, and how many of the unit the goods are. */
export function takeSpecific(duty: DutyDraft, said: Said): void {
  for (const one of listed(said))
    if (isRecord(one.value)) takeOneSpecific(duty, one, one.value)
    else refuse(one, 'must be { rate, unit, quantity }')
}

function takeOneSpecific(duty: DutyDraft, said: Said, value: Readonly<Record<string, unknown>>): void {
  const { rate, amount, unit, quantity, currency, ...others } = value
  for (const key of Object.keys(others)) refuse(under(said, key, others[key]), 'this key is not understood')
  const figure = amountOf({
    ...under(said, 'rate', rate ?? amount),
    ...(currency !== undefined && { currency: String(currency) }),
  })
  const text = countedText(duty.of, under(said, 'unit', unit), figure, quantity)
  if (text !== undefined) duty.specifics.push(text)
}

/**
 * "35.1 GBP/100 kg". The quantity is counted in the unit of the case itself, so a unit that the engine has no word
 * for, or a second amount of a quantity, goes by a unit that stands in for it.
 */
function countedText(draft: CaseDraft, unit: Said, figure: string, quantity: unknown): string | undefined {
  const count =
    quantity === undefined || quantity === null ? undefined : countOf(under(unit, 'quantity', quantity))
  const words = textOf(unit).replace(/^per /, '')
  const text = `${figure} ${draft.ledger.currency}/${words}`
  if (parseDutyParts(text) !== undefined && (count === undefined || addQuantity(draft, words, count)))
    return text
  if (count === undefined)
    refuse(unit, `the unit ${JSON.stringify(words)} is not understood, and no quantity is given`)
  else return standInText(draft, unit, figure, count)
  return undefined
}

/** A unit of two, per % vol and hl, is counted by the product of what is given: { asv: 40, hl: 0.45 } is 18. */
function countOf(said: Said): string {
  if (!isRecord(said.value)) return figureOf(said)
  return Object.entries(said.value)
    .map(([key, value]) => figureOf(under(said, key, value)))
    .reduce(timesDecimal, '1')
}

function standInText(draft: CaseDraft, said: Said, figure: string, count: string): string | undefined {
  const unit = standInUnit(draft, count)
  if (unit !== undefined) return `${figure} ${draft.ledger.currency}/${unit}`
  refuse(said, `${count} is no quantity of up to six decimals, or one too many`)
  return undefined
}

/** An amount, whatever the goods: per a unit of which there is one. */
export function amountText(draft: CaseDraft, said: Said): string | undefined {
  return standInText(draft, said, amountOf(said), '1')
}

/** A duty that is known as an amount. */
export function takeAmount(duty: DutyDraft, said: Said): void {
  const text = amountText(duty.of, said)
  if (text !== undefined) duty.specifics.push(text)
}

/** At least this. */
export function takeMinimum(duty: DutyDraft, said: Said): void {
  const text = boundText(duty.of, said)
  if (text !== undefined) duty.minimum = text
}

/** At most this. */
export function takeMaximum(duty: DutyDraft, said: Said): void {
  const text = boundText(duty.of, said)
  if (text !== undefined) duty.maximum = text
}

/** A floor or cap of a duty: an amount, or a sum in the words of a tariff. */
function boundText(draft: CaseDraft, said: Said): string | undefined {
  if (typeof said.value !== 'string' || !/[%/]/.test(said.value)) return amountText(draft, said)
  const parts = parseDutyParts(said.value, draft.ledger.currency)
  if (parts !== undefined) return formatDutyParts(inOneCurrency(parts, said))
  refuse(said, `the bound ${JSON.stringify(said.value)} is not understood`)
  return undefined
}

/** Tops up to a rate. */
export function takeCap(duty: DutyDraft, said: Said): void {
  duty.kind = 'cap_total'
  takePercent(duty, said)
}

/** Tops all duties up to a rate. */
export function takeFloor(duty: DutyDraft, said: Said): void {
  duty.kind = 'floor_total'
  takePercent(duty, said)
}

/** Quantities by unit ({ dtn: 100 }), or a number of the one unit that the rate is per. */
export function takeQuantity(duty: DutyDraft, said: Said): void {
  const units = new Set(
    [...duty.specifics, duty.minimum ?? '', duty.maximum ?? '']
      .flatMap((text) => parseDutyParts(text)?.specifics ?? [])
      .map((part) => part.unit),
  )
  const [unit] = units
  if (isRecord(said.value)) takeQuantities(duty.of, said)
  else if (unit === undefined || units.size > 1) refuse(said, 'of which unit is not clear from the rate')
  else countGoods(duty.of, said, unit)
}

/** { tonne: 2 }; a bare number counts pieces. */
export function takeQuantities(draft: CaseDraft, said: Said): void {
  if (!isRecord(said.value)) countGoods(draft, said, 'item')
  else
    for (const [unit, value] of Object.entries(said.value)) countGoods(draft, under(said, unit, value), unit)
}

/** Gives the goods a quantity, in a unit. */
export function countGoods(draft: CaseDraft, said: Said, unit: string): void {
  if (!addQuantity(draft, unit.replaceAll('_', ' '), figureOf(said)))
    refuse(said, 'another quantity of the same kind is given, or it has more than six decimals')
}

/** Duties that count towards a cap: rates, names, or both. */
export function takeGiven(duty: DutyDraft, said: Said): void {
  duty.given = listed(said).map(givenRate)
}

function givenRate(said: Said): GivenRate {
  const { value } = said
  if (!isRecord(value)) {
    const isRate = decimalText(typeof value === 'string' ? value.replace(/\s*%$/, '') : value) !== undefined
    return isRate ? { ppm: ppmOf(said) } : { name: textOf(said) }
  }
  const { name, rate, adValorem } = value
  const share = rate ?? adValorem
  return {
    ...(typeof name === 'string' && { name }),
    ...(share !== undefined && { ppm: ppmOf(under(said, 'rate', share)) }),
  }
}
