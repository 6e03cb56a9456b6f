/** Loads the connectors of files outside this repository (`WAYBILL_CONNECTORS`). See docs/connectors.md. */
import { statSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { withTimeout } from '../../../operations/ports/work.ts'
import { BUILT_IN, type ConnectorTypes } from '../../registry.ts'
import * as api from './api.ts'
import { connectorTypeOf } from './connector-type.ts'
import type { ConnectorDefinition } from './definition.ts'
import { definitionFaults } from './definition-faults.ts'
import { messageOf } from './requests.ts'

/** The message names the file and lists every fault, one per line. */
export class ConnectorFileError extends Error {}

/** A file that waits for something for ever must not hold up the start. */
const LOAD_LIMIT_MS = 10_000

/**
 * The connectors of this repository and those of the files. Throws a ConnectorFileError for a file that cannot be
 * loaded or is faulty, or whose name is taken. A file is loaded once per process.
 */
export async function withConnectorFiles(
  files: readonly string[],
  limitMs = LOAD_LIMIT_MS,
): Promise<ConnectorTypes> {
  const connectors = new Map(BUILT_IN)
  for (const file of files) {
    const { name, type } = await loaded(file, limitMs, (definition) => ({
      name: definition.name,
      type: connectorTypeOf(definition),
    }))
    if (connectors.has(name))
      throw faultyFile(file, [`name: expected a name that is not taken, found ${name}`])
    connectors.set(name, type)
  }
  return connectors
}

/** Throws a ConnectorFileError. */
export function loadDefinition(file: string): Promise<ConnectorDefinition> {
  return loaded(file, LOAD_LIMIT_MS, (definition) => definition)
}

/** What `use` makes of the definition in a file. Throws a ConnectorFileError, also if `use` throws. */
async function loaded<Result>(
  file: string,
  limitMs: number,
  use: (definition: ConnectorDefinition) => Result,
): Promise<Result> {
  try {
    const exported = await withTimeout(defaultExport(path.resolve(file), file), limitMs, () => {
      throw new Error(`it was not loaded within ${limitMs} ms`)
    })
    // May throw: the fields of a definition can be getters.
    const faults = definitionFaults(exported)
    if (faults.length > 0) throw new api.DefinitionError(faults)
    return use(exported as ConnectorDefinition)
  } catch (error) {
    if (error instanceof api.DefinitionError) throw faultyFile(file, error.faults)
    const { code } = Object(error) as { readonly code?: unknown }
    const reason = code === 'ENOENT' ? 'there is no such file' : messageOf(error)
    throw new ConnectorFileError(`the connector ${file} cannot be loaded: ${reason}`, { cause: error })
  }
}

async function defaultExport(location: string, file: string): Promise<unknown> {
  // Its code runs with the credentials of the carriers.
  if (process.getuid !== undefined && (statSync(location).mode & 0o002) !== 0)
    throw new Error(`every user of this machine can change it: chmod o-w ${file}`)
  const { default: exported }: { readonly default?: unknown } = await import(pathToFileURL(location).href)
  return typeof exported === 'function' ? await exported(api) : exported
}

/** The error for a file with faults, one per line. */
export function faultyFile(file: string, faults: readonly string[]): ConnectorFileError {
  return new ConnectorFileError(`the connector ${file} is refused:\n  ${faults.join('\n  ')}`)
}
