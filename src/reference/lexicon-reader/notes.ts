/** Reads legal notes, and the goods that give sets their character. See docs/lexicon.md#legal-notes. */
import { isPhrase } from '../../core/classification/legal-notes.ts'
import type { NoteRule, SetRule } from '../../core/classification/lexicon.ts'
import { fault, type LexiconLine, readLines, readPrefixes } from './terms.ts'

/**
 * Reads the notes of one file. Throws `<file>, line <n>: <fault>` on a malformed line, a note that is declared twice or
 * has no summary or source, or codes of which none is in `known`.
 */
export function parseNotes(file: string, text: string, known?: ReadonlySet<string>): readonly NoteRule[] {
  const notes: { readonly rule: NoteRule; readonly fields: Map<string, LexiconLine> }[] = []
  for (const line of readLines(file, text)) {
    const [, keyword = '', rest = ''] = /^(\w+) (.*)$/.exec(line.content) ?? []
    const open = notes.at(-1)
    if (keyword === 'note') {
      const rule = readTitle(file, line, rest)
      if (notes.some(({ rule: { id } }) => id === rule.id))
        throw fault(file, line.line, `the note ${rule.id} is declared twice`)
      notes.push({ rule, fields: new Map([['note', line]]) })
    } else if (open === undefined || !FIELDS.includes(keyword) || open.fields.has(keyword))
      throw fault(
        file,
        line.line,
        `expected "note <id> | <citation>", and below it each of ${LISTED} at most once`,
      )
    else open.fields.set(keyword, line)
  }
  return notes.map(({ rule, fields }) => closeNote(file, rule, fields, known))
}

const FIELDS = ['says', 'source', 'codes', 'words', 'unless']
const LISTED = FIELDS.join(', ')

function readTitle(file: string, { line }: LexiconLine, rest: string): NoteRule {
  const [id = '', citation = '', ...more] = rest.split('|').map((part) => part.trim())
  if (!/^[a-z\d-]+$/.test(id) || citation === '' || more.length > 0)
    throw fault(file, line, 'expected "note <id> | <citation>"; an id has small letters, digits and hyphens')
  return { id, citation, summary: '', codes: [], words: [], unless: [] }
}

function closeNote(
  file: string,
  rule: NoteRule,
  fields: ReadonlyMap<string, LexiconLine>,
  known: ReadonlySet<string> | undefined,
): NoteRule {
  const { line } = fields.get('note')!
  const textOf = (field: string): string => {
    const found = fields.get(field)
    if (found === undefined) return ''
    const parts = [found.content.slice(field.length), ...found.continued.map(({ content }) => content)]
    return parts.map((part) => part.trim()).join(' ')
  }
  const phrasesOf = (field: string): readonly string[] => {
    if (!fields.has(field)) return []
    const phrases = textOf(field).split(',')
    const empty = phrases.find((phrase) => !isPhrase(phrase))
    if (empty !== undefined)
      throw fault(
        file,
        line,
        `the note ${rule.id}: ${JSON.stringify(empty.trim())} in "${field}" has no word`,
      )
    return phrases.map((phrase) => phrase.trim())
  }
  for (const field of ['says', 'source'])
    if (textOf(field) === '') throw fault(file, line, `the note ${rule.id} has no line "${field}"`)
  const codes = fields.get('codes')
  return {
    ...rule,
    summary: textOf('says'),
    codes: codes === undefined ? [] : readPrefixes(file, codes, textOf('codes'), known),
    words: phrasesOf('words'),
    unless: phrasesOf('unless'),
  }
}

/** Reads sets, one per line: "essential codes | other codes | note". Throws if a note is not in `notes`. */
export function parseSets(
  file: string,
  text: string,
  notes: readonly NoteRule[],
  known?: ReadonlySet<string>,
): readonly SetRule[] {
  return readLines(file, text).map((line) => {
    const [essential = '', others = '', note = '', ...more] = line.content
      .split('|')
      .map((part) => part.trim())
    if (essential === '' || others === '' || note === '' || more.length > 0)
      throw fault(file, line.line, 'expected "code, code | code, code | note"')
    const named = notes.find(({ id }) => id === note)
    if (named === undefined) throw fault(file, line.line, `${note} is not a note`)
    if (named.words.length === 0) throw fault(file, line.line, `the note ${note} has no words for a set`)
    return {
      essential: readPrefixes(file, line, essential, known),
      others: readPrefixes(file, line, others, known),
      note,
    }
  })
}
