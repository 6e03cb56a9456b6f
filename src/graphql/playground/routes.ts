/**
 * Where the playground is served: the page at GET /graphql for browsers that ask for a page, its files below.
 * Neither needs credentials; what the page then asks of GraphQL does.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyPluginAsync } from 'fastify'
import { type Asset, readAssets } from './assets.ts'
import { EXAMPLES } from './examples.ts'

/** How the playground is set up. */
export type PlaygroundOptions = {
  /** The demo account's X-PP-API value, filled in for the reader; undefined without demo data. */
  readonly demoCredentials?: string
}

const PUBLIC = { access: 'public' } as const
const A_YEAR = 'public, max-age=31536000, immutable'

/** The playground's routes at and below `path`. */
export function playgroundRoutes(path: string, { demoCredentials }: PlaygroundOptions): FastifyPluginAsync {
  return async (app) => {
    const assets = readAssets()
    const page = renderPage(assets, { credentials: demoCredentials })

    // A page and a query have the same method and path; only the page is for anyone, so the router tells them apart.
    app.addConstraintStrategy({
      name: 'visit',
      storage: singleRoute,
      deriveConstraint: (request: IncomingMessage) => (isVisit(request) ? 'page' : undefined),
    })
    const visit = { constraints: { visit: 'page' }, exposeHeadRoute: false, config: PUBLIC }
    app.get(path, visit, async (_request, reply) =>
      reply
        .headers({
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': CONTENT_SECURITY_POLICY,
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
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
          'cache-control': A_YEAR,
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

/** A browser on a visit asks for HTML, and for no query. */
function isVisit({ method, headers, url = '' }: IncomingMessage): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html') && !/[?&]query=/.test(url)
}

/** The router's store of values and routes: there is only ever one value. */
function singleRoute<Handler>() {
  const routes = new Map<unknown, Handler>()
  return {
    get: (value: unknown): Handler | null => routes.get(value) ?? null,
    set: (value: unknown, handler: Handler): void => {
      routes.set(value, handler)
    },
  }
}

// The playground's page. It loads nothing from elsewhere and holds no script of its own.

/** What the page is told. */
export type PageSettings = {
  /** The value of X-PP-API that is filled in; undefined leaves a placeholder for the reader's own. */
  readonly credentials: string | undefined
}

/** GraphiQL's dialogs write style elements, and its fonts and icons lie in its style sheet; nothing else is needed. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The page as HTML; addresses are relative, so that it works below a path of a proxy too. */
export function renderPage(assets: ReadonlyMap<string, Asset>, { credentials }: PageSettings): string {
  const address = (name: string) => `graphql/assets/${name}?v=${assets.get(name)?.hash ?? ''}`
  const style = (name: string) => `<link rel="stylesheet" href="${address(name)}">`
  const script = (name: string) => `<script src="${address(name)}" defer></script>`
  const settings = { credentials: credentials ?? '<api key>@<api secret>', examples: EXAMPLES }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waybill playground</title>
<link rel="icon" href="data:,">
${style('graphiql.css')}
${style('playground.css')}
</head>
<body>
<header>
<h1>Waybill</h1>
<p>Shipping rates, duties and taxes, shipments</p>
<p class="account">${accountNote(credentials)}</p>
</header>
<main id="playground"><p class="loading">Loading the playground</p></main>
<script type="application/json" id="settings">${inScript(settings)}</script>
${['react.js', 'react-dom.js', 'graphiql.js', 'playground.js'].map(script).join('\n')}
</body>
</html>
`
}

function accountNote(credentials: string | undefined): string {
  return credentials === undefined
    ? 'Put your API key and secret into <b>Headers</b> below'
    : 'Demo data: the credentials of <b>Demo Shop</b> are filled in'
}

/** JSON that cannot end the script element it stands in. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
