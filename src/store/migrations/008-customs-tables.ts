/**
 * Tables of excise rates, clearance fees of carriers, and conditional duties. They are tables of customs data, as in
 * 004-customs.ts.
 */

const IN_SET = `set_id bigint NOT NULL REFERENCES customs_data_set ON DELETE CASCADE,
    sort_no integer NOT NULL, PRIMARY KEY (set_id, sort_no)`
const VALIDITY = 'valid_from date, valid_to date, CHECK (valid_to > valid_from)'
const CONFIDENCE = "confidence text NOT NULL CHECK (confidence IN ('high', 'medium', 'low'))"
const ppm = (column: string): string => `${column} integer CHECK (${column} BETWEEN 0 AND 10000000)`
const amount = (column: string): string =>
  `${column} text NOT NULL CHECK (${column} ~ '^([0-9]{1,15}(\\.[0-9]{1,6})?)?$')`
const unique = (columns: string): string => `UNIQUE NULLS NOT DISTINCT (set_id, ${columns})`

export const ADDED_CUSTOMS_TABLES = [
  `CREATE TABLE customs_excise_rate (
    jurisdiction text NOT NULL CHECK (jurisdiction <> ''),
    excise text NOT NULL CHECK (excise <> ''),
    name text NOT NULL CHECK (name <> ''),
    code_prefix text NOT NULL CHECK (code_prefix ~ '^[0-9]{0,10}$'),
    ${ppm('strength_above_ppm')},
    ${ppm('strength_up_to_ppm')} CHECK (strength_up_to_ppm > strength_above_ppm),
    ${ppm('retail_price_ppm')},
    ${ppm('ad_valorem_ppm')},
    specific text NOT NULL,
    minimum text NOT NULL,
    text text NOT NULL,
    ${VALIDITY}, ${CONFIDENCE},
    note text NOT NULL,
    ${IN_SET}, ${unique('jurisdiction, excise, code_prefix, strength_above_ppm, valid_from')},
    CHECK (retail_price_ppm IS NOT NULL OR ad_valorem_ppm IS NOT NULL OR specific || minimum <> '')
  )`,
  `CREATE TABLE customs_clearance_fee (
    carrier text NOT NULL CHECK (carrier <> ''),
    product text NOT NULL,
    fee text NOT NULL CHECK (fee <> ''),
    name text NOT NULL CHECK (name <> ''),
    kind text NOT NULL CHECK (kind IN ('fixed', 'share_of_charges')),
    destinations text[] NOT NULL,
    sent_from text[] NOT NULL,
    ${amount('value_above')},
    ${amount('value_up_to')},
    recipient text NOT NULL CHECK (recipient IN ('any', 'individual', 'business')),
    currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    ${amount('amount')},
    ${ppm('rate_ppm')},
    ${amount('minimum')},
    ${amount('maximum')},
    only_if_charged boolean NOT NULL,
    enabled boolean NOT NULL,
    ${VALIDITY}, ${CONFIDENCE},
    note text NOT NULL,
    ${IN_SET},
    ${unique('carrier, product, fee, destinations, sent_from, value_above, recipient, currency, enabled, valid_from')},
    CHECK (CASE kind WHEN 'fixed' THEN amount <> '' ELSE rate_ppm IS NOT NULL END)
  )`,
  `CREATE TABLE customs_conditional_duty (
    jurisdiction text NOT NULL CHECK (jurisdiction <> ''),
    code_prefix text NOT NULL CHECK (code_prefix ~ '^[0-9]{0,10}$'),
    measure_type text NOT NULL CHECK (measure_type <> ''),
    depends_on text NOT NULL CHECK (depends_on IN ('additional_code', 'quota')),
    origin_group text NOT NULL CHECK (origin_group <> ''),
    excluded_origins text[] NOT NULL,
    additional_code text NOT NULL CHECK (depends_on = 'quota' OR additional_code <> ''),
    order_number text NOT NULL,
    ${ppm('ad_valorem_ppm')},
    specific text NOT NULL,
    minimum text NOT NULL,
    maximum text NOT NULL,
    text text NOT NULL,
    ${VALIDITY},
    agreement text NOT NULL,
    ${CONFIDENCE},
    note text NOT NULL,
    ${IN_SET},
    ${unique('jurisdiction, code_prefix, measure_type, origin_group, additional_code, order_number, valid_from')},
    CHECK (ad_valorem_ppm IS NOT NULL OR specific || minimum || text <> '')
  )`,
]
