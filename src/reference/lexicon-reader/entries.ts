/** Reads the entries of a lexicon file: one line per HS subheading, "code | label | term, term". */
import type { LexiconEntry } from '../../core/customs/classification/lexicon.ts'
import { fault, readLines } from './lines.ts'
import { readTerms } from './terms.ts'

/** The entries of one file; a code that is not among the `known` ones is refused. Throws `<file>, line <n>: <what is wrong>` on a malformed line. */
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
    if (known?.has(code) === false) throw fault(file, line.line, `${code} is no code of HS 2022`)
    if (label === '') throw fault(file, line.line, `${code} has no label`)
    return { code, label, ...readTerms(file, list, line) }
  })
}
