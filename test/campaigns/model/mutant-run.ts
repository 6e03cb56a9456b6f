/** Runs the sequences on statements that were made wrong, until a sequence finds it out. */
import type { DatabaseSource } from '../../../src/store/database/open.ts'
import { openModelDatabase } from './database.ts'
import type { Mutant } from './mutant.ts'
import { runSequences } from './sequences.ts'

/** What became of a mutant. */
export type MutantEnd = {
  readonly name: string
  /** For the table. */
  readonly told: string
  /** True when nothing found it out though something should have, or when it is no mutant any more. */
  readonly fault: boolean
}

/** A mutant that only concurrency, or nothing at all, can show runs so often, to see that this is still so. */
const SEQUENCES_OF_EQUIVALENT = 100

/** Tries one mutant with at most so many sequences. */
export async function runMutant(
  source: DatabaseSource,
  { name, of, changes, oftener, equivalent }: Mutant,
  { sequences, seed }: { readonly sequences: number; readonly seed: number },
): Promise<MutantEnd> {
  const rewrite = rewriting(of, changes)
  let wrongSql: string | undefined
  const real = await openModelDatabase(source, {
    rewrite: rewrite.apply,
    // Classes 22 and 42: not a statement that breaks a rule of ours, but none at all.
    failed: (code) => {
      if (/^(22|42)/.test(code)) wrongSql = code
    },
  })
  const bound = equivalent === undefined ? sequences : Math.min(sequences, SEQUENCES_OF_EQUIVALENT)
  const end = await runSequences(real, { sequences: bound, seed, oftener, shrink: false }).finally(() =>
    real.close(),
  )
  const fault = (told: string): MutantEnd => ({ name, told: `FAULT: ${told}`, fault: true })
  const missing = rewrite.missing()
  if (missing !== undefined) return fault(missing)
  if (wrongSql !== undefined) return fault(`its SQL is refused with ${wrongSql}`)
  if (end.failure !== undefined)
    return equivalent === undefined
      ? { name, told: `killed after ${end.ran} sequences`, fault: false }
      : fault(`killed after ${end.ran}, though listed as equivalent`)
  return equivalent === undefined
    ? fault(`SURVIVED ${end.ran} sequences`)
    : { name, told: `equivalent: ${equivalent}`, fault: false }
}

/** Applies the changes to every statement that contains `of`; both are compared with blanks made one. */
function rewriting(of: string, changes: Mutant['changes']) {
  const known = new Map<string, string>()
  let met = false
  let notFound: string | undefined
  const apply = (text: string): string => {
    const before = known.get(text)
    if (before !== undefined) return before
    let changed = text.replace(/\s+/g, ' ')
    if (changed.includes(of)) {
      met = true
      for (const [from, to] of changes) {
        const parts = from.split('$#').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        const pattern = new RegExp(parts.join('(\\$\\d+)'), 'g')
        if (!pattern.test(changed)) notFound = `the statement has no "${from}" any more`
        changed = changed.replace(pattern, (_match, ...found) => {
          let next = 0
          return to.replace(/\$#/g, () => String(found[next++]))
        })
      }
    }
    known.set(text, changed)
    return changed
  }
  return { apply, missing: () => (met ? notFound : `no statement with "${of}" ran`) }
}
