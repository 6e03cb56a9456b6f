/** Conditions and formulas of surcharges, as expressions. See docs/rate-card-expressions.md. */
export const SURCHARGE_EXPRESSIONS = [
  `ALTER TABLE surcharge
    ADD COLUMN condition text,
    ADD COLUMN formula text,
    DROP CONSTRAINT surcharge_method_check,
    ADD CONSTRAINT surcharge_method_check CHECK (method IN ('flat', 'per_kg', 'pct', 'fuel', 'formula')),
    ADD CONSTRAINT surcharge_formula_check CHECK ((method = 'formula') = (formula IS NOT NULL))`,
]
