/**
 * The last steps of a move: the account leaves its former cell and is opened in the other one, or the move is given up.
 * See docs/distribution.md#move-an-account.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Database, OperatorError } from '../database/database.ts'
import { applyAllUnmatchedScans } from '../shipments/tracking.ts'
import {
  allowWrites,
  endArrival,
  findMove,
  hasPrices,
  noteChangedPrices,
  refuseUnknown,
  sha256,
  textOf,
} from './account-move.ts'
import { deleteAccountRows } from './account-rows.ts'
import { assertTriggers, thenDisableTriggers } from './refusal-triggers.ts'

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
