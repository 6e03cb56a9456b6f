/** Converts a page of Markdown to HTML, with highlighted code, anchors and links within the site. */
import path from 'node:path'
import { transformerStyleToClass } from '@shikijs/transformers'
import GithubSlugger from 'github-slugger'
import { Marked } from 'marked'
import { createHighlighter } from 'shiki'
import { resolveLink, targetOf } from './sources.mjs'

const LANGUAGES = {
  sh: 'shellscript',
  console: 'shellsession',
  cron: 'text',
  csv: 'csv',
  graphql: 'graphql',
  js: 'javascript',
  json: 'json',
  jsonc: 'jsonc',
  sql: 'sql',
  ts: 'typescript',
  tsx: 'tsx',
  html: 'html',
  yaml: 'yaml',
  text: 'text',
  '': 'text',
}

/** Characters of a section that the search finds. */
const MAX_SECTION_TEXT = 1_500

const THEMES = { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' }

/** `known` are the files of the site, by their paths from the root of the project. */
export async function createRenderer(known) {
  const highlighter = await createHighlighter({
    themes: Object.values(THEMES),
    langs: [...new Set(Object.values(LANGUAGES))].filter((language) => language !== 'text'),
  })
  // The site forbids inline styles.
  const styles = transformerStyleToClass({ classPrefix: 'c-' })
  const highlight = (text, language) =>
    highlighter.codeToHtml(text, {
      lang: language,
      themes: THEMES,
      defaultColor: false,
      transformers: [styles],
    })
  return {
    render: (page) => renderMarkdown(page, known, highlight),
    /** The style of the code of all pages rendered so far. */
    codeStyle: styles.getCSS,
  }
}

function renderMarkdown({ source, target, text }, known, highlight) {
  const marked = new Marked()
  const slugger = new GithubSlugger()
  const headings = []
  marked.use({
    renderer: {
      heading({ tokens, depth, raw }) {
        const title = plainText(raw)
        const id = slugger.slug(title)
        headings.push({ id, level: depth, title })
        const link =
          depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a>`
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${link}</h${depth}>\n`
      },
      code({ text, lang = '' }) {
        const [word] = lang.split(' ')
        const language = LANGUAGES[word]
        if (language === undefined) throw new Error(`${source}: code of the unknown language ${word}`)
        return `<div class="code">${highlight(text, language)}</div>\n`
      },
      codespan({ text }) {
        return `<code>${escapeHtml(text).replaceAll('_', '_<wbr>')}</code>`
      },
      link({ href, tokens }) {
        const label = this.parser.parseInline(tokens)
        const link = linkTo(source, target, href, known)
        return link === undefined ? label : `<a href="${escapeHtml(link)}">${label}</a>`
      },
      image({ href, text }) {
        return `<img src="${escapeHtml(linkTo(source, target, href, known) ?? href)}" alt="${escapeHtml(text)}">`
      },
      table({ header, rows }) {
        const row = (cells, tag) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        const body = rows.map((cells) => row(cells, 'td')).join('\n')
        return `<div class="table" tabindex="0"><table><thead>${row(header, 'th')}</thead>\n<tbody>${body}</tbody></table></div>\n`
      },
    },
  })
  const tokens = marked.lexer(text)
  const html = marked.parser(tokens)
  const title = headings.find(({ level }) => level === 1)?.title ?? source
  return {
    title,
    html,
    headings,
    sections: sectionsOf(tokens, headings, title, target),
    summary: summaryOf(tokens),
  }
}

/** The sections of a page for the search, each with the beginning of its text. */
function sectionsOf(tokens, headings, page, target) {
  const sections = []
  for (const { type, raw } of tokens) {
    const section = sections.at(-1)
    if (type === 'heading') {
      const { id, level, title } = headings[sections.length]
      sections.push({ page, title, url: level === 1 ? target : `${target}#${id}`, text: '' })
    } else if (section !== undefined)
      section.text = `${section.text} ${plainText(raw)}`.trim().slice(0, MAX_SECTION_TEXT)
  }
  return sections
}

/** The first paragraph, for the description of the page. */
function summaryOf(tokens) {
  const paragraph = tokens.find(({ type }) => type === 'paragraph')
  return paragraph === undefined ? '' : plainText(paragraph.raw).slice(0, 300)
}

/** A link within the site, relative to the page. Undefined if the file is not part of the site. */
function linkTo(source, target, href, known) {
  const [file, anchor] = href.split('#', 2)
  const suffix = anchor === undefined ? '' : `#${anchor}`
  if (file === '' || /^[a-z]+:/.test(file)) return href
  const resolved = resolveLink(source, file)
  if (resolved === undefined || !known.has(resolved)) return undefined
  return `${path.posix.relative(path.posix.dirname(target), targetOf(resolved)) || '.'}${suffix}`
}

/** Markdown without its markup. */
export function plainText(markdown) {
  return markdown
    .replace(/```[^\n]*\n?/g, ' ')
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*_#>|]|<[^>]+>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim()
}

export function escapeHtml(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}
