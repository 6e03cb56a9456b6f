/**
 * Reads the project's documentation: pages with their headings, links and code blocks. Supports only the Markdown that
 * the pages use: `#` headings, fenced blocks, inline links and code spans.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** A fenced code block. `line` is the line of its opening fence, counted from 1. */
export type CodeBlock = {
  readonly page: string
  readonly line: number
  /** The word after the opening fence, such as `sh`, `console` or `json`. Can be empty. */
  readonly language: string
  /** The words after the language, such as `variables`. Can be empty. */
  readonly label: string
  readonly text: string
  /** The anchor of its section. Empty before the first heading. */
  readonly section: string
}

/** An inline link. */
export type Link = { readonly line: number; readonly target: string }

/** A page; `name` is its path from the root of the project. */
export type Page = {
  readonly name: string
  readonly text: string
  /** The text without code blocks, line by line. */
  readonly prose: readonly { readonly line: number; readonly text: string }[]
  readonly anchors: ReadonlySet<string>
  readonly links: readonly Link[]
  readonly blocks: readonly CodeBlock[]
}

/** The root of the project. */
export const ROOT = path.resolve(import.meta.dirname, '../..')

const SINGLE_PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'client/README.md',
  'src/reference/README.md',
  'test/campaigns/abuse/README.md',
  'test/campaigns/crash/README.md',
]

/** All pages: those in docs/ and those in other folders. */
export function readPages(): readonly Page[] {
  const docs = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file.replaceAll('\\', '/')}`)
    .sort()
  return [...SINGLE_PAGES, ...docs].map(readPage)
}

export function readPage(name: string): Page {
  const text = readFileSync(path.join(ROOT, name), 'utf8')
  const anchors = new Set<string>()
  const prose: { line: number; text: string }[] = []
  const blocks: CodeBlock[] = []
  let section = ''
  let open: (Omit<CodeBlock, 'page' | 'text' | 'section'> & { readonly lines: string[] }) | undefined
  text.split('\n').forEach((content, index) => {
    const line = index + 1
    const [fence, language = '', label = ''] = /^```(\w*) ?(.*)/.exec(content) ?? []
    if (open !== undefined) {
      if (fence === undefined) open.lines.push(content)
      else {
        const { lines, ...opened } = open
        blocks.push({ page: name, ...opened, text: lines.join('\n'), section })
        open = undefined
      }
    } else if (fence !== undefined) open = { line, language, label, lines: [] }
    else {
      const [, heading] = /^#{1,6} (.*)$/.exec(content) ?? []
      if (heading !== undefined) {
        section = anchorOf(heading, anchors)
        anchors.add(section)
      }
      prose.push({ line, text: content })
    }
  })
  if (open !== undefined) throw new Error(`${name}:${open.line}: the code block is not closed`)
  return { name, text, prose, anchors, links: prose.flatMap(linksIn), blocks }
}

/** A GraphQL document of a page. */
export type ShownDocument = Pick<CodeBlock, 'page' | 'line' | 'text'> & {
  /** From the `json variables` block after it. */
  readonly variables: Readonly<Record<string, unknown>>
  /** True if the response that the page shows has top-level errors. */
  readonly isRefused: boolean
}

/** The GraphQL documents of all pages. */
export function readDocuments(): readonly ShownDocument[] {
  return readPages().flatMap(({ blocks }) =>
    blocks.flatMap(({ page, line, text, language, section }, index) => {
      if (language !== 'graphql') return []
      const following = blocks.slice(index + 1, index + 3).filter((block) => block.section === section)
      const [variables] = following.filter(({ label }) => label === 'variables')
      const [response] = following.filter((block) => block.language === 'json' && block.label === '')
      return {
        ...{ page, line, text },
        variables: JSON.parse(variables?.text ?? '{}'),
        isRefused: 'errors' in JSON.parse(response?.text ?? '{}'),
      }
    }),
  )
}

/** GitHub's anchor of a heading. Repeated headings get a number. */
function anchorOf(heading: string, taken: ReadonlySet<string>): string {
  const plain = heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
  if (!taken.has(plain)) return plain
  let count = 1
  while (taken.has(`${plain}-${count}`)) count += 1
  return `${plain}-${count}`
}

function linksIn({ line, text }: { readonly line: number; readonly text: string }): Link[] {
  const outsideCode = text.replace(/`[^`]*`/g, (code) => ' '.repeat(code.length))
  return [...outsideCode.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({ line, target }))
}

/** Splits a command line like a shell, with quotes, backslashes and continued lines. */
export function splitCommand(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let rest = text
  while (rest !== '') {
    const [blank] = /^(?:\s|\\\n)+/.exec(rest) ?? []
    if (blank !== undefined) {
      if (word !== undefined) words.push(word)
      word = undefined
      rest = rest.slice(blank.length)
      continue
    }
    const [part = '', single, double, escaped, plain] =
      /^(?:'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+))/s.exec(rest) ?? []
    if (part === '') throw new Error(`cannot be read as a command: ${text}`)
    word = (word ?? '') + (single ?? double?.replace(/\\(.)/g, '$1') ?? escaped ?? plain ?? '')
    rest = rest.slice(part.length)
  }
  return word === undefined ? words : [...words, word]
}
