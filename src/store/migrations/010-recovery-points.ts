/**
 * Where the database continues from an earlier state: a failover to a standby, or a restore. Commits may be missing
 * since then, so a draft from before may be booked at its carrier. See
 * docs/operations.md#after-a-failover-or-a-restore.
 */
export const RECOVERY_POINTS = [
  `CREATE TABLE recovery_point (
    recovery_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The newest row before this one, so that only one of several processes records it. NULL if an operator records it.
    follows bigint UNIQUE,
    noticed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    -- 'first': the first start, which is no recovery.
    cause text NOT NULL CHECK (cause IN ('first', 'failover', 'restore', 'operator')),
    timeline text NOT NULL,
    -- The system identifier and the database's oid. Both differ after a restore from a dump into another database.
    origin text NOT NULL,
    lineage text NOT NULL
  )`,
  // A promoted standby and a point-in-time recovery begin a new timeline, so its number shows them in the statement
  // that reads it, before a process notices them. Servers that do not tell it have '' for all rows.
  `CREATE FUNCTION database_lineage() RETURNS text LANGUAGE plpgsql AS $$
    DECLARE
      timeline text := '';
    BEGIN
      BEGIN
        timeline := substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8);
      EXCEPTION WHEN OTHERS THEN
        NULL;
      END;
      RETURN timeline || '.' || coalesce(
        (SELECT max(recovery_id) FROM recovery_point WHERE cause IN ('restore', 'operator')), 0);
    END $$`,
  // The lineage in which a draft was last known to have no booking at its carrier. NULL for rows from before this
  // migration: they count as known in the lineage of the first row of recovery_point.
  `ALTER TABLE shipment ADD COLUMN lineage text`,
  `ALTER TABLE shipment ALTER COLUMN lineage SET DEFAULT database_lineage()`,
]
