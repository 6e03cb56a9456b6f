/**
 * Reads rounding rules such as "half_up_cent_per_line", "half_up_0.05", "floor_100_yen" and "value_floor_1000". Rules that
 * the engine does not have (half-even, up, on the total) are problems.
 */
import type { RoundingMode } from '../../../src/core/customs/data/tables/places.ts'
import type { CaseDraft } from './draft.ts'
import { amountOf, decimalText, type Entry, reject, textOf, timesDecimal } from './entry.ts'

/** Words that do not change the rule. */
const EMPTY_WORDS =
  /\b(?:per|each|every) (?:line|tax line|duty|measure|tax|charge|component|item)\b|\b(?:to|the|multiple|multiples|of)\b/g
const NOTHING = /^(?:none|exact|unstated|not stated|unspecified)$/
const NEAREST = /^(?:(?:round(?:ed)? )?half up|nearest|round(?:ed)?|round(?:ed)? nearest|commercial)\b/
const DOWN = /^(?:round(?:ed)? down|down|floor(?:ed)?|truncat(?:e|ed|ion)|trunc|cut(?: down)?)\b/
const CENTS = /^(?:cents?|penny|pence|centimes?|rappen|hundredths?)$/
/** Whole units of money: "floor_yen", "half_up_1_yen", "half_up_eur". */
const WHOLE =
  /^(?:yen|won|rupees?|euros?|dollars?|francs?|pounds?|kron[ae]r?|rea(?:l|is)|pesos?|lira|yuan|units?|whole|integer|[a-z]{3})$/

/** Reads one rounding rule, or several joined by ";" or "," or "+". */
export function takeRounding(draft: CaseDraft, entry: Entry): void {
  for (const rule of textOf(entry)
    .toLowerCase()
    .split(/\s*[;,+]\s*/))
    takeRule(draft, entry, rule)
}

function takeRule(draft: CaseDraft, entry: Entry, rule: string): void {
  const words = rule
    .replace(/[\s_-]+/g, ' ')
    .replace(EMPTY_WORDS, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (NOTHING.test(words)) return
  const isValue = /\b(?:value|base)\b/.test(words)
  const plain = words.replace(/\b(?:customs |tax )?(?:value|base)\b/, '').trim()
  const isDown = DOWN.test(plain)
  const unit = unitOf(plain.replace(isDown ? DOWN : NEAREST, '').trim())
  if ((!isDown && !NEAREST.test(plain)) || unit === undefined || (isValue && !isDown))
    reject(entry, `the rounding ${JSON.stringify(rule)} is not understood`)
  else if (isValue) takeValueUnit(draft, entry, unit)
  else takeUnit(draft, entry, unit, isDown ? 'down' : 'half_up')
}

/** "", "cent", "5 rappen", "0.05", "100 yen", "yen 100". */
function unitOf(words: string): string | undefined {
  const parts = words === '' ? [] : words.split(' ')
  const figures = parts.flatMap((part) => decimalText(part) ?? [])
  const coins = parts.filter((part) => decimalText(part) === undefined)
  const [figure, ...moreFigures] = figures
  const [coin, ...moreCoins] = coins
  if (moreFigures.length > 0 || moreCoins.length > 0 || figure === '0') return undefined
  if (coin === undefined) return figure ?? '0.01'
  if (CENTS.test(coin)) return timesDecimal(figure ?? '1', '0.01')
  return WHOLE.test(coin) ? (figure ?? '1') : undefined
}

export function takeRoundTo(draft: CaseDraft, entry: Entry): void {
  takeUnit(draft, entry, amountOf(entry), 'half_up')
}

export function takeCutTo(draft: CaseDraft, entry: Entry): void {
  takeUnit(draft, entry, amountOf(entry), 'down')
}

export function takeValueCutTo(draft: CaseDraft, entry: Entry): void {
  takeValueUnit(draft, entry, amountOf(entry))
}

/** Any unit replaces the default, one cent. Two other units contradict each other. */
function takeUnit(draft: CaseDraft, entry: Entry, unit: string, mode: RoundingMode): void {
  if (unit === '0.01' && mode === 'half_up') return
  const { roundingUnit = unit, roundingMode = mode } = draft
  if (roundingUnit !== unit || roundingMode !== mode)
    reject(entry, `rounds to ${unit} (${mode}), and the case also to ${roundingUnit} (${roundingMode})`)
  draft.roundingUnit = unit
  draft.roundingMode = mode
}

function takeValueUnit(draft: CaseDraft, entry: Entry, unit: string): void {
  if ((draft.valueUnit ?? unit) !== unit)
    reject(entry, `cut to ${unit}, and in the case also to ${draft.valueUnit}`)
  draft.valueUnit = unit
}
