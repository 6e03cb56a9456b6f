/**
 * Rate cards in immutable versions, and what lies beside them: carriers, fuel rates, capitals.
 * Weights in grams, sides in centimetres, money in cents, rates in basis points (1% = 100).
 */
import { type Kysely, sql } from 'kysely'

/** Creates the tables of the rate book. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `CREATE TABLE carrier (
    carrier_code text PRIMARY KEY CHECK (carrier_code ~ '^[a-z0-9-]{1,40}$'),
    name text NOT NULL,
    connector text NOT NULL
  )`,
  `CREATE TABLE rate_card (
    rate_card_code text PRIMARY KEY CHECK (rate_card_code ~ '^[a-z0-9-]{1,40}$'),
    name text NOT NULL
  )`,
  // A version is written whole and never changes again; a new price is a new version.
  `CREATE TABLE rate_card_version (
    version_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    rate_card_code text NOT NULL REFERENCES rate_card,
    version_no integer NOT NULL CHECK (version_no > 0),
    status text NOT NULL CHECK (status IN ('draft', 'published', 'withdrawn')),
    valid_from date NOT NULL,
    valid_to date CHECK (valid_to > valid_from),
    published_at timestamptz CHECK (status = 'draft' OR published_at IS NOT NULL),
    UNIQUE (rate_card_code, version_no)
  )`,
  `CREATE TABLE product (
    version_id bigint NOT NULL REFERENCES rate_card_version ON DELETE CASCADE,
    product_id integer NOT NULL CHECK (product_id > 0),
    carrier_code text NOT NULL REFERENCES carrier,
    name text NOT NULL,
    service_level text NOT NULL,
    parcel_type text NOT NULL CHECK (parcel_type IN ('NONDOC', 'DOC', 'PALLET')),
    pricing_basis text NOT NULL CHECK (pricing_basis IN ('shipment', 'parcel', 'pallet-class', 'per-100kg')),
    volumetric_divisor integer CHECK (volumetric_divisor > 0),
    kilograms_per_cubic_metre integer CHECK (kilograms_per_cubic_metre > 0),
    kilograms_per_loading_metre integer CHECK (kilograms_per_loading_metre > 0),
    weight_step_grams integer NOT NULL CHECK (weight_step_grams > 0),
    document_grams integer CHECK (document_grams > 0),
    max_unit_grams integer,
    max_length_cm integer,
    max_width_cm integer,
    max_height_cm integer,
    max_girth_cm integer,
    max_shipment_grams integer,
    scope text NOT NULL CHECK (scope IN ('any', 'domestic', 'international')),
    from_countries text[],
    recipient text NOT NULL CHECK (recipient IN ('any', 'individual', 'business')),
    max_insured_cents bigint,
    PRIMARY KEY (version_id, product_id),
    CHECK ((parcel_type = 'DOC') = (document_grams IS NOT NULL))
  )`,
  `CREATE TABLE country_group (
    version_id bigint NOT NULL REFERENCES rate_card_version ON DELETE CASCADE,
    country text NOT NULL CHECK (country ~ '^([A-Z]{2}|\\*)$'),
    group_code text NOT NULL,
    PRIMARY KEY (version_id, country)
  )`,
  `CREATE TABLE lane_zone (
    version_id bigint NOT NULL REFERENCES rate_card_version ON DELETE CASCADE,
    from_group text NOT NULL,
    to_group text NOT NULL,
    zone integer NOT NULL CHECK (zone >= 0),
    PRIMARY KEY (version_id, from_group, to_group)
  )`,
  `CREATE TABLE zone_price (
    version_id bigint NOT NULL,
    product_id integer NOT NULL,
    zone integer NOT NULL,
    unit text NOT NULL CHECK (unit IN ('KG', 'PER100KG', 'PALLET')),
    pallet_class text NOT NULL DEFAULT '' CHECK ((unit = 'PALLET') = (pallet_class <> '')),
    over_grams integer NOT NULL CHECK (over_grams >= 0),
    up_to_grams integer NOT NULL CHECK (unit = 'PALLET' OR up_to_grams > over_grams),
    price_cents integer NOT NULL CHECK (price_cents >= 0),
    step_grams integer CHECK (step_grams > 0),
    step_cents integer CHECK ((step_cents IS NULL) = (step_grams IS NULL)),
    PRIMARY KEY (version_id, product_id, zone, unit, pallet_class, up_to_grams),
    FOREIGN KEY (version_id, product_id) REFERENCES product ON DELETE CASCADE
  )`,
  `CREATE TABLE transit (
    version_id bigint NOT NULL,
    product_id integer NOT NULL,
    zone integer NOT NULL,
    min_days integer NOT NULL CHECK (min_days >= 0),
    max_days integer NOT NULL CHECK (max_days >= min_days),
    PRIMARY KEY (version_id, product_id, zone),
    FOREIGN KEY (version_id, product_id) REFERENCES product ON DELETE CASCADE
  )`,
  `CREATE TABLE pallet_class (
    version_id bigint NOT NULL REFERENCES rate_card_version ON DELETE CASCADE,
    carrier_code text NOT NULL REFERENCES carrier,
    pallet_class text NOT NULL,
    long_side_cm integer NOT NULL,
    short_side_cm integer NOT NULL CHECK (short_side_cm <= long_side_cm),
    max_height_cm integer NOT NULL,
    max_grams integer NOT NULL,
    spaces integer NOT NULL CHECK (spaces > 0),
    PRIMARY KEY (version_id, carrier_code, pallet_class, long_side_cm, short_side_cm)
  )`,
  `CREATE TABLE area (
    version_id bigint NOT NULL REFERENCES rate_card_version ON DELETE CASCADE,
    country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
    postal_from text NOT NULL,
    postal_to text NOT NULL,
    area_class text NOT NULL CHECK (area_class IN ('NORMAL', 'REMOTE', 'ISLAND', 'OVERSEAS')),
    PRIMARY KEY (version_id, country, postal_from, postal_to)
  )`,
  // '*' as carrier means all carriers of the card.
  `CREATE TABLE area_transit (
    version_id bigint NOT NULL REFERENCES rate_card_version ON DELETE CASCADE,
    carrier_code text NOT NULL,
    area_class text NOT NULL CHECK (area_class IN ('NORMAL', 'REMOTE', 'ISLAND', 'OVERSEAS')),
    extra_min_days integer NOT NULL CHECK (extra_min_days >= 0),
    extra_max_days integer NOT NULL CHECK (extra_max_days >= extra_min_days),
    PRIMARY KEY (version_id, carrier_code, area_class)
  )`,
  `CREATE TABLE surcharge (
    version_id bigint NOT NULL REFERENCES rate_card_version ON DELETE CASCADE,
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
    valid_from date NOT NULL,
    PRIMARY KEY (version_id, carrier_code, surcharge_code, valid_from)
  )`,
  `CREATE TABLE insurance (
    version_id bigint NOT NULL REFERENCES rate_card_version ON DELETE CASCADE,
    carrier_code text NOT NULL REFERENCES carrier,
    free_cover_cents bigint NOT NULL CHECK (free_cover_cents >= 0),
    rate_bps integer NOT NULL CHECK (rate_bps >= 0),
    minimum_cents bigint NOT NULL CHECK (minimum_cents >= 0),
    max_value_cents bigint NOT NULL,
    PRIMARY KEY (version_id, carrier_code)
  )`,
  // A table of its own: fuel changes weekly or monthly and needs no new card.
  `CREATE TABLE fuel_rate (
    carrier_code text NOT NULL REFERENCES carrier,
    valid_from date NOT NULL,
    rate_bps integer NOT NULL CHECK (rate_bps >= 0),
    PRIMARY KEY (carrier_code, valid_from)
  )`,
  `CREATE TABLE capital (
    country text PRIMARY KEY CHECK (country ~ '^[A-Z]{2}$'),
    city text NOT NULL,
    postal_code text NOT NULL
  )`,
]
