/** Loads the connectors of files outside this repository (`WAYBILL_CONNECTORS`). See docs/connectors.md. */
import { statSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { BUILT_IN, type ConnectorTypes } from '../../registry.ts'
import * as api from './api.ts'
import { connectorTypeOf } from './connector-type.ts'
import type { ConnectorDefinition } from './definition.ts'
import { definitionFaults } from './definition-faults.ts'

/** The message names the file and lists every fault, one per line. */
export class ConnectorFileError extends Error {}

/**
 * The connectors of this repository and those of the files. Throws a ConnectorFileError for a file that cannot be
 * loaded or is faulty, or whose name is taken. A file is loaded once per process.
 */
export async function withConnectorFiles(files: readonly string[]): Promise<ConnectorTypes> {
  const connectors = new Map(BUILT_IN)
  for (const file of files) {
    const definition = await loadDefinition(file)
    const { name } = definition
    if (connectors.has(name)) throw faulty(file, [`name: expected a name that is not taken, found ${name}`])
    connectors.set(name, connectorTypeOf(definition))
  }
  return connectors
}

/** Throws a ConnectorFileError. */
export async function loadDefinition(file: string): Promise<ConnectorDefinition> {
  const exported = await defaultExport(path.resolve(file), file)
  const faults = definitionFaults(exported)
  if (faults.length > 0) throw faulty(file, faults)
  return exported as ConnectorDefinition
}

async function defaultExport(location: string, file: string): Promise<unknown> {
  try {
    // Its code runs with the credentials of the carriers.
    if (process.getuid !== undefined && (statSync(location).mode & 0o002) !== 0)
      throw new Error(`every user of this machine can change it: chmod o-w ${file}`)
    const { default: exported }: { readonly default?: unknown } = await import(pathToFileURL(location).href)
    return typeof exported === 'function' ? await exported(api) : exported
  } catch (error) {
    if (error instanceof api.DefinitionError) throw faulty(file, error.faults)
    const { code } = error as { readonly code?: unknown }
    const reason =
      code === 'ENOENT' ? 'there is no such file' : error instanceof Error ? error.message : String(error)
    throw new ConnectorFileError(`the connector ${file} cannot be loaded: ${reason}`, { cause: error })
  }
}

function faulty(file: string, faults: readonly string[]): ConnectorFileError {
  return new ConnectorFileError(`the connector ${file} is refused:\n  ${faults.join('\n  ')}`)
}
