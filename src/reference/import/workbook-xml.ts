/**
 * Reads the XML files of an Excel workbook (.xlsx is a zip of XML files). They are unpacked and parsed in pieces, so
 * that a large sheet is never in memory as text. Unpacked bytes, elements, nesting depth and the length of a single
 * text or tag are limited (import-limits.ts). A document type declaration is refused.
 */
import { SaxesParser } from 'saxes'
import {
  atMost,
  bytesText,
  figureText,
  ImportRefusal,
  MAX_WORKBOOK_BYTES,
  MAX_WORKBOOK_ELEMENTS,
  MAX_WORKBOOK_ENTRIES,
  MAX_XML_DEPTH,
  MAX_XML_RUN_BYTES,
} from './import-limits.ts'
import { readZipDirectory, unpackEntry } from './zip-archive.ts'

/** Callbacks of an XML parser. Names have no namespace prefix. */
export type XmlHandlers = {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

/** The XML files of a workbook. The limits apply to all reads of one workbook together. */
export type WorkbookFiles = {
  has(name: string): boolean
  /** Parses an XML file. Throws ImportRefusal if it is missing, damaged or above a limit. */
  read(name: string, handlers: XmlHandlers): void
}

/** Throws ImportRefusal if the directory of the zip is damaged. */
export function openWorkbookFiles(bytes: Uint8Array): WorkbookFiles {
  const entries = readZipDirectory(bytes, MAX_WORKBOOK_ENTRIES)
  let unpackedBytes = 0
  let elements = 0
  const countElement = (): void => {
    elements += 1
    if (elements > MAX_WORKBOOK_ELEMENTS)
      throw new ImportRefusal(atMost(MAX_WORKBOOK_ELEMENTS, 'elements of XML'), 'more')
  }
  return {
    has: (name) => entries.some((entry) => entry.name === name),
    read(name, handlers) {
      const entry = entries.find((other) => other.name === name)
      if (entry === undefined) throw malformed(name, 'is missing')
      unpackedBytes += entry.bytes
      if (unpackedBytes > MAX_WORKBOOK_BYTES)
        throw new ImportRefusal(
          `at most ${bytesText(MAX_WORKBOOK_BYTES)} of XML, unpacked`,
          `${bytesText(unpackedBytes)} up to ${name}`,
        )
      const parser = openParser(name, handlers, countElement)
      unpackEntry(bytes, entry, parser.write)
      parser.close()
    },
  }
}

/** Parses one XML file within the same limits. Throws ImportRefusal if it is damaged or above a limit. */
export function parseXml(file: string, bytes: Uint8Array, handlers: XmlHandlers): void {
  let elements = 0
  const parser = openParser(file, handlers, () => {
    elements += 1
    if (elements > MAX_WORKBOOK_ELEMENTS)
      throw new ImportRefusal(atMost(MAX_WORKBOOK_ELEMENTS, 'elements of XML'), 'more')
  })
  for (let start = 0; start < bytes.length; start += XML_PIECE_BYTES)
    parser.write(bytes.subarray(start, start + XML_PIECE_BYTES))
  parser.close()
}

const XML_PIECE_BYTES = 64 * 1024

type Parser = { write(piece: Uint8Array): void; close(): void }

function openParser(file: string, handlers: XmlHandlers, countElement: () => void): Parser {
  const parser = new SaxesParser({ xmlns: false, position: false })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const watchRuns = runWatch(file)
  const watchProlog = prologWatch(file)
  let depth = 0
  parser.on('error', () => {
    throw malformed(file, 'is not well-formed XML')
  })
  parser.on('opentag', ({ name, attributes }) => {
    countElement()
    depth += 1
    if (depth > MAX_XML_DEPTH)
      throw new ImportRefusal(`XML nested at most ${MAX_XML_DEPTH} deep`, `more in ${file}`)
    handlers.open?.(localName(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    depth -= 1
    handlers.close?.(localName(name))
  })
  parser.on('text', (text) => handlers.text?.(text))
  parser.on('cdata', (text) => handlers.text?.(text))
  const decoded = (piece?: Uint8Array): string => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined })
    } catch {
      throw malformed(file, 'is not in UTF-8')
    }
  }
  return {
    write(piece) {
      watchRuns(piece)
      const text = decoded(piece)
      watchProlog(text)
      parser.write(text)
    },
    close() {
      parser.write(decoded())
      parser.close()
    },
  }
}

/** Spreadsheet programs write an XML declaration of about 60 characters. */
const MAX_PROLOG_LENGTH = 64 * 1024
/** White space of XML 1.0 and 1.1, declarations and comments. */
const MISCELLANEOUS = /^(?:[\s\u0085]|<\?.*?\?>|<!--.*?-->)*/s

/**
 * Refuses a document type declaration where it begins, because the parser would keep all of it in memory. It can only
 * stand before the root element. The parser itself refuses one that is not in capitals, or behind the root's start.
 */
function prologWatch(file: string): (text: string) => void {
  let prolog: string | undefined = ''
  return (text) => {
    if (prolog === undefined) return
    prolog += text.slice(0, MAX_PROLOG_LENGTH - prolog.length)
    const rest = prolog.replace(MISCELLANEOUS, '')
    if (rest.startsWith('<!DOCTYPE'))
      throw new ImportRefusal(
        'XML without a document type declaration, which no spreadsheet program writes',
        `<!DOCTYPE in ${file}`,
      )
    if (/^<[^!?]/.test(rest)) prolog = undefined
    else if (prolog.length === MAX_PROLOG_LENGTH)
      throw malformed(file, `has no element in its first ${figureText(MAX_PROLOG_LENGTH)} characters`)
  }
}

const LESS_THAN = 0x3c
const WINDOW_BYTES = 64 * 1024

/** Refuses texts and tags above the limit, because the parser keeps them in memory until they end. */
function runWatch(file: string): (piece: Uint8Array) => void {
  let run = 0
  return (piece) => {
    for (let start = 0; start < piece.length; start += WINDOW_BYTES) {
      const window = piece.subarray(start, start + WINDOW_BYTES)
      const last = window.lastIndexOf(LESS_THAN)
      run = last === -1 ? run + window.length : window.length - last
      if (run > MAX_XML_RUN_BYTES)
        throw new ImportRefusal(
          `texts and tags of at most ${bytesText(MAX_XML_RUN_BYTES)}`,
          `more in ${file}`,
        )
    }
  }
}

function malformed(file: string, why: string): ImportRefusal {
  return damaged(`${file} ${why}`)
}

export function damaged(found: string): ImportRefusal {
  return new ImportRefusal('an Excel workbook (.xlsx) that is not damaged or protected', found)
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
