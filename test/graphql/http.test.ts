import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { InjectOptions } from 'fastify'
import {
  buildClientSchema,
  buildSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  lexicographicSortSchema,
  printSchema,
} from 'graphql'
import { serverAudits } from 'graphql-http'
import { describe, expect, test } from 'vitest'
import { STATIC_FIELDS } from '../../src/graphql/answer.ts'
import { fakePorts } from './fake-ports.ts'
import { CREDENTIALS, type Instance, Outage, openInstance } from './instance.ts'

const ports = fakePorts()
const { app, faults } = openInstance({ ports, playground: { demoCredentials: CREDENTIALS } })
const CARRIERS = '{ carriers { id } }'
const JSON_HEADERS = { 'content-type': 'application/json', 'x-pp-api': CREDENTIALS }

function post(payload: string | Buffer, headers: Record<string, string> = JSON_HEADERS) {
  return app.inject({ method: 'POST', url: '/graphql', headers, payload })
}

function get(url: string, headers: Record<string, string> = { 'x-pp-api': CREDENTIALS }) {
  return app.inject({ method: 'GET', url, headers })
}

function body(code: string) {
  return { errors: [{ message: expect.any(String), extensions: { code, requestId: expect.any(String) } }] }
}

test('the audit of graphql-http reports no errors', async () => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const audits = serverAudits({
    url: `http://127.0.0.1:${port}/graphql`,
    fetchFn: (url: string, init?: RequestInit) =>
      fetch(url, {
        ...init,
        headers: { ...(init?.headers as Record<string, string>), 'x-pp-api': CREDENTIALS },
      }),
  })
  const results = await Promise.all(audits.map((audit) => audit.fn()))
  const notOk = results.flatMap((result) =>
    result.status === 'ok' ? [] : [`${result.status} ${result.name}: ${result.reason}`],
  )
  console.log(`graphql-http: ${results.length} audits, not ok:\n${notOk.join('\n')}`)
  expect(results.length).toBeGreaterThan(55)
  expect(results.filter(({ status }) => status === 'error')).toEqual([])
})

describe('credentials', () => {
  test('that are missing or wrong are refused with 401 in the GraphQL error format', async () => {
    const requests: InjectOptions[] = [
      { method: 'POST', url: '/graphql', payload: '{}', headers: { 'content-type': 'application/json' } },
      {
        method: 'POST',
        url: '/graphql',
        payload: '{}',
        headers: { ...JSON_HEADERS, 'x-pp-api': 'demo@wrong' },
      },
      {
        method: 'GET',
        url: `/graphql?query=${encodeURIComponent(CARRIERS)}`,
        headers: { accept: 'application/json' },
      },
      { method: 'GET', url: '/graphql?documentId=1', headers: { accept: 'text/html' } },
      { method: 'GET', url: '/graphql' },
    ]
    for (const request of requests) {
      const answer = await app.inject(request)
      expect(answer.statusCode).toBe(401)
      expect(answer.json()).toEqual(body('UNAUTHENTICATED'))
    }
  })
})

describe('GET', () => {
  test('answers a query', async () => {
    const answer = await get(`/graphql?query=${encodeURIComponent(CARRIERS)}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data.carriers).toHaveLength(6)
  })

  test('refuses mutations', async () => {
    ports.calls.length = 0
    const mutation = 'mutation { cancelShipment(input: { shipmentId: "demo-booked" }) { __typename } }'
    const answer = await get(`/graphql?query=${encodeURIComponent(mutation)}`)
    expect(answer.statusCode).toBe(405)
    expect(answer.headers['allow']).toBe('POST')
    expect(ports.calls).toEqual([])
  })

  test('without a valid query is refused with 400', async () => {
    for (const search of [
      '',
      '?query=',
      '?query=%',
      '?query=%FF',
      '?query={a}&query={b}',
      '?variables={}',
      '?query={a}&variables=[',
    ])
      expect((await get(`/graphql${search}`)).statusCode, search).toBe(400)
  })
})

describe('caching', () => {
  const ask = (query: string, headers: Record<string, string> = {}, search = '') =>
    get(`/graphql?query=${encodeURIComponent(query)}${search}`, { 'x-pp-api': CREDENTIALS, ...headers })

  test.each([
    CARRIERS,
    '{ __schema { queryType { name } } }',
    '{ carrier(id: "rondeel") { name } _service { __typename } }',
    '{ __type(name: "Carrier") { name } carriers { id } __typename }',
    'query A { ...Roots } fragment Roots on Query { ... on Query { carriers { id } } ... @include(if: true) { all: carriers { id name } } }',
  ])('of a GET for static fields needs revalidation: %s', async (query) => {
    const answer = await ask(query)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'cache-control': 'private, no-cache',
      vary: 'accept, x-pp-api, accept-encoding',
      etag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
    })
    const etag = String(answer.headers['etag'])
    for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const again = await ask(query, { 'if-none-match': known })
      expect([again.statusCode, again.body, again.headers['etag']], known).toEqual([304, '', etag])
      expect(again.headers['cache-control']).toBe('private, no-cache')
      expect(again.headers['ratelimit-limit']).toBeDefined()
    }
    expect((await ask(query, { 'if-none-match': '"other"' })).statusCode).toBe(200)
  })

  test('is the same for compressed and uncompressed responses', async () => {
    const query = '{ __schema { types { name description } } }'
    const plain = await ask(query)
    const compressed = await ask(query, { 'accept-encoding': 'br' })
    expect(compressed.headers['content-encoding']).toBe('br')
    expect(compressed.headers['etag']).toBe(plain.headers['etag'])
  })

  test('differs for other fields', async () => {
    const [ids, names] = [await ask(CARRIERS), await ask('{ carriers { name } }')]
    expect(ids.headers['etag']).not.toBe(names.headers['etag'])
  })

  test.each([
    '{ shipments(first: 0) { __typename } }',
    '{ carriers { id } shipments(first: 0) { __typename } }',
    '{ ...Roots } fragment Roots on Query { carriers { id } ... { shipments(first: 0) { __typename } } }',
    '{ nope }',
  ])('of every other GET is forbidden: %s', async (query) => {
    const answer = await ask(query, { 'if-none-match': '*' })
    expect(answer.statusCode).not.toBe(304)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['etag']).toBeUndefined()
  })

  test('depends on the operation that is selected', async () => {
    const query = 'query Static { carriers { id } } query Other { shipments(first: 0) { __typename } }'
    expect((await ask(query, {}, '&operationName=Static')).headers['etag']).toBeDefined()
    expect((await ask(query, {}, '&operationName=Other')).headers['etag']).toBeUndefined()
  })

  test('of a POST is forbidden', async () => {
    const answer = await post(JSON.stringify({ query: CARRIERS }), { ...JSON_HEADERS, 'if-none-match': '*' })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['etag']).toBeUndefined()
  })

  test('names only root fields that exist', async () => {
    const { data } = (await ask('{ __type(name: "Query") { fields { name } } }')).json()
    const fields = data.__type.fields.map(({ name }: { name: string }) => name)
    const own = [...STATIC_FIELDS].filter((name) => !name.startsWith('__'))
    expect(fields).toEqual(expect.arrayContaining(own))
  })
})

describe('compression', () => {
  const query = '{ __schema { types { name description fields { name description } } } }'
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('with %s returns the same response', async (coding, decompress) => {
    const plain = await post(JSON.stringify({ query }))
    const answer = await post(JSON.stringify({ query }), { ...JSON_HEADERS, 'accept-encoding': coding })
    expect(answer.headers['content-encoding']).toBe(coding)
    expect(answer.headers['content-type']).toBe(plain.headers['content-type'])
    expect(answer.headers['vary']).toBe('accept-encoding')
    expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
    expect(decompress(answer.rawPayload).toString()).toBe(plain.body)
  })

  test('is not used for small responses', async () => {
    const answer = await post(JSON.stringify({ query: CARRIERS }), {
      ...JSON_HEADERS,
      'accept-encoding': 'gzip',
    })
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.headers['vary']).toBe('accept-encoding')
  })

  test('applies to the page of the playground, which also depends on Accept', async () => {
    const answer = await get('/graphql', { accept: 'text/html', 'accept-encoding': 'gzip' })
    expect(answer.headers['content-encoding']).toBe('gzip')
    expect(answer.headers['vary']).toBe('accept, accept-encoding')
  })
})

describe('GET /graphql/schema.graphql', () => {
  const PATH = '/graphql/schema.graphql'
  const closed = openInstance({ ports, introspection: false })

  test('returns the schema, also if introspection is off', async () => {
    for (const instance of [app, closed.app]) {
      const answer = await instance.inject({ url: PATH, headers: { 'x-pp-api': CREDENTIALS } })
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
      expect(buildSchema(answer.body).getQueryType()?.name).toBe('Query')
    }
  })

  test('has the types of the introspection result, with descriptions', async () => {
    const introspection = getIntrospectionQuery({
      specifiedByUrl: true,
      schemaDescription: true,
      directiveIsRepeatable: true,
      oneOf: true,
    })
    const { data } = (await post(JSON.stringify({ query: introspection }))).json()
    const sorted = (schema: GraphQLSchema) => printSchema(lexicographicSortSchema(schema))
    const { body: text } = await get(`${PATH}?federation`)
    expect(sorted(buildSchema(text))).toBe(sorted(buildClientSchema(data)))
    expect(text).toContain('An exact decimal as text, such as "12.50"')
  })

  test('is one flat document without the parts for gateways', async () => {
    const { body: text } = await get(PATH)
    expect(text).not.toMatch(/^extend |@key|@shareable|@link|link__|federation__|\b_[A-Za-z]/m)
    const api = buildSchema(text)
    const subgraph = buildSchema((await get(`${PATH}?federation`)).body)
    // Printing leaves out the directives of federation. What is left of the subgraph is the API.
    const [apiText, subgraphText] = [api, subgraph].map((schema) =>
      printSchema(lexicographicSortSchema(schema)),
    )
    const definitions = (printed = '') => printed.split(/\n{2,}(?=\S)/)
    expect(definitions(subgraphText)).toEqual(
      expect.arrayContaining(definitions(apiText).filter((part) => !/^type Query /m.test(part))),
    )
    const names = (schema: GraphQLSchema) => Object.keys(schema.getTypeMap())
    expect(
      names(subgraph)
        .filter((name) => !names(api).includes(name))
        .sort(),
    ).toEqual(['_Any', '_Entity', '_Service', 'federation__FieldSet', 'link__Import', 'link__Purpose'])
    const roots = (schema: GraphQLSchema) => Object.keys(schema.getQueryType()?.getFields() ?? {})
    expect([...roots(api), '_service', '_entities'].sort()).toEqual(roots(subgraph).sort())
  })

  test('with ?federation has the directives, and is the schema of the subgraph', async () => {
    const { body: text } = await get(`${PATH}?federation`)
    expect(text).toContain('scalar Date @specifiedBy(url: "https://www.rfc-editor.org/')
    expect(text).toMatch(/^type Shipment .*@key\(fields: "id"\)/m)
    const { data } = (await post(JSON.stringify({ query: '{ _service { sdl } }' }))).json()
    expect(text).toBe(data._service.sdl)
  })

  test('requires credentials, and refuses in the GraphQL error format', async () => {
    const answer = await get(PATH, {})
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toEqual(body('UNAUTHENTICATED'))
  })

  test('has an ETag, and is compressed', async () => {
    const answer = await get(PATH, { 'x-pp-api': CREDENTIALS, 'accept-encoding': 'gzip, br' })
    expect(answer.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'private, no-cache',
      vary: 'accept-encoding',
    })
    const known = { 'x-pp-api': CREDENTIALS, 'if-none-match': String(answer.headers['etag']) }
    const again = await get(PATH, known)
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const head = await app.inject({ method: 'HEAD', url: PATH, headers: { 'x-pp-api': CREDENTIALS } })
    expect([head.statusCode, head.body, head.headers['etag']]).toEqual([200, '', answer.headers['etag']])
  })
})

describe('a body', () => {
  test('that is not JSON in UTF-8 is refused with 400', async () => {
    const bodies = [
      '',
      '{',
      'null ,',
      '\ufeff\ufeff{}',
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    ]
    for (const payload of bodies) {
      const answer = await post(payload)
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual(body('BAD_REQUEST'))
    }
  })

  test('that is JSON but not a GraphQL request is refused with 400', async () => {
    const deep = `{"query":"{ carriers { id } }","variables":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
    const bodies = [
      'null',
      '1',
      '"x"',
      '[]',
      '{}',
      '{"query":1}',
      '{"query":{}}',
      '{"query":""}',
      deep,
      '{"query":"{a}","variables":"{}"}',
      '{"query":"{a}","operationName":1}',
      '{"query":"{a}","extensions":[]}',
      '{"query":"\\ud800"}',
      '{"query":"{ \\u0000 }"}',
    ]
    for (const payload of bodies) {
      const answer = await post(payload)
      expect(answer.statusCode, payload.slice(0, 80)).toBe(400)
      expect(answer.json().errors[0].extensions.code).not.toBe('INTERNAL_SERVER_ERROR')
    }
    expect(faults).toEqual([])
  })

  test('with a persisted query is refused with PERSISTED_QUERY_NOT_SUPPORTED, which clients understand', async () => {
    const answer = await post('{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"x"}}}')
    expect(answer.json().errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_SUPPORTED')
  })

  test('with several requests is refused', async () => {
    const answer = await post(JSON.stringify([{ query: CARRIERS }, { query: CARRIERS }]))
    expect(answer.statusCode).toBe(400)
  })

  test('of another media type or character set is refused with 415', async () => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/graphql',
      'application/json; charset=latin1',
      'nonsense',
      '',
    ]
    for (const type of types) {
      const answer = await post(JSON.stringify({ query: CARRIERS }), {
        ...JSON_HEADERS,
        'content-type': type,
      })
      expect(answer.statusCode, type).toBe(415)
      expect(answer.json(), type).toEqual(body('UNSUPPORTED_MEDIA_TYPE'))
    }
  })

  test('may declare UTF-8 as its character set', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'Application/JSON',
    ]) {
      const answer = await post(JSON.stringify({ query: CARRIERS }), {
        ...JSON_HEADERS,
        'content-type': type,
      })
      expect(answer.statusCode, type).toBe(200)
    }
  })

  test('above the size limit is refused with 413 in the GraphQL error format', async () => {
    const answer = await post(JSON.stringify({ query: CARRIERS, variables: { x: 'x'.repeat(300_000) } }))
    expect(answer.statusCode).toBe(413)
    expect(answer.json()).toEqual(body('BODY_TOO_LARGE'))
  })
})

describe('an empty operationName', () => {
  test('counts as absent in a body', async () => {
    const answer = await post(JSON.stringify({ query: CARRIERS, operationName: '' }))
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data.carriers).toHaveLength(6)
  })

  test('counts as absent in a query string', async () => {
    const query = `query=${encodeURIComponent(CARRIERS)}`
    for (const search of [`${query}&operationName=`, `operationName=&${query}`])
      expect((await get(`/graphql?${search}`)).statusCode, search).toBe(200)
  })
})

describe('a refusal', () => {
  const ALLOWANCE = { charge: () => 7, overdraw: () => {} }
  const limited = openInstance({ ports, allowance: ALLOWANCE })
  const broken = openInstance({
    ports: fakePorts({
      store: {
        list: async () => {
          throw new Outage('gone')
        },
      },
    }),
  })
  const json = (query: string) => JSON.stringify({ query })
  const LIST = '{ shipments { __typename } }'
  const cases: readonly (readonly [number, string, Instance, string, Record<string, string>])[] = [
    [400, 'GRAPHQL_VALIDATION_FAILED', limited, json('{ nope }'), {}],
    [400, 'OPERATION_TOO_LARGE', limited, json('{'.repeat(100)), {}],
    [401, 'UNAUTHENTICATED', limited, json(CARRIERS), { 'x-pp-api': 'demo@wrong' }],
    [413, 'BODY_TOO_LARGE', limited, json('x'.repeat(300_000)), {}],
    [415, 'UNSUPPORTED_MEDIA_TYPE', limited, json(CARRIERS), { 'content-type': 'text/plain' }],
    [429, 'RATE_LIMITED', limited, json(CARRIERS), {}],
    [503, 'SERVICE_UNAVAILABLE', broken, json(LIST), {}],
  ]
  const types: readonly (readonly [string, string])[] = [
    ['application/graphql-response+json', 'application/graphql-response+json; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
  ]
  for (const [status, code, instance, payload, headers] of cases)
    test(`with status ${status} has the accepted media type and the request id: ${code}`, async () => {
      for (const [accept, type] of types) {
        const answer = await instance.app.inject({
          method: 'POST',
          url: '/graphql',
          headers: { ...JSON_HEADERS, accept, 'x-request-id': 'id-17', ...headers },
          payload,
        })
        expect(answer.statusCode).toBe(status)
        expect(answer.headers['content-type'], accept).toBe(type)
        expect(answer.json().errors[0].extensions, accept).toMatchObject({ code, requestId: 'id-17' })
      }
    })

  test('that follows credentials has RateLimit headers', async () => {
    const answer = await limited.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: JSON_HEADERS,
      payload: json(CARRIERS),
    })
    expect(answer.statusCode).toBe(429)
    expect(answer.headers['retry-after']).toBe('7')
    for (const name of ['ratelimit-policy', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'])
      expect(answer.headers, name).toHaveProperty(name)
  })
})

test('a mutation is not executed if the client does not accept the response type', async () => {
  ports.calls.length = 0
  const query = 'mutation { cancelShipment(input: { shipmentId: "demo-booked" }) { __typename } }'
  const refused = [
    ...['text/html', 'image/*', 'application/json;q=0'],
    'application/graphql-response+json;charset=utf-16',
  ]
  for (const accept of refused) {
    const answer = await post(JSON.stringify({ query }), { ...JSON_HEADERS, accept })
    expect(answer.statusCode, accept).toBe(406)
    expect(answer.json().errors[0].message).toMatch(/^Accept must allow/)
  }
  expect(ports.calls).toEqual([])
})

test('an empty Accept header counts as absent, and a charset of UTF-8 is accepted', async () => {
  for (const accept of ['', ' ', 'application/json; charset=utf-8', 'application/json;charset="UTF-8"']) {
    const answer = await post(JSON.stringify({ query: CARRIERS }), { ...JSON_HEADERS, accept })
    expect(answer.statusCode, accept).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  }
})

test('a body without fields is refused with what it must have', async () => {
  const answer = await post('{}')
  expect(answer.statusCode).toBe(400)
  expect(answer.json().errors).toMatchObject([
    { message: 'The body must have a document in `query`', extensions: { code: 'BAD_REQUEST' } },
  ])
})

test('an invalid Host header is ignored', async () => {
  for (const host of ['a b', '::::', '%', '[', 'x'.repeat(5_000)])
    expect((await post(JSON.stringify({ query: CARRIERS }), { ...JSON_HEADERS, host })).statusCode).toBe(200)
})

describe('HEAD', () => {
  const mutation = 'mutation { cancelShipment(input: { shipmentId: "demo-booked" }) { __typename } }'
  const key = { 'x-pp-api': CREDENTIALS }
  const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  test.each([
    ['a query', 200, `?query=${encodeURIComponent(CARRIERS)}`, key],
    ['a static query', 200, `?query=${encodeURIComponent('{ __typename }')}`, key],
    ['a mutation', 405, `?query=${encodeURIComponent(mutation)}`, key],
    ['no query', 400, '', key],
    ['no credentials', 401, `?query=${encodeURIComponent(CARRIERS)}`, {}],
    ['the playground', 200, '', html],
    ['the playground with a query', 200, `?query=${encodeURIComponent(CARRIERS)}`, html],
    ['an unknown address', 404, '/nope', html],
  ])('has the status and headers of GET: %s', async (_name, status, search, headers) => {
    ports.calls.length = 0
    // The second time, a compiled function may answer.
    for (let time = 0; time < 3; time++) {
      const [whole, head] = await Promise.all(
        (['GET', 'HEAD'] as const).map((method) => app.inject({ method, url: `/graphql${search}`, headers })),
      )
      expect([whole?.statusCode, head?.statusCode]).toEqual([status, status])
      expect(head?.body).toBe('')
      const varying = new Set(['x-request-id', 'date', 'content-length'])
      const fixed = (answer: typeof head) =>
        Object.entries(answer?.headers ?? {}).filter(
          ([name]) => !varying.has(name) && !name.startsWith('ratelimit'),
        )
      expect(fixed(head)).toEqual(fixed(whole))
      expect(Number(head?.headers['content-length'] ?? whole?.rawPayload.length)).toBe(
        whole?.rawPayload.length,
      )
    }
    expect(ports.calls).toEqual([])
  })
})

test('other methods are refused with 405', async () => {
  for (const method of ['PUT', 'DELETE', 'PATCH'] as const) {
    const answer = await app.inject({ method, url: '/graphql', headers: JSON_HEADERS })
    expect(answer.statusCode, method).toBe(405)
    expect(answer.headers['allow']).toBe('GET, HEAD, POST')
    expect(answer.json().errors).toMatchObject([
      {
        message: 'Method not allowed',
        extensions: { code: 'METHOD_NOT_ALLOWED', requestId: expect.any(String) },
      },
    ])
  }
})

describe('the playground', () => {
  test('is served to browsers without credentials, and loads nothing from other hosts', async () => {
    const answer = await get('/graphql', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.headers['content-security-policy']).toContain("default-src 'self'")
    expect(answer.body).not.toMatch(/(src|href)="(https?:)?\/\//)
    expect(answer.body).toContain(CREDENTIALS)
  })

  test('opens for a link with a query, while programs get the answer of the query', async () => {
    const url = `/graphql?query=${encodeURIComponent(CARRIERS)}`
    const page = await get(url, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    for (const accept of ['*/*', 'application/json', 'application/graphql-response+json']) {
      const answer = await get(url, { accept, 'x-pp-api': CREDENTIALS })
      expect(answer.json(), accept).toHaveProperty('data.carriers')
    }
  })

  test('is isolated from pages of other origins, and uses no devices', async () => {
    const page = await get('/graphql', { accept: 'text/html' })
    expect(page.headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringMatching(/camera=\(\).*geolocation=\(\).*microphone=\(\)/),
    })
    const [, script] = /src="(graphql\/assets\/[^"]+)"/.exec(page.body) ?? []
    const file = await get(`/${script}`, {})
    expect(file.headers['cross-origin-resource-policy']).toBe('same-origin')
  })

  test('serves its files with a cache time of one year, and an ETag of the content', async () => {
    const page = await get('/graphql', { accept: 'text/html' })
    const files = [...page.body.matchAll(/"(graphql\/assets\/[^"]+)"/g)].map(([, path]) => `/${path}`)
    // The script, the style sheet and three workers.
    expect(files).toHaveLength(5)
    for (const file of files) {
      const answer = await get(file, {})
      expect(answer.statusCode, file).toBe(200)
      expect(answer.headers['cache-control']).toContain('immutable')
      expect(answer.headers['content-type']).toMatch(
        file.includes('.css') ? /^text\/css/ : /^text\/javascript/,
      )
      const again = await get(file, { 'if-none-match': String(answer.headers['etag']) })
      expect(again.statusCode).toBe(304)
      expect(again.body).toBe('')
      const gzipped = await get(file, { 'accept-encoding': 'gzip, br' })
      expect(gzipped.headers['content-encoding']).toBe('gzip')
    }
  })

  test('serves no other files', async () => {
    for (const name of ['page.ts', '../schema.ts', '%2e%2e%2fserver.ts', 'playground.js.map', ''])
      expect((await get(`/graphql/assets/${name}`)).statusCode).toBeGreaterThanOrEqual(400)
  })

  test('shows no credentials without demo data', async () => {
    const plain = openInstance({ playground: {} })
    const answer = await plain.app.inject({
      method: 'GET',
      url: '/graphql',
      headers: { accept: 'text/html' },
    })
    expect(answer.body).not.toContain('demo-secret')
  })

  test('is not served if it is off', async () => {
    const off = openInstance()
    const answer = await off.app.inject({ method: 'GET', url: '/graphql', headers: { accept: 'text/html' } })
    expect(answer.statusCode).toBe(401)
    expect((await off.app.inject('/graphql/assets/playground.js')).statusCode).toBe(404)
  })
})
