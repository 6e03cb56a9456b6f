/** Who collects the amount of a line. See docs/import-schemes.md. */
import type { Consignment } from '../consignment.ts'
import type { ExactLine } from '../tax-line.ts'

export type TaxCollector = 'SELLER_AT_CHECKOUT' | 'CARRIER' | 'CUSTOMS' | 'UNKNOWN'

/** What the seller does not collect depends on how the goods are declared, which only the request can say. */
export function collectorOf(
  { importScheme, isImportSchemeGiven }: Consignment,
  { collectedAtCheckout }: Pick<ExactLine, 'collectedAtCheckout'>,
): TaxCollector {
  if (collectedAtCheckout) return 'SELLER_AT_CHECKOUT'
  if (!isImportSchemeGiven) return 'UNKNOWN'
  switch (importScheme) {
    case 'POSTAL':
    case 'COURIER':
      return 'CARRIER'
    case 'STANDARD_DECLARATION':
      return 'CUSTOMS'
    case 'IOSS':
    case undefined:
      return 'UNKNOWN'
  }
}
