/**
 * Two clients that derive the types of results from the schema: gql.tada reads documents in the type system, and genql
 * generates a client without documents. Both get the schema that the service sends, and one run of the compiler
 * compares their types with those of the client package.
 */
import { execFileSync } from 'node:child_process'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { generate } from '@genql/cli'
import { outputIntrospectionFile } from '@gql.tada/internal'
import { buildSchema, introspectionFromSchema } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiSchemaText } from '../../src/graphql/api-schema.ts'
import { readSchemaText } from '../../src/graphql/schema-files.ts'
import { ROOT } from '../docs/pages.ts'
import { makeThrowAwayFolder } from '../support/app/throw-away-folder.ts'
import {
  type ClientDocument,
  PACKAGED,
  PACKAGED_TEXT,
  PLAYGROUND_EXAMPLES,
  SNIPPETS,
} from '../support/client-documents.ts'

const schemaText = apiSchemaText(readSchemaText())
const schema = buildSchema(schemaText)

/** The compiler takes 20 seconds of processor time, and other tests run too. */
const SLOW_MS = 600_000

let folder: string
beforeAll(() => {
  folder = makeThrowAwayFolder()
  symlinkSync(path.join(import.meta.dirname, 'node_modules'), path.join(folder, 'node_modules'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text)

const SCALARS = ['Decimal', 'Date', 'DateTime', 'CountryCode']

/** The package also accepts one value for a list, as GraphQL does. gql.tada does not. */
function hasListVariable(text: string): boolean {
  return /^\w+ \w+\([^)]*: \[/.test(text)
}

function writeTada(): void {
  const literal = (text: string) => `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
  const document = ({ name, text }: ClientDocument, prefix: string) =>
    `export const ${prefix}${name} = graphql(${literal(text)})\n`
  const others = [...PLAYGROUND_EXAMPLES, ...SNIPPETS].map((named, index) => {
    const constant = `other${index}${named.name}`
    const type = `ResultOf<typeof ${constant}>`
    return `${document(named, `other${index}`)}export const check${index}: Complete<${type}> = {} as ${type}\n`
  })
  write(
    'tada.ts',
    `import { initGraphQLTada, type ResultOf, type VariablesOf } from 'gql.tada'
import type { introspection } from './introspection.ts'
import type * as client from '${path.join(ROOT, 'client/src/generated.ts')}'
const graphql = initGraphQLTada<{
  introspection: typeof introspection
  scalars: { ${SCALARS.map((name) => `${name}: string`).join('; ')} }
}>()
/** gql.tada has mutable types. */
type Frozen<Type> = Type extends readonly (infer Entry)[]
  ? readonly Frozen<Entry>[]
  : Type extends object ? { readonly [Name in keyof Type]: Frozen<Type[Name]> } : Type
/** Not assignable from a type with a field that the schema does not have. */
type Complete<Type> = unknown extends Type ? never : Type extends readonly (infer Entry)[]
  ? readonly Complete<Entry>[]
  : Type extends object ? { readonly [Name in keyof Type]: Complete<Type[Name]> } : Type
type Known<Type> = 0 extends 1 & Type ? never : [Type] extends [never] ? never : Type
${PACKAGED.map((named) => document(named, 'packaged')).join('')}
${PACKAGED.map(({ name, text }, index) => {
  const suffix = PACKAGED_TEXT.includes(`mutation ${name}(`) ? 'Mutation' : 'Query'
  return `export const result${index}: client.${name}${suffix} = {} as Known<ResultOf<typeof packaged${name}>>
export const back${index}: Frozen<Known<ResultOf<typeof packaged${name}>>> = {} as client.${name}${suffix}
${hasListVariable(text) ? '' : `export const variables${index} = (given: client.${name}${suffix}Variables): Frozen<VariablesOf<typeof packaged${name}>> => given`}
`
}).join('')}
${others.join('')}
const wrong = graphql('{ carriers { nickname } }')
// @ts-expect-error: the field does not exist.
export const check: Complete<ResultOf<typeof wrong>> = {} as ResultOf<typeof wrong>
`,
  )
}

/** Selections of genql for some of the packaged documents. Each result has the type that the package has. */
const GENQL_PROGRAM = `import { createClient, type RatesInput } from './genql/index'
import type * as packaged from '${path.join(ROOT, 'client/src/generated.ts')}'
const genql = createClient({ url: 'http://localhost:4000/graphql', headers: { 'X-PP-API': 'demo@demo-secret' } })
const problem = { code: true, message: true, retryable: true } as const
const carrier = { id: true, name: true } as const

export async function carriers(): Promise<packaged.CarriersQuery> {
  return genql.query({ carriers: { ...carrier, products: { id: true, name: true } } })
}

export async function price(input: RatesInput): Promise<string> {
  const { rates } = await genql.query({
    rates: {
      __args: { input },
      __typename: true,
      on_RateQuote: { options: { token: true, price: { amount: true }, product: { id: true, carrier } } },
      on_Problem: problem,
    },
  })
  return rates.__typename === 'RateQuote' ? (rates.options[0]?.price.amount ?? '') : rates.message
}

export async function cancel(shipmentId: string): Promise<string> {
  const { cancelShipment } = await genql.mutation({
    cancelShipment: {
      __args: { input: { shipmentId } },
      __typename: true,
      on_ShipmentCancelled: { shipment: { state: true } },
      on_CancellationPending: { retryAfterSeconds: true },
      on_Problem: problem,
    },
  })
  switch (cancelShipment.__typename) {
    case 'ShipmentCancelled':
      return cancelShipment.shipment.state
    case 'CancellationPending':
      return String(cancelShipment.retryAfterSeconds)
    case 'ShipmentNotCancelled':
    case 'ShipmentNotFound':
      return cancelShipment.code
  }
}

export async function page(after: string | null): Promise<string | null> {
  const { shipments } = await genql.query({
    shipments: {
      __args: { first: 50, after },
      edges: { cursor: true, node: { id: true, trackingEvents: { __args: { last: 3 }, nodes: { type: true } } } },
      pageInfo: { hasNextPage: true, endCursor: true },
    },
  })
  return shipments.pageInfo.endCursor
}

// @ts-expect-error: the field does not exist.
genql.query({ carriers: { nickname: true } })
`

/** The faults that the compiler reports. */
function compile(): readonly string[] {
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc')
  try {
    // Collecting garbage a quarter as often saves a fifth of the time, for half a gigabyte. Several checkers would
    // each derive the types of the schema.
    const env = { ...process.env, GOGC: '400' }
    execFileSync(process.execPath, [compiler, '-p', folder, '--checkers', '1'], {
      encoding: 'utf8',
      stdio: 'pipe',
      env,
    })
    return []
  } catch (error) {
    return String((error as { readonly stdout?: unknown }).stdout)
      .trim()
      .split('\n')
  }
}

test(
  'gql.tada and genql find the types of the package in the schema that the service sends',
  async () => {
    expect(
      [PACKAGED, PLAYGROUND_EXAMPLES, SNIPPETS].map(({ length }) => length).every((count) => count >= 10),
    ).toBe(true)
    write(
      'introspection.ts',
      outputIntrospectionFile(introspectionFromSchema(schema), { fileType: '.ts', shouldPreprocess: true }),
    )
    writeTada()
    await generate({
      schema: schemaText,
      output: path.join(folder, 'genql'),
      scalarTypes: Object.fromEntries(SCALARS.map((name) => [name, 'string'])),
    })
    write('genql.ts', GENQL_PROGRAM)
    const compilerOptions = {
      ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true },
      ...{
        module: 'esnext',
        moduleResolution: 'bundler',
        target: 'es2022',
        lib: ['es2023', 'dom'],
        types: [],
      },
    }
    write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['tada.ts', 'genql.ts'] }))
    expect(compile()).toEqual([])
  },
  SLOW_MS,
)
