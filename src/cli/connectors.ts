/** The connectors that a command knows: those of this repository, and those of `WAYBILL_CONNECTORS`. */
import { ConnectorFileError, withConnectorFiles } from '../carriers/connectors/define/connector-files.ts'
import type { ConnectorTypes } from '../carriers/registry.ts'
import { readConfig } from '../config/config.ts'
import { Refusal } from './terminal/errors.ts'

/** Throws a Refusal if a file cannot be used. */
export async function configuredConnectors(
  { connectorFiles }: { readonly connectorFiles: readonly string[] } = readConfig(),
): Promise<ConnectorTypes> {
  try {
    return await withConnectorFiles(connectorFiles)
  } catch (error) {
    if (error instanceof ConnectorFileError) throw new Refusal(error.message)
    throw error
  }
}
