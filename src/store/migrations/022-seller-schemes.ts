/**
 * The table of schemes under which sellers collect import taxes, a table of customs data as in 004-customs.ts, and the
 * registrations of accounts for them. See docs/import-schemes.md.
 */
export const SELLER_SCHEMES = [
  `CREATE TABLE customs_seller_scheme (
    jurisdiction text NOT NULL CHECK (jurisdiction <> ''),
    scheme text NOT NULL CHECK (scheme <> ''),
    name text NOT NULL CHECK (name <> ''),
    limit_amount text NOT NULL CHECK (limit_amount ~ '^([0-9]{1,15}(\\.[0-9]{1,6})?)?$'),
    currency text NOT NULL CHECK (currency ~ '^([A-Z]{3})?$'),
    limit_on text NOT NULL CHECK (limit_on IN ('consignment', 'item')),
    below_limit boolean NOT NULL,
    excluded_prefixes text[] NOT NULL,
    recipient text NOT NULL CHECK (recipient IN ('any', 'individual', 'business')),
    frees_from_duty boolean NOT NULL,
    assumed boolean NOT NULL,
    valid_from date, valid_to date, CHECK (valid_to > valid_from),
    source text NOT NULL,
    read_on date,
    confidence text NOT NULL CHECK (confidence IN ('high', 'medium', 'low')),
    note text NOT NULL,
    set_id bigint NOT NULL REFERENCES customs_data_set ON DELETE CASCADE,
    sort_no integer NOT NULL, PRIMARY KEY (set_id, sort_no),
    UNIQUE NULLS NOT DISTINCT (set_id, jurisdiction, scheme, recipient, valid_from)
  )`,
  `CREATE TABLE account_registration (
    account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
    scheme text NOT NULL CHECK (scheme <> ''),
    number text NOT NULL CHECK (number ~ '^[A-Z0-9]{1,40}$'),
    valid_from date,
    valid_to date,
    CHECK (valid_to > valid_from),
    UNIQUE NULLS NOT DISTINCT (account_id, scheme, valid_from)
  )`,
]
