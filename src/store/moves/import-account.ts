/**
 * The second step of a move: imports an exported account, which stays closed for writes. See
 * docs/distribution.md#move-an-account.
 */
import { createHash, randomBytes } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Database, OperatorError } from '../database/database.ts'
import {
  allowWrites,
  endArrival,
  FORMAT,
  findMove,
  hasPrices,
  isHere,
  type MovedFile,
  noteChangedPrices,
  schemaName,
  textOf,
} from './account-move.ts'
import {
  clearDerivedRows,
  deleteAccountRows,
  insertAccountRows,
  isAccountTable,
  isDerivedOrLater,
} from './account-rows.ts'
import { assertTriggers, closeWithTriggers, thenDisableTriggers } from './refusal-triggers.ts'

/** Rows of one statement, and about how many characters they may have. */
const BATCH = { rows: 200, characters: 4_000_000 }

/**
 * Imports the lines of an export, in one transaction after one that closes the account. The account stays closed for
 * writes. Returns the same if the file was imported already. Throws OperatorError if the account is here, or the file
 * is not complete or not of this schema. The confirmation names the file and this import of it.
 */
export async function importAccount(
  db: Kysely<Database>,
  lines: AsyncIterable<string>,
  onWait: (reason: string) => void = () => {},
): Promise<MovedFile & { readonly accountId: string; readonly isRepeated: boolean }> {
  const hash = createHash('sha256')
  const hashed = (async function* () {
    for await (const line of lines) {
      hash.update(`${line}\n`)
      yield line
    }
  })()
  const header = readHeader(await hashed.next())
  const { accountId } = header
  await closeWithTriggers(db, onWait, (trx) => beginArrival(trx, header))
  const insert = async (trx: Transaction<Database>) => {
    const known = await findArrival(trx, header)
    if (known === undefined)
      throw new OperatorError(`the import of account ${accountId} was given up meanwhile`)
    const isRepeated = known.digests.length > 0
    if (!isRepeated) await assertTriggers(trx, accountId)
    await allowWrites(trx, accountId)
    // Processes that were paused may have written something after the account had left.
    if (!isRepeated && known.had_left) await deleteAccountRows(trx, accountId)
    const rows = await (isRepeated ? skipRows(hashed) : insertRows(trx, accountId, hashed))
    const digest = hash.digest('hex')
    if (isRepeated && !known.digests.includes(digest))
      throw new OperatorError(`another file of account ${accountId} has been imported; discard it first`)
    if (!isRepeated) {
      await sql`UPDATE account_move SET digests = ARRAY[${digest}] WHERE account_id = ${accountId}`.execute(
        trx,
      )
      if (await hasPrices(trx, accountId)) await noteChangedPrices(trx, accountId, 'imported')
    }
    return { accountId, isRepeated, confirmation: `${digest}.${known.import_id}`, rows }
  }
  return asRefusal(() =>
    db
      .transaction()
      .execute(insert)
      .catch(async (error: unknown) => {
        // If this fails too, the import can be repeated or discarded.
        await giveUpArrival(db, header).catch(() => {})
        throw error
      }),
  )
}

/** If nothing was imported. */
async function giveUpArrival(db: Kysely<Database>, header: Header): Promise<void> {
  await thenDisableTriggers(db, () =>
    db.transaction().execute(async (trx) => {
      const known = await findArrival(trx, header)
      if (known?.digests.length === 0) await endArrival(trx, header.accountId)
    }),
  )
}

async function findArrival(trx: Transaction<Database>, { accountId, moveId }: Header) {
  const known = await findMove(trx, accountId)
  return known?.role === 'arriving' && known.move_id === moveId ? known : undefined
}

type Header = { readonly accountId: string; readonly moveId: string; readonly releaseDigest: string }

function readHeader({ value }: IteratorResult<string>): Header {
  const parsed = parsedOf(value)
  if (parsed['format'] !== FORMAT)
    throw new OperatorError('the file is not an exported account of this version')
  if (parsed['schema'] !== schemaName())
    throw new OperatorError(
      `the file has the schema ${parsed['schema']}, and this cell ${schemaName()}; upgrade both cells to one version`,
    )
  const { accountId, moveId, releaseDigest } = parsed
  return { accountId: String(accountId), moveId: String(moveId), releaseDigest: String(releaseDigest) }
}

/** Returns an object without fields for a text that is not a JSON object. */
function parsedOf(text: unknown): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(String(text)))
  } catch {
    return {}
  }
}

/** Adds the row of the move, with no digest, unless it is here already. */
async function beginArrival(trx: Transaction<Database>, header: Header): Promise<void> {
  const { accountId, moveId, releaseDigest } = header
  if ((await findArrival(trx, header)) !== undefined) return
  const known = await findMove(trx, accountId)
  if (known !== undefined && known.role !== 'left') throw new OperatorError(textOf(accountId, known.role))
  if (known?.move_id === moveId && known.release_code !== null)
    throw new OperatorError(`account ${accountId} has left this cell with this file`)
  const opened = await trx
    .selectFrom('account_arrival')
    .select('move_id')
    .where('move_id', '=', moveId)
    .executeTakeFirst()
  if (opened !== undefined)
    throw new OperatorError(`this export of account ${accountId} was imported and opened here before`)
  if (await isHere(trx, accountId))
    throw new OperatorError(`the file does not fit this cell: account ${accountId} is here already`)
  await trx.deleteFrom('account_move').where('account_id', '=', accountId).execute()
  await trx
    .insertInto('account_move')
    .values({
      account_id: accountId,
      move_id: moveId,
      role: 'arriving',
      release_digest: releaseDigest,
      import_id: randomBytes(8).toString('hex'),
      had_left: known !== undefined,
    })
    .execute()
}

/** Throws OperatorError unless the last line confirms the number of rows. */
async function insertRows(
  trx: Transaction<Database>,
  accountId: string,
  lines: AsyncIterable<string>,
): Promise<number> {
  let [batch, table, characters, count]: [string[], string, number, number] = [[], '', 0, 0]
  let [isCleared, last] = [false, '']
  const flush = async () => {
    if (batch.length === 0) return
    if (isDerivedOrLater(table) && !isCleared) {
      await clearDerivedRows(trx, accountId)
      isCleared = true
    }
    const inserted = await insertAccountRows(trx, accountId, table, batch)
    if (inserted !== batch.length)
      throw new Error(`${inserted} of ${batch.length} rows of ${table} were inserted`)
    count += batch.length
    batch = []
    characters = 0
  }
  for await (const line of lines) {
    last = line
    if (line.startsWith('{')) continue
    const space = line.indexOf(' ')
    const name = line.slice(0, Math.max(space, 0))
    if (!isAccountTable(name))
      throw new OperatorError('the file has a row of a table that this version does not have')
    if (name !== table || batch.length >= BATCH.rows || characters > BATCH.characters) await flush()
    table = name
    batch.push(line.slice(space + 1))
    characters += line.length
  }
  await flush()
  if (!isCleared) await clearDerivedRows(trx, accountId)
  if (parsedOf(last)['rows'] !== count)
    throw new OperatorError('the file is not complete; export the account again')
  return count
}

async function skipRows(lines: AsyncIterable<string>): Promise<number> {
  let last = ''
  for await (const line of lines) last = line
  return Number(parsedOf(last)['rows'])
}

/** What the target lacks, such as a carrier, and what it has already, such as a key. */
async function asRefusal<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { code, detail } = error as { code?: unknown; detail?: unknown }
    if (code === '23503' || code === '23505')
      throw new OperatorError(`the file does not fit this cell: ${detail}`, { cause: error })
    throw error
  }
}
