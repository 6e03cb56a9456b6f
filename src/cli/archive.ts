/**
 * `waybill archive`: writes ended shipments with everything that belongs to them to files, and deletes them from the
 * database. See docs/growth.md#archive.
 */
import { randomBytes } from 'node:crypto'
import { type Command, InvalidArgumentError } from 'commander'
import { isDay } from '../core/input.ts'
import {
  type ArchivePlace,
  archiveBatch,
  countArchivable,
  YOUNGEST_DAYS,
} from '../store/shipments/archive.ts'
import { openArchiveFolder, writeArchiveFile } from './terminal/archive-file.ts'
import type { WithDatabase } from './terminal/database.ts'
import { UsageError } from './terminal/errors.ts'
import { announce, counted, type Output, report } from './terminal/output.ts'

const DAY_MS = 86_400_000

type ArchiveOptions = {
  readonly before: Date
  readonly out?: string
  readonly dryRun?: boolean
  readonly json?: boolean
}

/** Turns `command` into `waybill archive`. */
export function archiveCommand(command: Command, withDatabase: WithDatabase, output: Output): void {
  command
    .description('write ended shipments to files, and delete them from the database')
    .requiredOption(
      '--before <days or day>',
      'those that have not changed for so many days, or since a day such as 2026-01-31',
      ageOrDay,
    )
    .option('--out <folder>', 'the folder for the files; created if needed')
    .option('--dry-run', 'count the shipments, and write and delete nothing')
    .option('--json', 'print JSON')
    .action(async (options: ArchiveOptions) => {
      if (options.dryRun === true) await count(options, withDatabase, output)
      else await archive(options, withDatabase, output)
    })
}

async function count({ before, json }: ArchiveOptions, withDatabase: WithDatabase, output: Output) {
  announce(output, json, 'Counting')
  const shipments = await withDatabase(({ db }) => countArchivable(db, before))
  report(output, json, { dryRun: true, before: before.toISOString(), shipments }, [
    `Dry run: ${counted(shipments, 'shipment')} would be archived.`,
  ])
}

async function archive(
  { before, out, json }: ArchiveOptions,
  withDatabase: WithDatabase,
  output: Output,
): Promise<void> {
  if (out === undefined) throw new UsageError('--out <folder> is missing; or count with --dry-run')
  await openArchiveFolder(out)
  announce(output, json, `Archiving to ${out}`)
  const run = `${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}-${randomBytes(4).toString('hex')}`
  const files: string[] = []
  const shipments = await withDatabase(async ({ db }) => {
    let sum = 0
    let after: ArchivePlace | undefined
    do {
      const name = `shipments-${run}-${String(files.length + 1).padStart(6, '0')}.jsonl.gz`
      const { archived, next } = await archiveBatch(db, before, after, (chunks) =>
        writeArchiveFile(out, name, chunks),
      )
      if (archived > 0) files.push(name)
      sum += archived
      after = next
    } while (after !== undefined)
    return sum
  })
  report(output, json, { dryRun: false, before: before.toISOString(), shipments, files }, [
    shipments === 0
      ? 'No shipment was archived.'
      : `Archived ${counted(shipments, 'shipment')} in ${counted(files.length, 'file')}.`,
  ])
}

/** "400" (days before now) or "2026-01-31" (the beginning of the day in UTC). */
function ageOrDay(text: string): Date {
  const before = /^\d{1,5}$/.test(text)
    ? new Date(Date.now() - Number(text) * DAY_MS)
    : isDay(text)
      ? new Date(text)
      : undefined
  if (before === undefined)
    throw new InvalidArgumentError('Expected a number of days such as 400, or a day such as 2026-01-31.')
  // A minute for a clock that is behind, so that 30 days are accepted.
  if (before.getTime() > Date.now() - YOUNGEST_DAYS * DAY_MS + 60_000)
    throw new InvalidArgumentError(`It must be at least ${YOUNGEST_DAYS} days ago.`)
  return before
}
