/** Converts services and their inputs to the types of the schema. */
import { formatCents } from '../../core/money.ts'
import { formatKilograms } from '../../core/quantity.ts'
import type { AvailableService } from '../../core/rating/available-services.ts'
import { type DangerousGoods, hasSlots } from '../../core/rating/service-inputs.ts'
import type { Shipment } from '../../core/shipments/shipment.ts'
import type { ResolversParentTypes, ServiceInputField, Weekday } from '../generated.ts'
import { presentMoney } from './typed.ts'

const WEEKDAYS = [
  ...(['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY'] as const),
  ...(['FRIDAY', 'SATURDAY', 'SUNDAY'] as const),
] as const satisfies readonly Weekday[]

const INPUT_FIELDS = {
  slot: 'SLOT',
  cashOnDelivery: 'CASH_ON_DELIVERY',
  dangerousGoods: 'DANGEROUS_GOODS',
} as const satisfies Readonly<Record<NonNullable<AvailableService['needs']>, ServiceInputField>>

export function presentAvailable(available: AvailableService): ResolversParentTypes['AvailableService'] {
  const { service, slot, name, weekdays, needs, maxCollectedCents, price } = available
  return {
    service,
    slot: slot ?? null,
    name,
    weekdays: weekdays.map((day) => WEEKDAYS[day - 1]!),
    requiredInput: needs === undefined ? null : INPUT_FIELDS[needs],
    maxAmount: maxCollectedCents === undefined ? null : presentMoney(maxCollectedCents),
    price: price === undefined ? null : presentMoney(price.cents),
    available,
  }
}

export function presentShipmentServices({
  services = [],
  serviceInputs = {},
}: Shipment): readonly ResolversParentTypes['ShipmentService'][] {
  const { slots, cashOnDelivery: collected, dangerousGoods = [] } = serviceInputs
  return services.map((service) => ({
    service,
    slot: (hasSlots(service) ? slots?.[service] : undefined) ?? null,
    cashOnDelivery:
      service === 'CASH_ON_DELIVERY' && collected !== undefined
        ? { amount: formatCents(collected.hundredths), currency: collected.currency }
        : null,
    dangerousGoods: service === 'DANGEROUS_GOODS' ? dangerousGoods.map(presentGoods) : [],
  }))
}

function presentGoods(goods: DangerousGoods): ResolversParentTypes['DangerousGoods'] {
  const { unNumber, hazardClass, packingGroup, limitedQuantity, netGrams, packages } = goods
  return {
    unNumber,
    limitedQuantity,
    hazardClass: hazardClass ?? null,
    packingGroup: packingGroup ?? null,
    netWeightKg: netGrams === undefined ? null : formatKilograms(netGrams),
    packages: packages ?? null,
  }
}
