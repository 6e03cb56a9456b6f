/**
 * `waybill classify`: finds HS codes for a file of goods, for a person to review. Keeps all columns of the file. Adds
 * the code that was found, what speaks for other codes, and a column for the code that the person agrees on. A file
 * that has these columns already is classified again. Does not overwrite an existing file. Uses only the first 500
 * characters of a description, as in a request. See docs/hs-classification.md#classify-a-file.
 */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { readConfig } from '../config/config.ts'
import { interview } from '../core/classification/classify.ts'
import { type DescribedGoods, FACT_NAMES, type FactName, readFacts } from '../core/goods-facts.ts'
import type { GoodsAnswer, GoodsQuestion, Interview } from '../core/hs-candidate.ts'
import { MAX_TEXT_LENGTH, type ProblemList } from '../core/input.ts'
import { type CsvTable, readCsvTable, writeCsv } from '../reference/import/csv-table.ts'
import { type FaultLog, openFaultLog } from '../reference/import/import-fault.ts'
import { readImportFile } from '../reference/import/import-limits.ts'
import { loadLexicon } from '../reference/lexicon-reader/lexicon.ts'
import { listAgreedCodes } from '../store/accounts/agreed-codes.ts'
import { agreedCodeCommands } from './account/agreed-codes.ts'
import { MODEL_COLUMNS, reviewByModel } from './model-review.ts'
import type { WithDatabase } from './terminal/database.ts'
import { ImportFaults, Refusal, refuseOnError, reportFaults, UsageError } from './terminal/errors.ts'
import { writeExport } from './terminal/export-file.ts'
import { counted, type Output, report, withProgress } from './terminal/output.ts'

type ClassifyOptions = {
  readonly in?: string
  readonly out?: string
  readonly account?: string
  readonly json?: boolean
}

const DESCRIPTION = 'description'
const SKU = 'sku'
const ANSWERS = 'answers'
const FACT_COLUMNS: Readonly<Record<FactName, string>> = {
  material: 'material',
  composition: 'composition',
  madeFor: 'made_for',
  category: 'category',
  brand: 'brand',
  use: 'use',
  construction: 'construction',
}
const BECAUSE_OF = 'because_of'
const FOUND = ['code', 'code_label', 'confidence', 'alternatives', 'questions', BECAUSE_OF]
const AGREED = 'agreed_code'
const ALTERNATIVES = 5
/** Rows between updates of the progress bar. */
const BATCH = 200

export function classifyCommand(classify: Command, withDatabase: WithDatabase, output: Output): void {
  classify
    .description('find HS codes for a CSV file of goods, and keep the codes that a person agrees on')
    // The options of a subcommand have the same names.
    .enablePositionalOptions()
    .option(
      '--in <file>',
      `the CSV file to read; it needs a column "${DESCRIPTION}" and may have ${Object.values(FACT_COLUMNS).join(', ')} and ${ANSWERS}`,
    )
    .option('--out <file>', `the CSV file to write, with the columns ${[...FOUND, AGREED].join(', ')} added`)
    .option('--account <accountId>', `fill ${AGREED} with the codes that the account has agreed on`)
    .option('--json', 'print JSON')
    .action((options: ClassifyOptions) =>
      reportFaults(
        output,
        options.json,
        () => classifyFile(options, withDatabase, output),
        '',
        `${options.in} has`,
      ),
    )
  agreedCodeCommands(classify, withDatabase, output)
}

async function classifyFile(
  { in: source, out: target, account, json }: ClassifyOptions,
  withDatabase: WithDatabase,
  output: Output,
): Promise<void> {
  // Commander would require them of the subcommands, too.
  if (source === undefined) throw new UsageError("required option '--in <file>' not specified")
  if (target === undefined) throw new UsageError("required option '--out <file>' not specified")
  if (existsSync(target)) throw new Refusal(`${target} already exists`)
  // Before the work, because a fault in the settings ends the command.
  const config = readConfig()
  const { table, goods } = readGoodsFile(source)
  const agreed = account === undefined ? NOTHING_AGREED : await readAgreed(withDatabase, account)
  const found = await withProgress(output, json, 'Classifying', (onProgress) =>
    classifyAll(goods, onProgress),
  )
  const open = goods.map((item, row) => ({
    item,
    found: found[row]!,
    isAgreed: agreedCodeOf(table, table.records[row]!, agreed) !== '',
  }))
  const model = await reviewByModel(open, config, output, json)
  const rows = table.records.map((record, row) =>
    withColumns(table, record, found[row]!, agreed, model?.cells[row]),
  )
  writeExport(target, writeCsv([reviewHeader(table, model !== undefined), ...rows]))
  const coded = found.filter(({ candidates }) => candidates.length > 0).length
  const column = table.header.indexOf(DESCRIPTION)
  const cut = table.records.filter((record) => record[column]!.length > MAX_TEXT_LENGTH).length
  report(
    output,
    json,
    { rows: goods.length, classified: coded, file: target, ...(model && { model: model.counts }) },
    [
      `Wrote ${counted(goods.length, 'row')} to ${target}; ${goods.length - coded} of them without a code.`,
      ...(cut > 0
        ? [`Of ${counted(cut, 'description')}, only the first ${MAX_TEXT_LENGTH} characters were classified.`]
        : []),
      ...(model?.lines ?? []),
    ],
  )
}

const NOTHING_AGREED: ReadonlyMap<string, string> = new Map()

/** By sku. */
async function readAgreed(withDatabase: WithDatabase, account: string): Promise<ReadonlyMap<string, string>> {
  const codes = await withDatabase(({ db }) => listAgreedCodes(db, account))
  return new Map(codes.map(({ sku, code }) => [sku, code]))
}

function readGoodsFile(file: string): {
  readonly table: CsvTable
  readonly goods: readonly DescribedGoods[]
} {
  const log = openFaultLog(file)
  const table = readCsvTable(
    refuseOnError(() => readImportFile(file)),
    log,
  )
  if (table === undefined) throw new ImportFaults(log.faults(), [])
  const { header, records, lines } = table
  if (!header.includes(DESCRIPTION)) log.fault(1, undefined, `a column "${DESCRIPTION}"`, header.join(', '))
  const taken = FOUND.filter((name) => header.includes(name))
  // Files of earlier versions have no column for the note.
  if (!FOUND.every((name) => name === BECAUSE_OF || taken.includes(name)))
    for (const name of [...taken, ...MODEL_COLUMNS.filter((name) => header.includes(name))])
      log.fault(1, name, 'no column with this name, because the command adds it')
  const goods =
    log.faults().length > 0 ? [] : records.map((record, row) => goodsIn(header, record, lines[row]!, log))
  if (log.faults().length > 0) throw new ImportFaults(log.faults(), [])
  return { table, goods }
}

function goodsIn(
  header: readonly string[],
  record: readonly string[],
  line: number,
  log: FaultLog,
): DescribedGoods {
  const cell = (column: string): string => (record[header.indexOf(column)] ?? '').trim()
  const given = Object.fromEntries(FACT_NAMES.map((name) => [name, cell(FACT_COLUMNS[name])]))
  const problems: ProblemList = []
  const facts = readFacts(problems, [], given)
  for (const { path, message } of problems) {
    const name = FACT_NAMES.find((fact) => fact === path[0])
    if (name !== undefined) log.fault(line, FACT_COLUMNS[name], `a text that ${message}`, given[name])
  }
  const answers = readAnswers(cell(ANSWERS))
  if (answers === undefined)
    log.fault(line, ANSWERS, 'answers such as "fibre=cotton; make=knitted"', cell(ANSWERS))
  return {
    description: cell(DESCRIPTION).slice(0, MAX_TEXT_LENGTH),
    facts,
    ...(answers !== undefined && answers.length > 0 && { answers }),
  }
}

/** Reads "fibre=cotton; make=knitted". Undefined if it has another form. */
function readAnswers(text: string): readonly GoodsAnswer[] | undefined {
  const answers: GoodsAnswer[] = []
  for (const part of text.split(';')) {
    if (part.trim() === '') continue
    const [id = '', value = '', ...rest] = part.split('=').map((word) => word.trim())
    if (id === '' || value === '' || rest.length > 0) return undefined
    answers.push({ id, value })
  }
  return answers
}

const NOTHING_FOUND: Interview = { candidates: [], questions: [], hasConflict: false }

async function classifyAll(
  goods: readonly DescribedGoods[],
  onProgress: (rowsDone: number, rowsTotal: number) => void,
): Promise<readonly Interview[]> {
  const lexicon = loadLexicon()
  return goods.map((item, nth) => {
    const isBlank = item.description === '' && item.facts === undefined
    const found = isBlank ? NOTHING_FOUND : interview(lexicon, item, 1 + ALTERNATIVES)
    if ((nth + 1) % BATCH === 0 || nth + 1 === goods.length) onProgress(nth + 1, goods.length)
    return found
  })
}

/**
 * The columns of the file, and the added ones that it does not have. Without a model, columns of an earlier run with
 * one are kept.
 */
function reviewHeader({ header }: CsvTable, hasModel: boolean): readonly string[] {
  const added = [...FOUND, ...(hasModel ? MODEL_COLUMNS : []), AGREED]
  return [...header, ...added.filter((name) => !header.includes(name))]
}

/** Empty if there is none. */
function agreedCodeOf(
  { header }: CsvTable,
  record: readonly string[],
  agreed: ReadonlyMap<string, string>,
): string {
  const given = (column: string): string => record[header.indexOf(column)] ?? ''
  return given(AGREED) || (agreed.get(given(SKU).trim()) ?? '')
}

function withColumns(
  table: CsvTable,
  record: readonly string[],
  found: Interview,
  agreed: ReadonlyMap<string, string>,
  modelCells: readonly string[] | undefined,
): readonly string[] {
  const { header } = table
  const given = (column: string): string => record[header.indexOf(column)] ?? ''
  const cells = foundCells(found)
  const added = [...FOUND, ...(modelCells ? MODEL_COLUMNS : [])]
  return reviewHeader(table, modelCells !== undefined).map((name) => {
    if (name === AGREED) return agreedCodeOf(table, record, agreed)
    const place = added.indexOf(name)
    return place === -1 ? given(name) : [...cells, ...(modelCells ?? [])][place]!
  })
}

/** Confidences have two decimals. Alternatives and questions are separated by semicolons. */
function foundCells({ candidates, questions }: Interview): readonly string[] {
  const [best, ...others] = candidates
  if (best === undefined) return FOUND.map(() => '')
  return [
    best.code,
    best.label,
    best.confidence.toFixed(2),
    others.map(({ code, confidence }) => `${code} ${confidence.toFixed(2)}`).join('; '),
    questions.map(questionText).join('; '),
    best.becauseOf?.citation ?? '',
  ]
}

/** With the answers as the column `answers` takes them: "Of which fibre mostly? fibre=cotton 610910, …". */
function questionText({ id, text, options }: GoodsQuestion): string {
  return `${text} ${options.map(({ value, code }) => `${id}=${value} ${code}`).join(', ')}`
}
