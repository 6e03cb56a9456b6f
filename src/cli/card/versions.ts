/**
 * `waybill card publish`, `withdraw`, `rollback`, `discard`, `list`: versions of rate cards and where they stand.
 * Each change is shown before it is asked for: what prices now, and what will.
 */

import type { Command } from 'commander'
import type { Kysely } from 'kysely'
import { versionText } from '../../core/rating/rate-card.ts'
import type { Database } from '../../store/database/database.ts'
import { listFuelRates } from '../../store/rate-cards/fuel.ts'
import {
  discardRateCard,
  listRateCards,
  type RateCardVersion,
  rollBackRateCard,
  type VersionName,
  withdrawRateCard,
} from '../../store/rate-cards/versions.ts'
import { code, count, versionName, versionNumber } from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import {
  differenceBetween,
  differenceLines,
  differenceValue,
  LISTED_CHANGES,
} from '../terminal/difference-report.ts'
import {
  announce,
  type Consent,
  confirm,
  counted,
  type Output,
  Refusal,
  refuseUnasked,
  report,
  say,
  table,
  UsageError,
} from '../terminal/output.ts'
import { readCardVersion } from './source.ts'
import {
  inForceOn,
  newestPublished,
  newsLines,
  presentDay,
  publishAsked,
  sharedNews,
  TAKEN_OVER,
  versionAmong,
  versionsOf,
} from './status.ts'

type ChangeOptions = Consent & { readonly changes: number }

/** Adds the commands. */
export function versionCommands(card: Command, withDatabase: WithDatabase, output: Output): void {
  card
    .command('publish')
    .description('publish a draft: it prices the days it is valid on')
    .argument('<version>', 'such as demo@2', versionName)
    .option('--changes <number>', 'how many changes to list', count, LISTED_CHANGES)
    .option('--yes', 'without a question')
    .option('--json', 'print JSON')
    .action(async (version: VersionName, options: ChangeOptions) => {
      refuseUnasked(output, options)
      await withDatabase(({ db }) => publish(db, version, options, output))
    })

  card
    .command('withdraw')
    .description('withdraw a published version: it prices no day to come')
    .argument('<version>', 'such as demo@2', versionName)
    .option('--yes', 'without a question')
    .option('--json', 'print JSON')
    .action(async (version: VersionName, options: Consent) => {
      refuseUnasked(output, options)
      await withDatabase(({ db }) => withdraw(db, version, options, output))
    })

  card
    .command('rollback')
    .description('withdraw the newest versions, so that an earlier one prices again')
    .argument('<code>', 'the code of the card', code)
    .option('--to <version>', 'such as 1 or demo@1; else the published one before the newest', versionNumber)
    .option('--changes <number>', 'how many changes to list', count, LISTED_CHANGES)
    .option('--yes', 'without a question')
    .option('--json', 'print JSON')
    .action(async (card: string, options: ChangeOptions & { to?: number | VersionName }) => {
      const to = wantedNumber(card, options.to)
      refuseUnasked(output, options)
      await withDatabase(({ db }) => rollBack(db, card, to, options, output))
    })

  card
    .command('discard')
    .description('delete a draft')
    .argument('<version>', 'such as demo@2', versionName)
    .option('--json', 'print JSON')
    .action(async (version: VersionName, { json }: { json?: boolean }) => {
      await withDatabase(({ db }) => discardRateCard(db, version))
      const name = versionText(version)
      report(output, json, { version: name, discarded: true }, [`Discarded the draft ${name}.`])
    })

  listCommand(card, withDatabase, output)
}

function listCommand(card: Command, withDatabase: WithDatabase, output: Output): void {
  card
    .command('list')
    .description('list the versions of all rate cards, or of one')
    .argument('[code]', 'the code of a card', code)
    .option('--json', 'print JSON')
    .action(async (card: string | undefined, { json }: { json?: boolean }) => {
      const versions = await withDatabase(({ db }) =>
        card === undefined ? listRateCards(db) : versionsOf(db, card),
      )
      const heading = ['VERSION', 'NAME', 'FOR', 'STATUS', 'VALID FROM', 'VALID TO', 'PRODUCTS', 'PRICES']
      const rows = versions.map((row) => [
        ...[row.version, row.name, row.audience === 'everyone' ? 'everyone' : 'contracts'],
        statusText(row, versions),
        ...[row.validFrom, row.validTo ?? ''],
        ...[row.products, row.prices].map(String),
      ])
      report(output, json, versions, table(heading, rows, ['PRODUCTS', 'PRICES']))
    })
}

function statusText(row: RateCardVersion, versions: readonly RateCardVersion[]): string {
  const own = versions.filter((version) => version.code === row.code)
  return inForceOn(own, presentDay()) === row ? 'published, prices today' : row.status
}

async function publish(
  db: Kysely<Database>,
  version: VersionName,
  options: ChangeOptions,
  output: Output,
): Promise<void> {
  const versions = await versionsOf(db, version.code)
  const draft = versionAmong(versions, version)
  if (draft.status !== 'draft') throw new Refusal(`${draft.version} is ${draft.status}, not a draft`)
  const published = newestPublished(versions)
  if (published !== undefined)
    announce(output, options.json, `Comparing ${draft.version} with ${published.version}`)
  const own = await readCardVersion(db, draft)
  const followed = published && (await readCardVersion(db, published))
  const difference = followed && differenceBetween(followed, own)
  const news = followed ? sharedNews(own.card, followed.card, await listFuelRates(db)) : []
  say(output, options.json, [
    ...(difference === undefined
      ? [`No version of "${draft.name}" is published yet. This one has ${sizeOf(draft)}.`]
      : differenceLines(difference, options.changes)),
    ...newsLines(news),
    ...(published !== undefined && published.versionNo > draft.versionNo
      ? [`${published.version} is newer and goes on pricing the days that it is valid on.`]
      : []),
  ])
  await publishAsked(db, draft, options, output)
  if (options.json === true)
    output.line(
      JSON.stringify({
        ...{ version: draft.version, status: 'published' },
        difference: difference === undefined ? null : differenceValue(difference, options.changes),
        news,
      }),
    )
}

function sizeOf({ products, prices }: RateCardVersion): string {
  return `${counted(products, 'product')}, ${counted(prices, 'price')}`
}

async function withdraw(
  db: Kysely<Database>,
  version: VersionName,
  consent: Consent,
  output: Output,
): Promise<void> {
  const versions = await versionsOf(db, version.code)
  const own = versionAmong(versions, version)
  if (own.status !== 'published') throw new Refusal(`${own.version} is ${own.status}, not published`)
  const heir = inForceOn(
    versions.filter((other) => other !== own),
    presentDay(),
  )
  const after =
    heir === undefined
      ? `No version of ${own.code} prices today without it: its products are no longer offered.`
      : `${heir.version} prices today without it.`
  say(output, consent.json, [after])
  if (!(await confirm(output, consent, `Withdraw ${own.version}?`)))
    throw new Refusal(`not withdrawn: ${own.version} stays published`)
  await withdrawRateCard(db, version)
  report(
    output,
    consent.json,
    { version: own.version, status: 'withdrawn', pricesToday: heir?.version ?? null },
    [`Withdrew ${own.version}. ${TAKEN_OVER}`],
  )
}

function wantedNumber(card: string, to: number | VersionName | undefined): number | undefined {
  if (typeof to !== 'object') return to
  if (to.code !== card) throw new UsageError(`--to names a version of ${to.code}, not of ${card}`)
  return to.versionNo
}

async function rollBack(
  db: Kysely<Database>,
  card: string,
  to: number | undefined,
  options: ChangeOptions,
  output: Output,
): Promise<void> {
  const versions = await versionsOf(db, card)
  const [newest, before] = versions.filter(({ status }) => status === 'published')
  if (to === undefined && before === undefined)
    throw new Refusal(`${card} has no earlier published version: --to names a withdrawn one`)
  const goal = to === undefined ? before! : versionAmong(versions, { code: card, versionNo: to })
  if (goal.status === 'draft') throw new Refusal(`${goal.version} is a draft: it was never published`)
  if (goal === newest) throw new Refusal(`${goal.version} is the newest published version already`)
  if (newest !== undefined) {
    announce(output, options.json, `Comparing ${newest.version} with ${goal.version}`)
    const [now, then] = [await readCardVersion(db, newest), await readCardVersion(db, goal)]
    say(output, options.json, differenceLines(differenceBetween(now, then), options.changes))
  }
  if (!(await confirm(output, options, `Roll ${card} back to ${goal.version}?`)))
    throw new Refusal(`not rolled back: ${card} stays as it is`)
  const done = await rollBackRateCard(db, card, goal.versionNo)
  const withdrawn = done.withdrawn.map(versionText)
  const undone = withdrawn.length === 0 ? 'nothing withdrawn' : `${withdrawn.join(' and ')} withdrawn`
  report(output, options.json, { withdrawn, to: goal.version }, [
    `Rolled ${card} back to ${goal.version}: ${undone}. ${TAKEN_OVER}`,
  ])
}
