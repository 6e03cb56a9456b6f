/** Small GraphQL documents with enormous answers, one at a time and four at once. */
import { WIDE } from '../requests/graphql-bodies.ts'
import { inParallel, type Scenario, type Stage } from '../scenario.ts'

const TIMEOUT_MS = 20_000
const AT_ONCE = 4
const ROUNDS = 3

/** Each way of multiplying, one at a time. */
export const unboundedResponses: Scenario = {
  name: 'unbounded-responses',
  rule: 'No document causes a response above 8 MB, high memory use, or seconds of uninterrupted work.',
  async attack(stage) {
    for (const maker of stage.short ? WIDE.slice(0, 4) : WIDE) {
      if (!stage.goesOn()) return
      await ask(stage, WIDE.indexOf(maker), stage.newKey())
    }
  },
}

/** The same, four at once with one key. */
export const unboundedResponsesAtOnce: Scenario = {
  name: 'unbounded-responses-at-once',
  rule: 'The same holds when one key sends four of them at once.',
  async attack(stage) {
    for (let round = 0; round < ROUNDS; round++) {
      const key = stage.newKey()
      // The request of the original report comes first.
      const choices = Array.from({ length: AT_ONCE }, () =>
        round === 0 ? 0 : stage.dice.int(0, WIDE.length - 1),
      )
      await inParallel(stage, { times: AT_ONCE, atOnce: AT_ONCE }, (n) => ask(stage, choices[n] ?? 0, key))
    }
  },
}

async function ask(stage: Stage, which: number, key: string): Promise<void> {
  const made = WIDE[which]?.(stage.dice)
  if (made === undefined) return
  const { label, body } = made
  await stage.send({ label, path: '/graphql', key, body, timeoutMs: TIMEOUT_MS })
}
