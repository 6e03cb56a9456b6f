/**
 * Serves the playground: the page at GET /graphql for browsers, and its static files below that path. The page and the
 * files need no credentials; the GraphQL requests of the page do. The page loads nothing from other hosts and has no
 * inline scripts. tools/playground/build.mjs bundles GraphiQL into the folder `assets`, so it works offline.
 * See docs/graphql.md#playground-and-introspection.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyPluginAsync } from 'fastify'
import { CACHEABLE_METHODS, prefersHtml } from '../../http/json-response.ts'
import { type Asset, readAssets } from './assets.ts'
import { type DemoReset, demoResetRoute } from './demo-reset.ts'
import { groupedExamples } from './example-groups.ts'

export type PlaygroundOptions = {
  /** The X-PP-API value of the demo account, which the page fills in. Absent without demo data. */
  readonly demoCredentials?: string
  /** Restores the demo data. Absent without demo data. */
  readonly demoReset?: DemoReset
  /** Whether documents that are not trusted are refused. The page then says so. */
  readonly trustedDocumentsOnly?: boolean
}

const RESET_NAME = 'reset-demo'
const PUBLIC = { access: 'public' } as const
const PAGE = { access: 'public', compress: 'once' } as const
const ONE_YEAR = 'public, max-age=31536000, immutable'

export function playgroundRoutes(path: string, options: PlaygroundOptions): FastifyPluginAsync {
  return async (app) => {
    const assets = readAssets()
    if (assets === undefined) {
      app.log.warn(
        { event: 'page.not_built' },
        'the playground is not served, because it is not built: run npm run build:playground',
      )
      return
    }
    const page = renderPage(assets, options)
    if (options.demoReset !== undefined)
      await app.register(demoResetRoute(`${path}/${RESET_NAME}`, options.demoReset))

    // The page and GraphQL queries have the same method and path, but only the page is public. A constraint lets the
    // router distinguish them.
    app.addConstraintStrategy({
      name: 'wantsPage',
      storage: singleRoute,
      deriveConstraint: (request: IncomingMessage) => (wantsPage(request) ? 'yes' : undefined),
    })
    app.route({
      method: CACHEABLE_METHODS,
      url: path,
      constraints: { wantsPage: 'yes' },
      config: PAGE,
      handler: async (_request, reply) =>
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
    })

    for (const [name, { type, etag, body, gzipped }] of assets) {
      app.get(`${path}/assets/${name}`, { config: PUBLIC }, async (request, reply) => {
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
        return reply.header('content-encoding', 'gzip').send(await gzipped())
      })
    }
  }
}

/** True for GET and HEAD that accept HTML. The page shows the query of a link, but not a document by its id. */
function wantsPage({ method = '', headers, url = '' }: IncomingMessage): boolean {
  const mayShow = CACHEABLE_METHODS.includes(method) && prefersHtml(headers.accept)
  return mayShow && !/[?&](documentId|extensions)=/.test(url)
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

/** The editor inserts style elements, and its style sheet contains icons as data URLs. It starts web workers. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "worker-src 'self'",
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
  { demoCredentials: credentials, demoReset, trustedDocumentsOnly = false }: PlaygroundOptions,
): string {
  const url = (start: string, end: string) =>
    `graphql/assets/${[...assets.keys()].find((name) => name.startsWith(start) && name.endsWith(end))}`
  const worker = (name: string) => url(`${name}.worker-`, '.js')
  const settings = {
    credentials: credentials ?? '<api key>@<api secret>',
    groups: groupedExamples(),
    ...(demoReset !== undefined && { resetUrl: `graphql/${RESET_NAME}` }),
    workers: { editor: worker('editor'), json: worker('json'), graphql: worker('graphql') },
  }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waybill playground</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${url('playground-', '.css')}">
</head>
<body>
<header>
<h1>Waybill</h1>
<p>Shipping rates, duties and taxes, shipments</p>
<p class="account">${trustedDocumentsOnly ? TRUSTED_ONLY : accountNote(credentials)}</p>
</header>
<main id="playground"><p class="loading">Loading the playground</p></main>
<script type="application/json" id="settings">${scriptJson(settings)}</script>
<script type="module" src="${url('playground-', '.js')}"></script>
</body>
</html>
`
}

const TRUSTED_ONLY =
  'This service executes trusted documents only. Other queries, and the request for the schema, are refused.'

function accountNote(credentials: string | undefined): string {
  return credentials === undefined
    ? 'Enter your API key and secret in <b>Headers</b> below'
    : 'Demo data: the credentials of <b>Demo Shop</b> are filled in'
}

/** Escapes `<`, so the text cannot close the script element. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
