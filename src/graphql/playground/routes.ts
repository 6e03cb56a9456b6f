/**
 * Serves the playground: the page at GET /graphql for browsers, and its static files below that path. The page and the
 * files need no credentials; the GraphQL requests of the page do. See docs/graphql.md#playground-and-introspection.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyPluginAsync } from 'fastify'
import { CONTENT_SECURITY_POLICY, readAssets, renderPage } from './page.ts'

export type PlaygroundOptions = {
  /** The X-PP-API value of the demo account, which the page fills in. Absent without demo data. */
  readonly demoCredentials?: string
}

const PUBLIC = { access: 'public' } as const
const ONE_YEAR = 'public, max-age=31536000, immutable'

export function playgroundRoutes(path: string, { demoCredentials }: PlaygroundOptions): FastifyPluginAsync {
  return async (app) => {
    const assets = readAssets()
    const page = renderPage(assets, demoCredentials)

    // The page and GraphQL queries have the same method and path, but only the page is public. A constraint lets the
    // router distinguish them.
    app.addConstraintStrategy({
      name: 'wantsPage',
      storage: singleRoute,
      deriveConstraint: (request: IncomingMessage) => (wantsPage(request) ? 'yes' : undefined),
    })
    const pageRoute = { constraints: { wantsPage: 'yes' }, exposeHeadRoute: false, config: PUBLIC }
    app.get(path, pageRoute, async (_request, reply) =>
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

/** True for GET requests that accept HTML and contain no query. */
function wantsPage({ method, headers, url = '' }: IncomingMessage): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html') && !/[?&]query=/.test(url)
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
