/** Clients that send heavy requests and disconnect. The service must stop working for them. */
import { setTimeout as pause } from 'node:timers/promises'
import { HEAVY, manyClassifications } from '../requests/graphql-bodies.ts'
import { REST, restEstimate } from '../requests/rest-bodies.ts'
import { inParallel, type Scenario, type Stage } from '../scenario.ts'

const CLIENTS = 10
/** Long enough to measure the work on a machine that gives the service a third of a core. */
const WATCHED_SECONDS = 15
/** Margin for variation in the bystanders' load. */
const BYSTANDER_ROOM = 1.5
/** CPU time for work that stops only at the end of a turn, and for garbage collection. */
const ALLOWED_SECONDS = 0.7

/** Ten clients at a time, which disconnect during the request. */
export const hangUps: Scenario = {
  name: 'hang-ups',
  rule: 'Work for a client stops soon after it disconnects.',
  async attack(stage) {
    for (let round = 0; round < 2 && stage.goesOn(); round++) await hangUp(stage)
  },
}

async function hangUp(stage: Stage): Promise<void> {
  const { dice, service } = stage
  const key = stage.newKey()
  const gone = new AbortController()
  const requests = inParallel(stage, { times: CLIENTS, atOnce: CLIENTS }, (n) => {
    const made = n % 2 === 0 ? manyClassifications(dice) : dice.pick(HEAVY)(dice)
    const estimate = { label: 'an estimate', path: REST.estimate, body: restEstimate(dice, 99, true) }
    const request = dice.chance(0.7) ? { path: '/graphql', ...made } : estimate
    return stage.send({ ...request, key, signal: gone.signal })
  })
  await pause(dice.int(200, 900))
  gone.abort()
  const cpuBefore = service.cpuSeconds()
  await requests
  await pause(WATCHED_SECONDS * 1_000)
  const used = service.cpuSeconds() - cpuBefore
  stage.note('CPU seconds after the clients left', Math.round(used * 10) / 10)
  const allowed = ALLOWED_SECONDS + WATCHED_SECONDS * stage.calmCores * BYSTANDER_ROOM
  if (used > allowed)
    stage.violate(
      'work continues for disconnected clients',
      `${used.toFixed(1)} CPU s, ${allowed.toFixed(1)} allowed`,
    )
}
