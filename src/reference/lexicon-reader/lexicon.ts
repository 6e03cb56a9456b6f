/**
 * Reads the shipped lexicon: entries (`lexicon/*.txt`), families and dimensions (`lexicon/rules/*.txt`), words of other
 * languages (`lexicon/languages/*.txt`) and labels of headings. See docs/lexicon.md for the formats. A malformed line
 * is an error with its file and line. Also stores the compiled lexicon.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import {
  compileLexiconData,
  type Lexicon,
  type LexiconData,
  openLexicon,
} from '../../core/classification/compile-lexicon.ts'
import type {
  Accessories,
  LanguageWords,
  LexiconEntry,
  LexiconSource,
  Roles,
} from '../../core/classification/lexicon.ts'
import { compiledFolder, loadCompiled } from '../compiled-file.ts'
import { readHs2022Codes } from '../customs.ts'
import { readTextModel } from '../text-model/read-text-model.ts'
import { parseNotes, parseSets } from './notes.ts'
import { parseRules } from './rules.ts'
import { fault, type LexiconLine, readCodes, readLines, readTerms } from './terms.ts'

/** Brands that people use as the name of the goods. */
const PRODUCT_NAMES = 'product-names.txt'

export function readLexicon(): LexiconSource {
  const known = readHs2022Codes()
  const rules = parseRules(
    filesIn('rules/', (file, text) => ({ file, text })),
    known,
  )
  const notes = parseNotes('notes/notes.txt', textOf('notes/notes.txt'), known)
  return {
    entries: filesIn('', (file, text) => parseEntries(file, text, known)).flat(),
    dimensions: rules.dimensions,
    families: rules.families,
    languages: filesIn('languages/', parseLanguage),
    accessories: filesIn('accessories/', parseAccessories).flat(),
    roles: {
      ...parseFeatures('roles/features.txt', textOf('roles/features.txt')),
      materials: parseMaterials('roles/materials.txt', textOf('roles/materials.txt')),
    },
    notes,
    sets: filesIn('sets/', (file, text) => parseSets(file, text, notes, known)).flat(),
    productNames: parseEntries(PRODUCT_NAMES, textOf(PRODUCT_NAMES), known).flatMap(({ terms }) => terms),
    headings: parseHeadings(
      'hs2022-headings.txt',
      readFileSync(new URL('../hs2022-headings.txt', import.meta.url), 'utf8'),
    ),
  }
}

function textOf(file: string): string {
  return readFileSync(new URL(`../lexicon/${file}`, import.meta.url), 'utf8')
}

function filesIn<T>(folder: string, parse: (file: string, text: string) => T): T[] {
  const url = new URL(`../lexicon/${folder}`, import.meta.url)
  return readdirSync(url)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .map((name) => parse(folder + name, readFileSync(new URL(name, url), 'utf8')))
}

/** Reads the words of one language: "foreign, foreign | English". The file name is the language. */
export function parseLanguage(file: string, text: string): LanguageWords {
  const phrases = readLines(file, text).flatMap((line) => {
    const [foreign, english] = twoColumns(file, line)
    return foreign
      .split(',')
      .map((phrase) => ({ foreign: phrase.trim(), english }))
      .filter(({ foreign: phrase }) => phrase !== '')
  })
  const language = file.slice(file.lastIndexOf('/') + 1).replace(/\.txt$/, '')
  return { language, phrases }
}

/** Reads labels of headings: "6109 | label". */
export function parseHeadings(file: string, text: string): ReadonlyMap<string, string> {
  const headings = new Map<string, string>()
  for (const line of readLines(file, text)) {
    const [heading, label] = twoColumns(file, line)
    if (!/^\d{4}$/.test(heading)) throw fault(file, line.line, `a heading has four digits, got ${heading}`)
    if (headings.has(heading)) throw fault(file, line.line, `${heading} is listed twice`)
    headings.set(heading, label)
  }
  return headings
}

/** Reads the codes of parts and of the goods they belong to: "code, code | code, 9201-9208". */
export function parseAccessories(file: string, text: string): readonly Accessories[] {
  return readLines(file, text).map((line) => {
    const [parts, things] = twoColumns(file, line)
    const codePrefixes = (list: string) =>
      list.split(',').flatMap((codes) => readCodes(file, line, codes.trim()))
    return { parts: codePrefixes(parts), things: codePrefixes(things) }
  })
}

/** Reads the words that describe components: "features | nib, buckle". */
export function parseFeatures(file: string, text: string): Omit<Roles, 'materials'> {
  const lists: Record<string, string[]> = {
    qualifiers: [],
    features: [],
    'counted features': [],
    outside: [],
    'sold alone': [],
  }
  for (const line of readLines(file, text)) {
    const [kind, words] = twoColumns(file, line)
    const list = lists[kind]
    if (list === undefined)
      throw fault(file, line.line, `expected one of ${Object.keys(lists).join(', ')}, got ${kind}`)
    list.push(...words.split(',').map((word) => word.trim()))
  }
  const { qualifiers = [], features = [], outside = [] } = lists
  const { 'counted features': countedFeatures = [], 'sold alone': soldAlone = [] } = lists
  return { qualifiers, features, countedFeatures, outside, soldAlone }
}

/** Reads the codes of materials, one code or range per line. */
export function parseMaterials(file: string, text: string): readonly string[] {
  return readLines(file, text).flatMap((line) => readCodes(file, line, line.content))
}

function twoColumns(file: string, { line, content }: LexiconLine): [string, string] {
  const [first = '', second = '', ...rest] = content.split('|').map((part) => part.trim())
  if (first === '' || second === '' || rest.length > 0)
    throw fault(file, line, 'expected two columns separated by one "|"')
  return [first, second]
}

/**
 * Reads the entries of one file, one line per subheading: "code | label | term, term". Throws `<file>, line <n>:
 * <fault>` on a malformed line or a code that is not in `known`.
 */
export function parseEntries(
  file: string,
  text: string,
  known?: ReadonlySet<string>,
): readonly LexiconEntry[] {
  return readLines(file, text).map((line) => {
    const [code = '', label = '', list, ...rest] = line.content.split('|').map((part) => part.trim())
    if (list === undefined || rest.length > 0)
      throw fault(file, line.line, 'expected "code | label | term, term"')
    if (!/^\d{6}$/.test(code))
      throw fault(file, line.line, `a code has six digits, got ${JSON.stringify(code)}`)
    if (known?.has(code) === false) throw fault(file, line.line, `${code} is not a code of HS 2022`)
    if (label === '') throw fault(file, line.line, `${code} has no label`)
    return { code, label, ...readTerms(file, list, line) }
  })
}

/*
 * Compiling takes half a second, so the compiled lexicon is stored. See compiled-file.ts.
 */

const STORE = compiledFolder('lexicon')

/** Everything that the compiled lexicon depends on. */
const INPUTS = [
  '../',
  './',
  '../lexicon/',
  '../lexicon/accessories/',
  '../lexicon/languages/',
  '../lexicon/notes/',
  '../lexicon/roles/',
  '../lexicon/rules/',
  '../lexicon/sets/',
  '../../core/classification/',
  '../../core/classification/models/',
  '../../core/classification/text/',
].map((folder) => new URL(folder, import.meta.url))

let loaded: LexiconData | undefined

/**
 * The lexicon that the product ships. It is loaded once per process, from or into the `store` of the first call. Throws
 * if a file of the lexicon has a fault.
 */
export function loadLexicon(store: URL = STORE): Lexicon {
  loaded ??= loadCompiled<LexiconData>({
    store,
    inputs: INPUTS,
    isInput: (name) => /\.(ts|js|txt)$/.test(name),
    compile: () => compileLexiconData(readLexicon()),
    encode: serialize,
    decode: deserialize,
  })
  return openLexicon(loaded, readTextModel())
}
