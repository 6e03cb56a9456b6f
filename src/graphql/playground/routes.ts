/**
 * Where the playground is served: the page at GET /graphql for browsers that ask for a page, its files below.
 * Neither needs credentials; what the page then asks of GraphQL does.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyPluginAsync } from 'fastify'
import { readAssets } from './assets.ts'
import { CONTENT_SECURITY_POLICY, renderPage } from './page.ts'

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
