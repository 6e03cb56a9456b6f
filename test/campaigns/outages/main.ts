/**
 * Runs the directed scenarios of outages: `npm run test:outages -- --seed 7 --rounds 3 --only "lagging"`. Each
 * round uses the next seed. The last line is a JSON object; the exit code is 1 if anything is wrong.
 */
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../../src/store/database/open.ts'
import { seedDemo } from '../../../src/store/demo/reset.ts'
import { runStatements, sourceFor } from '../../support/database/test-server.ts'
import { diceOf } from '../../support/random/seeded-dice.ts'
import { withScratchDatabase } from '../scratch-database.ts'
import { SCENARIOS } from './scenarios.ts'
import { withStage } from './stage.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    rounds: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
  },
})
const seed = Number(values.seed)
const scenarios = Object.entries(SCENARIOS).filter(([name]) => name.includes(values.only))

const failed = await withScratchDatabase({ durable: false }, async (template) => {
  const db = openDatabase(template, { statementTimeoutMs: 0 })
  await seedDemo(db).finally(() => db.destroy())
  const queue = Array.from({ length: Number(values.rounds) }, (_unused, round) =>
    scenarios.map(([name, scenario]) => ({ name, scenario, seed: seed + round })),
  ).flat()
  let failures = 0
  let made = 0
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      made += 1
      const copy = `waybill_outage_${process.pid}_${made}`
      const maintenance = sourceFor(template, 'postgres')
      const original = typeof template === 'string' ? new URL(template).pathname.slice(1) : template.database
      await runStatements(maintenance, `create database "${copy}" template "${original}"`)
      const startedAt = performance.now()
      const { name, scenario } = next
      const found = await withStage(sourceFor(template, copy), diceOf(next.seed), scenario).catch(
        (error: Error) => [`it failed: ${error.message}`],
      )
      await runStatements(maintenance, `drop database "${copy}" with (force)`)
      if (found.length > 0) failures += 1
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
      console.log(`${found.length === 0 ? 'passed' : 'FAILED'} ${name}, seed ${next.seed}, ${seconds} s`)
      for (const what of found) console.log(`    ${what}`)
    }
  }
  await Promise.all(Array.from({ length: Number(values['at-once']) }, work))
  return failures
})
console.log(JSON.stringify({ seed, runs: scenarios.length * Number(values.rounds), failed }))
process.exitCode = failed === 0 ? 0 : 1
