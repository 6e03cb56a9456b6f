/** Estimates on customs rows that a test makes up, and their lines in a short form. */

import { compileCustoms } from '../../../src/core/customs/compiled-customs.ts'
import type { CustomsRows } from '../../../src/core/customs/data/rows.ts'
import {
  type DutiesEstimate,
  estimateRequest,
  givenCode,
} from '../../../src/core/customs/estimate/estimate.ts'
import { describeLine } from '../../../src/core/customs/estimate/explain/line.ts'
import type { ContentItem, DutiesRequest } from '../../../src/core/customs/request.ts'

/** A content item: code, number of items, cost in euro, and what else a test needs. */
export type SmallItem = readonly [
  code: string,
  numberOfItems: number,
  cost: number,
  rest?: Partial<ContentItem>,
]

/** Estimates items sent from "BB" to "AA" (or as `rest` says) by the rows alone. */
export function smallEstimate(
  rows: CustomsRows,
  items: readonly SmallItem[],
  rest: Partial<DutiesRequest> = {},
  date = '2026-11-21',
): DutiesEstimate {
  const request: DutiesRequest = {
    from: { country: 'BB' },
    to: { country: 'AA' },
    items: items.map(([, numberOfItems, cost, more]) => ({
      description: 'goods',
      numberOfItems,
      costSteps: Math.round(cost * 1_000_000),
      ...more,
    })),
    ...rest,
  }
  const codes = items.map(([code]) => givenCode(code))
  return estimateRequest(compileCustoms(rows), request, codes, date)
}

/** The descriptions of all lines, in their order. */
export function lineTexts({ taxes, consignment }: DutiesEstimate): readonly string[] {
  return taxes.map((line) => describeLine(consignment, line))
}

/** Lines as "code name cents", with "?" where not computed. */
export function shortLines({ taxes }: Pick<DutiesEstimate, 'taxes'>): readonly string[] {
  return taxes.map(
    ({ harmonizedCode, name, amountCents, computed }) =>
      `${harmonizedCode} ${name} ${amountCents}${computed ? '' : '?'}`,
  )
}
