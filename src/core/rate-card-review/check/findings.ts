/**
 * How the findings of a card check are gathered: in the order they were made, kind by kind. Decided here: no more
 * than twenty of a kind are listed, since one mistake of a price list repeats itself a thousand times.
 */
import type { RateCardContent, RateCardImport } from '../../rating/rate-card.ts'

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

// What is wrong with a rate card, said so that an operator can mend it: where it lies, what was expected, what
// was found. The same shape for a cell that cannot be read and for a rule that the card breaks as a whole.

/** The tables of a rate card, and those that it shares with all others. */
export type CardTableName = keyof RateCardContent | Exclude<keyof RateCardImport, 'content'>

/** A fault or a warning of a rate card as core finds it; `index` counts the rows of `table` from 0. */
export type CardFinding = {
  readonly table: CardTableName
  /** Absent: the table as a whole. */
  readonly index?: number
  /** The field at fault; absent: the row as a whole. */
  readonly field?: string
  /** What was expected: "an `over` equal to the `up_to` before it (5 kg)". */
  readonly expected: string
  /** What was found, as text; absent where the row says it all. */
  readonly found?: string
  /** How many more of its kind there are that are not listed: with the last one that is, absent where all are. */
  readonly more?: number
}

/** The findings of a check. A card with faults cannot be kept; warnings are for the operator to judge. */
export type CardFindings = {
  readonly faults: readonly CardFinding[]
  readonly warnings: readonly CardFinding[]
}
