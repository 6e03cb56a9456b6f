/**
 * The names of all connectors, as rate cards give them to carriers. A carrier with another name is quoted, but its
 * shipments cannot be booked or cancelled. src/carriers/registry.ts has the connector for each name.
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
