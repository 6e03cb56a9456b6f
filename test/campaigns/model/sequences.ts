/** Runs random sequences of commands on a database and its model until they differ. */
import fc from 'fast-check'
import { type Beginning, beginnings, newModel } from './beginnings.ts'
import { CANCEL_COMMANDS } from './cancel-commands.ts'
import type { Commands } from './command.ts'
import type { Real } from './database.ts'
import { RECOVERY_COMMANDS } from './recovery-commands.ts'
import type { Model } from './state.ts'

/** The number of sequences that ran, and the first failure after shrinking. */
export type SequencesEnd = { readonly ran: number; readonly failure?: string }

export type SequencesTerms = {
  readonly sequences: number
  readonly seed: number
  /** False for mutants, where the first failure is enough. */
  readonly shrink: boolean
  /** Kinds of commands to choose more often. */
  readonly preferred?: readonly string[]
  /** Called before each sequence. */
  readonly onSequence?: (ran: number) => void
}

const KINDS: Readonly<Record<string, Commands>> = { ...CANCEL_COMMANDS, ...RECOVERY_COMMANDS }

const LONGEST = 25
/** Weight of such a kind. */
const PREFERRED_WEIGHT = 10
/** Time limit for shrinking a failure. */
const SHRINK_LIMIT_MS = 60_000

export async function runSequences(
  real: Real,
  { sequences, seed, shrink, preferred = [], onSequence }: SequencesTerms,
): Promise<SequencesEnd> {
  let ran = 0
  let failedAt: number | undefined
  const runOne = async (
    beginning: Beginning,
    commands: Iterable<fc.AsyncCommand<Model, Real>>,
  ): Promise<void> => {
    // Runs after the first failure belong to its shrinking.
    if (failedAt === undefined) {
      ran += 1
      onSequence?.(ran)
    } else if (performance.now() - failedAt > SHRINK_LIMIT_MS) return
    try {
      const model = newModel(beginning)
      await real.begin(model)
      await fc.asyncModelRun(() => ({ model, real }), commands)
    } catch (error) {
      failedAt ??= performance.now()
      throw error
    }
  }
  const commands = fc.commands(chosenFrom(preferred), { maxCommands: LONGEST, size: 'max' })
  const details = await fc.check(fc.asyncProperty(beginnings, commands, runOne), {
    numRuns: sequences,
    seed,
    endOnFailure: !shrink,
  })
  if (!details.failed) return { ran }
  const failure = details.errorInstance
  const why = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)
  const [beginning, run] = details.counterexample ?? []
  return { ran, failure: `${why}\n  beginning ${JSON.stringify(beginning)}\n  commands ${String(run)}` }
}

function chosenFrom(preferred: readonly string[]): fc.Arbitrary<fc.AsyncCommand<Model, Real>>[] {
  const more = preferred.flatMap((name) => {
    const [first] = KINDS[name] ?? []
    if (first === undefined) throw new Error(`unknown commands "${name}"`)
    return Array.from({ length: PREFERRED_WEIGHT }, () => first)
  })
  return [...Object.values(KINDS).flat(), ...more]
}
