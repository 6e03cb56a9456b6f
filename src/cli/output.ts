/**
 * How a command talks: a table or sentences for people, one JSON document with `--json` for programs. Errors
 * go to standard error. Exit codes: 0 done, 1 not done, 2 the command line makes no sense. What is printed for people has
 * control characters written out, for names may have been kept before they were refused; JSON stays as it is.
 */
import { printable } from '../core/plain-text.ts'
import { askAtTerminal } from './terminal.ts'

/** Where a command writes to, and whom it may ask. */
export type Output = {
  /** One line to standard output. */
  line(text: string): void
  /** One line to standard error. */
  complaint(text: string): void
  /** Asks a question and gives what was answered, '' for nothing; absent where nobody sits at a terminal. */
  readonly ask?: (question: string) => Promise<string>
  /** Where progress is drawn; absent where nobody watches. */
  readonly progress?: NodeJS.WritableStream
}

/** A command that cannot be carried out, for a reason the operator can act on: exit code 1, no stack. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** Does what may fail for a reason the operator can act on, such as reading a file; a failure becomes a Refusal. */
export function orRefusal<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw new Refusal(error instanceof Error ? error.message : String(error))
  }
}

/** A command line whose words do not go together: exit code 2. */
export class Misuse extends Error {
  override readonly name = 'Misuse'
}

/** A command that was not carried out and has said why: exit code 1, and nothing more to say. */
export class NotDone extends Error {
  override readonly name = 'NotDone'
}

/** The process's own output. Questions and progress go to standard error, so that output can go elsewhere. */
export const processOutput: Output = {
  line: (text) => process.stdout.write(`${text}\n`),
  complaint: (text) => process.stderr.write(`${text}\n`),
  ...(process.stdin.isTTY && process.stderr.isTTY && { ask: askAtTerminal }),
  ...(process.stderr.isTTY && { progress: process.stderr }),
}

/** The same output whose complaints and questions have control characters written out, except line breaks. */
export function printableOutput(output: Output): Output {
  const inLines = (text: string): string => text.split('\n').map(printable).join('\n')
  const { ask } = output
  return {
    ...output,
    complaint: (text) => output.complaint(inLines(text)),
    ...(ask && { ask: (question: string) => ask(inLines(question)) }),
  }
}

/** Prints a result: as JSON when asked for, otherwise the given lines. */
export function report(
  output: Output,
  json: boolean | undefined,
  result: unknown,
  lines: readonly string[],
): void {
  if (json === true) output.line(JSON.stringify(result))
  else for (const line of lines) output.line(printable(line))
}

/** Prints lines for people; with JSON asked for they stay unsaid, since there is to be one document only. */
export function say(output: Output, json: boolean | undefined, lines: readonly string[]): void {
  if (json !== true) for (const line of lines) output.line(printable(line))
}

/**
 * Rows as aligned columns under a heading; the heading alone says that there are none. Columns named in `figures`
 * are aligned at their right.
 */
export function table(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  figures: readonly string[] = [],
): string[] {
  const shown = rows.map((row) => row.map(printable))
  const widths = heading.map((name, column) =>
    shown.reduce((width, row) => Math.max(width, (row[column] ?? '').length), name.length),
  )
  const isFigure = heading.map((name) => figures.includes(name))
  return [heading, ...shown].map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return isFigure[column] === true ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd(),
  )
}

/** "1 price", "888 prices". */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}
