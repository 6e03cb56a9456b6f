/** Duties that depend on an additional code, and tariff quotas. A table of customs data, as in 004-customs.ts. */
const ppm = (column: string): string => `${column} integer CHECK (${column} BETWEEN 0 AND 10000000)`

export const CONDITIONAL_DUTIES = [
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
    valid_from date, valid_to date, CHECK (valid_to > valid_from),
    agreement text NOT NULL,
    confidence text NOT NULL CHECK (confidence IN ('high', 'medium', 'low')),
    note text NOT NULL,
    set_id bigint NOT NULL REFERENCES customs_data_set ON DELETE CASCADE,
    sort_no integer NOT NULL, PRIMARY KEY (set_id, sort_no),
    UNIQUE NULLS NOT DISTINCT
      (set_id, jurisdiction, code_prefix, measure_type, origin_group, additional_code, order_number, valid_from),
    CHECK (ad_valorem_ppm IS NOT NULL OR specific || minimum || text <> '')
  )`,
]
