/**
 * The names of all connectors. A rate card names one for each carrier. If the name is not listed here, the carrier
 * is quoted, but its shipments cannot be booked or cancelled. src/carriers/registry.ts has the connector for each name.
 */

export const CONNECTOR_NAMES = [
  'sandbox',
  'ups',
  'fedex',
  'dhl-parcel-de',
  'gls-shipit',
  'dhl-express',
  'dpd',
] as const

export type ConnectorName = (typeof CONNECTOR_NAMES)[number]

export function isConnectorName(name: string): name is ConnectorName {
  return CONNECTOR_NAMES.some((known) => known === name)
}
