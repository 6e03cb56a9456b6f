/**
 * `waybill customs import`: turns published tariffs, tax rates, exchange rates and files in Waybill's own columns into
 * a data set. Shows what the set changes and stores it as a draft, which has no effect until it is published.
 */
import path from 'node:path'
import { type Command, Option } from 'commander'
import { effectiveRows, withSet } from '../../core/customs/data/layers.ts'
import type { CustomsRows, CustomsTableName } from '../../core/customs/data/rows.ts'
import type { ScopeLoss } from '../../core/customs/data-review/scope-loss.ts'
import { nameFault } from '../../core/input.ts'
import { isCountryCode } from '../../core/place.ts'
import type { KnownNames } from '../../reference/tariff-import/customs-import.ts'
import { CUSTOMS_FORMATS, type CustomsFormat } from '../../reference/tariff-import/formats.ts'
import {
  checkConsistency,
  readCodeListNames,
  readCodesInEffect,
  readCustomsRows,
} from '../../store/customs/customs.ts'
import {
  type CustomsSet,
  importCustomsSet,
  importRefusal,
  listCustomsSets,
  type NewCustomsSet,
} from '../../store/customs/publication.ts'
import { OperatorError } from '../../store/database/database.ts'
import { belowCostOption } from '../card/below-cost.ts'
import {
  count,
  currentDay,
  day,
  days,
  LISTED_CHANGES,
  plainText,
  requireConfirmable,
} from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { Refusal, reportFaults, UsageError, warningLines } from '../terminal/errors.ts'
import { announce, type Output, print, withProgress } from '../terminal/output.ts'
import { chapters, jurisdiction, setName, tableName } from './arguments.ts'
import { type ReadFiles, readCustomsFiles, readingLines, refuseUnknownLists } from './files.ts'
import { confirmAndPublish, type LossConsent, REPLACE_ALL, refuseLoss } from './publish.ts'
import { differenceLines, differenceOfSet, differenceValue, replacedLines } from './report.ts'
import { isAnyChange, updatedSet, wholeTariff } from './update.ts'

type ImportOptions = LossConsent & {
  readonly set: string
  readonly format?: CustomsFormat
  readonly jurisdiction?: string
  readonly table?: CustomsTableName
  readonly title?: string
  readonly source?: string
  readonly date?: string
  readonly validFrom?: string
  readonly cycle?: number
  readonly update?: string
  readonly chapters?: readonly string[]
  readonly limit: number
  readonly publish?: boolean
  readonly dryRun?: boolean
}

const LISTED_WARNINGS = 20
/** Maximum length of the names of all files together, in characters. */
const MAX_FILE_NAMES = 2_000

export function customsImportCommand(customs: Command, withDatabase: WithDatabase, output: Output): void {
  customs
    .command('import')
    .description('read files into a data set, show what it changes, and store it as a draft')
    .argument('<file...>', 'the files of the set; docs/customs-files.md lists the formats')
    .requiredOption('--set <name>', 'the name of the data set: 1 to 60 characters of a-z, 0-9 and -', setName)
    .addOption(
      new Option(
        '--format <format>',
        'the format of the files; by default recognised by their content',
      ).choices(CUSTOMS_FORMATS),
    )
    .option('--jurisdiction <code>', 'the jurisdiction of rows that do not name one', jurisdiction)
    .option('--table <name>', "the table of a file in Waybill's own columns, such as tax-rates", tableName)
    .option('--title <text>', 'the title used in responses; by default the names of the files', plainText)
    .option('--source <text>', 'where the figures come from; by default the names of the files', plainText)
    .option('--date <day>', 'the day the figures were published; by default today', day)
    .option('--valid-from <day>', 'the first day of rows that do not have one', day)
    .option(
      '--cycle <days>',
      'days between two editions of the publisher, for the warning of customs list',
      days,
    )
    .option('--update <set>', 'the files have a part of the tariff of this set; needs --date', setName)
    .option('--chapters <codes>', 'the files replace all rows of these codes, such as 61,62', chapters)
    .option('--limit <number>', 'how many changes to list', count, LISTED_CHANGES)
    .option('--publish', 'publish the set after confirmation')
    .option('--yes', 'do not ask for confirmation')
    .option(...REPLACE_ALL)
    .addOption(belowCostOption())
    .option('--dry-run', 'show the changes without writing anything')
    .option('--json', 'print JSON')
    .action((files: string[], options: ImportOptions) =>
      reportFaults(
        output,
        options.json,
        () => importSet(files, options, withDatabase, output),
        '; nothing was written',
        'the import has',
      ),
    )
}

async function importSet(
  locations: readonly string[],
  options: ImportOptions,
  withDatabase: WithDatabase,
  output: Output,
): Promise<void> {
  const { set: name, json } = options
  refuseFileNames(locations)
  if (options.publish === true && options.dryRun !== true) requireConfirmable(output, options)
  await withDatabase(async ({ db }) => {
    const known = knownNamesOf(await readCustomsRows(db, { inScopesOf: {} }))
    const base = await updatedSet(db, options)
    const codesInEffect = base === undefined ? [] : await readCodesInEffect(db, base.name)
    const defaults = { ...defaultsOf(options), known, codesInEffect }
    const part = readCustomsFiles(locations, options.format, defaults, output, json)
    print(output, json, [...readingLines(part.files), ...someWarnings(part)])
    const read = { ...part, rows: await wholeTariff(db, part, base, options) }
    if (Object.keys(read.rows).length === 0) throw new Refusal('the files have no rows to import')
    if (read.namedLists.length > 0) refuseUnknownLists(read, await readCodeListNames(db))
    const existing = (await listCustomsSets(db)).find((other) => other.name === name)
    const refusal = importRefusal(existing)
    if (refusal !== undefined) throw new Refusal(refusal)
    announce(output, json, 'Comparing the files with the current data')
    const set = newSet(locations, options, read, base)
    const { title, source, date, cycleDays } = set
    const dataSet = { name, title, source, date, cycleDays }
    const rows = withSet(await readCustomsRows(db, { inScopesOf: read.rows }), dataSet, read.rows)
    refuseUnknownJurisdiction(rows, options.jurisdiction)
    const difference = differenceOfSet(rows, name)
    const obstacle = await obstacleTo(db, dataSet, read.rows)
    print(output, json, [
      ...differenceLines(difference, options.limit),
      ...replacedLines(difference, 'It will replace:'),
      ...(obstacle === undefined ? [] : [`It cannot be published: ${obstacle}`]),
      '',
    ])
    const isChange = base === undefined || isAnyChange(difference)
    if (!isChange) print(output, json, [`${base.name} has these rows already: nothing was written.`])
    const state = isChange ? await storeSet(db, set, difference.losses, options, output) : null
    const peakMemoryBytes = process.resourceUsage().maxRSS * 1024
    print(output, json, [`Peak memory: ${Math.round(peakMemoryBytes / 1_000_000)} MB`])
    if (json !== true) return
    const warnings = { total: read.warnings.length, listed: read.warnings.slice(0, LISTED_WARNINGS) }
    const found = { files: read.files, warnings, obstacle: obstacle ?? null }
    const value = { difference: differenceValue(difference, options.limit) }
    const head = { set: name, state, replaced: existing !== undefined, peakMemoryBytes }
    output.line(JSON.stringify({ ...head, ...found, ...value }))
  })
}

function knownNamesOf(rows: CustomsRows): KnownNames {
  const { originGroups, jurisdictions, taxes } = rows
  const groups = originGroups.map(({ originGroup }) => originGroup)
  const members = new Map<string, string[]>()
  for (const { originGroup, country } of effectiveRows(rows).originGroups)
    members.set(originGroup, [...(members.get(originGroup) ?? []), country])
  return {
    members,
    origins: new Set([
      ...groups,
      ...jurisdictions.flatMap(({ code, customsAreas }) => [code, ...customsAreas]),
    ]),
    taxes: new Set(
      taxes.flatMap(({ jurisdiction, ratesOf, tax }) => [`${jurisdiction} ${tax}`, `${ratesOf} ${tax}`]),
    ),
  }
}

function defaultsOf({ set, jurisdiction, table, validFrom, date }: ImportOptions) {
  return {
    dataSet: set,
    day: date ?? currentDay(),
    ...(jurisdiction !== undefined && { jurisdiction }),
    ...(table !== undefined && { table }),
    ...(validFrom !== undefined && { validFrom }),
  }
}

function someWarnings({ warnings }: ReadFiles): string[] {
  const more = warnings.length - LISTED_WARNINGS
  return [
    ...warningLines(warnings.slice(0, LISTED_WARNINGS)),
    ...(more > 0 ? [`… and ${more} more warnings`] : []),
  ]
}

function newSet(
  locations: readonly string[],
  options: ImportOptions,
  { rows }: ReadFiles,
  base: CustomsSet | undefined,
): NewCustomsSet {
  const files = fileNames(locations)
  const source = options.source ?? files
  const rest = base === undefined ? '' : `; the other rows are those of ${base.name} of ${base.date}`
  return {
    name: options.set,
    title: options.title ?? base?.title ?? files,
    source: `${source}${rest}`,
    date: options.date ?? currentDay(),
    jurisdiction: options.jurisdiction ?? base?.jurisdiction ?? null,
    cycleDays: options.cycle ?? base?.cycleDays ?? null,
    importedFrom: files,
    rows,
  }
}

/** The names of the files, as stored with the set. */
function fileNames(locations: readonly string[]): string {
  return locations.map((location) => path.basename(location)).join(', ')
}

function refuseFileNames(locations: readonly string[]): void {
  const expected = nameFault(fileNames(locations), MAX_FILE_NAMES)
  if (expected !== undefined)
    throw new UsageError(`the names of the files are stored with the set: together they must be ${expected}`)
}

/** A mistyped code would create a tariff that never applies. */
function refuseUnknownJurisdiction({ jurisdictions }: CustomsRows, code: string | undefined): void {
  if (code === undefined || isCountryCode(code)) return
  const isKnown = jurisdictions.some(
    (row) => row.code === code || row.tariffOf === code || row.customsAreas.includes(code),
  )
  if (!isKnown) throw new UsageError(`--jurisdiction ${code} is not a country, jurisdiction or customs area`)
}

/** Why the customs data would be inconsistent with a set. Undefined if it would be consistent. */
async function obstacleTo(...set: Parameters<typeof checkConsistency>): Promise<string | undefined> {
  try {
    await checkConsistency(...set)
    return undefined
  } catch (error) {
    if (error instanceof OperatorError) return error.message
    throw error
  }
}

async function storeSet(
  db: Parameters<typeof importCustomsSet>[0],
  set: NewCustomsSet,
  losses: readonly ScopeLoss[],
  options: ImportOptions,
  output: Output,
): Promise<'draft' | 'published' | null> {
  const { json, publish } = options
  if (options.dryRun === true) {
    print(output, json, ['Dry run: nothing was written.'])
    return null
  }
  if (publish === true) refuseLoss(set.name, losses, options)
  await withProgress(output, json, 'Writing', (onProgress) => importCustomsSet(db, set, onProgress))
  const next = publish === true ? '.' : `. To publish it: waybill customs publish ${set.name}`
  print(output, json, [`Imported ${set.name} as a draft${next}`])
  if (publish !== true) return 'draft'
  await confirmAndPublish(db, set.name, losses, options, output)
  return 'published'
}
