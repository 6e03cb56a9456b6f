/**
 * Moves an account to another cell, in steps that can be repeated: the source is closed for writes and exported, the
 * target imports and stays closed, the source deletes what the target has confirmed, and what it prints then opens the
 * target. At most one of both accepts writes at any time. See docs/distribution.md#move-an-account.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Database, inSnapshot, OperatorError } from '../database/database.ts'
import { changeRevisioned, RATE_BOOK } from '../database/revision.ts'
import { numberEvents } from '../events/event-log.ts'
import { MIGRATIONS } from '../migrations/index.ts'
import { applyAllUnmatchedScans } from '../shipments/tracking.ts'
import {
  clearDerivedRows,
  deleteAccountRows,
  insertAccountRows,
  isAccountTable,
  isDerivedOrLater,
  readAccountRows,
} from './account-rows.ts'
import { assertTriggers, closeWithTriggers, thenDisableTriggers } from './refusal-triggers.ts'

const FORMAT = 1
const POLL_MS = 250
/** Rows of one statement, and about how many characters they may have. */
const BATCH = { rows: 200, characters: 4_000_000 }

export type AccountMove = {
  readonly accountId: string
  readonly role: 'leaving' | 'left' | 'arriving'
  /** ISO 8601 in UTC. */
  readonly since: string
}

/** Ordered by account. */
export async function listMoves(db: Kysely<Database>): Promise<readonly AccountMove[]> {
  const rows = await db.selectFrom('account_move').selectAll().orderBy('account_id').execute()
  return rows.map((row) => ({ accountId: row.account_id, role: row.role, since: row.begun_at.toISOString() }))
}

/** What an export has written, or an import has read. */
export type MovedFile = {
  /** SHA-256 of the lines, in hexadecimal. */
  readonly confirmation: string
  readonly rows: number
}

/**
 * Closes the account for writes, waits until nothing is in progress, and passes its lines to `write`, which returns
 * when they are durable. Can be repeated until the account has left; then throws OperatorError. `onWait` is called at
 * most once for each reason.
 */
export async function exportAccount(
  db: Kysely<Database>,
  accountId: string,
  write: (chunks: AsyncIterable<readonly string[]>) => Promise<void>,
  onWait: (reason: string) => void,
): Promise<MovedFile> {
  const move = await closeAccount(db, accountId, onWait)
  await waitUntilQuiet(db, accountId, onWait)
  const hash = createHash('sha256')
  let [confirmation, rows] = ['', 0]
  const lines = async function* (trx: Transaction<Database>): AsyncGenerator<readonly string[]> {
    const hashed = (chunk: readonly string[]): readonly string[] => {
      for (const line of chunk) hash.update(`${line}\n`)
      return chunk
    }
    const { move_id: moveId, release_digest: releaseDigest } = move
    yield hashed([JSON.stringify({ format: FORMAT, schema: schemaName(), accountId, moveId, releaseDigest })])
    for await (const chunk of readAccountRows(trx, accountId)) {
      rows += chunk.rows.length
      yield hashed(chunk.rows.map((row) => `${chunk.table} ${row}`))
    }
    yield hashed([JSON.stringify({ rows })])
    confirmation = hash.digest('hex')
    // Before `write` returns, so that the confirmation of every complete file is known, and in another transaction, so
    // that it is known that the account was closed until now.
    const { numAffectedRows } =
      await sql`UPDATE account_move SET digests = array_append(digests, ${confirmation})
      WHERE account_id = ${accountId} AND move_id = ${move.move_id} AND role = 'leaving'`.execute(db)
    if (numAffectedRows !== 1n)
      throw new OperatorError(
        `account ${accountId} has been opened or has left meanwhile; do not use the file`,
      )
  }
  await inSnapshot(db, (trx) => write(lines(trx)))
  return { confirmation, rows }
}

/** The migrations decide which columns the rows have. */
function schemaName(): string {
  return Object.keys(MIGRATIONS).at(-1) ?? ''
}

async function closeAccount(db: Kysely<Database>, accountId: string, onWait: (reason: string) => void) {
  return closeWithTriggers(db, onWait, async (trx, wereEnabled) => {
    const known = await findMove(trx, accountId)
    if (known?.role === 'leaving') {
      // Written meanwhile, so former files lack something.
      if (!wereEnabled)
        await trx
          .updateTable('account_move')
          .set({ digests: [] })
          .where('account_id', '=', accountId)
          .execute()
      return known
    }
    if (known !== undefined) throw new OperatorError(textOf(accountId, known.role))
    if (!(await isHere(trx, accountId))) throw new OperatorError(`there is no account ${accountId}`)
    const releaseCode = randomBytes(16).toString('hex')
    return trx
      .insertInto('account_move')
      .values({
        account_id: accountId,
        move_id: randomUUID(),
        role: 'leaving',
        release_code: releaseCode,
        release_digest: sha256(releaseCode),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

/** Waits for calls to carriers and webhooks that may still be running, and until all events have numbers. */
async function waitUntilQuiet(
  db: Kysely<Database>,
  accountId: string,
  onWait: (reason: string) => void,
): Promise<void> {
  const told = new Set<string>()
  for (;;) {
    await numberEvents(db)
    const reasons = await readReasons(db, accountId)
    if (reasons.length === 0) return
    for (const reason of reasons.filter((reason) => !told.has(reason))) {
      told.add(reason)
      onWait(reason)
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

async function readReasons(db: Kysely<Database>, accountId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ reason: string }>`
    SELECT 'cancellations that are being sent' AS reason WHERE EXISTS (SELECT 1 FROM cancel_attempt
      WHERE account_id = ${accountId} AND phase = 'pending' AND lease_owner IS NOT NULL
        AND lease_until > clock_timestamp())
    UNION ALL SELECT 'bookings that are being sent' WHERE EXISTS (SELECT 1 FROM shipment
      WHERE account_id = ${accountId} AND booking_until > clock_timestamp())
    UNION ALL SELECT 'webhooks that are being sent' WHERE EXISTS (SELECT 1 FROM webhook_endpoint
      WHERE account_id = ${accountId} AND lease_until > clock_timestamp())
    UNION ALL SELECT 'events without a number' WHERE EXISTS (SELECT 1 FROM account_event
      WHERE account_id = ${accountId} AND sequence IS NULL)`.execute(db)
  return rows.map(({ reason }) => reason)
}

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

/** The account had left before, or was never here. */
async function endArrival(trx: Transaction<Database>, accountId: string): Promise<void> {
  await sql`UPDATE account_move SET role = 'left', digests = '{}', had_left = false
    WHERE account_id = ${accountId} AND had_left`.execute(trx)
  await trx
    .deleteFrom('account_move')
    .where('account_id', '=', accountId)
    .where('role', '=', 'arriving')
    .execute()
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

/** Empty if the text is not a JSON object. */
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

/**
 * Deletes the account from its former cell, and returns the code that opens it in the other one. From the first step on
 * it cannot stay here. Its keys are removed first, and its rows after `pause`, when no process knows the keys any more:
 * a caller must not be answered that the shipments do not exist. Can be repeated. Throws OperatorError if the
 * confirmation is not that of an export, or the account has left for another import. The confirmation of an export
 * itself names no import: the code then opens none.
 */
export async function leaveAccount(
  db: Kysely<Database>,
  accountId: string,
  confirmation: string,
  pause: () => Promise<unknown>,
): Promise<string> {
  return thenDisableTriggers(db, () => leave(db, accountId, confirmation, pause))
}

async function leave(
  db: Kysely<Database>,
  accountId: string,
  confirmation: string,
  pause: () => Promise<unknown>,
): Promise<string> {
  const [digest = '', importId = ''] = confirmation.split('.')
  const { release_code: code, ...move } = await db.transaction().execute(async (trx) => {
    const known = await findMove(trx, accountId)
    if (known === undefined || known.role === 'arriving' || known.release_code === null)
      throw new OperatorError(`account ${accountId} has not been exported here`)
    if (!known.digests.includes(digest))
      throw new OperatorError(`the confirmation is not that of an export of account ${accountId}`)
    if ((known.import_id ?? importId) !== importId)
      throw new OperatorError(`account ${accountId} has left for another import of the file`)
    if (known.role === 'leaving') await assertTriggers(trx, accountId)
    await sql`UPDATE account_move SET role = 'left', import_id = ${importId} WHERE account_id = ${accountId}`.execute(
      trx,
    )
    await allowWrites(trx, accountId)
    await deleteAccountRows(trx, accountId, ['api_secret', 'api_key'])
    return { ...known, release_code: known.release_code }
  })
  await pause()
  await db.transaction().execute(async (trx) => {
    const known = await findMove(trx, accountId)
    if (known?.role !== 'left' || known.move_id !== move.move_id)
      throw new OperatorError(`account ${accountId} has come back meanwhile`)
    await deleteAccount(trx, accountId)
  })
  return `${code}.${importId}`
}

/**
 * Opens an imported account for writes. Throws OperatorError if the code is not that of its former cell. Does nothing
 * if the account is open.
 */
export async function openAccount(db: Kysely<Database>, accountId: string, code: string): Promise<void> {
  const [releaseCode = '', importId = ''] = code.split('.')
  const open = async (trx: Transaction<Database>) => {
    const known = await findMove(trx, accountId)
    if (known === undefined) return refuseUnknown(trx, accountId)
    if (known.role !== 'arriving') throw new OperatorError(textOf(accountId, known.role))
    if (known.digests.length === 0)
      throw new OperatorError(`the import of account ${accountId} is not complete`)
    if (known.release_digest !== sha256(releaseCode))
      throw new OperatorError('the code is not the one that the former cell has printed')
    if (known.import_id !== importId)
      throw new OperatorError('the code is for another import of the same file')
    await trx
      .insertInto('account_arrival')
      .values({ move_id: known.move_id, account_id: accountId })
      .execute()
    await trx.deleteFrom('account_move').where('account_id', '=', accountId).execute()
  }
  await thenDisableTriggers(db, async () => {
    await db.transaction().execute(open)
    await applyAllUnmatchedScans(db)
  })
}

/** Opens an exported account for writes again, in its former cell. Its export cannot be opened elsewhere then. */
export async function resumeAccount(db: Kysely<Database>, accountId: string): Promise<void> {
  const resume = async (trx: Transaction<Database>) => {
    const known = await findMove(trx, accountId)
    if (known === undefined) return refuseUnknown(trx, accountId)
    if (known.role !== 'leaving') throw new OperatorError(textOf(accountId, known.role))
    await trx.deleteFrom('account_move').where('account_id', '=', accountId).execute()
  }
  await thenDisableTriggers(db, () => db.transaction().execute(resume))
}

/** Deletes an imported account that was not opened. */
export async function discardAccount(db: Kysely<Database>, accountId: string): Promise<void> {
  const discard = async (trx: Transaction<Database>) => {
    const known = await findMove(trx, accountId)
    if (known?.role !== 'arriving')
      throw new OperatorError(`account ${accountId} has not been imported, or is open`)
    await deleteAccount(trx, accountId)
    await endArrival(trx, accountId)
  }
  await thenDisableTriggers(db, () => db.transaction().execute(discard))
}

/** The caller has locked the move and checked its role. The rate book is locked last, because others wait for it. */
async function deleteAccount(trx: Transaction<Database>, accountId: string): Promise<void> {
  await allowWrites(trx, accountId)
  const changesPrices = await hasPrices(trx, accountId)
  await deleteAccountRows(trx, accountId)
  if (changesPrices) await noteChangedPrices(trx, accountId, 'moved to another cell')
}

/** Locks the row, so that steps of the same move run one after the other. */
async function findMove(db: Kysely<Database>, accountId: string) {
  return db
    .selectFrom('account_move')
    .selectAll()
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
}

/** For this transaction only. */
async function allowWrites(trx: Transaction<Database>, accountId: string): Promise<void> {
  await sql`SELECT set_config('waybill.moved_account', ${accountId}, true)`.execute(trx)
}

async function hasPrices(trx: Transaction<Database>, accountId: string): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM contract WHERE account_id = ${accountId}
    UNION ALL SELECT 1 FROM contract_turnover WHERE account_id = ${accountId}
    UNION ALL SELECT 1 FROM margin WHERE account_id = ${accountId} LIMIT 1`.execute(trx)
  return rows.length > 0
}

/** Services then read the rate book again. */
async function noteChangedPrices(trx: Transaction<Database>, accountId: string, what: string): Promise<void> {
  await changeRevisioned(trx, RATE_BOOK, async (_, note) => note(`account ${accountId} was ${what}`))
}

async function isHere(trx: Transaction<Database>, accountId: string): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM account WHERE account_id = ${accountId}`.execute(trx)
  return rows.length > 0
}

async function refuseUnknown(trx: Transaction<Database>, accountId: string): Promise<void> {
  if (!(await isHere(trx, accountId))) throw new OperatorError(`there is no account ${accountId}`)
}

function textOf(accountId: string, role: AccountMove['role']): string {
  switch (role) {
    case 'leaving':
      return `account ${accountId} has been exported from this cell`
    case 'left':
      return `account ${accountId} has left this cell`
    case 'arriving':
      return `account ${accountId} has been imported into this cell, and is not open yet`
  }
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

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
