/**
 * The services that can be added to an option, and what each adds to its price. Each is priced like a request with the
 * service, so a quote with it has exactly this price. The price of a service that needs an input is not known before
 * the input is. See docs/rate-cards.md#services.
 */
import { offersOf, possibleOffers, type ServiceOffer, slotsOf } from './book/service-offer.ts'
import { limitInEuro } from './currency/conversion.ts'
import { type PriceInCurrency, priceIn } from './price/price-in-currency.ts'
import type { PriceLine } from './price/price-line.ts'
import { isDecline, type RateOption, withService } from './quote.ts'
import { saleOf } from './sale.ts'
import { SERVICES, type Service } from './sender-service.ts'
import { hasSlots, requiredInput } from './service-inputs.ts'

/** A service that a request can have in addition, and its slot if there is one. */
export type AddedService = { readonly service: Service; readonly slot?: string }

/** What a service needs to be requested. */
export type NeededInput = NonNullable<ReturnType<typeof requiredInput>> | 'slot'

export type AvailableService = AddedService & {
  /** As in the rate card. */
  readonly name: string
  /** Weekdays on which the slot is delivered in, from 1 (Monday). Empty: the card does not state them. */
  readonly weekdays: readonly number[]
  /** Stated in this entry, if it is the slot. */
  readonly needs: NeededInput | undefined
  /** The largest amount to collect, in euro cents. Undefined if there is none, or if it is not known. */
  readonly maxCollectedCents: number | undefined
  /** Undefined if the price depends on an input of the request. */
  readonly price: AddedPrice | undefined
}

export type AddedPrice = {
  /** What it adds to the price, in euro cents without VAT. Negative if it replaces a surcharge that costs more. */
  readonly cents: number
  readonly before: RateOption
  readonly after: RateOption
}

/**
 * The services of the product that the request does not have, once for each slot. Some of them may not fit the
 * shipment.
 */
export function addableServices(option: RateOption): readonly AddedService[] {
  const { services } = option.pricing.facts.request
  const offers = offersOfOption(option)
  const offered = new Set(offers.map(({ row }) => row.service))
  return SERVICES.filter((service) => offered.has(service) && services?.includes(service) !== true).flatMap(
    (service): readonly AddedService[] =>
      hasSlots(service)
        ? slotsOf(service, offers).map((slot) => ({ service, ...(slot !== undefined && { slot }) }))
        : [{ service }],
  )
}

function offersOfOption({ pricing: { shared, product } }: RateOption): readonly ServiceOffer[] {
  return offersOf(shared.group.services, product.terms.productId)
}

/** Those of `services` that can be added, in their order. */
export function availableServices(
  before: RateOption,
  services: readonly AddedService[] = addableServices(before),
): readonly AvailableService[] {
  return services.flatMap((added) => {
    const needs = requiredInput(added.service)
    return needs === undefined ? pricedService(before, added) : unpricedService(before, added.service, needs)
  })
}

function pricedService(before: RateOption, added: AddedService): readonly AvailableService[] {
  const { service, slot } = added
  const after = withService(before, added)
  if (isDecline(after)) return []
  const name = lineOfService(after, service)?.item ?? saleOf(after)?.services.get(service)
  if (name === undefined) throw new Error(`the price with ${service} has no line of it`)
  const price = { cents: after.priceCents - before.priceCents, before, after }
  const charged = after.pricing.shared.charges.find(({ surcharge }) => surcharge.service === service)
  const offer = offersOfOption(after).find(({ charge }) => charge === charged?.surcharge)
  const needs = slot === undefined ? undefined : 'slot'
  return [{ ...added, name, weekdays: offer?.row.weekdays ?? [], needs, maxCollectedCents: undefined, price }]
}

/** Conditions and prices that depend on the input are not tested. */
function unpricedService(
  before: RateOption,
  service: Service,
  needs: NeededInput,
): readonly AvailableService[] {
  const { surchargeFacts } = before.pricing.shared.route
  const rows = possibleOffers(offersOfOption(before), service, surchargeFacts).map(({ row }) => row)
  const [first] = rows
  if (first === undefined) return []
  const limits = rows.map(({ maxCollectedCents = Number.POSITIVE_INFINITY }) => maxCollectedCents)
  const maxCollectedCents = inEuro(before, Math.max(...limits))
  return [{ service, name: first.name, weekdays: [], needs, maxCollectedCents, price: undefined }]
}

function inEuro({ pricing: { rate } }: RateOption, cents: number): number | undefined {
  if (!Number.isFinite(cents)) return undefined
  return rate === undefined ? cents : limitInEuro(cents, rate)
}

/** The line of a chosen service; undefined if it was not chosen, or if the product is sold at a margin. */
export function lineOfService({ lines }: RateOption, service: Service): PriceLine | undefined {
  return lines.find(
    (line) =>
      line.kind === 'SERVICE' && line.cause.kind === 'surcharge' && line.cause.surcharge.service === service,
  )
}

/** What the service adds to `priceIn` of the option. */
export function servicePriceIn({ before, after }: AddedPrice, currency?: string): PriceInCurrency {
  const [without, price] = [priceIn(before, currency), priceIn(after, currency)]
  return {
    ...price,
    netUnits: difference(price.netUnits, without.netUnits),
    grossUnits: difference(price.grossUnits, without.grossUnits),
  }
}

function difference(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one - other
}
