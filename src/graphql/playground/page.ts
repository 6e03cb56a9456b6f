/**
 * The HTML page of the playground and its static files. The page loads nothing from other hosts and has no inline scripts.
 * GraphiQL and React are served from their npm packages, so the page works offline.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { EXAMPLES } from './examples.ts'

/** GraphiQL inserts style elements, and its style sheet contains fonts and icons as data URLs. */
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

/**
 * URLs are relative, so the page also works behind a proxy that adds a path. Without `credentials`, the page shows a
 * placeholder.
 */
export function renderPage(assets: ReadonlyMap<string, Asset>, credentials: string | undefined): string {
  const url = (name: string) => `graphql/assets/${name}?v=${assets.get(name)?.hash ?? ''}`
  const style = (name: string) => `<link rel="stylesheet" href="${url(name)}">`
  const script = (name: string) => `<script src="${url(name)}" defer></script>`
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
<script type="application/json" id="settings">${scriptJson(settings)}</script>
${['react.js', 'react-dom.js', 'graphiql.js', 'playground.js'].map(script).join('\n')}
</body>
</html>
`
}

function accountNote(credentials: string | undefined): string {
  return credentials === undefined
    ? 'Enter your API key and secret in <b>Headers</b> below'
    : 'Demo data: the credentials of <b>Demo Shop</b> are filled in'
}

/** Escapes `<`, so the text cannot close the script element. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

export type Asset = {
  readonly type: string
  readonly body: Buffer
  readonly gzipped: Buffer
  /** Hash of the content. It is part of the URL, so browsers can cache the file indefinitely. */
  readonly hash: string
}

const require = createRequire(import.meta.url)

/** Finds a file that its package does not export. Every package exports package.json, so that is resolved first. */
function inPackage(name: string, file: string): string {
  return join(dirname(require.resolve(`${name}/package.json`)), file)
}

function inThisFolder(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}

/** By file name. Call only if the playground is enabled, because the files are 1.5 MB. */
export function readAssets(): ReadonlyMap<string, Asset> {
  const files = {
    'react.js': inPackage('react', 'umd/react.production.min.js'),
    'react-dom.js': inPackage('react-dom', 'umd/react-dom.production.min.js'),
    'graphiql.js': inPackage('graphiql', 'graphiql.min.js'),
    'graphiql.css': inPackage('graphiql', 'graphiql.min.css'),
    'playground.js': inThisFolder('./playground.js'),
    'playground.css': inThisFolder('./playground.css'),
  }
  return new Map(Object.entries(files).map(([name, path]) => [name, readAsset(name, path)]))
}

function readAsset(name: string, path: string): Asset {
  const body = readFileSync(path)
  return {
    type: name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
    body,
    gzipped: gzipSync(body),
    hash: createHash('sha256').update(body).digest('base64url').slice(0, 16),
  }
}
