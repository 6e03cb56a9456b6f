/**
 * Rate cards that change under a running service: versions that nothing can alter once they are published, a
 * counter of what is sold, fuel rates that are only ever appended, contracts of accounts. Decided here: the
 * database itself refuses to change what was published, whoever asks. Units as in 0002.
 */
import { type Kysely, sql } from 'kysely'

/** Extends the tables of the rate book; what they hold stays and prices as before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...TABLES, ...SHARED, ...FUNCTIONS, ...triggers()])
    await sql.raw(statement).execute(db)
}

/** What belongs to a version: its parts can be written only while it is a draft. */
const PARTS = [
  'product',
  'country_group',
  'lane_zone',
  'zone_price',
  'transit',
  'lane_transit',
  'pallet_class',
  'area',
  'area_transit',
  'surcharge',
  'insurance',
]

/** A part of a country: all of it, a postal range, or a city. */
const PLACE = `ADD COLUMN city text CHECK (city <> ''),
    ADD CHECK ((postal_from IS NULL) = (postal_to IS NULL)),
    ADD CHECK (postal_from <> '' AND postal_to <> '')`

const TABLES = [
  `ALTER TABLE rate_card
    ADD COLUMN audience text NOT NULL DEFAULT 'everyone' CHECK (audience IN ('everyone', 'contract'))`,
  `ALTER TABLE rate_card_version
    ADD COLUMN created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ADD COLUMN withdrawn_at timestamptz,
    -- Absent where a version was published before there were hashes.
    ADD COLUMN content_hash text CHECK (content_hash ~ '^[0-9a-f]{64}$'),
    -- What the import says of the card's name, of carriers, capitals and fuel: it counts from publication on.
    ADD COLUMN shared jsonb NOT NULL DEFAULT '{"carriers": [], "capitals": [], "fuel": []}'`,
  // Nobody knows when: as if at once, so that they price no day, as before.
  "UPDATE rate_card_version SET withdrawn_at = published_at WHERE status = 'withdrawn'",
  "UPDATE rate_card_version SET published_at = NULL WHERE status = 'draft'",
  `ALTER TABLE rate_card_version
    ADD CHECK ((status = 'withdrawn') = (withdrawn_at IS NOT NULL)),
    ADD CHECK ((status = 'draft') = (published_at IS NULL)),
    ADD CHECK (status <> 'draft' OR content_hash IS NULL)`,
  `ALTER TABLE product
    ADD COLUMN zone_chart text NOT NULL DEFAULT '',
    ADD COLUMN area_list text NOT NULL DEFAULT '',
    ADD COLUMN zones integer[] CHECK (0 <= ALL (zones)),
    ADD COLUMN max_units integer CHECK (max_units > 0)`,
  `ALTER TABLE country_group
    DROP CONSTRAINT country_group_pkey,
    ADD COLUMN zone_chart text NOT NULL DEFAULT '',
    ADD COLUMN postal_from text,
    ADD COLUMN postal_to text,
    ${PLACE},
    ADD CHECK (postal_from IS NULL OR city IS NULL),
    -- '*' is every country that is not listed: no part of it can be meant.
    ADD CHECK (country <> '*' OR (postal_from IS NULL AND city IS NULL)),
    ADD UNIQUE NULLS NOT DISTINCT (version_id, zone_chart, country, postal_from, postal_to, city)`,
  `ALTER TABLE lane_zone
    DROP CONSTRAINT lane_zone_pkey,
    ADD COLUMN zone_chart text NOT NULL DEFAULT '',
    ADD PRIMARY KEY (version_id, zone_chart, from_group, to_group)`,
  `ALTER TABLE area
    DROP CONSTRAINT area_pkey,
    ALTER COLUMN postal_from DROP NOT NULL,
    ALTER COLUMN postal_to DROP NOT NULL,
    ADD COLUMN area_list text NOT NULL DEFAULT '',
    ${PLACE},
    ADD CHECK ((postal_from IS NULL) <> (city IS NULL)),
    ADD UNIQUE NULLS NOT DISTINCT (version_id, area_list, country, postal_from, postal_to, city)`,
  `ALTER TABLE surcharge
    ADD COLUMN excludes text[] NOT NULL DEFAULT '{}',
    ADD COLUMN products integer[] CHECK (cardinality(products) > 0),
    ADD COLUMN valid_to date CHECK (valid_to > valid_from)`,
  // A class may hold a low and heavy, or a high and light pallet on the same footprint.
  `ALTER TABLE pallet_class
    DROP CONSTRAINT pallet_class_pkey,
    ADD PRIMARY KEY (version_id, carrier_code, pallet_class, long_side_cm, short_side_cm, max_height_cm, max_grams)`,
  "ALTER TABLE insurance ADD COLUMN free_cover_per text CHECK (free_cover_per IN ('shipment', 'unit'))",
  `CREATE TABLE lane_transit (
    version_id bigint NOT NULL,
    product_id integer NOT NULL,
    from_group text NOT NULL,
    to_group text NOT NULL,
    min_days integer NOT NULL CHECK (min_days >= 0),
    max_days integer NOT NULL CHECK (max_days >= min_days),
    PRIMARY KEY (version_id, product_id, from_group, to_group),
    FOREIGN KEY (version_id, product_id) REFERENCES product ON DELETE CASCADE
  )`,
  // The newest entry for a carrier, code and day counts; one without a rate takes the earlier ones back.
  `ALTER TABLE fuel_rate
    DROP CONSTRAINT fuel_rate_pkey,
    ADD COLUMN entry_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    ADD COLUMN fuel_code text NOT NULL DEFAULT 'FUEL' CHECK (fuel_code <> ''),
    ADD COLUMN entered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ALTER COLUMN rate_bps DROP NOT NULL`,
  'ALTER TABLE fuel_rate ALTER COLUMN fuel_code DROP DEFAULT',
  'CREATE INDEX fuel_rate_in_force ON fuel_rate (carrier_code, fuel_code, valid_from, entry_id DESC)',
  // Freight can be given away to the last per cent, never paid for; above +1,000% is a slip of the decimal point.
  `CREATE TABLE contract (
    contract_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    product_id integer CHECK (product_id > 0),
    carrier_code text REFERENCES carrier,
    valid_from date NOT NULL,
    valid_to date CHECK (valid_to > valid_from),
    freight_bps integer NOT NULL CHECK (freight_bps > -10000 AND freight_bps <= 100000),
    fuel_bps integer NOT NULL CHECK (fuel_bps >= -10000 AND fuel_bps <= 100000),
    hidden boolean NOT NULL,
    rate_card_code text REFERENCES rate_card,
    CHECK (product_id IS NULL OR carrier_code IS NULL),
    CONSTRAINT contract_scope UNIQUE NULLS NOT DISTINCT (account_id, product_id, carrier_code, valid_from)
  )`,
  // One row, which every change of what is sold locks and counts up: writers take turns, readers see a new number.
  'CREATE TABLE rate_book (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), revision bigint NOT NULL)',
  'INSERT INTO rate_book (revision) VALUES (0)',
  `CREATE TABLE rate_book_change (
    revision bigint PRIMARY KEY,
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    what text NOT NULL CHECK (what <> '')
  )`,
]

/** What versions published so far would have said of the tables that all cards share, had they kept it. */
const SHARED = [
  `UPDATE rate_card_version v SET shared = jsonb_build_object(
    'carriers', coalesce((SELECT jsonb_agg(jsonb_build_object(
        'code', c.carrier_code, 'name', c.name, 'connector', c.connector) ORDER BY c.carrier_code)
      FROM carrier c
      WHERE c.carrier_code IN (SELECT p.carrier_code FROM product p WHERE p.version_id = v.version_id)), '[]'),
    'capitals', coalesce((SELECT jsonb_agg(jsonb_build_object(
        'country', country, 'city', city, 'postalCode', postal_code) ORDER BY country) FROM capital), '[]'),
    'fuel', coalesce((SELECT jsonb_agg(jsonb_build_object(
        'carrierCode', f.carrier_code, 'code', f.fuel_code, 'validFrom', f.valid_from, 'rateBps', f.rate_bps)
        ORDER BY f.carrier_code, f.valid_from)
      FROM fuel_rate f
      WHERE f.carrier_code IN (SELECT p.carrier_code FROM product p WHERE p.version_id = v.version_id)), '[]'))`,
]

const FUNCTIONS = [
  // Locks the versions concerned, so that a draft cannot be published between this look and the commit. A version
  // that is being deleted is gone by now: its parts go with it.
  `CREATE FUNCTION refuse_unless_draft() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    concerned bigint[];
    version record;
  BEGIN
    IF TG_OP = 'INSERT' THEN
      concerned := ARRAY(SELECT DISTINCT version_id FROM new_rows);
    ELSIF TG_OP = 'DELETE' THEN
      concerned := ARRAY(SELECT DISTINCT version_id FROM old_rows);
    ELSE
      concerned := ARRAY(SELECT version_id FROM old_rows UNION SELECT version_id FROM new_rows);
    END IF;
    FOR version IN
      SELECT v.rate_card_code, v.version_no, v.status FROM rate_card_version v
      WHERE v.version_id = ANY (concerned) ORDER BY v.version_id FOR SHARE
    LOOP
      IF version.status <> 'draft' THEN
        RAISE EXCEPTION '%@% is % and cannot change: % of its rows in %', version.rate_card_code,
          version.version_no, version.status, lower(TG_OP), TG_TABLE_NAME
          USING ERRCODE = 'restrict_violation', HINT = 'Import the change as a new version.';
      END IF;
    END LOOP;
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION guard_rate_card_version() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    name text := OLD.rate_card_code || '@' || OLD.version_no;
  BEGIN
    IF TG_OP = 'DELETE' THEN
      IF OLD.status <> 'draft' THEN
        RAISE EXCEPTION '% is % and cannot be deleted: only drafts can', name, OLD.status
          USING ERRCODE = 'restrict_violation';
      END IF;
      RETURN OLD;
    END IF;
    IF (OLD.status, NEW.status) NOT IN (('draft', 'draft'), ('published', 'published'), ('withdrawn', 'withdrawn'),
        ('draft', 'published'), ('published', 'withdrawn'), ('withdrawn', 'published')) THEN
      RAISE EXCEPTION '% is % and cannot become %', name, OLD.status, NEW.status
        USING ERRCODE = 'restrict_violation';
    END IF;
    IF (NEW.version_id, NEW.rate_card_code, NEW.version_no, NEW.created_at)
      IS DISTINCT FROM (OLD.version_id, OLD.rate_card_code, OLD.version_no, OLD.created_at)
      OR OLD.status <> 'draft' AND (NEW.valid_from, NEW.valid_to, NEW.published_at, NEW.content_hash, NEW.shared)
      IS DISTINCT FROM (OLD.valid_from, OLD.valid_to, OLD.published_at, OLD.content_hash, OLD.shared) THEN
      RAISE EXCEPTION '% is % and cannot change', name, OLD.status
        USING ERRCODE = 'restrict_violation', HINT = 'Import the change as a new version.';
    END IF;
    RETURN NEW;
  END $$`,
  `CREATE FUNCTION refuse_all() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'rows of % are not for %', TG_TABLE_NAME, lower(TG_OP)
      USING ERRCODE = 'restrict_violation';
  END $$`,
]

/** Once per statement, whatever the number of rows: an import writes 20,000 at a time. */
function triggers(): string[] {
  const perEvent = [
    ['INSERT', 'NEW TABLE AS new_rows'],
    ['UPDATE', 'OLD TABLE AS old_rows NEW TABLE AS new_rows'],
    ['DELETE', 'OLD TABLE AS old_rows'],
  ] as const
  const ofParts = PARTS.flatMap((table) =>
    perEvent.map(
      ([event, rows]) => `CREATE TRIGGER only_drafts_${event.toLowerCase()} AFTER ${event} ON ${table}
        REFERENCING ${rows} FOR EACH STATEMENT EXECUTE FUNCTION refuse_unless_draft()`,
    ),
  )
  const refused = (table: string, events: string): string =>
    `CREATE TRIGGER refused BEFORE ${events} ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_all()`
  return [
    ...ofParts,
    `CREATE TRIGGER guarded BEFORE UPDATE OR DELETE ON rate_card_version
      FOR EACH ROW EXECUTE FUNCTION guard_rate_card_version()`,
    ...['fuel_rate', 'rate_book_change'].map((table) => refused(table, 'UPDATE OR DELETE OR TRUNCATE')),
    ...['rate_card_version', ...PARTS].map((table) => refused(table, 'TRUNCATE')),
    refused('rate_book', 'DELETE OR TRUNCATE'),
  ]
}
