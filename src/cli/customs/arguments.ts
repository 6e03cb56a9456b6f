/**
 * Parsers for arguments of the customs commands, and how these commands open the database. An argument that a parser
 * refuses ends the command with exit code 2.
 */
import { InvalidArgumentError } from 'commander'
import type { Kysely } from 'kysely'
import { CUSTOMS_TABLE_NAMES, type CustomsTableName } from '../../core/customs/data/rows.ts'
import { type CustomsSet, listCustomsSets } from '../../store/customs/publication.ts'
import type { Database } from '../../store/database/database.ts'
import { Refusal } from '../terminal/errors.ts'

/** The name of a data set. */
export function setName(text: string): string {
  if (!/^[a-z0-9-]{1,60}$/.test(text))
    throw new InvalidArgumentError('Expected 1 to 60 characters of a-z, 0-9 and -.')
  return text
}

/** A jurisdiction or customs area: "GB", "EU", "CH-SAMNAUN". */
export function jurisdiction(text: string): string {
  if (!/^[A-Z][A-Z-]{1,29}$/.test(text))
    throw new InvalidArgumentError('Expected a code in capital letters such as GB or EU.')
  return text
}

/** Codes of 2 to 10 digits, separated by commas: "61,62". */
export function chapters(text: string): readonly string[] {
  const codes = text.split(',').map((code) => code.trim())
  if (codes.length > MAX_CHAPTERS || !codes.every((code) => /^(?:\d\d){1,5}$/.test(code)))
    throw new InvalidArgumentError('Expected chapters or codes of 2 to 10 digits, such as 61,62.')
  return [...new Set(codes)]
}

const MAX_CHAPTERS = 1_000

/** A table of the customs data: "taxRates" or "tax-rates". */
export function tableName(text: string): CustomsTableName {
  const table = parseTableName(text)
  if (table === undefined)
    throw new InvalidArgumentError(`Expected one of ${CUSTOMS_TABLE_NAMES.map(optionOfTable).join(', ')}.`)
  return table
}

/** Like `tableName`, but returns undefined if the text is not the name of a table. */
export function parseTableName(text: string): CustomsTableName | undefined {
  return CUSTOMS_TABLE_NAMES.find((table) => table === text || optionOfTable(table) === text)
}

/** A table as it is named on the command line: "taxRates" is "tax-rates". */
export function optionOfTable(table: CustomsTableName): string {
  return table.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** A data set. Throws a Refusal if there is none of that name. */
export async function customsSet(db: Kysely<Database>, name: string): Promise<CustomsSet> {
  const set = (await listCustomsSets(db)).find((other) => other.name === name)
  if (set === undefined) throw new Refusal(`there is no data set ${name}`)
  return set
}
