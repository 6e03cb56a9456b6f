/**
 * How a command talks: a table or sentences for people, one JSON document with `--json` for programs. Errors
 * go to standard error. Exit codes: 0 done, 1 not done, 2 the command line makes no sense.
 */

/** Where a command writes to. */
export type Output = {
  /** One line to standard output. */
  line(text: string): void
  /** One line to standard error. */
  complaint(text: string): void
}

/** A command that cannot be carried out, for a reason the operator can act on: exit code 1, no stack. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** The process's own output. */
export const processOutput: Output = {
  line: (text) => process.stdout.write(`${text}\n`),
  complaint: (text) => process.stderr.write(`${text}\n`),
}

/** Prints a result: as JSON when asked for, otherwise the given lines. */
export function report(
  output: Output,
  json: boolean | undefined,
  result: unknown,
  lines: readonly string[],
): void {
  if (json === true) output.line(JSON.stringify(result))
  else for (const line of lines) output.line(line)
}

/** Rows as aligned columns under a heading; the heading alone says that there are none. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [heading, ...rows]
  const widths = heading.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
