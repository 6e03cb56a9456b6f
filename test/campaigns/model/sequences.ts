/** Random sequences of commands, run on a database and its model until they differ. */
import fc from 'fast-check'
import { type Beginning, beginnings, newModel } from './beginnings.ts'
import { CANCEL_COMMANDS } from './cancel-commands.ts'
import type { Commands } from './command.ts'
import type { Real } from './database.ts'
import { RECOVERY_COMMANDS } from './recovery-commands.ts'
import type { Model } from './state.ts'

/** How many sequences ran, and the first that came to something else than the model, made as short as possible. */
export type SequencesEnd = { readonly ran: number; readonly failure?: string }

/** What to run. */
export type SequencesTerms = {
  readonly sequences: number
  readonly seed: number
  /** False: the first failure is enough, as for a mutant. */
  readonly shrink: boolean
  /** Kinds of commands that are to be chosen more often than usual. */
  readonly oftener?: readonly string[]
  /** Told before each sequence. */
  readonly onSequence?: (ran: number) => void
}

const KINDS: Readonly<Record<string, Commands>> = { ...CANCEL_COMMANDS, ...RECOVERY_COMMANDS }

const LONGEST = 25
/** A kind that is to be chosen oftener is there so many times more. */
const OFTENER = 10
/** Making a failure shorter ends after so long. */
const SHRINK_LIMIT_MS = 60_000

/** Runs them one after the other. */
export async function runSequences(
  real: Real,
  { sequences, seed, shrink, oftener = [], onSequence }: SequencesTerms,
): Promise<SequencesEnd> {
  let ran = 0
  let failedAt: number | undefined
  const one = async (
    beginning: Beginning,
    commands: Iterable<fc.AsyncCommand<Model, Real>>,
  ): Promise<void> => {
    // What runs behind the first failure is a shorter form of it.
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
  const commands = fc.commands(chosenFrom(oftener), { maxCommands: LONGEST, size: 'max' })
  const details = await fc.check(fc.asyncProperty(beginnings, commands, one), {
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

function chosenFrom(oftener: readonly string[]): fc.Arbitrary<fc.AsyncCommand<Model, Real>>[] {
  const more = oftener.flatMap((name) => {
    const [first] = KINDS[name] ?? []
    if (first === undefined) throw new Error(`there are no commands "${name}"`)
    return Array.from({ length: OFTENER }, () => first)
  })
  return [...Object.values(KINDS).flat(), ...more]
}
