/**
 * Checks the currency and VAT of a card: one row of terms, one rate per zone, no rate of a zone that no lane leads to,
 * a rate for every zone of the VAT chart, and one for every zone with prices if prices include VAT.
 */
import { type RateCardContent, VAT_CHART } from '../../rating/rate-card.ts'
import { type CardIndex, listText, productText } from './card-index.ts'
import { type Reports, reportDuplicates } from './findings.ts'

/** Larger figures are probably mistakes. The database refuses them too. */
const LARGEST = { roundToCents: 10_000, rateDays: 400, rateBps: 10_000 } as const

export function checkPriceTerms(content: RateCardContent, index: CardIndex, reports: Reports): void {
  const { priceTerms, vatRates } = content
  const { fault } = reports
  reportDuplicates(fault, 'priceTerms', priceTerms, () => 'terms', 'one row')
  priceTerms.forEach(({ roundToCents, rateDays }, row) => {
    if (roundToCents > LARGEST.roundToCents)
      fault('priceTerms', 'step', { index: row, field: 'roundToCents', expected: 'at most 100' })
    if (rateDays > LARGEST.rateDays)
      fault('priceTerms', 'days', { index: row, field: 'rateDays', expected: `at most ${LARGEST.rateDays}` })
  })
  const nameOf = (chart: string, zone: number): string => `zone ${zone} of ${listText('zone chart', chart)}`
  reportDuplicates(
    fault,
    'vatRates',
    vatRates,
    ({ zoneChart, zone }) => nameOf(zoneChart, zone),
    'one row for each zone',
  )
  vatRates.forEach(({ zoneChart, zone, rateBps }, row) => {
    if (rateBps > LARGEST.rateBps)
      fault('vatRates', 'rate', { index: row, field: 'rateBps', expected: 'at most 100' })
    if (index.charts.get(zoneChart)?.zones.has(zone) !== true)
      fault('vatRates', 'zone', {
        index: row,
        field: 'zone',
        expected: `a zone that a lane of ${listText('zone chart', zoneChart)} leads to`,
        found: String(zone),
      })
  })
  checkVatChart(content, index, reports)
  if (priceTerms.some(({ vatIncluded }) => vatIncluded)) checkComplete(content, index, reports)
}

/** A lane of the VAT chart only serves to find a rate. */
function checkVatChart({ vatRates }: RateCardContent, index: CardIndex, { fault }: Reports): void {
  const zones = index.charts.get(VAT_CHART)?.zones ?? []
  const stated = new Set(vatRates.filter(({ zoneChart }) => zoneChart === VAT_CHART).map(({ zone }) => zone))
  for (const zone of zones)
    if (!stated.has(zone)) {
      const chart = listText('zone chart', VAT_CHART)
      fault('vatRates', 'missing', { expected: `a rate for zone ${zone} of ${chart}, which a lane leads to` })
    }
}

/** Without a rate, the VAT in a price is not known. */
function checkComplete({ vatRates }: RateCardContent, index: CardIndex, { fault }: Reports): void {
  const stated = new Set(vatRates.map(({ zoneChart, zone }) => `${zone} ${zoneChart}`))
  const missing = new Map<string, string>()
  for (const [productId, zones] of index.priced) {
    const terms = index.products.get(productId)
    if (terms === undefined) continue
    for (const zone of zones.keys()) {
      const key = `${zone} ${terms.zoneChart}`
      if (stated.has(key) || missing.has(key)) continue
      const place = `zone ${zone} of ${listText('zone chart', terms.zoneChart)}`
      missing.set(
        key,
        `a rate for ${place}, because prices include VAT and ${productText(terms)} has prices there`,
      )
    }
  }
  for (const expected of missing.values()) fault('vatRates', 'missing', { expected })
}
