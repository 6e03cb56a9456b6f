/** Faulty requests whose error messages are slow to shorten, and headers that are slow to match. */
import { faultyBody, unknownFields } from '../requests/faulty-bodies.ts'
import { REST } from '../requests/rest-bodies.ts'
import type { Scenario, Stage } from '../scenario.ts'

const TIMEOUT_MS = 20_000
const HEADER_LENGTH = 15_000

/** Error messages that repeat the caller's text. */
export const errorMasking: Scenario = {
  name: 'error-masking',
  rule: 'Shortening an error message and reading a header take linear time.',
  async attack(stage) {
    const key = stage.newKey()
    // The request of the original report first: 55 unknown fields and 26,000 characters.
    const reported = unknownFields(55, stage.short ? 2_000 : 26_000)(stage.dice)
    await stage.send({ ...reported, path: '/graphql', key, timeoutMs: TIMEOUT_MS })
    for (let n = 0; n < (stage.short ? 6 : 40) && stage.goesOn(); n++) {
      const { label, body } = faultyBody(stage.dice, stage.short ? 8_000 : 60_000)
      await stage.send({ label, path: '/graphql', key, body, timeoutMs: TIMEOUT_MS })
    }
    for (let n = 0; n < (stage.short ? 2 : 30) && stage.goesOn(); n++) await longHeader(stage, key)
    for (const line of stage.errorLines())
      stage.violate('an error line in the log for a fault of the caller', line)
  },
}

async function longHeader(stage: Stage, key: string): Promise<void> {
  const { dice } = stage
  const filler = dice.pick([' ', '\t', ' \t', '" ', ' ;', ';charset=', ' "'])
  const long = filler.repeat(HEADER_LENGTH / filler.length)
  const type = dice.pick([
    `application/json; charset=a${long}b`,
    `application/json;${long}charset=utf-8`,
    `application/json; charset="${long}`,
    `application/json${long};x`,
  ])
  const header = dice.chance(0.8) ? { 'content-type': type } : { accept: `application/json;q=0${long}x` }
  const path = dice.pick([REST.rates, REST.estimate, '/graphql'])
  await stage.send({
    label: `a header of ${HEADER_LENGTH} characters`,
    path,
    key,
    headers: header,
    body: '{}',
  })
}
