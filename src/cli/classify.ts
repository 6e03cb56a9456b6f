/**
 * `waybill classify`: finds HS codes for a file of descriptions. Keeps all columns of the file and adds four. Does not
 * overwrite an existing file. Only the first 500 characters of a description are used, as in a request. Needs no
 * database.
 */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { compiledClassifier } from '../classifiers/classifiers.ts'
import type { HsCandidate } from '../core/hs-candidate.ts'
import { MAX_TEXT_LENGTH } from '../core/input.ts'
import type { Classifier } from '../operations/ports/ports.ts'
import { type CsvTable, readCsvTable, writeCsv } from '../reference/import/csv-table.ts'
import { openFaultLog } from '../reference/import/import-fault.ts'
import { readImportFile } from '../reference/import/import-limits.ts'
import { loadLexicon } from '../reference/lexicon-reader/lexicon.ts'
import { ImportFaults, Refusal, refuseOnError, reportFaults } from './terminal/errors.ts'
import { writeExport } from './terminal/export-file.ts'
import { counted, type Output, report, withProgress } from './terminal/output.ts'

type ClassifyOptions = { readonly in: string; readonly out: string; readonly json?: boolean }

const COLUMN = 'description'
const ADDED = ['code', 'confidence', 'alternatives', 'questions']
const ALTERNATIVES = 5
/** Rows between updates of the progress bar. */
const BATCH = 200

export function classifyCommand(command: Command, output: Output): void {
  command
    .description('find HS codes for a CSV file of descriptions')
    .requiredOption('--in <file>', `the CSV file to read; it needs a column "${COLUMN}"`)
    .requiredOption('--out <file>', `the CSV file to write, with the columns ${ADDED.join(', ')} added`)
    .option('--json', 'print JSON')
    .action((options: ClassifyOptions) =>
      reportFaults(output, options.json, () => classifyFile(options, output), '', `${options.in} has`),
    )
}

async function classifyFile(options: ClassifyOptions, output: Output): Promise<void> {
  const { in: source, out: target, json } = options
  if (existsSync(target)) throw new Refusal(`${target} already exists`)
  const { header, records } = readDescriptions(source)
  const column = header.indexOf(COLUMN)
  const descriptions = records.map((record) => record[column]!)
  const found = await withProgress(output, json, 'Classifying', (onProgress) =>
    classifyAll(compiledClassifier(loadLexicon()), descriptions, onProgress),
  )
  const rows = records.map((record, row) => [...record, ...found[row]!])
  writeExport(target, writeCsv([[...header, ...ADDED], ...rows]))
  const coded = found.filter(([code]) => code !== '').length
  const cut = descriptions.filter((text) => text.length > MAX_TEXT_LENGTH).length
  report(output, json, { rows: records.length, classified: coded, file: target }, [
    `Wrote ${counted(records.length, 'row')} to ${target}; ${records.length - coded} of them without a code.`,
    ...(cut > 0
      ? [`Of ${counted(cut, 'description')}, only the first ${MAX_TEXT_LENGTH} characters were classified.`]
      : []),
  ])
}

function readDescriptions(file: string): CsvTable {
  const log = openFaultLog(file)
  const table = readCsvTable(
    refuseOnError(() => readImportFile(file)),
    log,
  )
  if (table !== undefined && !table.header.includes(COLUMN))
    log.fault(1, undefined, `a column "${COLUMN}"`, table.header.join(', '))
  for (const name of ADDED.filter((added) => table?.header.includes(added)))
    log.fault(1, name, 'no column with this name, because the command adds it')
  if (table === undefined || log.faults().length > 0) throw new ImportFaults(log.faults(), [])
  return table
}

async function classifyAll(
  classifier: Classifier,
  descriptions: readonly string[],
  onProgress: (rowsDone: number, rowsTotal: number) => void,
): Promise<(readonly string[])[]> {
  const found: (readonly string[])[] = []
  for (let start = 0; start < descriptions.length; start += BATCH) {
    const batch = descriptions.slice(start, start + BATCH).map((text) => text.slice(0, MAX_TEXT_LENGTH))
    for (const candidates of await classifier.classify(batch, 1 + ALTERNATIVES))
      found.push(addedCells(candidates))
    onProgress(found.length, descriptions.length)
  }
  return found
}

/** Confidences have two decimals. Alternatives and questions are separated by semicolons. */
function addedCells([best, ...others]: readonly HsCandidate[]): string[] {
  if (best === undefined) return ADDED.map(() => '')
  return [
    best.code,
    best.confidence.toFixed(2),
    others.map(({ code, confidence }) => `${code} ${confidence.toFixed(2)}`).join('; '),
    best.questions.join('; '),
  ]
}
