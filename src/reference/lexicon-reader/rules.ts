/**
 * Reads dimensions with their values and words, and families of goods with their rows and terms. See docs/lexicon.md.
 */
import type {
  Dimension,
  DimensionValue,
  FamilyNames,
  FamilyRow,
  GoodsFamily,
} from '../../core/classification/lexicon.ts'
import { readRange } from '../../core/classification/text/measures.ts'
import { fault, type LexiconLine, readLines, readTerms } from './terms.ts'

export type RulesFile = { readonly file: string; readonly text: string }

type OpenDimension = Dimension & { readonly values: DimensionValue[] }
type OpenFamily = {
  readonly file: string
  readonly name: string
  readonly at: LexiconLine
  decides: readonly string[]
  readonly rows: LexiconLine[]
  readonly names: LexiconLine[]
}

/**
 * Reads the dimensions and families of all files. A value may be declared after its use. Throws
 * `<file>, line <n>: <fault>` on a malformed line, an unknown dimension or value, or a code that is not in `known`.
 */
export function parseRules(
  files: readonly RulesFile[],
  known?: ReadonlySet<string>,
): {
  readonly dimensions: readonly Dimension[]
  readonly families: readonly GoodsFamily[]
} {
  const dimensions: OpenDimension[] = []
  const families: OpenFamily[] = []
  for (const { file, text } of files) readRules(file, text, dimensions, families)
  const values = new Map<string, Set<string>>()
  for (const { name, values: declared } of dimensions) {
    const names = values.get(name) ?? new Set()
    for (const value of declared) names.add(value.name)
    values.set(name, names)
  }
  return { dimensions, families: families.map((family) => closeFamily(family, values, known)) }
}

function readRules(file: string, text: string, dimensions: OpenDimension[], families: OpenFamily[]): void {
  let dimension: OpenDimension | undefined
  let family: OpenFamily | undefined
  for (const line of readLines(file, text)) {
    const [keyword = '', rest = ''] = split(line.content, ' ')
    if (keyword === 'dimension') {
      dimension = readDimension(file, line, rest)
      family = undefined
      dimensions.push(dimension)
    } else if (keyword === 'family') {
      if (rest === '') throw fault(file, line.line, 'a family needs a name')
      family = { file, name: rest, at: line, decides: [], rows: [], names: [] }
      dimension = undefined
      families.push(family)
    } else if (family !== undefined) readFamilyLine(family, line, keyword, rest)
    else if (dimension !== undefined) dimension.values.push(readValue(file, line))
    else throw fault(file, line.line, 'expected "dimension <name> | <question>" or "family <name>" above it')
  }
}

function readFamilyLine(family: OpenFamily, line: LexiconLine, keyword: string, rest: string): void {
  if (keyword === 'decides') family.decides = parts(rest)
  else if (/^\d{6}$/.test(keyword)) family.rows.push(line)
  else if (keyword === 'terms') family.names.push(line)
  else
    throw fault(
      family.file,
      line.line,
      'expected "decides …", "<code> | <values>" or "terms | <values> | <terms>"',
    )
}

function readDimension(file: string, { line }: LexiconLine, rest: string): OpenDimension {
  const [name = '', question = '', marks = '', ...more] = rest.split('|').map((part) => part.trim())
  const marked = parts(marks)
  if (name === '' || question === '' || more.length > 0 || !marked.every((mark) => MARKS.includes(mark)))
    throw fault(
      file,
      line,
      'expected "dimension <name> | <question>", optionally with "| anywhere", "| ranked" or "| last of equals"',
    )
  return {
    name,
    question,
    appliesAnywhere: marked.includes('anywhere'),
    ranked: marked.includes('ranked'),
    ...(marked.includes('last of equals') && { lastOfEquals: true }),
    values: [],
  }
}

const MARKS = ['anywhere', 'ranked', 'last of equals']

function readValue(file: string, { line, content, continued }: LexiconLine): DimensionValue {
  const [title, list, ...more] = content.split('|').map((part) => part.trim())
  if (list === undefined || more.length > 0)
    throw fault(file, line, 'expected "<value> | word, word" or "<value> < <parent> | word, word"')
  const [name = '', parent] = split(title ?? '', '<')
  if (name === '') throw fault(file, line, 'a value needs a name')
  const listed = [list, ...continued.map((continuation) => continuation.content)].flatMap(parts)
  const named = listed.filter((word) => !word.includes('..'))
  const words = named.filter((word) => !word.endsWith('?'))
  const possibleWords = named.filter((word) => word.endsWith('?')).map((word) => word.slice(0, -1))
  const ranges = listed
    .filter((word) => word.includes('..'))
    .map((text) => {
      const range = readRange(text)
      if (range === undefined) throw fault(file, line, `expected a range such as "..250 g", got ${text}`)
      return range
    })
  return {
    name,
    ...(parent === undefined ? {} : { parent }),
    words,
    ...(possibleWords.length === 0 ? {} : { possibleWords }),
    ...(ranges.length === 0 ? {} : { ranges }),
  }
}

type ValueNames = ReadonlyMap<string, ReadonlySet<string>>

function closeFamily(
  family: OpenFamily,
  values: ValueNames,
  known: ReadonlySet<string> | undefined,
): GoodsFamily {
  const { file, name, at, decides } = family
  const unknown = decides.find((dimension) => !values.has(dimension))
  if (decides.length === 0) throw fault(file, at.line, `family ${name} has no line "decides …"`)
  if (unknown !== undefined) throw fault(file, at.line, `family ${name}: ${unknown} is not a dimension`)
  for (const { line, content } of family.rows) {
    const code = content.slice(0, 6)
    if (known?.has(code) === false) throw fault(file, line, `${code} is not a code of HS 2022`)
  }
  if (family.rows.length === 0 || family.names.length === 0)
    throw fault(file, at.line, `family ${name} needs rows of codes and a line of terms`)
  return {
    name,
    decides,
    rows: family.rows.map((line) => readRow(family, line, values)),
    names: family.names.map((line) => readNames(family, line, values)),
  }
}

function readRow(
  { file, decides }: OpenFamily,
  { line, content }: LexiconLine,
  values: ValueNames,
): FamilyRow {
  const [code = '', list = '', ...more] = content.split('|').map((part) => part.trim())
  if (more.length > 0) throw fault(file, line, 'expected "<code> | value, value"')
  const wanted = new Map<string, readonly string[]>()
  for (const part of parts(list)) {
    const names = part.split('/').map((name) => name.trim())
    const dimension = dimensionOf(file, line, decides, values, names[0] ?? '')
    const unknownName = names.find((name) => !values.get(dimension)!.has(name))
    if (unknownName !== undefined) throw fault(file, line, `${unknownName} is not a value of ${dimension}`)
    wanted.set(dimension, names)
  }
  return { code, values: wanted }
}

function readNames({ file, decides }: OpenFamily, line: LexiconLine, values: ValueNames): FamilyNames {
  const [, list, terms, ...more] = line.content.split('|').map((part) => part.trim())
  if (list === undefined || terms === undefined || more.length > 0)
    throw fault(file, line.line, 'expected "terms | value, value | term, term"')
  const usual = new Map<string, { value: string; fixed: boolean }>()
  for (const part of parts(list)) {
    const fixed = part.endsWith('!')
    const value = fixed ? part.slice(0, -1).trim() : part
    usual.set(dimensionOf(file, line.line, decides, values, value), { value, fixed })
  }
  return { usual, ...readTerms(file, terms, line) }
}

function dimensionOf(
  file: string,
  line: number,
  decides: readonly string[],
  values: ValueNames,
  value: string,
): string {
  const dimension = decides.find((name) => values.get(name)!.has(value))
  if (dimension === undefined) throw fault(file, line, `${value} is not a value of ${decides.join(', ')}`)
  return dimension
}

function parts(list: string): string[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** The text before and after the first mark. Undefined if there is no mark. */
function split(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark)
  return at === -1 ? [text.trim()] : [text.slice(0, at).trim(), text.slice(at + mark.length).trim()]
}
