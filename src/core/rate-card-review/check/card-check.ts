/**
 * Everything that speaks against a rate card as a whole, before it is kept: what would make quotes impossible,
 * wrong or ambiguous is a fault, what is only odd a warning. One finding per cause.
 * Source: the rules of import in src/reference/README.md.
 */

import type { RateCardImport } from '../../rating/rate-card.ts'
import { indexCard } from './card-index.ts'
import { checkCoverage, checkLanes, checkTransit } from './coverage.ts'
import { type CardFindings, gatherFindings } from './findings.ts'
import { checkPlaces } from './places.ts'
import { checkPrices } from './prices.ts'
import { checkProducts, checkReferences } from './products.ts'
import { checkSurcharges } from './surcharges.ts'

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
