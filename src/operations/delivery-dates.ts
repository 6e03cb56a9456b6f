/** Operation: the days on which an option of a quote is picked up and delivered. See docs/delivery-dates.md. */
import { type DeliveryDates, deliveryDates } from '../core/rating/delivery/delivery-dates.ts'
import type { RateOption } from '../core/rating/quote.ts'
import type { Ports } from './ports/ports.ts'

export function datesOfOption(
  { clock, calendar }: Pick<Ports, 'clock' | 'calendar'>,
  { pricing, transit }: RateOption,
): DeliveryDates {
  const { from, to, shippingDate } = pricing.facts.request
  const transport = {
    fromCountry: from.country,
    toCountry: to.country,
    terms: pricing.product.terms,
    transit,
  }
  return deliveryDates(calendar, transport, { shippingDate, nowMs: clock().getTime() })
}
