/**
 * GET /: the addresses of the service, as a page for browsers and as JSON for other clients. GET /docs/…: the
 * documentation as plain Markdown, if it is enabled. Both are public. See docs/configuration.md#features.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyPluginAsync, RouteHandlerMethod } from 'fastify'
import { CACHEABLE_METHODS, JSON_TYPE, prefersHtml, sendCacheable, sendJson } from './json-response.ts'

export type IndexOptions = {
  readonly playground: boolean
  /** Whether the documentation is served. */
  readonly docs: boolean
}

type Link = {
  /** The key in the JSON response. */
  readonly name: string
  readonly title: string
  /** Without the leading slash, so that it also works behind a proxy that adds a path. */
  readonly path: string
  readonly text: string
}

const PUBLIC = { access: 'public', compress: 'once' } as const

export function indexRoutes({ playground, docs }: IndexOptions): FastifyPluginAsync {
  return async (app) => {
    const pages = docs ? readDocs() : new Map<string, string>()
    const links = linksTo({ playground, docs: pages.size > 0 })
    const html = renderPage(links, pages.size > 0)
    const json = JSON.stringify({
      name: 'Waybill',
      links: Object.fromEntries([...links, ...ENDPOINTS].map(({ name, path }) => [name, `/${path}`])),
    })
    const handler: RouteHandlerMethod = async (request, reply) => {
      const common = { scope: 'public', vary: ['accept'] } as const
      if (!prefersHtml(request.headers.accept))
        return sendCacheable(reply, { ...common, text: json, type: JSON_TYPE })
      reply.headers({
        'content-security-policy': CONTENT_SECURITY_POLICY,
        'referrer-policy': 'no-referrer',
      })
      return sendCacheable(reply, { ...common, text: html, type: 'text/html; charset=utf-8' })
    }
    app.route({ method: CACHEABLE_METHODS, url: '/', config: PUBLIC, handler })
    if (pages.size > 0) serveDocs(app, pages)
  }
}

// Two levels up from src/http/ and from dist/http/.
const DOCS_FOLDER = new URL('../../docs/', import.meta.url)

/** The pages by path, such as `decisions/api.md`. Empty if the installation has no documentation. */
function readDocs(): ReadonlyMap<string, string> {
  if (!existsSync(DOCS_FOLDER)) return new Map()
  const files = readdirSync(DOCS_FOLDER, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md'))
  return new Map(files.map((file) => [file, readFileSync(new URL(file, DOCS_FOLDER), 'utf8')]))
}

function serveDocs(app: FastifyInstance, pages: ReadonlyMap<string, string>): void {
  app.route<{ Params: { '*': string } }>({
    method: CACHEABLE_METHODS,
    url: '/docs/*',
    config: PUBLIC,
    handler: async (request, reply) => {
      const text = pages.get(request.params['*'])
      return text === undefined
        ? sendJson(reply, { status: 404, body: 'Not found' })
        : sendCacheable(reply, { text, type: 'text/plain; charset=utf-8', scope: 'public' })
    },
  })
}

function linksTo({ playground, docs }: IndexOptions): readonly Link[] {
  const links: readonly (Link | false)[] = [
    playground && {
      name: 'playground',
      title: 'Playground',
      path: 'graphql',
      text: 'Write and run GraphQL queries in the browser.',
    },
    {
      name: 'schema',
      title: 'GraphQL schema',
      path: 'graphql/schema.graphql',
      text: 'Every type and field with its description. Requires an API key.',
    },
    docs && {
      name: 'graphqlDocs',
      title: 'GraphQL documentation',
      path: 'docs/graphql.md',
      text: 'Operations, errors, caching, trusted documents.',
    },
    docs && {
      name: 'restDocs',
      title: 'REST documentation',
      path: 'docs/rest-contract.md',
      text: 'Endpoints, fields, status codes.',
    },
    docs && {
      name: 'docs',
      title: 'All documentation',
      path: 'docs/README.md',
      text: 'Limits, configuration, operations, rate cards, customs data.',
    },
    { name: 'health', title: 'Health', path: 'healthz', text: 'Whether the process is alive.' },
    { name: 'readiness', title: 'Readiness', path: 'readyz', text: 'Whether the service accepts requests.' },
  ]
  return links.filter((link) => link !== false)
}

const ENDPOINTS = [
  { name: 'graphql', path: 'graphql', text: 'GraphQL' },
  { name: 'rates', path: 'partners-api/v1/rates', text: 'Shipping rates' },
  {
    name: 'dutiesTaxesEstimate',
    path: 'partners-api/v1/duties-taxes-estimate',
    text: 'Import duties and taxes',
  },
  {
    name: 'cancelShipment',
    path: 'partners-api/v1/shipments/:shipmentId/cancel',
    text: 'Cancel a shipment',
  },
] as const

const STYLE = `
:root { color-scheme: light dark; --text: #1f2933; --quiet: #52606d; --line: #dde3ea; --link: #0b5cad; --page: #fff; --code: #f3f5f8; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e8ebef; --quiet: #a9b4c0; --line: #38424f; --link: #7db7ff; --page: #171c23; --code: #222933; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: 2.5rem 1.25rem; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 2.25rem 0 0.25rem; font-size: 1.125rem; }
p { margin: 0.5rem 0; }
.quiet { color: var(--quiet); }
ul { margin: 0; padding: 0; list-style: none; }
li { padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
li span { display: block; color: var(--quiet); }
a { color: var(--link); font-weight: 600; text-underline-offset: 0.2em; }
a:focus-visible { outline: 2px solid var(--link); outline-offset: 3px; }
code { padding: 0.1em 0.3em; border-radius: 4px; background: var(--code); font: 0.875em ui-monospace, monospace; overflow-wrap: anywhere; }
`

/** Allows nothing but the style of the page. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function renderPage(links: readonly Link[], hasDocs: boolean): string {
  const link = ({ path, title, text }: Link) => `<li><a href="${path}">${title}</a><span>${text}</span></li>`
  const endpoint = ({ path, text }: { readonly path: string; readonly text: string }) =>
    `<li><code>POST /${path}</code><span>${text}</span></li>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waybill</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Waybill</h1>
<p class="quiet">Shipping rates, import duties and taxes, and shipments of several carriers.</p>
<h2 id="links">Links</h2>
<nav aria-labelledby="links"><ul>
${links.map(link).join('\n')}
</ul></nav>
${hasDocs ? '' : '<p class="quiet">The documentation is in the folder <code>docs</code> of the source code.</p>\n'}<h2>Endpoints</h2>
<p class="quiet">Send your API key in the header <code>X-PP-API: &lt;key id&gt;@&lt;secret&gt;</code>.</p>
<ul>
${ENDPOINTS.map(endpoint).join('\n')}
</ul>
</main>
</body>
</html>
`
}
