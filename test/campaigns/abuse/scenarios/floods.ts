/** Many small requests without a valid key: they must not reach the database beyond a budget. */

import { flood, rawRequest } from '../raw-client.ts'
import { randomKeyId, sources } from '../requests/identities.ts'
import { REST } from '../requests/rest-bodies.ts'
import type { Scenario, Stage } from '../scenario.ts'

const SECONDS = 8
/** The bystanders' own transactions per second, with room to spare. */
const BYSTANDER_TRANSACTIONS = 60
/** Failed look-ups that one address may cause within the run, beside a handful of known keys. */
const LOOK_UPS_PER_ADDRESS = 1_000
const KNOWN_KEY_LOOK_UPS = 60

/** Readiness, asked for on many connections. */
export const readinessFlood: Scenario = {
  name: 'readiness-flood',
  rule: '/readyz asks the database at most twice a second, however often it is asked.',
  async attack(stage) {
    const connections = stage.short ? 50 : 2_000
    const count = stage.short ? 500 : 1_000 * SECONDS
    const { transactions, seconds } = await stage.databaseWorkOf(async () => {
      await flood({
        ...{ port: stage.port, connections, count, perSecond: 1_000, goesOn: stage.goesOn },
        request: () => rawRequest('GET /readyz', []),
        // "Not ready" is an answer of its own, without Retry-After; the bystanders judge it.
        onAnswer: ({ status }) => stage.note(`readiness ${status}`, 1),
      })
    })
    stage.note('transactions', transactions)
    const allowed = Math.round(seconds * (BYSTANDER_TRANSACTIONS + 4))
    if (transactions > allowed)
      stage.violate('too much work for the database', `${transactions} transactions, ${allowed} allowed`)
  },
}

/** Keys that no one has. */
export const unknownKeys: Scenario = {
  name: 'unknown-keys',
  rule: 'Look-ups of unknown keys have a budget per address, and ids that cannot exist cause none.',
  async attack(stage) {
    // The short form sends too few to exceed the budgets of several addresses.
    const { addresses, from } = stage.short ? { addresses: 1, from: () => undefined } : sources(stage.dice)
    const wellFormed = await lookUpsOf(stage, from, () => randomKeyId(stage.dice, true))
    stage.note('look-ups of well-formed ids', wellFormed)
    const allowed = LOOK_UPS_PER_ADDRESS * addresses + KNOWN_KEY_LOOK_UPS
    if (wellFormed > allowed)
      stage.violate('too many look-ups of unknown keys', `${wellFormed}, ${allowed} allowed`)
    const malformed = await lookUpsOf(stage, from, () => randomKeyId(stage.dice, false))
    stage.note('look-ups of malformed ids', malformed)
    if (malformed > KNOWN_KEY_LOOK_UPS)
      stage.violate('look-ups of ids that cannot exist', `${malformed}, ${KNOWN_KEY_LOOK_UPS} allowed`)
  },
}

/** Floods with keys and answers how often the table of keys was read. */
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
