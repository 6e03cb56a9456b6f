/** `waybill card …`: the rate cards that rates are quoted from. A running service reads them when it starts. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Command } from 'commander'
import { readRateCardFolder } from '../reference/rate-card-csv.ts'
import { listRateCards, publishRateCard } from '../store/rate-book.ts'
import { code, day, nonEmpty } from './arguments.ts'
import type { WithDatabase } from './database.ts'
import { type Output, Refusal, report, table } from './output.ts'

type PublishOptions = {
  readonly code: string
  readonly name: string
  readonly validFrom: string
  readonly json?: boolean
}

/** Adds the commands `publish` and `list`. */
export function cardCommands(card: Command, withDatabase: WithDatabase, output: Output): void {
  card
    .command('publish')
    .description('publish a folder of CSV files as the next version of a rate card')
    .argument('<folder>', 'in the import format that src/reference/README.md describes')
    .requiredOption('--code <code>', 'the code of the card: 1 to 40 of a-z, 0-9 and -', code)
    .requiredOption('--name <name>', 'the name of the card', nonEmpty)
    .requiredOption('--valid-from <day>', 'the first day it prices, such as 2026-12-01', day)
    .option('--json', 'print JSON')
    .action(async (folder: string, { json, ...card }: PublishOptions) => {
      const content = await refuseFaults(() => readRateCardFolder(pathToFileURL(`${resolve(folder)}/`)))
      const version = await withDatabase(({ db }) =>
        refuseFaults(() => publishRateCard(db, { ...card, folder: content })),
      )
      report(output, json, { version }, [
        `Published ${version}. A running service reads it when it restarts.`,
      ])
    })

  card
    .command('list')
    .description('list the versions of all rate cards')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const versions = await withDatabase(({ db }) => listRateCards(db))
      const rows = versions.map((row) => [
        row.version,
        row.name,
        row.status,
        row.validFrom,
        row.validTo ?? '',
      ])
      report(output, json, versions, table(['VERSION', 'NAME', 'STATUS', 'VALID FROM', 'VALID TO'], rows))
    })
}

/** What is wrong with a folder or with the book it would make is for the operator to mend. */
async function refuseFaults<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw new Refusal(error instanceof Error ? error.message : String(error))
  }
}
