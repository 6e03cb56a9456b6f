/** relay-compiler compiles documents of every operation with the schema that the service sends to clients. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  buildSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiSchemaText } from '../../src/graphql/api-schema.ts'
import { readSchemaText } from '../../src/graphql/schema-files.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const DOCUMENTS = path.join(ROOT, 'client/documents')
const schemaText = apiSchemaText(readSchemaText())
const schema = buildSchema(schemaText)

const definitions = readdirSync(DOCUMENTS).flatMap(
  (file) => parse(readFileSync(path.join(DOCUMENTS, file), 'utf8')).definitions,
)
const operations = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
const fragments = new Map(
  definitions
    .filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
    .map((fragment) => [fragment.name.value, fragment]),
)

const PAGED_LIST = `query ShipmentListQuery($first: Int) { ...ShipmentList_query @arguments(first: $first) }
fragment ShipmentList_query on Query
  @refetchable(queryName: "ShipmentListPageQuery")
  @argumentDefinitions(first: { type: "Int" }, after: { type: "String" }) {
  shipments(first: $first, after: $after) @connection(key: "ShipmentList_shipments") {
    edges { node { id state } }
    totalCount
  }
}`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waybill-relay-'))
  for (const name of ['src', 'artifacts']) mkdirSync(path.join(folder, name))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const suffixOf = ({ operation }: OperationDefinitionNode) => (operation === 'query' ? 'Query' : 'Mutation')

type Module = { readonly name: string; readonly text: string }

/**
 * Relay derives the names in a module from the name of its file. Fragments become inline fragments, because Relay
 * allows their spreads in fewer places.
 */
function relayModule(operation: OperationDefinitionNode): Module {
  const name = operation.name?.value ?? ''
  const inlined = withInlineFragments(operation)
  const renamed = { kind: Kind.NAME, value: `${name}${suffixOf(operation)}` } as const
  return { name, text: print({ ...inlined, name: renamed }) }
}

function withInlineFragments<Node extends OperationDefinitionNode | SelectionSetNode>(node: Node): Node {
  return visit(node, {
    FragmentSpread: {
      leave: ({ name }) => {
        const fragment = fragments.get(name.value)
        if (fragment === undefined) throw new Error(`there is no fragment ${name.value}`)
        const { typeCondition, selectionSet } = fragment
        return { kind: Kind.INLINE_FRAGMENT, typeCondition, selectionSet: withInlineFragments(selectionSet) }
      },
    },
  })
}

function compile(modules: readonly Module[]): void {
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

test('a document of every operation is compiled and sent', () => {
  compile([...operations.map(relayModule), { name: 'ShipmentList', text: PAGED_LIST }])
  const sent = operations.flatMap((operation) => {
    const text = sentText(`${operation.name?.value}${suffixOf(operation)}`)
    const [root] = parse(text).definitions
    return root?.kind === Kind.OPERATION_DEFINITION ? root.selectionSet.selections : []
  })
  const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}),
  )
  const names = sent.map((selection) => (selection.kind === Kind.FIELD ? selection.name.value : ''))
  expect(names.sort()).toEqual(roots.sort())
})

test('the list of shipments is a connection with pages', () => {
  expect(sentText('ShipmentListPageQuery')).toMatch(/shipments\(first: \$first, after: \$after\)/)
})
