/**
 * Customs data in data sets: drafts, published in layers, or withdrawn. Column names are the field names of the rows in
 * core, in snake_case (see src/store/customs/rows.ts).
 * Rates in parts per million (10,000 = 1%), amounts as decimal text, validity half-open with null for open.
 */

/** Rows are deleted with their set. `sort_no` keeps the order of the file, which decides precedence between rows. */
const IN_SET = `set_id bigint NOT NULL REFERENCES customs_data_set ON DELETE CASCADE,
    sort_no integer NOT NULL, PRIMARY KEY (set_id, sort_no)`
const VALIDITY = 'valid_from date, valid_to date, CHECK (valid_to > valid_from)'
const CONFIDENCE = "confidence text NOT NULL CHECK (confidence IN ('high', 'medium', 'low'))"
const RECIPIENT = "recipient text NOT NULL CHECK (recipient IN ('any', 'individual', 'business'))"
const CURRENCY = "currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$')"
/** Empty in rows without amounts. */
const CURRENCY_OF_AMOUNTS = "currency text NOT NULL CHECK (currency ~ '^([A-Z]{3})?$')"
const JURISDICTION = "jurisdiction text NOT NULL CHECK (jurisdiction <> '')"
const PREFIX = "code_prefix text NOT NULL CHECK (code_prefix ~ '^[0-9]{0,10}$')"
/** A rate above 10,000,000 (1,000%) is probably a misplaced decimal point. */
const ppm = (column: string): string => `${column} integer CHECK (${column} BETWEEN 0 AND 10000000)`
/** Decimal text without a sign; empty for none. */
const amount = (column: string): string =>
  `${column} text NOT NULL CHECK (${column} ~ '^([0-9]{1,15}(\\.[0-9]{1,6})?)?$')`
/** Keys are unique within a set. Drafts and layers can repeat the keys of other sets. */
const unique = (columns: string): string => `UNIQUE NULLS NOT DISTINCT (set_id, ${columns})`

const SETS = [
  // The content under a `set_id` never changes, so rows that were read once need not be read again.
  `CREATE TABLE customs_data_set (
    set_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    data_set text NOT NULL UNIQUE CHECK (data_set ~ '^[a-z0-9-]{1,60}$'),
    table_names text[] NOT NULL,
    title text NOT NULL CHECK (title <> ''),
    source text NOT NULL CHECK (source <> ''),
    published_on date NOT NULL,
    -- Compared with the shipped file at start, which rewrites only sets that changed.
    content_hash text NOT NULL CHECK (content_hash ~ '^[0-9a-f]{64}$'),
    sort_no integer NOT NULL,
    -- Shipped sets are deleted when a later version no longer ships them. Imported sets stay.
    is_shipped boolean NOT NULL,
    state text NOT NULL CHECK (state IN ('draft', 'published', 'withdrawn')),
    -- In each scope the set with the highest layer applies. Shipped sets are 0, imported sets count up from 1.
    layer integer CHECK (layer >= 0),
    jurisdiction text CHECK (jurisdiction <> ''),
    imported_from text CHECK (imported_from <> ''),
    loaded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    published_at timestamptz,
    CHECK ((state = 'published') = (layer IS NOT NULL)),
    CHECK ((state = 'draft') = (published_at IS NULL)),
    CHECK (is_shipped = (layer IS NOT DISTINCT FROM 0))
  )`,
  'CREATE UNIQUE INDEX customs_data_set_layer ON customs_data_set (layer) WHERE layer > 0',
  // The table has one row. Every change locks that row and increments the revision.
  `CREATE TABLE customs_book (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    revision bigint NOT NULL
  )`,
  'INSERT INTO customs_book (revision) VALUES (0)',
  `CREATE TABLE customs_change (
    revision bigint PRIMARY KEY,
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    what text NOT NULL CHECK (what <> '')
  )`,
]

const PLACES = [
  // Areas are lists because Northern Ireland belongs to two: goods enter freely from both.
  `CREATE TABLE customs_jurisdiction (
    code text NOT NULL CHECK (code <> ''),
    name text NOT NULL,
    ${CURRENCY},
    customs_areas text[] NOT NULL CHECK (cardinality(customs_areas) > 0),
    tax_areas text[] NOT NULL CHECK (cardinality(tax_areas) > 0),
    valuation text NOT NULL CHECK (valuation IN ('CIF', 'FOB')),
    ${amount('rounding_unit')},
    rounding_mode text NOT NULL CHECK (rounding_mode IN ('half_up', 'down')),
    ${amount('value_unit')},
    reliefs text NOT NULL CHECK (reliefs IN ('considered', 'not_considered')),
    note text NOT NULL,
    ${IN_SET}, ${unique('code')}
  )`,
  // No foreign keys to jurisdictions: sets are replaced one at a time, and a country without a row is its own
  // jurisdiction.
  `CREATE TABLE customs_territory (
    country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
    postal_from text NOT NULL,
    postal_to text NOT NULL CHECK ((postal_from = '') = (postal_to = '')),
    name text NOT NULL,
    ${JURISDICTION},
    ${IN_SET}, ${unique('country, postal_from, postal_to')}
  )`,
  `CREATE TABLE customs_origin_group (
    origin_group text NOT NULL CHECK (origin_group <> ''),
    country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
    ${IN_SET}, ${unique('origin_group, country')}
  )`,
  `CREATE TABLE customs_code_list (
    code_list text NOT NULL CHECK (code_list <> ''),
    ${PREFIX},
    ${IN_SET}, ${unique('code_list, code_prefix')}
  )`,
  `CREATE TABLE customs_hs_successor (
    ended_code text NOT NULL CHECK (ended_code ~ '^[0-9]{6}$'),
    ended_edition text NOT NULL CHECK (ended_edition <> ''),
    code text NOT NULL CHECK (code ~ '^[0-9]{6}$'),
    edition text NOT NULL CHECK (edition <> ''),
    is_main boolean NOT NULL,
    ${IN_SET}, ${unique('ended_code, ended_edition, code')}
  )`,
]

const TAXES = [
  `CREATE TABLE customs_tax (
    ${JURISDICTION},
    tax text NOT NULL CHECK (tax <> ''),
    name text NOT NULL CHECK (name <> ''),
    kind text NOT NULL CHECK (kind IN ('DUTY', 'VAT', 'GST', 'EXCISE', 'FEE')),
    status text NOT NULL CHECK (status IN ('levied', 'none', 'not_estimated')),
    base text NOT NULL CHECK (base IN ('value_and_duty', 'inside')),
    includes_freight boolean NOT NULL,
    ${ppm('uplift_ppm')} NOT NULL,
    rates_of text NOT NULL,
    -- A line at zero needs a reason.
    reason text NOT NULL CHECK (status = 'levied' OR reason <> ''),
    note text NOT NULL,
    -- Codes that the note and the tax apply to; empty for all.
    note_prefixes text[] NOT NULL,
    code_prefixes text[] NOT NULL,
    ${IN_SET}, ${unique('jurisdiction, tax')}
  )`,
  `CREATE TABLE customs_tax_rate (
    ${JURISDICTION},
    tax text NOT NULL CHECK (tax <> ''),
    ${PREFIX},
    ${ppm('rate_ppm')} NOT NULL,
    kind text NOT NULL CHECK (kind <> ''),
    ${VALIDITY}, ${CONFIDENCE},
    note text NOT NULL,
    ${IN_SET}, ${unique('jurisdiction, tax, code_prefix, valid_from')}
  )`,
]

const DUTIES = [
  `CREATE TABLE customs_measure_type (
    measure_type text NOT NULL CHECK (measure_type <> ''),
    name text NOT NULL CHECK (name <> ''),
    role text NOT NULL CHECK (role IN ('base', 'preference', 'additional')),
    not_with text[] NOT NULL,
    ${IN_SET}, ${unique('measure_type')}
  )`,
  // Amounts per quantity are text such as "9 EUR/100 kg", parsed by src/core/customs/tariff.
  `CREATE TABLE customs_measure (
    ${JURISDICTION},
    ${PREFIX},
    measure_type text NOT NULL CHECK (measure_type <> ''),
    kind text NOT NULL CHECK (kind IN ('additive', 'cap_total', 'floor_total', 'replace_base')),
    origin_group text NOT NULL CHECK (origin_group <> ''),
    excluded_origins text[] NOT NULL,
    scope_list text NOT NULL,
    exempt_list text NOT NULL,
    basis text NOT NULL CHECK (basis IN ('value', 'duty')),
    against text[] NOT NULL,
    ${ppm('ad_valorem_ppm')},
    specific text NOT NULL,
    minimum text NOT NULL,
    maximum text NOT NULL,
    condition text NOT NULL
      CHECK (condition IN ('', 'seasonal', 'entry_price', 'meursing', 'not_loaded', 'not_parsed')),
    text text NOT NULL,
    ${ppm('lowest_ppm')},
    ${ppm('highest_ppm')},
    line_count integer CHECK (line_count > 0),
    ${VALIDITY},
    agreement text NOT NULL,
    ${CONFIDENCE},
    note text NOT NULL,
    ${IN_SET},
    ${unique('jurisdiction, code_prefix, measure_type, origin_group, scope_list, agreement, valid_from')},
    -- A measure without any rate would count as zero.
    CHECK (ad_valorem_ppm IS NOT NULL OR specific <> '' OR condition <> '' OR text <> '')
  )`,
]

const CHARGES = [
  `CREATE TABLE customs_threshold (
    ${JURISDICTION},
    applies_to text NOT NULL CHECK (applies_to IN ('duty', 'tax')),
    kind text NOT NULL CHECK (kind IN ('relief_up_to', 'flat_per_item', 'flat_rate', 'taxed_excess',
      'not_levied_up_to', 'not_levied_below')),
    ${amount('limit_amount')} CHECK (limit_amount <> '' OR kind IN ('flat_per_item', 'flat_rate')),
    value_basis text NOT NULL CHECK (value_basis IN ('goods', 'customs_value')),
    ${CURRENCY_OF_AMOUNTS},
    ${amount('flat_amount')} CHECK (flat_amount <> '' OR kind <> 'flat_per_item'),
    ${amount('deduct_amount')},
    ${ppm('rate_ppm')} CHECK (rate_ppm IS NOT NULL OR kind <> 'flat_rate'),
    ${RECIPIENT},
    sent_from text[] NOT NULL,
    included_prefixes text[] NOT NULL,
    excluded_prefixes text[] NOT NULL,
    yields_to_preference boolean NOT NULL,
    replaces_taxes boolean NOT NULL,
    reason text NOT NULL CHECK (reason <> ''),
    enabled boolean NOT NULL,
    ${VALIDITY}, ${CONFIDENCE},
    ${IN_SET}
  )`,
  `CREATE TABLE customs_fee (
    ${JURISDICTION},
    fee text NOT NULL CHECK (fee <> ''),
    name text NOT NULL CHECK (name <> ''),
    kind text NOT NULL CHECK (kind IN ('per_consignment', 'per_line', 'share_of_value')),
    status text NOT NULL CHECK (status IN ('levied', 'not_estimated')),
    ${CURRENCY_OF_AMOUNTS},
    ${amount('amount')},
    ${ppm('rate_ppm')},
    ${amount('minimum')},
    ${amount('maximum')},
    ${amount('not_levied_below')},
    ${amount('value_above')},
    ${amount('value_up_to')},
    ${RECIPIENT},
    in_tax_base boolean NOT NULL,
    waived_by_preference boolean NOT NULL,
    reason text NOT NULL CHECK (status = 'levied' OR reason <> ''),
    enabled boolean NOT NULL,
    ${VALIDITY}, ${CONFIDENCE},
    ${IN_SET}, ${unique('jurisdiction, fee, recipient, value_above, valid_from')},
    CHECK (status = 'not_estimated' OR CASE kind WHEN 'share_of_value' THEN rate_ppm IS NOT NULL
      ELSE amount <> '' END)
  )`,
  `CREATE TABLE customs_exchange_rate (
    currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$' AND currency <> 'EUR'),
    ${amount('units_per_euro')} CHECK (units_per_euro ~ '[1-9]'),
    valid_from date NOT NULL,
    ${CONFIDENCE},
    note text NOT NULL,
    ${IN_SET}, ${unique('currency, valid_from')}
  )`,
]

/** `refuse_all` is created by 002-rate-cards.ts. */
const GUARDS = [
  `CREATE TRIGGER refused BEFORE UPDATE OR DELETE OR TRUNCATE ON customs_change
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_all()`,
  `CREATE TRIGGER refused BEFORE DELETE OR TRUNCATE ON customs_book
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_all()`,
]

export const CUSTOMS = [...SETS, ...PLACES, ...TAXES, ...DUTIES, ...CHARGES, ...GUARDS]
