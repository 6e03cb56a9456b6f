/** The lines of a lexicon file: comments and empty lines dropped, indented lines joined to the one they carry on. */

/** A line at the margin with what carries it on. */
export type LexiconLine = {
  readonly line: number
  readonly content: string
  /** The indented lines below it. */
  readonly continued: readonly { readonly line: number; readonly content: string }[]
}

/** Says where in which file something is wrong. */
export function fault(file: string, line: number, what: string): Error {
  return new Error(`${file}, line ${line}: ${what}`)
}

/** Reads a file; an indented line without one above it is refused. */
export function readLines(file: string, text: string): readonly LexiconLine[] {
  const lines: { line: number; content: string; continued: { line: number; content: string }[] }[] = []
  text.split('\n').forEach((raw, index) => {
    const content = raw.trim()
    if (content === '' || content.startsWith('#')) return
    const line = index + 1
    if (!/^\s/.test(raw)) {
      lines.push({ line, content, continued: [] })
      return
    }
    const open = lines.at(-1)
    if (open === undefined)
      throw fault(file, line, 'an indented line needs a line above it that it carries on')
    if (content.includes('|'))
      throw fault(file, line, 'an indented line holds terms only; a code starts at the margin')
    open.continued.push({ line, content })
  })
  return lines
}
