/**
 * Services of a rate card: whether a product offers the services of a request, and what is charged for them. A service
 * is charged like a surcharge of all units. Rules: docs/rate-card-files.md#services.
 */
import { formatCents, MAX_CENTS } from '../../money.ts'
import { formatKilograms } from '../../quantity.ts'
import type { ServiceRow } from '../rate-card.ts'
import { SERVICE_NAMES, type Service, servicesIn } from '../sender-service.ts'
import { hasSlots } from '../service-inputs.ts'
import { type Decline, noRateOfCollected, serviceDeclined } from './limits.ts'
import { compileRuleAmount, compileRuleCondition, type RuleCondition, usesFreightClass } from './rule.ts'
import type { RuleVocabularies } from './rule-vocabulary.ts'
import { limitInStated } from './service-input-facts.ts'
import { dayNumber, type Surcharge, type SurchargeFacts } from './surcharge.ts'
import type { ShipmentFacts } from './trigger.ts'

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
    const unclear = declineInput(service, offers, facts.shipment)
    if (unclear !== undefined) return unclear
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

/**
 * The first row of the service that fits. If none of several does, the reason is not the limit of one of them. A row
 * that may fit once the freight class is stated is not skipped, so that no later one is cheaper without the class.
 */
function fittingOffer(
  offers: readonly ServiceOffer[],
  service: Service,
  facts: SurchargeFacts,
): ServiceOffer | Decline {
  const slot = slotIn(facts.shipment, service)
  let rows = 0
  let reason: string | undefined
  for (const offer of offers) {
    if (offer.row.service !== service || offer.row.slot !== slot) continue
    const misfit = misfitOf(offer, facts)
    if (misfit === undefined) return offer
    if (misfit === NEEDS_FREIGHT_CLASS) return serviceDeclined(service, nameOf(service, offers), misfit)
    rows += 1
    reason = rows === 1 ? misfit : NOT_FOR_SHIPMENT
  }
  reason ??= slotReason(service, offers) ?? 'is not offered with this product'
  return serviceDeclined(service, nameOf(service, offers), reason)
}

/** The requested slot of a service; undefined if there is none. */
function slotIn({ inputs }: ShipmentFacts, service: Service): string | undefined {
  return hasSlots(service) ? inputs.slots[service] : undefined
}

/** The slots that the rows of a service state, in their order. Undefined stands for rows without a slot. */
export function slotsOf(service: Service, offers: readonly ServiceOffer[]): readonly (string | undefined)[] {
  return [...new Set(offers.filter(({ row }) => row.service === service).map(({ row }) => row.slot))]
}

/** Why none of the rows is for the requested slot; undefined if there are no rows. */
function slotReason(service: Service, offers: readonly ServiceOffer[]): string | undefined {
  const slots = slotsOf(service, offers)
  const named = slots.filter((slot) => slot !== undefined)
  if (slots.length === 0) return undefined
  if (named.length === 0) return 'is offered without a slot only'
  return `is offered in the slots ${named.join(', ')} only`
}

/** The service lacks its input, or the amount to collect cannot be converted. */
function declineInput(
  service: Service,
  offers: readonly ServiceOffer[],
  { inputs: { collected, goods } }: ShipmentFacts,
): Decline | undefined {
  const declined = (reason: string): Decline => serviceDeclined(service, nameOf(service, offers), reason)
  if (service === 'DANGEROUS_GOODS' && goods.length === 0) return declined('needs the goods')
  if (service !== 'CASH_ON_DELIVERY') return undefined
  if (collected === undefined) return declined('needs the amount to collect')
  if (collected.cents === undefined) return noRateOfCollected(collected.stated.currency, collected.rateDays)
  return collected.cents > MAX_CENTS ? declined('is not offered for such a high amount') : undefined
}

const NOT_FOR_SHIPMENT = 'is not offered for this shipment'
const NEEDS_FREIGHT_CLASS = 'is offered only if the freight class of every unit is stated'

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

function findMisfit(offer: ServiceOffer, facts: SurchargeFacts): string | undefined {
  const { shipment, parcels } = facts
  const misfit = misfitOfRoute(offer, facts) ?? misfitOfInputs(offer, shipment)
  const { condition, charge } = offer
  if (misfit !== undefined) return misfit
  if (charge.needsFreightClass && parcels.some(({ freightClassTenths }) => freightClassTenths === undefined))
    return NEEDS_FREIGHT_CLASS
  if (condition === undefined) return undefined
  const holds = testedFor(offer.row, shipment).every((tested) =>
    parcels.every((unit) => condition.holds({ shipment: tested, unit, billedGrams: 0, freightCents: 0 })),
  )
  return holds ? undefined : NOT_FOR_SHIPMENT
}

/** A condition of dangerous goods is tested for each of the goods, so that a row cannot accept others beside them. */
function testedFor({ service }: ServiceRow, shipment: ShipmentFacts): readonly ShipmentFacts[] {
  const { inputs } = shipment
  if (service !== 'DANGEROUS_GOODS' || inputs.goods.length < 2) return [shipment]
  return inputs.goods.map((goods) => ({ ...shipment, inputs: { ...inputs, tested: [goods] } }))
}

/** Undefined if the row fits the route and the weights. */
function misfitOfRoute({ row }: ServiceOffer, { shipment, parcels }: SurchargeFacts): string | undefined {
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
  return undefined
}

/** Undefined if the row fits the amount to collect and the dangerous goods. */
function misfitOfInputs(
  { row }: ServiceOffer,
  { inputs: { collected, goods } }: ShipmentFacts,
): string | undefined {
  const { maxCollectedCents, unNumbers, refusedUnNumbers } = row
  if (
    maxCollectedCents !== undefined &&
    collected?.factor !== undefined &&
    collected.cents! > maxCollectedCents
  ) {
    const { currency } = collected.stated
    // In the stated currency, because that of a cost card is not told.
    const limit = formatCents(Number(limitInStated(maxCollectedCents, collected.factor)))
    return `is offered up to ${limit} ${currency}; ${formatCents(collected.stated.hundredths)} ${currency} are to be collected`
  }
  const refused = goods.filter(
    ({ unNumber }) =>
      unNumbers?.includes(unNumber) === false || refusedUnNumbers?.includes(unNumber) === true,
  )
  if (refused.length === 0) return undefined
  const numbers = [...new Set(refused.map(({ unNumber }) => unNumber))]
  return `is not offered for ${numbers.join(', ')}`
}

/**
 * The rows of a service that can fit once its input is known: the route, the weights and the services of the request
 * fit. Conditions are not tested, because they may depend on the input.
 */
export function possibleOffers(
  offers: readonly ServiceOffer[],
  service: Service,
  facts: SurchargeFacts,
): readonly ServiceOffer[] {
  const services = servicesIn([...facts.shipment.services, service])
  return offers.filter(
    (offer) =>
      offer.row.service === service &&
      misfitOfRoute(offer, facts) === undefined &&
      declineCombination(offer.row, services, offers) === undefined,
  )
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
