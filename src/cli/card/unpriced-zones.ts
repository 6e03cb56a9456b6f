/** Warnings about rows of discounts and margins that name zones without prices, and so never apply there. */
import type { MarginRow } from '../../core/rating/margin.ts'
import type { FaultPlace, ImportFault } from '../../reference/import/import-fault.ts'
import type { PricedZone } from '../../store/rate-cards/priced-zones.ts'

type Scope = Pick<MarginRow, 'productId' | 'carrierCode' | 'zones'>

/** `locate` gives the place of the zones of a row. */
export function unpricedZones(
  rows: readonly Scope[],
  priced: readonly PricedZone[],
  locate: (index: number) => FaultPlace,
): ImportFault[] {
  const zonesOf = new Map<string, ReadonlySet<number>>()
  const pricedFor = ({ productId, carrierCode }: Scope): ReadonlySet<number> => {
    const key = JSON.stringify([productId, carrierCode])
    const known = zonesOf.get(key)
    if (known !== undefined) return known
    const concerned = priced.filter(
      (row) =>
        (productId === undefined || row.productId === productId) &&
        (carrierCode === undefined || row.carrierCode === carrierCode),
    )
    const zones = new Set(concerned.map(({ zone }) => zone))
    zonesOf.set(key, zones)
    return zones
  }
  return rows.flatMap((row, index) => {
    const { zones = [] } = row
    const unpriced = zones.filter((zone) => !pricedFor(row).has(zone))
    return unpriced.length === 0
      ? []
      : { ...locate(index), expected: 'zones in which its products have prices', found: unpriced.join('|') }
  })
}
