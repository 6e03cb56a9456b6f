/** The contract of this door: the hand-written files of `schema/`, read once at start. */
import { readdirSync, readFileSync } from 'node:fs'
import { type DocumentNode, parse } from 'graphql'

// Two levels up from src/graphql/ as well as from dist/graphql/.
const FOLDER = new URL('../../schema/', import.meta.url)

/** The schema files one after the other, as SDL. */
export function readSchemaText(): string {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.graphql'))
    .sort()
    .map((file) => readFileSync(new URL(file, FOLDER), 'utf8'))
    .join('\n')
}

/** The schema as type definitions for a server. */
export function readTypeDefinitions(): DocumentNode {
  return parse(readSchemaText())
}
