/** The navigation of the site: the headings and links of docs/README.md. */
import path from 'node:path'
import { plainText } from './markdown.mjs'
import { resolveLink, targetOf } from './sources.mjs'

const INDEX = 'docs/README.md'

/** Groups of links. Fails if docs/README.md does not link to a page of `docs`. */
export function navigationFrom(pages) {
  const index = pages.find(({ source }) => source === INDEX)
  const groups = []
  for (const line of index.text.split('\n')) {
    const [, heading] = /^## (.+)$/.exec(line) ?? []
    if (heading !== undefined) groups.push({ title: heading, links: [] })
    const [, title, href, note = ''] = /^- \[(.+?)\]\((.+?)\)(?:: (.+))?$/.exec(line) ?? []
    if (title !== undefined)
      groups.at(-1).links.push({ title, target: targetOf(resolveLink(INDEX, href)), note: plainText(note) })
  }
  const listed = new Set(groups.flatMap(({ links }) => links.map(({ target }) => target)))
  const missing = pages.filter(
    ({ source, target }) => path.posix.dirname(source) === 'docs' && source !== INDEX && !listed.has(target),
  )
  if (missing.length > 0)
    throw new Error(`docs/README.md does not link to ${missing.map(({ source }) => source).join(', ')}`)
  return groups
}
