/** `waybill token rotate`: the secret that signs the tokens of rate options. See docs/operations.md#token-secret. */
import type { Command } from 'commander'
import { rotateTokenSecret } from '../store/accounts/token-secrets.ts'
import type { WithDatabase } from './terminal/database.ts'
import { type Output, report } from './terminal/output.ts'

/** Adds `rotate` to `waybill token`. */
export function tokenCommands(token: Command, withDatabase: WithDatabase, output: Output): void {
  token
    .command('rotate')
    .description('sign option tokens with a new secret; the previous one stays valid until the next rotation')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const secretNo = await withDatabase(({ db }) => rotateTokenSecret(db))
      report(output, json, { secretNo }, [
        `Secret ${secretNo} signs new tokens within a minute.`,
        `Tokens of secret ${secretNo - 1} stay valid until the next rotation, those of older secrets are not valid.`,
      ])
    })
}
