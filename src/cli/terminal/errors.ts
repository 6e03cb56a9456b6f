/**
 * The ways a command fails, and how it reports the faults of an import file. `runCommand` turns these errors into
 * messages and exit codes: 1 when a command was not carried out, 2 when its arguments are invalid. Any other error is
 * a bug and is printed with its stack.
 */
import { describeImportFault, type ImportFault } from '../../reference/import/import-fault.ts'
import { counted, type Output } from './output.ts'

/** A command that cannot be carried out, for a reason that the operator can resolve: exit code 1, no stack. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** Invalid arguments: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A command that failed and has printed the reason already: exit code 1. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}

/** Turns any error of `work` into a Refusal. Use it only if an error is not a bug, for example when reading a file. */
export function refuseOnError<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw new Refusal(error instanceof Error ? error.message : String(error))
  }
}

/** Files that cannot be imported, with all their faults. */
export class ImportFaults extends Error {
  override readonly name = 'ImportFaults'
  readonly faults: readonly ImportFault[]
  readonly warnings: readonly ImportFault[]
  constructor(faults: readonly ImportFault[], warnings: readonly ImportFault[]) {
    super(faultLines(faults).join('\n'))
    this.faults = faults
    this.warnings = warnings
  }
}

/**
 * Runs `work`. If it throws ImportFaults, prints them and throws CommandFailed: one line per fault on standard error,
 * or one JSON document. The last line is `subject`, the number of faults and `consequence`, for example
 * "the card has 2 faults; nothing was written".
 */
export async function reportFaults<Result>(
  output: Output,
  json: boolean | undefined,
  work: () => Promise<Result>,
  consequence = '',
  subject = 'the card has',
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ImportFaults)) throw error
    const { faults, warnings } = error
    if (json === true) output.line(JSON.stringify({ faults, warnings }))
    else {
      for (const line of [...warningLines(warnings), ...faultLines(faults)]) output.error(line)
      const total = faults.reduce((sum, { more = 0 }) => sum + 1 + more, 0)
      output.error(`waybill: ${subject} ${counted(total, 'fault')}${consequence}`)
    }
    throw new CommandFailed()
  }
}

/** One line per warning. */
export function warningLines(warnings: readonly ImportFault[]): string[] {
  return faultLines(warnings).map((line) => `warning: ${line}`)
}

function faultLines(faults: readonly ImportFault[]): string[] {
  return faults.flatMap((fault) => {
    const { file, more } = fault
    const line = describeImportFault(fault)
    return more === undefined ? line : [line, `${file}: and ${more} more of this kind`]
  })
}
