/**
 * Services that the sender chooses for a shipment, such as delivery on a Saturday. A rate card states which of its
 * products offer them, and for what price. See docs/rate-cards.md#services.
 */
export const SERVICES = [
  'SATURDAY',
  'TIME_SLOT',
  'APPOINTMENT',
  'SIGNATURE',
  'ADULT_SIGNATURE',
  'TAIL_LIFT',
  'CASH_ON_DELIVERY',
  'DANGEROUS_GOODS',
  'DUTIES_PAID',
] as const
export type Service = (typeof SERVICES)[number]

/** For price lines and messages, unless the rate card states another name. */
export const SERVICE_NAMES: Readonly<Record<Service, string>> = {
  SATURDAY: 'Saturday delivery',
  TIME_SLOT: 'Delivery in a time slot',
  APPOINTMENT: 'Delivery by appointment',
  SIGNATURE: 'Signature',
  ADULT_SIGNATURE: 'Signature of an adult',
  TAIL_LIFT: 'Tail lift',
  CASH_ON_DELIVERY: 'Cash on delivery',
  DANGEROUS_GOODS: 'Dangerous goods',
  DUTIES_PAID: 'Delivered duties paid',
}

export const isService = (value: unknown): value is Service => SERVICES.some((service) => service === value)

/** Each once, in the order of SERVICES, so that equal sets are equal lists. Other values are left out. */
export function servicesIn(values: readonly unknown[]): readonly Service[] {
  return SERVICES.filter((service) => values.includes(service))
}
