/** Jurisdictions that share a tariff without free circulation of goods between them. */
export const TARIFF_AREAS = [`ALTER TABLE customs_jurisdiction ADD COLUMN tariff_of text NOT NULL DEFAULT ''`]
