/**
 * `npm run test:model`: runs random sequences of all commands of the shipment, recovery and tracking stores
 * on a real PostgreSQL with a simulated clock, and compares database and model after each command. Then
 * repeats this with mutants (statements with a missing or weaker clause), each of which must fail. The last
 * line is a JSON object.
 */
import { parseArgs } from 'node:util'
import { withScratchDatabase } from '../scratch-database.ts'
import { CANCELLING_MUTANTS } from './cancelling-mutants.ts'
import { openModelDatabase, prepareModelDatabase } from './database.ts'
import { type MutantEnd, runMutant } from './mutant-run.ts'
import { RECOVERING_MUTANTS } from './recovering-mutants.ts'
import { runSequences } from './sequences.ts'

const MUTANTS = [...CANCELLING_MUTANTS, ...RECOVERING_MUTANTS]

const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '10000' },
    'mutant-sequences': { type: 'string', default: '12000' },
    mutants: { type: 'string', default: '' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const seed = Number(values.seed)
const sequenceCount = Number(values.sequences)
const mutantSequences = Number(values['mutant-sequences'])

console.log(`${sequenceCount} sequences and ${MUTANTS.length} mutants from seed ${seed}`)
const totals = await withScratchDatabase({ durable: false }, async (source) => {
  await prepareModelDatabase(source)
  const real = await openModelDatabase(source)
  const started = performance.now()
  const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`
  const end = await runSequences(real, {
    sequences: sequenceCount,
    seed,
    shrink: true,
    onSequence: (ran) => ran % 1_000 === 0 && console.log(`${ran} sequences after ${seconds()}`),
  })
  await real.close()
  if (end.failure !== undefined) console.log(`sequence ${end.ran} differs:\n${end.failure}`)
  console.log(`${end.ran} sequences, ${end.failure === undefined ? 0 : 1} mismatches, ${seconds()}\n`)

  const ends: MutantEnd[] = []
  // If the model disagrees with the correct statements, mutants prove nothing.
  if (end.failure === undefined)
    for (const mutant of MUTANTS.filter(({ name }) => name.includes(values.mutants))) {
      const tried = await runMutant(source, mutant, { sequences: mutantSequences, seed })
      ends.push(tried)
      console.log(`${mutant.name.padEnd(88)} ${tried.result}`)
    }
  console.log(`mutants done after ${seconds()}`)
  const faults = ends.filter(({ fault }) => fault)
  return {
    sequences: end.ran,
    mismatches: end.failure === undefined ? 0 : 1,
    mutants: ends.length,
    equivalent: ends.filter(({ result }) => result.startsWith('equivalent')).length,
    survivors: faults.map(({ name }) => name),
    seed,
  }
})
console.log(JSON.stringify(totals))
if (totals.mismatches > 0 || totals.survivors.length > 0) process.exitCode = 1
