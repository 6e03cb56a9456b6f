/** The decisive reason of a duty of the tariff in a few words, for the summary of its line. */
import { formatEuro, isZero } from '../../../exact.ts'
import { formatPercent } from '../../../tariff/duty-text.ts'
import { isAverage } from '../../../tariff/measure.ts'
import { hasWideSpread, ratesChosenFrom } from '../../duty/rate-spread.ts'
import type { ExactLine, MeasureFacts } from '../../tax-line.ts'

/** A longer rate as published does not fit into a summary. */
const MAX_RATE_LENGTH = 40

/** "12% of EUR 200.00", with what is special about the rate. */
export function measureReason(facts: MeasureFacts, line: ExactLine): string {
  const { lot, measure } = facts
  const { row, type } = measure
  if (type.role === 'preference')
    return `${chargeText(facts, line)} under ${row.agreement === '' ? 'a preference' : row.agreement}`
  if (isAverage(measure)) return `${chargeText(facts, line)}, an average`
  const rates = ratesChosenFrom(lot, measure)
  if (rates === undefined || !hasWideSpread(lot, measure)) return chargeText(facts, line)
  const range = `between ${formatPercent(rates.lowestPpm)} and ${formatPercent(rates.highestPpm)}`
  return `${chargeText(facts, line)}; the rate is ${range}`
}

function chargeText({ measure, missing }: MeasureFacts, { amount, base }: ExactLine): string {
  const { row, isShareOnly, rateText } = measure
  if (!isShareOnly && (missing === '' || measure.base.specifics.length > 0))
    return rateText.length <= MAX_RATE_LENGTH ? rateText : 'a duty by quantity'
  const percent = formatPercent(row.adValoremPpm ?? 0)
  switch (row.kind) {
    case 'additive':
    case 'replace_base':
      return row.adValoremPpm === 0 ? 'the rate is 0%' : `${percent} of ${formatEuro(base)}`
    case 'cap_total':
      return isZero(amount)
        ? `the base duty already reaches ${percent}`
        : `the base duty is raised to ${percent} of ${formatEuro(base)}`
    case 'floor_total':
      return `all duties together are at least ${percent} of ${formatEuro(base)}`
  }
}

/** Why a part of a duty cannot be calculated. */
export function missingReason({ measure: { row } }: MeasureFacts): string {
  return row.condition === 'not_loaded'
    ? 'the rate is not loaded'
    : 'the rate depends on facts that the request does not contain'
}
