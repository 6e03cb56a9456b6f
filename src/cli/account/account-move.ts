/**
 * `waybill account export`, `import`, `leave`, `open`, `resume`, `discard` and `moves`: an account moves to another
 * cell. See docs/distribution.md#move-an-account.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Command } from 'commander'
import { listMoves } from '../../store/moves/account-move.ts'
import { discardAccount, leaveAccount, openAccount, resumeAccount } from '../../store/moves/end-move.ts'
import { exportAccount } from '../../store/moves/export-account.ts'
import { importAccount } from '../../store/moves/import-account.ts'
import { readAccountLines } from '../terminal/account-file.ts'
import { openArchiveFolder, writeArchiveFile } from '../terminal/archive-file.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { Refusal } from '../terminal/errors.ts'
import { announce, counted, type Output, report, table } from '../terminal/output.ts'

type JsonOption = { readonly json?: boolean }

/** For longer than processes keep a key in memory (docs/operations.md#accounts-and-api-keys). */
const KEYS_ARE_FORGOTTEN_MS = 10_000

/** Adds the commands to `waybill account`. */
export function accountMoveCommands(account: Command, withDatabase: WithDatabase, output: Output): void {
  addExport(account, withDatabase, output)
  addImport(account, withDatabase, output)

  account
    .command('leave')
    .description(
      'delete an exported account here, after the other cell has imported it; prints the code that opens it there',
    )
    .argument('<accountId>')
    .requiredOption('--confirmation <text>', 'what the import has printed')
    .option('--json', 'print JSON')
    .action(async (id: string, { confirmation, json }: JsonOption & { confirmation: string }) => {
      announce(output, json, `Removing the keys of ${id}, and its rows 10 seconds later`)
      const release = await withDatabase(({ db }) =>
        leaveAccount(db, id, confirmation, () => setTimeout(KEYS_ARE_FORGOTTEN_MS)),
      )
      report(output, json, { accountId: id, code: release }, [
        `Account ${id} has left this cell. Open it in the other one:`,
        `waybill account open ${id} --code ${release}`,
      ])
    })

  account
    .command('open')
    .description('open an imported account for writes')
    .argument('<accountId>')
    .requiredOption('--code <code>', 'what account leave has printed in the other cell')
    .option('--json', 'print JSON')
    .action(async (id: string, { code, json }: JsonOption & { code: string }) => {
      await withDatabase(({ db }) => openAccount(db, id, code))
      report(output, json, { accountId: id }, [`Account ${id} is open.`])
    })

  account
    .command('resume')
    .description('open an exported account for writes again, and so give up its move')
    .argument('<accountId>')
    .option('--json', 'print JSON')
    .action(async (id: string, { json }: JsonOption) => {
      await withDatabase(({ db }) => resumeAccount(db, id))
      report(output, json, { accountId: id }, [`Account ${id} is open.`])
    })

  account
    .command('discard')
    .description('delete an imported account that was not opened')
    .argument('<accountId>')
    .option('--json', 'print JSON')
    .action(async (id: string, { json }: JsonOption) => {
      await withDatabase(({ db }) => discardAccount(db, id))
      report(output, json, { accountId: id }, [`The imported account ${id} is deleted.`])
    })

  account
    .command('moves')
    .description('list accounts that are moved, or have left')
    .option('--json', 'print JSON')
    .action(async ({ json }: JsonOption) => {
      const moves = await withDatabase(({ db }) => listMoves(db))
      const rows = moves.map((move) => [move.accountId, move.role, move.since])
      report(output, json, moves, table(['ACCOUNT', 'ROLE', 'SINCE'], rows))
    })
}

function addExport(account: Command, withDatabase: WithDatabase, output: Output): void {
  account
    .command('export')
    .description('close an account for writes, and write all that belongs to it to a file for another cell')
    .argument('<accountId>')
    .requiredOption('--out <file>', 'a new file; its name should end in .jsonl.gz')
    .option('--json', 'print JSON')
    .action(async (id: string, { out, json }: JsonOption & { out: string }) => {
      if (existsSync(out)) throw new Refusal(`${out} already exists`)
      const folder = path.dirname(out)
      await openArchiveFolder(folder)
      announce(output, json, `Closing account ${id} for writes`)
      const { confirmation, rows } = await withDatabase(({ db }) =>
        exportAccount(
          db,
          id,
          (chunks) => writeArchiveFile(folder, path.basename(out), chunks),
          (reason) => output.error(`waiting: ${reason}`),
        ),
      )
      report(output, json, { accountId: id, rows, confirmation }, [
        `Exported ${counted(rows, 'row')} of account ${id}, which is closed for writes.`,
        `Import ${out} in the other cell, or open the account again: waybill account resume ${id}`,
      ])
    })
}

function addImport(account: Command, withDatabase: WithDatabase, output: Output): void {
  account
    .command('import')
    .description('import an account that another cell has exported; it stays closed for writes')
    .argument('<file>')
    .option('--json', 'print JSON')
    .action(async (file: string, { json }: JsonOption) => {
      announce(output, json, `Importing ${file}`)
      const { accountId, rows, confirmation, isRepeated } = await withDatabase(({ db }) =>
        importAccount(db, readAccountLines(file), (reason) => output.error(`waiting: ${reason}`)),
      )
      report(output, json, { accountId, rows, confirmation, isRepeated }, [
        isRepeated
          ? `Account ${accountId} was imported before.`
          : `Imported ${counted(rows, 'row')} of account ${accountId}, which is closed for writes.`,
        'Route its requests to this cell. Then, in the former cell:',
        `waybill account leave ${accountId} --confirmation ${confirmation}`,
      ])
    })
}
