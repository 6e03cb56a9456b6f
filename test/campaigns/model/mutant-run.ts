/** Runs sequences on a mutated statement until one reveals it. */

import type { TestSource } from '../../support/database/test-server.ts'
import { openModelDatabase } from './database.ts'
import type { Mutant } from './mutant.ts'
import { runSequences } from './sequences.ts'

export type MutantEnd = {
  readonly name: string
  /** For the printed table. */
  readonly result: string
  /** True if a mutant survived that should not, or its text is gone. */
  readonly fault: boolean
}

/** Equivalent mutants run this often, to check that they still survive. */
const SEQUENCES_OF_EQUIVALENT = 100

/** Runs at most `sequences` sequences. */
export async function runMutant(
  source: TestSource,
  { name, marker, changes, preferred, equivalent }: Mutant,
  { sequences, seed }: { readonly sequences: number; readonly seed: number },
): Promise<MutantEnd> {
  const rewrite = rewriting(marker, changes)
  let wrongSql: string | undefined
  const real = await openModelDatabase(source, {
    rewrite: rewrite.apply,
    // Classes 22 and 42: the mutant is not valid SQL.
    failed: (code) => {
      if (/^(22|42)/.test(code)) wrongSql = code
    },
  })
  const limit = equivalent === undefined ? sequences : Math.min(sequences, SEQUENCES_OF_EQUIVALENT)
  const end = await runSequences(real, { sequences: limit, seed, preferred, shrink: false }).finally(() =>
    real.close(),
  )
  const fault = (result: string): MutantEnd => ({ name, result: `FAULT: ${result}`, fault: true })
  const missing = rewrite.missing()
  if (missing !== undefined) return fault(missing)
  if (wrongSql !== undefined) return fault(`its SQL is refused with ${wrongSql}`)
  if (end.failure !== undefined)
    return equivalent === undefined
      ? { name, result: `killed after ${end.ran} sequences`, fault: false }
      : fault(`killed after ${end.ran}, although listed as equivalent`)
  return equivalent === undefined
    ? fault(`SURVIVED ${end.ran} sequences`)
    : { name, result: `equivalent: ${equivalent}`, fault: false }
}

/**
 * `apply` changes every statement that contains `marker`, after collapsing whitespace. `missing` says which text it has
 * not found.
 */
export function rewriting(marker: string, changes: Mutant['changes']) {
  const rewritten = new Map<string, string>()
  let found = false
  let notFound: string | undefined
  const apply = (text: string): string => {
    const before = rewritten.get(text)
    if (before !== undefined) return before
    let changed = text.replace(/\s+/g, ' ')
    if (changed.includes(marker)) {
      found = true
      for (const [from, to] of changes) {
        const parts = from.split('$#').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        const pattern = new RegExp(parts.join('(\\$\\d+)'), 'g')
        if (!pattern.test(changed)) notFound = `the statement does not contain "${from}"`
        changed = changed.replace(pattern, (_match, ...parameters) => {
          let next = 0
          return to.replace(/\$#/g, () => String(parameters[next++]))
        })
      }
    }
    rewritten.set(text, changed)
    return changed
  }
  return { apply, missing: () => (found ? notFound : `no statement with "${marker}" ran`) }
}
