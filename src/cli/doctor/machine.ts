/** Checks of this machine: the modes of files with secrets, the settings file of the carriers, and disk space. */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { ConnectorFileError, withConnectorFiles } from '../../carriers/connectors/define/connector-files.ts'
import { BUILT_IN } from '../../carriers/registry.ts'
import { CarrierSettingsError, isExposed, readCarrierSettings } from '../../carriers/settings.ts'
import type { Config } from '../../config/config.ts'
import { counted } from '../terminal/output.ts'
import { type Finding, findingsOf } from './finding.ts'

/** The settings file without what depends on rate cards. The service refuses a faulty one. */
export function checkCarriersFile({ carriersFile, production }: Config): Finding {
  const { ok, warning, problem } = findingsOf('carriers')
  if (carriersFile === undefined)
    return production
      ? warning('WAYBILL_CARRIERS is not set: only the sandbox carrier can be reached', 'set it to the file')
      : ok('no settings file: only the sandbox carrier can be reached')
  try {
    const { size } = readCarrierSettings(carriersFile)
    return ok(`${carriersFile} has ${counted(size, 'carrier')}; waybill carrier test tests their credentials`)
  } catch (error) {
    if (!(error instanceof CarrierSettingsError)) throw error
    const faults = error.message.split('\n').map((line) => line.trim())
    return problem(faults.join(' '), 'correct the file; see docs/carriers.md')
  }
}

/** The files with connectors. The service does not start if one is faulty; the first one is reported. */
export async function checkConnectorFiles({ connectorFiles }: Config): Promise<Finding[]> {
  const { ok, problem } = findingsOf('connectors')
  if (connectorFiles.length === 0) return []
  try {
    const added = [...(await withConnectorFiles(connectorFiles)).keys()].filter((name) => !BUILT_IN.has(name))
    return [ok(`WAYBILL_CONNECTORS adds ${added.join(', ')}`)]
  } catch (error) {
    if (!(error instanceof ConnectorFileError)) throw error
    const faults = error.message.split('\n').map((line) => line.trim())
    return [problem(faults.join(' '), 'correct the file; see docs/connectors.md')]
  }
}

/** Unlike the carriers' file, files of single secrets are not refused: Docker mounts them readable for all users. */
export function checkSecretFiles({ secretFiles }: Config): Finding[] {
  const { ok, warning } = findingsOf('secret files')
  return secretFiles.map(({ setting, path: file }) =>
    isExposed(statSync(file), process.getuid?.())
      ? warning(
          `other users can read or change ${file} (${setting})`,
          `chmod 600 ${file}, or mount it as 0400`,
        )
      : ok(`${file} (${setting}) is readable for the service only`),
  )
}

const GIGABYTE = 1e9
/** A journal of a million cancellations takes about 0.5 GB. */
const LITTLE_SPACE = 2 * GIGABYTE
const NO_SPACE = 0.2 * GIGABYTE

/** The folders that the service writes: that of the journal, and that of the embedded database. */
export function checkDisk({ journalFile, databaseUrl, dataDir }: Config): Finding[] {
  const { ok } = findingsOf('disk')
  return [
    journalFile === undefined
      ? ok('the journal is written to standard output')
      : checkFolder('the journal', path.dirname(path.resolve(journalFile)), journalFile),
    ...(databaseUrl === undefined && existsSync(dataDir)
      ? [checkFolder('the embedded database', path.resolve(dataDir))]
      : []),
  ]
}

function checkFolder(what: string, folder: string, file = folder): Finding {
  const { ok, warning, problem } = findingsOf('disk')
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    if (existsSync(file)) accessSync(file, constants.W_OK)
    if (file !== folder && existsSync(file) && statSync(file).isDirectory())
      return problem(`${what} cannot be written: ${file} is a folder`, 'name a file')
  } catch (error) {
    const { code } = error as { code?: unknown }
    return problem(
      `${what} cannot be written in ${folder}: ${code}`,
      'create it, or change its owner or mode',
    )
  }
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const message = `${what}: ${(free / GIGABYTE).toFixed(1)} GB are free in ${folder}`
  if (free < NO_SPACE) return problem(message, 'free space now: cancellations stop when the disk is full')
  return free < LITTLE_SPACE ? warning(message, 'free space, or use a larger disk') : ok(message)
}
