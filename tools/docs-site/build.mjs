/**
 * Renders the documentation to static HTML: the pages in `docs` and the Markdown files elsewhere that they link to.
 * The folder needs no server: it can be published as it is. The service serves it at /docs (src/pages/docs.ts).
 * Run by `npm ci` (the script `prepare`), `npm run build` and `npm run build:docs [folder]`.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = path.resolve(import.meta.dirname, '../..')
const OUTPUT = path.join(ROOT, 'src/pages/site')

/** Writes the site to `output` and returns its files, relative to it. */
export async function buildSite(output = OUTPUT) {
  const { readSources } = await import('./sources.mjs')
  const { createRenderer } = await import('./markdown.mjs')
  const { navigationFrom } = await import('./navigation.mjs')
  const { renderPage } = await import('./page.mjs')
  const { bundleScript } = await import('./bundle.mjs')

  const { pages, files } = readSources(ROOT)
  const renderer = await createRenderer(new Set([...pages, ...files].map(({ source }) => source)))
  const rendered = pages.map((page) => ({ ...page, ...renderer.render(page) }))
  const navigation = navigationFrom(rendered)

  rmSync(output, { recursive: true, force: true })
  const written = []
  const write = (file, content) => {
    mkdirSync(path.dirname(path.join(output, file)), { recursive: true })
    writeFileSync(path.join(output, file), content)
    written.push(file)
  }
  for (const page of rendered) {
    write(page.target, renderPage(page, navigation))
    write(page.markdownTarget, page.text)
  }
  for (const { source, target } of files) {
    mkdirSync(path.dirname(path.join(output, target)), { recursive: true })
    cpSync(path.join(ROOT, source), path.join(output, target))
    written.push(target)
  }
  write('search.json', JSON.stringify(rendered.flatMap(({ sections }) => sections)))
  write('llms.txt', llmsText(navigation, rendered))
  write(
    'site.css',
    `${readFileSync(path.join(import.meta.dirname, 'site.css'), 'utf8')}\n${renderer.codeStyle()}\n`,
  )
  write('site.js', await bundleScript(path.join(import.meta.dirname, 'site.js')))
  return written
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder] = process.argv
  // `npm ci --omit=dev` also runs `prepare`. What is installed then runs a build made elsewhere.
  if (!existsSync(path.join(ROOT, 'node_modules/marked')))
    console.log('The documentation is not rendered, because development packages are not installed.')
  else await buildSite(folder === undefined ? OUTPUT : path.resolve(folder))
}
