/**
 * Customs reference data: jurisdictions, territories, duty measures, taxes, thresholds and exchange rates.
 * Rates in parts per million (1% = 10,000); amounts numeric, in units of the currency beside them; validity
 * half-open, null is open.
 */
import { type Kysely, sql } from 'kysely'

/** Creates the tables of the customs room. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

/** Every row belongs to a data set and goes with it: a data set is replaced as a whole. */
const DATA_SET = 'data_set text NOT NULL REFERENCES customs_data_set ON DELETE CASCADE'
/** Keeps the order of the file, which is the order of lines and of precedence between thresholds. */
const SORT_NO = 'sort_no integer NOT NULL, UNIQUE (data_set, sort_no)'
const VALIDITY = 'valid_from date, valid_to date, CHECK (valid_to > valid_from)'
const CONFIDENCE = "confidence text NOT NULL CHECK (confidence IN ('high', 'medium', 'low'))"
const PREFIX = "code_prefix text NOT NULL CHECK (code_prefix ~ '^[0-9]{0,10}$')"
/** Above 10,000,000 (1,000%) a rate is a slip of the decimal point. */
const PPM = 'integer CHECK (%s BETWEEN 0 AND 10000000)'
const ppm = (column: string): string => `${column} ${PPM.replace('%s', column)}`

const STATEMENTS = [
  // The hash tells whether the shipped edition is the one stored: a start with nothing new writes nothing.
  `CREATE TABLE customs_data_set (
    data_set text PRIMARY KEY CHECK (data_set ~ '^[a-z0-9-]{1,60}$'),
    table_name text NOT NULL,
    title text NOT NULL CHECK (title <> ''),
    source text NOT NULL CHECK (source <> ''),
    published_on date NOT NULL,
    content_hash text NOT NULL CHECK (content_hash ~ '^[0-9a-f]{64}$'),
    sort_no integer NOT NULL,
    -- Shipped sets that a later version no longer has go with it; an operator's own stay.
    is_shipped boolean NOT NULL,
    loaded_at timestamptz NOT NULL DEFAULT now()
  )`,
  // Areas are lists because Northern Ireland lies in two: goods enter freely from either.
  `CREATE TABLE customs_jurisdiction (
    code text PRIMARY KEY CHECK (code ~ '^[A-Z][A-Z-]{1,29}$'),
    name text NOT NULL,
    currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    customs_areas text[] NOT NULL CHECK (cardinality(customs_areas) > 0),
    tax_areas text[] NOT NULL CHECK (cardinality(tax_areas) > 0),
    valuation text NOT NULL CHECK (valuation IN ('CIF', 'FOB')),
    rounding_unit text NOT NULL,
    reliefs text NOT NULL CHECK (reliefs IN ('considered', 'not_considered')),
    note text NOT NULL,
    ${DATA_SET}, ${SORT_NO}
  )`,
  // No foreign key to the jurisdiction: data sets are replaced one at a time, and a jurisdiction without a row is
  // a country on its own.
  `CREATE TABLE customs_territory (
    country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
    postal_from text NOT NULL,
    postal_to text NOT NULL CHECK ((postal_from = '') = (postal_to = '')),
    name text NOT NULL,
    jurisdiction text NOT NULL,
    ${DATA_SET}, ${SORT_NO},
    PRIMARY KEY (country, postal_from, postal_to)
  )`,
  `CREATE TABLE customs_tax (
    jurisdiction text NOT NULL,
    tax text NOT NULL CHECK (tax ~ '^[A-Z]{1,20}$'),
    name text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('DUTY', 'VAT', 'GST', 'EXCISE', 'FEE')),
    status text NOT NULL CHECK (status IN ('levied', 'none', 'not_estimated')),
    base text NOT NULL CHECK (base IN ('value_and_duty', 'inside')),
    ${ppm('uplift_ppm')} NOT NULL,
    rates_of text NOT NULL,
    -- A line at zero must say why.
    reason text NOT NULL CHECK (status = 'levied' OR reason <> ''),
    note text NOT NULL,
    -- Codes the note and the tax itself are about; empty: all.
    note_prefixes text[] NOT NULL,
    code_prefixes text[] NOT NULL,
    ${DATA_SET}, ${SORT_NO},
    PRIMARY KEY (jurisdiction, tax)
  )`,
  `CREATE TABLE customs_tax_rate (
    jurisdiction text NOT NULL,
    tax text NOT NULL,
    ${PREFIX},
    ${ppm('rate_ppm')} NOT NULL,
    kind text NOT NULL CHECK (kind IN ('standard', 'food', 'books', 'medicines')),
    ${VALIDITY}, ${CONFIDENCE},
    note text NOT NULL,
    ${DATA_SET}, ${SORT_NO},
    UNIQUE NULLS NOT DISTINCT (jurisdiction, tax, code_prefix, valid_from)
  )`,
  // Base duties, preferences and additional duties alike; measure_type and origin_group tell them apart.
  // Amounts per quantity are text in Waybill's own form ("9 EUR/100 kg"), which core parses when it compiles.
  `CREATE TABLE customs_measure (
    jurisdiction text NOT NULL,
    ${PREFIX},
    measure_type text NOT NULL CHECK (measure_type <> ''),
    kind text NOT NULL CHECK (kind IN ('additive', 'cap_total', 'floor_total', 'replace_base')),
    origin_group text NOT NULL CHECK (origin_group <> ''),
    ${ppm('ad_valorem_ppm')},
    specific text NOT NULL,
    minimum text NOT NULL,
    maximum text NOT NULL,
    condition text NOT NULL CHECK (condition IN ('', 'seasonal', 'entry_price', 'meursing')),
    text text NOT NULL CHECK (condition = '' OR text <> ''),
    ${ppm('lowest_ppm')},
    ${ppm('highest_ppm')},
    line_count integer CHECK (line_count > 0),
    ${VALIDITY},
    note text NOT NULL,
    ${DATA_SET}, ${SORT_NO},
    UNIQUE NULLS NOT DISTINCT (jurisdiction, code_prefix, measure_type, origin_group, valid_from),
    -- A measure without any rate would be a silent zero.
    CHECK (ad_valorem_ppm IS NOT NULL OR specific <> '' OR text <> '')
  )`,
  `CREATE TABLE customs_threshold (
    jurisdiction text NOT NULL,
    applies_to text NOT NULL CHECK (applies_to IN ('duty', 'tax')),
    kind text NOT NULL CHECK (kind IN ('relief_up_to', 'flat_per_item', 'not_levied_up_to', 'taxed_excess')),
    limit_amount numeric NOT NULL CHECK (limit_amount > 0),
    currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    flat_amount numeric CHECK ((kind = 'flat_per_item') = (flat_amount IS NOT NULL)),
    ${ppm('rate_ppm')},
    recipient text NOT NULL CHECK (recipient IN ('any', 'individual', 'business')),
    excluded_prefixes text[] NOT NULL,
    reason text NOT NULL CHECK (reason <> ''),
    ${VALIDITY}, ${CONFIDENCE},
    ${DATA_SET}, ${SORT_NO}
  )`,
  `CREATE TABLE customs_exchange_rate (
    currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$' AND currency <> 'EUR'),
    units_per_euro numeric NOT NULL CHECK (units_per_euro > 0),
    valid_from date NOT NULL,
    ${CONFIDENCE},
    note text NOT NULL,
    ${DATA_SET}, ${SORT_NO},
    PRIMARY KEY (currency, valid_from)
  )`,
]
