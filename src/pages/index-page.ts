/**
 * GET /: first steps and the addresses of the service, as a page for browsers and as JSON for other clients. Public.
 * See docs/configuration.md#features.
 */
import type { FastifyPluginAsync, RouteHandlerMethod } from 'fastify'
import { escapeHtml, HTML_TYPE, PAGE_HEADERS, renderPage } from '../http/html-page.ts'
import { CACHEABLE_METHODS, JSON_TYPE, prefersHtml, sendCacheable } from '../http/json-response.ts'
import { VERSION } from '../version.ts'

export type IndexOptions = {
  readonly playground: boolean
  /** Whether the reference of the REST API is served. */
  readonly reference: boolean
  /** Whether the documentation is served. */
  readonly docs: boolean
  /** Whether the example shop is served. */
  readonly shop: boolean
  /** Absent without demo data. */
  readonly demo?: Demo
}

export type Demo = {
  /** The X-PP-API value of the demo account. */
  readonly credentials: string
  /** The port of the service. The demo runs on the machine of its user. */
  readonly port: number
}

type Link = {
  /** The key in the JSON response. */
  readonly name: string
  readonly title: string
  /** Without the leading slash, so that it also works behind a proxy that adds a path. */
  readonly path: string
  readonly text: string
}

export function indexRoutes(options: IndexOptions): FastifyPluginAsync {
  return async (app) => {
    const links = linksTo(options)
    const html = renderIndex(links, options)
    const json = JSON.stringify({
      name: 'Waybill',
      version: VERSION,
      links: Object.fromEntries(
        [...links, SCHEMA, OPENAPI, ...ENDPOINTS].map(({ name, path }) => [name, `/${path}`]),
      ),
    })
    const handler: RouteHandlerMethod = async (request, reply) => {
      const common = { scope: 'public', vary: ['accept'] } as const
      if (!prefersHtml(request.headers.accept))
        return sendCacheable(reply, { ...common, text: json, type: JSON_TYPE })
      reply.headers(PAGE_HEADERS)
      return sendCacheable(reply, { ...common, text: html, type: HTML_TYPE })
    }
    app.route({
      method: CACHEABLE_METHODS,
      url: '/',
      config: { access: 'public', compress: 'once' },
      handler,
    })
  }
}

function linksTo({ playground, reference, docs, shop }: IndexOptions): readonly Link[] {
  const links: readonly (Link | false)[] = [
    playground && {
      name: 'playground',
      title: 'Playground',
      path: 'graphql',
      text: 'Write and run GraphQL queries in the browser.',
    },
    reference && {
      name: 'reference',
      title: 'REST reference',
      path: 'reference',
      text: 'Read the REST contract and send requests in the browser.',
    },
    shop && {
      name: 'shop',
      title: 'Example shop',
      path: 'demo/',
      text: 'A checkout to try and to copy: delivery options, duties and taxes, order and cancellation.',
    },
    docs && {
      name: 'firstSteps',
      title: 'First steps',
      path: 'docs/graphql-first-steps.html',
      text: 'From the first query to a booked and cancelled shipment, in eight steps.',
    },
    docs && {
      name: 'client',
      title: 'Client package',
      path: 'docs/project/client/index.html',
      text: 'Typed documents and a small client for TypeScript and JavaScript.',
    },
    docs && {
      name: 'graphqlDocs',
      title: 'GraphQL documentation',
      path: 'docs/graphql.html',
      text: 'Operations, errors, caching, trusted documents.',
    },
    docs && {
      name: 'restDocs',
      title: 'REST documentation',
      path: 'docs/rest-contract.html',
      text: 'Endpoints, fields, status codes.',
    },
    docs && {
      name: 'docs',
      title: 'All documentation',
      path: 'docs/index.html',
      text: 'Limits, configuration, operations, rate cards, customs data.',
    },
    { name: 'health', title: 'Health', path: 'healthz', text: 'Whether the process is alive.' },
    { name: 'readiness', title: 'Readiness', path: 'readyz', text: 'Whether the service accepts requests.' },
  ]
  return links.filter((link) => link !== false)
}

/** A browser cannot open it, because it requires an API key. */
const SCHEMA = {
  name: 'schema',
  path: 'graphql/schema.graphql',
  text: 'GraphQL schema: every type and field with its description',
} as const

/** For generators of clients, which need no API key. */
const OPENAPI = {
  name: 'openapi',
  path: 'partners-api/v1/openapi.json',
  text: 'OpenAPI document of the REST API',
} as const

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

function renderIndex(links: readonly Link[], { docs, demo }: IndexOptions): string {
  const link = ({ path, title, text }: Link) => `<li><a href="${path}">${title}</a><span>${text}</span></li>`
  const endpoint = (method: string, { path, text }: { readonly path: string; readonly text: string }) =>
    `<li><code>${method} /${path}</code><span>${text}</span></li>`
  return renderPage(
    'Waybill',
    `<h1>Waybill</h1>
<p class="quiet">Shipping rates, import duties and taxes, and shipments of several carriers. Version ${VERSION}.</p>
<h2 id="try">Try it</h2>
${tryIt(demo)}
<h2 id="links">Links</h2>
<nav aria-labelledby="links"><ul>
${links.map(link).join('\n')}
</ul></nav>
${docs ? '' : '<p class="quiet">The documentation is in the folder <code>docs</code> of the source code.</p>\n'}<h2>Endpoints</h2>
<p class="quiet">Send your API key in the header <code>X-PP-API: &lt;key id&gt;@&lt;secret&gt;</code>.</p>
<ul>
${ENDPOINTS.map((one) => endpoint('POST', one)).join('\n')}
${endpoint('GET', SCHEMA)}
${endpoint('GET', OPENAPI)}
</ul>`,
  )
}

/** A rates request that can be pasted into a shell. */
function tryIt(demo: Demo | undefined): string {
  const { credentials, address } =
    demo === undefined
      ? { credentials: '<key id>@<secret>', address: 'https://<host>' }
      : { credentials: demo.credentials, address: `http://localhost:${demo.port}` }
  const command = `curl -s '${address}/partners-api/v1/rates' \\
  -H 'X-PP-API: ${credentials}' -H 'Content-Type: application/json' \\
  -d '{"parcels":[{"type":"DOC","count":1}],"fromCountry":"NL","toCountry":"ES","recipientType":"business"}'`
  const note =
    demo === undefined
      ? 'Shipping options for a document. Enter the host of this service and your API key.'
      : 'Shipping options for a document, with the API key of the demo account.'
  return `<p class="quiet">${note}</p>
<pre><code>${escapeHtml(command)}</code></pre>`
}
