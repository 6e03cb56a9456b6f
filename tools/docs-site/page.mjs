/** The HTML of a page around its content. All addresses are relative, so the site can be below any path. */
import path from 'node:path'
import { escapeHtml } from './markdown.mjs'

export function renderPage({ target, markdownTarget, title, summary, html, headings }, navigation) {
  const to = (file) => path.posix.relative(path.posix.dirname(target), file) || path.posix.basename(file)
  const index = target === 'index.html'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${index ? 'Waybill documentation' : `${escapeHtml(title)} · Waybill`}</title>
<meta name="description" content="${escapeHtml(summary)}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to('site.css')}">
<link rel="alternate" type="text/markdown" href="${to(markdownTarget)}">
<script src="${to('site.js')}" defer></script>
</head>
<body data-root="${to('.')}">
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="home" href="${to('index.html')}">Waybill</a>
<button type="button" class="menu" aria-expanded="false" aria-controls="navigation">Menu</button>
<search><input type="search" placeholder="Search" aria-label="Search the documentation" aria-controls="results" autocomplete="off">
<div id="results" aria-live="polite" hidden></div></search>
</header>
<nav id="navigation" aria-label="Documentation">
${navigation.map((group) => renderGroup(group, target, to)).join('\n')}
</nav>
<main id="content">
${html}
<footer><a href="${to(markdownTarget)}">This page as Markdown</a></footer>
</main>
${renderContents(headings)}
</body>
</html>
`
}

function renderGroup({ title, links }, current, to) {
  const items = links.map(
    ({ title, target }) =>
      `<li><a href="${to(target)}"${target === current ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`,
  )
  return `<h2>${escapeHtml(title)}</h2>\n<ul>\n${items.join('\n')}\n</ul>`
}

/** The sections of the page. Empty if there are only a few. */
function renderContents(headings) {
  const sections = headings.filter(({ level }) => level === 2)
  if (sections.length < 3) return ''
  const items = sections.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`)
  return `<aside aria-labelledby="contents"><h2 id="contents">On this page</h2>\n<ul>\n${items.join('\n')}\n</ul></aside>`
}
