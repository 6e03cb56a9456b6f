/** Checks that links, anchors, paths and names on every page exist. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Page, ROOT, readPages } from './pages.ts'

const pages = readPages()
const pageNames = new Set(pages.map(({ name }) => name))

const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
  readonly engines: { readonly node: string }
}

/** The links of a page whose target does not exist. */
function brokenLinks({ name, links, anchors }: Page): string[] {
  return links.flatMap(({ line, target }) => {
    const broken = [`${name}:${line}: ${target}`]
    if (/^https?:\/\//.test(target)) return []
    const [file = '', anchor] = target.split('#')
    if (file === '') return anchor !== undefined && anchors.has(anchor) ? [] : broken
    const resolved = path.posix.normalize(path.posix.join(path.posix.dirname(name), file))
    if (!existsSync(path.join(ROOT, resolved))) return broken
    if (anchor === undefined) return []
    const page = pages.find((other) => other.name === resolved)
    return page?.anchors.has(anchor) === true ? [] : broken
  })
}

/** Code spans and commands with their line numbers. */
function codeIn({ prose, blocks }: Page): { readonly line: number; readonly text: string }[] {
  const spans = prose.flatMap(({ line, text }) =>
    [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => ({ line, text: code })),
  )
  return [...spans, ...blocks.map(({ line, text }) => ({ line, text }))]
}

/** Matches of a pattern's first group in the code of all pages, as "page:line: match". */
function mentions(pattern: RegExp): { readonly where: string; readonly name: string }[] {
  return pages.flatMap((page) =>
    codeIn(page).flatMap(({ line, text }) =>
      [...text.matchAll(pattern)].map(([, name = '']) => ({ where: `${page.name}:${line}`, name })),
    ),
  )
}

describe('the pages', () => {
  test('have links and anchors that exist', () => {
    expect(pages.flatMap(brokenLinks)).toEqual([])
  })

  test('name only files and folders that exist', () => {
    const named = mentions(/(?<![\w./-])((?:src|test|schema|docs|tools)\/[\w./-]*\w\/?)/g)
    const missing = named.filter(({ name }) => !existsSync(path.join(ROOT, name)))
    expect(named.length).toBeGreaterThan(20)
    expect(missing.map(({ where, name }) => `${where}: ${name}`)).toEqual([])
  })

  test('name only npm scripts that exist', () => {
    const named = mentions(/npm run ([\w:-]+)/g)
    const missing = named.filter(({ name }) => !(name in manifest.scripts))
    expect(named.length).toBeGreaterThan(10)
    expect(missing.map(({ where, name }) => `${where}: ${name}`)).toEqual([])
  })

  test('give the Node.js version that package.json requires', () => {
    const demanded = manifest.engines.node.replace('>=', '')
    const given = pages.flatMap(({ name, text }) =>
      [...text.matchAll(/Node\.js (\d[\d.]*\d|\d)/g)].map(([, version]) => `${name}: ${version}`),
    )
    expect(given.length).toBeGreaterThan(1)
    expect(given.filter((version) => !version.endsWith(`: ${demanded}`))).toEqual([])
  })

  test('refer to no design document or specification outside the repository', () => {
    const outside = pages.flatMap(({ name, prose }) =>
      prose
        .filter(({ text }) => /\bdesign\/|specification,? (?:section )?\d|the specification\b/i.test(text))
        .map(({ line, text }) => `${name}:${line}: ${text}`),
    )
    expect(outside).toEqual([])
  })

  test('have their headings in order: one title, and no level left out', () => {
    const faults = pages.flatMap(({ name, prose }) => {
      const levels = prose.flatMap(({ line, text }) => {
        const [marks] = /^#{1,6}(?= )/.exec(text) ?? []
        return marks === undefined ? [] : [{ line, level: marks.length }]
      })
      const titles = levels.filter(({ level }) => level === 1).length
      const jumps = levels.filter(({ level }, index) => level > (levels[index - 1]?.level ?? 0) + 1)
      return [
        ...(titles === 1 ? [] : [`${name}: ${titles} titles`]),
        ...jumps.map(({ line }) => `${name}:${line}: a level is left out`),
      ]
    })
    expect(faults).toEqual([])
  })
})

describe('the README', () => {
  test('has at most 6,000 characters', () => {
    const readme = pages.find(({ name }) => name === 'README.md')!
    expect([...readme.text].length).toBeLessThanOrEqual(6_000)
  })
})

describe('the index of docs/', () => {
  test('lists every page', () => {
    const index = pages.find(({ name }) => name === 'docs/README.md')!
    const listed = new Set(index.links.map(({ target }) => `docs/${target.split('#')[0]}`))
    const unlisted = [...pageNames].filter(
      (name) => /^docs\/[^/]+\.md$/.test(name) && name !== 'docs/README.md' && !listed.has(name),
    )
    expect(unlisted).toEqual([])
  })
})

describe('the index of decisions', () => {
  const index = pages.find(({ name }) => name === 'docs/decisions/README.md')!
  const lines = index.prose.filter(({ text }) => text.startsWith('- '))
  const rows = lines.flatMap(({ text }) => {
    const [, number, file, anchor] =
      /^- \[D(\d+)\]\(([a-z]+)\.md#(d\d+)\) .+ \(\d{4}-\d\d-\d\d\)$/.exec(text) ?? []
    return number === undefined ? [] : [{ number: Number(number), file, anchor }]
  })

  test('has a line for each decision, with its number, section and day', () => {
    expect(rows).toHaveLength(lines.length)
    const numbers = rows.map(({ number }) => number)
    expect(numbers).toHaveLength(new Set(numbers).size)
    expect(rows.filter(({ number, anchor }) => anchor !== `d${number}`)).toEqual([])
    const sections = pages
      .filter(({ name }) => /^docs\/decisions\/(?!README)/.test(name))
      .flatMap(({ name, anchors }) =>
        [...anchors].filter((anchor) => /^d\d+$/.test(anchor)).map((anchor) => `${name}#${anchor}`),
      )
    expect(rows.map(({ file, anchor }) => `docs/decisions/${file}.md#${anchor}`).sort()).toEqual(
      sections.sort(),
    )
  })
})
