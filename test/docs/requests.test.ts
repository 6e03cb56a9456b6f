/**
 * Sends the requests in the documentation to the real app with demo data, and compares the responses. A `sh` block that
 * begins with `curl`, or a `graphql` block, is a request. A `json variables` block after it has its variables. The next
 * `json` block of the same section is its response. Demo data are reset for each page.
 */
import { createHmac } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildSchema, parse, validate } from 'graphql'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SandboxServer, startSandboxServer } from '../../src/carriers/sandbox/server.ts'
import { checkText } from '../../src/graphql/document-text.ts'
import { checkLimits } from '../../src/graphql/guards.ts'
import { readSchemaText } from '../../src/graphql/schema-files.ts'
import { resetDemo } from '../../src/store/demo/reset.ts'
import { DEMO, openTestApp, TEST_CLOCK, type TestApp } from '../support/app/test-app.ts'
import { makeThrowAwayFolder } from '../support/app/throw-away-folder.ts'
import { type CodeBlock, ROOT, readPage, readPages, splitCommand } from './pages.ts'
import { cutTexts, differences } from './shown-value.ts'

/** A request of a page and its documented response. */
type Shown = {
  readonly request: CodeBlock
  readonly variables: CodeBlock | undefined
  readonly response: CodeBlock | undefined
}

type HttpRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

const SERVICE = 'localhost:4000'
const SANDBOX = '127.0.0.1:4010'

function isRequest({ language, text }: CodeBlock): boolean {
  return language === 'graphql' || (language === 'sh' && text.startsWith('curl '))
}

/** The requests of a page with their responses, in order. */
function requestsOf(blocks: readonly CodeBlock[]): Shown[] {
  return blocks.flatMap((request, index) => {
    if (!isRequest(request)) return []
    const isNext = (block: CodeBlock | undefined, label: string) =>
      block?.language === 'json' && block.section === request.section && block.label === label
    const [next, afterNext] = blocks.slice(index + 1)
    const variables = isNext(next, 'variables') ? next : undefined
    const candidate = variables === undefined ? next : afterNext
    return [{ request, variables, response: isNext(candidate, '') ? candidate : undefined }]
  })
}

/** The request of a curl command. Throws on an unsupported option. */
function curlRequest(command: string): HttpRequest {
  const [, ...words] = splitCommand(command)
  const headers: Record<string, string> = {}
  let method: HttpRequest['method'] | undefined
  let url: string | undefined
  let body: string | undefined
  while (words.length > 0) {
    const word = words.shift()!
    if (word === '-s') continue
    if (word === '-o') words.shift()
    else if (word === '-X') method = words.shift() === 'POST' ? 'POST' : 'GET'
    else if (word === '-H') {
      const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(words.shift()!) ?? []
      headers[name.toLowerCase()] = value
    } else if (word === '-d') body = words.shift()!
    else if (word.startsWith('-')) throw new Error(`curl ${word} is not known here`)
    else url = word
  }
  return { method: method ?? (body === undefined ? 'GET' : 'POST'), url: new URL(url!), headers, body }
}

/** `values` replaces texts of variables that the page shows cut, such as `shp_…`. */
function requestFrom(
  { language, text }: CodeBlock,
  variables: CodeBlock | undefined,
  values: ReadonlyMap<string, string>,
): HttpRequest {
  if (language === 'sh') return curlRequest(text)
  const read = (_key: string, value: unknown): unknown =>
    typeof value === 'string' ? (values.get(value) ?? value) : value
  return {
    method: 'POST',
    url: new URL(`http://${SERVICE}/graphql`),
    headers: { 'x-pp-api': DEMO, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: text,
      ...(variables !== undefined && { variables: JSON.parse(variables.text, read) }),
    }),
  }
}

const pages = readPages().filter(({ blocks }) => blocks.some(isRequest))

/** The events of docs/scan-events.md, and the secret that signs them. */
const events = (() => {
  const { blocks } = readPage('docs/scan-events.md')
  const script = blocks.find(({ language }) => language === 'sh')?.text ?? ''
  const [, secret = ''] = /^SECRET='(.*)'$/m.exec(script) ?? []
  const [, body = ''] = /^BODY='(.*)'$/m.exec(script) ?? []
  return { secret, body, shown: blocks.find(({ language }) => language === 'json')?.text ?? '' }
})()

let app: TestApp
let sandbox: SandboxServer
let folder: string
beforeAll(async () => {
  folder = makeThrowAwayFolder()
  const carriers = path.join(folder, 'carriers.json')
  sandbox = await startSandboxServer()
  const rondeel = { baseUrl: sandbox.address, eventSecret: events.secret }
  writeFileSync(carriers, JSON.stringify({ rondeel }), { mode: 0o600 })
  app = await openTestApp({ WAYBILL_CARRIERS: carriers })
})
afterAll(async () => {
  await app.close()
  await sandbox.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Sends a request to the app or, depending on the address, to the sandbox carrier. */
async function send({ method, url, headers, body }: HttpRequest): Promise<unknown> {
  if (url.host === SANDBOX) {
    const address = `${sandbox.address}${url.pathname}`
    const reply = await fetch(address, { method, headers, ...(body !== undefined && { body }) })
    return reply.json()
  }
  expect(url.host).toBe(SERVICE)
  const reply = await app.app.server.inject({
    method,
    url: `${url.pathname}${url.search}`,
    headers: { ...headers },
    ...(body !== undefined && { payload: body }),
  })
  return String(reply.headers['content-type']).includes('json') ? JSON.parse(reply.body) : reply.body
}

describe.each(pages)('$name', ({ blocks }) => {
  beforeEach(() => resetDemo(app.clone.db))

  test('shows real responses', async () => {
    const values = new Map<string, string>()
    for (const { request, variables, response } of requestsOf(blocks)) {
      const real = await send(requestFrom(request, variables, values))
      const where = `line ${request.line}`
      if (response !== undefined) {
        const shown: unknown = JSON.parse(response.text)
        expect(differences(shown, real), where).toEqual([])
        for (const [cut, whole] of cutTexts(shown, real)) values.set(cut, whole)
      } else if (typeof real === 'object' && real !== null && 'data' in real)
        expect(real, where).not.toHaveProperty('errors')
    }
  })
})

describe('the GraphQL documents in the documentation', () => {
  const schema = buildSchema(readSchemaText())
  const documents = readPages().flatMap(({ blocks }) =>
    blocks.filter(({ language }) => language === 'graphql'),
  )

  test.each(documents)('fit the schema and its limits: $page, line $line', ({ text }) => {
    const document = parse(text)
    expect(checkText(text)).toEqual([])
    expect(checkLimits(schema, document)).toEqual([])
    expect(validate(schema, document)).toEqual([])
  })

  test('occur next to a table of all operations', () => {
    const listed = readPage('docs/graphql.md').prose.flatMap(({ text }) => {
      const [, names] = /^\| ((?:`\w+`(?:, )?)+) \| [A-Za-z]/.exec(text) ?? []
      return names === undefined ? [] : names.replaceAll('`', '').split(', ')
    })
    const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
      Object.keys(type?.getFields() ?? {}),
    )
    expect(roots.filter((name) => !listed.includes(name))).toEqual([])
  })
})

test('the table in docs/graphql.md lists every error code', () => {
  const listed = readPage('docs/graphql.md').prose.flatMap(({ text }) => {
    const [, cell = ''] = /^\| ((?:`[A-Z_]+`(?:, )?)+) \| \d{3}/.exec(text) ?? []
    return [...cell.matchAll(/[A-Z_]+/g)].map(([code]) => code)
  })
  const sources = ['src/graphql/errors.ts', 'src/graphql/trusted-documents.ts', 'src/http/faults.ts']
  const used = sources.flatMap((file) =>
    [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/'([A-Z]{3,}(?:_[A-Z]+)*)'/g)].map(
      ([, code]) => code,
    ),
  )
  // UNSIGNED is for carriers. UNAVAILABLE is SERVICE_UNAVAILABLE in GraphQL.
  const codes = new Set(used.filter((code) => code !== 'UNSIGNED' && code !== 'UNAVAILABLE'))
  expect([...codes].sort()).toEqual([...listed].sort())
})

describe('the events in docs/scan-events.md', () => {
  const now = TEST_CLOCK().getTime() / 1_000
  let body: string
  beforeEach(async () => {
    await resetDemo(app.clone.db)
    // A reset gives the shipment of the page another tracking number.
    const { carrier_ref: reference } = await app.clone.db
      .selectFrom('shipment')
      .select('carrier_ref')
      .where('shipment_id', '=', 'demo-booked')
      .executeTakeFirstOrThrow()
    body = events.body.replace('SBX-OK-DEMO', String(reference))
  })

  /** Sends the events with a signature of the given time, in seconds since 1970. */
  function sendSignedAt(seconds: number) {
    const digest = createHmac('sha256', events.secret).update(`${seconds}.${body}`).digest('hex')
    return app.app.server.inject({
      method: 'POST',
      url: '/carrier-events/rondeel',
      headers: { 'content-type': 'application/json', 'x-waybill-signature': `t=${seconds},v1=${digest}` },
      payload: body,
    })
  }

  test('are accepted with the signature described, and get the response shown', async () => {
    expect((await sendSignedAt(now)).json()).toEqual(JSON.parse(events.shown))
  })

  test('may be signed up to five minutes before they are sent', async () => {
    expect((await sendSignedAt(now - 300)).statusCode).toBe(200)
    expect((await sendSignedAt(now - 301)).statusCode).toBe(401)
  })
})

test('the responses shown on these pages are compared with real ones', () => {
  const isCompared = ({ blocks }: (typeof pages)[number]) =>
    requestsOf(blocks).some(({ response }) => response !== undefined)
  expect(pages.filter(isCompared).map(({ name }) => name)).toEqual([
    'README.md',
    'docs/customs-data.md',
    'docs/delivery-dates.md',
    'docs/getting-started.md',
    'docs/graphql-clients.md',
    'docs/graphql-first-steps.md',
    'docs/graphql.md',
    'docs/hs-classification.md',
    'docs/sandbox-carrier.md',
  ])
})
