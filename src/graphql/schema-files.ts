/** The hand-written schema in `schema/`, which is the schema of a subgraph of Apollo Federation. */
import { readdirSync, readFileSync } from 'node:fs'
import { type DocumentNode, parse } from 'graphql'

// Two levels up from src/graphql/ and from dist/graphql/.
const SCHEMA_FOLDER = new URL('../../schema/', import.meta.url)

/** All schema files, concatenated. */
export function readSchemaText(): string {
  return readdirSync(SCHEMA_FOLDER)
    .filter((file) => file.endsWith('.graphql'))
    .sort()
    .map((file) => readFileSync(new URL(file, SCHEMA_FOLDER), 'utf8'))
    .join('\n')
}

export function readTypeDefinitions(): DocumentNode {
  return parse(readSchemaText())
}
