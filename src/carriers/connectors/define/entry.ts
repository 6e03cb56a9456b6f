/** The entry `waybill/connector` of the package. See docs/connectors.md. */
export * from './api.ts'
export type { ConnectorFile } from './connector-files.ts'
