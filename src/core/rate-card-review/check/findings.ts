/**
 * Findings of a card check, and their collection. Findings are listed kind by kind, at most 20 of a kind, because one
 * mistake in a price list can repeat in thousands of rows.
 */
import type { RateCardContent, RateCardImport } from '../../rating/rate-card.ts'

/** The tables of a rate card, and the tables that all cards share. */
export type CardTableName = keyof RateCardContent | Exclude<keyof RateCardImport, 'content'>

/** A fault or warning: where it is, what was expected, and what was found. `index` counts rows from 0. */
export type CardFinding = {
  readonly table: CardTableName
  /** Absent if the finding is about the whole table. */
  readonly index?: number
  /** A field of the row type; absent if the finding is about the whole row. */
  readonly field?: string
  /** Completes "expected …": "over to be 5 kg, where the band before it ends". */
  readonly expected: string
  /** Completes "found …"; absent if the row itself is enough. */
  readonly found?: string
  /** On the last listed finding of its kind: the number of findings that are not listed. */
  readonly more?: number
}

/** A card with faults is not stored. Warnings are for the operator to judge. */
export type CardFindings = {
  readonly faults: readonly CardFinding[]
  readonly warnings: readonly CardFinding[]
}

const FINDINGS_PER_KIND = 20

type Tables = RateCardContent & Omit<RateCardImport, 'content'>

/** A `CardFinding` without its table, whose field must exist in the row type of `Table`. */
export type RowFinding<Table extends CardTableName> = {
  readonly index?: number
  readonly field?: keyof Tables[Table][number] & string
  readonly expected: string
  readonly found?: string
}

/** Reports a finding. `kind` is unique within a table for each kind of mistake. */
export type Report = <Table extends CardTableName>(
  table: Table,
  kind: string,
  finding: RowFinding<Table>,
) => void

export type Reports = { readonly fault: Report; readonly warn: Report }

type Kind = { readonly findings: CardFinding[]; count: number }

export function collectFindings(): Reports & { readonly findings: () => CardFindings } {
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

/** Reports every row whose key occurs in an earlier row. `expected` names the key: "one row for each lane". */
export function reportDuplicates<Table extends CardTableName>(
  report: Report,
  table: Table,
  rows: Tables[Table],
  keyOf: (row: Tables[Table][number]) => string,
  expected: string,
): void {
  const first = new Map<string, number>()
  rows.forEach((row, index) => {
    const key = keyOf(row)
    if (first.has(key)) report(table, 'duplicate', { index, expected, found: `${key} a second time` })
    else first.set(key, index)
  })
}
