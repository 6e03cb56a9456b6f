/**
 * The connectors this version has, by the name that a rate card gives its carriers. A carrier with another one is
 * quoted, and cannot be booked or cancelled.
 */

/** Names of connectors; carriers/connectors.ts has one for each. */
export const CONNECTOR_NAMES = [
  'sandbox',
  'ups',
  'fedex',
  'dhl-parcel-de',
  'gls-shipit',
  'dhl-express',
  'dpd',
] as const

/** The name of a connector there is. */
export type ConnectorName = (typeof CONNECTOR_NAMES)[number]

/** True for the name of a connector there is. */
export function isConnectorName(name: string): name is ConnectorName {
  return CONNECTOR_NAMES.some((known) => known === name)
}
