/**
 * How a case is rounded: "half_up_cent_per_line", "half_up_0.05", "floor_100_yen", "value_floor_1000". Decided here:
 * which words of a rounding mean what; a rule the engine does not have (half-even, upwards, on the total) is a problem.
 */
import type { RoundingMode } from '../../../src/core/customs/data/rows.ts'
import { decimalText, timesDecimal } from './decimal.ts'
import type { CaseDraft } from './draft.ts'
import { amountOf, refuse, type Said, textOf } from './said.ts'

/** What is left of a rule once it is known that it is for each line. */
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
export function takeRounding(draft: CaseDraft, said: Said): void {
  for (const rule of textOf(said)
    .toLowerCase()
    .split(/\s*[;,+]\s*/))
    takeRule(draft, said, rule)
}

function takeRule(draft: CaseDraft, said: Said, rule: string): void {
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
    refuse(said, `the rounding ${JSON.stringify(rule)} is not understood`)
  else if (isValue) takeValueUnit(draft, said, unit)
  else takeUnit(draft, said, unit, isDown ? 'down' : 'half_up')
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

/** Lines are multiples of an amount, half up. */
export function takeRoundTo(draft: CaseDraft, said: Said): void {
  takeUnit(draft, said, amountOf(said), 'half_up')
}

/** Lines are cut down to a multiple of an amount. */
export function takeCutTo(draft: CaseDraft, said: Said): void {
  takeUnit(draft, said, amountOf(said), 'down')
}

/** Values are cut down to a multiple of an amount. */
export function takeValueCutTo(draft: CaseDraft, said: Said): void {
  takeValueUnit(draft, said, amountOf(said))
}

/** The plain cent yields to any other unit; two others contradict each other. */
function takeUnit(draft: CaseDraft, said: Said, unit: string, mode: RoundingMode): void {
  if (unit === '0.01' && mode === 'half_up') return
  const { roundingUnit = unit, roundingMode = mode } = draft
  if (roundingUnit !== unit || roundingMode !== mode)
    refuse(said, `rounds to ${unit} (${mode}), and the case also to ${roundingUnit} (${roundingMode})`)
  draft.roundingUnit = unit
  draft.roundingMode = mode
}

function takeValueUnit(draft: CaseDraft, said: Said, unit: string): void {
  if ((draft.valueUnit ?? unit) !== unit)
    refuse(said, `cut to ${unit}, and in the case also to ${draft.valueUnit}`)
  draft.valueUnit = unit
}
