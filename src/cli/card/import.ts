/**
 * `waybill card import`: writes a workbook, folder, zip or price list as the next version of a rate card. The command
 * compares the card with the version that applies on its first day. If the newest published version or the newest one
 * has the same content already, nothing is written. See docs/rate-cards.md and docs/rate-card-files.md.
 */
import { type Command, Option } from 'commander'
import type { Kysely } from 'kysely'
import type { ConnectorTypes } from '../../carriers/registry.ts'
import { isUnchanged } from '../../core/rate-card-review/difference/card-difference.ts'
import type { ShipmentComparison } from '../../core/rate-card-review/difference/recent-shipments.ts'
import { AUDIENCE_NAMES, type CardAudience, versionText } from '../../core/rating/card-version.ts'
import { type FuelSources, fuelInForce } from '../../core/rating/fuel/fuel-table.ts'
import type { Database } from '../../store/database/database.ts'
import { RATE_BOOK, readRevision } from '../../store/database/revision.ts'
import { readFuel } from '../../store/rate-cards/fuel-tables.ts'
import {
  importRateCard,
  listRateCards,
  type RateCardVersion,
  type VersionName,
} from '../../store/rate-cards/versions.ts'
import { configuredConnectors } from '../connectors.ts'
import {
  code,
  count,
  day,
  LISTED_CHANGES,
  plainText,
  requireConfirmable,
  versionName,
} from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { Refusal, reportFaults, UsageError, warningLines } from '../terminal/errors.ts'
import { announce, counted, type Output, print, withProgress } from '../terminal/output.ts'
import { differenceBetween, differenceLines, differenceValue } from './difference-report.ts'
import { type OpenedCard, openCardVersion, openLoadedCard } from './opened-card.ts'
import {
  confirmAndPublish,
  type PublishOptions,
  publishOptions,
  sharedChangeLines,
  withHeading,
} from './publish.ts'
import { openRecent, recentLines } from './recent-shipments.ts'
import {
  cardSource,
  checkCard,
  type FileSource,
  LAYOUT_OPTION,
  type LoadedCard,
  type PriceListSource,
  readCardFiles,
  readCardVersion,
  readPricesOn,
  refuseUnusedBase,
} from './source.ts'
import { comparedWith, inForceOn, newestPublished } from './versions.ts'

type ImportOptions = PublishOptions & {
  readonly code: string
  readonly name?: string
  readonly validFrom: string
  readonly validTo?: string
  readonly contractOnly?: boolean
  readonly cost?: boolean
  readonly base?: VersionName
  readonly changes: number
  readonly publish?: boolean
  readonly force?: boolean
  readonly layout?: string
  readonly dryRun?: boolean
}

/** Adds `import` to `waybill card`. */
export function cardImportCommand(card: Command, withDatabase: WithDatabase, output: Output): void {
  const command = card
    .command('import')
    .description('check a rate card, show what it changes, and write it as a draft of the next version')
    .argument(
      '<path>',
      'a workbook, a folder or zip of CSV files, or a price list (see docs/rate-card-files.md)',
    )
    .requiredOption('--code <code>', 'the code of the card: 1 to 40 characters of a-z, 0-9 and -', code)
    .option('--name <name>', 'the name of the card; required for a new card', plainText)
    .requiredOption('--valid-from <day>', 'first day on which it applies, such as 2026-12-01', day)
    .option('--valid-to <day>', 'first day on which it no longer applies', day)
    .addOption(
      new Option('--contract-only', 'only for accounts whose contract names this card').conflicts('cost'),
    )
    .option('--cost', 'a cost card: it has the prices that you pay, and sells nothing')
    .option(
      '--base <version>',
      'the version that a price list builds on (default: the version in force on its first day)',
      versionName,
    )
    .option('--layout <file>', LAYOUT_OPTION)
    .option('--changes <number>', 'how many changes to list', count, LISTED_CHANGES)
    .option('--publish', 'publish the version after confirmation')
  publishOptions(command)
    .option('--yes', 'do not ask for confirmation')
    .option('--force', 'write a version even if one with the same content exists')
    .option('--dry-run', 'show the changes and write nothing')
    .option('--json', 'print JSON')
    .action((path: string, options: ImportOptions) =>
      reportFaults(
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
  const source = sourceOf(path, options)
  if (options.publish === true && options.dryRun !== true) requireConfirmable(output, options)
  announce(output, options.json, `Reading ${path}`)
  const connectors = await configuredConnectors()
  const card = source.kind === 'price-list' ? source : checkCard(readCardFiles(source.location), connectors)
  await withDatabase(async ({ db }) => {
    const plan = await planImport(db, card, options, connectors)
    print(output, options.json, planLines(plan))
    const result = await carryOut(db, plan, options, output)
    if (options.json === true) output.line(JSON.stringify({ ...result, ...planValue(plan) }))
  })
}

/** Throws a UsageError if the arguments do not fit together. */
function sourceOf(path: string, { base, layout, validFrom, validTo }: ImportOptions): FileSource {
  const source = cardSource(path, layout)
  if (source.kind === 'version')
    throw new UsageError('expected a workbook, a folder, a zip or a price list, not a version')
  refuseUnusedBase(base, source)
  if (validTo !== undefined && validTo <= validFrom)
    throw new UsageError('--valid-to must be after --valid-from')
  return source
}

/** The version that an import would write, and how it differs from others. */
type ImportPlan = {
  /** The revision of the rate book that the plan is made for. */
  readonly revision: number
  readonly loaded: LoadedCard
  readonly head: VersionHead
  /** The version that a price list builds on. */
  readonly base?: string
  /** A version with the same content: the newest published one, or else the newest. */
  readonly same?: RateCardVersion
  /** With the version that applies on the first day, or else the newest published one; absent if there is none. */
  readonly comparison?: Comparison
  /** Changes of the tables that all cards share. */
  readonly sharedChanges: readonly string[]
}

/** The fields of a version besides its content and days. */
type VersionHead = { readonly name: string; readonly audience: CardAudience }

/** A comparison with a version. */
type Comparison = {
  /** Whether the version has the same content, head and days, and no changes of shared tables. */
  readonly isSame: boolean
  readonly sharedChanges: readonly string[]
  readonly lines: readonly string[]
  /** For the JSON document. */
  readonly difference: unknown
  /** Absent if no shipment was booked lately. */
  readonly recent?: ShipmentComparison
}

/** Plans an import. Throws ImportFaults, a Refusal, or a UsageError if a new card has no name. */
async function planImport(
  db: Kysely<Database>,
  card: LoadedCard | PriceListSource,
  options: ImportOptions,
  connectors: ConnectorTypes,
): Promise<ImportPlan> {
  const revision = await readRevision(db, RATE_BOOK)
  const versions = await listRateCards(db, options.code)
  const head = headOf(versions, options)
  const fuel = await readFuel(db)
  const base = 'kind' in card ? await readBase(db, versions, options) : undefined
  const loaded = 'kind' in card ? checkCard(readPricesOn(base!, card), connectors, fuelInForce(fuel)) : card
  const opened = openLoadedCard(loaded)
  const compare = async (version: RateCardVersion | undefined): Promise<Comparison | undefined> =>
    version && (await compareWith(db, version, { opened, head }, fuel, options))
  const [newest] = versions
  const publishedVersion = newestPublished(versions)
  const published = await compare(publishedVersion)
  const comparedVersion = comparedWith(versions, options.validFrom)
  const comparison = comparedVersion === publishedVersion ? published : await compare(comparedVersion)
  const same = published?.isSame
    ? publishedVersion
    : newest !== publishedVersion && (await compare(newest))?.isSame
      ? newest
      : undefined
  return {
    revision,
    loaded,
    head,
    ...(base !== undefined && { base: base.name }),
    ...(same !== undefined && { same }),
    ...(comparison !== undefined && { comparison }),
    sharedChanges: published?.sharedChanges ?? [],
  }
}

async function compareWith(
  db: Kysely<Database>,
  version: RateCardVersion,
  { opened, head }: Pick<ImportPlan, 'head'> & { readonly opened: OpenedCard },
  fuel: FuelSources,
  options: ImportOptions,
): Promise<Comparison> {
  const known = await openCardVersion(db, version)
  const recent = await openRecent(db, known.card, opened.card, fuel, options.validFrom)
  const difference = await differenceBetween(known, opened, options.changes, recent?.addPrices)
  const shipments = recent?.finish()
  const sharedChanges = sharedChangeLines(opened.card, known.card, fuel.rates)
  const isSame = isUnchanged(difference) && sharedChanges.length === 0
  const isHeadSame = hasSameHead(version, head, options)
  return {
    isSame: isSame && isHeadSame,
    sharedChanges,
    lines: [
      ...differenceLines(difference, options.changes),
      ...(isUnchanged(difference) && !isHeadSame
        ? [`Only the name, the days or the accounts are others than those of ${difference.before}.`]
        : []),
      ...(isUnchanged(difference) ? [] : recentLines(shipments)),
    ],
    difference: differenceValue(difference, options.changes),
    ...(shipments !== undefined && { recent: shipments }),
  }
}

/** Name and audience default to those of the newest version. */
function headOf(
  [newest, ...older]: readonly RateCardVersion[],
  { code: cardCode, name = newest?.name, contractOnly, cost }: ImportOptions,
): VersionHead {
  if (name === undefined)
    throw new UsageError(`there is no rate card ${cardCode} yet: add --name to create it`)
  const audience =
    contractOnly === true ? 'contract' : cost === true ? 'cost' : (newest?.audience ?? 'everyone')
  const wasPublished = newest !== undefined && [newest, ...older].some(({ status }) => status !== 'draft')
  if (wasPublished && newest.audience !== audience)
    throw new Refusal(
      `${cardCode} was published for ${AUDIENCE_NAMES[newest.audience]}: ${audience === 'cost' ? '--cost' : '--contract-only'} needs a card with another code`,
    )
  return { name, audience }
}

function hasSameHead(
  version: RateCardVersion,
  { name, audience }: VersionHead,
  { validFrom, validTo }: ImportOptions,
): boolean {
  const hasSameDays = version.validFrom === validFrom && version.validTo === (validTo ?? null)
  return hasSameDays && version.name === name && version.audience === audience
}

async function readBase(
  db: Kysely<Database>,
  versions: readonly RateCardVersion[],
  { code: cardCode, base, validFrom }: ImportOptions,
): Promise<LoadedCard> {
  const version = base ?? inForceOn(versions, validFrom) ?? newestPublished(versions) ?? versions[0]
  if (version === undefined)
    throw new Refusal(`${cardCode} has no version that the price list can build on: name one with --base`)
  return readCardVersion(db, version)
}

function planLines({ loaded, base, comparison, sharedChanges, head }: ImportPlan): string[] {
  const { products, prices } = loaded.card.content
  const size = `${counted(products.length, 'product')}, ${counted(prices.length, 'price')}`
  const firstLines = [`No version of "${head.name}" is published yet. This one has ${size}.`]
  return [
    ...warningLines(loaded.warnings),
    ...(base === undefined ? [] : [`The price list builds on ${base}.`]),
    ...(comparison?.lines ?? firstLines),
    ...withHeading(sharedChanges),
  ]
}

/** A plan as fields of the JSON document. */
function planValue({ loaded, base, same, comparison, sharedChanges }: ImportPlan): object {
  return {
    ...(base !== undefined && { base }),
    ...(same !== undefined && { same: same.version }),
    warnings: loaded.warnings,
    difference: comparison?.difference ?? null,
    recentShipments: comparison?.recent ?? null,
    news: sharedChanges,
  }
}

/** The result of an import, as the first fields of the JSON document. */
type ImportResult = {
  readonly version: string | null
  readonly status: string | null
  readonly imported: boolean
}

async function carryOut(
  db: Kysely<Database>,
  { revision, loaded, head, same }: ImportPlan,
  { code: cardCode, validFrom, validTo, ...options }: ImportOptions,
  output: Output,
): Promise<ImportResult> {
  const unchanged = options.force === true ? undefined : same
  if (unchanged !== undefined)
    print(output, options.json, [`${unchanged.version} (${unchanged.status}) has the same content already.`])
  if (options.dryRun === true) {
    print(output, options.json, ['Dry run: nothing was written.'])
    return { version: null, status: null, imported: false }
  }
  if (unchanged !== undefined) return reuseVersion(db, unchanged, revision, options, output)
  const days = { validFrom, ...(validTo !== undefined && { validTo }) }
  const version = await withProgress(output, options.json, 'Writing', (onProgress) =>
    importRateCard(db, { code: cardCode, ...head, ...days, card: loaded.card }, onProgress),
  )
  const name = versionText(version)
  const next = options.publish === true ? '' : ` To publish it: waybill card publish ${name}`
  print(output, options.json, [`Imported ${name} as a draft.${next}`])
  if (options.publish === true) await confirmAndPublish(db, version, revision, options, output)
  return { version: name, status: options.publish === true ? 'published' : 'draft', imported: true }
}

/** Publishes the version with the same content if `--publish` asks for it and it is a draft. */
async function reuseVersion(
  db: Kysely<Database>,
  same: RateCardVersion,
  revision: number,
  options: PublishOptions & Pick<ImportOptions, 'publish'>,
  output: Output,
): Promise<ImportResult> {
  const { version, status, code: cardCode, versionNo } = same
  const result = { version, status, imported: false }
  switch (status) {
    case 'published':
      print(output, options.json, ['Nothing was written.'])
      return result
    case 'withdrawn':
      throw new Refusal(
        `${version} has the same content and was withdrawn: publish it again with "card rollback ${cardCode} --to ${versionNo}", or import a new version with --force`,
      )
    case 'draft':
      if (options.publish === true) {
        await confirmAndPublish(db, same, revision, options, output)
        return { ...result, status: 'published' }
      }
      print(output, options.json, [`Nothing was written. To publish it: waybill card publish ${version}`])
      return result
  }
}
