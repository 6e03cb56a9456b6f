/** Keeping estimates on ports in memory: races on a key, and the removal of expired estimates. */
import { describe, expect, test } from 'vitest'
import { compileCustoms } from '../../src/core/customs/compiled-customs.ts'
import { type SaveEstimateInput, saveEstimate } from '../../src/operations/save-estimate.ts'
import { expireDrafts } from '../../src/operations/sweep/expire-drafts.ts'
import { DRAFT_TERMS } from '../support/app/draft-terms.ts'
import { estimatePorts } from '../support/app/memory-estimates.ts'
import { customsRows, jurisdiction } from '../support/customs/customs-rows.ts'
import { demoRateBook } from '../support/rates/demo-rate-book.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const tables = compileCustoms(customsRows({ jurisdictions: [jurisdiction('ES'), jurisdiction('NL')] }))
const caller = { accountId: 'demo', countAverages: true }

const INPUT: SaveEstimateInput = {
  estimate: {
    ...{ from: { country: 'NL' }, to: { country: 'ES' } },
    contentItems: [{ description: 'shirts', numberOfItems: 1, cost: 5, tariff: '610910' }],
  },
  idempotencyKey: 'key',
}

function openPorts(now: () => number = () => NOW) {
  return {
    ...estimatePorts(now),
    clock: () => new Date(now()),
    reference: { rateBook: demoRateBook, customsTables: () => tables },
    shipments: {
      find: async () => undefined,
      expireDrafts: async () => 0,
      expireDraftKeys: async () => 0,
    },
  }
}

// Only these methods of the store are used.
const asPorts = (ports: ReturnType<typeof openPorts>) =>
  ports as unknown as Parameters<typeof saveEstimate>[0] & Parameters<typeof expireDrafts>[0]

const save = (ports: ReturnType<typeof openPorts>, change: Partial<SaveEstimateInput> = {}) =>
  saveEstimate(asPorts(ports), caller, { ...INPUT, ...change }, async () => [])

describe('saveEstimate', () => {
  test('keeps the day, the revision and the request', async () => {
    const outcome = await save(openPorts())
    expect(outcome).toMatchObject({
      kind: 'EstimateSaved',
      estimate: {
        ...{ date: '2026-11-21', customsRevision: 7 },
        request: { from: { country: 'NL' }, items: [{ tariff: '610910', costSteps: 5_000_000 }] },
      },
    })
  })

  test('returns the estimate of a concurrent request with the same key', async () => {
    const ports = openPorts()
    const outcomes = await Promise.all([save(ports), save(ports), save(ports)])
    const ids = outcomes.map((outcome) => outcome.kind === 'EstimateSaved' && outcome.estimate.estimateId)
    expect(new Set(ids).size).toBe(1)
    expect(
      outcomes.filter((outcome) => outcome.kind === 'EstimateSaved' && !outcome.alreadySaved),
    ).toHaveLength(1)
  })

  test('refuses the key for another input, also of a concurrent request', async () => {
    const ports = openPorts()
    const kinds = (await Promise.all([save(ports), save(ports, { reference: 'r' })])).map(({ kind }) => kind)
    expect(kinds.sort()).toEqual(['EstimateSaved', 'IdempotencyConflict'])
  })

  test('accepts the key again when its estimate has expired', async () => {
    let now = NOW
    const ports = openPorts(() => now)
    await save(ports)
    now += 91 * 86_400_000
    expect(await save(ports, { reference: 'r' })).toMatchObject({
      kind: 'EstimateSaved',
      alreadySaved: false,
    })
  })
})

test('expired estimates are removed in batches, until a batch is not full', async () => {
  const limits: number[] = []
  const removed = [500, 500, 3]
  const ports = openPorts()
  const estimates = {
    ...ports.estimates,
    expireEstimates: async (limit: number) => {
      limits.push(limit)
      return removed.shift() ?? 0
    },
  }
  await expireDrafts({ ...asPorts(ports), draftTerms: DRAFT_TERMS, estimates })
  expect(limits).toEqual([500, 500, 500])
})
