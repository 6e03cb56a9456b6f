/** A client at the partner's address guesses secrets of the partner's keys. */

import { flood, rawRequest } from '../raw-client.ts'
import { wrongSecret } from '../requests/identities.ts'
import { REST, restRates } from '../requests/rest-bodies.ts'
import { inParallel, type Scenario, sendUntilServed } from '../scenario.ts'

const GUESSES_PER_KEY = 200
const RIGHT_ONES = 5

/** The bystanders use the same keys, so they notice a lockout. */
export const lockOut: Scenario = {
  name: 'lock-out',
  rule: 'Wrong secrets do not keep the right one out.',
  async attack(stage) {
    const { keys } = stage.bravo
    await flood({
      ...{ port: stage.port, connections: 10, goesOn: stage.goesOn },
      perSecond: stage.short ? 1_000 : 100,
      count: GUESSES_PER_KEY * keys.length,
      request: (n) => {
        const guess = wrongSecret(stage.dice, keys[n % keys.length] ?? '')
        return rawRequest(
          `POST ${REST.rates}`,
          [`X-PP-API: ${guess}`, 'Content-Type: application/json'],
          '{}',
        )
      },
      onAnswer(answer) {
        stage.judge('a wrong secret', answer)
        if (answer.status === 200 || answer.status === 400) stage.violate('a wrong secret passes')
      },
    })
    await inParallel(stage, { times: RIGHT_ONES * keys.length, atOnce: 1 }, async (n) => {
      const key = keys[n % keys.length] ?? ''
      const body = restRates(stage.dice, 1)
      const { status } = await sendUntilServed(stage, {
        ...{ label: 'the right secret', path: REST.rates, key, body },
      })
      if (status !== 200) stage.violate('the right secret is locked out', `status ${status}`)
    })
  },
}
