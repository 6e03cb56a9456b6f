/**
 * `waybill customs diff`, `publish`, `withdraw`, `discard` and `list`. Publishing and withdrawing show what they change
 * and ask for confirmation.
 */
import type { Command } from 'commander'
import type { Kysely } from 'kysely'
import { isOverdue, nextEditionDue } from '../../core/customs/data/edition.ts'
import type { CustomsRows } from '../../core/customs/data/rows.ts'
import { readCustomsRows, readSetsInUse } from '../../store/customs/customs.ts'
import {
  type CustomsSet,
  discardCustomsSet,
  listCustomsSets,
  readCustomsSet,
  stateText,
  withdrawCustomsSet,
} from '../../store/customs/publication.ts'
import type { Database } from '../../store/database/database.ts'
import { belowCostOption } from '../card/below-cost.ts'
import {
  type Consent,
  confirm,
  confirmedAction,
  count,
  currentDay,
  LISTED_CHANGES,
} from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { Refusal } from '../terminal/errors.ts'
import { APPLIED_SOON, type Output, print, report, table } from '../terminal/output.ts'
import { customsSet, optionOfTable, setName } from './arguments.ts'
import { confirmAndPublish, type LossConsent, REPLACE_ALL } from './publish.ts'
import {
  differenceLines,
  differenceOfSet,
  differenceValue,
  differenceWithoutSet,
  replacedLines,
  restoredLines,
} from './report.ts'

type ReportOptions = LossConsent & { readonly limit: number }

export function setCommands(customs: Command, withDatabase: WithDatabase, output: Output): void {
  customs
    .command('diff')
    .description('show what a data set changes, or would change once it is published')
    .argument('<set>', 'the name of a data set', setName)
    .option('--limit <number>', 'how many changes to list', count, LISTED_CHANGES)
    .option('--json', 'print JSON')
    .action((name: string, options: ReportOptions) =>
      withDatabase(({ db }) => diff(db, name, options, output)),
    )

  const publishCommand = customs
    .command('publish')
    .description(
      'publish a draft or withdrawn set; in its scopes, its rows replace those of the sets below it',
    )
    .argument('<set>', 'the name of a data set', setName)
    .option('--limit <number>', 'how many changes to list', count, LISTED_CHANGES)
    .option(...REPLACE_ALL)
    .addOption(belowCostOption())
  confirmedAction(publishCommand, output, (name: string, options: ReportOptions) =>
    withDatabase(({ db }) => publish(db, name, options, output)),
  )

  const withdrawCommand = customs
    .command('withdraw')
    .description('withdraw a published set: the sets below it apply again')
    .argument('<set>', 'the name of a data set', setName)
    .option('--limit <number>', 'how many changes to list', count, LISTED_CHANGES)
  confirmedAction(withdrawCommand, output, (name: string, options: ReportOptions) =>
    withDatabase(({ db }) => withdraw(db, name, options, output)),
  )

  customs
    .command('discard')
    .description('delete a draft or a withdrawn set')
    .argument('<set>', 'the name of a data set', setName)
    .option('--json', 'print JSON')
    .action(async (name: string, { json }: Consent) => {
      await withDatabase(({ db }) => discardCustomsSet(db, name))
      report(output, json, { set: name, discarded: true }, [`Discarded ${name}.`])
    })

  customs
    .command('list')
    .description('list the data sets, the highest layer first')
    .option('--json', 'print JSON')
    .action(async ({ json }: Consent) => {
      const { sets, used } = await withDatabase(async ({ db }) => ({
        sets: await listCustomsSets(db),
        used: await readSetsInUse(db),
      }))
      const today = currentDay()
      const listed = sets.map((set) => ({
        ...set,
        nextEditionDue: nextEditionDue(set) ?? null,
        isOutdated: used.has(set.name) && isOverdue(set, today),
      }))
      const heading = ['SET', 'STATE', 'LAYER', 'DATE', 'NEXT DUE', 'TABLES', 'TITLE']
      report(output, json, listed, [
        ...table(heading, listed.map(rowOf), ['LAYER']),
        ...listed.filter((set) => set.isOutdated).map(outdatedWarning),
      ])
    })
}

function rowOf(set: CustomsSet & { readonly isOutdated: boolean }): string[] {
  const state = set.shipped ? 'shipped' : set.state
  const tables = set.tables.map(optionOfTable).join(' ')
  const due = nextEditionDue(set) ?? ''
  const dueText = set.isOutdated ? `${due} (overdue)` : due
  return [set.name, state, String(set.layer ?? ''), set.date, dueText, tables, set.title]
}

function outdatedWarning({ name, date, cycleDays }: CustomsSet): string {
  const cycle = cycleDays === 1 ? 'every day' : `every ${cycleDays} days`
  return `warning: ${name} is of ${date}; its publisher releases a new edition ${cycle}`
}

/** The rows with which a set can be compared, as if it had been published last. */
async function readCompared(db: Kysely<Database>, name: string): Promise<CustomsRows> {
  return readCustomsRows(db, { alsoSet: name, inScopesOf: await readCustomsSet(db, name) })
}

async function diff(
  db: Kysely<Database>,
  name: string,
  { limit, json }: ReportOptions,
  output: Output,
): Promise<void> {
  const { state } = await customsSet(db, name)
  const difference = differenceOfSet(await readCompared(db, name), name)
  const value = { set: name, state, difference: differenceValue(difference, limit) }
  const heading = state === 'published' ? 'It replaces:' : 'It will replace:'
  report(output, json, value, [...differenceLines(difference, limit), ...replacedLines(difference, heading)])
}

async function publish(
  db: Kysely<Database>,
  name: string,
  options: ReportOptions,
  output: Output,
): Promise<void> {
  const { state } = await customsSet(db, name)
  if (state === 'published') throw new Refusal(`${name} is already published`)
  const difference = differenceOfSet(await readCompared(db, name), name)
  print(output, options.json, [
    ...differenceLines(difference, options.limit),
    ...replacedLines(difference, 'It will replace:'),
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
  if (shipped) throw new Refusal(`${name} is shipped and cannot be withdrawn: publish a set that replaces it`)
  if (state !== 'published') throw new Refusal(`${name} is ${stateText(state)}, not published`)
  const difference = differenceWithoutSet(await readCompared(db, name), name)
  print(output, options.json, [
    ...differenceLines(difference, options.limit),
    ...restoredLines(difference),
    '',
  ])
  if (!(await confirm(output, options, `Withdraw ${name}?`))) throw new Refusal(`${name} was not withdrawn`)
  await withdrawCustomsSet(db, name)
  const value = { set: name, state: 'withdrawn', difference: differenceValue(difference, options.limit) }
  report(output, options.json, value, [`Withdrew ${name}. ${APPLIED_SOON}`])
}
