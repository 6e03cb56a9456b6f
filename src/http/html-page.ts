/**
 * Pages for people in a browser: the frame and style of a page that loads nothing and runs no scripts, and the headers
 * of pages.
 */
import { createHash } from 'node:crypto'

export const HTML_TYPE = 'text/html; charset=utf-8'

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
pre { margin: 0.75rem 0; padding: 0.9rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--code); }
pre code { padding: 0; white-space: pre-wrap; }
`

/** Allows nothing but the style of the page. */
export const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
} as const

/** For a page that loads its own files, and calls only this service. */
export const OWN_FILES_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const

/** `main` is HTML. */
export function renderPage(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
