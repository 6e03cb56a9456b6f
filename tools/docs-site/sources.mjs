/** Finds the files of the site, and gives each its place in it. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Returns the pages and the other files of the site. `source` is a path from the root of the project, `target` one from
 * the root of the site. Markdown files outside `docs` are pages if a page links to them, and other files are copied.
 */
export function readSources(root) {
  const pages = new Map()
  const files = new Map()
  const waiting = readdirSync(path.join(root, 'docs'), { recursive: true })
    .map((file) => `docs/${file.replaceAll('\\', '/')}`)
    .filter((file) => statSync(path.join(root, file)).isFile())
    .sort()
  for (const source of waiting) {
    if (pages.has(source) || files.has(source)) continue
    if (!source.endsWith('.md')) {
      files.set(source, { source, target: targetOf(source) })
      continue
    }
    const text = readFileSync(path.join(root, source), 'utf8')
    pages.set(source, { source, text, target: targetOf(source), markdownTarget: markdownTargetOf(source) })
    for (const linked of linkedFiles(source, text))
      if (existsSync(path.join(root, linked)) && statSync(path.join(root, linked)).isFile())
        waiting.push(linked)
  }
  return { pages: [...pages.values()], files: [...files.values()] }
}

function linkedFiles(source, text) {
  return [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)]
    .map(([, target]) => resolveLink(source, target))
    .filter((target) => target !== undefined)
}

/** The file that a relative link names, as a path from the root of the project. Undefined for other links. */
export function resolveLink(source, href) {
  if (/^[a-z]+:|^\/|^#/.test(href)) return undefined
  const file = path.posix.normalize(path.posix.join(path.posix.dirname(source), href))
  return file.startsWith('..') ? undefined : file
}

/** `docs/limits.md` becomes `limits.html`, `docs/decisions/README.md` `decisions/index.html`. */
export function targetOf(source) {
  return placeOf(source)
    .replace(/(^|\/)README\.md$/, '$1index.md')
    .replace(/\.md$/, '.html')
}

/** Where the Markdown of a page is: the same names as in the project. */
function markdownTargetOf(source) {
  return placeOf(source)
}

/** Files outside `docs` are in the folder `project` of the site. */
function placeOf(source) {
  return source.startsWith('docs/') ? source.slice('docs/'.length) : `project/${source}`
}
