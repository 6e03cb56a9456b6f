/**
 * GET /docs/…: the documentation as HTML pages, and each page as Markdown. Public, if it is enabled. The files are
 * rendered by tools/docs-site; without them the routes are missing. See docs/configuration.md#features.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { OWN_FILES_HEADERS } from '../http/html-page.ts'
import { CACHEABLE_METHODS, sendCacheable } from '../http/json-response.ts'
import { sendNotFound } from '../http/not-found.ts'

const SITE_FOLDER = new URL('./site/', import.meta.url)

const PUBLIC = { access: 'public', compress: 'once' } as const

/** By the ending of a file's name. Files with other endings are not served. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.graphql': 'text/plain; charset=utf-8',
  '.sql': 'text/plain; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

type SiteFile = { readonly text: string | Buffer; readonly type: string }

/** Whether `docsRoutes` has pages to serve. */
export function isSiteBuilt(): boolean {
  return existsSync(SITE_FOLDER)
}

export function docsRoutes(): FastifyPluginAsync {
  return async (app) => {
    if (!isSiteBuilt()) {
      app.log.warn(
        { event: 'page.not_built' },
        'the documentation is not served, because it is not rendered: run npm run build:docs',
      )
      return
    }
    const files = readSite()
    // Relative, so that it also works behind a proxy that adds a path.
    app.get('/docs', { config: { access: 'public' } }, (_request, reply) => reply.redirect('docs/', 308))
    app.route<{ Params: { '*': string } }>({
      method: CACHEABLE_METHODS,
      url: '/docs/*',
      config: PUBLIC,
      handler: async (request, reply) => send(reply, files.get(request.params['*'] || 'index.html')),
    })
    app.route({
      method: CACHEABLE_METHODS,
      url: '/llms.txt',
      config: PUBLIC,
      handler: async (_request, reply) => send(reply, llmsText(files)),
    })
  }
}

function send(reply: FastifyReply, file: SiteFile | undefined): FastifyReply {
  if (file === undefined) return sendNotFound(reply)
  return sendCacheable(reply.headers(OWN_FILES_HEADERS), { ...file, scope: 'public' })
}

/** The list of pages, for the root of the service, where language models look for it. */
function llmsText(files: ReadonlyMap<string, SiteFile>): SiteFile | undefined {
  const list = files.get('llms.txt')
  return list && { ...list, text: list.text.toString().replaceAll('](', '](docs/') }
}

/** By path, such as `decisions/api.html`. Call only if the documentation is enabled, because the files are 3 MB. */
function readSite(): ReadonlyMap<string, SiteFile> {
  const files = new Map<string, SiteFile>()
  for (const name of readdirSync(SITE_FOLDER, { recursive: true, encoding: 'utf8' })) {
    const type = TYPES[path.extname(name)]
    const file = new URL(name, SITE_FOLDER)
    if (type !== undefined && statSync(file).isFile())
      files.set(name.replaceAll('\\', '/'), {
        text: type === TYPES['.png'] ? readFileSync(file) : readFileSync(file, 'utf8'),
        type,
      })
  }
  return files
}
