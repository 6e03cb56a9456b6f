/**
 * GET /demo: the example shop of examples/checkout, and its server half below /demo/api. Only with demo data, because
 * the server half acts for the demo account without asking who calls. The files are built by tools/assets.mjs; without
 * them the routes are missing. See docs/example-shop.md.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { sendJson } from '../http/json-response.ts'
import { sendNotFound } from '../http/not-found.ts'

export type ShopOptions = {
  /** The X-PP-API value of the demo account. */
  readonly credentials: string
  /** The publishable key for pages of an origin. Undefined if there can be no more. */
  readonly publishableKey: (origin: string) => Promise<string | undefined>
}

const SHOP_FOLDER = new URL('./shop/', import.meta.url)

const PUBLIC = { access: 'public', compress: 'once' } as const

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** What react-aria adds to the page: a style that lets fast taps through. */
const PRESS_STYLE = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='"

/** The page loads its own files, and calls only this service. */
const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'self' ${PRESS_STYLE}`,
    "script-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const

/** Pages on this machine. Other hosts would need keys for any name that a caller invents. */
const LOCAL_ORIGIN = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/

/** Whether `shopRoutes` has a page to serve. */
export function isShopBuilt(): boolean {
  return existsSync(new URL('index.html', SHOP_FOLDER))
}

export function shopRoutes(options: ShopOptions): FastifyPluginAsync {
  return async (app) => {
    const files = readShop()
    const serverHalf = openServerHalf(options)
    // Relative, so that it also works behind a proxy that adds a path.
    app.get('/demo', { config: { access: 'public' } }, (_request, reply) => reply.redirect('demo/', 308))
    app.get<{ Params: { '*': string } }>('/demo/*', { config: PUBLIC }, async (request, reply) => {
      const name = request.params['*'] || 'index.html'
      const body = files.get(name)
      if (body === undefined) return sendNotFound(reply)
      // Vite puts the hash of the content into the names of the other files.
      const cacheControl = name === 'index.html' ? 'no-cache' : 'public, max-age=31536000, immutable'
      return reply
        .headers({
          ...PAGE_HEADERS,
          'content-type': TYPES[path.extname(name)],
          'cache-control': cacheControl,
        })
        .send(body)
    })
    app.post('/demo/api/*', { config: { access: 'public' } }, async (request, reply) => {
      const { origin = '' } = request.headers
      const handle = LOCAL_ORIGIN.test(origin) ? await serverHalf(origin, request) : undefined
      if (handle === undefined)
        return sendJson(reply, { status: 403, body: { message: 'Open the example shop at localhost.' } })
      return sendResponse(reply, await handle(toRequest(request, origin)))
    })
  }
}

function readShop(): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>()
  for (const name of readdirSync(SHOP_FOLDER, { recursive: true, encoding: 'utf8' })) {
    const file = new URL(name, SHOP_FOLDER)
    if (path.extname(name) in TYPES && statSync(file).isFile())
      files.set(name.replaceAll('\\', '/'), readFileSync(file))
  }
  return files
}

type Handler = (request: Request) => Promise<Response>

/** The exports of examples/checkout/server.ts. */
type ServerHalf = {
  shopServer(options: {
    readonly url: string
    readonly apiKey: string
    readonly publicUrl: string
    readonly publishableKey: string
  }): Handler
}

/** Returns the server half for pages of an origin. Its orders are in memory, so it is opened once. */
function openServerHalf({ credentials, publishableKey }: ShopOptions) {
  const handlers = new Map<string, Handler>()
  return async (origin: string, request: FastifyRequest): Promise<Handler | undefined> => {
    const present = handlers.get(origin)
    if (present !== undefined) return present
    const key = await publishableKey(origin)
    if (key === undefined) return undefined
    // A variable, because TypeScript would look for the built file.
    const built = new URL('server.js', SHOP_FOLDER).href
    const { shopServer }: ServerHalf = await import(built)
    // Another request may have been faster.
    const other = handlers.get(origin)
    if (other !== undefined) return other
    const handler = shopServer({
      apiKey: credentials,
      publishableKey: key,
      url: ownUrl(request),
      publicUrl: '../graphql',
    })
    handlers.set(origin, handler)
    return handler
  }
}

/** The GraphQL API at the address at which the request has arrived. */
function ownUrl({ socket: { localAddress = '127.0.0.1', localPort } }: FastifyRequest): string {
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress
  return `http://${host}:${localPort}/graphql`
}

function toRequest({ url, headers, body }: FastifyRequest, origin: string): Request {
  return new Request(new URL(url, origin), {
    method: 'POST',
    headers: { 'content-type': headers['content-type'] ?? '' },
    body: Buffer.isBuffer(body) ? body.toString() : '',
  })
}

async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const retryAfterSeconds = response.headers.get('retry-after')
  if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds)
  return sendJson(reply, { status: response.status, body: await response.json() })
}
