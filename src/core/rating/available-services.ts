/**
 * The services that can be added to an option, and what each adds to its price. Each is priced like a request with the
 * service, so a quote with it has exactly this price. See docs/rate-cards.md#services.
 */
import { offersOf } from './book/service-offer.ts'
import { type PriceInCurrency, priceIn } from './price/price-in-currency.ts'
import type { PriceLine } from './price/price-line.ts'
import { isDecline, type RateOption, withService } from './quote.ts'
import { saleOf } from './sale.ts'
import { SERVICES, type Service } from './sender-service.ts'

export type AvailableService = {
  readonly service: Service
  /** As in the rate card. */
  readonly name: string
  /** What it adds to the price, in euro cents without VAT. Negative if it replaces a surcharge that costs more. */
  readonly priceCents: number
  readonly before: RateOption
  readonly after: RateOption
}

/** The services of the product that the request does not have. Some of them may not fit the shipment. */
export function addableServices({ pricing }: RateOption): readonly Service[] {
  const { facts, shared, product } = pricing
  const offers = offersOf(shared.group.services, product.terms.productId)
  const offered = new Set(offers.map(({ row }) => row.service))
  return SERVICES.filter(
    (service) => offered.has(service) && facts.request.services?.includes(service) !== true,
  )
}

/** Those of `services` that can be added, in their order. */
export function availableServices(
  before: RateOption,
  services: readonly Service[] = addableServices(before),
): readonly AvailableService[] {
  return services.flatMap((service) => {
    const after = withService(before, service)
    if (isDecline(after)) return []
    const name = lineOfService(after, service)?.item ?? saleOf(after)?.services.get(service)
    if (name === undefined) throw new Error(`the price with ${service} has no line of it`)
    return [{ service, name, priceCents: after.priceCents - before.priceCents, before, after }]
  })
}

/** The line of a chosen service; undefined if it was not chosen, or if the product is sold at a margin. */
export function lineOfService({ lines }: RateOption, service: Service): PriceLine | undefined {
  return lines.find(
    (line) =>
      line.kind === 'SERVICE' && line.cause.kind === 'surcharge' && line.cause.surcharge.service === service,
  )
}

/** What the service adds to `priceIn` of the option. */
export function servicePriceIn({ before, after }: AvailableService, currency?: string): PriceInCurrency {
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
