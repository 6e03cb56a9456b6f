/** Valid requests of one key with the highest possible load, at the key's limit and all at once. */
import { HEAVY } from '../requests/graphql-bodies.ts'
import { REST, restEstimate } from '../requests/rest-bodies.ts'
import { inParallel, type Scenario, type Stage } from '../scenario.ts'

const AT_ONCE = 16
const SECONDS = 25
const CROWD = 540
const DATABASE_CROWD = 250
const MINUTE_MS = 60_000
const CROWD_TIMEOUT_MS = 60_000
const LIMIT_HEADERS = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'ratelimit-policy']

/** Estimates at the REST door with descriptions that are costly to classify. */
export const heavyEstimates: Scenario = {
  name: 'heavy-estimates',
  rule: 'A key that sends costly estimates does not delay other partners.',
  attack: (stage) =>
    steadily(stage, () => ({
      label: 'a costly estimate',
      path: REST.estimate,
      body: restEstimate(stage.dice, stage.dice.int(60, 99), true),
    })),
}

/** All other kinds of heavy work, mixed. */
export const heavyQueries: Scenario = {
  name: 'heavy-queries',
  rule: 'A key that sends costly GraphQL queries does not delay other partners.',
  attack: (stage) => steadily(stage, () => ({ path: '/graphql', ...stage.dice.pick(HEAVY)(stage.dice) })),
}

/**
 * All requests that one key may send in a minute, at the same moment. The rest of the minute is observed too,
 * since no key can repeat this sooner.
 */
export const heavyCrowd: Scenario = {
  name: 'heavy-crowd',
  rule: 'A key that sends a minute of estimates in one moment does not delay other partners.',
  async attack(stage) {
    const key = stage.newKey()
    const endsAt = performance.now() + MINUTE_MS
    const isGraphQL = stage.dice.chance(0.5)
    await inParallel(stage, { times: CROWD, atOnce: CROWD }, () => {
      const request = isGraphQL
        ? { path: '/graphql', ...stage.dice.pick(HEAVY)(stage.dice) }
        : { path: REST.estimate, label: 'one of a crowd', body: restEstimate(stage.dice, 99, false) }
      return stage.send({ ...request, key, timeoutMs: CROWD_TIMEOUT_MS })
    })
    while (!stage.short && stage.goesOn() && performance.now() < endsAt)
      await new Promise((resolve) => setTimeout(resolve, 250))
  },
}

/** Requests that each need 20 statements: lists with their counts, under ten aliases. */
export const databaseCrowd: Scenario = {
  name: 'database-crowd',
  rule: 'A key that sends many requests for stored data in one moment does not hold the database of other partners.',
  async attack(stage) {
    const key = stage.newKey()
    const lists = Array.from(
      { length: 10 },
      (_unused, n) => `a${n}: shipments(first: 1) { totalCount edges { node { id } } }`,
    )
    const body = JSON.stringify({ query: `{ ${lists.join(' ')} }` })
    const crowd = stage.short ? 10 : DATABASE_CROWD
    await inParallel(stage, { times: crowd, atOnce: crowd }, () =>
      stage.send({ label: 'ten lists', path: '/graphql', body, key, timeoutMs: CROWD_TIMEOUT_MS }),
    )
  },
}

async function steadily(
  stage: Stage,
  make: () => { readonly label: string; readonly path: string; readonly body: string },
): Promise<void> {
  const key = stage.newKey()
  const endsAt = performance.now() + SECONDS * 1_000
  const goesOn = (): boolean => stage.goesOn() && performance.now() < endsAt
  const times = stage.short ? 6 : Number.POSITIVE_INFINITY
  await inParallel({ goesOn }, { times, atOnce: stage.short ? 3 : AT_ONCE }, async () => {
    const { status, headers } = await stage.send({ ...make(), key, timeoutMs: CROWD_TIMEOUT_MS })
    const missing = LIMIT_HEADERS.filter((name) => headers[name] === undefined)
    if (status === 200 && missing.length > 0)
      stage.violate('an answer without RateLimit headers', missing.join())
    // Refused callers slow down; faster retries would show nothing new.
    if (status === 429) await new Promise((resolve) => setTimeout(resolve, 100))
  })
}
