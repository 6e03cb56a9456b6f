/**
 * The shipped table of words for descriptions in customs declarations. `declaration/sources.csv` has the source of
 * every term. See docs/customs-documents.md#descriptions.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type DescriptionWords, normalTerm } from '../core/customs/declaration/description.ts'
import { readCsvTable } from './import/csv-table.ts'
import { openFaultLog } from './import/import-fault.ts'

const FILE = path.join(import.meta.dirname, 'declaration', 'description-words.csv')

export function readDescriptionWords(): DescriptionWords {
  const table = readCsvTable(readFileSync(FILE), openFaultLog(FILE))
  if (table === undefined) throw new Error(`${FILE} is not a CSV table`)
  const terms = (wanted: string): (readonly [string, string])[] =>
    table.records.flatMap(([kind, words = '', suggestion = '']) =>
      kind === wanted ? [[normalTerm(words), suggestion] as const] : [],
    )
  const words = (wanted: string): ReadonlySet<string> => new Set(terms(wanted).map(([word]) => word))
  return { vagueTerms: new Map(terms('vague')), fillers: words('filler'), materials: words('material') }
}
