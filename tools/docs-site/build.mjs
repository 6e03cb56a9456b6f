/**
 * Renders the documentation to static HTML: the pages in `docs` and the Markdown files elsewhere that they link to.
 * The folder needs no server: it can be published as it is. The service serves it at /docs (src/pages/docs.ts).
 * Called by tools/assets.mjs: `npm run build:docs [folder]`.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { bundleScript } from './bundle.mjs'
import { createRenderer } from './markdown.mjs'
import { navigationFrom } from './navigation.mjs'
import { renderPage } from './page.mjs'
import { readSources } from './sources.mjs'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** Writes the site to the folder `output`, which it replaces. */
export async function buildSite(output) {
  const { pages, files } = readSources(ROOT)
  const renderer = await createRenderer(new Set([...pages, ...files].map(({ source }) => source)))
  const rendered = pages.map((page) => ({ ...page, ...renderer.render(page) }))
  const navigation = navigationFrom(rendered)

  rmSync(output, { recursive: true, force: true })
  const write = (file, content) => {
    mkdirSync(path.dirname(path.join(output, file)), { recursive: true })
    writeFileSync(path.join(output, file), content)
  }
  for (const page of rendered) {
    write(page.target, renderPage(page, navigation))
    write(page.markdownTarget, page.text)
  }
  for (const { source, target } of files) {
    mkdirSync(path.dirname(path.join(output, target)), { recursive: true })
    cpSync(path.join(ROOT, source), path.join(output, target))
  }
  write('search.json', JSON.stringify(rendered.flatMap(({ sections }) => sections)))
  write('llms.txt', llmsText(navigation, rendered))
  write(
    'site.css',
    `${readFileSync(path.join(import.meta.dirname, 'site.css'), 'utf8')}\n${renderer.codeStyle()}\n`,
  )
  write('site.js', await bundleScript(path.join(import.meta.dirname, 'site.js')))
}

/** The list of pages for language models; see llmstxt.org. */
function llmsText(navigation, pages) {
  const markdownOf = new Map(pages.map(({ target, markdownTarget }) => [target, markdownTarget]))
  const groups = navigation.map(({ title, links }) => {
    const lines = links.map(
      ({ title, target, note }) =>
        `- [${title}](${markdownOf.get(target) ?? target})${note === '' ? '' : `: ${note}`}`,
    )
    return [`## ${title}`, '', ...lines].join('\n')
  })
  return [
    '# Waybill',
    '> A self-hosted shipping gateway: rates, import duties and taxes, and cancellation, through REST and GraphQL.',
    ...groups,
    '',
  ].join('\n\n')
}
