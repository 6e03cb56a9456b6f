/**
 * Imports of a part of a tariff: `waybill customs import --update`. The new set gets the whole tariff, which consists
 * of the rows in effect and the changes. See docs/customs-data.md#update-a-tariff.
 */
import type { Kysely } from 'kysely'
import { effectiveRows } from '../../core/customs/data/layers.ts'
import {
  type CustomsRows,
  type CustomsTableName,
  type SetRows,
  scopeOf,
} from '../../core/customs/data/rows.ts'
import { applyUpdate, touchedRows, UPDATED_TABLES } from '../../core/customs/data-review/tariff-update.ts'
import { openFaultLog } from '../../reference/import/import-fault.ts'
import { readCustomsRows } from '../../store/customs/customs.ts'
import { type CustomsSet, stateText } from '../../store/customs/publication.ts'
import type { Database } from '../../store/database/database.ts'
import { ImportFaults, Refusal, UsageError } from '../terminal/errors.ts'
import { tableLabel } from '../terminal/output.ts'
import { customsSet } from './arguments.ts'
import type { ReadFiles } from './files.ts'
import type { SetDifference } from './report.ts'

export type UpdateOptions = {
  readonly set: string
  readonly update?: string
  readonly chapters?: readonly string[]
  readonly date?: string
}

/** The set that an import updates. Throws a UsageError or a Refusal if it cannot be updated as the options say. */
export async function updatedSet(
  db: Kysely<Database>,
  { update, chapters, date }: UpdateOptions,
): Promise<CustomsSet | undefined> {
  if (update === undefined) {
    if (chapters !== undefined)
      throw new UsageError('--chapters needs --update, the set whose tariff is kept')
    return undefined
  }
  if (date === undefined) throw new UsageError('--update needs --date, the day of the changes')
  const base = await customsSet(db, update)
  if (base.shipped)
    throw new Refusal(
      `${update} is shipped, and the rows that are kept would get the day of the changes: import the whole tariff first`,
    )
  if (base.state !== 'published') throw new Refusal(`${update} is ${stateText(base.state)}, not published`)
  if (date < base.date)
    throw new Refusal(
      `the changes are of ${date}, but ${update} is of ${base.date}: apply changes in the order of their days`,
    )
  return base
}

/** The tables that a file of a tariff fills. */
const TARIFF_TABLES: readonly CustomsTableName[] = [...UPDATED_TABLES, 'originGroups', 'measureTypes']

/** The rows of the new set: those of the files, or the whole tariff if they are a part of it. */
export async function wholeTariff(
  db: Kysely<Database>,
  { rows, changes, files, warnings }: ReadFiles,
  base: CustomsSet | undefined,
  { set, chapters, date }: UpdateOptions,
): Promise<SetRows> {
  const marked = changes.inserted.size + changes.updated.size
  const removed = UPDATED_TABLES.reduce((sum, table) => sum + (changes.removed[table]?.length ?? 0), 0)
  if (base === undefined) {
    if (marked + removed > 0)
      throw new UsageError('the files have changes: name the set that they change with --update')
    return rows
  }
  const other = Object.keys(rows).find((table) => !TARIFF_TABLES.some((known) => known === table))
  if (other !== undefined)
    throw new UsageError(`--update is for measures; the files have ${tableLabel(other)}`)
  if (chapters !== undefined && removed > 0)
    throw new UsageError('--chapters replaces all rows of the codes: the files must not have deletions')
  const inEffect = effectiveRows(await readCustomsRows(db, { inScopesOf: touchedRows({ rows, changes }) }))
  refuseOtherEdition(inEffect, touchedRows({ rows, changes }), base)
  const update = { dataSet: set, rows, changes, chapters, isSameDay: date === base.date }
  const outcome = applyUpdate(inEffect, update)
  switch (outcome.kind) {
    case 'UpdatedTariff':
      return outcome.rows
    case 'UpdateFaults': {
      const log = openFaultLog(files.map(({ file }) => file).join(', '))
      for (const { expected, found } of outcome.faults) log.fault(undefined, undefined, expected, found)
      throw new ImportFaults(log.faults(), warnings)
    }
  }
}

/** Throws a Refusal if another set than the updated one is in effect where the files have rows. */
function refuseOtherEdition(inEffect: CustomsRows, touched: SetRows, { name }: CustomsSet): void {
  const sets = new Map<string, Set<string>>()
  for (const row of inEffect.measures) {
    const scope = scopeOf('measures', row)
    sets.set(scope, (sets.get(scope) ?? new Set()).add(row.dataSet))
  }
  for (const scope of new Set(touched.measures?.map((row) => scopeOf('measures', row)))) {
    const found = sets.get(scope)
    if (found === undefined || found.has(name)) continue
    const others = [...found].join(', ')
    throw new Refusal(`${name} is not in effect for ${scope}: ${others} is. Name that set with --update`)
  }
}

export function isAnyChange({ counts }: SetDifference): boolean {
  return counts.some(({ added, removed, changed, redated }) => added + removed + changed + redated > 0)
}
