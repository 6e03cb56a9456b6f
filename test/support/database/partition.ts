/**
 * Partitions the tables that belong to shipments by their account, as a distributed database would spread them: each
 * primary, unique and foreign key must then contain the account, and a statement that names one account reads one
 * partition. See docs/distribution.md.
 */
import { runStatements, type TestSource } from './test-server.ts'

/** Referenced tables come first. Each has a column `account_id`. */
export const PARTITIONED_TABLES = [
  ...['shipment', 'cancel_attempt', 'shipment_event', 'carrier_scan', 'lookup_report', 'lookup_schedule'],
  ...['scan_anomaly', 'attempt_decision', 'draft_key', 'account_event', 'account_event_head', 'carrier_call'],
  ...['shipment_correction', 'archived_shipment'],
] as const

export const PARTITIONS = 4

/** Run on a migrated database that nobody else uses. Its rows stay. */
export async function partitionByAccount(source: TestSource): Promise<void> {
  await runStatements(
    source,
    'BEGIN',
    `CREATE TEMP TABLE definition ON COMMIT DROP AS ${definitions()}`,
    ...PARTITIONED_TABLES.map(replaceTable),
    // In the order of kinds, because foreign keys need the keys that they refer to, and triggers must not see the copy.
    `DO $$ DECLARE one record; BEGIN
      FOR one IN SELECT statement FROM definition ORDER BY kind, name LOOP EXECUTE one.statement; END LOOP;
    END $$`,
    // No ANALYZE: plans for foreign keys are made once for a session, and those for empty tables are slow later.
    'COMMIT',
  )
}

/** A query for the statements that create the constraints, indexes and triggers of the tables. */
function definitions(): string {
  const tables = `unnest(ARRAY[${PARTITIONED_TABLES.map((table) => `'${table}'::regclass`).join(', ')}])`
  return `
    SELECT 1 AS kind, conname::text AS name,
        format('ALTER TABLE %I ADD CONSTRAINT %I %s', relname, conname, pg_get_constraintdef(con.oid)) AS statement
      FROM ${tables} AS given JOIN pg_class ON pg_class.oid = given JOIN pg_constraint AS con ON conrelid = given
      WHERE contype IN ('p', 'u')
    UNION ALL
    SELECT 2, indexrelid::regclass::text, pg_get_indexdef(indexrelid)
      FROM ${tables} AS given JOIN pg_index ON indrelid = given
      WHERE NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
    UNION ALL
    SELECT 3, conname, format('ALTER TABLE %I ADD CONSTRAINT %I %s', relname, conname, pg_get_constraintdef(con.oid))
      FROM ${tables} AS given JOIN pg_class ON pg_class.oid = given JOIN pg_constraint AS con ON conrelid = given
      WHERE contype = 'f'
    UNION ALL
    SELECT 4, tgname, pg_get_triggerdef(pg_trigger.oid)
      FROM ${tables} AS given JOIN pg_trigger ON tgrelid = given WHERE NOT tgisinternal
    UNION ALL
    SELECT 5, tgname, format('ALTER TABLE %s DISABLE TRIGGER %I', given, tgname)
      FROM ${tables} AS given JOIN pg_trigger ON tgrelid = given WHERE NOT tgisinternal AND tgenabled = 'D'`
}

function replaceTable(table: string): string {
  const partitions = Array.from(
    { length: PARTITIONS },
    (_, remainder) => `CREATE TABLE ${table}_${remainder} PARTITION OF ${table}
      FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${remainder});`,
  )
  // A new identity begins at 1.
  return `
    ALTER TABLE ${table} RENAME TO whole_${table};
    CREATE TABLE ${table} (LIKE whole_${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING IDENTITY)
      PARTITION BY HASH (account_id);
    ${partitions.join('\n')}
    INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM whole_${table};
    DO $$ DECLARE counted text; BEGIN
      SELECT attname INTO counted FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attidentity <> '';
      IF counted IS NOT NULL THEN
        EXECUTE format('SELECT setval(pg_get_serial_sequence(%L, %L), coalesce((SELECT max(%I) FROM ${table}), 0) + 1)',
          '${table}', counted, counted);
      END IF;
    END $$;
    DROP TABLE whole_${table} CASCADE`
}
