/** Many small requests without a valid key. They must not reach the database beyond a budget. */

import { flood, rawRequest } from '../raw-client.ts'
import { randomKeyId, sources } from '../requests/identities.ts'
import { REST } from '../requests/rest-bodies.ts'
import type { Scenario, Stage } from '../scenario.ts'

const SECONDS = 8
/** Transactions per second of the bystanders, with a margin. */
const BYSTANDER_TRANSACTIONS = 60
/** The number of failed lookups that one address may cause during the run. Known keys may add a few. */
const LOOK_UPS_PER_ADDRESS = 1_000
const KNOWN_KEY_LOOK_UPS = 60

/** Readiness checks on many connections. */
export const readinessFlood: Scenario = {
  name: 'readiness-flood',
  rule: '/readyz queries the database at most twice a second, at any request rate.',
  async attack(stage) {
    const connections = stage.short ? 50 : 2_000
    const count = stage.short ? 500 : 1_000 * SECONDS
    const { transactions, seconds } = await stage.databaseWorkOf(async () => {
      await flood({
        ...{ port: stage.port, connections, count, perSecond: 1_000, goesOn: stage.goesOn },
        request: () => rawRequest('GET /readyz', []),
        // "Not ready" is a valid answer without Retry-After. The bystanders check it.
        onAnswer: ({ status }) => stage.note(`readiness ${status}`, 1),
      })
    })
    stage.note('transactions', transactions)
    const allowed = Math.round(seconds * (BYSTANDER_TRANSACTIONS + 4))
    if (transactions > allowed)
      stage.violate('too much work for the database', `${transactions} transactions, ${allowed} allowed`)
  },
}

/** Keys that do not exist. */
export const unknownKeys: Scenario = {
  name: 'unknown-keys',
  rule: 'Lookups of unknown keys have a budget per address, and malformed ids cause none.',
  async attack(stage) {
    // The short form sends too few requests to exceed the budgets of several addresses.
    const { addresses, from } = stage.short ? { addresses: 1, from: () => undefined } : sources(stage.dice)
    const wellFormed = await lookUpsOf(stage, from, () => randomKeyId(stage.dice, true))
    stage.note('look-ups of well-formed ids', wellFormed)
    const allowed = LOOK_UPS_PER_ADDRESS * addresses + KNOWN_KEY_LOOK_UPS
    if (wellFormed > allowed)
      stage.violate('too many lookups of unknown keys', `${wellFormed}, ${allowed} allowed`)
    const malformed = await lookUpsOf(stage, from, () => randomKeyId(stage.dice, false))
    stage.note('look-ups of malformed ids', malformed)
    if (malformed > KNOWN_KEY_LOOK_UPS)
      stage.violate('lookups of malformed ids', `${malformed}, ${KNOWN_KEY_LOOK_UPS} allowed`)
  },
}

/** Sends a flood with such keys and returns the number of reads of the table of keys. */
async function lookUpsOf(
  stage: Stage,
  from: (connection: number) => string | undefined,
  keyId: () => string,
): Promise<number> {
  const perSecond = 1_500
  const { keyLookUps } = await stage.databaseWorkOf(async () => {
    await flood({
      ...{ port: stage.port, connections: 60, perSecond, from, goesOn: stage.goesOn },
      count: stage.short ? 1_500 : perSecond * SECONDS,
      request: () =>
        rawRequest(`POST ${REST.rates}`, [`X-PP-API: ${keyId()}@${stage.dice.pick(['x', 'canary'])}`], '{}'),
      onAnswer(answer) {
        stage.judge('an unknown key', answer)
        if (![401, 429, 503].includes(answer.status))
          stage.violate('an unknown key is not refused', `status ${answer.status}`)
      },
    })
  })
  return keyLookUps
}
