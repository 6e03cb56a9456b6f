/** The limit of a key: other callers cannot reset it, and it holds for any 60 seconds. */
import { setTimeout as pause } from 'node:timers/promises'
import { flood, type RawAnswer, rawRequest } from '../raw-client.ts'
import { randomKeyId } from '../requests/identities.ts'
import type { Scenario, Stage } from '../scenario.ts'

/** A second less than the window, since answers arrive later than requests are counted. */
const WINDOW_MS = 59_000
const DEFAULT_LIMIT = 600
const STRANGERS = 50_500
const SLIDING_LIMIT = 60

/** The table of callers in memory is bounded, but real keys must not be evicted from it. */
export const forgottenLimits: Scenario = {
  name: 'forgotten-limits',
  rule: 'Requests without a valid key do not reset the limit of one.',
  async attack(stage) {
    const accepted: number[] = []
    const key = stage.newKey()
    await spend(stage, key, DEFAULT_LIMIT + 100, accepted)
    const isEvents = stage.dice.chance(0.6)
    await flood({
      ...{ port: stage.port, connections: 10, count: STRANGERS, goesOn: stage.goesOn },
      request: (n) =>
        isEvents
          ? rawRequest(`POST /carrier-events/z${n}`, ['Content-Type: application/json'], '{}')
          : rawRequest('POST /graphql', [`X-PP-API: ${randomKeyId(stage.dice, true)}@x`], '{}'),
      onAnswer: (answer) => stage.judge('a stranger', answer),
    })
    await spend(stage, key, 100, accepted)
    judgeWindows(stage, accepted, DEFAULT_LIMIT)
  },
}

/** Requests saved up for the end of a fixed window. */
export const slidingLimit: Scenario = {
  name: 'sliding-limit',
  rule: 'No 60 seconds hold more accepted requests of a key than its limit.',
  settings: { WAYBILL_RATE_LIMIT_PER_MINUTE: String(SLIDING_LIMIT) },
  bystanderRate: 2,
  async attack(stage) {
    const accepted: number[] = []
    const key = stage.newKey()
    const { dice } = stage
    const startedAt = performance.now()
    const until = (seconds: number): Promise<void> =>
      pause(Math.max(0, startedAt + seconds * 1_000 - performance.now()))
    await spend(stage, key, dice.int(1, 5), accepted)
    await until(dice.int(50, 57))
    await spend(stage, key, SLIDING_LIMIT, accepted)
    await until(60.5)
    await spend(stage, key, SLIDING_LIMIT, accepted)
    for (const seconds of [62, 65, 70, 80]) {
      await until(seconds)
      await spend(stage, key, dice.int(10, SLIDING_LIMIT), accepted)
    }
    judgeWindows(stage, accepted, SLIDING_LIMIT)
  },
}

async function spend(stage: Stage, key: string, count: number, accepted: number[]): Promise<void> {
  const request = rawRequest(
    'POST /graphql',
    [`X-PP-API: ${key}`, 'Content-Type: application/json'],
    '{"query":"{__typename}"}',
  )
  const onAnswer = (answer: RawAnswer): void => {
    stage.judge('a request within or past the limit', answer)
    if (answer.status === 200) accepted.push(performance.now())
  }
  const goesOn = stage.goesOn
  await flood({ port: stage.port, connections: 10, count, request: () => request, onAnswer, goesOn })
}

/** `accepted` holds times in ascending order. */
function judgeWindows(stage: Stage, accepted: readonly number[], limit: number): void {
  let first = 0
  let most = 0
  for (const [last, at] of accepted.entries()) {
    while (at - (accepted[first] ?? at) > WINDOW_MS) first += 1
    most = Math.max(most, last - first + 1)
  }
  stage.note('most accepted within a minute', most)
  if (most > limit)
    stage.violate('more accepted requests in a minute than the limit', `${most}, limit ${limit}`)
  if (most < limit / 2) stage.violate('the limit refuses requests within it', `${most} of ${limit}`)
}
