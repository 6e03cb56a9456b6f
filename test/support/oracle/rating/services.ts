/**
 * Oracle for services: the row of each requested service, or that one is not offered.
 * Rules: docs/rate-card-files.md#services.
 */
import type { ProductTerms, ServiceRow } from '../../../../src/core/rating/rate-card.ts'
import type { RatesRequest } from '../../../../src/core/rating/request.ts'
import type { CountedSurcharge } from './charges.ts'

/** What is charged for the services of a request, in the order of the rows; undefined if one is not offered. */
export function oracleServices(
  rows: readonly ServiceRow[],
  { carrierCode, productId }: ProductTerms,
  zone: number,
  request: RatesRequest,
): readonly CountedSurcharge[] | undefined {
  const wanted = request.services ?? []
  if (lacksInput(request)) return undefined
  const offered = rows
    .filter((row) => row.carrierCode === carrierCode && (row.products ?? [productId]).includes(productId))
    .filter((row) => wanted.includes(row.service) && fits(row, zone, request))
  const used = wanted.flatMap((service) => offered.find((row) => row.service === service) ?? [])
  const isOffered =
    used.length === wanted.length &&
    used.every(({ requires }) => requires.every((service) => wanted.includes(service))) &&
    !used.some(({ excludes }) => excludes.some((service) => wanted.includes(service)))
  if (!isOffered) return undefined
  return rows
    .filter((row) => used.includes(row))
    .map((row) => ({
      surcharge: {
        ...{ ...row, code: row.service, reason: 'Chosen by the sender', phase: 'accessorial' },
        ...{ trigger: 'always', excludes: [], validFrom: '' },
      },
      units: request.parcels,
    }))
}

function lacksInput({ services = [], serviceInputs = {} }: RatesRequest): boolean {
  const { cashOnDelivery, dangerousGoods } = serviceInputs
  return (
    (services.includes('CASH_ON_DELIVERY') && cashOnDelivery === undefined) ||
    (services.includes('DANGEROUS_GOODS') && dangerousGoods === undefined)
  )
}

function fits(row: ServiceRow, zone: number, { from, to, parcels, serviceInputs }: RatesRequest): boolean {
  const { slots = {}, cashOnDelivery, dangerousGoods = [] } = serviceInputs ?? {}
  const numbers = dangerousGoods.map(({ unNumber }) => unNumber)
  const slot = row.service === 'TIME_SLOT' || row.service === 'APPOINTMENT' ? slots[row.service] : undefined
  // Random cards are in euro.
  const collected = row.service === 'CASH_ON_DELIVERY' ? cashOnDelivery!.hundredths : 0
  const acceptsGoods =
    row.service !== 'DANGEROUS_GOODS' ||
    numbers.every(
      (number) => (row.unNumbers ?? [number]).includes(number) && !row.refusedUnNumbers?.includes(number),
    )
  if (slot !== row.slot || collected > (row.maxCollectedCents ?? collected) || !acceptsGoods) return false
  // test/core/rating/services.test.ts has conditions.
  if (row.condition !== undefined) throw new Error('random services have no conditions')
  const shipmentGrams = parcels.map((unit) => unit.weightGrams * unit.count).reduce((a, b) => a + b)
  const { fromCountries = [from.country], toCountries = [to.country], zones = [zone] } = row
  return (
    fromCountries.includes(from.country) &&
    toCountries.includes(to.country) &&
    zones.includes(zone) &&
    shipmentGrams >= (row.minShipmentGrams ?? 0) &&
    shipmentGrams <= (row.maxShipmentGrams ?? shipmentGrams) &&
    parcels.every((unit) => unit.weightGrams <= (row.maxUnitGrams ?? unit.weightGrams))
  )
}
