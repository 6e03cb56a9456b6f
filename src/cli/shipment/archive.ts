/**
 * `waybill archive`: writes ended shipments, and booked ones that cannot be cancelled any more, with everything that
 * belongs to them to files, and deletes them from the database. See docs/growth.md#archive.
 */
import { randomBytes } from 'node:crypto'
import { type Command, InvalidArgumentError } from 'commander'
import { isDay } from '../../core/input.ts'
import {
  type ArchivePlace,
  type ArchiveSelection,
  archiveBatch,
  countArchivable,
  YOUNGEST_DAYS,
} from '../../store/shipments/archive.ts'
import { openArchiveFolder, writeArchiveFile } from '../terminal/archive-file.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { UsageError } from '../terminal/errors.ts'
import { announce, counted, type Output, report } from '../terminal/output.ts'

const DAY_MS = 86_400_000

type ArchiveOptions = {
  readonly before?: Date
  readonly bookedBefore?: Date
  readonly out?: string
  readonly dryRun?: boolean
  readonly json?: boolean
}

/** Turns `command` into `waybill archive`. */
export function archiveCommand(command: Command, withDatabase: WithDatabase, output: Output): void {
  command
    .description('write ended shipments to files, and delete them from the database')
    .option(
      '--before <days or day>',
      'ended ones that have not changed for so many days, or since a day such as 2026-01-31',
      ageOrDay('ended'),
    )
    .option(
      '--booked-before <days or day>',
      'booked ones that have not changed for so long; they cannot be cancelled any more',
      ageOrDay('booked'),
    )
    .option('--out <folder>', 'the folder for the files; created if needed')
    .option('--dry-run', 'count the shipments, and write and delete nothing')
    .option('--json', 'print JSON')
    .action(async (options: ArchiveOptions) => {
      if (options.before === undefined && options.bookedBefore === undefined)
        throw new UsageError('name --before, --booked-before or both')
      if (options.dryRun === true) await count(options, withDatabase, output)
      else await archive(options, withDatabase, output)
    })
}

function selectionsOf({ before, bookedBefore }: ArchiveOptions): readonly ArchiveSelection[] {
  return [
    ...(before === undefined ? [] : [{ state: 'ended', before } as const]),
    ...(bookedBefore === undefined ? [] : [{ state: 'booked', before: bookedBefore } as const]),
  ]
}

/** How many shipments of each selection. */
type Counts = Record<ArchiveSelection['state'], number>

function resultOf({ before, bookedBefore, dryRun = false }: ArchiveOptions, { ended, booked }: Counts) {
  return {
    dryRun,
    ...(before !== undefined && { before: before.toISOString() }),
    ...(bookedBefore !== undefined && { bookedBefore: bookedBefore.toISOString(), booked }),
    shipments: ended + booked,
  }
}

function bookedPart({ bookedBefore }: ArchiveOptions, { booked }: Counts): string {
  return bookedBefore === undefined ? '' : ` (${booked} booked)`
}

async function count(options: ArchiveOptions, withDatabase: WithDatabase, output: Output) {
  announce(output, options.json, 'Counting')
  const counts: Counts = { ended: 0, booked: 0 }
  await withDatabase(async ({ db }) => {
    for (const selection of selectionsOf(options))
      counts[selection.state] = await countArchivable(db, selection)
  })
  const result = resultOf(options, counts)
  report(output, options.json, result, [
    `Dry run: ${counted(result.shipments, 'shipment')}${bookedPart(options, counts)} would be archived.`,
  ])
}

async function archive(options: ArchiveOptions, withDatabase: WithDatabase, output: Output): Promise<void> {
  const { out, json } = options
  if (out === undefined) throw new UsageError('--out <folder> is missing; or count with --dry-run')
  await openArchiveFolder(out)
  announce(output, json, `Archiving to ${out}`)
  const run = `${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}-${randomBytes(4).toString('hex')}`
  const files: string[] = []
  const counts: Counts = { ended: 0, booked: 0 }
  await withDatabase(async ({ db }) => {
    for (const selection of selectionsOf(options)) {
      let after: ArchivePlace | undefined
      do {
        const name = `shipments-${run}-${String(files.length + 1).padStart(6, '0')}.jsonl.gz`
        const { archived, next } = await archiveBatch(db, selection, after, (chunks) =>
          writeArchiveFile(out, name, chunks),
        )
        if (archived > 0) files.push(name)
        counts[selection.state] += archived
        after = next
      } while (after !== undefined)
    }
  })
  const result = resultOf(options, counts)
  report(output, json, { ...result, files }, [
    result.shipments === 0
      ? 'No shipment was archived.'
      : `Archived ${counted(result.shipments, 'shipment')}${bookedPart(options, counts)} in ${counted(files.length, 'file')}.`,
  ])
}

/** "400" (days before now) or "2026-01-31" (the beginning of the day in UTC). */
function ageOrDay(state: ArchiveSelection['state']): (text: string) => Date {
  const days = YOUNGEST_DAYS[state]
  return (text) => {
    const before = /^\d{1,5}$/.test(text)
      ? new Date(Date.now() - Number(text) * DAY_MS)
      : isDay(text)
        ? new Date(text)
        : undefined
    if (before === undefined)
      throw new InvalidArgumentError('Expected a number of days such as 400, or a day such as 2026-01-31.')
    // A minute for a clock that is behind, so that the least number of days is accepted.
    if (before.getTime() > Date.now() - days * DAY_MS + 60_000)
      throw new InvalidArgumentError(`It must be at least ${days} days ago.`)
    return before
  }
}
