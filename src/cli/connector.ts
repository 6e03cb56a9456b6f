/**
 * `waybill connector check`: plays the fixtures of a file with a connector, and replies that mean nothing at any
 * carrier, from a server on loopback. Needs no database, and calls no carrier. See
 * docs/connectors.md#check-the-connector.
 */
import type { Command } from 'commander'
import { type CheckResult, checkConnector, subjectOf } from '../carriers/connector-check/check.ts'
import { FixtureError, readFixtures } from '../carriers/connector-check/fixture.ts'
import { DefinitionError } from '../carriers/connectors/define/api.ts'
import {
  ConnectorFileError,
  faultyFile,
  loadDefinition,
} from '../carriers/connectors/define/connector-files.ts'
import { CommandFailed, Refusal } from './terminal/errors.ts'
import { announce, counted, type Output, report } from './terminal/output.ts'

/** Adds `check` to `waybill connector`. */
export function connectorCommands(connector: Command, output: Output): void {
  connector
    .command('check')
    .description(
      'check a file with a connector against its fixtures and faulty replies; no carrier is called',
    )
    .argument('<file>', 'the file with the connector, such as royal-mail.mjs')
    .option('--fixtures <folder>', 'folder with the fixtures')
    .option('--json', 'print JSON')
    .action((file: string, options: { readonly fixtures?: string; readonly json?: boolean }) =>
      checkFile(file, options, output),
    )
}

async function checkFile(
  file: string,
  { fixtures: folder, json }: { readonly fixtures?: string; readonly json?: boolean },
  output: Output,
): Promise<void> {
  const { subject, given } = await prepared(file, folder)
  announce(output, json, `Checking the connector ${subject.name}`)
  const results = await checkConnector(subject, given)
  const faults = results.filter(({ fault }) => fault !== undefined)
  report(output, json, { connector: subject.name, results }, [
    ...results.map(lineOf),
    '',
    `${counted(results.length, 'case')}, ${counted(faults.length, 'fault')}.`,
  ])
  if (faults.length > 0) throw new CommandFailed()
}

/** Throws a Refusal if the file or a fixture is faulty. */
async function prepared(file: string, folder: string | undefined) {
  try {
    const given = folder === undefined ? { fixtures: [], settings: {} } : readFixtures(folder)
    return { subject: subjectOf(await loadDefinition(file), given), given }
  } catch (error) {
    if (error instanceof DefinitionError) throw new Refusal(faultyFile(file, error.faults).message)
    if (error instanceof ConnectorFileError || error instanceof FixtureError) throw new Refusal(error.message)
    throw error
  }
}

function lineOf({ name, outcome, cause, warning, fault }: CheckResult): string {
  const found = cause === undefined ? outcome : `${outcome} (${cause})`
  if (warning !== undefined) return `WARN   ${name}: ${found}; ${warning}`
  return fault === undefined ? `ok     ${name}: ${found}` : `FAULT  ${name}: ${found}; ${fault}`
}
