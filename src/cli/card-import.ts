/**
 * `waybill card import`: a folder, a zip or a price list becomes the next version of a rate card. Decided here:
 * a card that says nothing new is not written again, and a question that nobody could answer is refused before
 * anything is written.
 */

import type { Command } from 'commander'
import type { Kysely } from 'kysely'
import { versionText } from '../core/rating/rate-card.ts'
import type { Database } from '../store/database.ts'
import { importRateCard, type RateCardVersion } from '../store/rate-card-versions.ts'
import { code, count, day, plainText, versionName } from './arguments.ts'
import { reportingFaults } from './card-faults.ts'
import { publishAsked } from './card-publish.ts'
import { type CardSource, cardSource, checkCard, readCardFiles } from './card-source.ts'
import { refuseUnasked } from './confirm.ts'
import type { WithDatabase } from './database.ts'
import { LISTED_CHANGES } from './difference-report.ts'
import { describePlan, type ImportPlan, type PlanOptions, planImport } from './import-plan.ts'
import { Misuse, type Output, Refusal, say } from './output.ts'
import { announce, withProgress } from './progress.ts'

type ImportOptions = PlanOptions & {
  readonly changes: number
  readonly publish?: boolean
  readonly yes?: boolean
  readonly force?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

/** Adds the command `import`. */
export function importCommand(card: Command, withDatabase: WithDatabase, output: Output): void {
  card
    .command('import')
    .description('check a rate card, show what it changes, and write it as the next version, a draft')
    .argument(
      '<path>',
      'a folder or zip of CSV files, or a CSV file of prices alone (src/reference/README.md)',
    )
    .requiredOption('--code <code>', 'the code of the card: 1 to 40 of a-z, 0-9 and -', code)
    .option('--name <name>', 'the name of the card; needed for a new one', plainText)
    .requiredOption('--valid-from <day>', 'the first day it prices, such as 2026-12-01', day)
    .option('--valid-to <day>', 'the first day it no longer prices', day)
    .option('--contract-only', 'for those accounts only whose contract points to it')
    .option(
      '--base <version>',
      'what a price list builds on; else the version in force on its day',
      versionName,
    )
    .option('--changes <number>', 'how many changes to list', count, LISTED_CHANGES)
    .option('--publish', 'publish it, after a question')
    .option('--yes', 'publish without the question')
    .option('--force', 'write it even if it says nothing new')
    .option('--dry-run', 'show everything, write nothing')
    .option('--json', 'print JSON')
    .action((path: string, options: ImportOptions) =>
      reportingFaults(
        output,
        options.json,
        () => importCard(path, options, withDatabase, output),
        '; nothing was written',
      ),
    )
}

async function importCard(
  path: string,
  options: ImportOptions,
  withDatabase: WithDatabase,
  output: Output,
): Promise<void> {
  const source = cardSource(path)
  refuseMisuse(source, options)
  if (options.publish === true && options.dryRun !== true) refuseUnasked(output, options)
  announce(output, options.json, `Reading ${path}`)
  const files = source.kind === 'files' ? checkCard(readCardFiles(source.location)) : undefined
  await withDatabase(async ({ db }) => {
    const plan = await planImport(db, path, files, options)
    const { lines, value } = describePlan(plan, options.changes)
    say(output, options.json, lines)
    const done = await carryOut(db, plan, options, output)
    if (options.json === true) output.line(JSON.stringify({ ...done, ...value }))
  })
}

function refuseMisuse(source: CardSource, { base, validFrom, validTo }: ImportOptions): void {
  if (source.kind === 'version') throw new Misuse('a folder, a zip or a CSV file is expected, not a version')
  if (base !== undefined && source.kind !== 'price-list')
    throw new Misuse('--base is for a CSV file of prices alone')
  if (validTo !== undefined && validTo <= validFrom) throw new Misuse('--valid-to must be after --valid-from')
}

/** What was done, as the beginning of the JSON document. */
type Done = { readonly version: string | null; readonly status: string | null; readonly imported: boolean }

async function carryOut(
  db: Kysely<Database>,
  { loaded, head, same }: ImportPlan,
  { code: card, validFrom, validTo, ...options }: ImportOptions,
  output: Output,
): Promise<Done> {
  const isWanted = same === undefined || options.force === true
  if (!isWanted) say(output, options.json, [`${same.version} (${same.status}) says the same already.`])
  if (options.dryRun === true) {
    say(output, options.json, ['Dry run: nothing was written.'])
    return { version: null, status: null, imported: false }
  }
  if (!isWanted) return leaveAsItIs(db, same, options, output)
  const days = { validFrom, ...(validTo !== undefined && { validTo }) }
  const version = await withProgress(output, options.json, 'Writing', (onProgress) =>
    importRateCard(db, { code: card, ...head, ...days, card: loaded.card }, onProgress),
  )
  const name = versionText(version)
  const next = options.publish === true ? '.' : ` and prices nothing until: waybill card publish ${name}`
  say(output, options.json, [`Imported ${name}: it is a draft${next}`])
  if (options.publish === true) await publishAsked(db, version, options, output)
  return { version: name, status: options.publish === true ? 'published' : 'draft', imported: true }
}

/** The version that says the same is published where that was asked for; one that was withdrawn stays so. */
async function leaveAsItIs(
  db: Kysely<Database>,
  same: RateCardVersion,
  options: Pick<ImportOptions, 'publish' | 'yes' | 'json'>,
  output: Output,
): Promise<Done> {
  const { version, status, code: card, versionNo } = same
  const done = { version, status, imported: false }
  switch (status) {
    case 'published':
      say(output, options.json, ['Nothing was written.'])
      return done
    case 'withdrawn':
      throw new Refusal(
        `${version} says the same and was withdrawn: "card rollback ${card} --to ${versionNo}" publishes it again, --force imports it anew`,
      )
    case 'draft':
      if (options.publish === true) {
        await publishAsked(db, same, options, output)
        return { ...done, status: 'published' }
      }
      say(output, options.json, [`Nothing was written. To publish it: waybill card publish ${version}`])
      return done
  }
}
