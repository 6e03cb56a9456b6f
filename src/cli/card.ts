/** `waybill card …`: the rate cards that rates are quoted from. A running service reads them when it starts. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Command, InvalidArgumentError } from 'commander'
import { compileRateBook } from '../core/rating/rate-book.ts'
import { type RateCardFolder, readRateCardFolder } from '../reference/rate-card-csv.ts'
import { listRateCards, publishRateCard } from '../store/rate-book.ts'
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
    .requiredOption('--code <code>', 'the code of the card: 1 to 40 of a-z, 0-9 and -', cardCode)
    .requiredOption('--name <name>', 'the name of the card', nonEmpty)
    .requiredOption('--valid-from <day>', 'the first day it prices, such as 2026-12-01', day)
    .option('--json', 'print JSON')
    .action(async (folder: string, { code, name, validFrom, json }: PublishOptions) => {
      const content = checkedFolder(folder)
      const version = await withDatabase(({ db }) =>
        publishRateCard(db, { code, name, validFrom, folder: content }),
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

/** Reads and compiles a folder, so that a card that cannot be priced with is refused before it is written. */
function checkedFolder(folder: string): RateCardFolder {
  try {
    const content = readRateCardFolder(pathToFileURL(`${resolve(folder)}/`))
    const { card, carriers, fuel, capitals } = content
    compileRateBook({ carriers, cards: [{ ...card, version: 'unpublished' }], fuel, capitals })
    return content
  } catch (error) {
    throw new Refusal(error instanceof Error ? error.message : String(error))
  }
}

function cardCode(text: string): string {
  if (!/^[a-z0-9-]{1,40}$/.test(text))
    throw new InvalidArgumentError('1 to 40 of a-z, 0-9 and - are allowed.')
  return text
}

/** A text with something in it, for options that must not be empty. */
export function nonEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.')
  return text.trim()
}

function day(text: string): string {
  const milliseconds = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(milliseconds) || new Date(milliseconds).toISOString().slice(0, 10) !== text)
    throw new InvalidArgumentError('A day such as 2026-12-01 is expected.')
  return text
}
