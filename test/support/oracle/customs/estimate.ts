/**
 * A second, slow and obvious implementation of an estimate of duties and taxes, written from the documents and not
 * from the engine: it looks through the plain rows for every item, with no index and no cache, in fractions of
 * BigInt. The engine is held against it.
 * Source: the customs design; the formats and finer rules of customs.md; the row types of the reference data.
 */
import type { CustomsRows, TaxRow } from '../../../../src/core/customs/data/rows.ts'
import { consignmentOf, type ReferenceRequest, roundedCents } from './case.ts'
import { feesOf, taxLines } from './charges.ts'
import { type DraftLine, dutiesOf } from './duties.ts'
import { centsOf, plus } from './fraction.ts'

export type { ReferenceItem, ReferenceRequest } from './case.ts'

/** One duty, fee or tax on one code, in cents. */
export type ReferenceTaxLine = {
  readonly harmonizedCode: string
  readonly kind: TaxRow['kind']
  readonly name: string
  readonly amountCents: number
  /** What the rate is applied to, rounded for display. */
  readonly baseCents: number
  readonly computed: boolean
}

/** Lines, and their sum. */
export type ReferenceEstimate = {
  readonly lines: readonly ReferenceTaxLine[]
  readonly estimateCents: number
}

/** Works out a request on a day ('YYYY-MM-DD'). An item without `tariff` has no code and no lines. */
export function referenceEstimate(
  rows: CustomsRows,
  request: ReferenceRequest,
  date: string,
): ReferenceEstimate {
  const consignment = consignmentOf(rows, request, date)
  const duties = dutiesOf(consignment)
  const fees = feesOf(consignment, duties)
  const codes = [...new Set(consignment.goods.map(({ code }) => code))]
  const byCode = (lines: readonly DraftLine[]): readonly DraftLine[] =>
    codes.flatMap((code) => lines.filter(({ harmonizedCode }) => harmonizedCode === code))
  const sections = [
    byCode(duties.flatMap(({ lines }) => lines)),
    fees.lines,
    byCode(taxLines(consignment, duties, fees)),
  ]
  const lines = sections.flatMap(addUp).map(({ harmonizedCode, kind, name, amount, base, computed }) => ({
    harmonizedCode,
    kind,
    name,
    amountCents: roundedCents(consignment, amount),
    baseCents: centsOf(base),
    computed,
  }))
  return { lines, estimateCents: lines.reduce((total, { amountCents }) => total + amountCents, 0) }
}

/** Adds lines of one code and name, in the place of the first. */
function addUp(lines: readonly DraftLine[]): readonly DraftLine[] {
  const sums = new Map<string, DraftLine>()
  for (const line of lines) {
    const key = `${line.harmonizedCode} ${line.name}`
    const before = sums.get(key)
    sums.set(
      key,
      before === undefined
        ? line
        : {
            ...before,
            amount: plus(before.amount, line.amount),
            base: plus(before.base, line.base),
            computed: before.computed && line.computed,
          },
    )
  }
  return [...sums.values()]
}
