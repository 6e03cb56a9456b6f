/**
 * The secrets that sign tokens of rate options: those of the configuration, or else random ones in the database, which
 * all replicas share. The newest one signs, and the two newest ones are valid. See docs/operations.md#token-secret.
 */
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { digest } from './signature.ts'

/** Secrets in memory. */
export interface TokenSecrets {
  /** The first one signs, and all are valid. */
  current(): readonly [Buffer, ...Buffer[]]
  /**
   * Reads the secrets again if they were read more than a second ago. True if they have changed since. Concurrent calls
   * share a statement.
   */
  refresh(): Promise<boolean>
}

/** The valid secrets: after a rotation, tokens that were signed before it stay valid. */
const VALID = 2

/** A rotation takes effect in every process within this time. */
const MAX_AGE_MS = 60_000

/** Callers choose the tokens, so an invalid one must not cause a statement each time. */
const MIN_AGE_MS = 1_000

/** Throws if the database has no secret. `given`: secrets of the configuration, the one that signs first. */
export async function openTokenSecrets(
  db: Kysely<Database>,
  given: readonly string[] = [],
  nowMs: () => number = () => performance.now(),
): Promise<TokenSecrets> {
  const [first, ...others] = given.map(digest)
  if (first !== undefined) return { current: () => [first, ...others], refresh: async () => false }
  let secrets = await readSecrets(db)
  let readAtMs = nowMs()
  let reading: Promise<boolean> | undefined
  const read = async (): Promise<boolean> => {
    try {
      const found = await readSecrets(db)
      const isSame = found[0].equals(secrets[0])
      secrets = found
      return !isSame
    } finally {
      readAtMs = nowMs()
      reading = undefined
    }
  }
  const refresh = (): Promise<boolean> => {
    reading ??= nowMs() - readAtMs < MIN_AGE_MS ? undefined : read()
    return reading ?? Promise.resolve(false)
  }
  return {
    current() {
      // Until they are read, the previous ones are used. A failure shows when a token is read.
      if (nowMs() - readAtMs > MAX_AGE_MS) refresh().catch(() => {})
      return secrets
    },
    refresh,
  }
}

async function readSecrets(db: Kysely<Database>): Promise<readonly [Buffer, ...Buffer[]]> {
  const rows = await db
    .selectFrom('token_secret')
    .select('secret')
    .orderBy('secret_no', 'desc')
    .limit(VALID)
    .execute()
  const [newest, ...older] = rows.map(({ secret }) => secret)
  if (newest === undefined)
    throw new Error('the database has no secret for tokens; create one with waybill token rotate')
  return [newest, ...older]
}

/** Adds a secret, and deletes those that are not valid after it. Returns its number. */
export async function rotateTokenSecret(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ secretNo: number }>`
    WITH added AS (
      INSERT INTO token_secret (secret_no) SELECT coalesce(max(secret_no), 0) + 1 FROM token_secret
      RETURNING secret_no
    ), removed AS (
      DELETE FROM token_secret WHERE secret_no <= (SELECT secret_no FROM added) - ${VALID}
    )
    SELECT secret_no AS "secretNo" FROM added`.execute(db)
  return rows[0]!.secretNo
}
