/**
 * A published duty text as the fields of a measure. Decided here: a text that is not understood is kept as it is,
 * with the condition that says so; one that depends on an agricultural component is computed as far as it goes.
 */

import type { MeasureRow } from '../../core/customs/reference/measure-rows.ts'
import {
  type DutyParts,
  formatDutyParts,
  isMeursingTerm,
  parseDutyRate,
} from '../../core/customs/tariff/duty-text.ts'

/** The fields of a measure that its duty text decides. */
export type DutyFields = Pick<
  MeasureRow,
  'adValoremPpm' | 'specific' | 'minimum' | 'maximum' | 'condition' | 'text'
>

/** Longer than any rate, shorter than what a database row should carry around. */
const MAX_TEXT = 500

/** The largest rate that is kept; above it, a rate is a slip of the decimal point. In ppm: 1,000%. */
export const HIGHEST_PPM = 10_000_000

/** What is expected in place of a higher one. */
export const EXPECTED_RATE = 'a rate of at most 1000%'

/** True for a rate above the largest that is kept. */
export function isTooHigh({ adValoremPpm }: Pick<DutyFields, 'adValoremPpm'>): boolean {
  return adValoremPpm !== null && adValoremPpm > HIGHEST_PPM
}

/** Reads a text; amounts without a currency are in `currency`. */
export function dutyFieldsOf(text: string, currency: string): DutyFields {
  const rate = parseDutyRate(text, currency)
  if (rate === undefined)
    return {
      adValoremPpm: null,
      specific: '',
      minimum: '',
      maximum: '',
      condition: 'not_parsed',
      text: text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text,
    }
  const { base, minimum, maximum } = rate
  const specific = formatDutyParts({ specifics: base.specifics, open: base.open })
  const open = [base, minimum, maximum].flatMap((parts: DutyParts | undefined) => parts?.open ?? [])
  return {
    adValoremPpm: base.adValoremPpm ?? null,
    specific,
    minimum: minimum === undefined ? '' : formatDutyParts(minimum),
    maximum: maximum === undefined ? '' : formatDutyParts(maximum),
    condition: open.some(isMeursingTerm) ? 'meursing' : '',
    text: open.length > 0 ? text : '',
  }
}
