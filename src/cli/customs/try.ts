/**
 * `waybill customs try`: prices requests without and with a data set, to see what the set changes before it is
 * published. The requests are kept estimates, or those of a file. See docs/customs-data.md#try-a-set.
 */
import path from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import type { Kysely } from 'kysely'
import { compiledClassifier } from '../../classifiers/classifiers.ts'
import type { CompiledCustoms } from '../../core/customs/compiled-customs.ts'
import {
  summarizeTrial,
  type Trial,
  type TriedRequest,
  triedRequest,
} from '../../core/customs/data-review/trial.ts'
import { estimateRequest } from '../../core/customs/estimate/estimate.ts'
import { laneOf } from '../../core/customs/kept-estimate.ts'
import { formatCents } from '../../core/money.ts'
import { type FindCodes, findItemCodes, findWith } from '../../operations/estimate-duties.ts'
import { MAX_REQUESTS, type NamedRequest, readEstimateRequests } from '../../reference/estimate-requests.ts'
import { readImportFile } from '../../reference/import/import-limits.ts'
import { loadLexicon } from '../../reference/lexicon-reader/lexicon.ts'
import { loadTrialCustoms } from '../../store/customs/customs.ts'
import { type Database, OperatorError } from '../../store/database/database.ts'
import { newestEstimates } from '../../store/estimates/estimates.ts'
import { count, currentDay, day, LISTED_CHANGES, plainText } from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import {
  ImportFaults,
  Refusal,
  refuseOnError,
  reportFaults,
  UsageError,
  warningLines,
} from '../terminal/errors.ts'
import { announce, counted, type Output, report, table } from '../terminal/output.ts'
import { customsSet, setName } from './arguments.ts'

type TryOptions = {
  readonly requests?: string
  readonly account?: string
  readonly newest: number
  readonly asOf?: string
  readonly limit: number
  readonly json?: boolean
}

const NEWEST = 1_000

export function tryCommand(customs: Command, withDatabase: WithDatabase, output: Output): void {
  customs
    .command('try')
    .description('price requests without and with a data set, before it is published')
    .argument('<set>', 'the name of a data set', setName)
    .option('--requests <file>', 'a CSV or JSON file of requests; by default, the newest kept estimates')
    .option('--account <id>', 'only kept estimates of this account', plainText)
    .option('--newest <number>', `how many kept estimates, up to ${MAX_REQUESTS}`, newest, NEWEST)
    .option('--as-of <day>', 'the day whose rules apply; by default that of the request, or today', day)
    .option('--limit <number>', 'how many changes to list', count, LISTED_CHANGES)
    .option('--json', 'print JSON')
    .action((name: string, options: TryOptions) =>
      reportFaults(
        output,
        options.json,
        () => withDatabase(({ db }) => trySet(db, name, options, output)),
        '; nothing was priced',
        'the file has',
      ),
    )
}

function newest(text: string): number {
  const number = count(text)
  if (number < 1 || number > MAX_REQUESTS)
    throw new InvalidArgumentError(`Expected a number from 1 to ${MAX_REQUESTS}.`)
  return number
}

async function trySet(
  db: Kysely<Database>,
  name: string,
  options: TryOptions,
  output: Output,
): Promise<void> {
  const { shipped, state } = await customsSet(db, name)
  if (shipped) throw new Refusal(`${name} is shipped: its rows are part of every estimate`)
  const requests = await requestsOf(db, options, output)
  announce(output, options.json, `Pricing ${counted(requests.length, 'request')}`)
  const tables = await loadTrial(db, name)
  const tried: TriedRequest[] = []
  const find = openFinder()
  for (const named of requests) tried.push(await priceTwice(named, tables, find, options.asOf))
  const trial = summarizeTrial(tried)
  const { changes, ...counts } = trial
  const listed = { total: changes.length, listed: changes.slice(0, options.limit) }
  report(
    output,
    options.json,
    { set: name, state, ...counts, changes: listed },
    linesOf(name, trial, options.limit),
  )
}

async function loadTrial(db: Kysely<Database>, name: string): ReturnType<typeof loadTrialCustoms> {
  try {
    return await loadTrialCustoms(db, name)
  } catch (error) {
    if (error instanceof OperatorError) throw new Refusal(error.message)
    throw error
  }
}

async function requestsOf(
  db: Kysely<Database>,
  { requests: file, account, newest: number, json }: TryOptions,
  output: Output,
): Promise<readonly NamedRequest[]> {
  if (file === undefined) {
    const kept = await newestEstimates(db, number, account)
    if (kept.length === 0) throw new Refusal('there are no kept estimates: name a file with --requests')
    return kept.map(({ estimateId, request }) => ({ name: estimateId, request }))
  }
  if (account !== undefined) throw new UsageError('--account is about kept estimates: leave out --requests')
  const bytes = refuseOnError(() => readImportFile(file))
  const { requests, faults, warnings } = readEstimateRequests(path.basename(file), bytes)
  if (faults.length > 0) throw new ImportFaults(faults, warnings)
  if (json !== true) for (const line of warningLines(warnings)) output.error(line)
  if (requests.length === 0) throw new Refusal(`${file} has no requests`)
  return requests
}

/** Classifies descriptions. Loads the lexicon when the first item without a code needs it. */
function openFinder(): FindCodes {
  let find: FindCodes | undefined
  return (descriptions) => {
    find ??= findWith(compiledClassifier(loadLexicon()))
    return find(descriptions)
  }
}

async function priceTwice(
  { name, request }: NamedRequest,
  { before, after }: Readonly<Record<'before' | 'after', CompiledCustoms>>,
  find: FindCodes,
  asOf: string | undefined,
): Promise<TriedRequest> {
  const date = asOf ?? request.date ?? currentDay()
  const codes = await findItemCodes(request.items, find, undefined)
  return triedRequest(
    { request: name, lane: laneOf(request) },
    estimateRequest(before, request, codes, date),
    estimateRequest(after, request, codes, date),
  )
}

const FIGURES = ['OLD TOTAL', 'NEW TOTAL', 'DIFFERENCE']

function linesOf(name: string, trial: Trial, limit: number): readonly string[] {
  const { requests, changed, unchanged, incomplete, newlyIncomplete, changes } = trial
  const cells = ({ oldTotalCents, newTotalCents, differenceCents }: Trial | TriedRequest): string[] =>
    [oldTotalCents, newTotalCents, differenceCents].map(formatCents)
  const more = changes.length - limit
  return [
    `Priced ${counted(requests, 'request')} without and with ${name}. Amounts are in euro.`,
    `${changed} changed, ${unchanged} unchanged; ${incomplete} incomplete with ${name}, ${newlyIncomplete} of them only with it.`,
    '',
    ...table(
      ['REQUEST', 'LANE', ...FIGURES, 'COMPLETE'],
      [
        ...changes
          .slice(0, limit)
          .map((one) => [one.request, one.lane, ...cells(one), completenessText(one)]),
        ['all', '', ...cells(trial), ''],
      ],
      FIGURES,
    ),
    ...(more > 0 ? [`… and ${more} more (--limit ${changes.length} lists all)`] : []),
  ]
}

function completenessText({ wasComplete, isComplete }: TriedRequest): string {
  const word = (complete: boolean): string => (complete ? 'yes' : 'no')
  return wasComplete === isComplete ? word(isComplete) : `${word(wasComplete)} -> ${word(isComplete)}`
}
