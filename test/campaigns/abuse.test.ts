/**
 * A short run of `npm run test:abuse`: small attacks on one service in production mode, without limits on time. It
 * checks what holds on any machine, also on one that stalls: the partner may be refused for a moment, but each of its
 * requests succeeds when repeated.
 */
import { rmSync } from 'node:fs'
import { buildASTSchema, parse, validate } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readTypeDefinitions } from '../../src/graphql/schema-files.ts'
import { migrate } from '../../src/store/database/migrate.ts'
import { makeThrowAwayFolder } from '../support/app/throw-away-folder.ts'
import { type ClonedDatabase, emptyDatabase } from '../support/database/clone-database.ts'
import { diceOf } from '../support/random/seeded-dice.ts'
import { populate } from './abuse/database.ts'
import { HEAVY, WIDE } from './abuse/requests/graphql-bodies.ts'
import { demoSecrets } from './abuse/scenarios/demo-secrets.ts'
import { errorEcho } from './abuse/scenarios/error-echo.ts'
import { errorMasking } from './abuse/scenarios/error-masking.ts'
import { readinessFlood, unknownKeys } from './abuse/scenarios/floods.ts'
import { heavyEstimates } from './abuse/scenarios/heavy-requests.ts'
import { lockOut } from './abuse/scenarios/lock-out.ts'
import { oddRequests } from './abuse/scenarios/odd-requests.ts'
import { ownCarrierAccess } from './abuse/scenarios/own-carrier-access.ts'
import { slowKeyedBodies, slowSignedBodies } from './abuse/scenarios/slow-bodies.ts'
import { unboundedResponses } from './abuse/scenarios/unbounded-responses.ts'
import { type OpenStage, openStage } from './abuse/stage.ts'

const SEED = 13

/**
 * The last two must remain last: one causes an alert, which may be logged during a later scenario, and the other adds
 * demo data to the database.
 */
const SHORT = [
  unboundedResponses,
  errorMasking,
  errorEcho,
  slowSignedBodies,
  slowKeyedBodies,
  heavyEstimates,
  readinessFlood,
  unknownKeys,
  lockOut,
  oddRequests,
  ownCarrierAccess,
  demoSecrets,
]

describe('a service under attack', () => {
  let database: ClonedDatabase
  let stage: OpenStage
  const folder = makeThrowAwayFolder()
  beforeAll(async () => {
    database = await emptyDatabase()
    await migrate(database.source)
    const population = await populate(database.source)
    const temporary = { source: database.source, drop: async () => {} }
    stage = await openStage({
      short: true,
      program: 'source',
      database: temporary,
      population,
      folder,
      bystanderRate: 10,
    })
  })
  afterAll(async () => {
    await stage?.close()
    await database?.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each(SHORT.map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    async (_name, scenario) => {
      const { violations } = await stage.run(scenario, SEED)
      // As one text, so that the message of a failure shows all of it.
      expect(violations.join('\n')).toBe('')
    },
    120_000,
  )
})

test('every heavy GraphQL document is valid against the schema', () => {
  const schema = buildASTSchema(readTypeDefinitions())
  for (const maker of [...WIDE, ...HEAVY])
    for (let seed = 0; seed < 3; seed++) {
      const { label, body } = maker(diceOf(seed))
      expect(validate(schema, parse((JSON.parse(body) as { query: string }).query)), label).toEqual([])
    }
})
