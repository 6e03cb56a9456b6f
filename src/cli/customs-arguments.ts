/** What words of the customs commands may be; a word that does not fit is refused with exit code 2. */
import { InvalidArgumentError } from 'commander'
import { CUSTOMS_TABLES } from '../core/customs/reference/reference-layers.ts'
import type { CustomsTableName } from '../core/customs/reference/reference-rows.ts'

/** The name of a data set. */
export function setName(text: string): string {
  if (!/^[a-z0-9-]{1,60}$/.test(text))
    throw new InvalidArgumentError('1 to 60 of a-z, 0-9 and - are allowed.')
  return text
}

/** A jurisdiction or customs area: "GB", "EU", "CH-SAMNAUN". */
export function jurisdiction(text: string): string {
  if (!/^[A-Z][A-Z-]{1,29}$/.test(text))
    throw new InvalidArgumentError('A code in capital letters such as GB or EU is expected.')
  return text
}

/** A table of the customs data: "taxRates" or "tax-rates". */
export function tableName(text: string): CustomsTableName {
  const table = parseTableName(text)
  if (table === undefined)
    throw new InvalidArgumentError(`It is one of ${CUSTOMS_TABLES.map(wordOfTable).join(', ')}.`)
  return table
}

/** The same for a text that may mean something else; undefined when it does. */
export function parseTableName(text: string): CustomsTableName | undefined {
  return CUSTOMS_TABLES.find((table) => table === text || wordOfTable(table) === text)
}

/** "taxRates" as "tax-rates". */
export function wordOfTable(table: CustomsTableName): string {
  return table.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
