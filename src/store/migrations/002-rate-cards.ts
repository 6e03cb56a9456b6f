/**
 * Rate cards in versions, carriers, fuel rates, capitals, contracts, and the revision of the rate book. Triggers refuse
 * changes of published versions and of logs, whatever program sends them.
 * Weights in grams, lengths in centimetres, money in cents, rates in basis points (100 = 1%).
 */

/** The tables that hold the content of a version. Their rows can only be written while the version is a draft. */
const CONTENT_TABLES = [
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

const VERSION = 'version_id bigint NOT NULL REFERENCES rate_card_version ON DELETE CASCADE'
const PRODUCT = `version_id bigint NOT NULL,
    product_id integer NOT NULL`
const PRODUCT_KEY = 'FOREIGN KEY (version_id, product_id) REFERENCES product ON DELETE CASCADE'
const AREA_CLASS = "area_class text NOT NULL CHECK (area_class IN ('NORMAL', 'REMOTE', 'ISLAND', 'OVERSEAS'))"
const TRANSIT_DAYS = `min_days integer NOT NULL CHECK (min_days >= 0),
    max_days integer NOT NULL CHECK (max_days >= min_days)`
/** A part of a country: a postal range or a city. */
const PART_OF_COUNTRY = `postal_from text,
    postal_to text,
    city text CHECK (city <> ''),
    CHECK ((postal_from IS NULL) = (postal_to IS NULL)),
    CHECK (postal_from <> '' AND postal_to <> '')`

const VERSIONS = [
  `CREATE TABLE carrier (
    carrier_code text PRIMARY KEY CHECK (carrier_code ~ '^[a-z0-9-]{1,40}$'),
    name text NOT NULL,
    connector text NOT NULL
  )`,
  `CREATE TABLE rate_card (
    rate_card_code text PRIMARY KEY CHECK (rate_card_code ~ '^[a-z0-9-]{1,40}$'),
    name text NOT NULL,
    audience text NOT NULL DEFAULT 'everyone' CHECK (audience IN ('everyone', 'contract'))
  )`,
  `CREATE TABLE rate_card_version (
    version_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    rate_card_code text NOT NULL REFERENCES rate_card,
    version_no integer NOT NULL CHECK (version_no > 0),
    status text NOT NULL CHECK (status IN ('draft', 'published', 'withdrawn')),
    valid_from date NOT NULL,
    valid_to date CHECK (valid_to > valid_from),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    published_at timestamptz CHECK (status = 'draft' OR published_at IS NOT NULL),
    withdrawn_at timestamptz,
    content_hash text CHECK (content_hash ~ '^[0-9a-f]{64}$'),
    -- Card name, carriers, capitals and fuel rates of the import. They take effect when the version is published.
    shared jsonb NOT NULL DEFAULT '{"carriers": [], "capitals": [], "fuel": []}',
    UNIQUE (rate_card_code, version_no),
    CHECK ((status = 'withdrawn') = (withdrawn_at IS NOT NULL)),
    CHECK ((status = 'draft') = (published_at IS NULL)),
    CHECK (status <> 'draft' OR content_hash IS NULL)
  )`,
]

const PRODUCTS = [
  `CREATE TABLE product (
    ${VERSION},
    product_id integer NOT NULL CHECK (product_id > 0),
    carrier_code text NOT NULL REFERENCES carrier,
    name text NOT NULL,
    service_level text NOT NULL,
    parcel_type text NOT NULL CHECK (parcel_type IN ('NONDOC', 'DOC', 'PALLET')),
    pricing_basis text NOT NULL CHECK (pricing_basis IN ('shipment', 'parcel', 'pallet-class', 'per-100kg')),
    zone_chart text NOT NULL DEFAULT '',
    area_list text NOT NULL DEFAULT '',
    zones integer[] CHECK (0 <= ALL (zones)),
    volumetric_divisor integer CHECK (volumetric_divisor > 0),
    kilograms_per_cubic_metre integer CHECK (kilograms_per_cubic_metre > 0),
    kilograms_per_loading_metre integer CHECK (kilograms_per_loading_metre > 0),
    weight_step_grams integer NOT NULL CHECK (weight_step_grams > 0),
    document_grams integer CHECK (document_grams > 0),
    max_unit_grams integer,
    max_length_cm integer,
    max_width_cm integer,
    max_height_cm integer,
    max_length_plus_girth_cm integer,
    max_shipment_grams integer,
    max_units integer CHECK (max_units > 0),
    scope text NOT NULL CHECK (scope IN ('any', 'domestic', 'international')),
    from_countries text[],
    recipient text NOT NULL CHECK (recipient IN ('any', 'individual', 'business')),
    max_insured_cents bigint,
    PRIMARY KEY (version_id, product_id),
    CHECK ((parcel_type = 'DOC') = (document_grams IS NOT NULL))
  )`,
  `CREATE TABLE zone_price (
    ${PRODUCT},
    zone integer NOT NULL,
    unit text NOT NULL CHECK (unit IN ('KG', 'PER100KG', 'PALLET')),
    pallet_class text NOT NULL DEFAULT '' CHECK ((unit = 'PALLET') = (pallet_class <> '')),
    over_grams integer NOT NULL CHECK (over_grams >= 0),
    up_to_grams integer NOT NULL CHECK (unit = 'PALLET' OR up_to_grams > over_grams),
    price_cents integer NOT NULL CHECK (price_cents >= 0),
    step_grams integer CHECK (step_grams > 0),
    step_cents integer CHECK ((step_cents IS NULL) = (step_grams IS NULL)),
    PRIMARY KEY (version_id, product_id, zone, unit, pallet_class, up_to_grams),
    ${PRODUCT_KEY}
  )`,
  `CREATE TABLE transit (
    ${PRODUCT},
    zone integer NOT NULL,
    ${TRANSIT_DAYS},
    PRIMARY KEY (version_id, product_id, zone),
    ${PRODUCT_KEY}
  )`,
  `CREATE TABLE lane_transit (
    ${PRODUCT},
    from_group text NOT NULL,
    to_group text NOT NULL,
    ${TRANSIT_DAYS},
    PRIMARY KEY (version_id, product_id, from_group, to_group),
    ${PRODUCT_KEY}
  )`,
]

const PLACES = [
  // The country "*" stands for every country that is not listed, so it cannot have parts.
  `CREATE TABLE country_group (
    ${VERSION},
    zone_chart text NOT NULL DEFAULT '',
    country text NOT NULL CHECK (country ~ '^([A-Z]{2}|\\*)$'),
    ${PART_OF_COUNTRY},
    group_code text NOT NULL,
    UNIQUE NULLS NOT DISTINCT (version_id, zone_chart, country, postal_from, postal_to, city),
    CHECK (postal_from IS NULL OR city IS NULL),
    CHECK (country <> '*' OR (postal_from IS NULL AND city IS NULL))
  )`,
  `CREATE TABLE lane_zone (
    ${VERSION},
    zone_chart text NOT NULL DEFAULT '',
    from_group text NOT NULL,
    to_group text NOT NULL,
    zone integer NOT NULL CHECK (zone >= 0),
    PRIMARY KEY (version_id, zone_chart, from_group, to_group)
  )`,
  `CREATE TABLE area (
    ${VERSION},
    area_list text NOT NULL DEFAULT '',
    country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
    ${PART_OF_COUNTRY},
    ${AREA_CLASS},
    UNIQUE NULLS NOT DISTINCT (version_id, area_list, country, postal_from, postal_to, city),
    CHECK ((postal_from IS NULL) <> (city IS NULL))
  )`,
  // The carrier "*" stands for all carriers of the card.
  `CREATE TABLE area_transit (
    ${VERSION},
    carrier_code text NOT NULL,
    ${AREA_CLASS},
    extra_min_days integer NOT NULL CHECK (extra_min_days >= 0),
    extra_max_days integer NOT NULL CHECK (extra_max_days >= extra_min_days),
    PRIMARY KEY (version_id, carrier_code, area_class)
  )`,
]

const CARRIER_TERMS = [
  // A class can have several limits for the same footprint: low and heavy, or high and light.
  `CREATE TABLE pallet_class (
    ${VERSION},
    carrier_code text NOT NULL REFERENCES carrier,
    pallet_class text NOT NULL,
    long_side_cm integer NOT NULL,
    short_side_cm integer NOT NULL CHECK (short_side_cm <= long_side_cm),
    max_height_cm integer NOT NULL,
    max_grams integer NOT NULL,
    spaces integer NOT NULL CHECK (spaces > 0),
    PRIMARY KEY (version_id, carrier_code, pallet_class, long_side_cm, short_side_cm, max_height_cm, max_grams)
  )`,
  `CREATE TABLE surcharge (
    ${VERSION},
    sort_no integer NOT NULL,
    carrier_code text NOT NULL REFERENCES carrier,
    surcharge_code text NOT NULL,
    name text NOT NULL,
    reason text NOT NULL,
    phase text NOT NULL CHECK (phase IN ('accessorial', 'percent', 'fixed')),
    method text NOT NULL CHECK (method IN ('flat', 'per_kg', 'pct', 'fuel')),
    amount integer NOT NULL,
    minimum_cents integer NOT NULL DEFAULT 0,
    per text NOT NULL CHECK (per IN ('shipment', 'unit')),
    trigger text NOT NULL,
    fuelable boolean NOT NULL,
    excludes text[] NOT NULL DEFAULT '{}',
    products integer[] CHECK (cardinality(products) > 0),
    valid_from date NOT NULL,
    valid_to date CHECK (valid_to > valid_from),
    PRIMARY KEY (version_id, carrier_code, surcharge_code, valid_from)
  )`,
  `CREATE TABLE insurance (
    ${VERSION},
    carrier_code text NOT NULL REFERENCES carrier,
    free_cover_cents bigint NOT NULL CHECK (free_cover_cents >= 0),
    free_cover_per text CHECK (free_cover_per IN ('shipment', 'unit')),
    rate_bps integer NOT NULL CHECK (rate_bps >= 0),
    minimum_cents bigint NOT NULL CHECK (minimum_cents >= 0),
    max_value_cents bigint NOT NULL,
    PRIMARY KEY (version_id, carrier_code)
  )`,
]

const SHARED_BY_CARDS = [
  // Rows are only added. The newest entry for a carrier, code and day counts; a null rate revokes earlier entries.
  `CREATE TABLE fuel_rate (
    entry_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    carrier_code text NOT NULL REFERENCES carrier,
    fuel_code text NOT NULL CHECK (fuel_code <> ''),
    valid_from date NOT NULL,
    rate_bps integer CHECK (rate_bps >= 0),
    entered_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`,
  'CREATE INDEX fuel_rate_in_force ON fuel_rate (carrier_code, fuel_code, valid_from, entry_id DESC)',
  `CREATE TABLE capital (
    country text PRIMARY KEY CHECK (country ~ '^[A-Z]{2}$'),
    city text NOT NULL,
    postal_code text NOT NULL
  )`,
  // Changes stay above -100%, so freight is never negative. More than +1,000% is probably a misplaced decimal point.
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
  // The table has one row. Every change locks that row and increments the revision.
  'CREATE TABLE rate_book (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), revision bigint NOT NULL)',
  'INSERT INTO rate_book (revision) VALUES (0)',
  `CREATE TABLE rate_book_change (
    revision bigint PRIMARY KEY,
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    what text NOT NULL CHECK (what <> '')
  )`,
]

const FUNCTIONS = [
  // Locks the versions of the rows, so that a draft cannot be published before the transaction ends. Rows that a
  // deleted version cascades to have no version any more and pass.
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
        RAISE EXCEPTION '%@% is % and cannot change: % of rows in %', version.rate_card_code,
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
    RAISE EXCEPTION 'the table % does not allow %', TG_TABLE_NAME, lower(TG_OP)
      USING ERRCODE = 'restrict_violation';
  END $$`,
]

/** Statement triggers: they run once per statement, whatever the number of rows. An import writes 20,000 at a time. */
const CONTENT_TRIGGERS = CONTENT_TABLES.flatMap((table) =>
  [
    ['INSERT', 'NEW TABLE AS new_rows'],
    ['UPDATE', 'OLD TABLE AS old_rows NEW TABLE AS new_rows'],
    ['DELETE', 'OLD TABLE AS old_rows'],
  ].map(
    ([event = '', rows]) => `CREATE TRIGGER only_drafts_${event.toLowerCase()} AFTER ${event} ON ${table}
      REFERENCING ${rows} FOR EACH STATEMENT EXECUTE FUNCTION refuse_unless_draft()`,
  ),
)

function refuse(events: string, table: string): string {
  return `CREATE TRIGGER refused BEFORE ${events} ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_all()`
}

export const RATE_CARDS = [
  ...VERSIONS,
  ...PRODUCTS,
  ...PLACES,
  ...CARRIER_TERMS,
  ...SHARED_BY_CARDS,
  ...FUNCTIONS,
  ...CONTENT_TRIGGERS,
  `CREATE TRIGGER guarded BEFORE UPDATE OR DELETE ON rate_card_version
    FOR EACH ROW EXECUTE FUNCTION guard_rate_card_version()`,
  refuse('UPDATE OR DELETE OR TRUNCATE', 'fuel_rate'),
  refuse('UPDATE OR DELETE OR TRUNCATE', 'rate_book_change'),
  refuse('DELETE OR TRUNCATE', 'rate_book'),
  ...['rate_card_version', ...CONTENT_TABLES].map((table) => refuse('TRUNCATE', table)),
]
