/**
 * Serves the playground: the page at GET /graphql for browsers, and its static files below that path. The page and the
 * files need no credentials; the GraphQL requests of the page do. The page loads nothing from other hosts and has no
 * inline scripts. tools/playground/build.mjs bundles GraphiQL into the folder `assets`, so it works offline.
 * See docs/graphql.md#playground-and-introspection.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { FastifyPluginAsync } from 'fastify'
import { prefersHtml } from '../../http/json-response.ts'
import { EXAMPLES } from './examples.ts'

export type PlaygroundOptions = {
  /** The X-PP-API value of the demo account, which the page fills in. Absent without demo data. */
  readonly demoCredentials?: string
  /** Whether documents that are not trusted are refused. The page then says so. */
  readonly trustedDocumentsOnly?: boolean
}

const PUBLIC = { access: 'public' } as const
const PAGE = { access: 'public', compress: 'once' } as const
const ONE_YEAR = 'public, max-age=31536000, immutable'

export function playgroundRoutes(path: string, options: PlaygroundOptions): FastifyPluginAsync {
  return async (app) => {
    const assets = readAssets()
    if (assets === undefined) {
      app.log.warn('the playground is not served, because it is not built: run npm run build:playground')
      return
    }
    const page = renderPage(assets, options)

    // The page and GraphQL queries have the same method and path, but only the page is public. A constraint lets the
    // router distinguish them.
    app.addConstraintStrategy({
      name: 'wantsPage',
      storage: singleRoute,
      deriveConstraint: (request: IncomingMessage) => (wantsPage(request) ? 'yes' : undefined),
    })
    const pageRoute = { constraints: { wantsPage: 'yes' }, exposeHeadRoute: false, config: PAGE }
    app.get(path, pageRoute, async (_request, reply) =>
      reply
        .headers({
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': CONTENT_SECURITY_POLICY,
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'permissions-policy': PERMISSIONS_POLICY,
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
          'cache-control': 'no-cache',
          vary: 'accept',
        })
        .send(page),
    )

    for (const [name, { type, body, gzipped, hash }] of assets) {
      app.get(`${path}/assets/${name}`, { config: PUBLIC }, async (request, reply) => {
        const etag = `"${hash}"`
        reply.headers({
          'content-type': type,
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'same-origin',
          'cache-control': ONE_YEAR,
          vary: 'accept-encoding',
          etag,
        })
        if (request.headers['if-none-match'] === etag) return reply.code(304).send()
        if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(body)
        return reply.header('content-encoding', 'gzip').send(gzipped)
      })
    }
  }
}

/** True for GET requests that accept HTML and select no document. */
function wantsPage({ method, headers, url = '' }: IncomingMessage): boolean {
  return method === 'GET' && prefersHtml(headers.accept) && !/[?&](query|documentId|extensions)=/.test(url)
}

/** The router's map from constraint values to routes. There is only one value. */
function singleRoute<Handler>() {
  const routes = new Map<unknown, Handler>()
  return {
    get: (value: unknown): Handler | null => routes.get(value) ?? null,
    set: (value: unknown, handler: Handler): void => {
      routes.set(value, handler)
    },
  }
}

/** GraphiQL inserts style elements, and its style sheet contains fonts and icons as data URLs. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The page uses none of these. GraphiQL writes to the clipboard, which is not listed. */
const PERMISSIONS_POLICY = 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()'

/**
 * URLs are relative, so the page also works behind a proxy that adds a path. Without credentials, the page shows a
 * placeholder.
 */
function renderPage(
  assets: ReadonlyMap<string, Asset>,
  { demoCredentials: credentials, trustedDocumentsOnly = false }: PlaygroundOptions,
): string {
  const url = (name: string) => `graphql/assets/${name}?v=${assets.get(name)?.hash ?? ''}`
  const settings = { credentials: credentials ?? '<api key>@<api secret>', examples: EXAMPLES }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waybill playground</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${url('playground.css')}">
</head>
<body>
<header>
<h1>Waybill</h1>
<p>Shipping rates, duties and taxes, shipments</p>
<p class="account">${trustedDocumentsOnly ? TRUSTED_ONLY : accountNote(credentials)}</p>
</header>
<main id="playground"><p class="loading">Loading the playground</p></main>
<script type="application/json" id="settings">${scriptJson(settings)}</script>
<script src="${url('playground.js')}" defer></script>
</body>
</html>
`
}

const TRUSTED_ONLY =
  'This service executes trusted documents only. The queries in the tabs, and the schema on the left, are refused.'

function accountNote(credentials: string | undefined): string {
  return credentials === undefined
    ? 'Enter your API key and secret in <b>Headers</b> below'
    : 'Demo data: the credentials of <b>Demo Shop</b> are filled in'
}

/** Escapes `<`, so the text cannot close the script element. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

type Asset = {
  readonly type: string
  readonly body: Buffer
  readonly gzipped: Buffer
  /** Hash of the content. It is part of the URL, so browsers can cache the file indefinitely. */
  readonly hash: string
}

/** By file name. Undefined if they are not built. Call only if the playground is enabled: the files are 1.7 MB. */
function readAssets(): ReadonlyMap<string, Asset> | undefined {
  const folder = new URL('./assets/', import.meta.url)
  if (!existsSync(folder)) return undefined
  return new Map(['playground.js', 'playground.css'].map((name) => [name, readAsset(new URL(name, folder))]))
}

function readAsset(file: URL): Asset {
  const body = readFileSync(file)
  return {
    type: file.pathname.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
    body,
    gzipped: gzipSync(body),
    hash: createHash('sha256').update(body).digest('base64url').slice(0, 16),
  }
}
