/**
 * How the findings of a card check are gathered: in the order they were made, kind by kind. Decided here: no more
 * than twenty of a kind are listed, since one mistake of a price list repeats itself a thousand times.
 */
import type { CardFinding, CardFindings, CardTableName } from '../card-fault.ts'
import type { RateCardContent, RateCardImport } from '../rate-card.ts'

const FINDINGS_PER_KIND = 20

type Tables = RateCardContent & Omit<RateCardImport, 'content'>

/** What is said of a row of `Table`: a `CardFinding` whose field is one of the row type. */
export type RowFinding<Table extends CardTableName> = {
  readonly index?: number
  readonly field?: keyof Tables[Table][number] & string
  readonly expected: string
  readonly found?: string
}

/** Takes a finding; `kind` tells those apart that speak of different things, within a table. */
export type Report = <Table extends CardTableName>(
  table: Table,
  kind: string,
  finding: RowFinding<Table>,
) => void

/** Where the checks report to. A card with faults cannot be kept; warnings are for the operator to judge. */
export type Reports = { readonly fault: Report; readonly warn: Report }

type Kind = { readonly findings: CardFinding[]; count: number }

/** Gathers reports; `findings` gives what was reported until then. */
export function gatherFindings(): Reports & { readonly findings: () => CardFindings } {
  const faults = new Map<string, Kind>()
  const warnings = new Map<string, Kind>()
  return {
    fault: reportTo(faults),
    warn: reportTo(warnings),
    findings: () => ({ faults: listed(faults), warnings: listed(warnings) }),
  }
}

function reportTo(kinds: Map<string, Kind>): Report {
  return (table, kind, finding) => {
    const name = `${table} ${kind}`
    let reported = kinds.get(name)
    if (reported === undefined) {
      reported = { findings: [], count: 0 }
      kinds.set(name, reported)
    }
    reported.count++
    if (reported.count <= FINDINGS_PER_KIND) reported.findings.push({ table, ...finding })
  }
}

function listed(kinds: ReadonlyMap<string, Kind>): CardFinding[] {
  return [...kinds.values()].flatMap(({ findings, count }) => {
    const more = count - findings.length
    return more === 0 ? findings : findings.with(-1, { ...findings.at(-1)!, more })
  })
}

/** Reports every row whose key an earlier row has. `what` names the key: "one row for each lane". */
export function reportDuplicates<Table extends CardTableName>(
  report: Report,
  table: Table,
  rows: Tables[Table],
  keyOf: (row: Tables[Table][number]) => string,
  what: string,
): void {
  const first = new Map<string, number>()
  rows.forEach((row, index) => {
    const key = keyOf(row)
    if (first.has(key)) report(table, 'duplicate', { index, expected: what, found: `${key} a second time` })
    else first.set(key, index)
  })
}
