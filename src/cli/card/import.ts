/**
 * `waybill card import`: a folder, a zip or a price list becomes the next version of a rate card. Decided here:
 * a card that says nothing new is not written again, and a question that nobody could answer is refused before
 * anything is written.
 */
import type { Command } from 'commander'
import type { Kysely } from 'kysely'
import { isUnchanged } from '../../core/rate-card-review/difference/card-difference.ts'
import { type CardAudience, versionText } from '../../core/rating/rate-card.ts'
import type { Database } from '../../store/database/database.ts'
import { listFuelRates } from '../../store/rate-cards/fuel.ts'
import {
  importRateCard,
  listRateCards,
  type RateCardVersion,
  type VersionName,
} from '../../store/rate-cards/versions.ts'
import { code, count, day, plainText, versionName } from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import {
  differenceBetween,
  differenceLines,
  differenceValue,
  LISTED_CHANGES,
} from '../terminal/difference-report.ts'
import { reportingFaults, warningLines } from '../terminal/faults.ts'
import {
  announce,
  counted,
  type Output,
  Refusal,
  refuseUnasked,
  say,
  UsageError,
  withProgress,
} from '../terminal/output.ts'
import {
  type CardSource,
  cardSource,
  checkCard,
  type LoadedCard,
  readCardFiles,
  readCardVersion,
  readPricesOn,
} from './source.ts'
import { inForceOn, newestPublished, newsLines, publishAsked, sharedNews } from './status.ts'

type ImportOptions = PlanOptions & {
  readonly changes: number
  readonly publish?: boolean
  readonly yes?: boolean
  readonly force?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

/** Adds the command `import`. */
export function cardImportCommand(card: Command, withDatabase: WithDatabase, output: Output): void {
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
  if (source.kind === 'version')
    throw new UsageError('a folder, a zip or a CSV file is expected, not a version')
  if (base !== undefined && source.kind !== 'price-list')
    throw new UsageError('--base is for a CSV file of prices alone')
  if (validTo !== undefined && validTo <= validFrom)
    throw new UsageError('--valid-to must be after --valid-from')
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

// What an import would do, before anything is written: under which name, building on what, against which version
// it is compared. Decided here: what it changes is told against the newest published version; it says nothing
// new if it is the same as that one, or as the newest of all.

/** What the command line says of the card to be. */
export type PlanOptions = {
  readonly code: string
  readonly name?: string
  readonly validFrom: string
  readonly validTo?: string
  readonly contractOnly?: boolean
  readonly base?: VersionName
}

/** What an import comes to before anything is written. */
export type ImportPlan = {
  readonly loaded: LoadedCard
  readonly head: { readonly name: string; readonly audience: CardAudience }
  /** The version a price list builds on. */
  readonly base?: string
  /** The version that says the same already: the newest published one, or else the newest. */
  readonly same?: RateCardVersion
  /** What the version it follows says; absent for the first one. */
  readonly followed?: LoadedCard
  readonly news: readonly string[]
}

/**
 * Plans an import: `files` is what was read of a folder or zip, else `path` is a price list. Throws CardFaults, a
 * Refusal, or Misuse where a new card has no name.
 */
export async function planImport(
  db: Kysely<Database>,
  path: string,
  files: LoadedCard | undefined,
  options: PlanOptions,
): Promise<ImportPlan> {
  const versions = await listRateCards(db, options.code)
  const head = headOf(versions, options)
  const fuelInForce = await listFuelRates(db)
  const base = files === undefined ? await readBase(db, versions, options) : undefined
  const loaded = files ?? checkCard(readPricesOn(base!, path), fuelInForce)
  const read = (version: RateCardVersion | undefined): Promise<LoadedCard> | undefined =>
    version === undefined ? undefined : readCardVersion(db, version)
  const published = newestPublished(versions)
  const followed = await read(published)
  const newsTo = (known: LoadedCard | undefined): string[] =>
    sharedNews(loaded.card, known?.card, fuelInForce)
  const isSame = (version: RateCardVersion | undefined, card: LoadedCard | undefined): boolean =>
    version !== undefined &&
    card !== undefined &&
    hasSameHead(version, head, options) &&
    newsTo(card).length === 0 &&
    isUnchanged(differenceBetween(card, loaded))
  const [newest] = versions
  const same = isSame(published, followed)
    ? published
    : newest !== published && isSame(newest, await read(newest))
      ? newest
      : undefined
  return {
    loaded,
    head,
    ...(base !== undefined && { base: base.name }),
    ...(same !== undefined && { same }),
    ...(followed !== undefined && { followed }),
    news: followed === undefined ? [] : newsTo(followed),
  }
}

/** A card keeps its name and its audience unless it is told otherwise. */
function headOf(
  [newest, ...older]: readonly RateCardVersion[],
  { code: card, name, contractOnly }: PlanOptions,
): ImportPlan['head'] {
  const kept = name ?? newest?.name
  if (kept === undefined)
    throw new UsageError(`there is no rate card ${card} yet: --name gives a new one its name`)
  const audience = contractOnly === true ? 'contract' : (newest?.audience ?? 'everyone')
  const wasSold = newest !== undefined && [newest, ...older].some(({ status }) => status !== 'draft')
  if (wasSold && newest.audience !== audience)
    throw new Refusal(`${card} was published for everyone: contracts alone need another card`)
  return { name: kept, audience }
}

function hasSameHead(
  newest: RateCardVersion,
  { name, audience }: ImportPlan['head'],
  { validFrom, validTo }: PlanOptions,
): boolean {
  const isNamedSo = newest.name === name && newest.audience === audience
  return isNamedSo && newest.validFrom === validFrom && newest.validTo === (validTo ?? null)
}

async function readBase(
  db: Kysely<Database>,
  versions: readonly RateCardVersion[],
  { code: card, base, validFrom }: PlanOptions,
): Promise<LoadedCard> {
  const version = base ?? inForceOn(versions, validFrom) ?? newestPublished(versions) ?? versions[0]
  if (version === undefined)
    throw new Refusal(`there is no version of ${card} that a price list could build on: --base names one`)
  return readCardVersion(db, version)
}

/** What a plan says to people and, as fields of the JSON document, to programs. */
export function describePlan(
  { loaded, followed, base, news, same, head }: ImportPlan,
  changes: number,
): { readonly lines: readonly string[]; readonly value: object } {
  const difference = followed && differenceBetween(followed, loaded)
  const { products, prices } = loaded.card.content
  const size = `${counted(products.length, 'product')}, ${counted(prices.length, 'price')}`
  return {
    lines: [
      ...warningLines(loaded.warnings),
      ...(base === undefined ? [] : [`The prices build on ${base}.`]),
      ...(difference === undefined
        ? [`No version of "${head.name}" is published yet. This one has ${size}.`]
        : differenceLines(difference, changes)),
      ...newsLines(news),
    ],
    value: {
      ...(base !== undefined && { base }),
      ...(same !== undefined && { same: same.version }),
      warnings: loaded.warnings,
      difference: difference === undefined ? null : differenceValue(difference, changes),
      news,
    },
  }
}
