/**
 * Services of a rate card: whether a product offers the services of a request, and what is charged for them. A service
 * is charged like a surcharge of all units. Rules: docs/rate-card-files.md#services.
 */
import { formatKilograms } from '../../quantity.ts'
import type { ServiceRow } from '../rate-card.ts'
import { SERVICE_NAMES, type Service } from '../sender-service.ts'
import { type Decline, serviceDeclined } from './limits.ts'
import { compileRuleAmount, compileRuleCondition, type RuleCondition } from './rule.ts'
import type { RuleVocabularies } from './rule-vocabulary.ts'
import { dayNumber, type Surcharge, type SurchargeFacts } from './surcharge.ts'

/** A compiled row of a service. */
export type ServiceOffer = {
  readonly row: ServiceRow
  readonly condition: RuleCondition | undefined
  readonly charge: Surcharge
}

/** `no` is the number of the row among those of its carrier and service, from 1. */
export type NumberedServiceRow = { readonly row: ServiceRow; readonly no: number }

/** `validFrom`: the first day of the card. Throws on a faulty expression. */
export function compileServices(
  rows: readonly NumberedServiceRow[],
  vocabularies: RuleVocabularies,
  validFrom: string,
): readonly ServiceOffer[] {
  return rows.map(({ row, no }) => {
    const { formula, condition: text, per } = row
    const condition = text === undefined ? undefined : compileRuleCondition(text, vocabularies)
    const charge: Surcharge = {
      // Unique among the services of the carrier.
      code: `service ${row.service}${no === 1 ? '' : ` ${no}`}`,
      name: row.name,
      reason: 'Chosen by the sender',
      phase: 'accessorial',
      method: row.method,
      amount: row.amount,
      minimumCents: row.minimumCents,
      per,
      trigger: `service=${row.service}`,
      fuelable: row.fuelable,
      excludes: [],
      validFrom,
      kind: 'SERVICE',
      firstDay: dayNumber(validFrom),
      endDay: Number.POSITIVE_INFINITY,
      when: ALWAYS,
      condition,
      formula: formula === undefined ? undefined : compileRuleAmount(formula, per, vocabularies),
      excludedBy: [],
    }
    return { row, condition, charge }
  })
}

const ALWAYS: Surcharge['when'] = { holds: () => true, dependsOnUnit: false }

/** The rows of a product, of those of its group. */
export function offersOf(offers: readonly ServiceOffer[], productId: number): readonly ServiceOffer[] {
  return offers.filter(({ row }) => row.products?.includes(productId) ?? true)
}

/**
 * What is charged for the services of a request, in the order of the rows, or why they are not offered. `offers` are
 * all rows of the product.
 */
export function chargesOfServices(
  offers: readonly ServiceOffer[],
  services: readonly Service[],
  facts: SurchargeFacts,
): readonly Surcharge[] | Decline {
  const chosen = new Set<ServiceOffer>()
  for (const service of services) {
    const offer = fittingOffer(offers, service, facts)
    if (!('row' in offer)) return offer
    chosen.add(offer)
  }
  for (const { row } of chosen) {
    const declined = declineCombination(row, services)
    if (declined !== undefined) return declined
  }
  return offers.filter((offer) => chosen.has(offer)).map(({ charge }) => charge)
}

/** The first row of the service that fits. If none does, the reason is that of the first one. */
function fittingOffer(
  offers: readonly ServiceOffer[],
  service: Service,
  facts: SurchargeFacts,
): ServiceOffer | Decline {
  let declined: Decline | undefined
  for (const offer of offers) {
    if (offer.row.service !== service) continue
    const reason = misfitOf(offer, facts)
    if (reason === undefined) return offer
    declined ??= serviceDeclined(service, offer.row.name, reason)
  }
  return declined ?? serviceDeclined(service, SERVICE_NAMES[service], 'is not offered with this product')
}

/** Why a row does not fit a shipment; undefined if it does. */
function misfitOf(
  { row, condition }: ServiceOffer,
  { shipment, parcels }: SurchargeFacts,
): string | undefined {
  const { fromCountries, toCountries, zones, minShipmentGrams, maxShipmentGrams, maxUnitGrams } = row
  if (fromCountries?.includes(shipment.fromCountry) === false)
    return `is offered from ${fromCountries.join(', ')} only`
  if (toCountries?.includes(shipment.toCountry) === false)
    return `is offered to ${toCountries.join(', ')} only`
  if (zones?.includes(shipment.zone) === false) return 'is not offered on this route'
  const { shipmentGrams } = shipment
  if (minShipmentGrams !== undefined && shipmentGrams < minShipmentGrams)
    return `is offered from ${formatKilograms(minShipmentGrams)} kg on; the shipment weighs ${formatKilograms(shipmentGrams)} kg`
  if (maxShipmentGrams !== undefined && shipmentGrams > maxShipmentGrams)
    return `is offered up to ${formatKilograms(maxShipmentGrams)} kg; the shipment weighs ${formatKilograms(shipmentGrams)} kg`
  const heaviest = parcels.reduce((grams, { weightGrams }) => Math.max(grams, weightGrams), 0)
  if (maxUnitGrams !== undefined && heaviest > maxUnitGrams)
    return `is offered up to ${formatKilograms(maxUnitGrams)} kg per unit; one weighs ${formatKilograms(heaviest)} kg`
  if (condition === undefined) return undefined
  const holds = parcels.every((unit) => condition.holds({ shipment, unit, billedGrams: 0, freightCents: 0 }))
  return holds ? undefined : 'is not offered for this shipment'
}

function declineCombination(
  { service, name, requires, excludes }: ServiceRow,
  services: readonly Service[],
): Decline | undefined {
  const missing = requires.filter((other) => !services.includes(other))
  if (missing.length > 0)
    return serviceDeclined(service, name, `is offered together with ${missing.join(', ')} only`)
  const excluded = excludes.filter((other) => services.includes(other))
  if (excluded.length > 0)
    return serviceDeclined(service, name, `cannot be combined with ${excluded.join(', ')}`)
  return undefined
}
