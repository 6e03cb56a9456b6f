/** Runs every recorded reply of a carrier through the gateway and the connector, and compares the judgements. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONNECTOR_NAMES } from '../../../src/core/connector-names.ts'
import { connectorsWithFixtures, type FixtureServer, fixturesOf, startFixtureServer } from './contract.ts'
import { CONTRACTS } from './contracts.ts'

let server: FixtureServer

beforeAll(async () => {
  server = await startFixtureServer(CONTRACTS)
})
afterAll(() => server.close())

test('has a connector for every folder of fixtures', () => {
  expect(connectorsWithFixtures().filter((name) => !CONNECTOR_NAMES.some((known) => known === name))).toEqual(
    [],
  )
})

describe.each(Object.entries(CONTRACTS))('%s', (name, { judgements }) => {
  const connector = name as keyof typeof CONTRACTS
  const fixtures = fixturesOf(connector)

  test('has one row for every fixture, and one fixture for every row', () => {
    expect(Object.keys(judgements).sort()).toEqual([...fixtures.keys()].sort())
  })

  for (const [fixtureName, fixture] of fixtures) {
    const [expected, reason] = judgements[fixtureName] ?? ['a row', 'none']
    test(`judges ${fixtureName}: ${expected}. ${reason}`, async () => {
      const { judgement, unexpected } = await server.judge(connector, fixture)
      expect(unexpected).toEqual([])
      expect(judgement).toBe(expected)
    })
  }

  test('names the source of every fixture', () => {
    const fields = ['source', 'commit', 'path', 'kind'] as const
    const unsourced = [...fixtures].filter(([, fixture]) => fields.some((field) => !fixture[field]))
    expect(unsourced.map(([fixtureName]) => fixtureName)).toEqual([])
  })
})
