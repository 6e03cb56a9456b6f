/**
 * Services of a rate card: whether a product offers the services of a request, and what is charged for them. A service
 * is charged like a surcharge of all units. Rules: docs/rate-card-files.md#services.
 */
import { formatKilograms } from '../../quantity.ts'
import type { ServiceRow } from '../rate-card.ts'
import { SERVICE_NAMES, type Service } from '../sender-service.ts'
import { type Decline, serviceDeclined } from './limits.ts'
import { compileRuleAmount, compileRuleCondition, type RuleCondition, usesFreightClass } from './rule.ts'
import type { RuleVocabularies } from './rule-vocabulary.ts'
import { dayNumber, type Surcharge, type SurchargeFacts } from './surcharge.ts'

/** A compiled row of a service. */
export type ServiceOffer = {
  readonly row: ServiceRow
  /** Undefined: all products of the carrier. */
  readonly products: ReadonlySet<number> | undefined
  readonly condition: RuleCondition | undefined
  readonly charge: Surcharge
}

/** `position` as in `servicePositions`. */
export type PlacedServiceRow = { readonly row: ServiceRow; readonly position: number }

/** `validFrom`: the first day of the card. Throws on a faulty expression. */
export function compileServices(
  rows: readonly PlacedServiceRow[],
  vocabularies: RuleVocabularies,
  validFrom: string,
): readonly ServiceOffer[] {
  return rows.map(({ row, position }) => {
    const { formula, condition: text, per } = row
    const condition = text === undefined ? undefined : compileRuleCondition(text, vocabularies)
    const amount = formula === undefined ? undefined : compileRuleAmount(formula, per, vocabularies)
    const charge: Surcharge = {
      // Unique among the services of the carrier.
      code: `service ${row.service}${position === 1 ? '' : ` ${position}`}`,
      name: row.name,
      reason: 'Chosen by the sender',
      phase: 'accessorial',
      method: row.method,
      amount: row.amount,
      minimumCents: row.minimumCents,
      maximumCents: row.maximumCents,
      per,
      trigger: `service=${row.service}`,
      service: row.service,
      fuelable: row.fuelable,
      excludes: [],
      validFrom,
      kind: 'SERVICE',
      firstDay: dayNumber(validFrom),
      endDay: Number.POSITIVE_INFINITY,
      when: ALWAYS,
      condition,
      formula: amount,
      needsFreightClass:
        condition?.needsFreightClass === true || (amount !== undefined && usesFreightClass(amount.syntax)),
      excludedBy: [],
    }
    return { row, products: row.products && new Set(row.products), condition, charge }
  })
}

const ALWAYS: Surcharge['when'] = { holds: () => true, dependsOnUnit: false }

/** The rows of a product, of those of its group. */
export function offersOf(offers: readonly ServiceOffer[], productId: number): readonly ServiceOffer[] {
  return offers.filter(({ products }) => products?.has(productId) ?? true)
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
    const declined = declineCombination(row, services, offers)
    if (declined !== undefined) return declined
  }
  return offers.filter((offer) => chosen.has(offer)).map(({ charge }) => charge)
}

/** The first row of the service that fits. If none of several does, the reason is not the limit of one of them. */
function fittingOffer(
  offers: readonly ServiceOffer[],
  service: Service,
  facts: SurchargeFacts,
): ServiceOffer | Decline {
  let rows = 0
  let reason = 'is not offered with this product'
  for (const offer of offers) {
    if (offer.row.service !== service) continue
    const misfit = misfitOf(offer, facts)
    if (misfit === undefined) return offer
    rows += 1
    reason = rows === 1 ? misfit : NOT_FOR_SHIPMENT
  }
  return serviceDeclined(service, nameOf(service, offers), reason)
}

const NOT_FOR_SHIPMENT = 'is not offered for this shipment'

/** The name in the rate card, of the first row. */
function nameOf(service: Service, offers: readonly ServiceOffer[]): string {
  return offers.find(({ row }) => row.service === service)?.row.name ?? SERVICE_NAMES[service]
}

/** Why a row does not fit a shipment; undefined if it does. It does not depend on the product. */
function misfitOf(offer: ServiceOffer, facts: SurchargeFacts): string | undefined {
  const { misfits } = facts
  const known = misfits.get(offer.row)
  if (known !== undefined || misfits.has(offer.row)) return known
  const misfit = findMisfit(offer, facts)
  misfits.set(offer.row, misfit)
  return misfit
}

function findMisfit(
  { row, condition, charge }: ServiceOffer,
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
  if (charge.needsFreightClass && parcels.some(({ freightClassTenths }) => freightClassTenths === undefined))
    return 'is offered only if the freight class of every unit is stated'
  if (condition === undefined) return undefined
  const holds = parcels.every((unit) => condition.holds({ shipment, unit, billedGrams: 0, freightCents: 0 }))
  return holds ? undefined : NOT_FOR_SHIPMENT
}

function declineCombination(
  { service, name, requires, excludes }: ServiceRow,
  services: readonly Service[],
  offers: readonly ServiceOffer[],
): Decline | undefined {
  const names = (others: readonly Service[]) => others.map((other) => nameOf(other, offers)).join(', ')
  const missing = requires.filter((other) => !services.includes(other))
  if (missing.length > 0)
    return serviceDeclined(service, name, `is offered together with ${names(missing)} only`)
  const excluded = excludes.filter((other) => services.includes(other))
  if (excluded.length > 0) return serviceDeclined(service, name, `cannot be combined with ${names(excluded)}`)
  return undefined
}
