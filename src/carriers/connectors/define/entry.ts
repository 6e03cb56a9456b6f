/** The entry `waybill/connector` of the package. See docs/connectors.md. */
import type * as api from './api.ts'
import type { ConnectorDefinition } from './definition.ts'

export * from './api.ts'

/** The default export of a file: a definition, or a function that makes one with the parts of this entry. */
export type ConnectorFile = ConnectorDefinition | ((parts: typeof api) => ConnectorDefinition)
