/** Requests work in turns, and stop if they get no more turns. */
import { describe, expect, test, vi } from 'vitest'
import { lexiconClassifier } from '../../../src/classifiers/classifiers.ts'
import { compileCustoms } from '../../../src/core/customs/compiled-customs.ts'
import { estimateRequest } from '../../../src/core/customs/estimate/estimate.ts'
import { explainLine } from '../../../src/core/rating/explain/explain.ts'
import { queuedTurns } from '../../../src/graphql/execution/queued-turns.ts'
import type { Turns } from '../../../src/operations/ports/work.ts'
import { RequestStopped, type StopReason } from '../../../src/operations/ports/work.ts'
import { customsRows, jurisdiction, measure, tax, taxRate } from '../../support/customs/customs-rows.ts'
import { plainLexicon } from '../../support/customs/plain-lexicon.ts'
import { fakePorts } from '../fake-ports.ts'
import { openInstance } from '../instance.ts'

const nextLoop = () => new Promise<void>((resolve) => setImmediate(resolve))
const settled = async () => {
  for (let round = 0; round < 20; round++) await nextLoop()
}

/** Turns that end at every `pieces`-th check. `taken` counts them. */
function turnsOf(pieces: number): Turns & { readonly taken: () => number } {
  let checks = 0
  let taken = 0
  return {
    taken: () => taken,
    over: () => checks++ % pieces === pieces - 1,
    next: () => {
      taken++
      return nextLoop()
    },
  }
}

describe('queued turns', () => {
  test('start pieces of work in the order of the calls, and wait only if the turn is over', async () => {
    const turns = turnsOf(5)
    const queued = queuedTurns(turns)
    const started: number[] = []
    await Promise.all(Array.from({ length: 20 }, (_, index) => queued.next().then(() => started.push(index))))
    expect(started).toEqual(started.toSorted((a, b) => a - b))
    expect(turns.taken()).toBe(4)
  })

  test('are checked after the previous piece of work, not when they are called for', async () => {
    let worked = 0
    const turns: Turns = {
      over: () => worked >= 3,
      next: async () => {
        await nextLoop()
        worked = 0
      },
    }
    const queued = queuedTurns(turns)
    const most: number[] = []
    await Promise.all(Array.from({ length: 12 }, () => queued.next().then(() => most.push(++worked))))
    expect(Math.max(...most)).toBe(3)
  })

  test('start nothing after the request was stopped', async () => {
    const turns: Turns = { over: () => true, next: () => Promise.reject(new RequestStopped('deadline')) }
    const queued = queuedTurns(turns)
    let started = 0
    const pieces = Array.from({ length: 9 }, () =>
      queued.next().then(() => {
        started++
      }),
    )
    const ends = await Promise.allSettled([...pieces, queued.next()])
    expect(ends.map(({ status }) => status)).toEqual(Array(10).fill('rejected'))
    expect(started).toBe(0)
  })
})

const tables = compileCustoms(
  customsRows({
    jurisdictions: [jurisdiction('AA'), jurisdiction('BB')],
    territories: ['ES', 'NL'].map((country, index) => ({
      ...{ dataSet: 'test', country, postalFrom: '', postalTo: '', name: country },
      jurisdiction: index === 0 ? 'AA' : 'BB',
    })),
    measures: [measure('61', 12), measure('64', 8)],
    taxes: [tax('VAT')],
    taxRates: [taxRate('VAT', 20)],
  }),
)
const classifier = lexiconClassifier(
  plainLexicon([
    { code: '610910', label: 'cotton T-shirts', terms: ['t-shirt', 'shirt'], possibleTerms: [] },
    { code: '610990', label: 'other T-shirts', terms: ['t-shirt', 'shirt'], possibleTerms: [] },
    { code: '640399', label: 'leather shoes', terms: ['leather shoes', 'shirt'], possibleTerms: [] },
  ]),
)
const ports = fakePorts({ reference: { customsTables: () => tables }, classifier })

const PARCEL = { count: 1, weightKg: 5, lengthCm: 40, widthCm: 30, heightCm: 20 }
const ROUTE = { from: { country: 'NL' }, to: { country: 'ES' } }
const rates = (rows: number) => ({
  ...ROUTE,
  recipientType: 'BUSINESS',
  parcels: { boxes: Array(rows).fill(PARCEL) },
})
const items = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    description: `t-shirt ${index}`,
    count: 1,
    value: { amount: '10' },
  }))

const OUTCOMES = 'items { classification { alternatives { estimate { difference { amount } } } } }'
const duties = (fields: string) =>
  `query ($input: DutiesEstimateInput!) { dutiesEstimate(input: $input) { ... on DutiesEstimate { ${fields} } } }`
const large: readonly (readonly [string, string, object, () => number])[] = [
  [
    'outcomes',
    duties(OUTCOMES),
    { input: { ...ROUTE, contentItems: items(60) } },
    () => vi.mocked(estimateRequest).mock.calls.length,
  ],
  [
    'a landed cost in full detail',
    `query ($input: LandedCostInput!) { landedCost(input: $input) { ... on LandedCost { options { duties { taxes { description } items { taxes { line { name } } } } rateOption { breakdown { rule { formula } } } } } } }`,
    { input: { rates: rates(9), contentItems: items(60) } },
    () => vi.mocked(explainLine).mock.calls.length,
  ],
  [
    'rates of many rows',
    'query ($input: RatesInput!) { rates(input: $input) { ... on RateQuote { options { breakdown { rule { figures { name } } } } } } }',
    { input: rates(99) },
    () => vi.mocked(explainLine).mock.calls.length,
  ],
  [
    'a batch',
    'query ($inputs: [RatesInput!]!) { ratesBatch(inputs: $inputs) { ... on RatesBatch { results { ... on RateQuote { options { breakdown { rule { formula } } } } } } } }',
    { inputs: Array(50).fill(rates(1)) },
    () => vi.mocked(explainLine).mock.calls.length,
  ],
]

describe('requests', () => {
  for (const [name, query, variables] of large)
    test(`are answered in many turns, with the same result as in one turn: ${name}`, async () => {
      const turns = turnsOf(1)
      const { ask, faults } = openInstance({ ports, turns: () => turns })
      const inTurns = await ask(query, variables)
      expect(inTurns.errors).toEqual([])
      expect(turns.taken()).toBeGreaterThan(4)
      const { ask: askAtOnce } = openInstance({ ports })
      expect((await askAtOnce(query, variables)).text).toBe(inTurns.text)
      expect(faults).toEqual([])
    })

  test('that are mutations are answered even if the deadline has passed', async () => {
    const { ask, faults } = openInstance({ ports, turns: () => stoppedAfter(0, 'deadline') })
    const mutation =
      'mutation { cancelShipment(input: { shipmentId: "demo-booked" }) { __typename ... on Problem { message } } }'
    const { status, data } = await ask(mutation)
    expect(status).toBe(200)
    expect(data).toMatchObject({ cancelShipment: { __typename: 'ShipmentNotFound' } })
    expect(faults).toEqual([])
  })

  test('that are small do not wait for a turn', async () => {
    const turns = turnsOf(1)
    const { ask } = openInstance({ ports, turns: () => ({ ...turns, over: () => false }) })
    await ask(large[0]![1], { input: { ...ROUTE, contentItems: items(2) } })
    expect(turns.taken()).toBe(0)
  })

  for (const [name, query, variables, worked] of large)
    for (const reason of ['deadline', 'disconnected'] as const)
      test(`end at once if they are stopped, without data and without a fault: ${name}, stopped by ${reason}`, async () => {
        const { ask, faults, lines } = openInstance({ ports, turns: () => stoppedAfter(3, reason) })
        const { status, headers, data, errors } = await ask(query, variables)
        expect(status).toBe(503)
        expect(headers['retry-after']).toBe('2')
        expect(data).toBeUndefined()
        expect(errors).toEqual([
          {
            message: 'The request took too long; ask for less at once, or try again later',
            extensions: { code: 'DEADLINE_EXCEEDED' },
          },
        ])
        const done = worked()
        await settled()
        expect(worked()).toBe(done)
        expect(faults).toEqual([])
        const warnings = lines.map(({ level, msg, requestId }) => ({ level, msg, requestId }))
        expect(warnings).toEqual(
          reason === 'disconnected'
            ? []
            : [
                {
                  level: 'warn',
                  msg: 'the request reached its deadline',
                  requestId: headers['x-request-id'],
                },
              ],
        )
      })
})

/** Turns that are always over. The request is stopped after `count` turns. */
function stoppedAfter(count: number, reason: StopReason): Turns {
  let taken = 0
  return {
    over: () => true,
    next: () => (++taken > count ? Promise.reject(new RequestStopped(reason)) : nextLoop()),
  }
}
