/** What `waybill doctor` reads about the server, the role and the clock. Changes nothing and needs no tables. */
import { type Kysely, sql } from 'kysely'
import type { Database } from './database.ts'
import { SCHEMA_COLUMNS } from './schema-columns.ts'

export type ServerFacts = {
  /** Such as 180001. */
  readonly versionNumber: number
  /** Such as "18.1". */
  readonly version: string
  /** Whether the server is a standby, which cannot write. */
  readonly isStandby: boolean
  readonly role: string
  readonly isSuperuser: boolean
  /** The schema in which tables are created; null if there is none. */
  readonly schema: string | null
  readonly canCreateTables: boolean
  /** Those of Waybill's tables that exist and that the role cannot read and write. */
  readonly deniedTables: readonly string[]
  /** Those that the role cannot change in a migration, because another role owns them. */
  readonly foreignTables: readonly string[]
  /** The setting `synchronous_standby_names`. */
  readonly synchronousStandbys: string
  /** The setting `synchronous_commit` of a new session. */
  readonly synchronousCommit: string
  /** The connected standbys that a commit waits for. Null: the role cannot see them. */
  readonly waitedForStandbys: number | null
}

/** Reads from the server of `db`. Throws the errors of the connection. */
export async function readServerFacts(db: Kysely<Database>): Promise<ServerFacts> {
  const { rows } = await sql<ServerFacts>`
    WITH own_table AS (
      SELECT pg_class.oid, relname, relowner
        FROM unnest(${Object.keys(SCHEMA_COLUMNS)}::text[]) AS own (name)
        JOIN pg_class ON pg_class.oid = to_regclass(quote_ident(own.name))
    )
    SELECT current_setting('server_version_num')::int AS "versionNumber",
      split_part(current_setting('server_version'), ' ', 1) AS "version",
      pg_is_in_recovery() AS "isStandby",
      current_user AS "role",
      (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS "isSuperuser",
      current_schema() AS "schema",
      coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "canCreateTables",
      ARRAY(SELECT relname::text FROM own_table
        WHERE NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
          AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))
        ORDER BY relname) AS "deniedTables",
      ARRAY(SELECT relname::text FROM own_table
        WHERE NOT pg_has_role(relowner, 'USAGE') ORDER BY relname) AS "foreignTables",
      current_setting('synchronous_standby_names') AS "synchronousStandbys",
      (SELECT reset_val FROM pg_settings WHERE name = 'synchronous_commit') AS "synchronousCommit",
      -- Roles without pg_monitor see the rows, but not the state.
      (SELECT CASE WHEN count(*) > 0 AND count(sync_state) = 0 THEN NULL
          ELSE count(*) FILTER (WHERE sync_state IN ('sync', 'quorum'))::int END
        FROM pg_stat_replication) AS "waitedForStandbys"`.execute(db)
  const [facts] = rows
  if (facts === undefined) throw new Error('the server returned no row')
  return facts
}

/** How far the clock of this machine is ahead of the server's, in milliseconds. Exact to half a round trip. */
export async function clockDifferenceMs(db: Kysely<Database>): Promise<number> {
  await sql`SELECT 1`.execute(db)
  const before = Date.now()
  const { rows } = await sql<{ now: Date }>`SELECT clock_timestamp() AS now`.execute(db)
  const after = Date.now()
  return (before + after) / 2 - (rows[0]?.now.getTime() ?? after)
}
