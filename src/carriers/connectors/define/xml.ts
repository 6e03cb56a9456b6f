/**
 * Reads XML replies of carriers. They are untrusted: a document type declaration is refused, entities are not expanded
 * except the five of XML, and depth and elements are limited. The size is that of the reply (`exchange`).
 */
import { SaxesParser } from 'saxes'
import type { HttpReply } from '../../http-exchange.ts'

export type XmlElement = {
  /** Without the prefix of its namespace. */
  readonly name: string
  /** By name without prefix. */
  readonly attributes: Readonly<Record<string, string>>
  /** The texts of this element itself, trimmed. */
  readonly text: string
  readonly children: readonly XmlElement[]
}

const DEPTH_MAX = 64
const ELEMENTS_MAX = 20_000

type OpenElement = {
  readonly name: string
  readonly attributes: Record<string, string>
  text: string
  readonly children: OpenElement[]
}

/** The root element of the body; undefined if it is missing, too long, not well-formed XML, or above a limit. */
export function xmlOf({ text }: HttpReply): XmlElement | undefined {
  if (text === undefined) return undefined
  try {
    return parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

function parse(text: string): XmlElement | undefined {
  const parser = new SaxesParser({ xmlns: false, position: false })
  const open: OpenElement[] = []
  let root: OpenElement | undefined
  let elements = 0
  const refuse = (): never => {
    throw new Error('not a reply in XML')
  }
  const addText = (more: string): void => {
    const element = open.at(-1)
    if (element !== undefined) element.text += more
  }
  parser.on('error', refuse)
  parser.on('doctype', refuse)
  parser.on('opentag', ({ name, attributes }) => {
    elements += 1
    if (elements > ELEMENTS_MAX || open.length >= DEPTH_MAX) refuse()
    const element = { name: localName(name), attributes: withoutPrefixes(attributes), text: '', children: [] }
    const parent = open.at(-1)
    if (parent === undefined) root = element
    else parent.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => {
    const element = open.pop()
    if (element !== undefined) element.text = element.text.trim()
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.write(text).close()
  return root
}

function withoutPrefixes(attributes: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [localName(name), value]))
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** All elements at a path of names below `element`. */
export function xmlListAt(
  element: XmlElement | undefined,
  ...path: readonly string[]
): readonly XmlElement[] {
  let found: readonly XmlElement[] = element === undefined ? [] : [element]
  for (const name of path)
    found = found.flatMap(({ children }) => children.filter((child) => child.name === name))
  return found
}

/** The only element at a path; undefined if there is none or several. */
export function xmlAt(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  const [found, second] = xmlListAt(element, ...path)
  return second === undefined ? found : undefined
}

/** The text of the only element at a path; undefined if there is none or several, or if it is empty. */
export function xmlTextAt(element: XmlElement | undefined, ...path: readonly string[]): string | undefined {
  return xmlAt(element, ...path)?.text || undefined
}
