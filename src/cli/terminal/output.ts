/**
 * How a command talks: a table or sentences for people, one JSON document with `--json` for programs. Errors
 * go to standard error. Exit codes: 0 done, 1 not done, 2 the command line makes no sense. What is printed for people has
 * control characters written out, for names may have been kept before they were refused; JSON stays as it is.
 */

import { createInterface } from 'node:readline/promises'
import { SingleBar } from 'cli-progress'
import { printable } from '../../core/input.ts'

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
export class UsageError extends Error {
  override readonly name = 'Misuse'
}

/** A command that was not carried out and has said why: exit code 1, and nothing more to say. */
export class CommandFailed extends Error {
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

// Asking a person at a terminal. An input that ends, or is broken off, is an empty answer.

/** Asks on standard error and gives the line that was typed. */
export async function askAtTerminal(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await new Promise<string>((resolve) => {
      // The promise of `question` never settles when the input ends.
      terminal.once('close', () => resolve(''))
      terminal.question(question).then(resolve, () => resolve(''))
    })
  } finally {
    terminal.close()
  }
}

// The question before a change of what is sold. Decided here: `--yes` answers it; where nobody can be asked (no
// terminal, or `--json`) and nothing answers it, the command is refused before it does anything.

/** What the command line says of questions. */
export type Consent = { readonly yes?: boolean; readonly json?: boolean }

/** Throws Misuse (exit code 2) when a question could not be answered. */
export function refuseUnasked(output: Output, { yes, json }: Consent): void {
  if (yes === true) return
  if (json === true)
    throw new UsageError('with --json nobody is asked: add --yes to go on without a question')
  if (output.ask === undefined)
    throw new UsageError('there is no terminal to ask at: add --yes to go on without a question')
}

/** Asks `question`, unless it is answered already. Anything but y or yes is a no. */
export async function confirm(output: Output, consent: Consent, question: string): Promise<boolean> {
  refuseUnasked(output, consent)
  if (consent.yes === true) return true
  const answer = (await output.ask?.(`${question} [y/N] `)) ?? ''
  return /^\s*y(es)?\s*$/i.test(answer)
}

// How far a long command is, for those who watch: at a terminal only, on standard error, never with JSON.

const BAR = {
  format: '{what} [{bar}] {percentage}% | {value} of {total} rows | {duration_formatted}',
  hideCursor: true,
  clearOnComplete: true,
}

/** Says what is being done, where that may take seconds. */
export function announce({ progress }: Output, json: boolean | undefined, what: string): void {
  if (json !== true) progress?.write(`${printable(what)} …\n`)
}

/** Runs `work` with something to tell of its rows; a bar shows it and goes when the work ends, however it ends. */
export async function withProgress<Result>(
  { progress }: Output,
  json: boolean | undefined,
  what: string,
  work: (onProgress: (rowsDone: number, rowsTotal: number) => void) => Promise<Result>,
): Promise<Result> {
  if (progress === undefined || json === true) return work(() => {})
  const bar = new SingleBar({ ...BAR, stream: progress })
  try {
    return await work((rowsDone, rowsTotal) => {
      if (!bar.isActive) bar.start(rowsTotal, rowsDone, { what })
      else bar.update(rowsDone)
    })
  } finally {
    bar.stop()
  }
}
