/** The HTML page of the playground. It loads nothing from other hosts and has no inline scripts. */
import type { Asset } from './assets.ts'
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
