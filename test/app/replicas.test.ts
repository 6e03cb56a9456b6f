/** Two replicas on one database, and a rate card that is published while both serve requests. */

import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readDemoRateBook } from '../../src/reference/rate-cards/rate-card-csv.ts'
import { importRateCard, publishRateCard, rollBackRateCard } from '../../src/store/rate-cards/versions.ts'
import { type Replica, startReplica, stopReplica } from '../support/app/replica.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'

const QUERY = `query($asOf: DateTime) {
  first: rates(input: $REQUEST) { ... on RateQuote { rateCardVersions } }
  second: rates(input: $REQUEST) { ... on RateQuote { rateCardVersions } }
}`.replaceAll(
  '$REQUEST',
  `{from: {country: "NL"}, to: {country: "ES"}, recipientType: BUSINESS, asOf: $asOf,
    parcels: { boxes: [{weightKg: "5", lengthCm: 40, widthCm: 30, heightCm: 20, count: 1}] }}`,
)

/** The versions in both fields of one response, or the error. */
type Answer = { readonly replica: string; readonly versions: readonly string[] }

let clone: ClonedDatabase
let replicas: readonly Replica[]

beforeAll(async () => {
  clone = await cloneDatabase({ statementTimeoutMs: 0 })
  replicas = await Promise.all([
    startReplica(clone, { WAYBILL_RATE_BOOK_POLL_MS: '3600000' }),
    startReplica(clone, { WAYBILL_LISTEN: 'false', WAYBILL_RATE_BOOK_POLL_MS: '200' }),
  ])
})

afterAll(async () => {
  await Promise.all((replicas ?? []).map((replica) => stopReplica(replica)))
  await clone.drop()
})

/** Repeats a request that is refused for a moment: a machine that stalls loses connections to the database. */
async function ask(origin: string): Promise<readonly string[]> {
  const reply = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-pp-api': 'demo@demo-secret' },
    body: JSON.stringify({ query: QUERY, variables: { asOf: '2026-10-20T12:00:00Z' } }),
  })
  if (reply.status === 503) {
    await reply.text()
    await pause(50)
    return ask(origin)
  }
  if (reply.status !== 200) return [`status ${reply.status}`]
  const { data } = (await reply.json()) as { data: Record<string, { rateCardVersions: string[] }> }
  return Object.values(data).map(({ rateCardVersions }) => rateCardVersions.join(' '))
}

/** Sends requests to both replicas until it is stopped. */
function startLoad(): { readonly answers: Answer[]; stop(): Promise<void> } {
  const answers: Answer[] = []
  let stopped = false
  const callers = replicas.flatMap(({ origin }) =>
    Array.from({ length: 4 }, async () => {
      while (!stopped) answers.push({ replica: origin, versions: await ask(origin) })
    }),
  )
  return {
    answers,
    async stop() {
      stopped = true
      await Promise.all(callers)
    },
  }
}

/** Waits until the load has seen the version at each replica. */
async function untilSeen(answers: readonly Answer[], version: string): Promise<void> {
  const seen = () => answers.filter(({ versions }) => versions[0] === version).map(({ replica }) => replica)
  await expect.poll(() => new Set(seen()).size).toBe(replicas.length)
}

async function until(version: string): Promise<void> {
  for (const { origin } of replicas)
    await expect.poll(async () => (await ask(origin))[0], { message: origin }).toBe(version)
}

describe('two replicas', () => {
  test('use a new version soon after it is published, without a failed or mixed answer', async () => {
    await until('demo@1')
    const load = startLoad()
    await untilSeen(load.answers, 'demo@1')
    const head = { code: 'demo', name: 'Demo', audience: 'everyone', validFrom: '2026-01-01' } as const
    await publishRateCard(clone.db, await importRateCard(clone.db, { ...head, card: readDemoRateBook() }))
    await until('demo@2')
    await untilSeen(load.answers, 'demo@2')
    await rollBackRateCard(clone.db, 'demo')
    await until('demo@1')
    await load.stop()
    for (const { origin } of replicas) {
      const ofReplica = load.answers.filter(({ replica }) => replica === origin)
      // Each request used one rate book, and each replica changed once in each direction.
      expect(
        ofReplica.filter(({ versions }) => versions[0] !== versions[1] || versions.length !== 2),
      ).toEqual([])
      expect(new Set(ofReplica.map(({ versions }) => versions[0]))).toEqual(new Set(['demo@1', 'demo@2']))
    }
  })
})
