/**
 * What commands print. Standard output gets tables and sentences for people, or one JSON document with `--json`.
 * Standard error gets errors, questions and progress. Text for people has its control characters escaped, because
 * names in the database may contain some. JSON is printed unchanged.
 */
import { clearLine, cursorTo } from 'node:readline'
import { createInterface } from 'node:readline/promises'
import { printable } from '../../core/input.ts'

/** Where a command writes to. */
export type Output = {
  /** Prints a line on standard output. */
  line(text: string): void
  /** Prints a line on standard error. */
  error(text: string): void
  /** Asks a question and returns the answer, '' for none. Absent without a terminal. */
  readonly ask?: (question: string) => Promise<string>
  /** Where progress is drawn. Absent without a terminal. */
  readonly progress?: NodeJS.WritableStream
}

/** The output of this process. */
export const processOutput: Output = {
  line: (text) => process.stdout.write(`${text}\n`),
  error: (text) => process.stderr.write(`${text}\n`),
  ...(process.stdin.isTTY && process.stderr.isTTY && { ask: askAtTerminal }),
  ...(process.stderr.isTTY && { progress: process.stderr }),
}

/**
 * Lets a command finish its work if the reader of its output has ended, such as `head -1`: the rest of the output is
 * dropped. Other errors of the stream, such as a full disk, still end the process.
 */
export function ignoreClosedPipe(stream: NodeJS.WritableStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

/** Resolves when everything that was written to the stream has reached its reader, or cannot reach it any more. */
export function allWritten(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve())
  })
}

async function askAtTerminal(question: string): Promise<string> {
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

/** The same output, with the control characters in errors and questions escaped, except line breaks. */
export function printableOutput(output: Output): Output {
  const escaped = (text: string): string => text.split('\n').map(printable).join('\n')
  const { ask } = output
  return {
    ...output,
    error: (text) => output.error(escaped(text)),
    ...(ask && { ask: (question: string) => ask(escaped(question)) }),
  }
}

/** Prints a result: `result` as JSON with `--json`, otherwise `lines`. */
export function report(
  output: Output,
  json: boolean | undefined,
  result: unknown,
  lines: readonly string[],
): void {
  if (json === true) output.line(JSON.stringify(result))
  else print(output, json, lines)
}

/** Prints lines for people. Prints nothing with `--json`. */
export function print(output: Output, json: boolean | undefined, lines: readonly string[]): void {
  if (json !== true) for (const line of lines) output.line(printable(line))
}

/** What a command prints after a change that services load from the database. */
export const APPLIED_SOON = 'Running services apply the change within seconds.'

/** Aligned columns below a heading. The columns named in `figures` are aligned at the right. */
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

/** The name of a table for people: "countryGroups" is "country groups". */
export function tableLabel(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

/** Prints what a command is about to do, if that may take seconds. Prints nothing without a terminal. */
export function announce({ progress }: Output, json: boolean | undefined, what: string): void {
  if (json !== true) progress?.write(`${printable(what)} …\n`)
}

const BAR_WIDTH = 40

/**
 * Runs `work` and draws a progress bar from the numbers of rows that it reports, once for each percent. The bar is
 * removed at the end. Draws nothing with `--json`.
 */
export async function withProgress<Result>(
  { progress }: Output,
  json: boolean | undefined,
  what: string,
  work: (onProgress: (rowsDone: number, rowsTotal: number) => void) => Promise<Result>,
): Promise<Result> {
  if (progress === undefined || json === true) return work(() => {})
  let drawn = -1
  const redraw = (text: string): void => {
    cursorTo(progress, 0)
    clearLine(progress, 1)
    progress.write(text)
  }
  try {
    return await work((rowsDone, rowsTotal) => {
      const percent = rowsTotal === 0 ? 100 : Math.floor((100 * rowsDone) / rowsTotal)
      if (percent === drawn) return
      drawn = percent
      const bar = '='.repeat(Math.floor((BAR_WIDTH * percent) / 100)).padEnd(BAR_WIDTH, '-')
      redraw(`${what} [${bar}] ${percent}% | ${rowsDone} of ${rowsTotal} rows`)
    })
  } finally {
    if (drawn >= 0) redraw('')
  }
}
