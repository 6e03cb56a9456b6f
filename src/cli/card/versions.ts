/**
 * `waybill card publish`, `withdraw`, `rollback`, `discard` and `list`. Commands that change prices show the change
 * and ask for confirmation.
 */
import type { Command } from 'commander'
import type { Kysely } from 'kysely'
import {
  changesSince,
  overriddenPeriods,
  periodText,
  type VersionChange,
  versionChanges,
} from '../../core/rate-card-review/version-periods.ts'
import { AUDIENCE_NAMES, versionText } from '../../core/rating/card-version.ts'
import { isInForce } from '../../core/validity.ts'
import type { Database } from '../../store/database/database.ts'
import { RATE_BOOK, readRevision } from '../../store/database/revision.ts'
import { listFuelRates } from '../../store/rate-cards/fuel.ts'
import {
  discardRateCard,
  listRateCards,
  type RateCardVersion,
  rollBackRateCard,
  rollBackTo,
  type VersionName,
  withdrawRateCard,
  withdrawVersion,
} from '../../store/rate-cards/versions.ts'
import {
  type Consent,
  code,
  confirm,
  confirmedAction,
  count,
  currentDay,
  LISTED_CHANGES,
  versionName,
  versionNumber,
} from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { Refusal, UsageError } from '../terminal/errors.ts'
import { APPLIED_SOON, announce, counted, type Output, print, report, table } from '../terminal/output.ts'
import { type BelowCostOptions, belowCostOption, checkVersionChange } from './below-cost.ts'
import { differenceBetween, differenceLines, differenceValue } from './difference-report.ts'
import { openCardVersion } from './opened-card.ts'
import {
  changeLines,
  confirmAndPublish,
  type PublishOptions,
  publishOptions,
  sharedChangeLines,
  withHeading,
} from './publish.ts'

type ChangeOptions = Consent & BelowCostOptions & { readonly changes: number }
type PublishCommandOptions = ChangeOptions & PublishOptions
type RollbackOptions = ChangeOptions & { readonly to?: number | VersionName }

/** Adds the commands to `waybill card`. */
export function versionCommands(card: Command, withDatabase: WithDatabase, output: Output): void {
  const publishCommand = card
    .command('publish')
    .description('publish a draft: its prices then apply on the days on which it is valid')
    .argument('<version>', 'such as demo@2', versionName)
    .option('--changes <number>', 'how many changes to list', count, LISTED_CHANGES)
  confirmedAction(
    publishOptions(publishCommand),
    output,
    (version: VersionName, options: PublishCommandOptions) =>
      withDatabase(({ db }) => publish(db, version, options, output)),
  )

  const withdrawCommand = card
    .command('withdraw')
    .description('withdraw a published version from today on')
    .argument('<version>', 'such as demo@2', versionName)
    .addOption(belowCostOption())
  confirmedAction(withdrawCommand, output, (version: VersionName, options: Consent & BelowCostOptions) =>
    withDatabase(({ db }) => withdraw(db, version, options, output)),
  )

  const rollbackCommand = card
    .command('rollback')
    .description('return to an earlier version by withdrawing the newer ones')
    .argument('<code>', 'the code of the card', code)
    .option(
      '--to <version>',
      'such as 1 or demo@1 (default: the published version before the newest)',
      versionNumber,
    )
    .option('--changes <number>', 'how many changes to list', count, LISTED_CHANGES)
    .addOption(belowCostOption())
  confirmedAction(rollbackCommand, output, async (cardCode: string, options: RollbackOptions) => {
    const to = rollbackTarget(cardCode, options.to)
    await withDatabase(({ db }) => rollBack(db, cardCode, to, options, output))
  })

  card
    .command('discard')
    .description('delete a draft')
    .argument('<version>', 'such as demo@2', versionName)
    .option('--json', 'print JSON')
    .action(async (version: VersionName, { json }: Consent) => {
      await withDatabase(({ db }) => discardRateCard(db, version))
      const name = versionText(version)
      report(output, json, { version: name, discarded: true }, [`Discarded the draft ${name}.`])
    })

  listCommand(card, withDatabase, output)
}

function listCommand(card: Command, withDatabase: WithDatabase, output: Output): void {
  card
    .command('list')
    .description('list the versions of one or all rate cards')
    .argument('[code]', 'the code of a card', code)
    .option('--json', 'print JSON')
    .action(async (cardCode: string | undefined, { json }: Consent) => {
      const versions = await withDatabase(({ db }) =>
        cardCode === undefined ? listRateCards(db) : versionsOf(db, cardCode),
      )
      const heading = [
        'VERSION',
        'NAME',
        'FOR',
        'STATUS',
        'VALID FROM',
        'VALID TO',
        'PRODUCTS',
        'PRICES',
        'OVERRIDDEN',
      ]
      const listed = versions.map((row) => ({ ...row, overridden: overridesOf(row, versions) }))
      const rows = listed.map((row) => [
        ...[row.version, row.name, AUDIENCE_NAMES[row.audience]],
        statusText(row, versions),
        ...[row.validFrom, row.validTo ?? ''],
        ...[row.products, row.prices].map(String),
        row.overridden.map((period) => `by ${period.by} ${periodText(period)}`).join(', '),
      ])
      report(output, json, listed, table(heading, rows, ['PRODUCTS', 'PRICES']))
    })
}

/** The periods in which newer versions of the card apply although the version is valid. */
function overridesOf(row: RateCardVersion, versions: readonly RateCardVersion[]) {
  if (row.status !== 'published') return []
  const published = versions.filter(({ code: other, status }) => other === row.code && status === 'published')
  return overriddenPeriods(row, published).map(({ after, from, to }) => ({ by: after, from, to }))
}

function statusText(row: RateCardVersion, versions: readonly RateCardVersion[]): string {
  const versionsOfCard = versions.filter((version) => version.code === row.code)
  return inForceOn(versionsOfCard, currentDay())?.version === row.version
    ? 'published, in force today'
    : row.status
}

async function publish(
  db: Kysely<Database>,
  version: VersionName,
  options: PublishCommandOptions,
  output: Output,
): Promise<void> {
  const previewed = await readRevision(db, RATE_BOOK)
  const versions = await versionsOf(db, version.code)
  const draft = versionAmong(versions, version)
  if (draft.status !== 'draft') throw new Refusal(`${draft.version} is ${draft.status}, not a draft`)
  const published = comparedWith(versions, draft.validFrom)
  if (published !== undefined)
    announce(output, options.json, `Comparing ${draft.version} with ${published.version}`)
  const after = await openCardVersion(db, draft)
  const before = published && (await openCardVersion(db, published))
  const difference = before && (await differenceBetween(before, after, options.changes))
  const newest = newestPublished(versions)
  const newestCard = newest === published ? before : newest && (await openCardVersion(db, newest))
  const shared = newestCard ? sharedChangeLines(after.card, newestCard.card, await listFuelRates(db)) : []
  print(output, options.json, [
    ...(difference === undefined
      ? [`No version of "${draft.name}" is published yet. This one has ${sizeText(draft)}.`]
      : differenceLines(difference, options.changes)),
    ...withHeading(shared),
    ...(newest !== undefined && newest.versionNo > draft.versionNo
      ? [`${newest.version} is newer and stays in force on the days on which it is valid.`]
      : []),
  ])
  await confirmAndPublish(db, draft, previewed, options, output)
  if (options.json === true)
    output.line(
      JSON.stringify({
        version: draft.version,
        status: 'published',
        difference: difference === undefined ? null : differenceValue(difference, options.changes),
        news: shared,
      }),
    )
}

function sizeText({ products, prices }: RateCardVersion): string {
  return `${counted(products, 'product')}, ${counted(prices, 'price')}`
}

async function withdraw(
  db: Kysely<Database>,
  name: VersionName,
  consent: Consent & BelowCostOptions,
  output: Output,
): Promise<void> {
  const previewed = await readRevision(db, RATE_BOOK)
  const versions = await versionsOf(db, name.code)
  const target = versionAmong(versions, name)
  if (target.status !== 'published') throw new Refusal(`${target.version} is ${target.status}, not published`)
  const others = versions.filter((version) => version !== target)
  const successor = inForceOn(others, currentDay())
  print(output, consent.json, [
    successor === undefined
      ? `Without it, no version of ${target.code} is in force today: its products are no longer offered.`
      : `Without it, ${successor.version} is in force today.`,
  ])
  await checkVersionChange(
    db,
    {
      change: (trx) => withdrawVersion(trx, name, () => {}),
      from: target.validFrom,
      to: target.validTo ?? undefined,
      consequence: `not withdrawn: ${target.version} stays published`,
    },
    consent,
    output,
  )
  if (!(await confirm(output, consent, `Withdraw ${target.version}?`)))
    throw new Refusal(`not withdrawn: ${target.version} stays published`)
  await withdrawRateCard(db, name, previewed)
  const result = {
    version: target.version,
    status: 'withdrawn',
    pricesToday: successor?.version ?? null,
  }
  report(output, consent.json, result, [`Withdrew ${target.version}. ${APPLIED_SOON}`])
}

/** The version number of `--to`, which may name the whole version. */
function rollbackTarget(cardCode: string, to: number | VersionName | undefined): number | undefined {
  if (typeof to !== 'object') return to
  if (to.code !== cardCode) throw new UsageError(`--to names a version of ${to.code}, not of ${cardCode}`)
  return to.versionNo
}

async function rollBack(
  db: Kysely<Database>,
  cardCode: string,
  to: number | undefined,
  options: ChangeOptions,
  output: Output,
): Promise<void> {
  const previewed = await readRevision(db, RATE_BOOK)
  const versions = await versionsOf(db, cardCode)
  const [newest, previous] = versions.filter(({ status }) => status === 'published')
  const target = to === undefined ? previous : versionAmong(versions, { code: cardCode, versionNo: to })
  if (target === undefined)
    throw new Refusal(`${cardCode} has no earlier published version: name a withdrawn one with --to`)
  if (target.status === 'draft') throw new Refusal(`${target.version} is a draft: it was never published`)
  if (target === newest) throw new Refusal(`${target.version} is already the newest published version`)
  await printRollback(db, versions, target, options, output)
  await checkVersionChange(
    db,
    {
      change: (trx) => rollBackTo(trx, cardCode, target.versionNo, () => {}),
      from: currentDay(),
      consequence: `not rolled back: ${cardCode} does not change`,
    },
    options,
    output,
  )
  if (!(await confirm(output, options, `Roll ${cardCode} back to ${target.version}?`)))
    throw new Refusal(`not rolled back: ${cardCode} does not change`)
  const done = await rollBackRateCard(db, cardCode, target.versionNo, previewed)
  const withdrawn = done.withdrawn.map(versionText)
  const effect = withdrawn.length === 0 ? 'no version was withdrawn' : `${withdrawn.join(' and ')} withdrawn`
  report(output, options.json, { withdrawn, to: target.version }, [
    `Rolled ${cardCode} back to ${target.version}: ${effect}. ${APPLIED_SOON}`,
  ])
}

/** Prints the periods that a rollback changes, and the differences between the versions that apply in them. */
async function printRollback(
  db: Kysely<Database>,
  versions: readonly RateCardVersion[],
  target: RateCardVersion,
  options: ChangeOptions,
  output: Output,
): Promise<void> {
  const published = versions.filter(({ status }) => status === 'published')
  const remaining = published.filter(({ versionNo }) => versionNo < target.versionNo)
  const changes = changesSince(versionChanges(published, [target, ...remaining]), currentDay())
  for (const [before, after] of comparedPairs(versions, changes)) {
    announce(output, options.json, `Comparing ${before.version} with ${after.version}`)
    const [old, now] = [await openCardVersion(db, before), await openCardVersion(db, after)]
    const difference = await differenceBetween(old, now, options.changes)
    print(output, options.json, differenceLines(difference, options.changes))
  }
  print(output, options.json, changeLines(changes))
}

/** The versions that apply before and after each change, each pair once. */
function comparedPairs(
  versions: readonly RateCardVersion[],
  changes: readonly VersionChange[],
): (readonly [before: RateCardVersion, after: RateCardVersion])[] {
  const named = (name: string | undefined) => versions.find(({ version }) => version === name)
  const pairs = new Map(changes.map((change) => [`${change.before} ${change.after}`, change]))
  return [...pairs.values()].flatMap((change) => {
    const [before, after] = [named(change.before), named(change.after)]
    return before === undefined || after === undefined ? [] : [[before, after] as const]
  })
}

/** The versions of a card. Throws a Refusal if it has none. */
export async function versionsOf(db: Kysely<Database>, code: string): Promise<readonly RateCardVersion[]> {
  const versions = await listRateCards(db, code)
  if (versions.length === 0) throw new Refusal(`there is no rate card ${code}`)
  return versions
}

/** The version with the number of `name`. Throws a Refusal if there is none. */
export function versionAmong(versions: readonly RateCardVersion[], name: VersionName): RateCardVersion {
  const found = versions.find(({ versionNo }) => versionNo === name.versionNo)
  if (found === undefined) throw new Refusal(`there is no ${versionText(name)}`)
  return found
}

export function newestPublished(versions: readonly RateCardVersion[]): RateCardVersion | undefined {
  return versions.find(({ status }) => status === 'published')
}

/** The version that a draft is compared with: the one in force on its first day, or else the newest published one. */
export function comparedWith(
  versions: readonly RateCardVersion[],
  firstDay: string,
): RateCardVersion | undefined {
  return inForceOn(versions, firstDay) ?? newestPublished(versions)
}

/** The version that sets the prices of a day: the newest published one that is valid on it. */
export function inForceOn(versions: readonly RateCardVersion[], day: string): RateCardVersion | undefined {
  return versions.find((version) => version.status === 'published' && isInForce(version, day))
}
