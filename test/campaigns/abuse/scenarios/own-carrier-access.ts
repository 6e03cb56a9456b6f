/** An account whose own credentials fail at a carrier, next to accounts that share the carrier's credentials. */
import { setTimeout as pause } from 'node:timers/promises'
import { inParallel, type Scenario, type Stage, sendUntilServed } from '../scenario.ts'

const ROUNDS = 3
const FAILING_CANCELS = 24
const OTHER_CANCELS = 6

/** `acme` has its own credentials for rondeel, and a carrier that refuses them. */
export const ownCarrierAccess: Scenario = {
  name: 'own-carrier-access',
  rule: "A carrier that refuses one account's credentials is still called for other accounts.",
  async attack(stage) {
    const { acmeBooked, bravoBooked } = stage.population
    const mine = [...acmeBooked]
    const others = [...bravoBooked]
    const key = stage.newKey()
    for (const failure of ['quota', 'outage', 'silence'].slice(0, stage.short ? 1 : ROUNDS)) {
      stage.carrier.failWith(failure as 'quota' | 'outage' | 'silence')
      const failing = inParallel(stage, { times: FAILING_CANCELS, atOnce: FAILING_CANCELS }, async () => {
        const id = mine.shift()
        await stage.send({ label: `a cancel of acme (${failure})`, path: cancelPath(id), key })
      })
      // Time to notice the failures; a silent carrier times out after 8 s.
      await pause(failure === 'silence' ? 9_000 : 500)
      for (let n = 0; n < OTHER_CANCELS && stage.goesOn(); n++)
        await cancelOfOther(stage, others.shift(), failure)
      await failing
    }
  },
}

async function cancelOfOther(stage: Stage, id: string | undefined, failure: string): Promise<void> {
  const [key = ''] = stage.bravo.keys
  const { status } = await sendUntilServed(stage, { label: 'a cancel of bravo', path: cancelPath(id), key })
  if (status !== 200)
    stage.violate(
      "another account's cancellation fails",
      `status ${status} while the carrier answers acme with ${failure}`,
    )
}

function cancelPath(id: string | undefined): string {
  return `/partners-api/v1/shipments/${id}/cancel`
}
