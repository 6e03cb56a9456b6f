/**
 * The connectors this version has, by the name that a rate card gives its carriers. A carrier with another one is
 * quoted, and cannot be booked.
 */

/** Names of connectors; app.ts has one for each. */
export const CONNECTOR_NAMES = ['sandbox'] as const

/** The name of a connector there is. */
export type ConnectorName = (typeof CONNECTOR_NAMES)[number]

/** True for the name of a connector there is. */
export function isConnectorName(name: string): name is ConnectorName {
  return CONNECTOR_NAMES.some((known) => known === name)
}
