/** Some of the directed scenarios of `npm run test:outages`. */
import { describe, expect, test } from 'vitest'
import { cloneDatabase } from '../support/database/clone-database.ts'
import { diceOf } from '../support/random/seeded-dice.ts'
import { SCENARIOS } from './outages/scenarios.ts'
import { withStage } from './outages/stage.ts'

const SEED = 1

describe.concurrent('callers get no wrong answer, and nothing is lost or sent in vain', () => {
  test.for(['slots full, process paused', 'result of begin lost', 'lagging lookup', 'answer in hand'])('%s', {
    timeout: 180_000,
  }, async (name) => {
    const scenario = SCENARIOS[name]
    if (scenario === undefined) throw new Error(`there is no scenario "${name}"`)
    const clone = await cloneDatabase()
    try {
      expect(await withStage(clone.source, diceOf(SEED), scenario)).toEqual([])
    } finally {
      await clone.drop()
    }
  })
})
