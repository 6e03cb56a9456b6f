/** Runs every example of the playground against the app with demo data. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { groupedExamples } from '../../src/graphql/playground/example-groups.ts'
import { EXAMPLES } from '../../src/graphql/playground/examples.ts'
import { openTestApp, type TestApp } from '../support/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

/** The success type of each operation. */
const SUCCESS: Readonly<Record<string, unknown>> = {
  rates: { options: expect.arrayContaining([expect.objectContaining({ price: expect.anything() })]) },
  ratesBatch: {
    results: expect.arrayContaining([
      { options: expect.arrayContaining([expect.objectContaining({ price: expect.anything() })]) },
    ]),
  },
  dutiesEstimate: { total: expect.anything(), taxes: expect.arrayContaining([expect.anything()]) },
  landedCost: {
    options: expect.arrayContaining([
      expect.objectContaining({
        total: expect.anything(),
        duties: expect.objectContaining({ complete: true }),
      }),
    ]),
  },
  customsCoverage: { countries: expect.arrayContaining([expect.objectContaining({ country: 'JP' })]) },
  customsDeclaration: { form: 'CN22', complete: false },
  saveEstimate: { estimate: expect.objectContaining({ id: expect.stringMatching(/^est_/) }) },
  classify: {
    candidates: expect.arrayContaining([
      expect.objectContaining({ hsCode: expect.stringMatching(/^\d{6}$/) }),
    ]),
  },
  carriers: expect.arrayContaining([expect.objectContaining({ name: 'Rondeel Parcel' })]),
  shipments: { nodes: expect.arrayContaining([expect.anything()]) },
  createDraftShipment: { shipment: expect.objectContaining({ state: 'DRAFT' }) },
  bookShipment: { shipment: expect.objectContaining({ state: 'BOOKED' }) },
  cancelShipment: { shipment: expect.objectContaining({ state: 'CANCELLED' }) },
}

/** The first answer of the example that is run again until the carrier confirms. */
const PENDING = { __typename: 'CancellationPending', shipment: { id: 'demo-slow', state: 'BOOKED' } }

test.each(
  EXAMPLES.map((example) => [/(?:query|mutation) (\w+)/.exec(example.query)?.[1], example] as const),
)('%s runs', async (name, { query, variables }) => {
  const { data, errors } = await app.graphql(query, variables)
  expect(errors).toBeUndefined()
  for (const [operation, answer] of Object.entries(data ?? {})) {
    expect(SUCCESS).toHaveProperty(operation)
    if (Array.isArray(answer)) expect(answer).toEqual(SUCCESS[operation])
    else expect(answer).toMatchObject((name === 'CancelSlowly' ? PENDING : SUCCESS[operation]) as object)
  }
})

test('every example is listed once, in a group with a title', () => {
  const groups = groupedExamples()
  expect(groups.map(({ title }) => title)).not.toContain('More')
  const listed = groups.flatMap(({ examples }) => examples.map(({ query }) => query))
  expect(listed.toSorted()).toEqual(EXAMPLES.map(({ query }) => query).toSorted())
})

test('every operation has an example', () => {
  const documents = EXAMPLES.map(({ query }) => query).join()
  for (const operation of Object.keys(SUCCESS)) expect(documents).toMatch(new RegExp(`\\b${operation}\\b`))
})
