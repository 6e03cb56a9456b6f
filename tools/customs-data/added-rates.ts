/**
 * Rates that the published tables lack.
 * - Babies' garments are zero-rated as clothing for children: VAT Notice 714 of the United Kingdom, and the rates of
 *   Revenue (Ireland) as reported.
 * - Food supplements are not food: HMRC, VFOOD1980; the issues register of the Australian Taxation Office (Food
 *   Industry Partnership, issue 21); the Finance Act 2019 of Ireland, 13.5% since 2020, as reported.
 */
type AddedRate = readonly [
  tax: string,
  prefix: string,
  rate: string,
  kind: string,
  from: string,
  note: string,
]

const BABIES: readonly AddedRate[] = [
  ['VAT', '6111', '0', "babies' garments", '', ''],
  ['VAT', '6209', '0', "babies' garments", '', ''],
]

const OTHER_FOOD = 'Other foods of this code may be taxed at 0%.'

const ADDED: Readonly<Record<string, readonly AddedRate[]>> = {
  IE: [...BABIES, ['VAT', '210690', '13.5', 'food supplements', '2020-01-01', OTHER_FOOD]],
  GB: [...BABIES, ['VAT', '210690', '20', 'food supplements', '', OTHER_FOOD]],
  AU: [['GST', '210690', '10', 'food supplements', '', OTHER_FOOD]],
}

/** Rows of tax-rates.csv. */
export function addedRates(jurisdiction: string): readonly (readonly string[])[] {
  const rates = ADDED[jurisdiction] ?? []
  return rates.map(([tax, prefix, rate, kind, from, note]) => {
    return [jurisdiction, tax, prefix, rate, kind, from, '', 'medium', note]
  })
}
