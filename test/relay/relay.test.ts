/** relay-compiler compiles documents of every operation with the schema that the service sends to clients. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildSchema, Kind, parse, print } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiSchemaText } from '../../src/graphql/api-schema.ts'
import { readSchemaText } from '../../src/graphql/schema-files.ts'
import { type ClientDocument, PACKAGED, PLAYGROUND_EXAMPLES, SNIPPETS } from '../support/client-documents.ts'

const schemaText = apiSchemaText(readSchemaText())
const schema = buildSchema(schemaText)

const PAGED_LIST = `query ShipmentListQuery($first: Int) { ...ShipmentList_query @arguments(first: $first) }
fragment ShipmentList_query on Query
  @refetchable(queryName: "ShipmentListPageQuery")
  @argumentDefinitions(first: { type: "Int" }, after: { type: "String" }) {
  shipments(first: $first, after: $after) @connection(key: "ShipmentList_shipments") {
    edges { node { id state } }
    totalCount
  }
}`

const packaged = PACKAGED.map((document) => relayModule(document))
// Several examples have the same name.
const examples = PLAYGROUND_EXAMPLES.map((document, index) => relayModule(document, `Example${index}`))
const snippets = SNIPPETS.map((document, index) => relayModule(document, `Snippet${index}`))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waybill-relay-'))
  for (const name of ['src', 'artifacts']) mkdirSync(path.join(folder, name))
  compile([...packaged, ...examples, ...snippets, { name: 'ShipmentList', text: PAGED_LIST }])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A file of a project with Relay. */
type Module = { readonly name: string; readonly text: string; readonly operationName: string }

/** Relay derives the names in a module from the name of its file. */
function relayModule({ name, text }: ClientDocument, prefix = ''): Module {
  const [operation] = parse(text).definitions
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`${name} is no operation`)
  const file = `${prefix}${name}`
  const operationName = `${file}${operation.operation === 'query' ? 'Query' : 'Mutation'}`
  const renamed = { ...operation, name: { kind: Kind.NAME, value: operationName } as const }
  return { name: file, text: print(renamed), operationName }
}

function compile(modules: readonly Omit<Module, 'operationName'>[]): void {
  writeFileSync(path.join(folder, 'schema.graphql'), schemaText)
  for (const { name, text } of modules)
    writeFileSync(
      path.join(folder, 'src', `${name}.ts`),
      `import { graphql } from 'relay-runtime'\ngraphql\`${text.replaceAll('`', '\\`')}\`\n`,
    )
  writeFileSync(
    path.join(folder, 'relay.config.json'),
    JSON.stringify({
      src: './src',
      schema: './schema.graphql',
      artifactDirectory: './artifacts',
      language: 'typescript',
    }),
  )
  const compiler = path.join(import.meta.dirname, 'node_modules/relay-compiler/cli.js')
  execFileSync(process.execPath, [compiler], { cwd: folder, stdio: 'pipe' })
}

/** The text that Relay sends. */
function sentText(name: string): string {
  const artifact = readFileSync(path.join(folder, 'artifacts', `${name}.graphql.ts`), 'utf8')
  const [, literal] = /"text": (null|"(?:[^"\\]|\\.)*")/.exec(artifact) ?? []
  const text: unknown = JSON.parse(literal ?? 'null')
  return typeof text === 'string' ? text : ''
}

test('every example of the playground and of the documentation is compiled', () => {
  expect(Math.min(examples.length, snippets.length)).toBeGreaterThanOrEqual(10)
  for (const { operationName } of [...examples, ...snippets])
    expect(sentText(operationName)).toContain(operationName)
})

test('a document of every operation is compiled and sent', () => {
  const sent = packaged.flatMap(({ operationName }) => {
    const [root] = parse(sentText(operationName)).definitions
    return root?.kind === Kind.OPERATION_DEFINITION ? root.selectionSet.selections : []
  })
  const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}),
  )
  const names = sent.map((selection) => (selection.kind === Kind.FIELD ? selection.name.value : ''))
  expect([...new Set(names)].sort()).toEqual(roots.sort())
})

test('the list of shipments is a connection with pages', () => {
  expect(sentText('ShipmentListPageQuery')).toMatch(/shipments\(first: \$first, after: \$after\)/)
})
