/**
 * Faults of an import as a command reports them: one line each on standard error, or all in one JSON document.
 * Nothing has been written when they are reported.
 */
import { describeImportFault, type ImportFault } from '../../reference/import/import-fault.ts'
import { CommandFailed, counted, type Output } from './output.ts'

/** Files that cannot be kept, with all that speaks against them. */
export class CardFaults extends Error {
  override readonly name = 'CardFaults'
  readonly faults: readonly ImportFault[]
  readonly warnings: readonly ImportFault[]
  constructor(faults: readonly ImportFault[], warnings: readonly ImportFault[]) {
    super(faultLines(faults).join('\n'))
    this.faults = faults
    this.warnings = warnings
  }
}

/**
 * Runs `work`; faults in it are reported, with what follows from them, and the command is not done. `subject` is what
 * has them.
 */
export async function reportingFaults<Result>(
  output: Output,
  json: boolean | undefined,
  work: () => Promise<Result>,
  consequence = '',
  subject = 'the card has',
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof CardFaults)) throw error
    const { faults, warnings } = error
    if (json === true) output.line(JSON.stringify({ faults, warnings }))
    else {
      for (const line of warningLines(warnings)) output.complaint(line)
      for (const line of faultLines(faults)) output.complaint(line)
      output.complaint(`waybill: ${subject} ${counted(numberOf(faults), 'fault')}${consequence}`)
    }
    throw new CommandFailed()
  }
}

/** Warnings, one line each. */
export function warningLines(warnings: readonly ImportFault[]): string[] {
  return faultLines(warnings).map((line) => `warning: ${line}`)
}

/** One line each, and one for those of a kind that are not listed. */
function faultLines(faults: readonly ImportFault[]): string[] {
  return faults.flatMap((fault) => {
    const { file, more } = fault
    const line = describeImportFault(fault)
    return more === undefined ? line : [line, `${file}: and ${more} more of this kind`]
  })
}

function numberOf(faults: readonly ImportFault[]): number {
  return faults.reduce((sum, { more = 0 }) => sum + 1 + more, 0)
}
