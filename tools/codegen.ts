/**
 * Generates types with the plugins of GraphQL Code Generator: those of the schema (codegen.ts) and those of the client
 * (client/codegen.ts). Run by `npm run codegen`. With `--check` it writes nothing, and exits with 1 if a file is out of
 * date. The command line of GraphQL Code Generator would do the same with 100 more packages.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { codegen } from '@graphql-codegen/core'
import * as typescript from '@graphql-codegen/typescript'
import * as operations from '@graphql-codegen/typescript-operations'
import * as resolvers from '@graphql-codegen/typescript-resolvers'
import { buildASTSchema, concatAST, type DocumentNode, lexicographicSortSchema, parse, Source } from 'graphql'
import clientConfig from '../client/codegen.ts'
import * as clientDocuments from '../client/tools/documents-plugin.mjs'
import serviceConfig from '../codegen.ts'

const PLUGINS = {
  typescript,
  'typescript-operations': operations,
  'typescript-resolvers': resolvers,
  './client/tools/documents-plugin.mjs': clientDocuments,
}

export type CodegenConfig = {
  /** A folder with the schema. */
  readonly schema: string
  /** A folder with operations. */
  readonly documents?: string
  /** By file: the plugins whose output it contains, and their options. */
  readonly generates: Readonly<
    Record<
      string,
      {
        readonly plugins: readonly (keyof typeof PLUGINS)[]
        readonly config: Readonly<Record<string, unknown>>
      }
    >
  >
}

const readFolder = (folder: string): { location: string; document: DocumentNode }[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.graphql'))
    .sort()
    .map((name) => path.join(folder, name))
    .map((location) => ({ location, document: parse(new Source(readFileSync(location, 'utf8'), location)) }))

/** The text of every file that `config` generates. */
async function generated({ schema, documents, generates }: CodegenConfig): Promise<[string, string][]> {
  const parsed = concatAST(readFolder(schema).map(({ document }) => document))
  const schemaAst = lexicographicSortSchema(buildASTSchema(parsed))
  const files = Object.entries(generates).map(
    async ([filename, { plugins, config }]): Promise<[string, string]> => [
      filename,
      await codegen({
        filename,
        schema: parsed,
        schemaAst,
        documents: documents === undefined ? [] : readFolder(documents),
        plugins: plugins.map((name) => ({ [name]: {} })),
        pluginMap: PLUGINS,
        config,
      }),
    ],
  )
  return Promise.all(files)
}

for (const config of [serviceConfig, clientConfig])
  for (const [file, text] of await generated(config)) {
    if (!process.argv.includes('--check')) writeFileSync(file, text)
    else if (readFileSync(file, 'utf8') !== text) {
      console.log(`${file} is out of date: run npm run codegen`)
      process.exitCode = 1
    }
  }
