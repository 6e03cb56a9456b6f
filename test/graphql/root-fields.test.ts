/** The operation in the log of a GraphQL request. docs/operations.md#logs */
import { getOperationAST, parse } from 'graphql'
import { expect, test } from 'vitest'
import { createFindRootFields } from '../../src/graphql/root-fields.ts'
import { openTestApp, TEST_CLOCK } from '../support/app/test-app.ts'

test.each([
  ['one field, whatever its alias and selection', '{ mine: shipment(id: "a") { id } }', 'shipment'],
  ['each field once, in their order', '{ a: rates { x } carriers { x } b: rates { y } }', 'rates,carriers'],
  [
    'fields of fragments',
    'query { ...F ... { c } } fragment F on Query { a ...G } fragment G on Query { b }',
    'a,b,c',
  ],
  ['introspection', '{ __schema { types { name } } }', '__schema'],
  ['at most five', '{ a b c d e f g }', 'a,b,c,d,e,…'],
  ['mutations', 'mutation { cancelShipment { __typename } }', 'cancelShipment'],
])('lists %s', (_what, text, expected) => {
  const document = parse(text)
  const operation = getOperationAST(document)
  expect(operation && createFindRootFields()(document, operation)).toBe(expected)
})

test('is in the line of a response, also of repeated operations and those that are refused', async () => {
  const lines: string[] = []
  const log = { level: 'info', stream: { write: (line: string) => void lines.push(line) } } as const
  const app = await openTestApp({}, TEST_CLOCK, { log })
  const query = '{ carriers { name } __typename }'
  for (let repeat = 0; repeat < 5; repeat += 1) await app.graphql(query)
  await app.graphql('{ nothing }')
  await app.close()
  const completed = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'request.completed')
  expect(completed.map(({ operation }) => operation)).toEqual([
    ...Array(5).fill('carriers,__typename'),
    undefined,
  ])
})
