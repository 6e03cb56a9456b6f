import type { AddressInfo } from 'node:net'
import type { InjectOptions } from 'fastify'
import { serverAudits } from 'graphql-http'
import { describe, expect, test } from 'vitest'
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
        headers: { accept: 'text/html' },
      },
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
  test('answers a query, and forbids caching', async () => {
    const answer = await get(`/graphql?query=${encodeURIComponent(CARRIERS)}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
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
  const ALLOWANCE = { charge: () => 7 }
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
  for (const accept of ['text/html', 'image/*', 'application/json;q=0']) {
    const answer = await post(JSON.stringify({ query }), { ...JSON_HEADERS, accept })
    expect(answer.statusCode, accept).toBe(406)
  }
  expect(ports.calls).toEqual([])
})

test('an invalid Host header is ignored', async () => {
  for (const host of ['a b', '::::', '%', '[', 'x'.repeat(5_000)])
    expect((await post(JSON.stringify({ query: CARRIERS }), { ...JSON_HEADERS, host })).statusCode).toBe(200)
})

test('other methods are refused with 405', async () => {
  for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD'] as const) {
    const answer = await app.inject({ method, url: '/graphql', headers: JSON_HEADERS })
    expect(answer.statusCode, method).toBe(405)
    expect(answer.headers['allow']).toBe('GET, POST')
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

  test('serves its files with a cache time of one year, and an ETag of the content', async () => {
    const page = await get('/graphql', { accept: 'text/html' })
    const files = [...page.body.matchAll(/(?:src|href)="(graphql\/assets\/[^"]+)"/g)].map(
      ([, path]) => `/${path}`,
    )
    expect(files).toHaveLength(6)
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
    for (const name of ['page.ts', '../schema.ts', '%2e%2e%2fserver.ts', 'react.js.map', ''])
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
    expect((await off.app.inject('/graphql/assets/graphiql.js')).statusCode).toBe(404)
  })
})
