/**
 * Checks a rate card as a whole before it is stored. A fault makes quotes impossible, wrong or ambiguous. A warning is
 * about rows that are only unusual. There is one finding per cause.
 * Rules: docs/rate-card-files.md.
 */
import { CONNECTOR_NAMES } from '../../connector-names.ts'
import type { FuelRate, RateCardImport } from '../../rating/rate-card.ts'
import { indexCard } from './card-index.ts'
import { type CardFindings, collectFindings } from './findings.ts'
import { checkInsurance } from './insurance.ts'
import { checkMeasures } from './measures.ts'
import { checkPlaces } from './places/places.ts'
import { checkCoverage, checkLanes, checkTransit } from './plausibility/coverage.ts'
import { warnOfTypingErrors } from './plausibility/typing-errors.ts'
import { checkPriceTerms } from './price-terms.ts'
import { checkPrices } from './prices.ts'
import { checkProducts, checkReferences } from './products.ts'
import { type BookedServices, checkServices, warnOfUnbookable } from './services.ts'
import { checkSizes } from './sizes.ts'
import { checkSurcharges } from './surcharges.ts'

/**
 * Checks a card, and its fuel surcharges with the percentages `storedFuel` that the database has. `connectorNames` are
 * the connectors that a carrier can have, and `bookedServices` what those that book pass on. At most 20 findings of a
 * kind are listed; the last one has the number of those not listed.
 */
export function checkRateCard(
  card: RateCardImport,
  storedFuel: readonly Pick<FuelRate, 'carrierCode' | 'code'>[] = [],
  connectorNames: readonly string[] = CONNECTOR_NAMES,
  bookedServices: BookedServices = new Map(),
): CardFindings {
  const index = indexCard(card)
  const reports = collectFindings()
  checkProducts(card, index, reports)
  checkMeasures(card.content, index, reports)
  checkCoverage(card, index, reports)
  checkPlaces(card.content, reports)
  checkLanes(card.content, index, reports)
  checkPrices(card.content.prices, index, reports)
  checkPriceTerms(card.content, index, reports)
  checkTransit(card.content, index, reports)
  checkSizes(card.content, reports)
  checkSurcharges(card, storedFuel, index, reports)
  checkServices(card.content, index, reports)
  warnOfUnbookable(card, bookedServices, reports)
  checkInsurance(card.content, index, reports)
  checkReferences(card, index, connectorNames, reports)
  warnOfTypingErrors(card, index, reports)
  return reports.findings()
}
