/**
 * Runs the programs and the generator settings in docs/graphql-first-steps.md and docs/graphql-clients.md. Blocks that
 * begin with a comment such as `// query.mjs` are files.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { InMemoryCache } from '@apollo/client/cache'
import { relayStylePagination } from '@apollo/client/utilities'
import { generate } from '@graphql-codegen/cli'
import { transform } from 'esbuild'
import { buildSchema, isScalarType, isSpecifiedScalarType, parse, print } from 'graphql'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  possibleTypes,
  ShipmentsDocument,
  type ShipmentsQuery,
  type ShipmentsQueryVariables,
} from '../../client/src/index.ts'
import { readSchemaText } from '../../src/graphql/schema-files.ts'
import { resetDemo } from '../../src/store/demo/reset.ts'
import { openTestApp, type TestApp } from '../support/app/test-app.ts'
import { makeThrowAwayFolder } from '../support/app/throw-away-folder.ts'
import { type CodeBlock, readPage } from './pages.ts'
import { differences } from './shown-value.ts'

const run = promisify(execFile)

const firstSteps = readPage('docs/graphql-first-steps.md')
const clients = readPage('docs/graphql-clients.md')

let app: TestApp
let address: string
let folder: string
beforeAll(async () => {
  app = await openTestApp()
  address = await app.app.server.listen({ port: 0, host: '127.0.0.1' })
  folder = makeThrowAwayFolder()
  mkdirSync(folder, { recursive: true })
})
beforeEach(() => resetDemo(app.clone.db))
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The block that begins with the name of the file. */
function blockOf(blocks: readonly CodeBlock[], file: string): string {
  const block = blocks.find(({ text }) => text.startsWith(`// ${file}\n`))
  if (block === undefined) throw new Error(`no page has the file ${file}`)
  return block.text
}

/** Writes a program of a page with the address of the test service. */
function writeProgram(blocks: readonly CodeBlock[], file: string): string {
  const target = path.join(folder, file)
  writeFileSync(target, blockOf(blocks, file).replaceAll('http://localhost:4000', address))
  return target
}

describe('query.mjs', () => {
  test('sends the query and the variables of the page, and prints the response', async () => {
    const section = firstSteps.blocks.filter(({ section }) => section === 'send-a-query-with-variables')
    const [query, variables, response] = ['graphql', 'json', 'json'].map((language, index) =>
      section.filter((block) => block.language === language).at(index === 2 ? 1 : 0),
    )
    const program = writeProgram(firstSteps.blocks, 'query.mjs')
    writeFileSync(path.join(folder, 'rates.graphql'), query?.text ?? '')
    writeFileSync(path.join(folder, 'rates.json'), variables?.text ?? '')
    const { stdout } = await run('node', [program, 'rates.graphql', 'rates.json'], { cwd: folder })
    expect(differences(JSON.parse(response?.text ?? ''), JSON.parse(stdout))).toEqual([])
  })
})

describe('cancel.mjs', () => {
  const cancel = async (id: string) => {
    const { stdout } = await run('node', [writeProgram(clients.blocks, 'cancel.mjs'), id])
    return stdout.trim()
  }

  test('prints the outcome of the page', async () => {
    const shown = clients.blocks.find(({ text }) => text.startsWith('$ node cancel.mjs'))?.text ?? ''
    const [command = '', ...output] = shown.split('\n')
    expect(await cancel(command.split(' ').at(-1) ?? '')).toBe(output.join('\n'))
  })

  test('repeats the mutation while the carrier has not confirmed', async () => {
    await app.clone.db
      .updateTable('shipment')
      .set({ carrier_ref: 'SBX-LOST-SCRIPT' })
      .where('shipment_id', '=', 'demo-booked')
      .execute()
    const lines = (await cancel('demo-booked')).split('\n')
    expect(lines[0]).toMatch(/^not confirmed yet; asking again in \d+ s$/)
    expect(lines.at(-1)).toBe('ShipmentCancelled: The shipment is cancelled')
  })

  test('ends with the code of a top-level error', async () => {
    const program = path.join(folder, 'stranger.mjs')
    const text = blockOf(clients.blocks, 'cancel.mjs').replaceAll('http://localhost:4000', address)
    writeFileSync(program, text.replace('demo@demo-secret', 'demo@wrong'))
    await expect(run('node', [program, 'demo-booked'])).rejects.toThrow('UNAUTHENTICATED')
  })
})

describe('backend.mjs', () => {
  let backend: ChildProcess
  let port: number
  beforeAll(async () => {
    // The program prints nothing, so this one adds the port that it got.
    const text = `${blockOf(clients.blocks, 'backend.mjs')}\nserver.on('listening', () => console.log(server.address().port))\n`
    const program = path.join(folder, 'backend.mjs')
    writeFileSync(program, text)
    backend = spawn('node', [program], {
      env: { ...process.env, PORT: '0', API_ADDRESS: `${address}/graphql` },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(backend.stdout!, 'data')) as [Buffer]
    port = Number(line.toString())
  })
  afterAll(() => void backend.kill())

  const call = (route: string, body: string, method = 'POST') =>
    fetch(`http://127.0.0.1:${port}${route}`, { method, ...(method === 'POST' && { body }) })

  test('runs its queries with the variables of the page', async () => {
    const input = {
      from: { country: 'NL' },
      to: { country: 'DE' },
      parcels: { documents: [{ count: 1 }] },
    }
    const reply = await call('/api/rates', JSON.stringify({ input }))
    expect(reply.status).toBe(200)
    expect(await reply.json()).toMatchObject({ data: { rates: { __typename: 'RateQuote' } } })
    expect(await (await call('/api/carriers', '')).json()).toHaveProperty('data.carriers')
  })

  test('refuses other operations and bodies that are not JSON', async () => {
    expect((await call('/api/cancel', '{}')).status).toBe(404)
    expect((await call('/api/rates', '', 'GET')).status).toBe(404)
    expect((await call('/api/rates', '{')).status).toBe(400)
  })

  test('refuses a body that is too large, and goes on', async () => {
    expect((await call('/api/rates', ' '.repeat(150_000))).status).toBe(413)
    expect((await call('/api/carriers', '')).status).toBe(200)
  })

  test('passes on when to ask again', async () => {
    const { headers } = await call('/api/carriers', '')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('ratelimit-remaining')).toMatch(/^\d+$/)
  })
})

test('the field policy of the page merges the pages of ShipmentsDocument in the cache of Apollo Client', async () => {
  const block = clients.blocks.find(({ text }) => text.includes('typePolicies'))?.text ?? ''
  const [, policies = ''] = /typePolicies: (\{.*\}),\n/.exec(block) ?? []
  const typePolicies = new Function('relayStylePagination', `return ${policies}`)(relayStylePagination)
  const cache = new InMemoryCache({ possibleTypes, typePolicies })
  const query = cache.transformDocument(parse(ShipmentsDocument))
  let after: string | null = null
  for (let page = 0; page < 3; page++) {
    const variables: ShipmentsQueryVariables = { first: 1, after, sort: 'OLDEST' }
    const { data } = (await app.graphql(print(query), variables)) as unknown as { data: ShipmentsQuery }
    cache.writeQuery({ query, variables, data })
    after = data.shipments.pageInfo.endCursor
  }
  const cached = cache.readQuery<ShipmentsQuery>({ query, variables: { first: 1, sort: 'OLDEST' } })
  const all = (await app.graphql(print(query), { first: 3, sort: 'OLDEST' })) as unknown as {
    data: ShipmentsQuery
  }
  expect(cached?.shipments.edges).toHaveLength(3)
  expect(cached?.shipments).toEqual(all.data.shipments)
})

describe('the settings of code generators', () => {
  const schemaText = readSchemaText()
  const scalars = Object.values(buildSchema(schemaText).getTypeMap())
    .filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
    .map(({ name }) => name)
    // The scalars of federation are for gateways.
    .filter((name) => !name.includes('_'))
    .sort()

  test('map every scalar of the schema', () => {
    const namesIn = (text: string) =>
      [...text.matchAll(/(?<=[\s{])([A-Z]\w+):/g)].map(([, name]) => name).sort()
    const block = (contained: string) =>
      clients.blocks.find(({ text }) => text.includes(contained))?.text ?? ''
    expect(namesIn(blockOf(clients.blocks, 'codegen.ts'))).toEqual(scalars)
    expect(namesIn(block('initGraphQLTada<{'))).toEqual(scalars)
    expect(namesIn(block('npx genql'))).toEqual(scalars)
  })

  test('work in GraphQL Code Generator', async () => {
    const { code } = await transform(blockOf(clients.blocks, 'codegen.ts'), { loader: 'ts', format: 'esm' })
    const { default: config } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      default: { generates: Record<string, { config: object }> }
    }
    const [{ config: settings } = { config: {} }] = Object.values(config.generates)
    const files = await generate(
      {
        schema: schemaText,
        generates: { 'types.ts': { plugins: ['typescript'], config: settings } },
        silent: true,
      },
      false,
    )
    const [{ content }] = files as readonly [{ content: string }]
    for (const scalar of scalars) {
      const input = scalar === 'Decimal' ? 'string | number' : 'string'
      expect(content).toContain(`${scalar}: { input: ${input}; output: string; }`)
    }
  })
})
