/**
 * Services that the sender chooses for a shipment, such as delivery on a Saturday. A rate card states which of its
 * products offer them, and for what price. See docs/rate-cards.md#services.
 */
import { isAbsent, note, type ProblemList } from '../input.ts'

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

/** A longer list would only repeat services. */
const MAX_SERVICES = SERVICES.length

const isService = (value: unknown): value is Service => SERVICES.some((service) => service === value)

/** The services of a request, each once, in the order of SERVICES. Undefined if there are none. */
export function readServices(problems: ProblemList, value: unknown): readonly Service[] | undefined {
  const path = ['services']
  if (isAbsent(value)) return undefined
  if (!Array.isArray(value)) return note(problems, path, 'WRONG_TYPE', 'must be a list')
  if (value.length > MAX_SERVICES)
    return note(problems, path, 'TOO_MANY', `must have at most ${MAX_SERVICES} entries`)
  for (const [index, entry] of value.entries())
    if (!isService(entry))
      note(problems, [...path, index], 'UNKNOWN_VALUE', `must be one of ${SERVICES.join(', ')}`)
  const chosen = servicesIn(value)
  return chosen.length === 0 ? undefined : chosen
}

/** Each once, in the order of SERVICES, so that equal sets are equal lists. Other values are left out. */
export function servicesIn(values: readonly unknown[]): readonly Service[] {
  return SERVICES.filter((service) => values.includes(service))
}
