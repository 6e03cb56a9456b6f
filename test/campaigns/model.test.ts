/** A short run of `npm run test:model`: the stores match their model, and some mutants do not. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'
import { CANCELLING_MUTANTS } from './model/cancelling-mutants.ts'
import { openModelDatabase, prepareModelDatabase } from './model/database.ts'
import { rewriting, runMutant } from './model/mutant-run.ts'
import { RECOVERING_MUTANTS } from './model/recovering-mutants.ts'
import { runSequences } from './model/sequences.ts'

const SEED = 1
const MUTANTS = [...CANCELLING_MUTANTS, ...RECOVERING_MUTANTS]

let clone: ClonedDatabase
beforeAll(async () => {
  clone = await cloneDatabase()
  await prepareModelDatabase(clone.source)
  return () => clone.drop()
})

describe('the stores of shipments, recovery and tracking', () => {
  test('behave like the model in 150 random sequences, and have the texts that mutants change', async () => {
    const statements = new Set<string>()
    const rewrite = (text: string): string => {
      statements.add(text)
      return text
    }
    const real = await openModelDatabase(clone.source, { rewrite, failed: () => {} })
    const end = await runSequences(real, { sequences: 150, seed: SEED, shrink: true })
    await real.close()
    expect(end).toEqual({ ran: 150 })
    const faults = MUTANTS.flatMap(({ name, marker, changes }) => {
      const { apply, missing } = rewriting(marker, changes)
      for (const text of statements) apply(text)
      return missing() === undefined ? [] : [`${name}: ${missing()}`]
    })
    expect(faults).toEqual([])
  })

  test.each([
    'begin: takes over leases that have not expired',
    'begin: ignores a remembered refusal',
    'accept: has no effect after a refusal',
    'refuse: accepts a stale ticket',
    'release: counts a request that was not sent',
    'recordParcel: accepts a stale ticket for a parcel',
    'recordParcel: records no cancelled parcel once the attempt has ended',
    'claimAttempts: claims attempts with a lease of another process',
    'recordCancelledAtCarrier: cancels despite an open attempt',
  ])('would fail with the mutant "%s"', async (name) => {
    const mutant = MUTANTS.find((candidate) => candidate.name === name)
    if (mutant === undefined) throw new Error('there is no such mutant')
    const { result } = await runMutant(clone.source, mutant, { sequences: 150, seed: SEED })
    expect(result).toMatch(/^killed after \d+ sequences$/)
  })
})
