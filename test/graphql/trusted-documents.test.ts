/** Documents that the operator has listed in a manifest. docs/graphql-clients.md#trusted-documents */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { ApolloServer } from '@apollo/server'
import { parse, print } from 'graphql'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  ManifestError,
  readTrustedDocuments,
  type TrustedDocuments,
} from '../../src/graphql/trusted-documents.ts'
import { fakePorts } from './fake-ports.ts'
import { CREDENTIALS, type Instance, openInstance } from './instance.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const CARRIERS = print(parse('query Carriers { carriers { id } }'))
const SHIPMENTS = 'query Shipments($first: Int!) { shipments(first: $first) { __typename } }'
const BOTH = 'query One { carriers { id } } query Two { __typename }'
const CANCEL = 'mutation Cancel { cancelShipment(input: { shipmentId: "demo-draft" }) { __typename } }'
const HASH = sha256(CARRIERS)

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waybill-manifest-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const OPTIONS = { isExclusive: false, introspection: true }

function read(manifest: unknown, options = OPTIONS): TrustedDocuments {
  const file = path.join(folder, 'manifest.json')
  writeFileSync(file, typeof manifest === 'string' ? manifest : JSON.stringify(manifest))
  return readTrustedDocuments(file, options)
}

describe('a manifest', () => {
  test('of GraphQL Code Generator maps ids to documents', () => {
    const sha1 = createHash('sha1').update(SHIPMENTS).digest('hex')
    const { texts } = read({ [HASH]: CARRIERS, [sha1]: SHIPMENTS, both: BOTH })
    expect([...texts]).toEqual([
      [HASH, CARRIERS],
      [sha1, SHIPMENTS],
      ['both', BOTH],
    ])
  })

  test('of Apollo lists operations', () => {
    const { texts } = read({
      format: 'apollo-persisted-query-manifest',
      version: 1,
      operations: [{ id: HASH, name: 'Carriers', type: 'query', body: CARRIERS }],
    })
    expect([...texts]).toEqual([[HASH, CARRIERS]])
  })

  test('may write ids with the prefix sha256', () => {
    expect([...read({ [`sha256:${HASH}`]: CARRIERS }).texts.keys()]).toEqual([HASH])
  })

  const apollo = (fields: object) => ({ format: 'apollo-persisted-query-manifest', version: 1, ...fields })
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['is not JSON', '{', 'JSON'],
    ['is a list', [], 'it must be a JSON object'],
    ['is empty', {}, 'it has no documents'],
    ['has a document that is not text', { a: 1 }, 'document a: must be text'],
    ['has an empty id', { '': CARRIERS }, 'its id must consist of'],
    ['has an id with a space', { 'a b': CARRIERS }, 'its id must consist of'],
    ['has a SHA-256 id of another text', { [HASH]: SHIPMENTS }, 'its id is not the SHA-256 hash of its text'],
    ['has an id twice', { [HASH]: CARRIERS, [`sha256:${HASH}`]: CARRIERS }, 'its id occurs twice'],
    ['has a syntax error', { a: '{ carriers' }, 'document a: Syntax Error: Expected Name, found <EOF>.'],
    ['has an empty document', { a: '' }, 'document a: Syntax Error'],
    [
      'has an unknown field',
      { a: '{ trucks { id } }' },
      'document a: Cannot query field "trucks" on type "Query"',
    ],
    [
      'exceeds a limit',
      { a: `{ ${'x: carriers { id } '.repeat(400)} }` },
      'document a: The operation is too large',
    ],
    ['of Apollo has another version', apollo({ version: 2 }), 'the version must be 1'],
    ['of Apollo has no operations', apollo({}), 'operations must be a list'],
    [
      'of Apollo has an operation without body',
      apollo({ operations: [{ id: 'a' }] }),
      'operations.0: must have',
    ],
  ]
  test.each(cases)('that %s is refused', (_what, manifest, message) => {
    expect(() => read(manifest)).toThrow(ManifestError)
    expect(() => read(manifest)).toThrow(message)
  })

  test('that does not exist is refused', () => {
    const file = path.join(folder, 'nowhere.json')
    expect(() => readTrustedDocuments(file, OPTIONS)).toThrow(
      `The trusted documents in ${file} cannot be used`,
    )
  })

  test('reports all faults, up to ten', () => {
    const manifest = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`d${index}`, '{ nope }']))
    expect(() => read(manifest)).toThrow(/document d9: .*\n {2}20 more faults$/)
  })

  test('must not query the schema if introspection is off', () => {
    const manifest = { a: '{ __schema { queryType { name } } }' }
    expect(read(manifest).texts.size).toBe(1)
    expect(() => read(manifest, { ...OPTIONS, introspection: false })).toThrow(/introspection/)
  })
})

const MANIFEST = new Map([
  [HASH, CARRIERS],
  ['shipments', SHIPMENTS],
  ['both', BOTH],
  ['cancel', CANCEL],
])
const optional = openInstance({ trustedDocuments: { texts: MANIFEST, isExclusive: false } })
const exclusive = openInstance({
  ports: fakePorts(),
  playground: { demoCredentials: CREDENTIALS, trustedDocumentsOnly: true },
  trustedDocuments: { texts: MANIFEST, isExclusive: true },
})

async function post({ app }: Instance, parameters: object) {
  const answer = await app.inject({
    method: 'POST',
    url: '/graphql',
    headers: { 'content-type': 'application/json', 'x-pp-api': CREDENTIALS },
    payload: JSON.stringify(parameters),
  })
  const { data, errors } = answer.json()
  return { status: answer.statusCode, data, code: errors?.[0].extensions.code, errors }
}

async function get({ app }: Instance, parameters: Record<string, string>) {
  const url = `/graphql?${new URLSearchParams(parameters)}`
  const answer = await app.inject({ url, headers: { 'x-pp-api': CREDENTIALS } })
  const { data, errors } = answer.json()
  return { status: answer.statusCode, headers: answer.headers, data, code: errors?.[0].extensions.code }
}

const persisted = (sha256Hash: unknown) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } })
const ALL = { carriers: expect.arrayContaining([{ id: expect.any(String) }]) }

describe.each([
  ['with other documents', optional],
  ['exclusively', exclusive],
])('trusted documents, %s,', (_mode, instance) => {
  test.each([
    ['documentId', { documentId: HASH }],
    ['documentId with its prefix', { documentId: `sha256:${HASH}` }],
    ['the persistedQuery extension', persisted(HASH)],
    ['documentId and an empty query', { documentId: HASH, query: '' }],
    ['documentId and the persistedQuery extension', { documentId: HASH, ...persisted('other') }],
  ])('are selected by %s', async (_what, parameters) => {
    expect(await post(instance, parameters)).toMatchObject({ status: 200, data: ALL })
  })

  test('are selected in a query string', async () => {
    const extensions = JSON.stringify(persisted(HASH).extensions)
    for (const parameters of [{ documentId: HASH }, { extensions }]) {
      const answer = await get(instance, parameters)
      expect(answer).toMatchObject({ status: 200, data: ALL })
      expect(answer.headers['etag']).toBeDefined()
    }
  })

  test('take variables and an operation name', async () => {
    const variables = { first: 0 }
    const refused = { status: 400, data: null, code: 'BAD_USER_INPUT' }
    expect(await post(instance, { documentId: 'shipments', variables })).toMatchObject(refused)
    expect(
      await get(instance, { documentId: 'shipments', variables: JSON.stringify(variables) }),
    ).toMatchObject(refused)
    const two = { documentId: 'both', operationName: 'Two' }
    expect(await post(instance, two)).toMatchObject({ data: { __typename: 'Query' } })
    expect(await get(instance, two)).toMatchObject({ data: { __typename: 'Query' } })
    expect(await post(instance, { documentId: 'both' })).toMatchObject({ status: 400 })
  })

  test('with a mutation are refused for GET', async () => {
    expect(await get(instance, { documentId: 'cancel' })).toMatchObject({ status: 405 })
  })

  test('are compiled, however they are selected', async () => {
    const executions = vi.spyOn(ApolloServer.prototype, 'executeHTTPGraphQLRequest')
    for (let request = 0; request < 5; request++) await post(instance, { documentId: HASH })
    executions.mockClear()
    for (const parameters of [{ documentId: HASH }, persisted(HASH)])
      expect(await post(instance, parameters)).toMatchObject({ status: 200, data: ALL })
    const extensions = JSON.stringify(persisted(HASH).extensions)
    for (const parameters of [{ documentId: HASH }, { extensions }])
      expect(await get(instance, parameters)).toMatchObject({ status: 200, data: ALL })
    expect(executions).not.toHaveBeenCalled()
  })

  test('are not selected by a name that every object has', async () => {
    for (const id of ['__proto__', 'constructor', 'toString'])
      expect((await post(instance, { documentId: id })).code, id).toMatch(/^PERSISTED_QUERY_NOT_/)
  })

  test.each([1, {}, [], true])('are not selected by %j', async (documentId) => {
    expect(await post(instance, { documentId })).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  })
})

describe('a document that is not trusted', () => {
  const text = '{ __typename }'

  test('is executed if the mode is not exclusive', async () => {
    const data = { __typename: 'Query' }
    expect(await post(optional, { query: text })).toMatchObject({ status: 200, data })
    expect(await post(optional, { query: text, ...persisted(sha256(text)) })).toMatchObject({ data })
    expect(await get(optional, { query: text })).toMatchObject({ status: 200, data })
  })

  test('has an unknown id: clients then send its text', async () => {
    const code = 'PERSISTED_QUERY_NOT_FOUND'
    expect(await post(optional, { documentId: 'nope' })).toMatchObject({ status: 400, code })
    const unknown = await post(optional, persisted(sha256(text)))
    expect(unknown).toMatchObject({ status: 400, code })
    // Clients such as urql recognize the message.
    expect(unknown.errors[0].message).toBe('PersistedQueryNotFound')
  })

  test('is refused in exclusive mode, also if its text is in the manifest', async () => {
    const refused = { status: 400, code: 'PERSISTED_QUERY_ID_REQUIRED' }
    for (const query of [text, CARRIERS, '{', ' ']) {
      expect(await post(exclusive, { query })).toMatchObject(refused)
      expect(await get(exclusive, { query })).toMatchObject(refused)
      expect(await post(exclusive, { query, documentId: HASH })).toMatchObject(refused)
      expect(await post(exclusive, { query, ...persisted(HASH) })).toMatchObject(refused)
    }
    expect(await post(exclusive, {})).toMatchObject(refused)
    expect(await post(exclusive, { query: 1 })).toMatchObject(refused)
    const answer = await exclusive.app.inject({
      url: `/graphql?documentId=${HASH}&query=&query=${encodeURIComponent(text)}`,
      headers: { 'x-pp-api': CREDENTIALS },
    })
    expect(answer.json().errors[0].extensions.code).toBe(refused.code)
  })

  test('has an unknown id: in exclusive mode, clients must not send its text', async () => {
    const refused = { status: 400, code: 'PERSISTED_QUERY_NOT_IN_LIST' }
    expect(await post(exclusive, { documentId: 'nope' })).toMatchObject(refused)
    expect(await post(exclusive, persisted(sha256(text)))).toMatchObject(refused)
  })

  test('cannot be sent together with documentId', async () => {
    const both = { query: text, documentId: HASH }
    expect(await post(optional, both)).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  })
})

test('the playground says that its queries are refused in exclusive mode', async () => {
  const page = async ({ app }: Instance) =>
    (await app.inject({ url: '/graphql', headers: { accept: 'text/html' } })).body
  expect(await page(exclusive)).toContain('This service executes trusted documents only')
  const usual = openInstance({ playground: { demoCredentials: CREDENTIALS } })
  expect(await page(usual)).not.toContain('trusted documents')
})

describe('Apollo Client with automatic persisted queries', () => {
  const requests: Record<string, unknown>[] = []
  const clientFor = async ({ app }: Instance) => {
    if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    requests.length = 0
    const link = new HttpLink({
      uri: `http://127.0.0.1:${port}/graphql`,
      headers: { 'x-pp-api': CREDENTIALS },
      fetch: (url, init) => {
        requests.push(JSON.parse(String(init?.body)))
        return fetch(url, init)
      },
    })
    const hashes = new PersistedQueryLink({ sha256 })
    return new ApolloClient({
      cache: new InMemoryCache({ addTypename: false } as object),
      link: hashes.concat(link),
    })
  }

  test('sends the text after an unknown id, and other ids afterwards', async () => {
    const client = await clientFor(optional)
    const other = await client.query({
      query: gql`query Other { classify(description: "") { __typename } }`,
    })
    expect(other.data).toMatchObject({ classify: { __typename: 'InputProblem' } })
    expect(requests.map((request) => 'query' in request)).toEqual([false, true])
    await client.query({ query: gql`query Another { classify(description: " ") { __typename } }` })
    expect(requests.map((request) => 'query' in request)).toEqual([false, true, false, true])
  })

  test('fails in exclusive mode with the code of the refusal', async () => {
    const client = await clientFor(exclusive)
    const { error } = await client.query({
      query: gql`query Other { carriers { name } }`,
      errorPolicy: 'all',
    })
    expect(JSON.stringify(error)).toContain('PERSISTED_QUERY_NOT_IN_LIST')
    expect(requests.map((request) => 'query' in request)).toEqual([false])
  })
})
