/**
 * Babies' garments are zero-rated as clothing for children: VAT Notice 714 of the United Kingdom, and the rates of
 * Revenue (Ireland) as reported. The published tables lack them.
 */
const BABIES: readonly (readonly [jurisdiction: string, confidence: string])[] = [
  ['IE', 'medium'],
  ['GB', 'medium'],
]

/** Rows of tax-rates.csv. */
export function babyRates(jurisdiction: string): readonly (readonly string[])[] {
  return BABIES.filter(([of]) => of === jurisdiction).flatMap(([of, confidence]) =>
    ['6111', '6209'].map((prefix) => [of, 'VAT', prefix, '0', "babies' garments", '', '', confidence, '']),
  )
}
