/**
 * The names of the connectors of this repository. A rate card names one for each carrier. If there is no connector with
 * the name, the carrier is quoted, but its shipments cannot be booked or cancelled. src/carriers/registry.ts has the
 * connector for each name, and files can add others (docs/connectors.md).
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
