/** Tables of trade defence measures and of restricted goods. They are tables of customs data, as in 004-customs.ts. */

const IN_SET = `set_id bigint NOT NULL REFERENCES customs_data_set ON DELETE CASCADE,
    sort_no integer NOT NULL, PRIMARY KEY (set_id, sort_no)`
const VALIDITY = 'valid_from date, valid_to date, CHECK (valid_to > valid_from)'
const CONFIDENCE = "confidence text NOT NULL CHECK (confidence IN ('high', 'medium', 'low'))"
const unique = (columns: string): string => `UNIQUE NULLS NOT DISTINCT (set_id, ${columns})`

export const TRADE_DEFENCE = [
  `CREATE TABLE customs_trade_defence (
    jurisdiction text NOT NULL CHECK (jurisdiction <> ''),
    kind text NOT NULL CHECK (kind IN ('anti_dumping', 'countervailing', 'safeguard')),
    code_prefix text NOT NULL CHECK (code_prefix ~ '^[0-9]{4,10}$'),
    origin_group text NOT NULL CHECK (origin_group <> ''),
    excluded_origins text[] NOT NULL,
    goods text NOT NULL CHECK (goods <> ''),
    ${VALIDITY},
    source text NOT NULL,
    read_on date,
    ${CONFIDENCE},
    note text NOT NULL,
    ${IN_SET}, ${unique('jurisdiction, kind, code_prefix, origin_group, goods, valid_from')}
  )`,
  `CREATE TABLE customs_restriction (
    rule text NOT NULL CHECK (rule <> ''),
    destinations text[] NOT NULL,
    excluded_destinations text[] NOT NULL,
    sent_from text[] NOT NULL,
    excluded_senders text[] NOT NULL,
    code_prefixes text[] NOT NULL,
    words text NOT NULL,
    except_words text NOT NULL,
    item_value_above text NOT NULL CHECK (item_value_above ~ '^([0-9]{1,15}(\\.[0-9]{1,6})?)?$'),
    severity text NOT NULL
      CHECK (severity IN ('prohibited', 'licence_required', 'conditions_apply', 'carrier_restricted')),
    text text NOT NULL CHECK (text <> ''),
    ${VALIDITY},
    source text NOT NULL,
    read_on date,
    ${CONFIDENCE},
    note text NOT NULL,
    ${IN_SET},
    ${unique('rule, destinations, excluded_destinations, sent_from, excluded_senders, code_prefixes, words, valid_from')}
  )`,
]
