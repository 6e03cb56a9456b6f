/**
 * The reliability of a line and of an estimate. A line is as reliable as the least reliable figure that its amount
 * depends on: rates, low-value rules, fees and exchange rates. The spread of a rate and the age of its data set count.
 * See docs/customs-data.md#reliability.
 */
import { agedConfidence, lowestConfidence } from '../../data/edition.ts'
import type { Confidence } from '../../data/row-types/table.ts'
import type { Consignment } from '../consignment.ts'
import type { DutiesEstimate } from '../estimate.ts'
import type { ExactLine } from '../tax-line.ts'
import { lineGrounds } from './line.ts'
import type { Ground } from './text.ts'

/** A line without an amount is unreliable. */
export function lineReliability(consignment: Consignment, line: ExactLine): Confidence {
  if (!line.computed) return 'low'
  return lowestConfidence(lineGrounds(consignment, line), (ground) => groundReliability(consignment, ground))
}

/** The reliability of one figure, with the age of its data set on the day of the estimate. */
export function groundReliability(
  { tables, date }: Consignment,
  { dataSet, confidence }: Ground,
): Confidence {
  return agedConfidence(confidence, tables.dataSets.get(dataSet), date)
}

/** The lowest of all lines. Low if an item has no code. High if nothing is due. */
export function estimateReliability({ consignment, taxes, items }: DutiesEstimate): Confidence {
  if (items.some(({ classification }) => classification === undefined)) return 'low'
  return lowestConfidence(taxes, (line) => lineReliability(consignment, line))
}
