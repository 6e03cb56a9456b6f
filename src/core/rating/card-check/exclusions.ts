/**
 * Which surcharges take the place of others: each names codes of its carrier, never itself, and never in a
 * circle, since then none would be charged first.
 */
import { groupBy } from '../../group-by.ts'
import type { SurchargeRow } from '../rate-card.ts'
import type { Reports } from './findings.ts'

type ListedSurcharge = { readonly row: SurchargeRow; readonly index: number }

/** Checks what surcharges exclude, carrier by carrier. All rows of one code are taken together. */
export function checkExclusions(surcharges: readonly SurchargeRow[], reports: Reports): void {
  const listed = surcharges.map((row, index) => ({ row, index }))
  for (const own of groupBy(listed, ({ row }) => row.carrierCode).values()) checkCarrier(own, reports)
}

function checkCarrier(own: readonly ListedSurcharge[], { fault }: Reports): void {
  const byCode = groupBy(own, ({ row }) => row.code)
  for (const { row, index } of own) {
    const { carrierCode, code, excludes } = row
    const unknown = excludes.filter((other) => !byCode.has(other))
    if (unknown.length > 0) {
      const expected = `codes of surcharges of ${carrierCode}`
      fault('surcharges', 'excludes', { index, field: 'excludes', expected, found: unknown.join(', ') })
    }
    if (excludes.includes(code)) {
      const expected = 'codes of other surcharges'
      fault('surcharges', 'itself', { index, field: 'excludes', expected, found: code })
    }
  }
  for (const circle of circlesOf(byCode)) {
    fault('surcharges', 'circle', {
      index: byCode.get(circle[0]!)![0]!.index,
      field: 'excludes',
      expected: 'no surcharges that exclude each other in a circle',
      found: [...circle, circle[0]].join(' excludes '),
    })
  }
}

/** Circles of two codes or more, as a walk that visits each code once comes upon them. */
function circlesOf(byCode: ReadonlyMap<string, readonly ListedSurcharge[]>): string[][] {
  const circles: string[][] = []
  const done = new Set<string>()
  const trail: string[] = []
  const visit = (code: string): void => {
    const at = trail.indexOf(code)
    if (at !== -1) {
      circles.push(trail.slice(at))
      return
    }
    if (done.has(code)) return
    trail.push(code)
    const excluded = new Set((byCode.get(code) ?? []).flatMap(({ row }) => row.excludes))
    for (const other of excluded) if (other !== code) visit(other)
    trail.pop()
    done.add(code)
  }
  for (const code of byCode.keys()) visit(code)
  return circles
}
