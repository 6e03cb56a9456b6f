/**
 * The OpenAPI document of the REST contract at GET /partners-api/v1/openapi.json, and a page at GET /reference that
 * shows it and sends requests (Swagger UI). Both are public. tools/api-reference bundles the script and the style of
 * the page; without them the page is missing. The page loads nothing from other hosts. See
 * docs/rest-contract.md#openapi.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyPluginAsync } from 'fastify'
import { escapeHtml, HTML_TYPE, OWN_FILES_HEADERS } from '../http/html-page.ts'
import { CACHEABLE_METHODS, JSON_TYPE, sendCacheable } from '../http/json-response.ts'

export type ApiReferenceOptions = {
  /** Whether the page is served. */
  readonly page: boolean
  /** Whether the documentation is served. The page then has a link to it. */
  readonly docs: boolean
  /** The X-PP-API value that the page sends. Undefined: its user enters one. */
  readonly credentials: string | undefined
}

const DOCUMENT_PATH = 'partners-api/v1/openapi.json'
/** Two levels up from src/pages/ and from dist/pages/. */
const DOCUMENT_FILE = new URL('../../schema/partner-api.openapi.json', import.meta.url)
const ASSETS_FOLDER = new URL('./reference/', import.meta.url)

const PUBLIC = { access: 'public', compress: 'once' } as const

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

/** Whether the page can be served. */
export function isReferenceBuilt(): boolean {
  return existsSync(ASSETS_FOLDER)
}

export function apiReferenceRoutes(options: ApiReferenceOptions): FastifyPluginAsync {
  return async (app) => {
    const text = readFileSync(DOCUMENT_FILE, 'utf8')
    app.route({
      method: CACHEABLE_METHODS,
      url: `/${DOCUMENT_PATH}`,
      config: PUBLIC,
      handler: async (_request, reply) => sendCacheable(reply, { text, type: JSON_TYPE, scope: 'public' }),
    })
    if (!options.page) return
    if (!isReferenceBuilt()) {
      app.log.warn(
        { event: 'page.not_built' },
        'the reference is not served, because it is not built: run npm run build:reference',
      )
      return
    }
    const assets = readdirSync(ASSETS_FOLDER)
    const html = renderPage(assets, options)
    app.route({
      method: CACHEABLE_METHODS,
      url: '/reference',
      config: PUBLIC,
      handler: async (_request, reply) =>
        sendCacheable(reply.headers(OWN_FILES_HEADERS), { text: html, type: HTML_TYPE, scope: 'public' }),
    })
    for (const name of assets) {
      const body = readFileSync(new URL(name, ASSETS_FOLDER))
      app.get(`/reference/${name}`, { config: PUBLIC }, async (_request, reply) =>
        reply.headers({ ...ASSET_HEADERS, 'content-type': TYPES[path.extname(name)] }).send(body),
      )
    }
  }
}

/** The names of the files contain hashes of their content. */
const ASSET_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
} as const

/** URLs are relative, so the page also works behind a proxy that adds a path. */
function renderPage(assets: readonly string[], { docs, credentials }: ApiReferenceOptions): string {
  const url = (ending: string) => `reference/${assets.find((name) => name.endsWith(ending))}`
  const settings = JSON.stringify({ documentUrl: DOCUMENT_PATH, credentials })
  const note =
    credentials === undefined
      ? 'Enter your API key and secret with <b>Authorize</b>.'
      : `Demo data: requests are sent with the key <code>${escapeHtml(credentials)}</code>.`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>REST reference · Waybill</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${url('.css')}">
</head>
<body>
<header>
<a href="./">Waybill</a>
${docs ? '<a href="docs/rest-contract.html">REST contract</a>\n' : ''}<p>${note}</p>
</header>
<div id="reference"></div>
<script type="application/json" id="settings">${settings.replaceAll('<', '\\u003c')}</script>
<script type="module" src="${url('.js')}"></script>
</body>
</html>
`
}
