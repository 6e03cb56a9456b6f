/**
 * `waybill customs diff`, `publish`, `withdraw`, `discard`, `list`: data sets and where they stand. Each change is
 * shown before it is asked for: what decides now, and what will.
 */
import type { Command } from 'commander'
import type { Kysely } from 'kysely'
import { readCustomsRows } from '../../store/customs/customs.ts'
import {
  type CustomsSet,
  discardCustomsSet,
  listCustomsSets,
  stateText,
  withdrawCustomsSet,
} from '../../store/customs/publication.ts'
import type { Database } from '../../store/database/database.ts'
import { count, LISTED_CHANGES } from '../terminal/arguments.ts'
import { type Consent, confirm, confirmedAction } from '../terminal/confirmation.ts'
import { Refusal } from '../terminal/errors.ts'
import { APPLIED_SOON, type Output, print, report, table } from '../terminal/output.ts'
import { customsSet, setName, type WithCustoms, wordOfTable } from './arguments.ts'
import { confirmAndPublish, type LossConsent, REPLACE_ALL } from './publish.ts'
import {
  differenceLines,
  differenceOfSet,
  differenceValue,
  differenceWithoutSet,
  takenOverLines,
} from './report.ts'

type ReportOptions = LossConsent & { readonly limit: number }

/** Adds the commands. */
export function setCommands(customs: Command, withCustoms: WithCustoms, output: Output): void {
  customs
    .command('diff')
    .description('show what a data set changes, or would change once it is published')
    .argument('<set>', 'the name of a data set', setName)
    .option('--limit <number>', 'how many changes to list', count, LISTED_CHANGES)
    .option('--json', 'print JSON')
    .action((name: string, options: ReportOptions) =>
      withCustoms(({ db }) => diff(db, name, options, output)),
    )

  const publishCommand = customs
    .command('publish')
    .description(
      'publish a draft or a withdrawn set: tables present in the set replace the shipped ones, scope by scope',
    )
    .argument('<set>', 'the name of a data set', setName)
    .option('--limit <number>', 'how many changes to list', count, LISTED_CHANGES)
    .option(...REPLACE_ALL)
  confirmedAction(publishCommand, output, (name: string, options: ReportOptions) =>
    withCustoms(({ db }) => publish(db, name, options, output)),
  )

  const withdrawCommand = customs
    .command('withdraw')
    .description('withdraw a published set: the sets below it apply again')
    .argument('<set>', 'the name of a data set', setName)
    .option('--limit <number>', 'how many changes to list', count, LISTED_CHANGES)
  confirmedAction(withdrawCommand, output, (name: string, options: ReportOptions) =>
    withCustoms(({ db }) => withdraw(db, name, options, output)),
  )

  customs
    .command('discard')
    .description('delete a draft or a withdrawn set')
    .argument('<set>', 'the name of a data set', setName)
    .option('--json', 'print JSON')
    .action(async (name: string, { json }: Consent) => {
      await withCustoms(({ db }) => discardCustomsSet(db, name))
      report(output, json, { set: name, discarded: true }, [`Discarded ${name}.`])
    })

  customs
    .command('list')
    .description('list the data sets, the one that decides first on top')
    .option('--json', 'print JSON')
    .action(async ({ json }: Consent) => {
      const sets = await withCustoms(({ db }) => listCustomsSets(db))
      const heading = ['SET', 'STATE', 'LAYER', 'OF', 'TABLES', 'TITLE']
      report(output, json, sets, table(heading, sets.map(rowOf), ['LAYER']))
    })
}

function rowOf(set: CustomsSet): string[] {
  const state = set.shipped ? 'shipped' : set.state
  const tables = set.tables.map(wordOfTable).join(' ')
  return [set.name, state, String(set.layer ?? ''), set.date, tables, set.title]
}

async function diff(
  db: Kysely<Database>,
  name: string,
  { limit, json }: ReportOptions,
  output: Output,
): Promise<void> {
  const { state } = await customsSet(db, name)
  const difference = differenceOfSet(await readCustomsRows(db, name), name)
  const value = { set: name, state, difference: differenceValue(difference, limit) }
  const what = state === 'published' ? 'takes over' : 'will take over'
  report(output, json, value, [...differenceLines(difference, limit), ...takenOverLines(difference, what)])
}

async function publish(
  db: Kysely<Database>,
  name: string,
  options: ReportOptions,
  output: Output,
): Promise<void> {
  const { state } = await customsSet(db, name)
  if (state === 'published') throw new Refusal(`${name} is published already`)
  const difference = differenceOfSet(await readCustomsRows(db, name), name)
  print(output, options.json, [
    ...differenceLines(difference, options.limit),
    ...takenOverLines(difference, 'will take over'),
    '',
  ])
  await confirmAndPublish(db, name, difference.losses, options, output)
  if (options.json !== true) return
  const value = { set: name, state: 'published', difference: differenceValue(difference, options.limit) }
  output.line(JSON.stringify(value))
}

async function withdraw(
  db: Kysely<Database>,
  name: string,
  options: ReportOptions,
  output: Output,
): Promise<void> {
  const { state, shipped } = await customsSet(db, name)
  if (shipped) throw new Refusal(`${name} is shipped: a set above it decides in its place`)
  if (state !== 'published') throw new Refusal(`${name} is ${stateText(state)}, not published`)
  const difference = differenceWithoutSet(await readCustomsRows(db), name)
  print(output, options.json, [
    ...differenceLines(difference, options.limit),
    ...takenOverLines(difference, 'gives back'),
    '',
  ])
  if (!(await confirm(output, options, `Withdraw ${name}?`)))
    throw new Refusal(`not withdrawn: ${name} stays published`)
  await withdrawCustomsSet(db, name)
  const value = { set: name, state: 'withdrawn', difference: differenceValue(difference, options.limit) }
  report(output, options.json, value, [`Withdrew ${name}. ${APPLIED_SOON}`])
}
