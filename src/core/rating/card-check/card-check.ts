/**
 * Everything that speaks against a rate card as a whole, before it is kept: what would make quotes impossible,
 * wrong or ambiguous is a fault, what is only odd a warning. One finding per cause.
 * Source: the rules of import in src/reference/README.md.
 */
import type { CardFindings } from '../card-fault.ts'
import type { RateCardImport } from '../rate-card.ts'
import { indexCard } from './card-index.ts'
import { checkCoverage } from './coverage.ts'
import { gatherFindings } from './findings.ts'
import { checkLanes } from './lanes.ts'
import { checkPlaces } from './places.ts'
import { checkPrices } from './prices.ts'
import { checkProducts } from './products.ts'
import { checkReferences } from './references.ts'
import { checkSurcharges } from './surcharges.ts'
import { checkTransit } from './transit.ts'

/**
 * Checks a card. Fields are named as the row types name them; of a kind of finding the first 20 are listed, and
 * the last of them counts the others. A card with faults cannot be compiled into a rate book, or not as it was meant.
 */
export function checkRateCard(card: RateCardImport): CardFindings {
  const index = indexCard(card)
  const reports = gatherFindings()
  checkProducts(card, index, reports)
  checkCoverage(card, index, reports)
  checkPlaces(card.content, reports)
  checkLanes(card.content, index, reports)
  checkPrices(card.content.prices, index, reports)
  checkTransit(card.content, index, reports)
  checkSurcharges(card, index, reports)
  checkReferences(card, index, reports)
  return reports.findings()
}
