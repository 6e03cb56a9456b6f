/** The playground's page. It loads nothing from elsewhere and holds no script of its own. */
import type { Asset } from './assets.ts'
import { EXAMPLES } from './examples.ts'

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
